"""Plug-ins: one module each, in a folder of this package or named by an entry point of another package.

The file's name is the plug-in's name, and being in the folder is all the registration there is. Another package
registers its own by an entry point in the group of that kind, `dbhw.layers` for layers:

    [project.entry-points."dbhw.layers"]
    my_layer = "my_package.my_layer"
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from dbhw.base.errors import DbhwError, one_of


@dataclass(frozen=True)
class Plugins:
    """The plug-ins of one kind. In their names a dash stands for the underscore of a file's name, if `dashes` is set.

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
        ['bucket_any', 'bucket_sum']
        """
        return sorted(self._shown(name) for name in {*self._own, *self._others})

    def module(self, name: str) -> ModuleType:
        """The module of a plug-in; a `DbhwError` that lists the names there are where it has none.

        >>> Plugins("layer", "dbhw.nn.layers").module("majority").__name__
        'dbhw.nn.layers.majority'
        >>> Plugins("pass", "dbhw.logic.passes").module("fold")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        dbhw.base.errors.DbhwError: pass must be one of absorb, ..., not 'fold'
        """
        file = name.replace("-", "_") if self.dashes and isinstance(name, str) else name
        if file in self._own:
            return importlib.import_module(f"{self.package}.{file}")
        if file not in self._others:
            raise one_of(self.kind, name, self.names())
        return self._loaded(self._others[file])

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

    @cached_property
    def _others(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=self.group) if point.name not in self._own}

    def _loaded(self, point: EntryPoint) -> ModuleType:
        try:
            module = point.load()
        except Exception as wrong:  # another package's code: whatever it raises is told as one line
            raise DbhwError(f"{self.kind} {point.name} must be importable, but: {wrong}") from wrong
        if not isinstance(module, ModuleType):
            raise DbhwError(f"{self.kind} {point.name} must be a module, not {point.value}")
        return module

    def _shown(self, file: str) -> str:
        return file.replace("_", "-") if self.dashes else file
