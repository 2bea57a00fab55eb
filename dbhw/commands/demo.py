"""Show the whole way on noisy XOR: train, harden, explain, emit, simulate, prove, synthesise."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dbhw import recipes
from dbhw.base import files, terminal
from dbhw.data import stimuli
from dbhw.logic.formats import python
from dbhw.model.model import Model
from dbhw.nn.net import labels
from dbhw.report import words


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", default="dbhw-demo", help="the folder to write to (default dbhw-demo)")
    terminal.json_option(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.sim import simulators

    simulators.check("verilator")
    demo = _Demo(Path(args.output))
    for step in (demo.train, demo.evaluate, demo.explain, demo.emit, demo.simulate, demo.prove, demo.synthesise):
        demo.timed(step)
    if args.json:
        terminal.result(args, {"passed": demo.passed, "steps": demo.results})
    else:
        print(f"\n{demo.text}\n")
        rows = [(r["step"], r["result"], f"{r['seconds']:.1f}") for r in demo.results]
        print(terminal.table([("step", "result", "seconds"), *rows]))
        print(f"\nThe model, its Verilog, RTLIL, manifest and vectors are in {args.output}/.")
    return 0 if demo.passed else 1


class _Demo:
    """One run; every step returns what the table says of it, and what fails a step fails the demo."""

    model: Model
    emitted: Any
    text = ""

    def __init__(self, folder: Path) -> None:
        files.write_all(folder, {})
        self.folder = folder
        self.recipe = recipes.find("noisy-xor")
        self.passed = True
        self.results: list[dict[str, Any]] = []

    def timed(self, step: Callable[[], str]) -> None:
        print(f"{step.__name__} ...", file=sys.stderr, flush=True)
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
        from dbhw.train.fit import soft_outputs

        data = self.recipe.data.test
        soft, hard = soft_outputs(self.model, data.x), self.model.outputs(data.x)
        mismatches = int((soft != hard).any(axis=1).sum())
        self.passed &= mismatches == 0
        accuracies = [f"{(labels(out) == data.y).mean():.2%}" for out in (soft, hard)]
        return f"soft {accuracies[0]}, hard {accuracies[1]}, {mismatches} mismatches on {len(data.y)} examples"

    def explain(self) -> str:
        network = words.shortest(self.model.to_network())
        program_text, lines = python.write(network), words.in_words(network, self.model.classes)
        self.text = "\n".join([program_text, *(f"# {line}" for line in lines)])
        checked = words.check(program_text, self.model)
        self.passed &= checked.agree == checked.tried
        return f"{words.terms(program_text)} terms, {checked}"

    def emit(self) -> str:
        from dbhw.rtl.verilog.emit import emit, vectors

        self.emitted = emit(self.model)
        self.vectors = vectors(self.model, self.emitted, stimuli.choose(self.recipe.net.inputs, "all"))
        self.emitted.save(self.folder, self.vectors)
        return f"{len(self.emitted.verilog.splitlines())} lines of Verilog"

    def simulate(self) -> str:
        from dbhw.sim.run import simulate

        seen = simulate(self.emitted.verilog, self.emitted.module, self.vectors)
        self.passed &= seen.mismatches == 0
        return f"{seen.vectors} vectors in {seen.simulator}, {seen.mismatches} mismatches"

    def prove(self) -> str:
        from dbhw.prove.equivalence import prove

        steps = prove(self.model.to_network(), self.emitted.verilog, self.emitted.module)
        self.passed &= all(step.proved for step in steps)
        return "; ".join(f"{step.name} {'proved' if step.proved else 'NOT proved'}" for step in steps)

    def synthesise(self) -> str:
        from dbhw.fpga.synth import synthesise

        areas = [synthesise(self.emitted.verilog, target, self.emitted.module) for target in ("xilinx", "ice40")]
        return ", ".join(f"{area.luts} LUTs and depth {area.depth} on {area.target}" for area in areas)
