"""The contract every board is held to; a new board's file is all it needs to be tested here."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dbhw import boards, cli
from dbhw.base.errors import DbhwError
from dbhw.fpga import families
from dbhw.rtl.link import uart

FOLDER = Path(boards.__file__).parent


@pytest.mark.parametrize("name", boards.names())
def test_every_board_is_short_and_whole(name):
    board = boards.find(name)
    assert len((FOLDER / f"{name}.py").read_text().splitlines()) <= 100
    assert board.family in families.names()
    assert board.open_tools == bool(board.part_options)
    assert board.luts >= 1000
    assert board.ffs >= 1000
    assert board.wiring.endswith(".")
    assert any("{bitstream}" in word for word in board.program)


@pytest.mark.parametrize("name", boards.names())
def test_every_board_has_its_clock_link_and_leds(name):
    """The platform knows every pin the tops ask for, and its clock is the one the board's file names."""
    board = boards.find(name)
    platform = board.prepared_platform()
    assert platform.default_clk_frequency == board.clock_hz
    assert uart.divisor(board.clock_hz, board.baud) >= uart.LEAST_DIVISOR
    resources = {
        (resource.name, resource.number): {io.name for io in resource.ios if hasattr(io, "name")}
        for resource in platform.resources.values()
    }
    assert {"rx", "tx"} <= resources[board.uart]
    for name, number, *subsignal in (board.pass_led, board.fail_led):
        assert set(subsignal) <= resources[(name, number)]
    assert board.pass_led != board.fail_led


def test_an_unknown_board_is_told():
    with pytest.raises(DbhwError, match=r"^board must be one of arty_a7, .*, ulx3s, not 'spartan'$"):
        boards.find("spartan")


def test_boards_are_listed(capsys):
    assert cli.main(["boards", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["boards"]
    assert [entry["name"] for entry in listed] == boards.names()
    assert list(listed[0]) == [
        *("name", "title", "family", "part", "luts", "ffs", "rams", "clock_hz", "baud", "link", "wiring", "builds")
    ]
    assert cli.main(["boards"]) == 0
    assert "iCE40UP5K-SG48" in capsys.readouterr().out


def test_nothing_on_the_way_to_a_board_imports_jax():
    modules = "dbhw.boards.flow.build, dbhw.boards.host.device, dbhw.boards.flow.program, dbhw.sim.board"
    code = f"import sys, {modules}; assert 'jax' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_board_has_its_section_in_the_guide():
    guide = (Path(__file__).parents[2] / "docs/boards.md").read_text()
    for name in boards.names():
        assert f"\n### {name}\n" in guide
        assert f"| `{name}` |" in guide
