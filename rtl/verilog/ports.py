"""The input ports of a model: one for each column of the user's table, under its own name, or one port of all bits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dbhw.base.errors import one_of
from dbhw.base.names import default_names
from dbhw.data.tables.column import Column
from dbhw.rtl.core.wires import InputPort
from dbhw.rtl.verilog.manifest import Integer, Manifest, Port
from dbhw.rtl.verilog.names import class_names, port_names
from dbhw.rtl.verilog.writer import printable

KINDS = ["name", "packed"]
_MOST_CATEGORIES = 40  # in a comment


def check_kind(ports: str) -> None:
    """Refuses ports that are neither by name nor packed.

    >>> check_kind("serial")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: ports must be one of name, packed, not 'serial'
    """
    if ports not in KINDS:
        raise one_of("ports", ports, KINDS)


def described(
    features: Sequence[str], columns: Sequence[Column], ports: str = "name", layers: Iterable[str] = ()
) -> tuple[Port, ...]:
    """The input ports of a model. Wires start with the names of the layers, so ports may not.

    >>> column = Column("petal length", "real", 8, scale=0.1)
    >>> [(port.name, port.width) for port in described(["a", "b"], [])]
    [('x', 2)]
    >>> [(port.name, port.width, port.integer.column) for port in described([], [column])]
    [('petal_length', 8, 'petal length')]
    """
    check_kind(ports)
    if not columns or ports == "packed":
        return (Port("x", len(features), features=tuple(features)),)
    names = port_names([column.name for column in columns], layers)
    return tuple(
        Port(name, column.width, integer=_integer(column)) for name, column in zip(names, columns, strict=True)
    )


def _integer(column: Column) -> Integer:
    return Integer(
        column=column.name,
        kind=column.kind,
        signed=column.signed,
        scale=column.scale,
        offset=column.offset,
        categories=column.categories,
        fill=column.fill,
        source=column.source,
    )


def _column(port: Port) -> Column:
    """The column back from its port."""
    found = port.integer
    assert found is not None
    limits = (found.signed, found.scale, found.offset)
    return Column(found.column, found.kind, port.width, *limits, found.categories, found.fill, found.source)


def input_ports(manifest: Manifest) -> tuple[InputPort, ...]:
    """The data inputs of emitted hardware as its core takes them.

    >>> port = Port("outside", 1, integer=Integer(column="outside", kind="bit"))
    >>> input_ports(Manifest(module="net", inputs=(port,), outputs=(), clock=None, stream=None))
    (InputPort(name='outside', width=1, signed=False, meaning='outside: 0 or 1'),)
    """
    return tuple(as_input(port) for port in manifest.inputs)


def as_input(port: Port) -> InputPort:
    """A port of a manifest as hardware takes it.

    >>> as_input(Port("x", 3))
    InputPort(name='x', width=3, signed=False, meaning='')
    """
    if port.integer is None:
        return InputPort(port.name, port.width)
    column, said = _column(port), meaning(port.integer, port.width)
    return InputPort(port.name, port.width, column.signed, said, column.kind == "category", column.shown)


def meaning(integer: Integer, width: int) -> str:
    """One line for people: what an integer on a port stands for.

    >>> meaning(Integer(column="celsius", kind="real", scale=0.5, offset=-40.0), 8)
    'celsius: 0 to 255 for -40 to 87.5, in steps of 0.5'
    >>> meaning(Integer(column="colour", kind="category", categories=("blue", "red")), 1)
    'colour: 0 = blue, 1 = red'
    """
    name, lowest = printable(integer.column), -(1 << width - 1) if integer.signed else 0
    highest = lowest + (1 << width) - 1
    if integer.kind == "category":
        more = ", ..." if len(integer.categories) > _MOST_CATEGORIES else ""
        return f"{name}: {listed(integer.categories[:_MOST_CATEGORIES])}{more}"
    if integer.kind == "missing":
        return f"{name}: 1 where {printable(integer.source or integer.column)} is missing, otherwise 0"
    if width == 1 and not integer.signed:
        found = "0 or 1"
    else:
        found = f"{lowest} to {highest}{' in twos complement' * integer.signed}"
    if (integer.scale, integer.offset) == (1, 0):
        return f"{name}: {found}"
    first, last = (f"{integer.offset + integer.scale * i:.6g}" for i in (lowest, highest))
    return f"{name}: {found} for {first} to {last}, in steps of {integer.scale:.6g}"


def listed(names: Sequence[str]) -> str:
    """Names with their numbers, in one line.

    >>> listed(["blue", "red"])
    '0 = blue, 1 = red'
    """
    return ", ".join(f"{i} = {printable(name)}" for i, name in enumerate(names))


def input_comments(ports: Sequence[Port], columns: Sequence[Column]) -> list[str]:
    """What the bits of a packed port are: the user's columns, or bits that have names of their own.

    >>> columns = [Column("a", "integer", 3), Column("b", "bit", 1)]
    >>> input_comments(described("abcd", columns, "packed"), columns)
    ['x[2:0] = a: 0 to 7', 'x[3] = b: 0 or 1']
    >>> input_comments(described(["outside", "x1"], []), [])
    ['inputs: x[0] = outside']
    """
    features = ports[0].features
    if features is None:
        return []
    if not columns:
        named = [f"x[{i}] = {printable(name)}" for i, name in enumerate(features) if name != f"x{i}"]
        return [f"inputs: {', '.join(named)}"] * bool(named)
    found, first = [], 0
    for column in columns:
        last = first + column.width - 1
        bits = f"{last}:{first}" if column.width > 1 else f"{first}"
        found.append(f"x[{bits}] = {meaning(_integer(column), column.width)}")
        first = last + 1
    return found


def class_constants(classes: Sequence[str]) -> tuple[str, ...]:
    """The lines that define a constant for each class; none for classes without names of their own.

    >>> class_constants(["coat", "t-shirt"])[1:-1]
    ("localparam CLASS_COAT = 1'd0;", "localparam CLASS_T_SHIRT = 1'd1;")
    """
    if tuple(classes) == default_names("class", len(classes)):
        return ()
    width = max((len(classes) - 1).bit_length(), 1)
    found = [f"localparam {name} = {width}'d{i};" for i, name in enumerate(class_names(classes))]
    return ("// verilator lint_off UNUSEDPARAM", *found, "// verilator lint_on UNUSEDPARAM")
