"""Shapes: the few functions that the nodes of a large net are, each compiled once and called for many nodes.

A net of a million nodes takes a compiler too long, but its nodes are alike: majorities of fifteen bits, three of them
complemented, say. A shape is a kind and its numbers. In C it is a function that goes through a list of calls; a call is
the offsets in memory of what it makes and of what it reads.
"""

from __future__ import annotations

from collections.abc import Sequence

from dbhw.logic.formats import c
from dbhw.logic.gates import Gates, Sliced
from dbhw.logic.network import Network
from dbhw.logic.sliced import Field

Shape = tuple[int, ...]  # a kind, and what it is made of
AND, XOR, COUNT, MAJORITY, AT_LEAST, TABLE, LOOK_UP = range(7)
MOST_BITS = 16  # that a shape reads; what has more is several calls
_NAMES = ["and", "xor", "count", "majority", "at_least", "table", "look_up"]


def made(shape: Shape) -> int:
    """How many bits a call of a shape makes.

    >>> made((COUNT, 5, 0)), made((AND, 2, 1))
    (3, 1)
    """
    return (shape[1] + shape[2]).bit_length() if shape[0] == COUNT else 1


def read(shape: Shape) -> int:
    """How many bits a call of a shape reads: plain and complemented ones in the first kinds, else the first number.

    >>> read((MAJORITY, 5, 2, 4)), read((XOR, 3))
    (7, 3)
    """
    return shape[1] + shape[2] if shape[0] in (AND, COUNT, MAJORITY) else shape[1]


def gates(shape: Shape) -> Sliced:
    """A shape as gates. The numbers after the kind are:

    | kind | numbers |
    |---|---|
    | AND, COUNT | plain bits, complemented bits |
    | MAJORITY | the same, and how many of them must be high |
    | XOR | bits |
    | AT_LEAST | digits, which of them are complemented, the limit |
    | TABLE | inputs, the table |

    >>> c.statements(gates((AND, 1, 1)), "my")
    ['    const my_word v3 = in[0] & ~in[1];', '    planes[0] = v3;']
    """
    maker = Gates(Network())
    kind, first, *more = shape
    bits = [maker.input(f"x{i}") for i in range(read(shape))]
    if kind in (AND, COUNT, MAJORITY):
        bits = [bit ^ (i >= first) for i, bit in enumerate(bits)]
    if kind == AND:
        found = [maker.and_(bits)]
    elif kind == XOR:
        found = [maker.xor(bits)]
    elif kind == TABLE:
        found = [maker.lut(more[0], bits)]
    elif kind == AT_LEAST:
        found = [maker.at_least([bit ^ (more[0] >> i & 1) for i, bit in enumerate(bits)], more[1])]
    else:
        found = maker.total([bits, *([] for _ in range(len(bits).bit_length() - 1))])
    if kind == MAJORITY:
        found = [maker.at_least(found, more[1])]
    maker.network.output("planes", found)
    return Sliced(maker.network, (Field("planes", tuple(found)),))


def write(shapes: Sequence[Shape]) -> str:
    """The shapes as functions in C, and the table of them.

    >>> print(write([(AND, 1, 1)]).splitlines()[-1])
    static function *const functions[] = {shape0};
    """
    names = ", ".join(f"shape{i}" for i in range(len(shapes)))
    written = [line for i, shape in enumerate(shapes) for line in _function(f"shape{i}", shape)]
    return "\n".join([*written, f"static function *const functions[] = {{{names or 'NULL'}}};", ""])


def _function(name: str, shape: Shape) -> list[str]:
    outs, ins = made(shape), read(shape)
    words = -(-(1 << ins) // 32) if shape[0] == LOOK_UP else 0  # of the table, which is in the call
    if words:
        body = [f"    planes[0] = look_up(memory + k, step + {outs}, {ins}, step + {outs + ins});"]
    else:
        sources = ", ".join(f"AT({i})" for i in range(outs, outs + ins))
        body = [f"    const part_word in[{ins}] = {{{sources}}};", *c.statements(gates(shape), "part")]
    return [
        f"/* {_NAMES[shape[0]]} {' '.join(map(str, shape[1:]))} */",
        f"FUNCTION({name}, {outs + ins + words})",
        f"    part_word planes[{outs}];",
        *body,
        *(f"    AT({i}) = planes[{i}];" for i in range(outs)),
        "END_FUNCTION",
    ]
