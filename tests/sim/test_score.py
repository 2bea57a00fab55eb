"""The mutation score: every fault that changes hardware is caught, and a check that lets one pass lowers the score."""

import numpy as np
import pytest

from dbhw.data.stimuli import choose
from dbhw.rtl.verilog.emit import emit
from dbhw.sim import faults, mutations
from dbhw.sim.mutations import EQUIVALENT, NETLIST, PROOF, RTL, SIMULATION, UNDECIDED, score
from tests.kit import samples
from tests.kit.nets import NETS


@pytest.fixture(scope="module")
def hardware():
    model = samples.random_model(NETS[3], np.random.default_rng(2))
    return model, emit(model, lut_inputs=4)


def test_faults_of_a_netlist_are_simulated_and_then_proved(hardware):
    """Sixteen inputs of 256 leave something for the proof."""
    found = score(*hardware, "ice40", 8, choose(8, "16"), levels=(NETLIST,))
    assert found.faults == 8
    assert found.percent == 100
    assert found.of(UNDECIDED) == 0
    assert found.of(SIMULATION) > 0


def test_the_proof_alone_refuses_what_changes_something(hardware, monkeypatch):
    monkeypatch.setattr(mutations._Core, "simulate", lambda self, modules: [False] * len(modules))
    found = score(*hardware, "ice40", 4, choose(8, "4"), levels=(RTL,), simulated=False)
    assert found.of(PROOF) + found.of(EQUIVALENT) == 4
    assert found.of(PROOF) > 0


def test_a_proof_that_accepts_what_is_wrong_lowers_the_score(hardware, monkeypatch):
    monkeypatch.setattr(mutations._Core, "prove", lambda self, text, module, level: EQUIVALENT)
    monkeypatch.setattr(mutations._Core, "simulate", lambda self, modules: [True] * len(modules))
    found = score(*hardware, "ice40", 2, choose(8, "4"), levels=(RTL,), simulated=False)
    assert (found.percent, found.of(UNDECIDED), len(found.survivors)) == (0.0, 2, 2)


def test_a_fault_changes_one_place_of_the_text(hardware):
    text = hardware[1].verilog
    every = list(faults.of_rtl(text))
    assert len({fault.put_into(text) for fault in every}) == len(every) > 20
    for fault in every:
        changed = [a != b for a, b in zip(text.split("\n"), fault.put_into(text).split("\n"), strict=True)]
        assert sum(changed) == 1
