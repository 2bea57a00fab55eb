"""The mutation score: faults are put into hardware one at a time, and every one that changes it must be caught.

Many broken modules are simulated side by side, since building a simulator takes longer than running it. What
simulation does not notice is put to the proof: it refuses the fault, or proves that it changes nothing.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from dbhw.base import files
from dbhw.fpga import families
from dbhw.fpga.synth import synthesis_script
from dbhw.logic import evaluate
from dbhw.model.model import Model
from dbhw.prove.clocked.pipeline import same_on_every_sequence, verilog_is_pipeline
from dbhw.prove.equivalence import network_is_verilog
from dbhw.prove.watch import Watch
from dbhw.prove.workshop import Step
from dbhw.rtl.flat import flat
from dbhw.rtl.verilog.emit import Emitted
from dbhw.rtl.verilog.manifest import Port
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.sim import faults
from dbhw.sim.faults import NETLIST, RTL, Fault
from dbhw.sim.run import simulate_together
from dbhw.tools import yosys
from dbhw.tools.process import ToolError

SIMULATION, PROOF, EQUIVALENT, UNDECIDED = "simulation", "proof", "equivalent", "undecided"
_AT_ONCE = 100
_SECONDS = 120.0  # for one proof


@dataclass
class Score:
    """How many faults each rung has caught, how many change nothing, and what was not decided."""

    found: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # level, kind of fault, what became of it
    survivors: list[str] = field(default_factory=list)

    def of(self, fate: str) -> int:
        """How many faults had a fate.

        >>> Score(Counter({("rtl", "inverted", "proof"): 2})).of("proof")
        2
        """
        return sum(n for (_, _, f), n in self.found.items() if f == fate)

    @property
    def faults(self) -> int:
        return self.found.total()

    @property
    def percent(self) -> float:
        """The share of the faults that are caught, of those that are not proved to change nothing."""
        changing = self.faults - self.of(EQUIVALENT)
        return round(100 * (self.of(SIMULATION) + self.of(PROOF)) / changing, 2) if changing else 100.0

    def to_json(self) -> dict[str, Any]:
        fates = {fate: self.of(fate) for fate in (SIMULATION, PROOF, EQUIVALENT, UNDECIDED)}
        return {"faults": self.faults, **fates, "percent": self.percent, "survivors": self.survivors}

    def rows(self) -> list[tuple[str, ...]]:
        """A table: a row for each level and kind of fault.

        >>> Score(Counter({("rtl", "inverted", "proof"): 2})).rows()[1]
        ('rtl', 'inverted', '0', '2', '0', '0')
        """
        kinds = sorted({(level, kind) for level, kind, _ in self.found})
        fates = (SIMULATION, PROOF, EQUIVALENT, UNDECIDED)
        return [("level", "fault", *fates), *((*k, *(str(self.found[*k, fate]) for fate in fates)) for k in kinds)]


def score(
    model: Model,
    emitted: Emitted,
    target: str,
    count: int,
    x: np.ndarray,
    levels: Sequence[str] = (RTL, NETLIST),
    simulated: bool = True,
    simulator: str = "verilator",
    seed: int = 0,
    say: Callable[[str], None] = lambda _: None,
) -> Score:
    """Puts `count` random faults into emitted hardware, equally many at each level, and sees which are caught.

    `x` is the inputs to simulate; Icarus needs less time than Verilator, which compiles every fault. Without
    `simulated` every fault goes to the proof. Of loadable hardware the core is taken, with random weights.

    >>> Score().percent
    100.0
    """
    found, random = Score(), np.random.default_rng(seed)
    core = _Core(model, emitted, target, x, random, simulator)
    for level in levels:
        text = core.verilog if level == RTL else core.netlist()
        every = list((faults.of_rtl if level == RTL else faults.of_netlist)(text))
        many = min(count // len(levels), len(every))
        chosen = [every[int(i)] for i in random.permutation(len(every))[:many]]
        core.check(text, level)
        for first in range(0, len(chosen), _AT_ONCE):
            say(f"{level}: {first} of {len(chosen)} faults")
            _judge(found, core, level, text, chosen[first : first + _AT_ONCE], simulated)
    return found


def _judge(found: Score, core: _Core, level: str, text: str, some: Sequence[Fault], simulated: bool) -> None:
    texts = [*(fault.put_into(text) for fault in some), text]  # the last one is not broken
    *broken, whole = core.modules(texts, level)
    noticed = core.simulate([*broken, whole]) if simulated else [False] * len(texts)
    if noticed[-1]:
        raise ToolError(f"simulation must accept the {level} as it is, but it does not")
    for i, (fault, module) in enumerate(zip(some, broken, strict=True)):
        fate = SIMULATION if noticed[i] else core.prove(module, f"m{i}", level)
        if fate == EQUIVALENT and not simulated and any(core.simulate([core.renamed(module, "m0", f"m{i}")])):
            fate = UNDECIDED  # The proof accepts what simulation refuses: a fault of the proof.
        kind = re.sub(r"\d+", "N", fault.what)
        found.found[level, kind, fate] += 1
        if fate == UNDECIDED:
            found.survivors.append(f"{level}: {fault.what} in {fault.lines[0][1].strip():.100}")


class _Core:
    """Hardware to be broken: its text, and how it is simulated and proved."""

    def __init__(
        self,
        model: Model,
        emitted: Emitted,
        target: str,
        x: np.ndarray,
        random: np.random.Generator,
        simulator: str = "verilator",
    ) -> None:
        manifest, self.simulator = emitted.manifest, simulator
        self.emitted, self.target, self.module = emitted, target, manifest.module
        self.verilog, self.inputs, self.outputs = emitted.verilog, manifest.all_inputs, manifest.all_outputs
        if manifest.weights:
            self.module = f"{manifest.module}_core"
            own = rf"^module {self.module}(?:_\w+)? .*?^endmodule\n"  # with the modules that it is made of
            self.verilog = "\n".join(re.findall(own, emitted.verilog, re.M | re.S))
            self.inputs, self.outputs = (*manifest.inputs, Port("w", manifest.weights.bits)), manifest.outputs
            self.vectors = _with_weights(emitted, x, manifest.weights.bits, random)
        else:
            self.vectors = replace(Vectors.of(model, manifest, x), resets=1 if manifest.stream else None)

    def modules(self, texts: Sequence[str], level: str) -> list[str]:
        """The texts as Verilog modules m0, m1, …"""
        named = [self.renamed(text, f"m{i}") for i, text in enumerate(texts)]
        return self.as_verilog(named) if level == NETLIST else named

    def check(self, text: str, level: str) -> None:
        """Refuses to go on where the proof does not even accept hardware without a fault."""
        if self.prove(self.modules([text], level)[0], "m0", level) != EQUIVALENT:
            raise ToolError(f"the proof must accept the {level} as it is, but it does not")

    def renamed(self, text: str, name: str, old: str = "") -> str:
        return re.sub(rf"\b{old or self.module}(?=[ (_])", name, text)

    def netlist(self) -> str:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "net.v").write_text(self.verilog)
            script = synthesis_script(self.target, self.module, verilog=self.verilog)
            yosys.run(["read_verilog net.v", *script, "write_verilog -noattr synth.v"], folder)
            return Path(folder, "synth.v").read_text()

    def as_verilog(self, netlists: Sequence[str]) -> list[str]:
        """Netlists of modules m0, m1, … as Verilog without the family's cells."""
        models = f"read_verilog -defer -nooverwrite +/{families.find(self.target).models}"
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "all.v").write_text("\n".join([*netlists, self._top(len(netlists))]))
            keep = [f"setattr -mod -set keep_hierarchy 1 m{i}" for i in range(len(netlists))]
            script = ["hierarchy -check -top top", "proc", *keep, "flatten -noscopeinfo", "opt_clean"]
            writes = [f"write_verilog -noattr -selected m{i}.v" for i in range(len(netlists))]
            selected = [c for i, write in enumerate(writes) for c in (f"select m{i}", write)]
            yosys.run([models, "read_verilog -overwrite all.v", *script, *selected], folder)
            return [Path(folder, f"m{i}.v").read_text() for i in range(len(netlists))]

    def _top(self, many: int) -> str:
        """A module with the modules m0, m1, … side by side."""
        ports, instances = [], []
        for name in (f"m{i}" for i in range(many)):
            for direction, own in (("input", self.inputs), ("output", self.outputs)):
                ports += [f"{direction} {replace(port, name=f'{port.name}_{name}').wire}" for port in own]
            wired = [f".{port.name}({port.name}_{name})" for port in (*self.inputs, *self.outputs)]
            instances.append(f"  {name} {name}_i ({', '.join(wired)});")
        return "\n".join([f"module top ({', '.join(ports)});", *instances, "endmodule", ""])

    def simulate(self, modules: Sequence[str]) -> list[bool]:
        """Which of the modules m0, m1, … give a wrong answer. If they cannot be simulated together, one by one."""
        text = "\n".join([*modules, self._top(len(modules))])
        own = replace(self.vectors, verilog_sha256=files.sha256(text))
        try:
            seen = simulate_together(text, "top", {f"_m{i}": own for i in range(len(modules))}, self.simulator)
        except ToolError:
            if len(modules) == 1:
                return [False]  # the proof decides
            alone = (self.renamed(module, "m0", f"m{i}") for i, module in enumerate(modules))
            return [noticed for module in alone for noticed in self.simulate([module])]
        return [seen[f"_m{i}"].mismatches > 0 for i in range(len(modules))]

    def prove(self, text: str, module: str, level: str) -> str:
        """What the proof says of a module: refused, or the same as the network."""
        manifest = replace(self.emitted.manifest, module=module.removesuffix("_core"))
        if manifest.weights:  # `flat` takes the core of loadable hardware by its name
            text, manifest = self.renamed(text, f"{module}_core", module), replace(manifest, module=module)
        packed, top = flat(replace(self.emitted, manifest=manifest), text)
        lut_inputs, watch = families.find(self.target).lut_inputs, Watch(_SECONDS)
        clocked = bool(manifest.latency or manifest.stream)
        lowered, simple = self.emitted.lowered, self.emitted.network
        try:
            steps: list[Step]
            if clocked:
                timing = (manifest.latency, manifest.stream is not None)
                steps = verilog_is_pipeline(lowered, packed, top, lut_inputs, *timing, simple, watch)
                if level == NETLIST and not all(step.proved for step in steps):
                    # Synthesis may make another kind of circuit of a pipeline.
                    whole, _ = flat(replace(self.emitted, manifest=manifest), self.renamed(self.verilog, module))
                    steps = [same_on_every_sequence(whole, packed, top, watch)]
            else:
                steps = [network_is_verilog(lowered, packed, top, lut_inputs, simple)]
        except ToolError:
            return PROOF  # Yosys refuses it, as it does a loop.
        if any(step.undecided for step in steps):
            return UNDECIDED
        return EQUIVALENT if all(step.proved for step in steps) else PROOF


def _with_weights(emitted: Emitted, x: np.ndarray, bits: int, random: np.random.Generator) -> Vectors:
    """Vectors of the core of loadable hardware, under random weights; the answers are the network's."""
    weights = random.random((len(x), bits)) < random.random((len(x), 1))
    both = np.concatenate([x, weights], axis=1)
    answers = evaluate.on_words(emitted.lowered, both)
    ports = [*emitted.manifest.inputs, Port("w", bits)]
    ends = np.cumsum([port.width for port in ports]).tolist()
    inputs = {p.name: _hexadecimal(both[:, end - p.width : end], 1) for p, end in zip(ports, ends, strict=True)}
    outputs = {
        p.name: _hexadecimal(np.atleast_2d(answers[p.name].reshape(len(x), -1)), p.field_width or p.width)
        for p in emitted.manifest.outputs
    }
    widths = {port.name: port.width for port in (*ports, *emitted.manifest.outputs)}
    return Vectors(verilog_sha256="", clock=None, stream=None, inputs=inputs, outputs=outputs, widths=widths)


def _hexadecimal(rows: np.ndarray, width: int) -> tuple[str, ...]:
    return tuple(f"{sum(int(v) << i * width for i, v in enumerate(row)):x}" for row in rows.tolist())
