"""Reading BLIF: one model of `.names` covers, as Yosys, ABC and other tools write it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from dbhw.base.errors import DbhwError
from dbhw.logic.formats._assemble import Cell, Ports, assemble
from dbhw.logic.network import Network

_WHAT = "BLIF file"
_WIDEST_TABLE = 8  # inputs; wider covers become a disjunction of conjunctions
_REFUSED = {
    ".latch": "be combinational, but it has a latch",
    ".mlatch": "be combinational, but it has a latch",
    ".subckt": "be flat, but it has a black box (.subckt)",
    ".gate": "be of .names only, but it has a cell of a library (.gate)",
    ".exdc": "have no external don't-cares, but it has .exdc",
}
_OF_NO_MEANING = (".area", ".delay", ".cname", ".attr", ".param", ".default_input_arrival", ".default_output_required")


@dataclass
class _Parsed:
    models: int = 0
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    covers: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)  # by output: inputs and rows


def read(text: str) -> Network:
    """The network of a BLIF file. Bits with names such as `a[0]` are buses.

    >>> n = read(".model m\\n.inputs a[0] a[1]\\n.outputs y\\n.names a[0] a[1] y\\n11 1\\n.end\\n")
    >>> n.input_names, n.outputs[0].name, n.outputs[0].members == (n.and_([2, 4]),)
    (['a[0]', 'a[1]'], 'y', True)
    """
    parsed = _Parsed()
    rows: list[str] = []
    for number, words in _lines(text):
        if not words[0].startswith("."):
            if not parsed.covers:
                raise DbhwError(f"{_WHAT} must have a command such as .names in line {number}, not {words[0]!r:.40}")
            rows.append(" ".join(words))
        elif words[0] == ".end":
            break
        else:
            rows = _command(parsed, number, words)
    if not parsed.models:
        raise DbhwError(f"{_WHAT} must begin with .model, but it does not")
    cells: dict[Hashable, Cell] = {name: _cell(name, *cover) for name, cover in parsed.covers.items()}
    for name in parsed.inputs:
        if name in cells:
            raise DbhwError(f"{_WHAT} must drive each wire once, but input {name!r:.60} is driven too")
    return assemble(_WHAT, Ports(parsed.inputs, parsed.outputs), parsed.inputs, parsed.outputs, cells)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """The words of each line with its number, without comments; lines that end in a backslash are joined."""
    joined: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        plain = line.partition("#")[0].rstrip()
        joined += plain.removesuffix("\\").split()
        if joined and not plain.endswith("\\"):
            yield number, joined
            joined = []
    if joined:
        yield number, joined


def _command(parsed: _Parsed, number: int, words: list[str]) -> list[str]:
    """Takes a command in; the rows that follow go into the list that is returned."""
    name, *rest = words
    if name in _REFUSED:
        raise DbhwError(f"{_WHAT} must {_REFUSED[name]} in line {number}")
    if name == ".model":
        parsed.models += 1
        if parsed.models > 1:
            raise DbhwError(f"{_WHAT} must have one model, but line {number} begins another")
    elif name in (".inputs", ".outputs"):
        (parsed.inputs if name == ".inputs" else parsed.outputs).extend(rest)
    elif name == ".names" and rest:
        if rest[-1] in parsed.covers:
            raise DbhwError(f"{_WHAT} must drive each wire once, but {rest[-1]!r:.60} is driven again in line {number}")
        parsed.covers[rest[-1]] = rest[:-1], []
        return parsed.covers[rest[-1]][1]
    elif name not in _OF_NO_MEANING:
        raise DbhwError(f"{_WHAT} must have known commands only, not {name!r:.40} in line {number}")
    return []


def _cell(name: str, inputs: list[str], rows: list[str]) -> Cell:
    cubes, values = [], set()
    for row in rows:
        *pattern, value = row.split() if inputs else ["", row]
        cube = "".join(pattern)
        if len(pattern) != 1 or len(cube) != len(inputs) or set(cube) - set("01-") or value not in ("0", "1"):
            raise DbhwError(
                f"{_WHAT} must have rows of {len(inputs)} signs 0, 1 or - for {name!r:.40}, not {row!r:.60}"
            )
        cubes.append(cube)
        values.add(value)
    if len(values) > 1:
        raise DbhwError(f"{_WHAT} must have rows of one value for {name!r:.40}, not of both")
    inverted = values == {"0"}
    return Cell(inputs, lambda network, read: _cover(network, cubes, read) ^ inverted)


def _cover(network: Network, cubes: Sequence[str], read: list[int]) -> int:
    if len(read) <= _WIDEST_TABLE:
        table = sum(1 << i for i in range(1 << len(read)) if any(_matches(cube, i) for cube in cubes))
        return network.lut(table, read)
    return network.or_(
        network.and_(f ^ (sign == "0") for f, sign in zip(read, cube, strict=True) if sign != "-") for cube in cubes
    )


def _matches(cube: str, i: int) -> bool:
    return all(sign == "-" or int(sign) == i >> j & 1 for j, sign in enumerate(cube))
