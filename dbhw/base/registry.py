"""Plug-ins: one module each, in a folder of this package or named by an entry point of another package.

The file's name is the plug-in's name, and being in the folder is all the registration there is. Another package
registers its own by an entry point in the group of that kind, `dbhw.layers` for layers:

    [project.entry-points."dbhw.layers"]
    my_layer = "my_package.my_layer"

A name stands for one plug-in. Where two packages offer the same name, or one offers a built-in's, it is an error.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import EntryPoint, distributions
from types import ModuleType
from typing import Any

from dbhw.base.errors import DbhwError, one_of


@dataclass(frozen=True)
class Plugins:
    """The plug-ins of one kind. With `dashes`, their names have dashes where file names have underscores.

    >>> "majority" in Plugins("layer", "dbhw.nn.layers").names()
    True
    """

    kind: str
    package: str
    dashes: bool = False

    @property
    def group(self) -> str:
        """The group of entry points that other packages use.

        >>> Plugins("layer", "dbhw.nn.layers").group
        'dbhw.layers'
        """
        return f"dbhw.{self.package.rpartition('.')[2]}"

    def names(self) -> list[str]:
        """The names of all plug-ins of the kind.

        >>> Plugins("layer", "dbhw.nn.layers").names()[:2]
        ['beside', 'bucket_any']
        """
        return sorted(self._shown(name) for name in (*self._own, *self._others))

    def module(self, name: str) -> ModuleType:
        """The module of a plug-in, or a `DbhwError` that lists the names there are.

        >>> Plugins("layer", "dbhw.nn.layers").module("majority").__name__
        'dbhw.nn.layers.majority'
        >>> Plugins("pass", "dbhw.logic.passes").module("fold")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        dbhw.base.errors.DbhwError: pass must be one of absorb, ..., not 'fold'
        """
        file = name.replace("-", "_") if self.dashes and isinstance(name, str) else name
        others = self._others
        if file in others:
            return self._loaded(others[file])
        if file not in self._own:
            raise one_of(self.kind, name, self.names())
        return importlib.import_module(f"{self.package}.{file}")

    def member(self, name: str, attribute: str) -> Any:
        """What the module of a plug-in must define for its kind: a class, a function or a value.

        >>> Plugins("layer", "dbhw.nn.layers").member("majority", "Majority").symbol
        '∂Maj'
        >>> Plugins("layer", "dbhw.nn.layers").member("majority", "Minority")
        Traceback (most recent call last):
        ...
        dbhw.base.errors.DbhwError: layer majority must define Minority, but dbhw.nn.layers.majority does not
        """
        module = self.module(name)
        if not hasattr(module, attribute):
            raise DbhwError(f"{self.kind} {name} must define {attribute}, but {module.__name__} does not")
        return getattr(module, attribute)

    def summary(self, name: str) -> str:
        """The first line of a plug-in's documentation.

        >>> Plugins("pass", "dbhw.logic.passes").summary("dead")
        'Drops what no output depends on.'
        """
        return (self.module(name).__doc__ or "").strip().partition("\n")[0]

    @cached_property
    def _own(self) -> frozenset[str]:
        folder = importlib.import_module(self.package).__path__
        return frozenset(m.name for m in pkgutil.iter_modules(folder) if not m.ispkg and not m.name.startswith("_"))

    @property
    def _others(self) -> dict[str, EntryPoint]:
        found: dict[str, EntryPoint] = {}
        for point in _offered(tuple(sys.path)):
            if point.group != self.group:
                continue
            name = point.name.replace("-", "_") if self.dashes else point.name
            if name in self._own:
                raise self._clash(name, f"{self.package}.{name}", point.value)
            if name in found and _package(found[name]) != _package(point):
                raise self._clash(name, found[name].value, point.value)
            found.setdefault(name, point)  # of two copies of a package Python imports the first on the path
        return found

    def _clash(self, name: str, one: str, other: str) -> DbhwError:
        return DbhwError(f"{self.kind} {self._shown(name)} must be offered once, not by both {one} and {other}")

    def _loaded(self, point: EntryPoint) -> ModuleType:
        try:
            module = point.load()
        except Exception as wrong:  # another package's code may raise anything
            reason = " ".join(str(wrong).split()) or type(wrong).__name__
            raise DbhwError(
                f"{self.kind} {point.name} must be importable, but {point.value} fails: {reason}"
            ) from wrong
        if not isinstance(module, ModuleType):
            raise DbhwError(f"{self.kind} {point.name} must be a module, not {point.value}")
        return module

    def _shown(self, file: str) -> str:
        return file.replace("_", "-") if self.dashes else file


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else ""


@cache
def _offered(_path: tuple[str, ...]) -> list[EntryPoint]:
    """The plug-ins of all kinds that packages on the import path offer, read once: it takes some 25 ms."""
    return [point for package in distributions() for point in package.entry_points if point.group.startswith("dbhw.")]
