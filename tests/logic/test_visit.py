"""The visitor knows every kind of node."""

from dbhw.logic import visit
from dbhw.logic.formats import text
from dbhw.logic.network import CONST, INPUT, KIND_NAMES


def test_every_kind_but_the_constant_and_inputs_is_visited():
    assert set(visit._KINDS) == set(range(len(KIND_NAMES))) - {CONST, INPUT}


def test_every_kind_that_is_visited_is_read_from_text():
    assert set(text._MAKE) == {KIND_NAMES[kind] for kind in visit._KINDS}
