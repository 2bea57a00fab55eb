"""The cocotb bench of wrappers, all in one top level. It runs inside the simulator.

A stream is driven with seeded stalls on both sides. A bus gets a script of writes, and of reads with what they must
give. The plan says which wires belong to which wrapper, and what to do in each run; the result says how many values
were wrong in each.
"""

import json
import os
import random
from pathlib import Path

import cocotb
from cocotb.triggers import FallingEdge, Timer

PATIENCE = 400


@cocotb.test()
async def every_wrapper_answers(dut):
    folder = Path(os.environ["DBHW_BENCH"])
    plan = json.loads((folder / "plan.json").read_text())
    cocotb.start_soon(clock(dut.clk))
    dut.rst.value = 1
    for own in plan.values():
        for wire in own["idle"]:
            dut[wire].value = 0
    for _ in range(3):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    tasks = {name: cocotb.start_soon(runs(dut, own)) for name, own in plan.items()}
    result = {name: await task for name, task in tasks.items()}
    (folder / "result.json").write_text(json.dumps(result))


async def clock(wire):
    while True:
        for value in (0, 1):
            wire.value = value
            await Timer(5, "ns")


async def runs(dut, own):
    kind = {"stream": stream, "bus": bus}[own["kind"]]
    return [await kind(dut, own, one) for one in own["runs"]]


async def stream(dut, own, run):
    """Both sides look between two edges and act: what is valid and ready there is transferred at the next edge."""
    choice, given, found, idle = random.Random(1), list(run["beats"]), [], 0
    offering = False
    while len(found) < len(run["expected"]) and idle < PATIENCE:
        await FallingEdge(dut.clk)
        offering = bool(given) and (offering or choice.random() < 0.7)
        dut[own["x_valid"]].value = int(offering)
        dut[own["y_ready"]].value = int(choice.random() < 0.6)
        for port, value in (given[0] if given else {}).items():
            dut[port].value = value
        await Timer(1, "ns")
        idle += 1
        if offering and int(dut[own["x_ready"]].value):
            given.pop(0)
            offering, idle = False, 0
        if int(dut[own["y_valid"]].value) and int(dut[own["y_ready"]].value):
            found.append({port: int(dut[port].value) for port in run["expected"][0]})
            idle = 0
    lacking = len(run["expected"]) - len(found)
    return lacking + sum(f != e for f, e in zip(found, run["expected"], strict=False))


async def bus(dut, own, script):
    """Wishbone: a script of [address, value to write or None, expected value or None]; expected -1 waits for bit 0."""
    wrong = 0
    for address, value, expected in script:
        for _ in range(PATIENCE):
            found = await access(dut, own["prefix"], address, value)
            if expected != -1 or found & 1:
                break
        wrong += expected is not None and expected != -1 and found != expected
        wrong += expected == -1 and not found & 1
    return wrong


async def access(dut, prefix, address, value):
    wires = {"cyc": 1, "stb": 1, "we": int(value is not None), "sel": 15, "adr": address, "dat_w": value or 0}
    await FallingEdge(dut.clk)
    for name, number in wires.items():
        dut[prefix + name].value = number
    for _ in range(PATIENCE):
        await FallingEdge(dut.clk)
        if int(dut[f"{prefix}ack"].value):
            break
    found = int(dut[f"{prefix}dat_r"].value)
    dut[f"{prefix}cyc"].value = 0
    dut[f"{prefix}stb"].value = 0
    return found
