"""Run all steps on noisy XOR: train, harden, explain, emit, simulate, prove, synthesise."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbhw import recipes
from dbhw.base import files, terminal
from dbhw.commands import _options
from dbhw.data import stimuli
from dbhw.logic.network import Network
from dbhw.model.model import Model
from dbhw.report.evaluation import evaluate
from dbhw.report.explanation import explain

if TYPE_CHECKING:
    from dbhw.rtl.verilog.emit import Emitted
    from dbhw.rtl.verilog.vectors import Vectors


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", default="dbhw-demo", help="the folder to write to (default dbhw-demo)")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.sim import simulators

    simulators.check("verilator")
    demo = _Demo(Path(args.output))
    for step in (demo.train, demo.evaluate, demo.explain, demo.emit, demo.simulate, demo.prove, demo.synthesise):
        demo.timed(step)
    if args.json:
        terminal.result({"passed": demo.passed, "steps": demo.results}, args.json)
    else:
        print(f"\n{demo.text}\n")
        rows = [(r["step"], r["result"], f"{r['seconds']:.1f}") for r in demo.results]
        print(terminal.table([("step", "result", "seconds"), *rows]))
        print(f"\nThe model, its Verilog, RTLIL, manifest and vectors are in {args.output}/.")
    return 0 if demo.passed else 1


class _Demo:
    """One run of the demo. Every step returns its line of the table, and a step that fails makes the demo fail."""

    model: Model
    lowered: Network
    emitted: Emitted
    vectors: Vectors
    text = ""

    def __init__(self, folder: Path) -> None:
        files.write_all(folder, {})
        self.folder = folder
        self.recipe = recipes.find("noisy-xor")
        self.passed = True
        self.results: list[dict[str, Any]] = []

    def timed(self, step: Callable[[], str]) -> None:
        terminal.note(f"{step.__name__} ...")
        started = time.perf_counter()
        result = step()
        self.results.append(
            {"step": step.__name__, "result": result, "seconds": round(time.perf_counter() - started, 2)}
        )

    def train(self) -> str:
        from dbhw.train.policy import fit_recipe  # JAX, which the other commands do without

        self.model = fit_recipe(self.recipe)
        self.model.save(self.folder / "xor.dbnet")
        return f"{self.recipe.settings.epochs} epochs, {self.recipe.net.weight_count} weights of one bit"

    def evaluate(self) -> str:
        found = evaluate(self.model, self.recipe.data.test)
        self.passed &= found.mismatches == 0
        accuracies = f"soft {found.soft_accuracy:.2%}, hard {found.hard_accuracy:.2%}"
        return f"{accuracies}, {found.mismatches} mismatches on {found.examples} examples"

    def explain(self) -> str:
        self.lowered = self.model.to_network()
        found = explain(self.model, self.lowered)
        self.text = "\n".join([found.program, *(f"# {line}" for line in found.classes)])
        self.passed &= found.right
        return f"{found.terms} terms, {found.checked}"

    def emit(self) -> str:
        from dbhw.rtl.verilog.emit import emit
        from dbhw.rtl.verilog.vectors import Vectors

        self.emitted = emit(self.model, lowered=self.lowered)
        self.vectors = Vectors.of(self.model, self.emitted.manifest, stimuli.choose(self.recipe.net.inputs, "all"))
        self.emitted.save(self.folder, self.vectors)
        return f"{len(self.emitted.verilog.splitlines())} lines of Verilog"

    def simulate(self) -> str:
        from dbhw.sim.run import simulate

        seen = simulate(self.emitted.verilog, self.emitted.module, self.vectors)
        self.passed &= seen.mismatches == 0
        return f"{seen.vectors} vectors in {seen.simulator}, {seen.mismatches} mismatches"

    def prove(self) -> str:
        from dbhw.prove.equivalence import prove

        steps = prove(self.lowered, self.emitted.verilog, self.emitted.module, simplified=self.emitted.network)
        self.passed &= all(step.proved for step in steps)
        return "; ".join(f"{step.name} {'proved' if step.proved else 'NOT proved'}" for step in steps)

    def synthesise(self) -> str:
        from dbhw.fpga.synth import synthesise

        areas = [synthesise(self.emitted.verilog, target, self.emitted.module) for target in ("xilinx", "ice40")]
        return ", ".join(f"{area.luts} LUTs and depth {area.depth} on {area.target}" for area in areas)
