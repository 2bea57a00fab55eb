"""The machine of a folded core, run on symbols: what it does in every cycle, for all inputs and from every state.

The machine is read as gates, with its slice and its tail left out: what they give are free variables. Its control
registers, on which the handshake depends, are followed through all states that they reach from the start. Data are
literals of an and-inverter graph, and are free in the state in which an input is taken: whatever they are then, the
rules below hold. So they hold for every input, whatever came before.

1. The handshake is that of a core that takes one input, works for N + 1 cycles, and then offers its outputs until they
   are taken.
2. In the cycle in which an input is taken, row 0 of the ROM is read, and in cycle c row c.
3. In cycle c, up to N, the slice gets the window of the input, rotated c - 1 times, and the row that was read last.
4. What the slice gave in one cycle is added to totals in the next, from cycle 2 on. They start at 0. Or it is collected
   bit by bit. The tail gets the result.
5. While nothing is at work, what the tail gets does not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from dbhw.prove.clocked.gates import READS, Wire, is_register
from dbhw.prove.fold.module import Module
from dbhw.prove.fold.symbols import Symbols

State = tuple[int, ...]  # the values of the control registers
_INPUTS = ("rst", "x_valid", "y_ready")


@dataclass(frozen=True)
class Rules:
    """What a machine should do. The places are those of the input's bits that the slice gets in the first cycle."""

    cycles: int
    window: tuple[int, ...]
    step: int
    inputs: int
    units: int
    widths: tuple[int, ...]  # of the totals; empty if bits are collected
    field: int  # the width of what is added to each total, or how many bits are collected in a cycle
    last: bool  # whether the slice is told that it is the last one


