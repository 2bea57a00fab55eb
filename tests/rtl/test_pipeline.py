"""Pipelined cores: right on every net and setting, as deep as asked; and every broken twin is refused by the proof."""

import json
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from dbhw.data.stimuli import choose
from dbhw.fpga import families
from dbhw.fpga.synth import synthesise
from dbhw.logic import truth
from dbhw.nn.layers.negation import Negation
from dbhw.nn.net import Net
from dbhw.prove import workshop
from dbhw.prove.clocked import pipeline
from dbhw.prove.clocked.pipeline import netlist_is_verilog, verilog_is_pipeline
from dbhw.rtl.core.luts import Luts, map_to_luts
from dbhw.rtl.core.schedule import Pipeline, schedule
from dbhw.rtl.core.wires import of_table
from dbhw.rtl.flat import flat
from dbhw.rtl.verilog.emit import emit
from dbhw.rtl.verilog.writer import VerilogModule
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.lint import lint
from tests.kit.many import simulate_clocked
from tests.kit.nets import the_model

SETTINGS = ["stages=1", "stages=3", "stages=20", "levels=1", "levels=2", "levels=3"]


def quick(examples, number=0):
    """Seeded examples without shrinking: hardware takes too long for it."""

    def decorate(test):
        chosen = settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        return seed(number)(chosen(test))

    return decorate


@quick(200)
@given(st.integers(1, 8), st.integers(0, 2**256 - 1), st.booleans())
def test_an_expression_is_its_table(n, number, shorter):
    table = number & truth.ones(n)
    if len(truth.essential(table, n)) < n:
        return
    module = VerilogModule("net")
    names = [f"v{j}" for j in range(n)]
    # Python reads the text as Verilog does, but for the sign of a complement.
    text = module.bit(of_table(table, [module.input(name, 1)[0] for name in names], shorter))
    for i in range(1 << n):
        assert eval(text, {name: i >> j & 1 for j, name in enumerate(names)}) & 1 == table >> i & 1, text


