"""Proof that a bitstream is a board's Verilog, from what icebox recovers of the bitstream.

Registers of the two are paired (`pairing.py`). In the first cycle the pairs hold the same, for registers of different
starts the contrary. If they do in one cycle, then the pins give the same, the RAM blocks get the same, and the pairs
hold the same in the next cycle, for all inputs and all that registers hold: that is what ABC proves. So it is so in
every cycle. RAM blocks and PLLs have the same settings and first content on both sides, and stay closed.

The Verilog's memories are put into RAM blocks by Yosys, as for the bitstream; this is believed, and so is icebox.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dbhw.prove.clocked.gates import Wire
from dbhw.prove.graphs import cones, simulation
from dbhw.prove.graphs.aig import Aig
from dbhw.prove.placed import circuit
from dbhw.prove.placed.circuit import Block, Circuit, UnclearError
from dbhw.prove.placed.pairing import Pairs, pair
from dbhw.prove.sweeping import sweep
from dbhw.prove.watch import Watch
from dbhw.prove.workshop import Step, Workshop
from dbhw.tools import yosys
from dbhw.tools.process import ToolError

NAME = "board's Verilog = bitstream"
_CELLS = "read_verilog -lib +/ice40/cells_sim.v"
_MEMORIES = (
    *("opt_expr -mux_undef", "opt_clean", "memory -nomap", "memory_libmap -lib +/ice40/brams.txt"),
    *("techmap -map +/ice40/brams_map.v", "memory_map", "opt_expr -undriven -mux_undef", "opt_clean"),
)
_CHIP = (_CELLS, "read_verilog chip.v", "hierarchy -check -purge_lib -top chip", "proc", "opt_expr", "opt_clean")
_REGISTER = re.compile(r"/\* FF +(\d+) +(\d+) +(\d+) \*/ always .*?(\S+) <= ")
_USUAL = ("FIXED", "GENCLK")  # settings of a PLL that has none
_PAD = "PACKAGEPIN"
_WORDS = 64  # of 64 random inputs, before the proof
_RAM = re.compile(r"ram40_(\d+)_(\d+)")
# Pins as boards use them: an input, and an output that is always driven.
_PINS = """
module SB_IO (inout PACKAGE_PIN, input LATCH_INPUT_VALUE, CLOCK_ENABLE, INPUT_CLK, OUTPUT_CLK, OUTPUT_ENABLE,
  input D_OUT_0, D_OUT_1, output D_IN_0, D_IN_1);
  parameter [5:0] PIN_TYPE = 6'b000001;
  parameter [0:0] PULLUP = 0;
  parameter IO_STANDARD = "";
  generate
    if (PIN_TYPE == 6'b000001) assign D_IN_0 = PACKAGE_PIN;
    else if (PIN_TYPE == 6'b101001) assign PACKAGE_PIN = OUTPUT_ENABLE ? D_OUT_0 : 1'bz;
    else a_kind_of_pin_that_is_not_known unknown ();
  endgenerate
endmodule
module SB_GB_IO (inout PACKAGE_PIN, output GLOBAL_BUFFER_OUTPUT);
  parameter [5:0] PIN_TYPE = 6'b000001;
  parameter IO_STANDARD = "";
  assign GLOBAL_BUFFER_OUTPUT = PACKAGE_PIN;
endmodule
"""


@dataclass(frozen=True)
class Places:
    """Where place and route says it has put registers and RAM blocks of the netlist: names by places on the chip."""

    registers: Mapping[str, Sequence[str]]  # "x y z": the names of the wire that it drives
    blocks: Mapping[str, Sequence[str]]  # "x y": the name of the cell


def prove_bitstream(
    rtlil: str, verilog: str, top: str, recovered: str, places: Places, watch: Watch | None = None
) -> Step:
    """Proves that what icebox recovered from a bitstream is a board's top, which is RTLIL around the core's Verilog.

    >>> rtlil = yosys.rtlil_from_verilog("module top (input c, d, output q); core core (c, d, q); endmodule")
    >>> core = "module core (input c, d, output reg q = 1); always @(posedge c) q <= d; endmodule"
    >>> chip = "module chip (input c, d, output q); reg p = 0; always @(posedge c) p <= ~d; assign q = ~p; endmodule"
    >>> prove_bitstream(rtlil, core, "top", chip, Places({}, {})).proved
    True
    >>> step = prove_bitstream(rtlil, core, "top", chip.replace("q = ~p", "q = p"), Places({}, {}))
    >>> step.proved, step.differs_in
    (False, 'pin q')
    """
    with Workshop(verilog, watch) as shop:
        (shop.folder / "top.il").write_text(rtlil)
        (shop.folder / "pins.v").write_text(_PINS)
        (shop.folder / "chip.v").write_text(recovered)
        why: list[str] = []
        step = shop.step(NAME, lambda: _proves(shop, top, _places(recovered, places), why))
        return Step(step.name, step.proved, step.seconds, " ".join(why), step.undecided)


def _proves(shop: Workshop, top: str, places: Mapping[str, Sequence[str]], why: list[str]) -> bool:
    left = shop.watch.left()
    flat = (f"hierarchy -check -purge_lib -top {top}", "proc", *yosys.FLATTEN)
    texts = ("read_verilog -overwrite pins.v", "read_verilog -overwrite net.v", "read_rtlil top.il")
    board = circuit.read(shop.folder, [_CELLS, *texts, *flat, *_MEMORIES], top, True, left)
    try:
        chip = circuit.read(shop.folder, _CHIP, "chip", False, left)
    except (UnclearError, ToolError) as unclear:  # such as two wires that are driven against each other
        why.append(str(unclear))
        return False
    try:
        fault = _Comparison(shop.folder, board, chip, places, shop.watch).fault()
    except UnclearError as unclear:
        fault = str(unclear)
    why += [fault] * bool(fault)
    return not fault


def _places(recovered: str, places: Places) -> dict[str, Sequence[str]]:
    """What wires and blocks of the recovered text are in the netlist, by their names."""
    found = {wire: places.registers.get(" ".join(place), ()) for *place, wire in _REGISTER.findall(recovered)}
    for block in _RAM.finditer(recovered):
        found[block[0]] = places.blocks.get(f"{block[1]} {block[2]}", ())
    return found


class _Comparison:
    """A board's circuit and a chip's, and what is known of them."""

    def __init__(
        self, folder: Path, board: Circuit, chip: Circuit, places: Mapping[str, Sequence[str]], watch: Watch
    ) -> None:
        self.folder, self.board, self.chip, self.watch = folder, board, chip, watch
        self.places = places
        self.blocks = {name: self._block(name) for name in chip.blocks}
        self.known = self._known()

    def _block(self, name: str) -> str:
        """The board's block that one of the chip is; of a kind that there is only one of, that one."""
        alike = [other for other, block in self.board.blocks.items() if block.kind == self.chip.blocks[name].kind]
        said = [other for other in alike if other in self.places.get(name, ())]
        return said[0] if said else alike[0] if len(alike) == 1 else ""

    def _known(self) -> dict[Wire, Wire]:
        board, chip = self.board, self.chip
        found = {wire: board.inputs[pin] for pin, wire in chip.inputs.items() if pin in board.inputs}
        for name, said in self.places.items():
            registers = [board.names[mine] for mine in said if board.names.get(mine) in board.registers]
            if registers and name in chip.names:
                found[chip.names[name]] = registers[0]
        for name, mine in self.blocks.items():
            given = board.blocks[mine].gives if mine else {}
            for pin, wires in chip.blocks[name].gives.items():
                found.update(zip(wires, given.get(pin, ()), strict=False))
        ours, theirs = set(board.sources), set(chip.sources)
        return {wire: other for wire, other in found.items() if wire in theirs and other in ours}

    def fault(self) -> str:
        """What is different; nothing if the chip is the board."""
        return self._pins_fault() or self._clock_fault() or self._blocks_fault() or self._values_fault()

    def _pins_fault(self) -> str:
        sides = ((set(self.board.inputs), set(self.chip.inputs)), (set(self.board.outputs), set(self.chip.outputs)))
        other = sorted(name for mine, theirs in sides for name in mine ^ theirs)
        return f"pin {other[0]}" if other else ""

    def _clock_fault(self) -> str:
        mine, theirs = ({r.clock for r in side.registers.values()} for side in (self.board, self.chip))
        same = len(mine) == len(theirs) == 1 and [self.known.get(wire) for wire in theirs] == [*mine]
        return "" if same else "the clock of a register"

    def _blocks_fault(self) -> str:
        for name, mine in self.blocks.items():
            if not mine:
                return f"block {name}, which the board does not have"
            if other := _setting_fault(self.board.blocks[mine], self.chip.blocks[name]):
                return f"{other} of block {mine}"
        return ""

    def _values_fault(self) -> str:
        pairs = pair(self.board, self.chip, self.known)
        compared = self._compared(pairs)
        mine, theirs = self._graphs(pairs, compared)
        words = np.random.default_rng(1).integers(0, 2**64, (mine.inputs, _WORDS), np.uint64)
        answers = (
            simulation.of(simulation.simulate(side, words, {}), np.array(side.outputs)) for side in (mine, theirs)
        )
        differs = np.any(np.bitwise_xor(*answers), axis=1)
        if differs.any():
            return compared[int(np.argmax(differs))].name
        return "" if sweep.compare(self.folder, mine, theirs, (), self.watch).equal else "a value that is rarely used"

    def _compared(self, pairs: Pairs) -> list[_Compared]:
        """All values that must be the same."""
        board, chip = self.board, self.chip
        found = [_Compared(f"pin {pin}", board.outputs[pin], chip.outputs[pin]) for pin in board.outputs]
        # Of several names the shortest of the Verilog's own: those that Yosys makes up have a $ in front.
        worse_first = sorted(board.names.items(), key=lambda named: (named[0][0] == "$", len(named[0])), reverse=True)
        names = {wire: name for name, wire in worse_first}
        for wire, register in chip.registers.items():
            if wire in pairs.same:
                mine = pairs.same[wire]
                inverted = pairs.inverted(board, chip, wire)
                name = f"register {names.get(mine, mine)}"
                found.append(_Compared(name, board.registers[mine].value, register.value, inverted))
        for wire in pairs.constant:
            name = f"register {names.get(wire, wire)}"
            found.append(_Compared(name, board.registers[wire].value, str(board.registers[wire].start)))
        return [*found, *self._read_by_blocks()]

    def _read_by_blocks(self) -> Iterator[_Compared]:
        for name, mine in self.blocks.items():
            for pin, wires in self.chip.blocks[name].reads.items():
                asked = self.board.blocks[mine].reads.get(pin, ["0"] * len(wires))
                for one, other in zip(asked, wires, strict=True):
                    # What the board leaves open may be anything; and a PLL's own pin is where the PLL is.
                    if one != "x" and pin != _PAD:
                        yield _Compared(f"{pin} of block {mine}", one, other)

    def _graphs(self, pairs: Pairs, compared: list[_Compared]) -> tuple[Aig, Aig]:
        """Both sides as functions of the same inputs: the board's sources, and what only the chip has."""
        board, chip = self.board, self.chip
        mine, theirs = board.graph([c.board for c in compared]), chip.graph([c.chip for c in compared])
        place = {wire: i for i, wire in enumerate(board.sources, 1)}
        inputs, literals = mine.inputs, dict[int, int]()
        for i, wire in enumerate(chip.sources, 1):
            if wire in pairs.same:
                literals[i] = 2 * place[pairs.same[wire]] + pairs.inverted(board, chip, wire)
            else:
                inputs += 1
                literals[i] = 2 * inputs
        fixed = {place[wire]: board.registers[wire].start for wire in pairs.constant}
        shown = [literal ^ c.inverted for literal, c in zip(mine.outputs, compared, strict=True)]
        return cones.part(mine, shown, fixed, inputs), cones.part(theirs, theirs.outputs, literals, inputs)


@dataclass(frozen=True)
class _Compared:
    """A wire of the board and one of the chip that must hold the same, or always the contrary."""

    name: str
    board: Wire
    chip: Wire
    inverted: bool = False


def _setting_fault(board: Block, chip: Block) -> str:
    """A setting, first content included, or a pin, in which a block of the chip is not the board's."""
    if lacking := sorted(board.reads.keys() - chip.reads.keys()):
        return lacking[0]
    for name in sorted({*board.settings, *chip.settings}):
        found = chip.settings.get(name, "0")
        if not (_fits(board.settings[name], found) if name in board.settings else found in _USUAL or not int(found, 2)):
            return f"setting {name}"
    return ""


def _fits(asked: str, found: str) -> bool:
    """Whether a setting is what was asked for, where that is not left open.

    >>> _fits("01x", "0011"), _fits("011", "10"), _fits("SIMPLE", "SIMPLE")
    (True, False, True)
    """
    if set(asked + found) - set("01x"):
        return asked == found
    width = max(len(asked), len(found))
    return all(a in ("x", b) for a, b in zip(asked.zfill(width), found.zfill(width), strict=True))
