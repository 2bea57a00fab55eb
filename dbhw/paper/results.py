"""The results of an experiment so far, one accuracy per row and seed, in a file that is complete at any time."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import numpy as np

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError
from dbhw.paper.experiments import Row

_HEADER = ("", "mean", "5 %", "95 %", "min", "max", "runs", "mismatches")


Run = dict[str, float]  # the accuracy of one seed, and the mismatches between soft and hard net


class Kept(TypedDict):
    """A row in the file: the digest of what it comes from, and its runs by seed."""

    of: str
    seeds: dict[str, Run]


class Results:
    """The results of one experiment, kept in a JSON file.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "xor.json"
    >>> results = Results(path)
    >>> results.add("∂B net", "ab", {0: {"accuracy": 0.5}, 1: {"accuracy": 1.0}})
    >>> sorted(Results(path).seeds("∂B net", "ab"))
    [0, 1]
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[str, Kept] = {}
        if path.exists():
            try:
                self.rows = json.loads(files.read(path))
                _ = [(row["of"], row["seeds"].items()) for row in self.rows.values()]
            except (ValueError, AttributeError, TypeError, KeyError) as wrong:
                raise DbhwError(
                    f"results {path} must be a file of this command, but it cannot be read; remove it"
                ) from wrong

    def seeds(self, row: str, of: str) -> dict[int, Run]:
        """The results of a row by seed; `of` is the digest of the net, settings and data they come from."""
        found = self.rows.get(row, Kept(of=of, seeds={}))
        if found["of"] != of:
            raise DbhwError(
                f"results {self.path} must come from the net, settings and data that {row!r} has now; remove the file"
            )
        return {int(seed): values for seed, values in found["seeds"].items()}

    def add(self, row: str, of: str, found: dict[int, Run]) -> None:
        """Adds results by seed, and writes the file."""
        seeds = self.seeds(row, of) | found
        self.rows[row] = Kept(of=of, seeds={str(seed): seeds[seed] for seed in sorted(seeds)})
        files.write_all(self.path.parent, {self.path.name: json.dumps(self.rows, indent=1, ensure_ascii=False) + "\n"})

    def table(self, published: Sequence[Row]) -> list[Row]:
        """All rows, best mean first, then the paper's own."""
        ours = sorted(self.rows.items(), key=lambda row: -_accuracies(row[1]).mean())
        here = [(name, *_statistics(row)) for name, row in ours]
        return [_HEADER, *here, *((f"paper: {name}", *figures, "", "") for name, *figures in published)]

    def markdown(self, published: Sequence[Row]) -> str:
        """The table as Markdown."""
        header, *rows = ["| " + " | ".join(row) + " |" for row in self.table(published)]
        return "\n".join([header, "|" + "---|" * len(_HEADER), *rows]) + "\n"


def _accuracies(row: Kept) -> np.ndarray:
    return np.array([run["accuracy"] for run in row["seeds"].values()])


def _statistics(row: Kept) -> Row:
    """Mean and standard error, percentiles and extremes in percent, the number of runs, and all mismatches.

    >>> _statistics({"of": "", "seeds": {"0": {"accuracy": 0.5}, "1": {"accuracy": 1.0}}})
    ('75.00 ± 25.00', '52.5', '97.5', '50.0', '100.0', '2', '')
    """
    percent = 100 * _accuracies(row)
    error = percent.std(ddof=1) / len(percent) ** 0.5 if len(percent) > 1 else 0.0
    spread = (np.percentile(percent, 5), np.percentile(percent, 95), percent.min(), percent.max())
    found = [run["mismatches"] for run in row["seeds"].values() if "mismatches" in run]
    mismatches = str(sum(found)) if found else ""
    return f"{percent.mean():.2f} ± {error:.2f}", *(f"{v:.1f}" for v in spread), str(len(percent)), mismatches


def shown(results: Results, published: Sequence[Row]) -> str:
    """The table for a terminal.

    >>> print(shown(Results(Path("none.json")), [("∂B net", "94.0", "", "", "", "")]).splitlines()[-1])
    paper: ∂B net  94.0
    """
    return terminal.table(results.table(published))
