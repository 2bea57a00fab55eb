"""The combinational core as an Amaranth component with plain wires, for designs in Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import add, and_, or_, xor

from amaranth.hdl import Cat, Const, Module, Mux, Shape, Signal, Value
from amaranth.lib import wiring
from amaranth.lib.wiring import In, Out

from dbhw.logic.network import Network
from dbhw.rtl.arithmetic.count import check_lut_inputs
from dbhw.rtl.core import wires
from dbhw.rtl.core.elaborate import elaborate, packed, port_width
from dbhw.rtl.core.wires import Bit, Builder, Definition, Gate, InputPort, Instance, Not, Ref, Wire, Word, width_of

_OPERATORS = {"&": and_, "|": or_, "^": xor}


class Core(wiring.Component):
    """The given input ports, or one port `x` with a bit for each input; an output port for each output of the network.

    `verilog.ports.input_ports(emitted.manifest)` are the ports that the emitted Verilog of a model has. Counts are
    shaped for look-up tables of `lut_inputs` inputs; the function does not depend on it.
    """

    def __init__(self, network: Network, lut_inputs: int = 6, inputs: Sequence[InputPort] = ()) -> None:
        check_lut_inputs(lut_inputs)
        self.network = network
        self.inputs = tuple(inputs) or packed(network)
        self.lut_inputs = lut_inputs
        ports = {o.name: Out(port_width(o)) for o in network.outputs}
        super().__init__({**{p.name: In(Shape(p.width, p.signed)) for p in self.inputs}, **ports})

    def elaborate(self, platform: object) -> Module:
        m = Module()
        ports = {name: getattr(self, name) for name in self.signature.members}
        elaborate(self.network, AmaranthModule(m, ports, self.lut_inputs), self.inputs)
        return m


class AmaranthModule(Builder):
    """Builds into an Amaranth module whose ports exist already."""

    def __init__(self, m: Module, ports: dict[str, Value], lut_inputs: int) -> None:
        super().__init__(lut_inputs)
        self.m = m
        self.ports = ports
        self.signals: dict[Wire, Value] = {}

    def input(self, name: str, width: int, signed: bool = False, meaning: str = "") -> Word:
        return self._named(name, width, self.ports[name])

    def output(self, name: str, word: Word) -> None:
        self.m.d.comb += self.ports[name].eq(self._word(word))

    def section(self, title: str) -> None:
        """Has no place in a module that is not read as text."""

    def define(self, name: str, definition: Definition) -> Word:
        signal = Signal(width_of(definition), name=name)
        self._drive(signal, definition, name)
        return self._named(name, len(signal), signal)

    def vector(self, name: str, width: int, bits: Iterable[Bit | Instance], comments: Sequence[str] = ()) -> Word:
        signal = Signal(width, name=name)
        for i, bit in enumerate(bits):
            self._drive(signal[i], bit if isinstance(bit, Instance) else (bit,), f"{name}_gate{i}")
        return self._named(name, width, signal)

    def _named(self, name: str, width: int, signal: Value) -> Word:
        wire = Wire(name, width)
        self.signals[wire] = signal
        return wire.bits()

    def _drive(self, target: Value, definition: Definition, name: str) -> None:
        match definition:
            case Instance(kind, inputs):
                inner = AmaranthModule(Module(), {}, self.lut_inputs)
                inner.signals = self.signals  # Amaranth connects signals across modules by itself.
                value = self._word(kind.build(inner, "count", inputs))
                self.m.submodules[name] = inner.m
            case wires.Sum(words):
                value = reduce(add, map(self._word, words))[: len(target)]
            case wires.Choice(condition, first, second):
                value = Mux(self._bit(condition), self._word(first), self._word(second))
            case _:
                value = self._word(definition)
        self.m.d.comb += target.eq(value)

    def _word(self, word: Word) -> Value:
        return Cat(map(self._bit, word))

    def _bit(self, bit: Bit) -> Value:
        match bit:
            case Ref(wire, index):
                return self.signals[wire][index]
            case wires.Constant(value):
                return Const(value, 1)
            case Not(inner):
                return ~self._bit(inner)
            case Gate(operator, bits):
                return reduce(_OPERATORS[operator], map(self._bit, bits))
            case wires.Equal(word, number):
                return self._word(word) == Const(number, len(word))
        return self._word(bit.first) > self._word(bit.second)
