"""The reference of Python names, a page for each folder, from docstrings: `make docs` makes it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = (
    *("base", "tools", "data", "logic", "software", "nn", "model", "train", "fpga", "rtl", "prove", "sim", "boards"),
    *("report", "tabular", "recipes", "zoo", "paper", "importers"),
)
Documented = ast.FunctionDef | ast.ClassDef


def pages() -> dict[str, str]:
    """The pages by their names; `index.md` lists them and the names directly in `dbhw`."""
    made = {f"{room}.md": _page(room) for room in ROOMS}
    rooms = [f"| [dbhw.{room}]({room}.md) | {_first_line(_room(room) / '__init__.py')} |" for room in ROOMS]
    homes = [
        f"| `dbhw.{name}` | [{home}]({home.split('.')[1]}.md#{_slug(home)}) |"
        for name, home in sorted(_public().items())
        if home.split(".")[1] in ROOMS
    ]
    classifier = _module(ROOT / "dbhw" / "classifier.py", "dbhw.classifier")
    parts = [
        "# Python",
        "The names directly in `dbhw` are the ones that most programs need.",
        "\n".join(["| name | is in |", "|---|---|", *homes, "| `dbhw.Classifier` | [below](#dbhwclassifier) |"]),
        "Every folder has a page:",
        "\n".join(["| folder | what it holds |", "|---|---|", *rooms]),
        *classifier,
    ]
    return {"index.md": "\n\n".join(parts) + "\n", **made}


def _public() -> dict[str, str]:
    """The names directly in `dbhw`, and the modules they come from."""
    tree = ast.parse((ROOT / "dbhw" / "__init__.py").read_text())
    table = next(n for n in tree.body if isinstance(n, ast.Assign) and "_HOMES" in ast.unparse(n.targets[0]))
    return {name: f"dbhw.{home}" for name, home in ast.literal_eval(table.value).items()}


def _room(room: str) -> Path:
    inside = ROOT / "dbhw" / room
    return inside if inside.exists() else ROOT / room


def _page(room: str) -> str:
    folder = _room(room).resolve()
    parts = [f"# dbhw.{room}", _text(ast.get_docstring(ast.parse((folder / "__init__.py").read_text())) or "")]
    for path in sorted(folder.rglob("*.py")):
        inner = path.relative_to(folder).with_suffix("").parts
        if path.name != "__init__.py" and not path.name.startswith("_"):
            parts += _module(path, ".".join(["dbhw", room, *inner]))
    return "\n\n".join(parts) + "\n"


def _module(path: Path, name: str) -> list[str]:
    tree = ast.parse(path.read_text())
    parts = [f"## {name}", _text(ast.get_docstring(tree) or "")]
    for node in _documented(tree.body):
        parts += [f"### {node.name}", f"```text\n{_signature(node)}\n```", _text(ast.get_docstring(node) or "")]
        if isinstance(node, ast.ClassDef):
            for method in _documented(node.body):
                said = _text(ast.get_docstring(method) or "")
                parts += [f"#### {node.name}.{method.name}", f"```text\n{_signature(method)}\n```", said]
    return [part for part in parts if part]


def _documented(body: list[ast.stmt]) -> Iterator[Documented]:
    for node in body:
        if isinstance(node, Documented) and not node.name.startswith("_") and ast.get_docstring(node):
            yield node


def _signature(node: Documented) -> str:
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(map(ast.unparse, node.bases))
        fields = [text for n in node.body if isinstance(n, ast.AnnAssign) and (text := ast.unparse(n))[0] != "_"]
        return "\n    ".join([f"class {node.name}({bases})" if bases else f"class {node.name}", *fields])
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(node.args)}){returns}"


def _text(docstring: str) -> str:
    """A docstring as Markdown: examples and indented parts as code, the rest as text."""
    parts = []
    for block in docstring.split("\n\n"):
        before, mark, example = block.partition(">>>")
        if mark:
            parts += [_plain(before), f"```text\n{mark}{example}\n```"]
        elif block.startswith("    "):
            parts.append(f"```text\n{block}\n```")
        else:
            parts.append(_plain(block))
    return "\n\n".join(part for part in parts if part)


def _plain(text: str) -> str:
    """Text in which Markdown sees no HTML, and no emphasis in names, outside of code."""
    pieces = re.split(r"(`[^`]*`)", text.strip())
    return "".join(p if p.startswith("`") else re.sub(r"([<\[\]*_])", r"\\\1", p) for p in pieces)


def _first_line(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n")[0]


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-")
