"""Literals over variables, with which a machine is run for all values of its data at once."""

from __future__ import annotations

from collections.abc import Sequence

from dbhw.prove.clocked.gates import model


class Symbols:
    """Literals of an and-inverter graph: 0 is false, 1 true, then variables and gates, twice their number."""

    def __init__(self) -> None:
        self.gates: dict[tuple[int, int], int] = {}
        self.reads: dict[int, tuple[int, int]] = {}
        self.names: dict[str, int] = {}
        self.made = 0

    def variable(self, name: str) -> int:
        """The variable of a name, always the same.

        >>> symbols = Symbols(); symbols.variable("a"), symbols.variable("b"), symbols.variable("a")
        (2, 4, 2)
        """
        if name not in self.names:
            self.made += 1
            self.names[name] = 2 * self.made
        return self.names[name]

    def and_(self, a: int, b: int) -> int:
        """The conjunction of two literals.

        >>> symbols = Symbols(); a = symbols.variable("a"); symbols.and_(a, 1) == a, symbols.and_(a, a ^ 1)
        (True, 0)
        """
        a, b = min(a, b), max(a, b)
        if a == 0 or a == b ^ 1:
            return 0
        if a in (1, b):
            return b
        found = self.gates.get((a, b))
        if found is None:
            self.made += 1
            found = self.gates[a, b] = 2 * self.made
            self.reads[self.made] = a, b
        return found

    def blif(self, outputs: Sequence[int], inputs: Sequence[int]) -> str:
        """A netlist of literals, named y0, y1, … in order, over variables."""
        lines, seen, pending = [".names n0"], {0, *(f >> 1 for f in inputs)}, [f >> 1 for f in outputs]
        while pending:
            node = pending.pop()
            if node not in seen and node in self.reads:
                a, b = self.reads[node]
                lines += [f".names n{a >> 1} n{b >> 1} n{node}", f"{1 - (a & 1)}{1 - (b & 1)} 1"]
                pending += [a >> 1, b >> 1]
            seen.add(node)
        for i, literal in enumerate(outputs):
            lines += [f".names n{literal >> 1} y{i}", f"{1 - (literal & 1)} 1"]
        return model([f"n{f >> 1}" for f in inputs], [f"y{i}" for i in range(len(outputs))], lines)
