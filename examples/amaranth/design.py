"""Counts irises: a user's own Amaranth design with a net inside."""

from amaranth.hdl import Array, Module
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out
from amaranth.sim import Simulator

from dbhw import zoo
from dbhw.rtl.core.component import Core
from dbhw.rtl.stream import Streamed
from dbhw.rtl.verilog.emit import emit
from dbhw.rtl.verilog.ports import input_ports

CLASSES = 3


class Counter(wiring.Component):
    """Takes a flower whenever `take` is high, and counts the flowers of each class."""

    def __init__(self, model):
        emitted = emit(model)
        self.core = Core(emitted.network, inputs=input_ports(emitted.manifest))
        ports = {port.name: In(port.width) for port in emitted.manifest.inputs}
        counts = {f"count{i}": Out(16) for i in range(CLASSES)}
        super().__init__({"take": In(1), **ports, **counts})
        self.names = list(ports)

    def elaborate(self, platform):
        m = Module()
        m.submodules.core = core = self.core
        m.d.comb += [getattr(core, name).eq(getattr(self, name)) for name in self.names]
        counts = Array(getattr(self, f"count{i}") for i in range(CLASSES))
        with m.If(self.take):
            m.d.sync += counts[core.label].eq(counts[core.label] + 1)
        return m


class LabelOnly(wiring.Component):
    """The stream of a net with its label alone, and as many flowers as there are clock cycles."""

    def __init__(self, model):
        self.core = Streamed(emit(model, pipeline="stages=1", stream=True))
        super().__init__({"x": In(self.core.x.signature.flip()), "label": Out(2), "valid": Out(1)})

    def elaborate(self, platform):
        m = Module()
        m.submodules.core = core = self.core
        wiring.connect(m, wiring.flipped(self.x), core.x)
        m.d.comb += [self.label.eq(core.y.payload.label), self.valid.eq(core.y.valid), core.y.ready.eq(1)]
        return m


def count(model, flowers):
    """The counts of the classes after all flowers, simulated."""
    counter = Counter(model)

    async def bench(ctx):
        ctx.set(counter.take, 1)
        for flower in flowers:
            for name, value in zip(counter.names, flower, strict=True):
                ctx.set(getattr(counter, name), int(value))
            await ctx.tick()
        seen.extend(ctx.get(getattr(counter, f"count{i}")) for i in range(CLASSES))

    seen = []
    simulator = Simulator(counter)
    simulator.add_clock(1e-6)
    simulator.add_testbench(bench)
    simulator.run()
    return seen


if __name__ == "__main__":
    print(count(zoo.load("iris-small"), [[50, 30, 14, 2], [60, 22, 40, 10], [63, 33, 60, 25]]))  # noqa: T201
