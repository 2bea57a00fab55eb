"""Simulates Verilog with test vectors: runs a bench in a simulator and reads what it found."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.sim import simulators
from dbhw.tools.process import ToolError, last_lines


@dataclass(frozen=True)
class Result:
    """What a simulation found: mismatches in all and by port, and the input, expected and found output of the first."""

    simulator: str
    vectors: int
    mismatches: int
    build_seconds: float
    vectors_per_second: float
    by_output: dict[str, int]
    first: dict[str, Any] | None
    clocks: int  # cycles that a clocked core took for all vectors


def simulate(verilog: str, module: str, vectors: Vectors, simulator: str = "verilator") -> Result:
    """Simulates Verilog with test vectors, with a `DbhwError` if the vectors belong to other Verilog.

    >>> simulate("module net; endmodule", "net", Vectors(verilog_sha256="0", clock=None, stream=None))
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: vectors must belong to the Verilog under test, but they have another digest: emit again
    """
    return simulate_together(verilog, module, {"": vectors}, simulator)[""]


def simulate_together(
    verilog: str, module: str, cores: dict[str, Vectors], simulator: str = "verilator"
) -> dict[str, Result]:
    """Simulates several cores in one top level. Each has its own vectors, and ports that end with its key.

    >>> simulate_together("module top; endmodule", "top", {"_a": Vectors(verilog_sha256="0", clock=None, stream=None)})
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: vectors must belong to the Verilog under test, but they have another digest: emit again
    """
    digest = files.sha256(verilog)
    if any(vectors.verilog_sha256 != digest for vectors in cores.values()):
        raise DbhwError("vectors must belong to the Verilog under test, but they have another digest: emit again")
    ports = [port + suffix for suffix, vectors in cores.items() for port in vectors.ports]
    plan = {suffix: vectors.to_json() for suffix, vectors in cores.items()}
    build_seconds, seen = run_bench("dbhw.sim.bench", verilog, plan, module, ports, simulator)
    return {suffix: _result(simulator, build_seconds, own) for suffix, own in seen.items()}


def _result(simulator: str, build_seconds: float, seen: dict[str, Any]) -> Result:
    seconds = seen.pop("seconds")
    rate = round(seen["vectors"] / max(seconds, 1e-9), 1)
    return Result(simulator=simulator, build_seconds=build_seconds, vectors_per_second=rate, **seen)


def run_bench(
    bench: str, verilog: str, plan: dict[str, Any], module: str, ports: list[str], simulator: str
) -> tuple[float, dict[str, Any]]:
    """Runs a bench on Verilog. Returns how many seconds building took, and what the bench found.

    The bench reads `plan.json` and writes `result.json` in the folder that DBHW_BENCH names.

    >>> run_bench("dbhw.sim.bench", "module net; endmodule", {}, "net", [], "modelsim")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: simulator must be one of icarus, verilator, not 'modelsim'
    """
    simulators.check(simulator)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "net.v").write_text(verilog)
        (folder / "plan.json").write_text(json.dumps(plan))
        build_seconds = _run(bench, folder, module, ports, simulator)
        return round(build_seconds, 2), json.loads((folder / "result.json").read_text())


def _run(bench: str, folder: Path, module: str, ports: list[str], simulator: str) -> float:
    # cocotb's runner is slow to import, and only a simulation needs it.
    from cocotb_tools.runner import get_runner

    log = folder / "log.txt"
    with simulators.environment({"DBHW_BENCH": str(folder)}), log.open("w") as out, _quiet(out):
        runner = get_runner(simulator)
        started = time.perf_counter()
        try:
            runner.build(
                sources=[folder / "net.v", *_port_control(folder, module, ports, simulator)],
                hdl_toplevel=module,
                build_dir=folder / "build",
                build_args=_build_arguments(simulator),
                timescale=("1ns", "1ps"),
                log_file=log,
            )
            built = time.perf_counter() - started
            runner.test(
                test_module=bench,
                hdl_toplevel_lang="verilog",
                hdl_toplevel=module,
                build_dir=folder / "build",
                test_dir=folder,
                log_file=log,
            )
        except (SystemExit, RuntimeError, OSError) as wrong:
            raise ToolError(f"{simulator} failed: {last_lines(log.read_text(), 5)}") from wrong
    if not (folder / "result.json").exists():
        raise ToolError(f"{simulator} ran no bench: {last_lines(log.read_text(), 5)}")
    return built


def _build_arguments(simulator: str) -> list[str]:
    # Warnings must not stop the build: broken hardware must be simulated, so that the bench can find the fault.
    return ["-O3", "-Wno-fatal", "--no-public-flat-rw"] if simulator == "verilator" else []


def _port_control(folder: Path, module: str, ports: list[str], simulator: str) -> list[Path]:
    """Makes only the ports visible to the bench: visible wires would cost Verilator its optimisations."""
    if simulator != "verilator":
        return []
    control = folder / "ports.vlt"
    lines = [f'public_flat_rw -module "{module}" -var "{port}"' for port in ports]
    control.write_text("\n".join(["`verilator_config", *lines, ""]))
    return [control]


@contextlib.contextmanager
def _quiet(out: TextIO) -> Iterator[None]:
    """Redirects what the runner's processes print to a file, by file descriptor since they do not print by Python."""
    saved = [os.dup(1), os.dup(2)]
    try:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
        yield
    finally:
        for number, copy in enumerate(saved, 1):
            os.dup2(copy, number)
            os.close(copy)
