"""Simulates Verilog with test vectors and compares every output bit with the hard net's answers.

Cores without a handshake are played (`player`). Protocols are driven by cocotb benches, which run in the simulator.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.sim import player, simulators, verilator
from dbhw.tools import process
from dbhw.tools.process import ToolError

_BEFORE = 8  # vectors in the waves before the one that is wrong
# cocotb's runner knows how a bench gets into a simulator. It waits as long as the simulator runs, so it gets a process.
_RUN_BENCH = """
import sys
from pathlib import Path
from cocotb_tools.runner import get_runner
simulator, bench, module = sys.argv[1:]
runner = get_runner(simulator)
if simulator == "icarus":
    runner.build(sources=[Path("net.v")], hdl_toplevel=module, build_dir="build", timescale=("1ns", "1ps"))
runner.test(test_module=bench, hdl_toplevel_lang="verilog", hdl_toplevel=module, build_dir="build", test_dir=".")
"""


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


def simulate(
    verilog: str, module: str, vectors: Vectors, simulator: str = "verilator", seconds: float = simulators.SECONDS
) -> Result:
    """Simulates Verilog with test vectors, with a `DbhwError` if the vectors belong to other Verilog.

    >>> simulate("module net; endmodule", "net", Vectors(verilog_sha256="0", clock=None, stream=None))
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: vectors must belong to the Verilog under test, but they have another digest: emit again
    """
    return simulate_together(verilog, module, {"": vectors}, simulator, seconds)[""]


def simulate_together(
    verilog: str,
    module: str,
    cores: Mapping[str, Vectors],
    simulator: str = "verilator",
    seconds: float = simulators.SECONDS,
) -> dict[str, Result]:
    """Simulates several cores in one top level. Each has its own vectors, and ports that end with its key.

    >>> simulate_together("module top; endmodule", "top", {"_a": Vectors(verilog_sha256="0", clock=None, stream=None)})
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: vectors must belong to the Verilog under test, but they have another digest: emit again
    """
    simulators.check(simulator)
    digest = files.sha256(verilog)
    if any(vectors.verilog_sha256 != digest for vectors in cores.values()):
        raise DbhwError("vectors must belong to the Verilog under test, but they have another digest: emit again")
    streams = {suffix: own for suffix, own in cores.items() if own.stream}
    plain = {suffix: own for suffix, own in cores.items() if not own.stream}
    results: dict[str, Result] = {}
    for run, those in ((_stream, streams), (_play, plain)):
        results |= run(verilog, module, those, simulator, seconds) if those else {}
    return {suffix: results[suffix] for suffix in cores}


def _stream(
    verilog: str, module: str, cores: Mapping[str, Vectors], simulator: str, seconds: float
) -> dict[str, Result]:
    ports = [port + suffix for suffix, vectors in cores.items() for port in vectors.ports]
    plan = {suffix: vectors.to_json() for suffix, vectors in cores.items()}
    build_seconds, seen = run_bench("dbhw.sim.bench", verilog, plan, module, ports, simulator, seconds)
    return {suffix: _result(simulator, build_seconds, **own) for suffix, own in seen.items()}


def _play(verilog: str, module: str, cores: Mapping[str, Vectors], simulator: str, seconds: float) -> dict[str, Result]:
    started = time.perf_counter()
    played = player.play(verilog, module, cores, simulator, seconds)
    seen = {suffix: _compared(vectors, suffix, played.bits) for suffix, vectors in cores.items()}
    spent = time.perf_counter() - started - played.build_seconds
    return {
        suffix: _result(simulator, round(played.build_seconds, 2), seconds=spent, **own) for suffix, own in seen.items()
    }


def _compared(vectors: Vectors, suffix: str, bits: Mapping[str, list[str]]) -> dict[str, Any]:
    """Compares what a core showed with the expected answers; an answer comes `latency` rows after its vector."""
    count, latency = player.length(vectors), vectors.latency
    wrong_by_output = {
        port: [i for i, value in enumerate(values) if f"{int(value, 16):0{vectors.widths[port]}b}" != found[i]]
        for port, values in vectors.outputs.items()
        for found in [bits[port + suffix][latency:]]
    }
    wrong = sorted(set().union(*wrong_by_output.values()))
    return {
        "vectors": count,
        "mismatches": len(wrong),
        "by_output": {port: len(those) for port, those in wrong_by_output.items()},
        "first": _mismatch(vectors, suffix, bits, wrong[0]) if wrong else None,
        "clocks": count + latency if vectors.clock else 0,
    }


def _mismatch(vectors: Vectors, suffix: str, bits: Mapping[str, list[str]], i: int) -> dict[str, Any]:
    found = {port: bits[port + suffix][i + vectors.latency] for port in vectors.outputs}
    return {
        "vector": i,
        "input": {port: values[i] for port, values in vectors.inputs.items()},
        "expected": {port: values[i] for port, values in vectors.outputs.items()},
        # A bit that is undefined makes the number a text of bits, which equals no answer.
        "found": {port: f"{int(said, 2):x}" if set(said) <= {"0", "1"} else said for port, said in found.items()},
    }


def write_waves(
    verilog: str, module: str, vectors: Vectors, simulator: str, path: str, seconds: float = simulators.SECONDS
) -> None:
    """Plays the vectors again and writes all wires over time to a VCD file. Wires have the names of their layers.

    >>> text = "module net (input wire x, output wire y); assign y = ~x; endmodule"
    >>> ports = {"inputs": {"x": ("0", "1")}, "outputs": {"y": ("1", "0")}, "widths": {"x": 1, "y": 1}}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     own = Vectors(verilog_sha256="", clock=None, stream=None, **ports)
    ...     write_waves(text, "net", own, "verilator", f"{folder}/a")
    ...     "$scope module net $end" in Path(folder, "a").read_text()
    True
    """
    if vectors.stream:
        raise DbhwError("waves must be of a core without a stream: leave out --stream or --waves")
    player.play(verilog, module, {"": vectors}, simulator, seconds, waves=path)


def around(vectors: Vectors, vector: int) -> tuple[Vectors, int]:
    """A vector with some before it, for waves; and the time in ns at which its answer is in the waves.

    >>> wide = Vectors(verilog_sha256="", clock=None, stream=None, outputs={"y": tuple("0123456789ab")})
    >>> few, time = around(wide, 10)
    >>> few.outputs["y"][time]
    'a'
    """
    first = max(0, vector - _BEFORE)
    rows = slice(first, vector + 1)
    few = replace(
        vectors,
        inputs={port: values[rows] for port, values in vectors.inputs.items()},
        outputs={port: values[rows] for port, values in vectors.outputs.items()},
    )
    return few, (vector - first + vectors.latency) * (2 if vectors.clock else 1)


def _result(simulator: str, build_seconds: float, *, seconds: float, **seen: Any) -> Result:
    rate = round(seen["vectors"] / max(seconds, 1e-9), 1)
    return Result(simulator=simulator, build_seconds=build_seconds, vectors_per_second=rate, **seen)


def run_bench(
    bench: str,
    verilog: str,
    plan: dict[str, Any],
    module: str,
    ports: list[str],
    simulator: str,
    seconds: float = simulators.SECONDS,
) -> tuple[float, dict[str, Any]]:
    """Runs a cocotb bench on Verilog. Returns how many seconds building took, and what the bench found.

    The bench reads `plan.json` and writes `result.json` in the folder that DBHW_BENCH names.

    >>> run_bench("dbhw.sim.bench", "module net; endmodule", {}, "net", [], "modelsim")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: simulator must be one of icarus, verilator, not 'modelsim'
    """
    simulators.check(simulator)
    with simulators.limited(simulator, seconds), tempfile.TemporaryDirectory(prefix="dbhw-") as name:
        folder = Path(name)
        (folder / "net.v").write_text(verilog)
        (folder / "plan.json").write_text(json.dumps(plan))
        started = time.perf_counter()
        if simulator == "verilator":
            (folder / "build").mkdir()
            _verilated(verilog, module, tuple(ports), folder / "build" / module, seconds)
        built = time.perf_counter() - started
        command = [sys.executable, "-c", _RUN_BENCH, simulator, bench, module]
        with simulators.environment({"DBHW_BENCH": name, "PYTHONPATH": ":".join(sys.path)}):
            said = process.run(simulator, command, folder, seconds=seconds)
        if not (folder / "result.json").exists():
            raise ToolError(f"{simulator} ran no bench: {process.last_lines(said, 5)}")
        return round(built, 2), json.loads((folder / "result.json").read_text())


def _verilated(verilog: str, module: str, ports: tuple[str, ...], path: Path, seconds: float) -> None:
    """Writes a program that cocotb's runner finds, with cocotb in it."""
    # cocotb is slow to import, and only benches need it.
    from cocotb_tools import config

    libraries = str(config.libs_dir)
    link = (f"-Wl,-rpath,{libraries}", f"-L{libraries}", "-lcocotbvpi_verilator")
    driver = (config.share_dir / "lib" / "verilator" / "verilator.cpp").read_text()
    path.write_bytes(verilator.program(verilator.Design(verilog, module, driver, ports, link), seconds))
    path.chmod(0o700)
