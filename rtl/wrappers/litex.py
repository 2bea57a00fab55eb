"""LiteX: the core as a module with a stream sink and source, and as a peripheral with CSRs."""

from __future__ import annotations

from collections.abc import Sequence

from dbhw.rtl.verilog.emit import Emitted
from dbhw.rtl.verilog.manifest import Port
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.rtl.wrappers._layout import described

_RESERVED = ("valid", "ready", "payload", "param", "first", "last", "description")  # in a LiteX endpoint


def folder(emitted: Emitted, vectors: Vectors) -> dict[str, str]:
    """The files: the core and the Python module.

    >>> from dbhw import zoo
    >>> from dbhw.rtl.verilog.emit import emit
    >>> sorted(folder(emit(zoo.load("iris-small"), stream=True), None))
    ['net.v', 'net_litex.py']
    """
    return {f"{emitted.module}.v": emitted.verilog, f"{emitted.module}_litex.py": _module(emitted)}


def field(name: str) -> str:
    """The name of a port in the layout of a stream.

    >>> field("label"), field("first")
    ('label', 'first_')
    """
    return f"{name}_" if name in _RESERVED else name


def _layout(ports: Sequence[Port]) -> str:
    return "".join(f"\n    ({field(p.name)!r}, {p.width}),  # {described(p)}" for p in ports)


_MODULE = '''\
"""{name} in LiteX: `Streamed` has a stream sink and source, `Registers` has CSRs. Made by dbhw."""

from pathlib import Path

from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from litex.soc.interconnect.csr import CSR, CSRField, CSRStatus, CSRStorage
from migen import ClockSignal, If, Instance, ResetSignal, Signal

INPUTS = [{inputs}
]
OUTPUTS = [{outputs}
]


class Streamed(LiteXModule):
    """Examples go into `sink`, an answer for each comes out of `source`."""

    def __init__(self, platform=None):
        self.sink = stream.Endpoint(INPUTS)
        self.source = stream.Endpoint(OUTPUTS)
        self.specials += Instance(
            "{name}",
            i_clk=ClockSignal(),
            i_rst=ResetSignal(),
            i_x_valid=self.sink.valid,
            o_x_ready=self.sink.ready,
            o_y_valid=self.source.valid,
            i_y_ready=self.source.ready,
            {wires}
        )
        if platform is not None:
            platform.add_source(str(Path(__file__).with_name("{name}.v")))


class Registers(LiteXModule):
    """Write the registers `in_...`, write `start`, read `status` until `done` is high, and read `out_...`."""

    def __init__(self, platform=None):
        self.core = core = Streamed(platform)
        self.start = CSR()
        self.status = CSRStatus(fields=[CSRField("done", size=1, description="The answer is there.")])
        waiting, done = Signal(), Signal()
        self.comb += [core.sink.valid.eq(waiting), core.source.ready.eq(1), self.status.fields.done.eq(done)]
        self.sync += [
            If(core.source.valid, done.eq(1)),
            If(core.sink.ready, waiting.eq(0)),
            If(self.start.re, waiting.eq(1), done.eq(0)),
        ]
        for name, width in INPUTS:
            register = CSRStorage(width, name="in_" + name)
            setattr(self, "in_" + name, register)
            self.comb += getattr(core.sink.payload, name).eq(register.storage)
        for name, width in OUTPUTS:
            register = CSRStatus(width, name="out_" + name)
            setattr(self, "out_" + name, register)
            self.sync += If(core.source.valid, register.status.eq(getattr(core.source.payload, name)))
'''


def _module(emitted: Emitted) -> str:
    name, manifest = emitted.module, emitted.manifest
    wired = [f"i_{p.name}=self.sink.payload.{field(p.name)}," for p in manifest.inputs]
    wired += [f"o_{p.name}=self.source.payload.{field(p.name)}," for p in manifest.outputs]
    return _MODULE.format(
        name=name,
        inputs=_layout(manifest.inputs),
        outputs=_layout(manifest.outputs),
        wires="\n            ".join(wired),
    )
