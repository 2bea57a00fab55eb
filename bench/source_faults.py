"""Single faults in Python source: another operator, comparison or constant, a condition the other way, a step left out.

Annotations, decorators, docstrings and the texts of errors are left as they are: no test can tell, or none should.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True)
class Fault:
    """A place in a source, from byte to byte, what stands there and what is to stand there."""

    line: int
    start: int
    end: int
    before: str
    after: str

    def put_into(self, source: str) -> str:
        """The source with the fault.

        >>> Fault(1, 4, 9, "a < b", "a <= b").put_into("x = a < b")
        'x = a <= b'
        """
        raw = source.encode()
        return (raw[: self.start] + self.after.encode() + raw[self.end :]).decode()

    @property
    def change(self) -> str:
        bare = self.after[1:-1] if self.after.startswith("(") and not self.before.startswith("(") else self.after
        return f"{_short(self.before)} -> {_short(bare)}"


def faults(source: str) -> list[Fault]:
    """Every fault of a list of kinds.

    >>> [fault.change for fault in faults("if a < 1 and b:\\n    f()")]
    ['a < 1 and b -> not (a < 1 and b)', 'a < 1 and b -> a < 1 or b', 'a < 1 -> a <= 1', '1 -> 2', 'f() -> pass']
    """
    starts = [0]
    for line in source.encode().split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    found = []
    for node, after in _visit(ast.parse(source)):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start, end = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset
        before = source.encode()[start:end].decode()
        # In parentheses, what is another operator binds as it should.
        text = f"({ast.unparse(after)})" if isinstance(node, (ast.BinOp, ast.BoolOp, ast.Compare)) else None
        found.append(Fault(node.lineno, start, end, before, text or ast.unparse(after)))
    return found


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."


def _visit(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    """Nodes, and what they are to become."""
    if isinstance(node, (ast.Raise, ast.Assert, ast.JoinedStr)):  # a place within a formatted string is not known
        return
    if isinstance(node, ast.expr):
        yield from ((node, after) for after in _of_expression(node))
    if isinstance(node, ast.stmt):
        yield from ((node, after) for after in _of_statement(node))
    if isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield node.test, ast.UnaryOp(ast.Not(), node.test)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _visit(child)


def _of_expression(node: ast.expr) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare):
        for i, operator in enumerate(node.ops):
            other = copy.deepcopy(node)
            other.ops[i] = _COMPARISONS[type(operator)]()
            yield other
    elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        yield ast.BinOp(node.left, _OPERATORS[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield ast.Constant(node.value + 1)


def _of_statement(node: ast.stmt) -> Iterator[ast.AST]:
    called = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if called or isinstance(node, (ast.AugAssign, ast.Continue)):
        yield ast.Pass()
