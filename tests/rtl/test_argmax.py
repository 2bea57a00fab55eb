"""Argmax for look-up tables of four and of six inputs: proved for any number of scores, small, and a fault is seen."""

import pytest

from dbhw.fpga.synth import synthesise
from dbhw.logic.network import Network
from dbhw.prove.equivalence import network_is_verilog, verilog_is_netlist
from dbhw.rtl.arithmetic.count import LUT_INPUTS
from dbhw.rtl.verilog.emit import emit_network
from tests.kit.lint import lint


def largest_of(*several):
    """The index of the first largest of several scores, each of which adds up bits with weights, from a least value.

    With several lists of scores the network has a label for each, side by side, and one proof is of all of them.
    """
    n = Network()
    bits = iter([n.input(f"x{i}") for i in range(sum(len(w) for weights in several for w, _ in weights))])
    n.begin_layer("scores")
    each = [[n.count([(next(bits), c) for c in w], least) for w, least in weights] for weights in several]
    n.begin_layer("argmax")
    for i, scores in enumerate(each):
        n.integer_output(f"label{i}", [n.argmax(scores)], max((len(scores) - 1).bit_length(), 1))
    return n


def emitted(network, lut_inputs=6):
    return emit_network(network, "net", "0" * 64, (), lut_inputs)


@pytest.mark.parametrize("lut_inputs", LUT_INPUTS)
def test_any_number_of_scores(lut_inputs, tmp_path):
    """Scores of different widths, some of which can never win or never lose."""
    numbers = [2, 3, 4, 5, 6, 7, 8, 9, 13, 17]
    lists = [[((1, 2, 4)[: 1 + i % 3], i % 4) for i in range(scores)] for scores in numbers]
    hardware = emitted(largest_of(*lists), lut_inputs)
    lint(tmp_path, hardware)
    assert network_is_verilog(largest_of(*lists), hardware.verilog, lut_inputs=lut_inputs).proved
    for number in (3, 17):  # the first score starts one higher
        broken = [[(w, least + (j == 0 and len(own) == number)) for j, (w, least) in enumerate(own)] for own in lists]
        assert not network_is_verilog(largest_of(*broken), hardware.verilog, lut_inputs=lut_inputs).proved


def test_any_width_of_scores():
    lists = [[(tuple(1 << j for j in range(width)), 0)] * 4 for width in range(1, 9)]
    hardware = emitted(largest_of(*lists))
    assert network_is_verilog(largest_of(*lists), hardware.verilog).proved
    exchanged = [[(w[::-1] if len(w) == 8 and j == 2 else w, 0) for j, (w, _) in enumerate(own)] for own in lists]
    assert not network_is_verilog(largest_of(*exchanged), hardware.verilog).proved


def test_the_netlist_of_scores_is_proved():
    network = largest_of([((1, 2, 4, 8, 16, 32), 0)] * 4)
    assert verilog_is_netlist(emitted(network).verilog).proved


def test_ten_scores_of_six_digits_are_small():
    """A comparison takes three tables, and a digit of a chosen score one, whatever is around them."""
    network = largest_of([((1, 2, 4, 8, 16, 32), 0)] * 10)
    assert synthesise(emitted(network).verilog, "xilinx").luts == 74


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("x[2:0] > x[5:3]", "x[2:0] >= x[5:3]"),  # the higher index wins a tie
        ("assign y[0] =", "assign y[0] = ~"),  # of the place of the winner
        ("x[1] ?", "~x[1] ?"),  # the loser's score goes on
    ],
)
def test_a_fault_in_a_kept_module_is_seen(right, wrong):
    network = largest_of([((1, 2, 4, 8), 0)] * 10)
    hardware = emitted(network)
    assert right in hardware.verilog
    assert not network_is_verilog(network, hardware.verilog.replace(right, wrong, 1)).proved
