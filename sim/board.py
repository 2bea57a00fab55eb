"""A simulated board: its top level in Verilator, behind a pseudo-terminal or driven by a list of events."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import tty
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from dbhw.rtl.link.tops import Served, top_verilog
from dbhw.rtl.verilog.emit import Emitted
from dbhw.sim import verilator
from dbhw.sim.netlist import cell_models
from dbhw.tools.process import ToolError

_HEAD = re.compile(r"^module chip \((.*)\);$", re.MULTILINE)
_PIN = re.compile(r"(input|output) (\w+)")
_RAM = re.compile(r"\bSB_RAM40_4K\w*")
_PLL = re.compile(r"^SB_PLL40_.*?^\);", re.MULTILINE | re.DOTALL)
_GIVEN = re.compile(r"\.(PLLOUTGLOBAL|LOCK)\((\w+)\)")
BYTE, WAIT, LOW, NO_STOP = range(4)  # the kinds of events, as in board.cpp


class SimulatedBoard:
    """A compiled top level. `folder` holds the program and must exist as long as the board is used."""

    def __init__(self, text: str, divisor: int, folder: str | Path) -> None:
        self.divisor = divisor
        program = Path(folder) / "board"
        driver = Path(__file__).with_name("board.cpp").read_text()
        program.write_bytes(verilator.program(verilator.Design(text, "top", driver, many_cycles=True)))
        program.chmod(0o700)
        self.program = str(program)

    def play(self, events: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Plays all (kind, value) events. Returns the bytes that the board sent, each with the index of the event."""
        words = np.array([kind << 30 | value for kind, value in events], "<u4")
        done = subprocess.run(
            [self.program, str(self.divisor), "script"], input=words.tobytes(), capture_output=True, check=False
        )
        if done.returncode:
            raise ToolError(f"the simulated board failed with code {done.returncode}: {done.stderr.decode()[-200:]}")
        return [(int(number), int(byte)) for number, byte in np.frombuffer(done.stdout, "<u4").reshape(-1, 2)]

    @contextmanager
    def serve(self) -> Iterator[str]:
        """Runs the board while the context lasts. Its value is the name of the board's serial port."""
        ours, theirs = os.openpty()
        # The other side stays open here, so that the terminal stays alive between one host and the next.
        tty.setraw(theirs)
        process = subprocess.Popen([self.program, str(self.divisor), "serve", str(ours)], pass_fds=[ours])
        os.close(ours)
        try:
            yield os.ttyname(theirs)
        finally:
            process.terminate()
            process.wait()
            os.close(theirs)


def _core(emitted: Emitted) -> str:
    """The emitted Verilog; a core without a clock gets a shell of its name that passes its inputs on when they change.

    Verilator computes all that depends on registers in every cycle, and most cycles of a serial line change no input of
    the core. An event control in between makes it wait for one that does.
    """
    manifest, core = emitted.manifest, f"{emitted.module}_in_shell"
    if manifest.clock or manifest.weights:
        return emitted.verilog
    sides = {"input": manifest.inputs, "output": manifest.outputs}
    declared = [f"{kind} wire [{port.width - 1}:0] {port.name}" for kind, side in sides.items() for port in side]
    # In the order of the link's register, so that Verilator sees one number and not hundreds.
    now = "{" + ", ".join(port.name for port in reversed(manifest.inputs)) + "}"
    ends = np.cumsum([port.width for port in manifest.inputs]).tolist()
    parts = [f"held[{end - 1}:{end - port.width}]" for end, port in zip(ends, manifest.inputs, strict=True)]
    shell = [
        f"module {emitted.module} ({', '.join(declared)});",
        f"  reg [{manifest.input_bits - 1}:0] held;",
        f"  wire changed = {now} != held;",
        f"  always @(posedge changed) held <= {now};",
        f"  {core} core ({', '.join([*parts, *(port.name for port in manifest.outputs)])});",
        "endmodule",
    ]
    renamed, count = re.subn(rf"^module {emitted.module}\b", f"module {core}", emitted.verilog, flags=re.MULTILINE)
    assert count == 1
    return "\n".join([*shell, renamed])


def of_chip(recovered: str) -> str:
    """The Verilog of a top level that is a chip, of what icebox recovers from a bitstream. Its PLL is a wire.

    >>> text = of_chip("module chip (input clk12, input uart_rx, output uart_tx);\\nendmodule")
    >>> text.splitlines()[-2]
    '  chip chip (.clk12(clk), .uart_rx(rx), .uart_tx(tx));'
    """
    head = _HEAD.search(recovered)
    if not head:
        raise ToolError("icebox_vlog has not written a module")
    ports = _PIN.findall(head[1])
    pins = [f".{name}({_signal(way, name)})" for way, name in ports]
    # icebox declares ports twice, which only the older form of a header allows; a pin that is not driven is pulled up.
    ways = " ".join(f"{way} {name};" for way, name in ports)
    older = f"module chip ({', '.join(name for _, name in ports)}); {ways}"
    clock = next(name for way, name in ports if _signal(way, name) == "clk")
    chip = recovered.replace(head[0], older, 1).replace(": 1'bz;", ": 1'b1;")
    chip = _PLL.sub(lambda pll: _wired(pll[0], clock), chip)
    rams = cell_models("ice40", " ".join(_RAM.findall(recovered)))
    top = f"module top (input clk, rst, rx, output tx);\n  chip chip ({', '.join(pins)});\nendmodule"
    return "\n".join([rams, chip, top])


def _wired(pll: str, clock: str) -> str:
    """Wires in the place of a PLL: its clock is the pin's, and it has locked.

    >>> _wired("SB_PLL40_CORE #() p (.REFERENCECLK(a), .PLLOUTGLOBAL(b), .LOCK(c));", "clk")
    'assign b = clk;\\nassign c = 1;'
    """
    given = ((wire, clock if pin == "PLLOUTGLOBAL" else "1") for pin, wire in _GIVEN.findall(pll))
    return "\n".join(f"assign {wire} = {value};" for wire, value in given)


def _signal(way: str, name: str) -> str:
    return "tx" if way == "output" else "rx" if "rx" in name else "clk"


@contextmanager
def simulated(held: Emitted | str, divisor: int) -> Iterator[SimulatedBoard]:
    """A board that serves a core or has a top level in Verilog, in a temporary folder while the context lasts."""
    if isinstance(held, Emitted):
        held = "\n".join([top_verilog(Served(held, divisor), "top"), _core(held)])
    with tempfile.TemporaryDirectory() as folder:
        yield SimulatedBoard(held, divisor, folder)
