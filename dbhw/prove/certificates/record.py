"""The record of a proof, as files that others can check: both sides of every link as BLIF, and where they were cut.

A wire at which a proof was cut has one name in the files of both sides, and all that reads it reads it by that name.
So a checker takes the files as they are, and makes the named wires inputs once they are proved equal.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dbhw.prove.graphs.aig import Aig

CEC, DSEC = "cec", "dsec"  # proved by ABC: for all inputs, for all sequences of inputs
STEPS = "steps.json"


class Side(NamedTuple):
    """One side of a link: what it is called, and its graph."""

    name: str
    graph: Aig


@dataclass
class Record:
    """What is kept of a proof: files, and the links that they prove.

    >>> record = Record()
    >>> record.believed("all paths have 2 registers", "prove/clocked/")
    >>> [link["claim"] for link in record.links]
    ['all paths have 2 registers']
    """

    files: dict[str, str] = field(default_factory=dict)
    links: list[dict[str, object]] = field(default_factory=list)
    last: str = ""  # the file where the chain of links ends

    def compared(
        self,
        claim: str,
        sides: tuple[Side, Side],
        ports: tuple[Sequence[str], Sequence[str]],
        cuts: Sequence[Sequence[tuple[int, Sequence[int]]]],
        aside: bool = False,
    ) -> None:
        """Keeps two graphs of the same ports that are proved equal; `aside` of the chain from the net to the netlist.

        >>> import numpy as np
        >>> record, wire = Record(), Aig(1, np.zeros((0, 2), int), [2])
        >>> record.compared("x = x", (Side("network", wire), Side("verilog", wire)), (["x"], ["y"]), [])
        >>> sorted(record.files)
        ['network.blif', 'verilog.blif']
        """
        named = _Names(sides[0].graph.inputs)
        steps = [found for step in cuts if (found := [w for cut in step for w in named.wires(*cut)])]
        files = [self._named(side.name) for side in sides]
        for which, (side, file) in enumerate(zip(sides, files, strict=True)):
            self.files[file] = named.blif(which, side.graph, *ports)
        if not aside and self.last not in ("", files[0]):  # the same graph, with other names for its wires
            self._link(f"{self.last} = {files[0]}", CEC, self.last, files[0])
        self._link(claim, CEC, files[0], files[1], steps, aside)

    def sequences(self, claim: str, a: str, b: str, text_a: str, text_b: str) -> None:
        """Keeps two BLIF files with registers.

        >>> record = Record()
        >>> record.sequences("one clock = the other", "a", "b", ".model a", ".model b")
        >>> record.links[0]["by"]
        'dsec'
        """
        files = [self._named(a), self._named(b)]
        self.files.update(zip(files, (text_a, text_b), strict=True))
        self._link(claim, DSEC, files[0], files[1], aside=True)

    def believed(self, claim: str, by: str, a: str = "", b: str = "") -> None:
        """Keeps that something was shown by other means than ABC: by the code that is named."""
        self._link(claim, by, a, b, aside=not a)

    def all_files(self) -> dict[str, str]:
        """The files, and the links as one more.

        >>> list(Record().all_files())
        ['steps.json']
        """
        return {**self.files, STEPS: json.dumps(self.links, indent=1) + "\n"}

    def _link(
        self, claim: str, by: str, a: str, b: str, steps: Sequence[Sequence[str]] = (), aside: bool = False
    ) -> None:
        self.links.append({"claim": claim, "by": by, "a": a, "b": b, "aside": aside, "steps": steps})
        self.last = self.last if aside else b

    def _named(self, name: str) -> str:
        many = sum(file.startswith(f"{name}_") or file == f"{name}.blif" for file in self.files)
        return f"{name}_{many + 1}.blif" if many else f"{name}.blif"


class _Names:
    """Common names of wires in two graphs."""

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self.named: tuple[dict[int, tuple[str, int]], ...] = ({}, {})  # by node: its wire, and whether it is inverted
        self.driven: tuple[list[tuple[str, int]], ...] = ([], [])  # wires and the literals that they are
        self.many = 0

    def wires(self, literal: int, others: Sequence[int]) -> list[str]:
        """New wires, one for each pair of the literal with an other one of the second graph."""
        found = []
        for other in others:
            self.many += 1
            found.append(f"p{self.many}")
            for named, driven, f in zip(self.named, self.driven, (literal, other), strict=True):
                driven.append((found[-1], f))
                if f >> 1 > self.inputs:
                    named.setdefault(f >> 1, (found[-1], f & 1))
        return found

    def blif(self, which: int, graph: Aig, inputs: Sequence[str], outputs: Sequence[str]) -> str:
        """One of the graphs, in which a node that has a wire is read by its name only."""
        known = self.named[which]

        def name(f: int) -> tuple[str, int]:
            node = f >> 1
            wire, inverted = known.get(node, (f"g{node}" if node > self.inputs else ["gnd", *inputs][node], 0))
            return wire, 1 ^ inverted ^ (f & 1)  # the row of a gate that reads it: 1 if as it is

        lines = [".model graph", f".inputs {' '.join(inputs)}", f".outputs {' '.join(outputs)}", ".names gnd"]
        for node in range(1 + self.inputs, graph.nodes):
            (a, high), (b, other) = (name(f) for f in graph.reads(node))
            lines += [f".names {a} {b} g{node}", f"{high}{other} 1"]
        for wire, f in self.driven[which]:
            source, high = name(f)
            own = known.get(f >> 1, ("", 0))[0] == wire
            lines += [f".names {f'g{f >> 1}' if own else source} {wire}", f"{1 ^ f & 1 if own else high} 1"]
        for wire, f in zip(outputs, graph.outputs, strict=True):
            source, high = name(f)
            lines += [f".names {source} {wire}", f"{high} 1"]
        return "\n".join([*lines, ".end", ""])
