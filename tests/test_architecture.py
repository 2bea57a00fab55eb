"""The walls of the house, read off the syntax tree: rooms import leftwards only, in no circle, and no private names."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = [
    *("base", "tools", "data", "logic", "software", "nn", "model", "train", "fpga", "rtl", "importers"),
    *("prove", "sim", "boards", "report", "tabular", "recipes", "zoo", "paper", "classifier", "commands"),
    *("cli", "__main__"),
]
PLUGINS = [
    *("data.sets", "logic.formats", "logic.passes", "nn.layers", "nn.encoders", "fpga.families", "boards"),
    *("recipes", "paper.experiments", "rtl.wrappers", "importers", "commands"),
]


def sources():
    """The text of every module by its name without the `dbhw.` in front; a package is named by its folder."""
    found = {}
    for folder in ("dbhw", "rtl", "sim", "boards"):
        for path in (ROOT / folder).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[folder == "dbhw" :]).removesuffix("__init__").rstrip(".")
            if name and not path.is_symlink():
                found[name] = path.read_text()
    return found


@cache
def parsed(text):
    """The syntax tree of a text; every test reads those of all modules."""
    return ast.parse(text)


def imports(texts, name):
    """What a module imports of ours: (module, imported name, whether on loading), lazy imports and types included."""
    tree = parsed(texts[name])
    eager = set(_run_on_loading(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((a.name.removeprefix("dbhw."), "", node in eager) for a in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            module = node.module.removeprefix("dbhw").lstrip(".") if node.module.startswith("dbhw") else node.module
            for alias in node.names:
                inner = f"{module}.{alias.name}" if module else alias.name
                yield (inner, "", node in eager) if inner in texts else (module, alias.name, node in eager)


def _run_on_loading(tree):
    pending = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        if isinstance(node, ast.Try | ast.ClassDef | ast.With):
            pending += node.body


def edges(texts):
    return {(name, other) for name in texts for other, _, _ in imports(texts, name) if other in texts}


def room(module):
    return ROOMS.index(module.split(".")[0])


def folder(texts, module):
    """The package a module is in; a package is in itself."""
    return module if any(other.startswith(f"{module}.") for other in texts) else module.rpartition(".")[0]


def against_the_order(texts):
    return sorted((a, b) for a, b in edges(texts) if room(b) > room(a))


def circle(texts):
    graph = TopologicalSorter()
    for a, b in edges(texts):
        graph.add(a, b)
    try:
        graph.prepare()
    except CycleError as found:
        return found.args[1]
    return []


def private_names_from_outside(texts):
    """Modules or names with a leading underscore that are imported, or read off a module, across a folder."""
    found = []
    for name in texts:
        ours = {}
        for module, imported, _ in imports(texts, name):
            last = module.rpartition(".")[2]
            if module in texts:
                ours[last] = module
                private = imported.startswith("_") or last.startswith("_")
                if private and last != "__main__" and folder(texts, module) != folder(texts, name):
                    found.append((name, module, imported))
        for node in ast.walk(parsed(texts[name])):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ours:
                hidden = node.attr.startswith("_") and not node.attr.startswith("__")
                if hidden and folder(texts, ours[node.value.id]) != folder(texts, name):
                    found.append((name, ours[node.value.id], node.attr))
    return found


def loads_jax(texts):
    """The modules that import JAX as soon as they are imported themselves."""
    eager = {name: {m for m, _, loading in imports(texts, name) if loading} for name in texts}
    found = {name for name in texts if any(m.split(".")[0] in ("jax", "optax") for m in eager[name])}
    while more := {name for name in texts if eager[name] & found} - found:
        found |= more
    return found


TEXTS = sources()


def test_rooms_import_leftwards_only():
    assert against_the_order(TEXTS) == []


def test_no_module_imports_itself_in_a_circle():
    assert circle(TEXTS) == []


def test_no_private_name_is_used_across_a_folder():
    assert private_names_from_outside(TEXTS) == []


def test_nothing_right_of_the_model_file_imports_jax():
    right = [
        name for name in loads_jax(TEXTS) if room(name) > ROOMS.index("model") and room(name) != ROOMS.index("train")
    ]
    assert right == []


@pytest.mark.parametrize("package", PLUGINS)
def test_every_plug_in_is_documented(package):
    plugins = [n for n in TEXTS if n.startswith(f"{package}.") and "." not in n[len(package) + 1 :]]
    plugins = [n for n in plugins if not any(other.startswith(f"{n}.") for other in TEXTS)]
    assert plugins
    assert [n for n in [package, *plugins] if not ast.get_docstring(ast.parse(TEXTS[n]))] == []


@pytest.mark.parametrize("top", ["dbhw", "rtl", "sim", "boards"])
def test_every_folder_says_what_it_is_for(top):
    folders = [p.parent for p in (ROOT / top).rglob("*.py") if not p.is_symlink()]
    assert [f for f in set(folders) if not ast.get_docstring(ast.parse((f / "__init__.py").read_text()))] == []


def with_line(module, line):
    return {**TEXTS, module: f"{TEXTS[module]}\n{line}\n"}


def test_an_import_that_is_turned_around_is_seen():
    turned = with_line("logic.network", "def later():\n    from dbhw.rtl.verilog import emit")
    assert against_the_order(turned) == [("logic.network", "rtl.verilog.emit")]


def test_a_circle_within_a_room_is_seen():
    assert "logic.linear" in circle(with_line("logic.linear", "from dbhw.logic.network import Network"))


@pytest.mark.parametrize("line", ["from dbhw.base.files import _umask", "from dbhw.base import files; files._umask()"])
def test_a_private_name_used_from_outside_is_seen(line):
    assert private_names_from_outside(with_line("logic.planes", line)) == [("logic.planes", "base.files", "_umask")]
