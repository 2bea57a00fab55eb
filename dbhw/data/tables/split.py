"""Rows for training, validation and test: stratified, by groups, or as a column says; always repeatable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dbhw.base.errors import DbhwError, whole

PARTS = ("train", "validation", "test")
_WORDS = {"train": 0, "training": 0, "validation": 1, "valid": 1, "val": 1, "test": 2, "testing": 2}


@dataclass(frozen=True)
class Parts:
    """The indices of the rows of each part, in the order of the table."""

    train: np.ndarray
    validation: np.ndarray
    test: np.ndarray


def split(
    y: np.ndarray, groups: np.ndarray | None = None, seed: int = 0, validation: float = 0.15, test: float = 0.2
) -> Parts:
    """The parts of rows with these labels: each class in the same shares, no group in two parts.

    >>> parts = split(np.arange(100) % 2)
    >>> len(parts.train), len(parts.validation), len(parts.test)
    (64, 16, 20)
    """
    whole("seed", seed, 0)
    random = np.random.default_rng(seed)
    y = np.unique(y, return_inverse=True)[1]
    if groups is None:
        return _parts(_stratified(y, random, validation, test))
    return _parts(_grouped(y, groups, random, (1 - validation - test, validation, test)))


def by_column(words: np.ndarray, y: np.ndarray, rows: np.ndarray, name: str, seed: int, validation: float) -> Parts:
    """The parts that a column says; without a word for validation, its share is taken from training.

    >>> words = np.array(["train", "train", "test", "validation"], object)
    >>> by_column(words, np.zeros(4), np.arange(4), "part", 0, 0.15).train.tolist()
    [0, 1]
    """
    lower = [str(word).lower() for word in words.tolist()]
    unknown = next((i for i, word in enumerate(lower) if word not in _WORDS), None)
    if unknown is not None:
        found = f"row {rows[unknown]} has {str(words[unknown])!r}"
        raise DbhwError(f"column {name} must have the words train, validation and test, but {found}")
    part = np.array([_WORDS[word] for word in lower], np.int64)
    if not (part == 1).any():
        training = np.flatnonzero(part == 0)
        part[training[split(y[training], None, seed, validation, 0.0).validation]] = 1
    parts = _parts(part)
    for what, index in (("train", parts.train), ("test", parts.test)):
        if not len(index):
            raise DbhwError(f"column {name} must have rows with the word {what}, but it has none")
    return parts


def record(sizes: Sequence[int], how: str, seed: int, test_file: str | None = None) -> dict[str, object]:
    """How rows were split, for the model's provenance; `sizes` are those of the three parts.

    >>> record([3, 1, 2], "stratified", 0)
    {'how': 'stratified', 'seed': 0, 'rows': {'train': 3, 'validation': 1, 'test': 2}}
    """
    found: dict[str, object] = {"how": how, "seed": seed, "rows": dict(zip(PARTS, sizes, strict=True))}
    return {**found, "test_file": test_file} if test_file else found


def _parts(part: np.ndarray) -> Parts:
    return Parts(*(np.flatnonzero(part == i) for i in range(3)))


def _stratified(y: np.ndarray, random: np.random.Generator, validation: float, test: float) -> np.ndarray:
    """Each class by itself; a class of three rows is in every part that is wanted, one of one row in training."""
    part = np.zeros(len(y), np.int64)
    order = random.permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    for rows in np.split(order, np.flatnonzero(np.diff(y[order])) + 1):
        tested = min(_share(len(rows), test), len(rows) - 1)
        validated = min(_share(len(rows), validation), len(rows) - 1 - tested)
        part[rows[:tested]] = 2
        part[rows[tested : tested + validated]] = 1
    return part


def _share(rows: int, share: float) -> int:
    return max(round(rows * share), 1 if share > 0 and rows >= 3 else 0)


def _grouped(y: np.ndarray, groups: np.ndarray, random: np.random.Generator, shares: tuple[float, ...]) -> np.ndarray:
    """Group by group, the largest first, to the part that lacks its classes most."""
    names, group = np.unique(groups, return_inverse=True)
    if len(names) < sum(share > 0 for share in shares):
        raise DbhwError(f"groups must be at least {sum(share > 0 for share in shares)}, not {len(names)}")
    classes = int(y.max()) + 1
    counts = np.zeros((len(names), classes))
    np.add.at(counts, (group, y), 1)
    wanted = np.outer(shares, counts.sum(axis=0))
    lacking, part_of = wanted.copy(), np.zeros(len(names), np.int64)
    order = random.permutation(len(names))
    for one in order[np.argsort(-counts[order].sum(axis=1), kind="stable")]:
        after = lacking - counts[one]
        gain = (lacking**2 - after**2).sum(axis=1) / np.maximum(wanted.sum(axis=1), 1e-9)
        gain[[share <= 0 for share in shares]] = -np.inf
        part_of[one] = int(np.argmax(gain))
        lacking[part_of[one]] = after[part_of[one]]
    return part_of[group]
