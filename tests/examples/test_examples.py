"""Every example is made by the command on its page, elaborated by the tool it is for, simulated, and seen to break."""

import contextlib
import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import yaml
from amaranth.back import rtlil

from dbhw import cli, zoo
from dbhw.data import stimuli
from dbhw.rtl.verilog.emit import emit
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.rtl.wrappers import vivado, wishbone
from dbhw.sim import simulators
from tests.kit.litex_tops import registers_verilog, stream_verilog
from tests.kit.wrapped import Top, ports_of

EXAMPLES = Path(__file__).parents[2] / "examples"
IRIS, WINE = "iris-small", "wine-small"
CLOCKED = {"clk": "clk", "rst": "rst"}


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folders that the commands on the pages write, by the name of the example."""
    root = tmp_path_factory.mktemp("examples")
    found = {}
    with contextlib.chdir(root):
        for page in sorted(EXAMPLES.glob("*/README.md")):
            for line in re.findall(r"^dbhw (wrap .*)$", page.read_text(), re.MULTILINE):
                assert cli.main(line.split()) == 0
                found[page.parent.name] = root / line.split()[-1]
    return found


def cases(emitted, model, number):
    """Inputs of a model and their answers, by port."""
    vectors = Vectors.of(model, emitted.manifest, stimuli.choose(model.net.inputs, str(number), None))
    columns = {name: [int(v, 16) for v in values] for name, values in (vectors.inputs | vectors.outputs).items()}
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return [({n: row[n] for n in vectors.inputs}, {n: row[n] for n in vectors.outputs}) for row in rows]


# Amaranth


def test_the_core_in_an_amaranth_design_counts_the_classes():
    model = zoo.load(IRIS)
    x = np.random.default_rng(1).integers(0, [80, 45, 70, 26], (100, 4))
    design = module(EXAMPLES / "amaranth" / "design.py")
    expected = np.bincount(model.predict(x / 10), minlength=3).tolist()
    assert design.count(model, x) == expected
    assert design.count(model, x[:, [2, 1, 0, 3]]) != expected  # inputs that are taken for each other are noticed


def test_the_stream_in_an_amaranth_design_is_an_instance_of_the_emitted_verilog():
    text = rtlil.convert(module(EXAMPLES / "amaranth" / "design.py").LabelOnly(zoo.load(IRIS)))
    assert "cell \\net \\core" in text


# Wishbone, AXI-Stream and LiteX in one simulation. Each first gets its examples with two inputs exchanged.


def exchanged(examples):
    """The examples with the values of the first and the third port exchanged, and the answers to the right ones."""
    first, _, third, *_ = examples[0][0]
    return [({**given, first: given[third], third: given[first]}, answer) for given, answer in examples]


def packets(emitted, examples):
    """The beats of AXI-Stream packets. Some are preceded by one that is too short, and some are too long."""
    beats = []
    for number, (given, _) in enumerate(examples):
        words = vivado.words(emitted, given)
        if number % 7 == 3:
            beats += [(word, i == len(words) - 2) for i, word in enumerate(words[:-1])]
        longer = [*words, *[0xDEAD] * (number % 5 == 2)]
        beats += [(word, i == len(longer) - 1) for i, word in enumerate(longer)]
    return [{"axis_s_axis_tdata": data, "axis_s_axis_tlast": int(last)} for data, last in beats]


def add_axis(top, made, emitted, examples):
    runs = [
        {"beats": packets(emitted, own), "expected": [{"axis_m_axis_tdata": answer["label"]} for _, answer in own]}
        for own in (exchanged(examples), examples)
    ]
    wires = {
        "x_valid": "s_axis_tvalid",
        "x_ready": "s_axis_tready",
        "y_valid": "m_axis_tvalid",
        "y_ready": "m_axis_tready",
    }
    own = {"kind": "stream", "runs": runs, **{wire: f"axis_{port}" for wire, port in wires.items()}}
    verilog = {name: (made / f"hdl/{name}.v").read_text() for name in ("net", "net_axis")}
    top.add("axis", "net_axis", verilog, vivado.PORTS, {"aclk": "clk", "aresetn": "~rst"}, own)


def add_bus(top, name, module, verilog, addresses, examples):
    """`addresses` has those of the ports and of the registers start and status."""
    runs = []
    for own in (exchanged(examples), examples):
        script = []
        for given, answer in own:
            script += [[addresses[port], value, None] for port, value in given.items()]
            script += [[addresses["start"], 1, None], [addresses["status"], None, -1]]
            script += [[addresses[port], None, value] for port, value in answer.items()]
        runs.append(script)
    ports = [port for port in ports_of("\n".join(verilog.values()), module) if port[0].startswith("wb_")]
    top.add(name, module, verilog, ports, CLOCKED, {"kind": "bus", "prefix": f"{name}_wb_", "runs": runs})


def add_wishbone(top, made, emitted, core, examples):
    addresses = {slot.port.name: slot.first for row in wishbone.registers(emitted) for slot in row}
    slave = to_iris((made / "net_wishbone.v").read_text())
    add_bus(top, "wishbone", "net_wishbone", {**core, "wb": slave}, {**addresses, "start": 0, "status": 0}, examples)


def add_litex_registers(top, litex, core, examples):
    text, addresses = registers_verilog(litex.Registers, "registers")
    add_bus(top, "registers", "registers", {**core, "registers": to_iris(text)}, addresses, examples)


def add_litex_stream(top, litex, core, examples):
    verilog = {**core, "stream": to_iris(stream_verilog(litex.Streamed, litex.INPUTS, litex.OUTPUTS, "stream"))}
    runs = [
        {
            "beats": [{f"stream_x_{port}": value for port, value in given.items()} for given, _ in own],
            "expected": [{f"stream_y_{port}": value for port, value in answer.items()} for _, answer in own],
        }
        for own in (exchanged(examples), examples)
    ]
    ports = [port for port in ports_of("\n".join(verilog.values()), "stream") if port[0] not in CLOCKED]
    wires = {wire: f"stream_{wire}" for wire in ("x_valid", "x_ready", "y_valid", "y_ready")}
    top.add("stream", "stream", verilog, ports, CLOCKED, {"kind": "stream", "runs": runs, **wires})


def to_iris(text):
    """Two cores in one simulation need two names."""
    return re.sub(r"^( *)net (core|net|_i) ?\(", r"\1iris \2 (", text, flags=re.MULTILINE)


def test_bus_and_stream_wrappers_answer_and_exchanged_inputs_are_noticed(made):
    top, model = Top(), zoo.load(IRIS)
    emitted = emit(model, stream=True)
    core = {"iris": (made["wishbone"] / "net.v").read_text().replace("module net ", "module iris ")}
    examples = cases(emitted, model, 40)
    litex = module(made["litex"] / "net_litex.py")
    add_wishbone(top, made["wishbone"], emitted, core, examples)
    add_litex_registers(top, litex, core, examples)
    add_litex_stream(top, litex, core, examples)
    wine = zoo.load(WINE)
    emitted = emit(wine, stream=True)
    add_axis(top, made["vivado"], emitted, cases(emitted, wine, 100))
    wrong = top.simulate()
    assert {name: runs[1] for name, runs in wrong.items()} == dict.fromkeys(wrong, 0)
    assert min(runs[0] for runs in wrong.values()) > 0


# Vivado


def test_the_component_describes_the_verilog_that_it_names(made):
    folder = made["vivado"]
    spirit = {"s": "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"}
    root = ElementTree.parse(folder / "component.xml").getroot()
    files = [node.text for node in root.findall(".//s:fileSet/s:file/s:name", spirit)]
    verilog = "\n".join((folder / name).read_text() for name in files)
    described = []
    for port in root.findall(".//s:model/s:ports/s:port", spirit):
        left = port.findtext("s:wire/s:vector/s:left", "0", spirit)
        described.append(
            (port.findtext("s:name", "", spirit), port.findtext("s:wire/s:direction", "", spirit), int(left) + 1)
        )
    top = root.findtext(".//s:view/s:modelName", "", spirit)
    assert sorted(described) == sorted(ports_of(verilog, top))
    mapped = {node.text for node in root.findall(".//s:physicalPort/s:name", spirit)}
    assert mapped == {name for name, _, _ in described}


# FuseSoC and Tiny Tapeout: their own commands


def run(*command, folder):
    """The exit code and the output of a command in a folder, with the simulator on the path."""
    # The simulation takes milliseconds, so its C++ is not optimised.
    quick = "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
    with simulators.environment({"MAKEFLAGS": quick}):
        done = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def swap(path, first, second):
    """Exchanges two lines of a file."""
    lines = path.read_text().splitlines()
    lines[first], lines[second] = lines[second], lines[first]
    path.write_text("\n".join([*lines, ""]))


def test_fusesoc_lints_and_simulates_the_core(made):
    folder = made["fusesoc"]
    fusesoc = [sys.executable, "-m", "fusesoc.main", "--cores-root", folder, "run"]
    code, said = run(*fusesoc, "--target", "lint", "dbhw:user:net", folder=folder)
    assert code == 0, said
    assert "%Warning" not in said
    code, said = run(*fusesoc, "--target", "sim", "dbhw:user:net", folder=folder)
    assert code == 0, said
    assert "200 of 200 vectors answered, 0 mismatches" in said
    labels = (folder / "net_expected.hex").read_text().splitlines()
    other = next(i for i, label in enumerate(labels) if label != labels[0])
    built = next(folder.glob("build/*/sim-verilator"))
    swap(built / "net_inputs.hex", 0, other)
    code, said = run(built / "Vnet_tb", folder=built)
    assert code != 0
    assert "2 mismatches" in said


def test_the_tiny_tapeout_folder_passes_its_own_test(made):
    folder = made["tiny_tapeout"]
    code, said = run("make", "SIM=verilator", "VLT_VERSION=5.048", folder=folder / "test")
    assert code == 0, said
    assert "50 vectors, no mismatch" in said
    assert not (folder / "test/results.xml").read_text().count("<failure")
    vectors = folder / "test/vectors.json"
    sent = json.loads(vectors.read_text())
    for one in sent:  # two bytes that arrive in the wrong order
        one["bytes"][0], one["bytes"][2] = one["bytes"][2], one["bytes"][0]
    vectors.write_text(json.dumps(sent))
    run("make", "SIM=verilator", "VLT_VERSION=5.048", folder=folder / "test")
    assert "<failure" in (folder / "test/results.xml").read_text()


def test_the_project_file_of_tiny_tapeout_names_what_there_is(made):
    folder = made["tiny_tapeout"]
    project = yaml.safe_load((folder / "info.yaml").read_text())
    names = project["project"]["source_files"]
    ports = ports_of("\n".join((folder / "src" / name).read_text() for name in names), project["project"]["top_module"])
    pins = [("ui_in", "in", 8), ("uo_out", "out", 8), ("uio_in", "in", 8), ("uio_out", "out", 8), ("uio_oe", "out", 8)]
    assert sorted(ports) == sorted([*pins, ("ena", "in", 1), ("clk", "in", 1), ("rst_n", "in", 1)])
    assert set(project["pinout"]) == {f"{kind}[{i}]" for kind in ("ui", "uo", "uio") for i in range(8)}