class Machine:
    """A machine under proof. Every check says what is wrong in words, or nothing."""

    def __init__(self, module: Module, rules: Rules, slice_name: str, tail_name: str) -> None:
        self.module, self.rules = module, rules
        self.slice, self.tail = module.instances[slice_name], module.instances[tail_name]
        self.given = self.slice["totals" if rules.widths else "bits"]
        self.symbols = Symbols()
        self.registers = [wire for wire, (kind, _) in module.drivers.items() if is_register(kind)]
        self.control = self._control()
        self.sums: set[tuple[int, ...]] = set()  # what the totals become, of what they were and what is given

    def _control(self) -> list[Wire]:
        """The registers on which the handshake depends, now or later."""
        found: list[Wire] = []
        pending, seen = [*self.module.port("x_ready"), *self.module.port("y_valid")], set()
        while pending:
            wire = pending.pop()
            kind, pins = self.module.drivers.get(wire, ("", {}))
            if wire in seen or kind not in READS:
                continue
            seen.add(wire)
            found += [wire] * is_register(kind)
            pending += [pins[p] for p in (*READS[kind], "E") if p in pins]
        return found

    def first_fault(self) -> str:
        """What is wrong with the machine; nothing if it follows the rules, provided that its totals add up."""
        clock = self.module.port("clk")
        if any([self.module.drivers[r][1]["C"]] != clock for r in self.registers):
            return "a register is on another clock"
        if any(self.module.starts.get(r) not in ("0", "1") for r in self.control):
            return "the handshake does not start in a known state"
        paired, fault = self._handshake()
        return fault or next((f for f in self._data(paired) if f), "")

    def _handshake(self) -> tuple[list[tuple[State, tuple[int, int]]], str]:
        """All states of the control registers, with what the rules say they stand for: the cycle, and whether valid."""
        start = tuple(int(self.module.starts[r]) for r in self.control), (0, 0)
        seen, pending = {start}, [start]
        while pending:
            state, (cycle, valid) = pending.pop()
            for values in product((0, 1), repeat=len(_INPUTS)):
                frame = _Frame(self, self._with_control(state), dict(zip(_INPUTS, values, strict=True)))
                ready, following = _rule(self.rules.cycles + 1, cycle, valid, *values)
                if frame.port("x_ready") != [ready] or frame.port("y_valid") != [valid]:
                    return [], f"the handshake is wrong in cycle {cycle}"
                pair = tuple(frame.following(r) for r in self.control), following
                if len(seen) > 4 * (self.rules.cycles + 2) or any(v > 1 for v in pair[0]):
                    return [], "the handshake depends on data"
                if pair not in seen:
                    seen.add(pair)
                    pending.append(pair)
        return sorted(seen), ""

    def _with_control(self, state: State) -> dict[Wire, int]:
        return dict(zip(self.control, state, strict=True))

    def _data(self, paired: Iterable[tuple[State, tuple[int, int]]]) -> Iterator[str]:
        idle = [(state, valid) for state, (cycle, valid) in paired if cycle == 0]
        tails = [f"tail{i}" for i in range(len(self.tail["x"]))]
        for (state, valid), taking, ready in product(idle, (0, 1), (0, 1)):
            frame = _Frame(self, self._with_control(state), {"rst": 0, "x_valid": taking, "y_ready": ready})
            if taking and (ready or not valid):
                yield from self._run(frame)
            elif [frame.following(w) for w in self.tail["x"]] != [frame.value(w) for w in self.tail["x"]]:
                yield "what the tail gets changes while nothing is at work"
        names = [port for port in self.module.data["ports"] if port in self.tail and port != "x"]
        if any(self.module.port(name) != self.tail[name] for name in names) or not tails:
            yield "an output is not the tail's"

    def _run(self, frame: _Frame) -> Iterator[str]:
        """From the cycle in which an input is taken to that in which its outputs are valid."""
        rules, symbols = self.rules, self.symbols
        expected = [symbols.variable(f"x{i}") for i in range(rules.inputs)]
        for cycle in range(rules.cycles + 2):
            if cycle < rules.cycles and _number(frame.port("row")) != cycle % (1 << len(self.module.port("row"))):
                yield f"another row than {cycle} is read"
            if 0 < cycle <= rules.cycles:
                yield self._slice_fault(frame, cycle, expected)
            state = {r: frame.following(r) for r in self.registers}
            if rules.widths:
                yield self._totals_fault(state, cycle)
            frame = _Frame(self, state, {"rst": 0}, cycle + 1)
        if not rules.widths:
            count, lanes = rules.units, rules.field
            collected = [symbols.variable(f"given{1 + u // lanes}_{u % lanes}") for u in range(count)]
            if [frame.value(w) for w in self.tail["x"]] != collected:
                yield "what the tail gets is not what the slices gave"

    def _slice_fault(self, frame: _Frame, cycle: int, x: Sequence[int]) -> str:
        rules = self.rules
        moved = [x[(place + (cycle - 1) * rules.step) % rules.inputs] for place in rules.window]
        if [frame.value(w) for w in self.slice["x"]] != moved:
            return f"the slice gets wrong inputs in cycle {cycle}"
        if self.slice["weights"] != self.module.port("weights"):
            return "the slice gets other weights than those of the ROM"
        last = [frame.value(w) for w in self.slice.get("last", [])]
        return "" if last == [int(cycle == rules.cycles)] * rules.last else f"the slice is told {last} in cycle {cycle}"

    def _totals_fault(self, state: dict[Wire, int], cycle: int) -> str:
        """Notes what the totals become, and goes on from any totals: the rule holds in each cycle by itself."""
        if any(wire not in state for wire in self.tail["x"]):
            return "the tail gets something else than totals"
        values = [state[wire] for wire in self.tail["x"]]
        self._keep(state, cycle)
        if cycle < 2:
            return "totals do not start at 0" if any(values) else ""
        self.sums.add(tuple(values))
        return ""

    def _keep(self, state: dict[Wire, int], cycle: int) -> None:
        """Names what was given in this cycle as kept; what else is not part of the input is forgotten."""
        symbols = self.symbols
        kept = {symbols.variable(f"given_{i}"): symbols.variable(f"kept_{i}") for i in range(len(self.given))}
        known = {0, 1, *(symbols.variable(f"x{i}") for i in range(self.rules.inputs))}
        totals = {wire: symbols.variable(f"total_{i}") for i, wire in enumerate(self.tail["x"])}
        for wire in set(state) - set(self.control) - set(totals):
            if state[wire] in kept:
                state[wire] = kept[state[wire]]
            elif state[wire] not in known:
                state[wire] = symbols.variable(f"{wire} after {cycle}")
        if cycle:
            state.update(totals)

    def adders(self) -> tuple[list[int], list[int]]:
        """The inputs that totals are sums of, and these sums as plain ripple adders."""
        symbols, rules = self.symbols, self.rules
        many = sum(rules.widths)
        totals = [symbols.variable(f"total_{i}") for i in range(many)]
        given = [symbols.variable(f"kept_{i}") for i in range(len(self.given))]
        made: list[int] = []
        for i, width in enumerate(rules.widths):
            first = len(made)
            part = given[i * rules.field : (i + 1) * rules.field][:width]
            made += _sum(symbols, totals[first : first + width], part + [0] * (width - len(part)))
        return totals + given, made


