"""A certificate is checked by the script in the guide, with ABC and nothing of ours, and a broken one is refused."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dbhw.base import files
from dbhw.logic.network import Network
from dbhw.prove.certificates import certificate
from dbhw.prove.certificates.record import Record
from dbhw.prove.equivalence import prove_emitted
from dbhw.prove.sweeping import sweep
from dbhw.prove.watch import Watch
from dbhw.rtl.verilog.emit import emit_network
from dbhw.rtl.verilog.manifest import Manifest
from dbhw.tools import abc, yosys

GUIDE = (Path(__file__).parents[2] / "docs" / "guide.md").read_text()
SCRIPT = next(b for b in re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL) if "Checks a certificate" in b)


def net():
    """Tables, then majorities of tables, then a choice: a proof of several steps."""
    random, n = np.random.default_rng(0), Network()
    x = [n.input(f"x{i}") for i in range(12)]
    n.begin_layer("tables")
    tables = [n.lut(int(random.integers(1 << 30)) | 1, [int(b) for b in random.choice(x, 5, False)]) for _ in range(16)]
    n.begin_layer("majorities")
    reads = [random.choice(tables, 7, False) for _ in range(9)]
    bits = [n.at_least([(int(t), 1) for t in read], 4) for read in reads]
    n.begin_layer("class")
    n.integer_output("label", [n.argmax([n.count([(b, 1) for b in bits[i : i + 3]]) for i in (0, 3, 6)])], 2)
    return n


def certified(folder, **options):
    emitted, record = emit_network(net(), "net", "0" * 64, (), lut_inputs=4, **options), Record()
    assert all(step.proved for step in prove_emitted(emitted, "ice40", watch=Watch(record=record)))
    certificate.save(folder, record, emitted, emitted.verilog, "ice40")
    return folder


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep, "_LARGE", -1)  # in steps, though it is small
        return certified(tmp_path_factory.mktemp("whole") / "certificate")


@pytest.fixture
def copy(whole, tmp_path):
    for file in whole.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def checked(folder):
    """What the guide's script says, and its exit code; Python's `-I` keeps it from finding this toolkit."""
    command = [sys.executable, "-I", "-c", SCRIPT, str(folder), abc.program()]
    seen = subprocess.run(command, capture_output=True, text=True, cwd="/")
    return seen.returncode, seen.stdout + seen.stderr


def mended(folder):
    """The digests of files that were changed, as someone who wants to deceive would write them."""
    manifest = json.loads((folder / "manifest.json").read_text())
    named = manifest["proved"]["files"]
    named.update({name: files.digest(folder / name) for name in named})
    (folder / "manifest.json").write_text(json.dumps(manifest))


def test_the_script_is_short_and_in_the_guide():
    assert certificate.CHECKER.read_text() == SCRIPT
    assert len(SCRIPT.splitlines()) <= 40
    assert "dbhw" not in SCRIPT


def test_a_certificate_is_accepted_and_the_manifest_says_proved(whole):
    code, said = checked(whole)
    assert (code, said.count("proved: ")) == (0, 3)  # the two steps, and between them the Verilog under other names
    assert len(json.loads((whole / "steps.json").read_text())[0]["steps"]) > 2
    proved = Manifest.read(whole / "manifest.json").proved
    assert proved.scope == ("network = Verilog", "Verilog = ice40 netlist")
    assert proved.believed == ()
    assert {"dbhw", "pyosys"} <= proved.versions.keys()


def test_the_gates_can_be_made_again_from_the_verilog(copy):
    for side, own in (("verilog", "verilog"), ("netlist", "synth")):
        yosys.run((copy / f"{side}.ys").read_text().splitlines(), copy)
        assert "equivalent" in abc.run([f"cec {own}.blif {own}_again.blif"], copy)


def changed_gate(folder):
    text = (folder / "verilog.blif").read_text()
    (folder / "verilog.blif").write_text(text.replace("\n11 1\n", "\n10 1\n", 1))
    mended(folder)


def swapped_files(folder):
    (folder / "verilog.blif").write_bytes((folder / "synth.blif").read_bytes())
    mended(folder)


def changed_file(folder):
    (folder / "net.v").write_text((folder / "net.v").read_text() + "\n")


def dropped_step(folder):
    links = json.loads((folder / "steps.json").read_text())
    links[0]["steps"].pop(0)
    (folder / "steps.json").write_text(json.dumps(links))


def dropped_link(folder):
    links = json.loads((folder / "steps.json").read_text())
    (folder / "steps.json").write_text(json.dumps([links[0], links[2]]))
    mended(folder)


def unproved_cut(folder):
    """A wire of the Verilog gets the name of another one: it would be free if nobody proved it first."""
    names = {"p1": "p2", "p2": "p1"}
    text = re.sub(r"\bp[12]\b", lambda found: names[found[0]], (folder / "verilog.blif").read_text())
    (folder / "verilog.blif").write_text(text)
    mended(folder)


def other_answer(folder):
    text = (folder / "synth.blif").read_text()
    (folder / "synth.blif").write_text(text.replace(".outputs label[0] label[1]", ".outputs label[1] label[0]"))
    mended(folder)


@pytest.mark.parametrize(
    "fault", [changed_gate, swapped_files, changed_file, dropped_step, dropped_link, unproved_cut, other_answer]
)
def test_a_broken_certificate_is_refused(fault, copy):
    fault(copy)
    code, said = checked(copy)
    assert code == 1
    assert "REFUSED" in said or "KeyError" in said


def test_a_stream_is_certified_with_what_must_be_believed(tmp_path):
    certified(tmp_path, pipeline="stages=2", stream=True)
    code, said = checked(tmp_path)
    assert code == 0
    assert "NOT CHECKED HERE, but by dbhw/prove/clocked/: 2 registers on every path" in said
    assert "the ice40 netlist has as many registers on every path" in said
    text = (tmp_path / "clocked_control.blif").read_text()
    (tmp_path / "clocked_control.blif").write_text(re.sub(r"\n11 1\n", "\n10 1\n", text, count=1))
    mended(tmp_path)
    assert checked(tmp_path)[0] == 1


def test_what_is_not_proved_leaves_no_certificate(tmp_path, capsys):
    from tests.kit.command_line import run

    wrong = tmp_path / "wrong.v"
    assert run(capsys, "emit", "zoo:iris-small", "-o", tmp_path)[0] == 0
    wrong.write_text((tmp_path / "net.v").read_text().replace(" & ", " | ", 1))
    arguments = ("zoo:iris-small", "--verilog", wrong, "--certificate", tmp_path / "certificate")
    code, _, said = run(capsys, "prove", *arguments)
    assert (code, (tmp_path / "certificate").exists()) == (1, False)
    assert "nothing was written" in said
