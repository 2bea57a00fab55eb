"""Prove that no K flipped input bits change the class, or that a rule holds for every input."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from dbhw.base import terminal
from dbhw.base.errors import DbhwError
from dbhw.commands import _options
from dbhw.data.tables.column import values
from dbhw.model.model import Model

if TYPE_CHECKING:
    from dbhw.prove.properties.robustness import Flips

_MOST_DIGITS = 64


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    parser.add_argument("--robust", type=int, metavar="K", help="do K flipped input bits ever change the class?")
    parser.add_argument(
        "--data", help="check the examples of a built-in data set (test part), or of a .npz or .csv file"
    )
    parser.add_argument("--row", type=int, help="check only this example of the data, counted from 0")
    parser.add_argument("--input", help="check this input, as zeros and ones, the first feature first")
    parser.add_argument("--show", type=int, default=3, help="how many counterexamples to show (default 3)")
    parser.add_argument(
        "--implies",
        metavar="RULE",
        action="append",
        help="does a rule such as 'cold and outside -> coat' hold on every input? may be given several times",
    )
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    if (args.robust is None) == (args.implies is None):
        raise DbhwError("verify must have either --robust or --implies, not " + ("both" if args.implies else "none"))
    if args.implies and (args.data, args.row, args.input) != (None, None, None):
        raise DbhwError("verify --implies must have no --data, --row or --input: a rule is checked on every input")
    model = _options.chosen_model(args)
    return _rules(args, model) if args.implies else _robust(args, model)


def _robust(args: argparse.Namespace, model: Model) -> int:
    from dbhw.prove.properties.robustness import Flips, robust

    first, x = _examples(args, model)
    started = time.perf_counter()
    shown: list[dict[str, Any]] = []
    holds = 0
    with terminal.progress(len(x), f"flipping {args.robust}") as bar:
        for row, (bits, flips) in enumerate(zip(x, robust(model, x, args.robust), strict=True), first):
            holds += flips is None
            if isinstance(flips, Flips) and len(shown) < args.show:
                shown.append(_flips(model, row, bits, flips))
            bar.update()
    values = {
        "examples": len(x),
        "flips": args.robust,
        "robust": holds,
        "robust_fraction": holds / len(x),
        "seconds": round(time.perf_counter() - started, 3),
    }
    if args.json:
        terminal.result({**values, "counterexamples": shown}, args.json)
    else:
        terminal.result(values, args.json)
        for c in shown:
            where = f"row {c['row']}{_if_short(c['input'])}"
            print(f"{where}: {c['class']} becomes {c['becomes']} with {', '.join(c['flips'])}")
    return 0 if holds == len(x) else 1


def _examples(args: argparse.Namespace, model: Model) -> tuple[int, np.ndarray]:
    """The index of the first example to check, and the examples."""
    if (args.data is None) == (args.input is None):
        raise DbhwError("verify --robust must have either --data or --input, not " + ("both" if args.data else "none"))
    if args.input is not None:
        if args.row is not None:
            raise DbhwError("verify --row must have --data, not --input")
        if set(args.input) - set("01") or len(args.input) != model.net.inputs:
            raise DbhwError(f"input must be {model.net.inputs} zeros and ones, not {args.input!r}")
        return 0, np.array([[c == "1" for c in args.input]])
    data = _options.examples(args.data, model)
    if args.row is None:
        return 0, data.x
    if not 0 <= args.row < len(data.x):
        raise DbhwError(f"row must be between 0 and {len(data.x) - 1}, not {args.row}")
    return args.row, data.x[args.row : args.row + 1]


def _flips(model: Model, row: int, bits: np.ndarray, flips: Flips) -> dict[str, Any]:
    return {
        "row": row,
        "input": _digits(bits),
        "flips": [f"{'not ' if bits[f] else ''}{model.features[f]}" for f in flips.features],
        "class": model.classes[flips.before],
        "becomes": model.classes[flips.after],
    }


def _rules(args: argparse.Namespace, model: Model) -> int:
    from dbhw.prove.properties.implication import implied
    from dbhw.prove.properties.rules import parse

    rules = [parse(text, model.features, model.classes, model.columns) for text in args.implies]
    results: list[dict[str, Any]] = []
    with terminal.progress(len(rules), "proving rules") as bar:
        for text, rule in zip(args.implies, rules, strict=True):
            started = time.perf_counter()
            verdict = implied(model, rule)
            result: dict[str, Any] = {"rule": text, "holds": verdict.holds, "vacuous": verdict.vacuous}
            if verdict.counterexample is not None:
                bits = verdict.counterexample
                result["input"] = _digits(bits)
                result["high"] = _high(model, bits)
                result["class"] = model.classes[model.predict(bits[None])[0]]
            results.append({**result, "seconds": round(time.perf_counter() - started, 3)})
            bar.update()
    holds = all(r["holds"] for r in results)
    if args.json:
        terminal.result({"holds": holds, "rules": results}, args.json)
    else:
        for r in results:
            print(f"{r['rule']}: {_in_words(r)}")
    return 0 if holds else 1


def _high(model: Model, bits: np.ndarray) -> list[str]:
    """What an input is: the features that are high, or the values of all columns."""
    if not model.columns:
        return [model.features[i] for i in np.flatnonzero(bits)]
    (row,) = values(model.columns, bits[None])
    shown = [f"{value:.10g}" if isinstance(value, float) else str(value) for value in row]
    return [f"{column.name} = {value}" for column, value in zip(model.columns, shown, strict=True)]


def _in_words(result: dict[str, Any]) -> str:
    if result["vacuous"]:
        return "holds on every input, but only because its left side is never true"
    if result["holds"]:
        return "holds on every input"
    high = ", ".join(result["high"]) or "all low"
    return f"FAILS on {high}{_if_short(result['input'])}, where the net says {result['class']}"


def _if_short(digits: str) -> str:
    """The input if it fits a line of a terminal. A long one is only in the JSON."""
    return f", {digits}" if len(digits) <= _MOST_DIGITS else ""


def _digits(bits: np.ndarray) -> str:
    return "".join(map(str, bits.astype(int)))
