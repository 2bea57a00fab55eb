"""The bench of encoders: what it writes is what it says, and encoders stay well below plain comparisons."""

from bench import encoder
from dbhw.prove.equivalence import network_is_verilog


def test_both_sides_are_the_same_function():
    each = encoder.thresholds(2, 20)
    network, _ = encoder.network(each)
    packed = encoder.plain(each).replace("input wire [7:0] f0, input wire [7:0] f1", "input wire [15:0] x")
    packed = packed.replace("f0 >=", "x[7:0] >=").replace("f1 >=", "x[15:8] >=")
    assert network_is_verilog(network, packed).proved
    assert not network_is_verilog(network, packed.replace("x[7:0] >=", "x[7:0] >", 1)).proved


def test_encoders_are_small_where_plain_ones_take_carries():
    row = encoder.measure("ice40", encoder.thresholds(4, 60))
    assert row.least < row.ratio < 0.5
    assert row.depth < row.plain_depth
