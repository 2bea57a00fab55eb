"""BLIF, a netlist of gates: straight from the meaning of the network's nodes; `read` reads any model of `.names`.

It is one side of the proofs, so it shares no code with `rtl`, nor with the other formats, which are made of the gates
of `logic/gates.py`. What it exports is checked against theirs: what checks and what makes stay apart. Counts are plain
ripple adders, bracketed as the hardware for look-up tables of `lut_inputs` inputs is; `prove/equivalence.py` says why.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import count as numbers

from dbhw.logic.formats._blif_read import read as read
from dbhw.logic.linear import Linear
from dbhw.logic.network import COUNT, SUM, Network
from dbhw.logic.visit import Visitor

_FALSE, _TRUE = "gnd", "vcc"


def write(network: Network, lut_inputs: int = 6) -> str:
    """The network as a gate-level netlist in BLIF, with the port names that the emitted Verilog has.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b])])
    >>> ".names x[0] x[1]" in write(n)
    True
    """
    return _Blif(network, lut_inputs).text()


class _Blif(Visitor[list[str]]):
    """The names of every node's binary digits, lowest first; a bit has one."""

    def __init__(self, network: Network, lut_inputs: int) -> None:
        super().__init__(network)
        self.lut_inputs = lut_inputs
        self.lines: list[str] = []
        self.fresh = numbers()
        self.inputs = bit_names("x", len(network.input_names))
        self.digits: dict[int, list[str]] = {0: [_FALSE]}
        self.digits.update((node, [name]) for node, name in zip(network.inputs(), self.inputs, strict=True))
        self.forms: dict[int, dict[int, int]] = {}  # of counts and sums: the coefficient of each bit; by 0 the constant
        self.ranges: dict[int, tuple[int, int]] = {}  # of counts and sums: the least and the largest value
        for node in network.needed():
            self.digits[node] = self.visit(node)

    def text(self) -> str:
        outputs: list[str] = []
        for output in self.network.outputs:
            if output.kind == "bits":
                values = [self._literal(m) for m in output.members]
            else:
                values = [b for m in output.members for b in _widened(self.digits[m], output.width)]
            names = bit_names(output.name, len(values))
            outputs += names
            for name, value in zip(names, values, strict=True):
                self.lines += [f".names {value} {name}", "1 1"]
        head = [".model network", f".inputs {' '.join(self.inputs)}", f".outputs {' '.join(outputs)}"]
        return "\n".join([*head, f".names {_FALSE}", f".names {_TRUE}", "1", *self.lines, ".end", ""])

    def _gate(self, inputs: Sequence[str], rows: list[str]) -> str:
        name = f"n{next(self.fresh)}"
        self.lines += [f".names {' '.join([*inputs, name])}", *(f"{row} 1" for row in rows)]
        return name

    def _literal(self, literal: int) -> str:
        name = self.digits[literal >> 1][0]
        if literal <= 1:
            return _TRUE if literal else _FALSE
        return self._gate([name], ["0"]) if literal & 1 else name

    def conjunction(self, node: int, literals: Sequence[int]) -> list[str]:
        names = [self.digits[f >> 1][0] for f in literals]
        return [self._gate(names, ["".join("0" if f & 1 else "1" for f in literals)])]

    def parity(self, node: int, literals: Sequence[int]) -> list[str]:
        value, *others = (self._literal(f) for f in literals)
        for other in others:
            value = self._gate([value, other], ["01", "10"])
        return [value]

    def table(self, node: int, table: int, literals: Sequence[int]) -> list[str]:
        n = len(literals)
        rows = ["".join(str(i >> j & 1) for j in range(n)) for i in range(1 << n) if table >> i & 1]
        return [self._gate([self._literal(f) for f in literals], rows)]

    def count(self, node: int, linear: Linear) -> list[str]:
        self.forms[node], self.ranges[node] = {0: linear.constant, **linear.coefficients}, linear.bounds()
        signed = sorted(linear.coefficients.items(), key=lambda term: abs(term[1]))
        weighed = [(_TRUE, max(linear.bounds()[0], 0))]
        weighed += [(self._literal(source * 2), c) for source, c in signed if c > 0]
        weighed += [(self._literal(source * 2 + 1), -c) for source, c in signed if c < 0]
        return self._in_pairs(weighed) if self.lut_inputs == 4 else self._in_sixes(weighed)

    def _in_pairs(self, weighed: list[tuple[str, int]]) -> list[str]:
        total: list[str] = []
        most = 0
        for place in range(max(weight for _, weight in weighed).bit_length()):
            bits = [bit for bit, weight in weighed if weight & 1 << place]
            most += len(bits) << place
            # The digits below this place are final; those above are added to its bits, one of which is the carry in.
            below, above = _widened(total, place)[:place], total[place:]
            first = bits[:1] if above and len(bits) > 1 else []
            if bits:
                total = (below + self._sum(above, self._population(bits[len(first) :]), first))[: most.bit_length()]
        return total or [_FALSE]

    def _in_sixes(self, weighed: list[tuple[str, int]]) -> list[str]:
        """Bits of one place are added to three digits, six at a time, and what is carried is added three places up."""
        most = sum(weight for _, weight in weighed)
        places: list[list[str]] = [[] for _ in range(most.bit_length() + 3)]
        for bit, weight in weighed:
            for j in range(weight.bit_length()):
                if weight >> j & 1:
                    places[j].append(bit)
        for j in range(most.bit_length()):
            for k, digit in enumerate(self._three_digits(places[j], places[j + 3])):
                places[j + k] = [*places[j + k], digit] if k else [digit]
        return [place[0] if place else _FALSE for place in places[: most.bit_length()]] or [_FALSE]

    def _three_digits(self, bits: list[str], carried: list[str]) -> list[str]:
        """The number of high bits below 8, and in `carried` a bit for every 8 more: runs of 55, then pairs of runs."""
        merged = len(bits) // 56
        pairs = max(min(merged, len(bits) - 1 - 55 * merged), 0)
        runs = [bits[i : i + 55] for i in range(pairs, len(bits), 55)]
        straight = [1 + (len(run) + 4) // 6 for run in runs]
        start, rest = pairs, pairs + sum(straight)
        totals = []
        for run, many in zip(runs, straight, strict=True):
            total, most = [bits[start]], 1
            others = bits[rest : rest + len(run) - many]
            for i in range(1, many):
                end = len(others) - 5 * (many - 1 - i)
                group = [bits[start + i], *others[max(end - 5, 0) : end]]
                most = min(most, 7) + len(group)
                total = self._sum(total, self._few(group[1:]), group[:1])[: most.bit_length()]
                carried += total[3:]
                total = total[:3]
            totals.append(total)
            start, rest = start + many, rest + len(others)
        for i in range(len(runs) - 1):
            added = self._sum(totals[0], totals[1], bits[i:pairs][:1])
            carried += added[3:4]
            totals = [*totals[2:], added[:3]]
        return totals[0] if totals else []

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> list[str]:
        self.forms[node], self.ranges[node] = self._form(parts, constant)
        return self._added_up(node, parts, constant)

    def at_least(self, node: int, integer: int, k: int) -> list[str]:
        low, high = self.ranges[integer]
        if not low < k <= high:
            return [_TRUE if k <= low else _FALSE]
        reached = _TRUE
        number, code = self._rising(integer, k)
        for j, digit in enumerate(number):
            reached = self._gate([digit, reached], ["11"] if code >> j & 1 else ["1-", "-1"])
        return [reached]

    def exactly(self, node: int, integer: int, k: int) -> list[str]:
        low, high = self.ranges[integer]
        if not low <= k <= high:
            return [_FALSE]
        number, code = self._rising(integer, k)
        return [self._gate(number, ["".join(str(code >> j & 1) for j in range(len(number)))])]

    def argmax(self, node: int, integers: Sequence[int]) -> list[str]:
        """A tournament of neighbours, as the hardware plays it; the lower index wins ties."""
        scores = [self.digits[i] for i in integers]
        width = max(map(len, scores))
        index_width = max((len(scores) - 1).bit_length(), 1)
        players = [(_widened(_constant(i), index_width), _widened(s, width)) for i, s in enumerate(scores)]
        while len(players) > 1:
            pairs = list(zip(players[::2], players[1::2], strict=False))
            players = [self._winner(*pair) for pair in pairs] + players[len(pairs) * 2 :]
        return players[0][0]

    def _form(self, parts: Sequence[tuple[int, int]], constant: int) -> tuple[dict[int, int], tuple[int, int]]:
        """The coefficient of every bit in a sum of parts, and so its least and its largest value."""
        form = {0: constant}
        for source, factor in parts:
            for bit, c in self.forms[source].items():
                form[bit] = form.get(bit, 0) + factor * c
        counted = [c for bit, c in form.items() if bit]
        return form, (form[0] + sum(c for c in counted if c < 0), form[0] + sum(c for c in counted if c > 0))

    def _added_up(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> list[str]:
        """A sum of parts in two's complement: subtracted parts come last, then the constant."""
        shifted: list[tuple[bool, int, int]] = []  # subtracted or not, shifted by how many places, which part
        for source, c in parts:
            constant += c * self._offset(source)
            shifted += [(c < 0, place, source) for place in range(abs(c).bit_length()) if abs(c) >> place & 1]
        low, high = self.ranges[node]
        width = max(high.bit_length(), (~low).bit_length()) + 1 if low < 0 else max(high.bit_length(), 1)
        digits = [_TRUE if constant >> j & 1 else _FALSE for j in range(width)]
        all_negative = all(negative for negative, _, _ in shifted)
        total = digits if all_negative else []
        for negative, place, source in sorted(shifted):
            part = [*[_FALSE] * place, *self._signed(source, width)][:width]
            if negative:
                total = self._sum(total, [self._gate([digit], ["0"]) for digit in part], [_TRUE])[:width]
            else:
                total = self._sum(total, part, [])[:width] if total else part
        return total if all_negative or not constant else self._sum(total, digits, [])[:width]

    def _signed(self, node: int, width: int) -> list[str]:
        """A part's digits, extended to a width: by its sign if it has one."""
        own = self.digits[node]
        above = own[-1] if self._has_sign(node) else _FALSE
        return own + [above] * (width - len(own))

    def _offset(self, node: int) -> int:
        """What the digits of a number lack: those of a count start at its least value, if that is negative."""
        return min(self.ranges[node][0], 0) if self.network.kinds[node] == COUNT else 0

    def _has_sign(self, node: int) -> bool:
        return self.network.kinds[node] == SUM and self.ranges[node][0] < 0

    def _rising(self, integer: int, k: int) -> tuple[list[str], int]:
        """The digits of a number, and those of k, as unsigned numbers of the same order."""
        number = self.digits[integer]
        if self._has_sign(integer):
            return [*number[:-1], self._gate([number[-1]], ["0"])], k + (1 << len(number) - 1)
        return number, k - self._offset(integer)

    def _population(self, bits: list[str]) -> list[str]:
        """How many bits are high: counted in groups; the two smallest and a further bit are added, and so on."""
        ahead = len(bits) // 4
        groups = [bits[i : i + 3] for i in range(ahead, len(bits), 3)]
        carried = bits[:ahead]
        if len(groups) == ahead:
            groups[-1] = [*groups[-1], carried.pop()]
        sums = [(len(group), i, self._few(group)) for i, group in enumerate(groups)]
        heapq.heapify(sums)
        for i, bit in enumerate(carried, len(groups)):
            (many, _, a), (more, _, b) = heapq.heappop(sums), heapq.heappop(sums)
            most = many + more + 1
            heapq.heappush(sums, (most, i, self._sum(a, b, [bit])[: most.bit_length()]))
        return sums[0][2]

    def _few(self, bits: list[str]) -> list[str]:
        total: list[str] = []
        for bit in bits:
            total = self._sum(total, [], [bit])
        return total[: len(bits).bit_length()]

    def _sum(self, a: list[str], b: list[str], carry_in: list[str]) -> list[str]:
        width = max(len(a), len(b))
        total, carry = [], carry_in[0] if carry_in else _FALSE
        for p, q in zip(_widened(a, width), _widened(b, width), strict=True):
            total.append(self._gate([p, q, carry], ["100", "010", "001", "111"]))
            carry = self._gate([p, q, carry], ["11-", "1-1", "-11"])
        return [*total, carry]

    def _winner(
        self, low: tuple[list[str], list[str]], high: tuple[list[str], list[str]]
    ) -> tuple[list[str], list[str]]:
        larger = _FALSE
        for a, b in zip(low[1], high[1], strict=True):
            larger = self._gate([a, b, larger], ["01-", "0-1", "-11"])
        index, score = (
            [self._gate([larger, a, b], ["01-", "1-1"]) for a, b in zip(low[i], high[i], strict=True)] for i in (0, 1)
        )
        return index, score


def bit_names(port: str, width: int) -> list[str]:
    """What Yosys calls the bits of a port.

    >>> bit_names("x", 2), bit_names("y", 1)
    (['x[0]', 'x[1]'], ['y'])
    """
    return [port] if width == 1 else [f"{port}[{i}]" for i in range(width)]


def _constant(value: int) -> list[str]:
    return [_TRUE if value >> j & 1 else _FALSE for j in range(max(value.bit_length(), 1))]


def _widened(digits: list[str], width: int) -> list[str]:
    return digits + [_FALSE] * (width - len(digits))
