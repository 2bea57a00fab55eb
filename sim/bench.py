"""The cocotb bench of a combinational core: it runs inside the simulator.

It drives every vector, compares every output bit with the hard net's answer, and writes what it saw to a file. The
expected answers come from vectors.json alone; nothing here knows how the hardware was made.
"""

import json
import os
import time
from pathlib import Path

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def every_vector_matches(dut):
    """Drives all vectors of the folder that DBHW_BENCH names."""
    folder = Path(os.environ["DBHW_BENCH"])
    vectors = json.loads((folder / "vectors.json").read_text())
    inputs = {getattr(dut, name): [int(v, 16) for v in values] for name, values in vectors["inputs"].items()}
    outputs = {name: [int(v, 16) for v in values] for name, values in vectors["outputs"].items()}
    count = len(next(iter(outputs.values())))
    started = time.perf_counter()
    mismatches, first = 0, None
    by_output = dict.fromkeys(outputs, 0)
    for i in range(count):
        for port, values in inputs.items():
            port.value = values[i]
        await Timer(1, "ns")
        found = {name: _read(getattr(dut, name)) for name in outputs}
        expected = {name: values[i] for name, values in outputs.items()}
        if found != expected:
            mismatches += 1
            for name in outputs:
                by_output[name] += found[name] != expected[name]
            first = first or _mismatch(i, vectors, expected, found)
    seconds = time.perf_counter() - started
    result = {"vectors": count, "mismatches": mismatches, "by_output": by_output, "first": first, "seconds": seconds}
    (folder / "result.json").write_text(json.dumps(result))


def _read(port):
    value = port.value
    # An undefined bit is never what the net says.
    return int(value) if value.is_resolvable else str(value)


def _mismatch(i, vectors, expected, found):
    inputs = {name: values[i] for name, values in vectors["inputs"].items()}
    shown = {name: f"{v:x}" if isinstance(v, int) else v for name, v in found.items()}
    return {"vector": i, "input": inputs, "expected": {n: f"{v:x}" for n, v in expected.items()}, "found": shown}
