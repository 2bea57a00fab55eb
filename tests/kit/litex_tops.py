"""LiteX modules as Verilog with plain ports, by LiteX's own converter."""

import re

from litex.gen import LiteXModule
from litex.gen.fhdl.verilog import convert
from litex.soc.interconnect import csr_bus, wishbone
from migen import ClockDomain, Signal

WIRES = ("cyc", "stb", "we", "sel", "adr", "dat_w", "dat_r", "ack")


class Clocked(LiteXModule):
    """The clock domain `sys` with the ports `clk` and `rst`."""

    def __init__(self):
        self.cd_sys = ClockDomain("sys")
        self.cd_sys.clk, self.cd_sys.rst = Signal(name_override="clk"), Signal(name_override="rst")
        self.ports = {self.cd_sys.clk, self.cd_sys.rst}

    def port(self, name, width=1):
        made = Signal(width, name_override=name)
        self.ports.add(made)
        return made


def stream_verilog(kind, inputs, outputs, name):
    """A module with a sink and a source: ports `x_...` and `y_...`."""
    top = Clocked()
    top.core = core = kind()
    top.comb += [core.sink.valid.eq(top.port("x_valid")), core.source.ready.eq(top.port("y_ready"))]
    top.comb += [top.port("x_ready").eq(core.sink.ready), top.port("y_valid").eq(core.source.valid)]
    top.comb += [getattr(core.sink.payload, n).eq(top.port(f"x_{n}", width)) for n, width in inputs]
    top.comb += [top.port(f"y_{n}", width).eq(getattr(core.source.payload, n)) for n, width in outputs]
    return str(convert(top, top.ports, name=name))


def registers_verilog(kind, name):
    """A module with CSRs behind LiteX's Wishbone bridge, and the addresses of its registers by port, start, status."""
    top = Clocked()
    top.core = kind()
    top.banks = banks = csr_bus.CSRBankArray(top, lambda *_: 0, data_width=32)
    bus = wishbone.Interface(data_width=32, addressing="word")
    top.bridge = bridge = wishbone.Wishbone2CSR(bus, csr_bus.Interface(data_width=32))
    top.joined = csr_bus.Interconnect(bridge.csr, banks.get_buses())
    for wire in WIRES:
        inner = getattr(bus, wire)
        outer = top.port(f"wb_{wire}", len(inner))
        top.comb += outer.eq(inner) if wire in ("dat_r", "ack") else inner.eq(outer)
    (_, _, _, bank) = banks.banks[0]
    # The words of a register that can be written have a number behind the name; here each has one word.
    addresses = {re.sub(r"^in_(.*)0$|^out_", r"\1", register.name): i for i, register in enumerate(bank.simple_csrs)}
    return str(convert(top, top.ports, name=name)), addresses
