"""The cocotb bench of a stream. It runs inside the simulator.

It drives every vector, compares every output bit with the hard net's answer, and writes what it found to a file. The
expected answers come from the vectors alone: nothing here depends on how the hardware was made. Several cores in one
top level are driven at the same time, each on its own ports.

A stream is driven with seeded stalls on both sides, and is reset between vectors as often as the vectors say. Each
vector that it takes must come out once, in order, and its answer must stay until it is taken.
"""

import json
import os
import random
import time
from collections import deque
from pathlib import Path

import cocotb
from cocotb.triggers import Timer

from dbhw.base.records import from_json
from dbhw.rtl.verilog.vectors import Vectors

# How likely it is that the source offers a vector and that the sink takes an answer, for some cycles each.
_MOODS = [(1, 1), (1, 0.5), (0.5, 1), (0.5, 0.5), (1, 0.1), (0.1, 1), (0.1, 0.1)]
_CYCLES_PER_MOOD = 50
_PATIENCE = 200  # cycles, beyond the latency, without any transfer: then the stream hangs


@cocotb.test()
async def every_vector_matches(dut):
    """Drives all vectors of all cores of the plan; the ports of a core end with its key."""
    folder = Path(os.environ["DBHW_BENCH"])
    cores = {key: from_json(Vectors, own) for key, own in json.loads((folder / "plan.json").read_text()).items()}
    tasks = {suffix: cocotb.start_soon(_drive(dut, vectors, suffix)) for suffix, vectors in cores.items()}
    result = {suffix: await task for suffix, task in tasks.items()}
    (folder / "result.json").write_text(json.dumps(result))


async def _drive(dut, vectors, suffix):
    """Drives the core whose ports end with the suffix."""
    bench = _Bench(dut, vectors, suffix)
    started = time.perf_counter()
    await _Stream(bench).run()
    return {**bench.result(), "seconds": time.perf_counter() - started}


class _Bench:
    """The ports, the vectors, and what was found so far."""

    def __init__(self, dut, vectors, suffix):
        self.dut, self.vectors, self.suffix = dut, vectors, suffix
        self.inputs = {self.port(n): [int(v, 16) for v in values] for n, values in vectors.inputs.items()}
        self.outputs = {n: [int(v, 16) for v in values] for n, values in vectors.outputs.items()}
        self.count = len(next(iter(self.outputs.values())))
        self.mismatches, self.first, self.cycles = 0, None, 0
        self.by_output = dict.fromkeys(self.outputs, 0)

    def port(self, name):
        return self.dut[name + self.suffix]  # as an attribute, some names would be those of the handle itself

    def drive(self, i):
        for port, values in self.inputs.items():
            port.value = values[i]

    def found(self):
        return {name: read(self.port(name)) for name in self.outputs}

    def compare(self, i, found):
        expected = {name: values[i] for name, values in self.outputs.items()}
        if found != expected:
            for name in self.outputs:
                self.by_output[name] += found[name] != expected[name]
            self.wrong(i, expected, found)

    def wrong(self, i, expected, found):
        self.mismatches += 1
        inputs = {name: values[i] for name, values in self.vectors.inputs.items()}
        said = {"expected": _shown(expected), "found": _shown(found)}
        self.first = self.first or {"vector": i, "input": inputs, **said}

    async def edge(self):
        """The clock edge that ends a cycle, after all wires have settled."""
        port = self.port(self.vectors.clock)
        port.value = 1
        await Timer(1, "ns")
        port.value = 0
        self.cycles += 1

    def result(self):
        return {
            "vectors": self.count,
            "mismatches": self.mismatches,
            "by_output": self.by_output,
            "first": self.first,
            "clocks": self.cycles,
        }


