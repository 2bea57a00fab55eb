"""Proof that a network is what its model means, layer by layer.

The meaning of each layer (`statements.py`) is taken over what the layers below mean, as formulas. The network's nodes
become formulas too, each from its own kind alone. Lowering says which literals of the network are a layer's outputs; if
they are the same formulas, the layer is proved. Where lowering is wrong, they are not, and the layer is named.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from dbhw.logic.linear import Linear
from dbhw.logic.network import Network, Output
from dbhw.logic.visit import Visitor
from dbhw.model.lower import describe
from dbhw.model.model import Model
from dbhw.prove.meanings import diagrams, statements
from dbhw.prove.meanings.formulas import Choice, Formulas, Sum
from dbhw.prove.watch import Watch
from dbhw.prove.workshop import Step

NAME = "model = network"
_Wanted = tuple[int, Sequence[Any]]  # the width of each member of an output, and what the members are
_TINIEST = 2.0**-126  # the smallest margin that counts as high


class MismatchError(Exception):
    """The layer in which a network is not what the model means."""


def step(model: Model, network: Network, loadable: bool = False, watch: Watch | None = None) -> Step:
    """Proves that a network is what its model means.

    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(2, []), (), ("a", "b"), ("no", "yes"))
    >>> step(model, model.to_network()).proved
    True
    """
    started = time.perf_counter()
    proved, differs_in, undecided = False, "", ""
    (watch or Watch()).say(NAME)
    try:
        check(model, network, loadable)
        proved = True
    except MismatchError as wrong:
        differs_in = str(wrong)
    except statements.NoMeaningError as lacking:
        undecided = str(lacking)
    except diagrams.TooLargeError:
        undecided = f"a layer is too wide to be compared{' for all weights' * loadable}"
    return Step(NAME, proved, round(time.perf_counter() - started, 3), differs_in, undecided)


def check(model: Model, network: Network, loadable: bool = False) -> None:
    """Raises a `MismatchError` that names the layer if a network is not the model; for all weights if loadable.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> check(model, model.to_network())
    >>> other = Model(model.net, (np.array([[0.4], [0.3]], np.float32),), ("out",), ("a", "b"))
    >>> check(model, other.to_network())
    Traceback (most recent call last):
    ...
    dbhw.prove.meanings.lowering.MismatchError: negation 1 -> 2x1
    """
    f = Formulas()
    found = _Nodes(network, f)
    x = found.inputs[: model.net.inputs]
    weights = _symbolic(model, found.inputs[model.net.inputs :]) if loadable else _constants(model)
    if len(found.inputs) != model.net.inputs + (model.net.weight_count if loadable else 0):
        raise MismatchError("inputs")
    value: Any = x
    ends = [*network.layer_ends, *[()] * len(weights)]  # nothing where lowering has not said what a layer gives
    for layer, w, shape, end in zip(model.net.layers, weights, model.net.input_shapes(), ends, strict=False):
        leaves = [*statements.flat(value), *(found.inputs if loadable else ())]
        value = statements.of_layer(f, layer.to_json(), w, value)
        value = _compared(found, value, end, leaves, describe(layer, shape))
    _outputs(model, found, value)


def _constants(model: Model) -> list[Any]:
    """The weights of the model file as bits: high from the smallest margin on, or of a choice the first of the highest.

    This says again what `harden` of the layers says.
    """
    found: list[Any] = []
    for layer, w in zip(model.net.layers, model.soft_weights, strict=True):
        if w is None:
            found.append(None)
        elif _innermost(layer.to_json()) == "connect":
            settled = [[m if abs(m) >= _TINIEST else 0.0 for m in row] for row in w.tolist()]
            found.append([[int(j == row.index(max(row))) for j in range(len(row))] for row in settled])
        else:
            found.append((w >= _TINIEST).astype(int).tolist())
    return found


def _innermost(layer: Any) -> str:
    """The name of a layer, or of the one that it wraps: the weights are its."""
    return _innermost(layer["of"]) if "of" in layer else layer["layer"]


def _symbolic(model: Model, inputs: Sequence[int]) -> list[Any]:
    """The inputs that are weights, in the shapes of the layers' weights."""
    found, first = [], 0
    for shape in model.net.weight_shapes():
        size = 0 if shape is None else prod(shape)
        found.append(None if shape is None else np.array(inputs[first : first + size]).reshape(shape).tolist())
        first += size
    return found


def _compared(found: _Nodes, value: Any, end: Sequence[int], leaves: Sequence[int], name: str) -> Any:
    """What a layer means, as the network has it; a `MismatchError` if it has something else."""
    meant, made = statements.flat(value), end
    if len(meant) != len(made):
        raise MismatchError(name)
    proved = iter([_proved(found, meaning, node, leaves, name) for meaning, node in zip(meant, made, strict=True)])
    return _filled(value, proved)


def _proved(found: _Nodes, meaning: Any, node: int, leaves: Sequence[int], name: str) -> Any:
    """The network's own formula for what a layer means, once it is proved to be the same."""
    own: Any
    if isinstance(meaning, Sum):
        own = found.numbers.get(node)
        right = own == meaning
    else:
        own = found.literal(node) if node >> 1 in found.bits else None
        right = own is not None and diagrams.same(found.formulas, meaning, own, leaves)
    if not right:
        raise MismatchError(name)
    return own


