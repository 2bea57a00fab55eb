"""Writes the tables of docs/reference.md from the code: commands, layers, passes, formats, families, sets, recipes.

`python -m bench.reference` (or `make reference`) puts each table between its two markers:

    <!-- made by `make reference`: layers -->
    <!-- end -->
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path

from bench import json_keys
from bench.json_keys import Shape
from dbhw import commands
from dbhw.base import files
from dbhw.commands.list import kinds
from dbhw.nn import layers

PAGE = Path(__file__).parents[1] / "docs" / "reference.md"
_PART = re.compile(r"(<!-- made by `make reference`: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def updated(page: str) -> str:
    """The page with every part between markers made anew."""
    parts = {kind: _names(kind) for kind in kinds()}
    parts |= {"layers": _layers(), "commands": _commands()}
    return _PART.sub(lambda found: f"{found[1]}\n{parts[found[2]]}\n\n{found[3]}", page)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _names(kind: str) -> str:
    plugins = kinds()[kind]
    return _table(
        (plugins.kind, "what it is"),
        ((f"`{name}`", plugins.summary(name)) for name in plugins.names() if _built_in(kind, name)),
    )


def _built_in(kind: str, name: str) -> bool:
    return kinds()[kind].module(name).__name__.startswith("dbhw.")


def _layers() -> str:
    rows = []
    for name in layers.names():
        if _built_in("layers", name):
            kind = layers.find(name)
            named = ", ".join(f"`{f.name}`" for f in fields(kind))
            rows.append((f"`{name}`", kind.symbol, named, (kind.__doc__ or "").splitlines()[0]))
    return _table(("layer", "symbol", "fields", "what it does"), rows)


def _commands() -> str:
    keys = json_keys.of_commands()
    names = [name for name in commands.PLUGINS.names() if _built_in("commands", name)]
    return "\n\n".join(_command(name, keys.get(name, {})) for name in names)


def _command(name: str, keys: dict[str, Shape]) -> str:
    parser = argparse.ArgumentParser(
        prog=f"dbhw {name}", add_help=False, formatter_class=lambda prog: argparse.HelpFormatter(prog, width=10_000)
    )
    commands.PLUGINS.module(name).arguments(parser)
    usage = parser.format_usage().removeprefix("usage: ").strip()
    options = [(f"`{_option(action)}`", action.help or "") for action in parser._actions if action.dest != "json"]
    parts = [f"### dbhw {name}", commands.PLUGINS.summary(name), f"```\n{usage}\n```"]
    if options:
        parts.append(_table(("argument", "meaning"), options))
    if keys:
        parts.append(_json(keys))
    return "\n\n".join(parts)


def _option(action: argparse.Action) -> str:
    if not action.option_strings:
        return str(action.metavar or action.dest)
    value = "" if action.nargs == 0 else f" {action.metavar or action.dest.upper()}"
    return ", ".join(action.option_strings) + value


def _json(keys: dict[str, Shape]) -> str:
    first = keys[""]
    lines = [f"JSON: {_listed(first)}."]
    for options, shape in keys.items():
        more = {key: inner for key, inner in shape.items() if key not in first}
        if options and set(first) <= set(shape):
            lines.append(f"With `{options}` also {_listed(more)}.")
        elif options:
            lines.append(f"With `{options}`: {_listed(shape)}.")
    return " ".join(lines)


def _listed(shape: Shape) -> str:
    """Keys, and in parentheses the keys below one."""
    return ", ".join(f"`{key}`" + (f" ({_listed(inner)})" if inner else "") for key, inner in shape.items())


if __name__ == "__main__":
    files.write(PAGE, updated(PAGE.read_text()))
