"""Verilog as a program: Verilator writes C++, a compiler makes a program of it.

Programs, the objects of Verilator's own library and its header, compiled beforehand, are kept in the cache, under a
digest of all that they are made from. So a design is compiled once, and the library once for all designs.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from dbhw.base import files
from dbhw.sim import simulators
from dbhw.software import cache as kept
from dbhw.tools import process

_PREFIX = "Vtop"
_SMALL = 1 << 20  # bytes of C++ that are compiled as one text: reading the headers is most of the work
_SMALL_LEVEL, _LARGE_LEVEL = "-O1", "-O0"  # large nets take longer to optimise than to simulate
_LIBRARY = ["verilated", "verilated_threads"]
_HEADER = "verilated_first.h"  # a text, beside which compilers look for what is compiled of it
_DEFINED = ["COVERAGE", "SC", "TIMING", "TRACE_SAIF", "TRACE_FST"]  # features that no design here uses


@dataclass(frozen=True)
class Design:
    """Verilog, its top module, and the C++ that drives it: a class `Vtop` with the ports of the module.

    `public` are ports of the top module that a driver finds by name through VPI; there is no VPI without them. `link`
    are options of the linker. A program of `many_cycles` is optimised however large it is.
    """

    verilog: str
    top: str
    driver: str
    public: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    waves: bool = False
    many_cycles: bool = False

    @property
    def library(self) -> list[str]:
        """The parts of Verilator's library that the program needs."""
        return [*_LIBRARY, *["verilated_vpi"] * bool(self.public), *["verilated_vcd_c"] * self.waves]

    @property
    def control(self) -> str:
        """A control file that makes only the ports visible: visible wires would cost Verilator its optimisations."""
        lines = [f'public_flat_rw -module "{self.top}" -var "{port}"' for port in self.public]
        return "\n".join(["`verilator_config", *lines, ""])

    @property
    def key(self) -> str:
        """What tells this program from others."""
        parts = [
            self.verilog,
            self.top,
            self.driver,
            self.control,
            repr(self.link),
            str(self.waves),
            str(self.many_cycles),
            _tools(),
        ]
        return "verilator program " + " ".join(map(files.sha256, parts))


def program(design: Design, seconds: float = simulators.SECONDS) -> bytes:
    """The program of a design, from the cache if it is there.

    >>> driver = '#include "Vtop.h"\\nint main() { Vtop top; top.a = 3; top.eval(); return top.y; }'
    >>> text = "module net (input wire [1:0] a, output wire y); assign y = &a; endmodule"
    >>> made = program(Design(text, "net", driver))
    >>> made[1:4], made == program(Design(text, "net", driver))
    (b'ELF', True)
    """
    found = kept.fetch(design.key)
    if found is None:
        simulators.check("verilator")
        with simulators.limited("verilator", seconds), tempfile.TemporaryDirectory(prefix="dbhw-") as folder:
            found = _build(design, Path(folder), seconds)
        kept.keep(design.key, found)
    return found


def _build(design: Design, folder: Path, seconds: float) -> bytes:
    _verilate(design, folder, seconds)
    names = sorted(path.name for path in folder.glob(f"{_PREFIX}*.cpp"))
    size = sum((folder / name).stat().st_size for name in names)
    (folder / "driver.cpp").write_text(design.driver)
    options = [_SMALL_LEVEL if design.many_cycles else _LARGE_LEVEL, *_flags(design), "-I."]
    if size <= _SMALL:
        names = ["all.cpp"]
        parts = sorted(path.name for path in folder.glob("*.cpp"))
        (folder / "all.cpp").write_text("".join(f'#include "{part}"\n' for part in parts))
        options = [_SMALL_LEVEL, *_flags(design), "-I.", *_header(design, folder, seconds)]
    else:
        names.append("driver.cpp")

    def compiled(name: str) -> None:
        _compile([*options, "-c", name, "-o", f"{name}.o"], folder, seconds)

    for name in design.library:
        (folder / f"{name}.o").write_bytes(_library_object(name, seconds))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compiled, names))
    objects = [f"{name}.o" for name in (*names, *design.library)]
    _compile([*objects, "-o", "program", "-pthread", *design.link], folder, seconds)
    return (folder / "program").read_bytes()


