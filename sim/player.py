"""Plays vectors into cores without a handshake, in a simulator, and reads back what their outputs showed.

The simulator only drives inputs and writes outputs down. Nothing on its side knows the expected answers. All cores of
the top level get their vectors at the same time; a pipelined core gets a new one in every cycle.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.sim import simulators, verilator
from dbhw.software import cache as kept
from dbhw.tools import process
from dbhw.tools.process import ToolError

CORE = "dbhw_core"  # all inputs of the cores as one, all outputs as one, and one clock


@dataclass(frozen=True)
class Played:
    """What the outputs showed for each row of inputs, as bits by port, and the seconds that building took."""

    bits: dict[str, list[str]]
    build_seconds: float


@dataclass(frozen=True)
class Bundle:
    """The ports of several cores, side by side in one wide input and one wide output."""

    inputs: dict[str, int]
    outputs: dict[str, int]
    clocks: tuple[str, ...]

    @classmethod
    def of(cls, cores: Mapping[str, Vectors]) -> Bundle:
        """The ports of cores that end with their keys."""
        sides: dict[str, dict[str, int]] = {}
        for side in ("inputs", "outputs"):
            named = [(port, suffix, own) for suffix, own in cores.items() for port in getattr(own, side)]
            if any(port not in own.widths for port, _, own in named):
                raise DbhwError("vectors must say how wide each port is, but they do not: emit again")
            sides[side] = {port + suffix: own.widths[port] for port, suffix, own in named}
        clocks = tuple(own.clock + suffix for suffix, own in cores.items() if own.clock)
        return cls(sides["inputs"], sides["outputs"], clocks)

    def verilog(self, module: str) -> str:
        """A module that holds the given one and has three ports.

        >>> print(Bundle({"a": 2, "b": 1}, {"y": 1}, ("clk",)).verilog("net"))
        module dbhw_core (input wire clk, input wire [2:0] in, output wire [0:0] out);
          net net (.\\clk (clk), .\\a (in[1:0]), .\\b (in[2:2]), .\\y (out[0:0]));
        endmodule
        <BLANKLINE>
        """
        wired = [f".\\{clock} (clk)" for clock in self.clocks]
        for side, ports in (("in", self.inputs), ("out", self.outputs)):
            wired += [f".\\{port} ({side}[{end - 1}:{start}])" for port, (start, end) in _places(ports).items()]
        wide = [f"{sum(ports.values()) - 1}:0" for ports in (self.inputs, self.outputs)]
        return (
            f"module {CORE} (input wire clk, input wire [{wide[0]}] in, output wire [{wide[1]}] out);\n"
            f"  {module} {module} ({', '.join(wired)});\nendmodule\n"
        )

    def rows(self, cores: Mapping[str, Vectors]) -> list[int]:
        """All inputs of each row as one number; a core whose vectors are over keeps its last one."""
        count = max(length(own) + own.latency for own in cores.values())
        rows = [0] * count
        places = _places(self.inputs)
        for suffix, own in cores.items():
            for port, values in own.inputs.items():
                start = places[port + suffix][0]
                numbers = [int(value, 16) << start for value in values]
                numbers += numbers[-1:] * (count - len(numbers))
                rows = [row | number for row, number in zip(rows, numbers, strict=True)]
        return rows

    def split(self, lines: list[str]) -> dict[str, list[str]]:
        """The bits of each output port, from lines of all output bits, the highest first.

        >>> Bundle({}, {"y": 1, "z": 2}, ()).split(["011", "100"])
        {'y': ['1', '0'], 'z': ['01', '10']}
        """
        wide = sum(self.outputs.values())
        return {
            port: [line[wide - end : wide - start] for line in lines]
            for port, (start, end) in _places(self.outputs).items()
        }


def length(vectors: Vectors) -> int:
    """How many vectors there are.

    >>> length(Vectors(verilog_sha256="", clock=None, stream=None, outputs={"y": ("0", "1")}))
    2
    """
    return len(next(iter(vectors.outputs.values())))


def play(
    verilog: str, module: str, cores: Mapping[str, Vectors], simulator: str, seconds: float, waves: str | None = None
) -> Played:
    """Plays the vectors of all cores. With `waves`, all wires are written to that file.

    >>> text = "module net (input wire x, output wire y); assign y = ~x; endmodule"
    >>> ports = {"inputs": {"x": ("0", "1")}, "outputs": {"y": ("1", "0")}, "widths": {"x": 1, "y": 1}}
    >>> own = Vectors(verilog_sha256="", clock=None, stream=None, **ports)
    >>> play(text, "net", {"": own}, "verilator", 600).bits
    {'y': ['1', '0']}
    """
    bundle = Bundle.of(cores)
    if f"module {CORE}" in verilog:
        raise DbhwError(f"Verilog must have no module {CORE}: a bench makes one of that name")
    text = f"{verilog}\n{bundle.verilog(module)}"
    rows, clocked = bundle.rows(cores), bool(bundle.clocks)
    started = time.perf_counter()
    make = _verilator if simulator == "verilator" else _icarus
    with simulators.limited(simulator, seconds), tempfile.TemporaryDirectory(prefix="dbhw-") as folder:
        run = make(text, bundle, clocked, Path(folder), seconds, waves is not None)
        build_seconds = time.perf_counter() - started
        lines = run.lines(rows, Path(folder), seconds, simulator)
        if waves is not None:
            files.write(waves, (Path(folder) / "waves.vcd").read_bytes())
    return Played(bundle.split(lines), build_seconds)


@dataclass(frozen=True)
class _Run:
    """A program that plays rows: its command, the bytes of a row of inputs, and of what it writes for a row."""

    command: list[str]
    order: Literal["little", "big"]  # of the bytes of a row
    in_bytes: int
    out_bytes: int
    out_bits: int

    def lines(self, rows: list[int], folder: Path, seconds: float, simulator: str) -> list[str]:
        """The bits that the outputs showed for each row."""
        (folder / "in.bin").write_bytes(b"".join(row.to_bytes(self.in_bytes, self.order) for row in rows))
        out = folder / "out.bin"
        with terminal.progress(len(rows), simulator) as bar, simulators.environment({}):

            def watch() -> None:
                bar.update((out.stat().st_size // self.out_bytes if out.exists() else 0) - bar.n)

            process.run(simulator, self.command, folder, seconds=seconds, watch=watch)
        found = out.read_bytes() if out.exists() else b""
        if len(found) != len(rows) * self.out_bytes:
            raise ToolError(f"{simulator} must answer {len(rows)} vectors, but it wrote {len(found)} bytes")
        return self._bits(found)

    def _bits(self, found: bytes) -> list[str]:
        if self.order == "big":
            return found.decode("ascii", errors="replace").splitlines()
        parts = (found[i : i + self.out_bytes] for i in range(0, len(found), self.out_bytes))
        return [f"{int.from_bytes(part, 'little'):0{self.out_bits}b}" for part in parts]


def _verilator(text: str, bundle: Bundle, clocked: bool, folder: Path, seconds: float, waves: bool) -> _Run:
    driver = Path(__file__).with_name("player.cpp").read_text()
    player = folder / "player"
    player.write_bytes(verilator.program(verilator.Design(text, CORE, driver, waves=waves), seconds))
    player.chmod(0o700)
    command = [str(player), "in.bin", "out.bin", str(int(clocked)), *["waves.vcd"] * waves]
    in_bits, out_bits = sum(bundle.inputs.values()), sum(bundle.outputs.values())
    return _Run(command, "little", 4 * -(-in_bits // 32), 4 * -(-out_bits // 32), out_bits)


def _icarus(text: str, bundle: Bundle, clocked: bool, folder: Path, seconds: float, waves: bool) -> _Run:
    in_bits, out_bits = sum(bundle.inputs.values()), sum(bundle.outputs.values())
    values = {"IN_BITS": in_bits, "IN_BYTES": -(-in_bits // 8), "OUT_BITS": out_bits, "CLOCKED": int(clocked)}
    player = Path(__file__).with_name("player.v").read_text()
    for name, value in values.items():
        player = player.replace(name, str(value))
    source = f"{text}\n{player}"
    with simulators.environment({}):
        key = f"icarus program {files.sha256(source)} {simulators.icarus_identity()}"
        program = kept.fetch(key)
        if program is None:
            (folder / "net.v").write_text(source)
            command = ["iverilog", "-g2012", "-s", "dbhw_player", "-o", "net.vvp", "net.v"]
            process.run("icarus", command, folder, seconds=seconds)
            program = (folder / "net.vvp").read_bytes()
            kept.keep(key, program)
    (folder / "net.vvp").write_bytes(program)
    return _Run(["vvp", "-n", "net.vvp", *["+waves"] * waves], "big", values["IN_BYTES"], out_bits + 1, out_bits)


def _places(ports: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """The first bit of each port, and the bit after its last."""
    places, start = {}, 0
    for port, width in ports.items():
        places[port] = start, start + width
        start += width
    return places
