"""The bench of areas: its plain Verilog is the same function, and what it measures is smaller."""

import json

import pytest

from bench import area
from dbhw.prove.equivalence import network_is_verilog


@pytest.mark.parametrize("function", list(area.functions(quick=True)), ids=lambda f: f.name)
def test_plain_verilog_is_the_function(function):
    assert network_is_verilog(function.network, function.plain).proved
    wrong = function.plain.replace("for (i = 0;", "for (i = 1;", 1)  # the first bit is forgotten
    assert wrong != function.plain
    assert not network_is_verilog(function.network, wrong).proved


def test_the_bench_measures(capsys):
    assert area.main(["--quick", "--json", "--targets", "ice40", "--only", "majority"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["reached"]
    assert [(row["function"], row["target"]) for row in found["rows"]] == [("majority of 16", "ice40")]
    assert found["rows"][0]["luts"] < found["rows"][0]["plain_luts"]
