"""Broken hardware must be caught: single faults in emitted Verilog, seen by simulation and refused by the proof."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dbhw.data.stimuli import choose
from dbhw.logic.network import Network
from dbhw.prove.equivalence import network_is_verilog, prove
from dbhw.rtl.verilog.emit import emit
from dbhw.sim import faults
from tests.kit import samples
from tests.kit.many import simulate_many
from tests.kit.nets import NETS

FAULTS = 20  # of each net; tests/sim/test_score.py and bench/mutations.py put in more, in netlists too


@pytest.mark.parametrize(("number", "lut_inputs"), [(0, 6), (1, 6), (2, 4), (3, 6)])
def test_every_single_fault_is_caught(number, lut_inputs):
    random = np.random.default_rng(number)
    x = choose(8, "all")
    chosen = []
    while len(chosen) < FAULTS:  # Random weights may leave little of a net; take one that has something to break.
        model = samples.random_model(NETS[number], random)
        emitted = emit(model, lut_inputs=lut_inputs)
        chosen = list(faults.of_rtl(emitted.verilog))
    chosen = [chosen[i] for i in random.permutation(len(chosen))[:FAULTS]]
    entries, proofs = [], []
    for i, fault in enumerate(chosen):
        module = f"m{i}"
        renamed = replace(emitted, manifest=replace(emitted.manifest, module=module))
        text = re.sub(r"\bnet(?=[ _])", module, fault.put_into(emitted.verilog))
        entries.append((model, renamed, text, x))
        proofs.append(network_is_verilog(model.to_network(), text, module, lut_inputs).proved)
    mismatches = simulate_many(entries)
    # The vectors are all inputs there are, so simulation decides whether the fault changes the function.
    changed = [m > 0 for m in mismatches]
    assert sum(changed) >= FAULTS // 2, "too few faults that change the function"
    for fault, wrong, proved in zip(chosen, changed, proofs, strict=True):
        assert proved != wrong, f"{fault.what}: simulation says {'wrong' if wrong else 'right'}, the proof {proved}"


def test_a_wrong_netlist_is_refused():
    """Ports in another order, or of other widths, are not the same function."""
    n = Network()
    a, b = n.input("a"), n.input("b")
    n.output("y", [n.and_([a, b ^ 1])])
    right = "module net (input wire [1:0] x, output wire y); assign y = x[0] & ~x[1]; endmodule"
    assert all(step.proved for step in prove(n, right, target="ice40"))
    for wrong in (
        right.replace("x[0] & ~x[1]", "x[1] & ~x[0]"),
        right.replace("output wire y", "output wire z").replace("assign y", "assign z"),
        right.replace("[1:0]", "[2:0]"),
    ):
        assert not network_is_verilog(n, wrong).proved


def test_a_bench_refuses_vectors_of_other_verilog():
    from dbhw.base.errors import DbhwError
    from dbhw.rtl.verilog.vectors import Vectors
    from dbhw.sim.run import simulate

    model = samples.random_model(NETS[0], np.random.default_rng(0))
    emitted = emit(model)
    stale = Vectors.of(model, emitted.manifest, choose(8, "4"))
    with pytest.raises(DbhwError, match="vectors must belong to the Verilog under test"):
        simulate(emitted.verilog.replace("&", "|", 1) + "\n", emitted.module, stale)
