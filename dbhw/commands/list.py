"""List what can be used by name: layers, encoders, passes, formats, families, boards, data sets, recipes and more."""

from __future__ import annotations

import argparse

from dbhw.base import terminal
from dbhw.base.errors import one_of
from dbhw.base.registry import Plugins
from dbhw.commands import _options

# The names of the folders, which are also the groups of entry points without their `dbhw.`
_KINDS = (
    *("layers", "encoders", "passes", "formats", "families", "boards", "sets", "recipes", "experiments"),
    *("wrappers", "importers", "commands"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", nargs="?", help=f"one of {', '.join(_KINDS)} (default: all of them)")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.kind not in (None, *_KINDS):
        raise one_of("kind", args.kind, _KINDS)
    listed = {kind: _rows(plugins) for kind, plugins in kinds().items() if args.kind in (None, kind)}
    if args.json:
        terminal.result(listed, args.json)
        return 0
    print("\n\n".join(_table(kind, rows) for kind, rows in listed.items()))
    return 0


def kinds() -> dict[str, Plugins]:
    """The plug-ins of each kind.

    >>> "majority" in kinds()["layers"].names()
    True
    """
    from dbhw import boards, commands, importers, recipes
    from dbhw.data import sets
    from dbhw.fpga import families
    from dbhw.logic import formats, passes
    from dbhw.nn import encoders, layers
    from dbhw.paper import experiments
    from dbhw.rtl import wrappers

    folders = (
        *(layers, encoders, passes, formats, families, boards, sets, recipes, experiments),
        *(wrappers, importers, commands),
    )
    return {kind: folder.PLUGINS for kind, folder in zip(_KINDS, folders, strict=True)}


def _rows(plugins: Plugins) -> list[dict[str, str]]:
    return [
        {"name": name, "summary": plugins.summary(name), "package": plugins.module(name).__name__.partition(".")[0]}
        for name in plugins.names()
    ]


def _table(kind: str, rows: list[dict[str, str]]) -> str:
    return terminal.table([(kind, "what it is", "package"), *(tuple(row.values()) for row in rows)])
