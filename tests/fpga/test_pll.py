"""Clocks out of PLLs: every setting against the limits, written down here again; the nearest; and how logic starts."""

import json
import random
import re
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from amaranth.sim import Simulator

from dbhw import boards
from dbhw.base.errors import DbhwError
from dbhw.boards.flow.clock import clock
from dbhw.boards.flow.top import OnBoard
from dbhw.fpga import pll
from dbhw.fpga.families import ecp5, gowin, ice40
from dbhw.rtl.link.tops import Served
from dbhw.rtl.verilog.emit import emit
from dbhw.sim import board
from dbhw.tools import yosys
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.nets import NETS

MODEL = samples.random_model(NETS[0], np.random.default_rng(0))
POWERS = [2, 4, 8, 16, 32, 64]
PLLS = {"ICE40": ice40.PLL, "ICE40_PAD": ice40.PLL_PAD, "ECP5": ecp5.PLL, "GW1NR_9": gowin.PLL_GW1NR_9}
EVEN = [2, 4, *range(8, 17, 8), *range(32, 129, 16)]

# In MHz: input, where input and feedback meet, VCO, output; then divisors of the input, feedbacks, divisors of the VCO.
LIMITS = {
    "ICE40": ((10, 133), (10, 133), (533, 1066), (16, 275), range(1, 17), range(1, 129), POWERS),
    "ICE40_PAD": ((10, 133), (10, 133), (533, 1066), (16, 275), range(1, 17), range(1, 129), POWERS),
    "ECP5": ((8, 400), (3.125, 400), (400, 800), (10, 400), range(1, 129), range(1, 81), range(1, 129)),
    "GW1NR_9": ((3, 400), (3, 400), (400, 1200), (3.125, 600), range(1, 65), range(1, 65), EVEN),
}


def reachable(kind, megahertz):
    """All clocks out of a PLL, in hertz, by its divisors; all integers, so that nothing is rounded."""
    (in_lo, in_hi), (pfd_lo, pfd_hi), (vco_lo, vco_hi), (out_lo, out_hi), references, feedbacks, outputs = LIMITS[kind]
    assert in_lo <= megahertz <= in_hi
    found = {}
    for r in references:
        if not pfd_lo * r <= megahertz <= pfd_hi * r:
            continue
        for f, q in product(feedbacks, outputs):
            vco = megahertz * f * (1 if kind.startswith("ICE40") else q)  # times r
            if vco_lo * r <= vco <= vco_hi * r and out_lo * r * q <= vco <= out_hi * r * q:
                found[r, f, q] = Fraction(1_000_000 * vco, r * q)
    return found


@pytest.mark.parametrize("megahertz", [12, 16, 25, 27, 48])
@pytest.mark.parametrize("kind", LIMITS)
def test_all_settings_and_no_others(kind, megahertz):
    expected = reachable(kind, megahertz)
    kind_of_pll = PLLS[kind]
    made = pll.settings(kind_of_pll, megahertz * 1_000_000)
    assert {(s.reference, s.feedback, s.output): s.hz for s in made} == expected
    assert len(made) == len(expected) > 50
    clocks = sorted(set(expected.values()))
    chosen = random.Random(0).sample(clocks, 8)
    between = [(a + b) / 2 for a, b in pairwise(clocks)]
    for asked in [clocks[0], clocks[-1], *chosen, *random.Random(1).sample(between, 8), 2 * clocks[-1]]:
        found = pll.nearest(kind_of_pll, megahertz * 1_000_000, asked)
        assert found.hz == max(clock for clock in clocks if clock <= asked)
        assert expected[found.reference, found.feedback, found.output] == found.hz
    with pytest.raises(DbhwError, match=r"^clock must be at least .* MHz out of this PLL, which makes up to .*, not "):
        pll.nearest(kind_of_pll, megahertz * 1_000_000, float(clocks[0]) - 1)


@pytest.mark.parametrize("kind", LIMITS)
def test_no_settings_for_an_input_out_of_range(kind):
    low, high = LIMITS[kind][0]
    assert pll.settings(PLLS[kind], low * 1_000_000 - 1) == ()
    assert pll.settings(PLLS[kind], high * 1_000_000 + 1) == ()


def test_logic_on_a_plls_clock_has_no_other_reset_than_its_lock():
    with_pll = [board for board in map(boards.find, boards.names()) if board.pll]
    assert {board.family for board in with_pll} == {"ecp5", "gowin", "ice40"}
    assert {board.prepared_platform().default_rst for board in with_pll} == {None}


def primitive(name, megahertz, folder):
    """The PLL of a board's top: its parameters and ports as Amaranth writes them."""
    board = boards.find(name)
    emitted = emit(MODEL)
    platform = board.prepared_platform()
    platform.add_file("net.v", emitted.verilog)
    setting = clock(name, board, megahertz).setting
    with yosys.executable(folder):
        plan = platform.prepare(OnBoard(board, Served(emitted, 12), setting), "top")
    text = plan.files["top.il"]
    text = text if isinstance(text, str) else text.decode()
    (cell,) = re.findall(r"cell \\(\w*PLL\w*) \\pll\n(.*?)\n  end", text, re.DOTALL)
    parameters = dict(re.findall(r"parameter (?:signed )?\\(\w+) (.*)", cell[1]))
    return cell[0], parameters