class _Frame:
    """One cycle: the values of all wires, of what the registers hold. Ports that are not given are free."""

    def __init__(self, machine: Machine, state: dict[Wire, int], ports: dict[str, int], cycle: int = 0) -> None:
        self.machine, self.cycle = machine, cycle
        self.values: dict[Wire, int] = {"0": 0, "1": 1, **state}
        for name in (*_INPUTS, "x", "weights"):
            for i, wire in enumerate(machine.module.port(name)):
                free = f"{name}{i}" if not cycle else f"{name}{i} in {cycle}"
                self.values[wire] = ports[name] if name in ports else machine.symbols.variable(free)
        for i, wire in enumerate(machine.given):
            name = f"given_{i}" if machine.rules.widths else f"given{cycle}_{i}"
            self.values[wire] = machine.symbols.variable(name)

    def port(self, name: str) -> list[int]:
        return [self.value(wire) for wire in self.machine.module.port(name)]

    def following(self, register: Wire) -> int:
        """What a register, or what stands for one, holds in the next cycle."""
        kind, pins = self.machine.module.drivers.get(register, ("", {}))
        if not is_register(kind):
            return -1
        value = self.value(pins["D"])
        if "E" not in pins:
            return value
        enable, now, symbols = self.value(pins["E"]), self.value(register), self.machine.symbols
        if value == now:
            return now
        return symbols.and_(symbols.and_(enable, value) ^ 1, symbols.and_(enable ^ 1, now) ^ 1) ^ 1

    def value(self, root: Wire) -> int:
        """The literal of a wire; a register that is not in the state, or a wire that nothing drives, is free."""
        values, drivers, symbols = self.values, self.machine.module.drivers, self.machine.symbols
        stack = [root]
        while stack:
            wire = stack[-1]
            if wire in values:
                stack.pop()
                continue
            kind, pins = drivers.get(wire, ("", {}))
            if kind not in READS or is_register(kind):
                values[wire] = symbols.variable(f"free {wire}")
                continue
            needed = [pins[p] for p in READS[kind] if pins[p] not in values]
            if needed:
                stack += needed
                continue
            read = [values[pins[p]] for p in READS[kind]]
            values[wire] = read[0] ^ 1 if kind == "$_NOT_" else symbols.and_(*read)
        return values[root]


def _rule(cycles: int, cycle: int, valid: int, rst: int, x_valid: int, y_ready: int) -> tuple[int, tuple[int, int]]:
    """Whether an input can be taken, and the cycle and whether outputs are valid thereafter."""
    ready = int(not rst and cycle == 0 and (not valid or bool(y_ready)))
    if rst:
        return ready, (0, 0)
    if cycle:
        return ready, (0, 1) if cycle == cycles else (cycle + 1, 0)
    return ready, (1, 0) if ready and x_valid else (0, valid & (1 - y_ready))


def _number(literals: Sequence[int]) -> int:
    """A number of constant bits; -1 if they are not constant."""
    return -1 if any(f > 1 for f in literals) else sum(f << i for i, f in enumerate(literals))


def _sum(symbols: Symbols, a: Sequence[int], b: Sequence[int]) -> list[int]:
    carry, made = 0, []
    for one, other in zip(a, b, strict=True):
        both, either = symbols.and_(one, other), symbols.and_(one ^ 1, other ^ 1) ^ 1
        half = symbols.and_(both ^ 1, either)
        passed = symbols.and_(half, carry)
        made.append(symbols.and_(passed ^ 1, symbols.and_(half ^ 1, carry ^ 1) ^ 1))
        carry = symbols.and_(both ^ 1, passed ^ 1) ^ 1
    return made