def _verilate(design: Design, folder: Path, seconds: float) -> None:
    (folder / "net.v").write_text(design.verilog)
    (folder / "ports.vlt").write_text(design.control)
    # Warnings must not stop the build: broken hardware must be simulated, so that the bench can find the fault.
    options = ["--cc", "-O3", "-Wno-fatal", "-Wno-lint", "--prefix", _PREFIX, "--top-module", design.top, "-Mdir", "."]
    options += ["--timescale", "1ns/1ps"]
    options += [*["--vpi"] * bool(design.public), *["--trace-vcd"] * design.waves]
    command = [str(simulators.verilator_root() / "bin" / "verilator_bin"), *options, "ports.vlt", "net.v"]
    with simulators.environment({"VERILATOR_ROOT": str(simulators.verilator_root())}):
        process.run("verilator", command, folder, seconds=seconds)


def _library_object(name: str, seconds: float) -> bytes:
    """A part of Verilator's library as an object, the same for designs with and without waves."""
    source = simulators.verilator_root() / "include" / f"{name}.cpp"
    return _compiled_once(f"verilator library {name} {_tools()}", ["-c", str(source)], seconds)


def _header(design: Design, folder: Path, seconds: float) -> list[str]:
    """Options that make a small program start with Verilator's header, which is most of its text.

    A compiler that does not take what is compiled of it reads the text.
    """
    if design.waves:  # they define other features, and are rare
        return []
    (folder / _HEADER).write_text('#include "verilated.h"\n')
    (folder / f"{_HEADER}.gch").symlink_to(_compiled_header(kept.folder(), seconds))
    return ["-include", _HEADER]


@cache
def _compiled_header(_: Path, seconds: float) -> Path:
    """The file of the header in the cache, checked once in this process: it is large."""
    key = f"verilator header {_tools()}"
    with tempfile.TemporaryDirectory(prefix="dbhw-") as folder:
        header = Path(folder) / _HEADER
        header.write_text('#include "verilated.h"\n')
        _compiled_once(key, ["-x", "c++-header", str(header)], seconds)
    return kept.path(key)


def _compiled_once(key: str, what: Sequence[str], seconds: float) -> bytes:
    """What the compiler makes for small programs of a part of Verilator, from the cache if it is there."""

    def make() -> bytes:
        with tempfile.TemporaryDirectory(prefix="dbhw-") as folder:
            _compile([_SMALL_LEVEL, *_flags(Design("", "", "")), *what, "-o", "part"], Path(folder), seconds)
            return (Path(folder) / "part").read_bytes()

    return kept.once(key, make)


def _flags(design: Design) -> list[str]:
    include = simulators.verilator_root() / "include"
    waves = [f"-DVM_{feature}={int(design.waves)}" for feature in ("TRACE", "TRACE_VCD")]
    unused = [f"-DVM_{feature}=0" for feature in _DEFINED]
    return [f"-I{include}", f"-I{include / 'vltstd'}", "-DVERILATOR=1", "-w", *waves, *unused]


def _compile(options: Sequence[str], folder: Path, seconds: float) -> None:
    process.run("the C++ compiler", [*simulators.compiler(), *options], folder, seconds=seconds)


@cache
def _tools() -> str:
    """What tells the tools of this machine from others, as far as what they make differs."""
    named = shutil.which(simulators.compiler()[0]) or ""
    state = os.stat(named)
    return f"{metadata.version('verilator')} {metadata.version('cocotb')} {os.path.realpath(named)} {state.st_mtime_ns}"
