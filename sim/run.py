"""Running a bench: a folder with Verilog and vectors goes into a simulator, and its findings come back."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.sim import simulators
from dbhw.tools.process import ToolError, last_lines


@dataclass(frozen=True)
class Result:
    """What a simulation saw: mismatches in all and for each port, and of the first its input, expected and found."""

    simulator: str
    vectors: int
    mismatches: int
    build_seconds: float
    vectors_per_second: float
    by_output: dict[str, int]
    first: dict[str, Any] | None
    clocks: int  # that a clocked core took for all vectors


def simulate(verilog: str, module: str, vectors: dict[str, Any], simulator: str = "verilator") -> Result:
    """Simulates Verilog over vectors; a `DbhwError` where the vectors were made for other Verilog.

    >>> simulate("module net; endmodule", "net", {"verilog_sha256": "another's"})
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: vectors must belong to the Verilog under test, but their digest is another's: emit again
    """
    _check_digest(verilog, vectors)
    ports = [*vectors["inputs"], *vectors["outputs"], *_control_ports(vectors)]
    build_seconds, seen = _simulated(verilog, module, vectors, ports, simulator)
    return _result(simulator, build_seconds, seen)


def simulate_together(
    verilog: str, module: str, cores: dict[str, dict[str, Any]], simulator: str = "verilator"
) -> dict[str, Result]:
    """Simulates several cores in one top: the ports of each end with `_` and its name, and each has its own vectors.

    >>> simulate_together("module top; endmodule", "top", {"a": {"verilog_sha256": "another's"}})
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: vectors must belong to the Verilog under test, but their digest is another's: emit again
    """
    ports = []
    for name, vectors in cores.items():
        _check_digest(verilog, vectors)
        ports += [f"{p}_{name}" for p in (*vectors["inputs"], *vectors["outputs"], *_control_ports(vectors))]
    build_seconds, seen = _simulated(verilog, module, {"together": cores}, ports, simulator)
    return {name: _result(simulator, build_seconds, own) for name, own in seen["together"].items()}


def _check_digest(verilog: str, vectors: dict[str, Any]) -> None:
    if files.sha256(verilog) != vectors["verilog_sha256"]:
        raise DbhwError("vectors must belong to the Verilog under test, but their digest is another's: emit again")


def _simulated(
    verilog: str, module: str, vectors: dict[str, Any], ports: list[str], simulator: str
) -> tuple[float, dict[str, Any]]:
    simulators.check(simulator)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "net.v").write_text(verilog)
        (folder / "vectors.json").write_text(json.dumps(vectors))
        build_seconds = run_bench("dbhw.sim.bench", folder, module, ports, simulator)
        return build_seconds, json.loads((folder / "result.json").read_text())


def _result(simulator: str, build_seconds: float, seen: dict[str, Any]) -> Result:
    rate = seen["vectors"] / max(seen["seconds"], 1e-9)
    return Result(
        simulator,
        seen["vectors"],
        seen["mismatches"],
        round(build_seconds, 2),
        round(rate, 1),
        seen["by_output"],
        seen["first"],
        seen["clocks"],
    )


def _control_ports(vectors: dict[str, Any]) -> list[str]:
    """The clock, the reset and the wires of a handshake, where the core has them."""
    clock, stream = vectors.get("clock"), vectors.get("stream")
    sides = [*stream["input"].values(), *stream["output"].values(), stream["reset"]] if stream else []
    return [clock, *sides] if clock else sides


def run_bench(bench: str, folder: Path, module: str, ports: list[str], simulator: str) -> float:
    """Runs a bench on the net.v of a folder, where it leaves result.json; the seconds that building took.

    >>> run_bench("dbhw.sim.bench", Path("/no/such/folder"), "net", [], "verilator")
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: '/no/such/folder/log.txt'
    """
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
    # Warnings are the linter's business: broken hardware must get as far as being seen to be wrong.
    return ["-O3", "-Wno-fatal", "--no-public-flat-rw"] if simulator == "verilator" else []


def _port_control(folder: Path, module: str, ports: list[str], simulator: str) -> list[Path]:
    """Only the ports are visible to the bench: making every wire so would cost Verilator its optimisations."""
    if simulator != "verilator":
        return []
    control = folder / "ports.vlt"
    lines = [f'public_flat_rw -module "{module}" -var "{port}"' for port in ports]
    control.write_text("\n".join(["`verilator_config", *lines, ""]))
    return [control]


@contextlib.contextmanager
def _quiet(out: Any) -> Any:
    """Sends what the runner's processes print to a file: file descriptors, since they are not Python's."""
    saved = [os.dup(1), os.dup(2)]
    try:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
        yield
    finally:
        for number, copy in enumerate(saved, 1):
            os.dup2(copy, number)
            os.close(copy)