def number(text):
    """A constant of RTLIL."""
    return int(text.split("'")[1], 2) if "'" in text else int(text)


def test_the_primitives_have_the_settings(tmp_path):
    kind, found = primitive("icebreaker", "40", tmp_path)
    assert kind == "SB_PLL40_PAD"
    divr, divf, divq = (number(found[name]) for name in ("DIVR", "DIVF", "DIVQ"))
    assert 12 * (divf + 1) / (divr + 1) / 2**divq == 39.75
    assert number(found["FILTER_RANGE"]) == 1  # below 17 MHz
    kind, found = primitive("ulx3s", "70", tmp_path)
    assert kind == "EHXPLLL"
    assert 25 * number(found["CLKFB_DIV"]) / number(found["CLKI_DIV"]) == 70
    assert 400 <= 70 * number(found["CLKOP_DIV"]) <= 800
    kind, found = primitive("tang_nano_9k", "50", tmp_path)
    assert kind == "rPLL"
    assert 27 * (number(found["FBDIV_SEL"]) + 1) / (number(found["IDIV_SEL"]) + 1) == 49.5
    assert 400 <= 49.5 * number(found["ODIV_SEL"]) <= 1200
    assert (found["DEVICE"], found["FCLKIN"]) == ('"GW1NR-9C"', '"27"')


def test_logic_starts_when_the_pll_has_locked_and_stops_when_it_has_not():
    clocks = 20
    start = pll.Start(clocks)
    seen = []

    async def bench(context):
        for locked, length in [(0, 40), (1, 10), (0, 5), (1, 60), (0, 10), (1, 40)]:
            context.set(start.locked, locked)
            for _ in range(length):
                await context.tick("starting")
                seen.append((locked, context.get(start.ready)))

    simulator = Simulator(start)
    simulator.add_clock(1e-6, domain="starting")
    simulator.add_testbench(bench)
    simulator.run()
    # Locked for ten clocks is not enough, and the second time all of the wait is repeated.
    assert not any(ready for _, ready in seen[:55])
    first = next(i for i, (_, ready) in enumerate(seen) if ready)
    assert 55 + clocks <= first <= 55 + clocks + 5
    assert all(ready for _, ready in seen[first:115])
    assert not any(ready for _, ready in seen[118 : 125 + clocks])
    assert seen[-1] == (1, 1)


def test_a_simulation_takes_the_clock_it_is_told(capsys, tmp_path, monkeypatch):
    """The PLL is left out; the clock is outside, and a bit takes as many of them as it will on the board."""
    MODEL.save(tmp_path / "a.dbnet")
    x = np.random.default_rng(0).random((50, 8)) < 0.5
    np.savez(tmp_path / "data.npz", x=x, y=MODEL.predict(x))
    divisors = []
    simulated = board.simulated
    monkeypatch.setattr(board, "simulated", lambda core, divisor: divisors.append(divisor) or simulated(core, divisor))
    options = ["--board", "icestick", "--data", tmp_path / "data.npz", "--clock"]
    code, out, _ = run(capsys, "run", tmp_path / "a.dbnet", *options, "40", "--simulate", "--json")
    assert (code, json.loads(out)["mismatches"]) == (0, 0)
    assert divisors == [40]  # 39.75 MHz at 1,000,000 baud
    message = "dbhw: run --clock must have --simulate and be board or a number of MHz: a real board has its clock\n"
    assert run(capsys, "run", tmp_path / "a.dbnet", *options, "40", "--port", "a") == (2, "", message)
    assert run(capsys, "run", tmp_path / "a.dbnet", *options, "fastest", "--simulate") == (2, "", message)


def tool(*words):
    beside = Path(sys.executable).parent / words[0]
    return subprocess.run([beside, *words[1:]], capture_output=True, text=True, check=True).stdout


@pytest.mark.bitstream
@pytest.mark.parametrize("megahertz", ["18", "40", "97", "250"])
def test_the_families_own_tools_agree(megahertz):
    """Asked for the very clock, they find it too; where there is but one setting, the same."""
    setting = pll.nearest(ice40.PLL, 12_000_000, float(megahertz) * 1e6)
    said = tool("yowasp-icepll", "-i", "12", "-o", f"{float(setting.hz) / 1e6:.6f}")
    divr, divf, divq = (int(re.search(rf"{name}:\s*(\d+)", said)[1]) for name in ("DIVR", "DIVF", "DIVQ"))
    assert Fraction(12_000_000 * (divf + 1), (divr + 1) << divq) == setting.hz
    setting = pll.nearest(ecp5.PLL, 25_000_000, float(megahertz) * 1e6)
    said = tool("yowasp-ecppll", "-i", "25", "-o", f"{float(setting.hz) / 1e6:.6f}")
    assert abs(float(re.search(r"clkout0 frequency: (.*) MHz", said)[1]) - float(setting.hz) / 1e6) < 0.001
    setting = pll.nearest(gowin.PLL_GW1NR_9, 27_000_000, float(megahertz) * 1e6)
    said = tool("gowin_pll", "-i", "27", "-o", f"{float(setting.hz) / 1e6:.6f}", "-d", "GW1NR-9 C6/I5")
    assert abs(float(re.search(r"CLKOUT = (\S+) MHz", said)[1]) - float(setting.hz) / 1e6) < 0.001
