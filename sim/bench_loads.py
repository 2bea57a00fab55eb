"""The cocotb bench of a net with loadable weights: it drives a vector in every cycle, also during a load.

It plays the events of plan.json and writes down what it found. In every cycle the answer must be that of the model
whose digest the hardware shows. Answers of half-loaded weights are therefore mismatches, and so are weights that change
before or after their digest.
"""

import itertools
import json
import os
import random
import time
from pathlib import Path

import cocotb
from cocotb.triggers import Timer

from dbhw.sim.bench import read


@cocotb.test()
async def every_answer_is_a_whole_models(dut):
    """Plays the plan of the folder that DBHW_BENCH names."""
    folder = Path(os.environ["DBHW_BENCH"])
    bench = _Bench(dut, json.loads((folder / "plan.json").read_text()))
    started = time.perf_counter()
    statuses = [await bench.play(event) for event in bench.plan["events"]]
    result = {
        "vectors": bench.cycles,
        "mismatches": bench.mismatches,
        "first": bench.first,
        "statuses": statuses,
        "held": bench.held,
        "seconds": time.perf_counter() - started,
    }
    (folder / "result.json").write_text(json.dumps(result))


class _Bench:
    def __init__(self, dut, plan):
        self.dut, self.plan = dut, plan
        self.inputs = {name: [int(v, 16) for v in values] for name, values in plan["inputs"].items()}
        # By digest: the answers of that model to every vector, port by port.
        self.answers = {
            int(model["digest"], 16): {n: [int(v, 16) for v in values] for n, values in model["outputs"].items()}
            for model in plan["models"]
        }
        self.cycles = self.mismatches = 0
        self.first = None
        self.held = []  # the digests the hardware has shown, each with its first cycle
        self.vectors = itertools.cycle(range(len(next(iter(self.inputs.values())))))
        self.pauses = random.Random(0)

    async def play(self, event):
        """Plays one event and some quiet cycles. Returns what the hardware then says of its last load."""
        data = bytes.fromhex(event["bytes"])
        for i, byte in enumerate(data):
            if self.pauses.random() < 0.1:
                await self.cycle()
            while not await self.cycle(valid=1, first=int(i == 0 and event["announced"]), byte=byte):
                pass
        for _ in range(event["reset"]):
            await self.cycle(reset=1)
        for _ in range(event["quiet"]):
            await self.cycle()
        return read(self.dut.load_status)

    async def cycle(self, valid=0, first=0, byte=0, reset=0):
        """Drives the next vector for one cycle and checks its answer. Returns whether a byte was taken."""
        dut, vector = self.dut, next(self.vectors)
        for name, values in self.inputs.items():
            dut[name].value = values[vector]
        dut.rst.value, dut.load_valid.value, dut.load_first.value, dut.load_data.value = reset, valid, first, byte
        dut.clk.value = 0
        await Timer(1, "ns")
        self.check(vector)
        ready = read(dut.load_ready)
        dut.clk.value = 1
        await Timer(1, "ns")
        return ready == 1

    def check(self, vector):
        digest = read(self.dut.digest)
        if not self.held or self.held[-1][1] != digest:
            self.held.append([self.cycles, digest])
        known = self.answers.get(digest)
        expected = known and {name: values[vector] for name, values in known.items()}
        ports = next(iter(self.answers.values()))
        found = {name: read(getattr(self.dut, name)) for name in ports}
        if found != expected:
            self.mismatches += 1
            input_ = {name: f"{values[vector]:x}" for name, values in self.inputs.items()}
            here = {"clock": self.cycles, "digest": digest, "input": input_, "expected": expected, "found": found}
            self.first = self.first or here
        self.cycles += 1