def _filled(value: Any, leaves: Iterator[Any]) -> Any:
    """Nested lists of the same shape with other leaves."""
    return [_filled(part, leaves) for part in value] if isinstance(value, list) else next(leaves)


def _outputs(model: Model, found: _Nodes, value: Any) -> None:
    """Compares the label and the scores, or the bits, under their names and with the widths that they need."""
    outputs = statements.flat(value)
    if model.net.ports:
        wanted = _by_port(model.net.ports, outputs)
    else:
        wanted = _label_and(outputs, model.net.classes, found.formulas)
    if [o.name for o in found.network.outputs] != list(wanted):
        raise MismatchError("argmax")
    for output, (width, meant) in zip(found.network.outputs, wanted.values(), strict=True):
        enough = output.width >= width if output.name == "scores" else output.width == width
        if not enough or not _answers(found, output, meant, outputs):
            raise MismatchError("argmax")


def _by_port(ports: Mapping[str, int], outputs: Sequence[Any]) -> dict[str, _Wanted]:
    """Bits under names of their own."""
    bits = iter(outputs)
    return {name: (1, [next(bits) for _ in range(width)]) for name, width in ports.items()}


def _label_and(outputs: Sequence[Any], classes: int, f: Formulas) -> dict[str, _Wanted]:
    """The label, and the scores or bits that it is made of."""
    numbers = all(isinstance(o, Sum) for o in outputs) and bool(outputs)
    sums = outputs if numbers else [Sum.of([(bit, 1)]) for bit in outputs]
    single = len(sums) == 1 and not numbers
    label = sums[0] if single else f.largest(sums)
    width = max((classes - 1).bit_length(), 1)
    if numbers:
        return {"label": (width, [label]), "scores": (max(total.most for total in sums).bit_length(), sums)}
    return {"label": (width, [label]), "bits": (1, outputs)}


def _answers(found: _Nodes, output: Output, meant: Sequence[Any], leaves: Sequence[Any]) -> bool:
    if len(output.members) != len(meant):
        return False
    bits = [leaf for leaf in leaves if not isinstance(leaf, Sum)]
    bits += [bit for leaf in leaves if isinstance(leaf, Sum) for bit, _ in leaf.terms]
    for member, meaning in zip(output.members, meant, strict=True):
        if output.kind == "bits":
            right = diagrams.same(found.formulas, meaning, found.literal(member), bits)
        else:
            right = _same_number(found.formulas, found.numbers[member], meaning, bits)
        if not right:
            return False
    return True


def _same_number(f: Formulas, a: Sum | Choice, b: Sum | Choice, leaves: Sequence[int]) -> bool:
    """Whether two numbers are equal: as they are, or as single bits."""
    if a == b or not isinstance(a, Sum) or not isinstance(b, Sum):
        return a == b
    single = a.constant == b.constant and len(a.terms) == len(b.terms) == 1 and a.terms[0][1] == b.terms[0][1]
    return single and diagrams.same(f, a.terms[0][0], b.terms[0][0], leaves)


class _Nodes(Visitor[None]):
    """The formula of every node of a network, by what its kind means."""

    def __init__(self, network: Network, formulas: Formulas) -> None:
        super().__init__(network)
        self.formulas = formulas
        self.inputs = [formulas.input() for _ in network.input_names]
        self.bits = {0: 0, **dict(zip(network.inputs(), self.inputs, strict=True))}
        self.numbers: dict[int, Sum | Choice] = {}
        for node in range(1 + len(self.inputs), len(network)):
            self.visit(node)

    def literal(self, literal: int) -> int:
        return self.bits[literal >> 1] ^ (literal & 1)

    def _all(self, literals: Sequence[int]) -> list[int]:
        return [self.literal(f) for f in literals]

    def _sum(self, node: int) -> Sum:
        found = self.numbers[node]
        if isinstance(found, Choice):
            raise MismatchError(self.network.layer_names[self.network.layers[node]])
        return found

    def conjunction(self, node: int, literals: Sequence[int]) -> None:
        self.bits[node] = self.formulas.and_(self._all(literals))

    def parity(self, node: int, literals: Sequence[int]) -> None:
        self.bits[node] = self.formulas.xor(self._all(literals))

    def table(self, node: int, table: int, literals: Sequence[int]) -> None:
        self.bits[node] = self.formulas.table(table, self._all(literals))

    def count(self, node: int, linear: Linear) -> None:
        terms = [(self.bits[bit], c) for bit, c in linear.coefficients.items()]
        self.numbers[node] = Sum.of(terms, linear.constant)

    def sum(self, node: int, parts: Sequence[tuple[int, int]], constant: int) -> None:
        sums = [(self._sum(part), c) for part, c in parts]
        terms = [(bit, c * factor) for total, factor in sums for bit, c in total.terms]
        self.numbers[node] = Sum.of(terms, constant + sum(total.constant * factor for total, factor in sums))

    def at_least(self, node: int, integer: int, k: int) -> None:
        self.bits[node] = self.formulas.reaches(self._sum(integer), k)

    def exactly(self, node: int, integer: int, k: int) -> None:
        self.bits[node] = self.formulas.is_(self._sum(integer), k)

    def argmax(self, node: int, integers: Sequence[int]) -> None:
        self.numbers[node] = self.formulas.largest([self._sum(i) for i in integers])
