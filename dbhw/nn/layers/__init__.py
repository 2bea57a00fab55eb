"""The layers, one file each: the file's name is the layer's name, and being here is all the registration there is."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from dbhw.base.errors import DbhwError
from dbhw.base.registry import Plugins
from dbhw.nn import encoders, initialisers
from dbhw.nn.layer import Layer

PLUGINS = Plugins("layer", __name__)


def names() -> list[str]:
    """The names of all layers.

    >>> "majority" in names()
    True
    """
    return PLUGINS.names()


def find(name: str) -> type[Layer]:
    """The class of a layer, by its name.

    >>> find("majority").symbol
    '∂Maj'
    """
    PLUGINS.module(name)  # refuses a name that is none before it is taken apart
    kind = PLUGINS.member(name, "".join(part.capitalize() for part in name.split("_")))
    if kind.name() != name:  # a model file stores the module's name
        raise DbhwError(f"layer {name} must be in a module of that name, not in {kind.__module__}")
    return kind


def from_json(data: dict[str, Any]) -> Layer:
    """The layer back from plain data.

    >>> from_json({"layer": "count", "k": 2})
    Count(k=2)
    """
    values = dict(data)
    kind = find(values.pop("layer", None))
    known = {f.name for f in fields(kind)}
    needed = {f.name for f in fields(kind) if not f.metadata}  # the others were added later
    if not needed <= set(values) <= known:
        raise DbhwError(f"{kind.name()} must have the fields {sorted(known)}, not {sorted(values)}")
    if "of" in values:
        values["of"] = from_json(values["of"])
    if "init" in values:
        values["init"] = initialisers.from_json(values["init"])
    if "encoders" in values:
        values["encoders"] = encoders.all_from_json(values["encoders"])
    return kind(**{n: tuple(v) if isinstance(v, list) else v for n, v in values.items()})
