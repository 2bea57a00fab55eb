"""The two engines that run a hard net: NumPy everywhere, and C where there is a compiler and enough work to pay for it.

Both give the same answers. NumPy runs the layers of the net, C its logic network, so each checks the other: a compiled
net is tried on random inputs before it is used.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from dbhw.base import files
from dbhw.base.errors import one_of, whole
from dbhw.base.names import default_names
from dbhw.data.dataset import check_bits
from dbhw.logic.network import Network
from dbhw.model.lower import lower
from dbhw.nn.bits import WordBits
from dbhw.nn.layer import Layer
from dbhw.nn.layers.connect import Connect
from dbhw.nn.net import Net, labels
from dbhw.software import native
from dbhw.software.compiler import UnavailableError
from dbhw.software.native import Native
from dbhw.software.packed import Packed

ENGINES = ["auto", "numpy", "c"]
_WORDS_AT_ONCE = 1 << 20  # of the widest layer, in NumPy: 8 MB
_TOO_LONG = 10.0  # seconds of NumPy, for which a net is compiled …
_LONG = 0.2  # … or for which one is taken that was compiled before
_TRIED = 256  # examples that a compiled net is tried on


def check(engine: str, threads: int = 1) -> None:
    """Refuses an engine that does not exist, and a number of threads that is none.

    >>> check("gpu")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: engine must be one of auto, numpy, c, not 'gpu'
    """
    if engine not in ENGINES:
        raise one_of("engine", engine, ENGINES)
    whole("threads", threads, 1)


@dataclass(frozen=True)
class Answers:
    """The classes as indices, the outputs as booleans or integers, and in a line which engine gave them."""

    labels: np.ndarray
    outputs: np.ndarray
    engine: str


@dataclass(frozen=True)
class Hard:
    """A net with its hard weights.

    >>> from dbhw.nn.layers.negation import Negation
    >>> hard = Hard(Net(1, [Negation(width=2)]), [np.array([[False], [True]])])
    >>> hard.answers(np.array([[True]]), engine="numpy")
    Answers(labels=array([1]), outputs=array([[False,  True]]), engine='numpy')
    """

    net: Net
    weights: Sequence[np.ndarray | None]

    def answers(
        self,
        x: np.ndarray | Packed,
        *,
        engine: str = "auto",
        threads: int = 1,
        labels_wanted: bool = True,
        outputs_wanted: bool = True,
    ) -> Answers:
        """What the net says to input bits (examples, inputs), packed or not; C leaves empty what is not wanted."""
        check(engine, threads)
        parts: list[np.ndarray] = []
        reason = ""
        if engine == "c" or (engine == "auto" and self._is_long(x, parts)):
            try:
                compiled = _compiled(self.digest, self)
                found, others = compiled.run(x, labels=labels_wanted, outputs=outputs_wanted, threads=threads)
                typed = others if self.net.integer_scores else others.astype(bool)
                return Answers(found, typed, f"c, {compiled.origin}")
            except UnavailableError as wrong:
                reason = f", because {wrong}"
        outputs = np.concatenate([*parts, *self._on_numpy(x, skipped=len(parts))])
        return Answers(labels(outputs), outputs, f"numpy{reason}")

    def _is_long(self, x: np.ndarray | Packed, parts: list[np.ndarray]) -> bool:
        """Whether C is worth while, by the time that NumPy takes for the first part, which is added to `parts`."""
        examples = len(x.rows if isinstance(x, Packed) else x)
        if examples <= self._at_once():
            return False
        started = time.perf_counter()
        parts.append(next(self._on_numpy(x)))
        return self._pays((time.perf_counter() - started) * examples / len(parts[0]))

    def engine_for(self, examples: int) -> str:
        """The engine for so many examples, which may come in several calls: c where it pays to compile the net.

        >>> Hard(Net(1, []), []).engine_for(1000)
        'numpy'
        """
        tried = min(self._at_once(), examples)
        started = time.perf_counter()
        self._on_words(np.zeros((tried, self.net.inputs), bool))
        return "c" if self._pays((time.perf_counter() - started) * examples / max(tried, 1)) else "numpy"

    def _pays(self, seconds_of_numpy: float) -> bool:
        return seconds_of_numpy > _TOO_LONG or (seconds_of_numpy > _LONG and native.at_hand(self.digest))

    def _at_once(self) -> int:
        """How many examples NumPy takes at a time, so that it needs no more memory for more examples."""
        net, _ = self._wired
        shapes = [(net.inputs,), *net.input_shapes(), *net.weight_shapes()]
        return 64 * max(_WORDS_AT_ONCE // max(prod(shape) for shape in shapes if shape is not None), 8)

    def _on_numpy(self, x: np.ndarray | Packed, skipped: int = 0) -> Iterator[np.ndarray]:
        rows, size = x.rows if isinstance(x, Packed) else x, self._at_once()
        for start in range(skipped * size, max(len(rows), 1), size):
            part = rows[start : start + size]
            bits = Packed(part).bits(self.net.inputs) if isinstance(x, Packed) else check_bits(part, self.net.inputs)
            yield self._on_words(bits) if len(bits) else self._on_words(np.zeros((1, self.net.inputs), bool))[:0]

    @cached_property
    def _wired(self) -> tuple[Net, list[np.ndarray | None]]:
        """The same with learned wires fixed: millions of weights that only choose take time in NumPy."""
        layers: list[Layer] = []
        kept: list[np.ndarray | None] = []
        for layer, bits in zip(self.net.layers, self.weights, strict=True):
            if isinstance(layer, Connect) and bits is not None:
                layer, bits = layer.fixed(bits), None
            layers.append(layer)
            kept.append(bits)
        return Net(self.net.inputs, layers), kept

    def _on_words(self, bits: np.ndarray) -> np.ndarray:
        net, weights = self._wired
        result = net.hard(weights, WordBits.pack(bits))
        return result if isinstance(result, np.ndarray) else result.unpack()

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the net and its weights."""
        text = json.dumps(self.net.to_json(), sort_keys=True).encode()
        return files.sha256(text + b"".join(np.packbits(w).tobytes() for w in self.weights if w is not None))

    def network(self) -> Network:
        """The net's logic network, without names; outputs are `label` and what the net says.

        >>> len(Hard(Net(1, []), []).network())
        3
        """
        net, weights = self._wired
        return lower(net.unnamed(), weights, default_names("x", self.net.inputs))

    def build(self) -> Native:
        """The net compiled, and tried on random inputs."""
        compiled = native.build(self.digest, self.network, self.net.inputs, prod(self.net.output_shape))
        x = np.random.default_rng(0).random((_TRIED, self.net.inputs)) < 0.5
        expected = self._on_words(x)
        found, others = compiled.run(x)
        if not (np.array_equal(others, expected) and np.array_equal(found, labels(expected))):
            raise UnavailableError("the compiled net answers wrongly")
        return compiled


def _compiled(digest: str, hard: Hard) -> Native:
    """The compiled net of a digest; those used last stay loaded."""
    found = _LOADED.pop(digest, None) or hard.build()
    _LOADED[digest] = found
    while len(_LOADED) > _MOST_LOADED:
        _LOADED.pop(next(iter(_LOADED)))
    return found


_LOADED: dict[str, Native] = {}
_MOST_LOADED = 16