@quick(200)
@given(st.integers(1, 5), st.integers(0, 30), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_a_schedule_is_causal_and_balanced(inputs, size, stages, number):
    random = np.random.default_rng(number)
    fanins = [tuple({int(f) for f in random.integers(0, inputs + i, 2)}) for i in range(size)]
    last = inputs + size - 1
    luts = Luts(inputs, [1] * size, fanins, {"y": [last, int(random.integers(0, last + 1))]})
    plan, depth = schedule(luts, stages), max(luts.levels())
    within = [0] * len(luts)  # how many tables lie on the longest path inside a node's own stage
    for node in range(inputs, len(luts)):
        assert all(plan.stage[f] <= plan.stage[node] < stages for f in luts.fanin(node))
        within[node] = 1 + max([within[f] for f in luts.fanin(node) if plan.stage[f] == plan.stage[node]], default=0)
    assert max(within) <= max(-(-depth // stages), 1)


def test_random_nets_at_every_setting(tmp_path):
    """Twelve nets: linted, proved, and simulated with one result per cycle."""
    found = []

    @quick(12, number=4)
    @given(samples.models())
    def every_setting_is_right(model):
        i = len(found)
        setting, stream, lut_inputs = SETTINGS[i % len(SETTINGS)], i % 4 == 3, (4, 6)[i % 2]
        emitted = emit(model, f"net{i}", lut_inputs, setting, stream)
        lint(tmp_path, emitted)
        latency = emitted.manifest.latency
        steps = verilog_is_pipeline(model.to_network(), *flat(emitted, emitted.verilog), lut_inputs, latency, stream)
        assert all(step.proved for step in steps), steps
        found.append((model, emitted, emitted.verilog, choose(model.net.inputs, "200"), {"stalls": False}))

    every_setting_is_right()
    seen = simulate_clocked(found)
    for _, emitted, _, x, _ in found:
        assert seen[emitted.module].mismatches == 0
        assert seen[emitted.module].clocks == len(x) + emitted.manifest.latency


@pytest.mark.parametrize("setting", ["levels=1", "levels=2", "stages=2", "stages=30"])
def test_the_latency_and_the_depth_are_those_asked_for(setting):
    model = the_model()
    depth = max(map_to_luts(emit(model, lut_inputs=4).verilog, "net", 4).levels())
    assert depth >= 4
    emitted = emit(model, lut_inputs=4, pipeline=setting)
    asked = Pipeline.parse(setting)
    latency = -(-depth // asked.number) if asked.kind == "levels" else asked.number
    assert emitted.manifest.latency == latency
    area = synthesise(emitted.verilog, "ice40")
    assert area.ffs > 0
    if latency >= depth:
        assert area.depth == 1


def test_moving_a_table_saves_registers():
    """Input 0 is read late anyway, so a table of it alone can be computed late, too."""
    luts = Luts(2, [0b01, 0b01, 0b01, 0b01, 0x80], [(1,), (2,), (3,), (0,), (4, 5, 0)], {"y": [6]})
    assert schedule(luts, 4).stage == [0, 0, 0, 1, 2, 2, 3]


def broken_twins(verilog):
    """Faults in the data path: what is wrong, the number of the step that must see it, and the broken Verilog."""
    head, stage, body = verilog.partition("  // stage 1")
    register, value = re.search(r"    (\w+_at1) <= (.*);", body).groups()
    loaded = f"    {register} <= {value};\n"

    def load(other):
        return head + stage + body.replace(loaded, f"    {register} <= {other};\n")

    wire = verilog.replace(loaded, "").replace(f"reg {register};", f"wire {register} = {value};")
    yield "a missing register", 1, wire
    again = f"  reg again;\n  always @(posedge clk) again <= {value};\n"
    yield "an extra register", 1, load("again").replace(stage, again + stage)
    yield "the other edge", 1, head + stage + body.replace("posedge", "negedge", 1)
    yield "another clock", 1, head + stage + body.replace("posedge clk", "posedge x[0]", 1)
    yield "a wrong gate", 0, load(f"~({value})")
    yield "a value of its own", 0, load(f"{register} ^ ({value})")
    output = re.search(r"  assign label.* = (\w+);\n", body)
    yield "an output inverted", 0, verilog.replace(output[0], output[0].replace(output[1], f"~{output[1]}"))


@pytest.mark.parametrize("stream", [False, True])
def test_broken_data_paths_are_refused(stream):
    model = the_model()
    emitted = emit(model, lut_inputs=4, pipeline="levels=1", stream=stream)

    def steps(text, latency=emitted.manifest.latency):
        return [s.proved for s in verilog_is_pipeline(model.to_network(), text, "net", 4, latency, stream)]

    assert all(steps(emitted.verilog))
    assert steps(emitted.verilog, emitted.manifest.latency + 1)[1] is False
    for what, number, broken in broken_twins(emitted.verilog):
        assert broken != emitted.verilog, what
        assert steps(broken)[number] is False, what


@pytest.mark.parametrize(
    ("target", "fault", "proved"),
    [
        ("ice40", "select -none", True),
        ("ice40", "setparam -set LUT_INIT 16'h0001 t:SB_LUT4", False),
        ("ice40", "chtype -set SB_DFFN t:SB_DFF", False),
        ("xilinx", "select -none", True),
        ("xilinx", "setparam -set INIT 32'h1 t:LUT5 %R1", False),
    ],
)
def test_a_broken_netlist_is_refused(monkeypatch, target, fault, proved):
    emitted = emit(the_model(), lut_inputs=families.find(target).lut_inputs, pipeline="stages=2")
    whole = workshop.synthesis_script
    monkeypatch.setattr(
        workshop, "synthesis_script", lambda *args, **named: [*whole(*args, **named), fault, "select -clear"]
    )
    latency = emitted.manifest.latency
    assert netlist_is_verilog(emitted.verilog, "net", target, latency, stream=False).proved is proved


def test_a_mistake_in_the_tables_before_synthesis_is_refused(monkeypatch):
    """Tables that are mapped before synthesis are a part of what is proved."""
    emitted = emit(the_model(), pipeline="levels=1")
    whole = workshop.synthesis_script

    def broken(*args, **named):
        script = whole(*args, **named)
        (mapped,) = (i for i, command in enumerate(script) if command.startswith("abc -lut 6"))
        mistake = ["setparam -set LUT 4'h1 t:$lut r:WIDTH=2 %i", "select -clear"]
        return [*script[: mapped + 1], *mistake, *script[mapped + 1 :]]

    latency = emitted.manifest.latency
    assert netlist_is_verilog(emitted.verilog, "net", "xilinx", latency, stream=False).proved
    monkeypatch.setattr(workshop, "synthesis_script", broken)
    assert not netlist_is_verilog(emitted.verilog, "net", "xilinx", latency, stream=False).proved


def test_tables_before_synthesis_cost_no_area():
    emitted = emit(the_model(), pipeline="levels=1")
    ours = synthesise(emitted.verilog, "xilinx")
    without = synthesise(emitted.verilog + "// \n(* plain *) module more; endmodule\n", "xilinx")
    assert (ours.luts, ours.ffs) <= (without.luts, without.ffs)


@pytest.mark.parametrize(
    ("target", "stream"), [*((name, False) for name in families.names()), ("xilinx", True), ("ice40", True)]
)
def test_netlists_of_all_families_are_proved_as_pipelines(target, stream, monkeypatch):
    """Shift registers in look-up tables among them, which Yosys makes for xilinx; and not as sequences of states."""
    emitted = emit(the_model(), pipeline="stages=9", stream=stream)
    monkeypatch.delattr(pipeline, "_same_on_every_sequence")
    assert netlist_is_verilog(emitted.verilog, "net", target, emitted.manifest.latency, stream).proved


def test_a_netlist_of_another_kind_is_compared_on_every_sequence():
    """A counter is no pipeline."""
    text = "module net (input wire clk, x, output reg y = 0); always @(posedge clk) y <= y ^ x; endmodule"
    assert netlist_is_verilog(text, "net", "ice40", latency=1, stream=False).proved


@pytest.mark.parametrize(("pipeline", "stream"), [("comb", True), ("stages=2", False), ("levels=1", True)])
def test_a_net_of_wires(pipeline, stream):
    """Nothing to compute is still as late as it was asked to be."""
    model = samples.random_model(Net(1, [Negation(width=2)]), np.random.default_rng(1))
    emitted = emit(model, pipeline=pipeline, stream=stream)
    latency = emitted.manifest.latency
    assert latency == {"comb": 0, "stages=2": 2, "levels=1": 1}[pipeline]
    steps = verilog_is_pipeline(model.to_network(), emitted.verilog, "net", 6, latency, stream)
    assert all(step.proved for step in steps)


def test_the_commands_take_a_pipeline(capsys, tmp_path):
    the_model().save(tmp_path / "a.dbnet")
    options = ["--pipeline", "levels=2", "--stream", "--json"]
    code, out, err = run(capsys, "emit", tmp_path / "a.dbnet", "-o", tmp_path / "out", "--lut-inputs", 4, *options)
    assert code == 0, err
    manifest = json.loads(out)
    assert (manifest["pipeline"], manifest["clock"], manifest["stream"]["reset"]) == ("levels=2", "clk", "rst")
    assert manifest["latency"] >= 2
    assert "$dff" in (tmp_path / "out/net.il").read_text()
    prove = ["prove", tmp_path / "a.dbnet", "--target", "ice40", *options]
    code, out, err = run(capsys, *prove)
    assert code == 0, err
    names = [step["name"] for step in json.loads(out)["steps"]]
    many = f"{manifest['latency']} registers on every path"
    proof = ["network = Verilog", many, "stream = its rules", "Verilog = ice40 netlist"]
    assert names == ["model = network", *proof]
    net = tmp_path / "out/net.v"
    code, out, err = run(capsys, "sim", tmp_path / "a.dbnet", "--verilog", net, "--lut-inputs", 4, *options)
    assert code == 0, err
    assert json.loads(out)["mismatches"] == 0
    net.write_text(net.read_text().replace("if (move) begin", "begin", 1))
    code, out, err = run(capsys, *prove, "--verilog", net)
    assert code == 1
    assert [step["proved"] for step in json.loads(out)["steps"]] == [True, True, False, True, True]
