"""Run all steps on noisy XOR, read some digits with a model of the zoo, and write a report of the best net."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbhw import recipes, zoo
from dbhw.base import files, terminal
from dbhw.commands import _options
from dbhw.data import stimuli
from dbhw.data.tables.column import Column
from dbhw.logic.network import Network
from dbhw.model.model import Model
from dbhw.report.evaluation import evaluate
from dbhw.report.explanation import explain

if TYPE_CHECKING:
    from dbhw.rtl.verilog.emit import Emitted

_TARGET = "ice40"
_EPOCHS = 500  # of the paper's 2,000: enough to see what it learns
_PICTURES = """
..####..  ...##...  ..####..
..#####.  ..####..  .##..##.
.....##.  .##..#+.  .....##.
..+###+.  .#....#.  ...###..
..####..  .#....#.  .....##.
...##...  .##..##.  .....+#.
..##....  ..####..  .##..##.
..#+....  ...##...  ..####..
"""  # three digits of 8 x 8 pixels, drawn by hand
_GREY = {".": 0, "+": 8, "#": 16}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", default="dbhw-demo", help="the folder to write to (default dbhw-demo)")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.sim import simulators

    simulators.check("verilator")
    demo = _Demo(Path(args.output))
    first = (demo.train, demo.evaluate, demo.explain, demo.emit, demo.prove, demo.synthesise)
    for step in (*first, demo.train_sparse, demo.read_digits, demo.report):
        demo.timed(step)
    report = demo.folder / "report.html"
    if args.json:
        terminal.result({"passed": demo.passed, "steps": demo.results, "report": str(report)}, args.json)
    else:
        print("\n" + "\n\n".join(demo.texts) + "\n")
        rows = [(r["step"], r["result"], f"{r['seconds']:.1f}") for r in demo.results]
        print(terminal.table([("step", "result", "seconds"), *rows]))
        print(f"\nModels, Verilog, RTLIL, manifest and vectors are in {args.output}/.")
        print(f"The report of the second net: {report.resolve().as_uri()}")
    return 0 if demo.passed else 1


class _Demo:
    """One run of the demo. Every step returns its line of the table, and a step that fails makes the demo fail."""

    model: Model
    sparse: Model
    lowered: Network
    emitted: Emitted

    def __init__(self, folder: Path) -> None:
        files.write_all(folder, {})
        self.folder = folder
        self.recipe = recipes.find("noisy-xor")
        self.passed = True
        self.texts: list[str] = []
        self.results: list[dict[str, Any]] = []

    def timed(self, step: Callable[[], str]) -> None:
        name = step.__name__.replace("_", " ")
        terminal.note(f"{name} ...")
        started = time.perf_counter()
        result = step()
        self.results.append({"step": name, "result": result, "seconds": round(time.perf_counter() - started, 2)})

    def train(self) -> str:
        from dbhw.train.policy import fit_recipe  # JAX, which the other commands do without

        short = replace(self.recipe.settings, epochs=_EPOCHS)
        self.model = fit_recipe(replace(self.recipe, settings=short, restarts=1, trial=0))
        self.model.save(self.folder / "xor.dbnet")
        return f"the paper's net: {_EPOCHS} epochs, {self.recipe.net.weight_count} weights of one bit"

    def evaluate(self) -> str:
        found = evaluate(self.model, self.recipe.data.test)
        self.passed &= found.mismatches == 0
        accuracies = f"soft {found.soft_accuracy:.2%}, hard {found.hard_accuracy:.2%}"
        return f"{accuracies}, {found.mismatches} mismatches on {found.examples} examples"

    def explain(self) -> str:
        self.lowered = self.model.to_network()
        return self._explained(self.model, "The paper's net has learned")

    def emit(self) -> str:
        from dbhw.rtl.verilog.emit import emit
        from dbhw.rtl.verilog.vectors import Vectors

        self.emitted = emit(self.model, lut_inputs=4, lowered=self.lowered)
        vectors = Vectors.of(self.model, self.emitted.manifest, stimuli.choose(self.recipe.net.inputs, "all"))
        self.emitted.save(self.folder, vectors)
        return f"{len(self.emitted.verilog.splitlines())} lines of Verilog"

    def prove(self) -> str:
        from dbhw.prove.equivalence import prove_emitted

        steps = prove_emitted(self.emitted, _TARGET)
        self.passed &= all(step.proved for step in steps)
        return "; ".join(f"{step.name} {'proved' if step.proved else 'NOT proved'}" for step in steps)

    def synthesise(self) -> str:
        from dbhw.fpga.synth import synthesise

        area = synthesise(self.emitted.verilog, _TARGET, self.emitted.module)
        return f"{area.luts} LUTs and depth {area.depth} on {_TARGET}"

    def train_sparse(self) -> str:
        from dbhw.train.policy import fit_recipe

        self.sparse = fit_recipe(recipes.find("noisy-xor-sparse"))
        self.sparse.save(self.folder / "xor-sparse.dbnet")
        return f"a charge for each input: {self._explained(self.sparse, 'Recipe noisy-xor-sparse has learned')}"

    def read_digits(self) -> str:
        """Three digits drawn by hand, read by a model that was trained on others."""
        model = zoo.load("digits-small")
        rows = [row.split() for row in _PICTURES.split("\n") if row]
        x = [[_pixel([row[i] for row in rows], column) for column in model.columns] for i in range(len(rows[0]))]
        said = " ".join(model.classes[label] for label in model.predict(x))
        drawn = "\n".join("  ".join(row).translate({46: " ", 43: "▒", 35: "█"}).rstrip() for row in rows)
        self.texts.append(f"# zoo:digits-small reads this as {said}:\n{drawn}")
        self.passed &= said == "7 0 3"
        return f"zoo:digits-small reads {said}"

    def report(self) -> str:
        from dbhw.report import gather
        from dbhw.report.page import document

        plan = gather.Plan((_TARGET,), soft=True, simulate=True, prove=True)
        path = self.folder / "xor-sparse.dbnet"
        command = f"dbhw report {path.name} --targets {_TARGET} --soft --sim --prove"
        words = "the test part of noisy-xor, which the net was not trained on"
        subject = gather.Subject(
            *(self.sparse, path.name, command, self.recipe.data.test, words), digests={"model file": files.digest(path)}
        )
        facts = gather.gather(subject, plan, lambda _: None)
        files.write(self.folder / "report.html", document.write(facts))
        held = [rung.passed is True for rung in facts.rungs]
        self.passed &= all(held)
        luts = facts.sizes[_TARGET].luts
        accuracy = "" if facts.tested is None else f", right on {facts.tested.accuracy:.2%}"
        return f"{luts} LUT{'s' * (luts != 1)} on {_TARGET}{accuracy}, {sum(held)} of {len(held)} checks hold"

    def _explained(self, model: Model, words: str) -> str:
        found = explain(model)
        self.texts.append("\n".join([f"# {words}:", found.program, *(f"# {line}" for line in found.classes)]))
        self.passed &= found.right
        return f"{found.terms} terms, {found.checked}"


def _pixel(picture: list[str], column: Column) -> int:
    row, place = (int(number) for number in re.findall(r"\d+", column.name))
    return _GREY[picture[row][place]]
