"""Exports for other tools: ABC proves each to be the hardware that `emit` writes, and refuses it with a gate broken."""

import re

import numpy as np
import pytest

from dbhw.base.errors import DbhwError
from dbhw.logic import evaluate, formats, passes
from dbhw.logic.formats import aag, aiger, blif
from dbhw.logic.network import Network
from dbhw.rtl.verilog.emit import emit
from dbhw.tools import abc, yosys
from tests.kit import edif, samples
from tests.kit.nets import NETS

TO_BLIF = ["hierarchy -top net", "proc", "techmap", "opt_clean", "write_blif {}.blif"]
# How a gate of an export is broken: what stands there, and what then stands there.
BREAK = {
    "aag": (r"(?m)^(\d+) (\d+) (\d+)$", lambda m: f"{m[1]} {int(m[2]) ^ 1} {m[3]}"),
    "blif": (r"(?m)^([01])([01-]*) 1$", lambda m: f"{1 - int(m[1])}{m[2]} 1"),
    "verilog": (" & ", " | "),
    "rtlil": (r"cell \$and", r"cell $or"),
    "edif": (r"INIT \(integer (\d+)\)", lambda m: f"INIT (integer {int(m[1]) ^ 1})"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the hardware of a model, as Yosys reads it: `rtl.blif`."""
    folder = tmp_path_factory.mktemp("formats")
    (folder / "rtl.v").write_text(emit(the_model()).verilog)
    yosys.run(["read_verilog rtl.v", *(line.format("rtl") for line in TO_BLIF)], folder)
    return folder


def the_model():
    """A net with counts, scores and an argmax."""
    return samples.random_model(NETS[2], np.random.default_rng(0))


def is_the_hardware(folder, name, content):
    """Whether ABC proves that an exported file is the hardware; the others reach ABC through Yosys."""
    file = {"aiger": "net.aig", "aag": "net.aag", "blif": "net.blif", "rtlil": "net.il"}.get(name, "net.v")
    content = edif.to_verilog(content) if name == "edif" else content
    (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    if name == "aag":  # ABC reads the binary form only
        yosys.run(["read_aiger -module_name net net.aag", *(line.format("net") for line in TO_BLIF)], folder)
    elif name not in ("aiger", "blif"):
        read = "read_rtlil net.il" if name == "rtlil" else "read_verilog net.v"
        yosys.run([read, *(line.format("net") for line in TO_BLIF)], folder)
    said = abc.run([f"cec -n rtl.blif {'net.aig' if name == 'aiger' else 'net.blif'}"], folder)
    assert ("are equivalent" in said) != ("NOT EQUIVALENT" in said), said
    return "are equivalent" in said


@pytest.mark.parametrize("name", ["aiger", *BREAK])
def test_an_export_is_the_hardware_and_a_broken_one_is_not(folder, name):
    content = formats.find(name).write(passes.simplify(the_model().to_network()))
    assert is_the_hardware(folder, name, content)
    if name == "aiger":
        head, output, rest = content.split(b"\n", 2)
        broken = b"\n".join([head, str(int(output) ^ 1).encode(), rest])
    else:
        broken = re.sub(*BREAK[name], content, count=1)
    assert broken != content
    assert not is_the_hardware(folder, name, broken)


@pytest.mark.parametrize("form", [blif, aiger, aag])
@pytest.mark.parametrize("number", range(len(NETS)))
def test_what_is_written_reads_back(form, number):
    network = samples.random_model(NETS[number], np.random.default_rng(number)).to_network()
    x = np.array([[i >> j & 1 for j in range(8)] for i in range(256)], bool)
    expected, found = evaluate.on_booleans(network, x), evaluate.on_booleans(form.read(form.write(network)), x)
    for output in network.outputs:
        digits = expected[output.name][:, :, None] >> np.arange(output.width) & 1
        np.testing.assert_array_equal(found[output.name], digits.reshape(256, -1))


def test_wide_covers_off_sets_and_comments_of_blif():
    many = " ".join(f"a[{i}]" for i in range(10))
    text = f"# made by hand\n.model m\n.inputs \\\n {many}\n.outputs y z one\n.names {many} y # wide\n"
    text += "1-------1- 1\n-0-------- 1\n.names a[0] a[1] z\n11 0\n.names one\n1\n.end\n"
    x = np.random.default_rng(0).random((500, 10)) < 0.5
    found = evaluate.on_booleans(blif.read(text), x)
    np.testing.assert_array_equal(found["y"][:, 0], (x[:, 0] & x[:, 8]) | ~x[:, 1])
    np.testing.assert_array_equal(found["z"][:, 0], ~(x[:, 0] & x[:, 1]))
    assert found["one"].all()


BLIF = ".model m\n.inputs a\n.outputs y\n"


@pytest.mark.parametrize(
    ("read", "text", "error"),
    [
        (blif.read, f"{BLIF}.latch a y 0\n", "BLIF file must be combinational, but it has a latch in line 4"),
        (
            blif.read,
            f"{BLIF}.subckt ram d=a q=y\n",
            "BLIF file must be flat, but it has a black box (.subckt) in line 4",
        ),
        (
            blif.read,
            f"{BLIF}.names a z y\n11 1\n.names y z\n1 1\n",
            "BLIF file must be combinational, but y depends on itself: there is a loop",
        ),
        (blif.read, f"{BLIF}.names b y\n1 1\n", "BLIF file must drive all wires, but nothing drives b"),
        (blif.read, f"{BLIF}.names a y\n1 1\n.names a y\n", "BLIF file must drive each wire once, but 'y' is driven "),
        (blif.read, f"{BLIF}.names a y\n11 1\n", "BLIF file must have rows of 1 signs 0, 1 or - for 'y', not '11 1'"),
        (blif.read, f"{BLIF}.names a y\n1 1\n0 0\n", "BLIF file must have rows of one value for 'y', not of both"),
        (blif.read, "hello", "BLIF file must have a command such as .names in line 1, not 'hello'"),
        (blif.read, "", "BLIF file must begin with .model, but it does not"),
        (blif.read, ".model m\n.outputs y\n.names y\n", "BLIF file must have inputs and outputs, but it lacks them"),
        (aag.read, "aag 2 1 1 1 0\n2\n4 2\n4\n", "AIGER file must be combinational, but it has 1 latches and 0 "),
        (aag.read, "aag 3 1 0 1 2\n2\n4\n4 6 2\n6 4 2\n", "AIGER file must be combinational, but 2 depends on itself"),
        (aag.read, "aag 9 1 0 1 0\n2\n8\n", "AIGER file must drive all wires, but nothing drives 4"),
        (aag.read, "aag 1 1 0 1 0\n2\n", "AIGER file must be whole, but it is cut short or damaged"),
        (aag.read, "aag 1 1 0 1 0\n2\nx\n", "AIGER file must be whole, but it is cut short or damaged"),
        (aag.read, "GIF89a", "AIGER file must begin with aig or aag and five numbers, not b'GIF89a'"),
        (aag.read, f"aig {10**11 - 1} 1 0 1 {10**11 - 2}\n", "AIGER file must have as many nodes as inputs and gates,"),
        (aag.read, "aig 3 2 0 1 1\n6\n\x01", "AIGER file must be whole, but it is cut short or damaged"),
    ],
)
def test_a_netlist_that_cannot_be_is_refused_in_one_line(read, text, error):
    with pytest.raises(DbhwError) as wrong:
        read(text)
    assert str(wrong.value).startswith(error)
    assert "\n" not in str(wrong.value)


def test_any_damage_of_an_aiger_file_is_an_error_or_another_network():
    """No damage of one byte brings anything but a network or an error of one line."""
    whole = aiger.write(passes.simplify(the_model().to_network()))
    random, errors = np.random.default_rng(0), set()
    for _ in range(300):
        damaged = bytearray(whole)
        damaged[random.integers(len(whole) if random.random() < 0.5 else 40)] = random.integers(256)
        try:
            assert isinstance(aiger.read(bytes(damaged)), Network)
        except DbhwError as wrong:
            errors.add(str(wrong))
    assert len(errors) > 2
    assert not any("\n" in error for error in errors)
