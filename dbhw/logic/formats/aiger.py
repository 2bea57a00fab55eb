"""AIGER, the binary form (.aig): an and-inverter graph with the names of its ports; `read` reads text (.aag) too.

The proofs have a reader and a writer of their own (`prove/aig.py`), so that what is written here can be proved.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from dbhw.base.errors import DbhwError
from dbhw.logic.formats._assemble import Cell, Ports, assemble
from dbhw.logic.gates import to_bits
from dbhw.logic.network import AND, Network

_WHAT = "AIGER file"
_MOST, _MOST_INPUTS = 50_000_000, 1_000_000  # nodes: a hostile header may say more than memory holds


@dataclass(frozen=True)
class Graph:
    """Gates of two literals each, the larger first; node 0 is false, then come the inputs, then the gates in order."""

    inputs: list[str]
    gates: list[tuple[int, int]]
    outputs: list[tuple[int, str]]

    def header(self, kind: str) -> str:
        """The first line of a file.

        >>> Graph(["a", "b"], [(4, 2)], [(6, "y")]).header("aag")
        'aag 3 2 0 1 1'
        """
        inputs, gates = len(self.inputs), len(self.gates)
        return f"{kind} {inputs + gates} {inputs} 0 {len(self.outputs)} {gates}"

    def symbols(self) -> str:
        """The names of the ports, as they end a file.

        >>> Graph(["a"], [], [(2, "y")]).symbols()
        'i0 a\\no0 y\\n'
        """
        named = [f"i{i} {_one_line(name)}" for i, name in enumerate(self.inputs)]
        named += [f"o{i} {_one_line(name)}" for i, (_, name) in enumerate(self.outputs)]
        return "\n".join([*named, ""])


def write(network: Network) -> bytes:
    """The network as a binary AIGER file.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b ^ 1])])
    >>> write(n)
    b'aig 3 2 0 1 1\\n6\\n\\x01\\x03i0 a\\ni1 b\\no0 y\\n'
    """
    graph = to_graph(network)
    coded = bytearray("\n".join([graph.header("aig"), *(str(f) for f, _ in graph.outputs), ""]).encode())
    for i, (larger, smaller) in enumerate(graph.gates, 1 + len(graph.inputs)):
        for number in (2 * i - larger, larger - smaller):
            while number > 127:
                coded.append(number & 127 | 128)
                number >>= 7
            coded.append(number)
    return bytes(coded) + graph.symbols().encode()


def to_graph(network: Network) -> Graph:
    """The network as an and-inverter graph.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.xor([a, b])])
    >>> len(to_graph(n).gates)
    3
    """
    plain = to_bits(network)
    gates: list[tuple[int, int]] = []
    made: dict[tuple[int, int], int] = {}
    literals = {node: 2 * node for node in (0, *plain.inputs())}

    def both(a: int, b: int) -> int:
        key = (max(a, b), min(a, b))
        if key not in made:
            gates.append(key)
            made[key] = 2 * (len(plain.input_names) + len(gates))
        return made[key]

    def differ(a: int, b: int) -> int:
        return both(both(a, b ^ 1) ^ 1, both(a ^ 1, b) ^ 1) ^ 1

    for node in plain.needed():
        read = [literals[f >> 1] ^ (f & 1) for f in plain.fanin(node)]
        join = both if plain.kinds[node] == AND else differ
        while len(read) > 1:  # neighbours in pairs: the depth is logarithmic
            read = [join(*read[i : i + 2]) if i + 1 < len(read) else read[i] for i in range(0, len(read), 2)]
        literals[node] = read[0]
    outputs = [(literals[m >> 1] ^ (m & 1), name) for m, name in output_bits(plain)]
    return Graph(list(plain.input_names), gates, outputs)


def output_bits(network: Network) -> list[tuple[int, str]]:
    """The literals of all outputs of a network of bits, each with its name.

    >>> n = Network(); a = n.input("a"); n.output("y", [a, a ^ 1]); n.output("z", [a])
    >>> output_bits(n)
    [(2, 'y[0]'), (3, 'y[1]'), (2, 'z')]
    """
    return [
        (member, f"{output.name}[{i}]" if len(output.members) > 1 else output.name)
        for output in network.outputs
        for i, member in enumerate(output.members)
    ]


def read(data: bytes) -> Network:
    """The network of an AIGER file, binary or text, without latches.

    >>> read(b"aag 3 2 0 1 1\\n2\\n4\\n7\\n6 2 4\\ni0 a\\n").input_names
    ['a', 'i1']
    """
    head, _, rest = data.partition(b"\n")
    words = head.split()
    if len(words) < 6 or words[0] not in (b"aig", b"aag") or not all(w.isdigit() and len(w) < 12 for w in words[1:]):
        raise DbhwError(f"{_WHAT} must begin with aig or aag and five numbers, not {head[:40]!r}")
    most, inputs, latches, outputs, gates, *more = (int(word) for word in words[1:])
    if latches or any(more):
        raise DbhwError(f"{_WHAT} must be combinational, but it has {latches} latches and {sum(more)} properties")
    if (
        most > _MOST
        or inputs > _MOST_INPUTS
        or inputs + gates > most
        or (words[0] == b"aig" and inputs + gates != most)
    ):
        raise DbhwError(f"{_WHAT} must have as many nodes as inputs and gates, not {most} for {inputs} and {gates}")
    try:
        return (_binary if words[0] == b"aig" else _text)(rest, inputs, outputs, gates)
    except (ValueError, IndexError, StopIteration) as wrong:
        if isinstance(wrong, DbhwError):
            raise
        raise DbhwError(f"{_WHAT} must be whole, but it is cut short or damaged") from wrong


def _binary(data: bytes, inputs: int, outputs: int, gates: int) -> Network:
    *lines, rest = data.split(b"\n", outputs)
    shown = [int(line) for line in lines]
    if len(lines) != outputs or 2 * gates > len(rest):
        raise ValueError
    numbers = _Numbers(rest)
    read: list[tuple[int, int, int]] = []
    for i in range(1 + inputs, 1 + inputs + gates):
        larger = 2 * i - numbers.next()
        smaller = larger - numbers.next()
        if not 0 <= smaller <= larger < 2 * i:
            raise ValueError
        read.append((2 * i, larger, smaller))
    return _network(range(2, 2 * inputs + 2, 2), shown, read, rest[numbers.at :])


class _Numbers:
    """Whole numbers, seven bits in a byte, the lowest first; `at` is where the next one begins."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def next(self) -> int:
        value = shift = 0
        while shift < 70:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
        raise ValueError


