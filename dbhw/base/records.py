"""Frozen dataclasses as JSON, and back from it with every type checked."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from dbhw.base import files
from dbhw.base.errors import DbhwError

T = TypeVar("T")


def to_json(record: object) -> dict[str, Any]:
    """The fields of a dataclass by name. A field whose default is None is left out while it is None.

    >>> from dataclasses import make_dataclass
    >>> point = make_dataclass("Point", [("x", int), ("tags", tuple[str, ...]), ("note", str | None, None)])
    >>> to_json(point(3, ("a", "b")))
    {'x': 3, 'tags': ['a', 'b']}
    """
    assert is_dataclass(record)
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    optional = {field.name for field in fields(record) if field.default is None}
    return {name: _plain(value) for name, value in values.items() if value is not None or name not in optional}


def from_json(kind: type[T], value: object) -> T:
    """The dataclass of a JSON object, with a `ValueError` if a value has the wrong type or a field is missing.

    A missing field takes its default, or None if it may be None. Unknown keys are ignored.

    >>> from dataclasses import make_dataclass
    >>> point = make_dataclass("Point", [("x", int), ("tags", tuple[str, ...]), ("note", str | None)])
    >>> from_json(point, {"x": 3, "tags": ["a"], "colour": "red"})
    Point(x=3, tags=('a',), note=None)
    >>> from_json(point, {"x": "3"})
    Traceback (most recent call last):
    ...
    ValueError: x must be a whole number, not '3'
    """
    return _typed(kind, value, kind.__name__.lower())


def read(kind: type[T], path: str | Path, what: str) -> T:
    """The dataclass in a JSON file, with a `DbhwError` if the file is missing or damaged.

    >>> read(dict, "/no/such/manifest.json", "a manifest")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file /no/such/manifest.json must be readable: No such file or directory
    """
    content = files.read(path)
    try:
        return from_json(kind, json.loads(content))
    except json.JSONDecodeError as wrong:
        raise DbhwError(f"file {path} must be {what}, but it is not JSON: emit again") from wrong
    except (ValueError, RecursionError) as wrong:
        raise DbhwError(f"file {path} must be {what}: {wrong}") from wrong


def _plain(value: Any) -> Any:
    if isinstance(value, str | int | float | NoneType):
        return value
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, tuple | list):
        return list(value) if set(map(type, value)) == {str} else [_plain(inner) for inner in value]
    return to_json(value)


_NAMES = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


def _typed(kind: Any, value: Any, name: str) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return None if value is None else _typed(inner[0], value, name)
    if kind is float and type(value) is int:
        return float(value)  # JSON has one kind of number
    expected: Any = list if origin is tuple else dict if origin is dict or is_dataclass(kind) else kind
    if isinstance(value, bool) != (kind is bool) or not isinstance(value, expected):
        raise ValueError(f"{name} must be {_NAMES[expected]}, not {value!r:.60}")
    if origin is tuple:
        return tuple(_typed(inner[0], each, name) for each in value)
    if origin is dict:
        return {key: _typed(inner[1], each, f"{name} {key}") for key, each in value.items()}
    return _dataclass(kind, value, name) if is_dataclass(kind) else value


def _dataclass(kind: Any, value: dict[str, Any], name: str) -> Any:
    hints, found = get_type_hints(kind), {}
    for field in fields(kind):
        if field.name in value:
            found[field.name] = _typed(hints[field.name], value[field.name], field.name)
        elif field.default is MISSING:
            if NoneType not in get_args(hints[field.name]):
                raise ValueError(f"{name} must have {field.name}")
            found[field.name] = None
    return kind(**found)
