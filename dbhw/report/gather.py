"""Gathers what a report says of a model, step by step, so that a terminal can show what is running."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cached_property

import numpy as np

from dbhw.base import files
from dbhw.data import stimuli
from dbhw.data.dataset import Data
from dbhw.fpga import families, place
from dbhw.fpga.synth import synthesise
from dbhw.model.model import Model
from dbhw.report import area, evidence, flips
from dbhw.report.evaluation import confusion
from dbhw.report.evidence import Rung
from dbhw.report.page.facts import Facts, Size, Tested, bare
from dbhw.rtl.verilog.emit import Emitted, emit

DEFAULT_TARGETS = ("ice40", "xilinx")
_SMALL = 3000  # nodes; larger nets are synthesised only if the user asks for it
_LAYERS_UP_TO = 1500  # nodes; the layers of larger nets are synthesised only if the user names a target
_VECTORS = 1024
_MISTAKES = 10
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """What a report shall measure. `targets` None stands for those that a small net takes little time for.

    >>> Plan(targets=("ice40",), prove=True).steps()
    ['program', 'accuracy', 'flips', 'network', 'area on ice40', 'proof on ice40']
    """

    targets: tuple[str, ...] | None = None
    soft: bool = False
    simulate: bool = False
    prove: bool = False
    place: bool = False
    seconds: float | None = None  # for each proof

    def __post_init__(self) -> None:
        for target in self.targets or ():
            families.find(target)
        evidence.check_seconds(self.seconds)

    def steps(self) -> list[str]:
        """The names of what is done, in order."""
        targets = self.targets if self.targets is not None else DEFAULT_TARGETS
        open_ones = [t for t in targets if families.find(t).place_and_route] if self.place else []
        return [
            *("program", "accuracy", "flips"),
            *(["soft net"] if self.soft else []),
            "network",
            *(f"area on {target}" for target in targets),
            *(f"place and route on {target}" for target in open_ones),
            *(["simulation"] if self.simulate else []),
            *(f"proof on {target}" for target in targets if self.prove),
        ]


@dataclass(frozen=True)
class Subject:
    """The model that a report is about: its data, and sizes that are already known of it, by target."""

    model: Model
    name: str
    command: str
    data: Data | None = None
    data_words: str = ""
    known: Mapping[str, Size] | None = None
    digests: Mapping[str, str] | None = None


def gather(subject: Subject, plan: Plan, tell: Tell) -> Facts:
    """Runs the steps of a plan; `tell` gets the name of each as it begins.

    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(2, []), (), ("a", "b"), ("c", "d"))
    >>> gather(Subject(model, "wires", ""), Plan(targets=()), lambda step: None).rungs[0].said
    'not checked'
    """
    return _Gathering(subject, plan, tell).run()


class _Gathering:
    def __init__(self, subject: Subject, plan: Plan, tell: Tell) -> None:
        self.subject, self.plan, self.tell = subject, plan, tell
        self.model, self.data = subject.model, subject.data

    def run(self) -> Facts:
        started, made = time.perf_counter(), datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        first, *others = self.plan.steps()
        self.tell(first)
        facts = bare(self.model, self.subject.name, made, self.subject.command)
        facts = replace(facts, data=self.data, data_words=self.subject.data_words, sizes=dict(self.subject.known or {}))
        rungs: list[Rung] = []
        for step in others:
            self.tell(step)
            what, _, target = step.partition(" on ")
            if what in ("accuracy", "flips", "area", "place and route"):
                facts = getattr(self, f"_{what.replace(' ', '_')}")(facts, target)
            else:
                rungs += self._rungs(what, target)
        digests = {
            "model": self.model.digest(),
            **(self.subject.digests or {}),
            "Verilog": files.sha256(self._emitted(6).verilog),
        }
        checks = [*rungs, _program(facts), *self._left_out(rungs)]
        return replace(
            facts,
            rungs=_in_order(checks),
            digests=digests,
            versions=evidence.versions(),
            seconds=time.perf_counter() - started,
        )

    @cached_property
    def _by_width(self) -> dict[int, Emitted]:
        return {}

    def _emitted(self, lut_inputs: int) -> Emitted:
        if lut_inputs not in self._by_width:
            self._by_width[lut_inputs] = emit(self.model, lut_inputs=lut_inputs)
        return self._by_width[lut_inputs]

    def _for(self, target: str) -> Emitted:
        return self._emitted(families.find(target).lut_inputs)

    @cached_property
    def _inputs(self) -> tuple[np.ndarray, str]:
        """Inputs to try: all, or the first of the examples and some that are corner cases or random."""
        inputs = self.model.net.inputs
        if 1 << min(inputs, 20) <= 4 * _VECTORS:
            return stimuli.choose(inputs, "all"), f"all {1 << inputs:,} inputs"
        chosen = stimuli.choose(inputs, str(_VECTORS))
        if self.data is None:
            return chosen, f"{_VECTORS:,} inputs: corner cases and random ones"
        rows = self.data.x[:_VECTORS]
        return np.concatenate([rows, chosen]), f"{len(rows):,} examples and {_VECTORS:,} corner cases and random inputs"

    def _accuracy(self, facts: Facts, _: str) -> Facts:
        if self.data is None or not len(self.data.y):
            return facts
        said = self.model.predict(self.data.x)
        right = said == self.data.y
        wrong = [(i, int(self.data.y[i]), int(said[i])) for i in np.flatnonzero(~right)[:_MISTAKES].tolist()]
        found = confusion(self.data.y, said, len(self.model.classes))
        return replace(facts, tested=Tested(len(right), int(right.sum()), found, wrong))

    def _flips(self, facts: Facts, _: str) -> Facts:
        x, words = (self._inputs) if self.data is None else (self.data.x, "evenly taken from those of the accuracy")
        return replace(facts, flips=flips.measure(self.model, x), flips_words=words)

    def _area(self, facts: Facts, target: str) -> Facts:
        asked, nodes = self.plan.targets is not None, len(self._for(target).network)
        sizes, layers = dict(facts.sizes), dict(facts.layer_area)
        if asked or (target not in sizes and nodes <= _SMALL):
            emitted = self._for(target)
            found = synthesise(emitted.verilog, target, emitted.module)
            sizes[target] = Size(found.luts, found.depth, found.ffs, found.carries)
        if asked or (target == DEFAULT_TARGETS[0] and nodes <= _LAYERS_UP_TO):
            layers[target] = list(area.of_each_layer(self._for(target).network, target))
        return replace(facts, sizes=sizes, layer_area=layers)

    def _place_and_route(self, facts: Facts, target: str) -> Facts:
        emitted = self._for(target)
        return replace(facts, placed={**facts.placed, target: place.place(emitted.verilog, emitted.module, target)})

    def _rungs(self, what: str, target: str) -> list[Rung]:
        x, where = self._inputs
        if what == "network":
            return [evidence.timed(lambda: evidence.network(self.model, x, where))]
        if what == "simulation":
            return [evidence.timed(lambda: evidence.simulated(self._emitted(6), self.model, x))]
        if what == "soft net":
            data = self.data or Data("random", x, np.zeros(len(x), np.int64), self.model.features, self.model.classes)
            return [evidence.timed(lambda: evidence.soft(self.model, data))]
        proofs = evidence.proved(
            self._for(target), target, self.plan.seconds, lambda doing: self.tell(f"proof: {doing}")
        )
        inputs = families.find(target).lut_inputs
        return [
            replace(r, claim=f"{r.claim}, shaped for {inputs}-input LUTs" if "network" in r.claim else r.claim)
            for r in proofs
        ]

    def _left_out(self, rungs: list[Rung]) -> list[Rung]:
        """The checks that were not asked for, with how to have them."""
        claims = " ".join(rung.claim for rung in rungs)
        missing = []
        if "soft net" not in claims:
            missing.append(Rung("soft net = hard net", "--soft compares them on every example, and so does dbhw eval"))
        if "network = Verilog" not in claims:
            missing.append(
                Rung("network = Verilog = netlist", "--prove proves it for every input, and so does dbhw prove")
            )
        if "Verilog in" not in claims:
            missing.append(Rung("Verilog in a simulator = hard net", "--sim simulates it, and so does dbhw sim"))
        return missing


def _program(facts: Facts) -> Rung:
    found = facts.explanation
    passed = None if not found.checked.tried else found.right
    how = "Python runs the printed program against the layers on bits" if found.checked.tried else str(found.checked)
    return Rung("printed program = hard net", how, str(found.checked), passed)


def _in_order(rungs: list[Rung]) -> list[Rung]:
    """From the soft net to the netlist."""
    order = ["soft net", "hard net =", "printed", "network =", "Verilog =", "Verilog in"]
    return sorted(rungs, key=lambda rung: next(i for i, words in enumerate(order) if rung.claim.startswith(words)))


def to_json(facts: Facts) -> dict[str, object]:
    """The figures of a report, for programs.

    >>> from dbhw.nn.net import Net
    >>> facts = bare(Model(Net(2, []), (), ("a", "b"), ("c", "d")))
    >>> to_json(facts)["accuracy"]
    """
    tested = facts.tested
    return {
        "accuracy": tested.accuracy if tested else None,
        "examples": tested.examples if tested else 0,
        "confusion": tested.confusion.tolist() if tested else None,
        "sizes": {target: asdict(size) for target, size in facts.sizes.items()},
        "checks": [asdict(rung) for rung in facts.rungs],
        "digests": facts.digests,
        "seconds": round(facts.seconds, 2),
    }
