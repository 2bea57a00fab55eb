"""The link around nets of odd shapes, in Amaranth's own simulator, byte by byte."""

import zlib

import numpy as np
import pytest
from amaranth.hdl import Module
from amaranth.sim import Simulator

from dbhw.base.errors import DbhwError
from dbhw.rtl.link.endpoint import Link
from dbhw.rtl.link.protocol import Shape
from tests.kit.link import framed, unframed

DIGEST = "5a" * 32


def exchange(shape, bodies):
    """The bytes the link sends for requests, around a core whose answer is its input, repeated."""
    link = Link(shape, DIGEST)
    m = Module()
    m.submodules.link = link
    copies = -(-shape.answer_bits // shape.inputs)
    m.d.comb += [link.y.eq(link.x.replicate(copies)[: shape.answer_bits] ^ 1), link.tx_ready.eq(1)]
    sent = bytearray()

    async def host(ctx):
        for body in bodies:
            for byte in framed(body):
                ctx.set(link.rx_data, byte)
                ctx.set(link.rx_valid, 1)
                await ctx.tick()
                ctx.set(link.rx_valid, 0)
                await ctx.tick().repeat(10)
            quiet = 0
            while quiet < 2 * shape.example_bytes + 40:
                quiet = 0 if ctx.get(link.tx_valid) else quiet + 1
                await ctx.tick()

    async def listener(ctx):
        async for _, _, valid, byte in ctx.tick().sample(link.tx_valid, link.tx_data):
            if valid:
                sent.append(byte)

    simulator = Simulator(m)
    simulator.add_clock(1e-6)
    simulator.add_testbench(host)
    simulator.add_testbench(listener, background=True)
    simulator.run()
    return bytes(sent)


def expected(shape, payload):
    answers = b""
    for i in range(0, len(payload), shape.example_bytes):
        x = int.from_bytes(payload[i : i + shape.example_bytes], "little") & (1 << shape.inputs) - 1
        copies = -(-shape.answer_bits // shape.inputs)
        repeated = sum(x << shape.inputs * j for j in range(copies))
        answers += ((repeated & (1 << shape.answer_bits) - 1) ^ 1).to_bytes(shape.answer_bytes, "little")
    return answers


@pytest.mark.parametrize("shape", [Shape(1, 1), Shape(8, 9), Shape(19, 1), Shape(24, 40), Shape(4104, 16)])
def test_every_shape_is_served(shape):
    random = np.random.default_rng(shape.inputs)
    # A full buffer takes long here; one shape that does not divide it is enough.
    full = shape.capacity if shape.inputs == 19 else min(shape.capacity, 20 * shape.example_bytes)
    short = random.bytes(min(2, shape.capacity // shape.example_bytes) * shape.example_bytes)
    bodies = [
        b"\x01",
        b"\x02" + short,
        b"\x02" + random.bytes(full),
        b"\x02" + random.bytes(shape.capacity + 1),
        b"\x02",
    ]
    if shape.example_bytes > 1:
        bodies.append(b"\x02" + random.bytes(shape.example_bytes - 1))
    replies = unframed(exchange(shape, bodies))
    assert len(replies) == len(bodies)
    assert [reply[1:5] for reply in replies] == [zlib.crc32(body).to_bytes(4, "little") for body in bodies]
    sizes = b"".join(n.to_bytes(2, "little") for n in (shape.inputs, shape.answer_bits, shape.capacity))
    assert replies[0][5:] == b"\x01" + bytes.fromhex(DIGEST) + sizes
    assert replies[1][5:] == expected(shape, bodies[1][1:])
    assert replies[2][5:] == expected(shape, bodies[2][1:])
    assert [(reply[0], reply[5:]) for reply in replies[3:]] == [(0xFF, b"\x03"), *[(0xFF, b"\x02")] * (len(bodies) - 4)]


def test_a_net_too_wide_for_the_link_is_told():
    with pytest.raises(DbhwError, match=r"^net must have at most 65528 bits of inputs to be served, not 70000$"):
        Shape(70000, 3)
