"""An emitted stream as an Amaranth component, for users' own designs: stream `x` goes in, stream `y` comes out."""

from __future__ import annotations

from amaranth.hdl import ClockSignal, Instance, Module, ResetSignal, Shape
from amaranth.lib import data, stream, wiring
from amaranth.lib.wiring import In, Out

from dbhw.base.errors import DbhwError
from dbhw.rtl.verilog.emit import Emitted
from dbhw.rtl.verilog.manifest import Manifest
from dbhw.rtl.verilog.ports import input_ports


class Streamed(wiring.Component):
    """An instance of the emitted Verilog, so that the design gets exactly what was proved and simulated.

    The payload of `x` is the bits of an example; of a model of integers it has a field for every port, under its name.
    The payload of `y` has a field for every output: `label`, and `bits` or `scores`. Clock and reset are those of the
    domain `sync`. The tools need the emitted Verilog beside the design's own; a platform gets it with `add_file`.

    >>> import numpy as np
    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.net import Net
    >>> from dbhw.rtl.verilog.emit import emit
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> core = Streamed(emit(model, pipeline="stages=1", stream=True))
    >>> len(core.x.payload), len(core.y.payload.label), len(core.y.payload.bits)
    (1, 1, 2)
    """

    def __init__(self, emitted: Emitted) -> None:
        manifest = emitted.manifest
        if not manifest.stream:
            raise DbhwError("core must be emitted as a stream, not with plain wires")
        self.emitted = emitted
        answer = data.StructLayout({port.name: port.width for port in manifest.outputs})
        super().__init__({"x": In(stream.Signature(_payload(manifest))), "y": Out(stream.Signature(answer))})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        if hasattr(platform, "add_file"):
            platform.add_file(f"{self.emitted.module}.v", self.emitted.verilog)
        manifest, x = self.emitted.manifest, self.x.payload
        inputs = {p.name: x if p.integer is None else x[p.name] for p in manifest.inputs}
        m.submodules.core = Instance(
            self.emitted.module,
            i_clk=ClockSignal(),
            i_rst=ResetSignal(),
            i_x_valid=self.x.valid,
            o_x_ready=self.x.ready,
            o_y_valid=self.y.valid,
            i_y_ready=self.y.ready,
            **{f"i_{name}": value for name, value in inputs.items()},
            **{f"o_{port.name}": self.y.payload[port.name] for port in manifest.outputs},
        )
        return m


def _payload(manifest: Manifest) -> int | data.StructLayout:
    if all(port.integer is None for port in manifest.inputs):
        return manifest.input_bits
    return data.StructLayout({port.name: Shape(port.width, port.signed) for port in input_ports(manifest)})
