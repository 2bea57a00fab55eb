"""The cocotb bench of a core: it runs inside the simulator.

It drives every vector, compares every output bit with the hard net's answer, and writes what it saw to a file. The
expected answers come from vectors.json alone; nothing here knows how the hardware was made. Several cores in one top
are driven at the same time, each on its own ports.

A combinational core answers at once, a pipelined one after its latency, with a new vector in every clock. A stream is
driven with seeded stalls on both sides, and reset in mid-stream as often as the vectors say; what it takes must come
out once, in order, and stay until it is taken.
"""

import json
import os
import random
import time
from collections import deque
from pathlib import Path

import cocotb
from cocotb.triggers import Timer

# How likely the source offers and the sink takes, in turn for a while each.
_MOODS = [(1, 1), (1, 0.5), (0.5, 1), (0.5, 0.5), (1, 0.1), (0.1, 1), (0.1, 0.1)]
_CLOCKS_PER_MOOD = 50
_PATIENCE = 200  # clocks, beyond the latency, in which nothing goes in or comes out: the stream hangs


@cocotb.test()
async def every_vector_matches(dut):
    """Drives all vectors of the folder that DBHW_BENCH names."""
    folder = Path(os.environ["DBHW_BENCH"])
    vectors = json.loads((folder / "vectors.json").read_text())
    if "together" in vectors:
        tasks = {name: cocotb.start_soon(_drive(dut, own, f"_{name}")) for name, own in vectors["together"].items()}
        result = {"together": {name: await task for name, task in tasks.items()}}
    else:
        result = await _drive(dut, vectors)
    (folder / "result.json").write_text(json.dumps(result))


async def _drive(dut, vectors, suffix=""):
    """Drives the core whose ports end with the suffix."""
    bench = _Bench(dut, vectors, suffix)
    started = time.perf_counter()
    if vectors.get("stream"):
        await _Stream(bench).run()
    elif vectors.get("latency"):
        await _pipelined(bench)
    else:
        await _combinational(bench)
    return {**bench.result(), "seconds": time.perf_counter() - started}


class _Bench:
    """The ports, the vectors, and what was seen so far."""

    def __init__(self, dut, vectors, suffix):
        self.dut, self.vectors, self.suffix = dut, vectors, suffix
        self.inputs = {self.port(n): [int(v, 16) for v in values] for n, values in vectors["inputs"].items()}
        self.outputs = {n: [int(v, 16) for v in values] for n, values in vectors["outputs"].items()}
        self.count = len(next(iter(self.outputs.values())))
        self.mismatches, self.first, self.clocks = 0, None, 0
        self.by_output = dict.fromkeys(self.outputs, 0)

    def port(self, name):
        return getattr(self.dut, name + self.suffix)

    def drive(self, i):
        for port, values in self.inputs.items():
            port.value = values[i]

    def found(self):
        return {name: _read(self.port(name)) for name in self.outputs}

    def compare(self, i, found):
        expected = {name: values[i] for name, values in self.outputs.items()}
        if found != expected:
            for name in self.outputs:
                self.by_output[name] += found[name] != expected[name]
            self.wrong(i, expected, found)

    def wrong(self, i, expected, found):
        self.mismatches += 1
        inputs = {name: values[i] for name, values in self.vectors["inputs"].items()}
        said = {"expected": _shown(expected), "found": _shown(found)}
        self.first = self.first or {"vector": i, "input": inputs, **said}

    async def clock(self):
        """The rest of a clock whose first half settled what is on the wires."""
        port = self.port(self.vectors["clock"])
        port.value = 1
        await Timer(1, "ns")
        port.value = 0
        self.clocks += 1

    def result(self):
        return {
            "vectors": self.count,
            "mismatches": self.mismatches,
            "by_output": self.by_output,
            "first": self.first,
            "clocks": self.clocks,
        }


async def _combinational(bench):
    for i in range(bench.count):
        bench.drive(i)
        await Timer(1, "ns")
        bench.compare(i, bench.found())


async def _pipelined(bench):
    latency = bench.vectors["latency"]
    bench.port(bench.vectors["clock"]).value = 0
    for i in range(bench.count + latency):
        bench.drive(min(i, bench.count - 1))
        await Timer(1, "ns")
        # Before this clock's edge, the outputs hold what went in that many edges ago.
        if i >= latency:
            bench.compare(i - latency, bench.found())
        await bench.clock()


