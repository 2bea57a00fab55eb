"""The visitor knows every kind of node."""

from dbhw.logic import visit
from dbhw.logic.network import CONST, INPUT, KIND_NAMES


def test_every_kind_but_the_constant_and_inputs_is_visited():
    assert set(visit._KINDS) == set(range(len(KIND_NAMES))) - {CONST, INPUT}