def _text(data: bytes, inputs: int, outputs: int, gates: int) -> Network:
    many = inputs + outputs + gates
    *lines, rest = data.split(b"\n", many)
    if len(lines) != many:
        raise ValueError
    rows = [[int(word) for word in line.split()] for line in lines]
    ones, threes = rows[: inputs + outputs], rows[inputs + outputs :]
    if any(len(row) != 1 for row in ones) or any(len(row) != 3 for row in threes) or any(min(row) < 0 for row in rows):
        raise ValueError
    if any(row[0] & 1 or row[0] < 2 for row in (*ones[:inputs], *threes)):
        raise ValueError
    return _network(
        [row[0] for row in ones[:inputs]], [row[0] for row in ones[inputs:]], [(*row,) for row in threes], rest
    )


def _network(
    inputs: Sequence[int], outputs: Sequence[int], gates: Sequence[tuple[int, ...]], symbols: bytes
) -> Network:
    named = dict(_symbols(symbols))
    ports = Ports(
        [named.get(f"i{i}", f"i{i}") for i in range(len(inputs))],
        [named.get(f"o{i}", f"o{i}") for i in range(len(outputs))],
    )
    cells: dict[Hashable, Cell] = {0: Cell([], lambda network, _: network.or_([]))}
    driven = {literal >> 1 for literal in inputs}
    if len(driven) != len(inputs):
        raise ValueError
    for made, a, b in gates:
        if made >> 1 in driven or made >> 1 in cells:
            raise DbhwError(f"{_WHAT} must drive each node once, but node {made >> 1} is driven twice")
        cells[made >> 1] = _gate(a, b)
    # An output may be inverted: it is a wire of its own, named so that it is no node's number.
    shown = [f"output {i}" for i in range(len(outputs))]
    cells.update((wire, _gate(literal, 1)) for wire, literal in zip(shown, outputs, strict=True))
    return assemble(_WHAT, ports, [literal >> 1 for literal in inputs], shown, cells)


def _gate(a: int, b: int) -> Cell:
    return Cell([a >> 1, b >> 1], lambda network, read: network.and_([read[0] ^ (a & 1), read[1] ^ (b & 1)]))


def _symbols(data: bytes) -> Iterator[tuple[str, str]]:
    for line in data.decode("utf-8", "replace").splitlines():
        kind, _, name = line.partition(" ")
        if line == "c":
            return
        if kind[:1] in ("i", "o") and kind[1:].isdigit() and name:
            yield f"{kind[0]}{int(kind[1:])}", name


def _one_line(name: str) -> str:
    return " ".join(name.split()) or "_"