class _Stream:
    """A source and a sink with moods, and a queue of what is under way between them."""

    def __init__(self, bench):
        self.bench = bench
        stream = bench.vectors["stream"]
        self.ports = {
            **{f"x_{name}": bench.port(port) for name, port in stream["input"].items()},
            **{f"y_{name}": bench.port(port) for name, port in stream["output"].items()},
            "reset": bench.port(stream["reset"]),
        }
        self.random = random.Random(bench.vectors.get("seed", 0))
        self.stalls = bench.vectors.get("stalls", True)
        resets = min(bench.vectors.get("resets", 0), bench.count)
        self.resets = sorted(self.random.sample(range(bench.count), resets), reverse=True)
        self.under_way: deque[int] = deque()
        self.taken, self.idle = 0, 0
        self.offering = False  # what was offered stays until it is taken, as a good source does it
        self.waiting = None  # the vector whose answer was shown and not yet taken

    async def run(self):
        bench = self.bench
        bench.port(bench.vectors["clock"]).value = 0
        await self._reset(2)
        bench.clocks = 0
        patience = _PATIENCE + bench.vectors["latency"]
        while (self.taken < bench.count or self.under_way) and self.idle < patience:
            await self._clock(*self._mood())
            if self.resets and self.taken > self.resets[-1]:
                self.resets.pop()
                await self._reset(self.random.randint(1, 3))
        for i in self.under_way:
            bench.wrong(i, "an answer", "none")
        for i in range(self.taken, bench.count):
            bench.wrong(i, "taken", "refused")
        clocks, self.taken = bench.clocks, bench.count
        self.under_way.clear()
        for _ in range(2 * bench.vectors["latency"] + 4):  # nothing may follow the last answer
            await self._clock(0, 1)
        bench.clocks = clocks

    def _mood(self):
        if not self.stalls:
            return 1, 1
        return _MOODS[self.bench.clocks // _CLOCKS_PER_MOOD % len(_MOODS)]

    async def _reset(self, clocks):
        self.ports["reset"].value = 1
        for _ in range(clocks):
            before = self.taken
            await self._clock(*self._mood())
            for i in (i for i in self.under_way if i >= before):
                self.bench.wrong(i, "not taken during reset", "taken and lost")
            self.under_way.clear()
            self.waiting = None
        self.ports["reset"].value = 0

    async def _clock(self, offers, takes):
        """One clock: what both sides see before its edge is what happens at the edge."""
        self.offering = self.taken < self.bench.count and (self.offering or self.random.random() < offers)
        taking = self.random.random() < takes
        self.ports["x_valid"].value = int(self.offering)
        self.ports["y_ready"].value = int(taking)
        self.bench.drive(min(self.taken, self.bench.count - 1))
        await Timer(1, "ns")
        goes_in = self.offering and _read(self.ports["x_ready"]) == 1
        valid = _read(self.ports["y_valid"]) == 1
        if goes_in:
            self.under_way.append(self.taken)
            self.taken += 1
            self.offering = False
        self._answer(valid, taking)
        self.idle = 0 if goes_in or (valid and taking) else self.idle + 1
        await self.bench.clock()

    def _answer(self, valid, taking):
        """An answer belongs to the oldest vector under way, from the clock in which it appears until it is taken."""
        if self.waiting is not None and not valid:
            self.bench.wrong(self.waiting, "an answer that stays", "none")
        oldest = self.under_way[0] if self.under_way else None
        if oldest is None and self.offering and not self.bench.vectors["latency"]:
            oldest = self.taken  # without registers, an offer is answered before it is taken
        if valid and oldest is None:
            self.bench.wrong(max(self.taken - 1, 0), "no answer", self.bench.found())
        elif valid:
            self.bench.compare(oldest, self.bench.found())
            self.waiting = None if taking else oldest
        if valid and taking and self.under_way:
            self.under_way.popleft()


def _read(port):
    value = port.value
    # An undefined bit is never what the net says.
    return int(value) if value.is_resolvable else str(value)


def _shown(values):
    if isinstance(values, str):
        return values
    return {name: f"{v:x}" if isinstance(v, int) else v for name, v in values.items()}