class _Stream:
    """A source and a sink that stall at random, and a queue of the vectors between them."""

    def __init__(self, bench):
        self.bench = bench
        vectors, stream = bench.vectors, bench.vectors.stream
        self.x_valid, self.x_ready = bench.port(stream.input.valid), bench.port(stream.input.ready)
        self.y_valid, self.y_ready = bench.port(stream.output.valid), bench.port(stream.output.ready)
        self.reset = bench.port(stream.reset)
        self.random = random.Random(vectors.seed or 0)
        self.stalls = vectors.stalls is not False
        resets = min(vectors.resets or 0, bench.count)
        self.resets = sorted(self.random.sample(range(bench.count), resets), reverse=True)
        self.under_way: deque[int] = deque()
        self.taken, self.idle = 0, 0
        self.offering = False  # an offered vector stays until it is taken, as the rules of a stream demand
        self.waiting = None  # the vector whose answer is valid but not taken yet

    async def run(self):
        bench = self.bench
        bench.port(bench.vectors.clock).value = 0
        await self._reset(2)
        bench.cycles = 0
        patience = _PATIENCE + bench.vectors.latency
        while (self.taken < bench.count or self.under_way) and self.idle < patience:
            await self._cycle(*self._mood())
            if self.resets and self.taken > self.resets[-1]:
                self.resets.pop()
                await self._reset(self.random.randint(1, 3))
        for i in self.under_way:
            bench.wrong(i, "an answer", "none")
        for i in range(self.taken, bench.count):
            bench.wrong(i, "taken", "refused")
        cycles, self.taken = bench.cycles, bench.count
        self.under_way.clear()
        for _ in range(2 * bench.vectors.latency + 4):  # nothing may follow the last answer
            await self._cycle(0, 1)
        bench.cycles = cycles

    def _mood(self):
        if not self.stalls:
            return 1, 1
        return _MOODS[self.bench.cycles // _CYCLES_PER_MOOD % len(_MOODS)]

    async def _reset(self, cycles):
        self.reset.value = 1
        for _ in range(cycles):
            before = self.taken
            await self._cycle(*self._mood())
            for i in (i for i in self.under_way if i >= before):
                self.bench.wrong(i, "not taken during reset", "taken and lost")
            self.under_way.clear()
            self.waiting = None
        self.reset.value = 0

    async def _cycle(self, offers, takes):
        """One cycle: what both sides see before the clock edge is what happens at the edge."""
        self.offering = self.taken < self.bench.count and (self.offering or self.random.random() < offers)
        taking = self.random.random() < takes
        self.x_valid.value = int(self.offering)
        self.y_ready.value = int(taking)
        self.bench.drive(min(self.taken, self.bench.count - 1))
        await Timer(1, "ns")
        goes_in = self.offering and read(self.x_ready) == 1
        valid = read(self.y_valid) == 1
        if goes_in:
            self.under_way.append(self.taken)
            self.taken += 1
            self.offering = False
        self._answer(valid, taking)
        self.idle = 0 if goes_in or (valid and taking) else self.idle + 1
        await self.bench.edge()

    def _answer(self, valid, taking):
        """An answer belongs to the oldest vector under way, from its first cycle until it is taken."""
        if self.waiting is not None and not valid:
            self.bench.wrong(self.waiting, "an answer that stays", "none")
        oldest = self.under_way[0] if self.under_way else None
        if oldest is None and self.offering and not self.bench.vectors.latency:
            oldest = self.taken  # without registers, an offer is answered before it is taken
        if valid and oldest is None:
            self.bench.wrong(max(self.taken - 1, 0), "no answer", self.bench.found())
        elif valid:
            self.bench.compare(oldest, self.bench.found())
            self.waiting = None if taking else oldest
        if valid and taking and self.under_way:
            self.under_way.popleft()


def read(port):
    """The value of a port as a number, or as text if bits are undefined: then it equals no answer.

    >>> from types import SimpleNamespace
    >>> read(SimpleNamespace(value=cocotb.types.LogicArray("01X")))
    '01X'
    """
    value = port.value
    return int(value) if value.is_resolvable else str(value)


def _shown(values):
    if isinstance(values, str):
        return values
    return {name: f"{v:x}" if isinstance(v, int) else v for name, v in values.items()}
