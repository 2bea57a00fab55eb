"""A real bitstream, read back: it is proved and simulated, and one wrong bit in it is noticed by both."""

import json
import shutil

import numpy as np
import pytest

from dbhw import zoo
from dbhw.boards import Device
from dbhw.boards.flow.build import build
from dbhw.boards.flow.recover import recover
from dbhw.data.stimuli import choose
from dbhw.sim.board import of_chip, simulated
from dbhw.tools import icestorm
from tests.kit import ice40
from tests.kit.command_line import run

NAME = "iris-small"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("bits") / "out"
    built = build(zoo.load(NAME), "icestick", made)
    assert built.fmax_mhz > built.clock_mhz == 12
    assert (made / built.bitstream).stat().st_size == built.bitstream_bytes > 10_000
    assert built.estimate["luts"] <= built.luts <= built.luts_available == 1280
    return made


@pytest.fixture(scope="module")
def broken(folder, tmp_path_factory):
    """The same build with one bit flipped: in the table before the label's lowest bit, where all its inputs are low."""
    other = tmp_path_factory.mktemp("broken")
    made = shutil.copytree(folder, other / "out")
    places = json.loads((folder / "places.json").read_text())["registers"]
    (place,) = (place for place, names in places.items() if "top.link.answer[0]" in names)
    bits = ice40.flipped((folder / "top.bin").read_bytes(), *map(int, place.split()), 0, other)
    (made / "top.bin").write_bytes(bits)
    return made


def mismatches(recovered, model):
    x = choose(model.net.inputs, "256")
    with (
        simulated(of_chip(recovered.netlist), recovered.divisor) as board,
        board.serve() as port,
        Device.open(model, port, patience=20) as device,
    ):
        labels, outputs = device.answers(x)
    expected = model.answers(x)
    return int(((labels != expected.labels) | (outputs != expected.outputs).any(axis=1)).sum())


def test_a_bitstream_is_the_boards_verilog(folder):
    assert recover(zoo.load(NAME), folder).prove().proved


@pytest.mark.bitstream  # the next test compiles a simulation of a bitstream too: in `make test` one is enough
def test_a_bitstream_answers_as_the_model(folder):
    model = zoo.load(NAME)
    assert mismatches(recover(model, folder), model) == 0


def test_one_bit_of_a_table_is_noticed(broken):
    model = zoo.load(NAME)
    recovered = recover(model, broken)
    step = recovered.prove()
    assert not step.proved
    assert step.differs_in == "register top.link.answer[0]"
    assert mismatches(recovered, model) > 0


def test_what_cannot_be_read_back_is_told(capsys, folder, tmp_path, monkeypatch):
    def told(model=f"zoo:{NAME}", path=tmp_path):
        code, out, err = run(capsys, "prove", model, "--bitstream", path)
        assert (code, out) == (2, "")
        return err

    assert told() == f"dbhw: file {tmp_path}/build.json must be readable: No such file or directory\n"
    other = "model must be the one that {} was built from, but it has another digest"
    assert told("zoo:wine-small", folder) == f"dbhw: {other.format(folder)}\n"
    summary = json.loads((folder / "build.json").read_text())
    (tmp_path / "build.json").write_text(json.dumps(summary))
    assert told() == f"dbhw: file {tmp_path}/top.bin must be readable: No such file or directory\n"
    (tmp_path / "top.bin").write_bytes(b"bits")
    (tmp_path / "places.json").write_text("[]")
    assert told() == f"dbhw: file {tmp_path}/places.json must say where registers are, but it does not: build again\n"
    (tmp_path / "build.json").write_text(json.dumps(summary | {"board": "ulx3s"}))
    assert told() == "dbhw: bitstream must be for an iCE40 to be read back, not for board ulx3s\n"
    monkeypatch.setattr(icestorm, "_READ", "no_icebox")
    lacking = "no_icebox must be installed to read a bitstream, but it is not found"
    assert told(path=folder) == f"dbhw: {lacking}: sim/install_icebox.sh .venv, or apt install fpga-icestorm\n"


@pytest.mark.parametrize(
    ("command", "options"), [("prove", ["--mutate", "4"]), ("run", ["--simulate", "--board", "icestick"])]
)
def test_options_that_do_not_go_together_are_told(capsys, command, options):
    data = ["--data", "iris"] if command == "run" else []
    code, out, err = run(capsys, command, f"zoo:{NAME}", *data, "--bitstream", "bits", *options)
    assert (code, out) == (2, "")
    assert "--bitstream must" in err


def test_places_are_those_of_real_registers(folder):
    places = json.loads((folder / "places.json").read_text())
    assert sum(bool(names) for names in places["registers"].values()) > 250
    assert len(places["registers"]) == json.loads((folder / "build.json").read_text())["ffs"]
    assert [*places["blocks"].values()] == [["top.link.buffer.0.0"]]
    assert np.all([len(place.split()) == 3 for place in places["registers"]])
