"""Counts in hardware: right for every weight in both shapes, proved fast where large, and as small as said."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbhw.base.errors import DbhwError
from dbhw.fpga import families
from dbhw.fpga.synth import synthesise
from dbhw.logic.network import Network
from dbhw.prove.equivalence import network_is_verilog, verilog_is_netlist
from dbhw.rtl.arithmetic.count import LUT_INPUTS
from dbhw.rtl.verilog.emit import emit_network
from tests.kit.lint import lint


def counting(*counts):
    """A network of weighted counts side by side: coefficients and an offset of each.

    It shows each count, whether it is at least its mean, and whether it is its mean. A proof of all of them takes
    little longer than one of a single count.
    """
    n = Network()
    every = [
        ([(n.input(f"x{i}_{j}"), c) for j, c in enumerate(coefficients)], offset)
        for i, (coefficients, offset) in enumerate(counts)
    ]
    n.begin_layer("count")
    for i, (terms, offset) in enumerate(every):
        low, high = n.bounds(n.count(terms, offset))
        width = max((high - min(low, 0)).bit_length(), 1)
        n.integer_output(f"total{i}", [n.count(terms, offset - min(low, 0))], width)
        middle = (low + high) // 2 - offset
        n.output(f"compared{i}", [n.at_least(terms, middle), n.exactly(terms, middle)])
    return n


def threshold(n, k):
    return thresholds((n, k))


def thresholds(*pairs):
    """Thresholds side by side: whether at least k of n bits are high, for each pair of them."""
    network = Network()
    every = [([(network.input(f"x{i}_{j}"), 1) for j in range(n)], k) for i, (n, k) in enumerate(pairs)]
    network.begin_layer("majority")
    network.output("y", [network.at_least(terms, k) for terms, k in every])
    return network


def ten_scores():
    network = Network()
    x = [network.input(f"x{i}") for i in range(1000)]
    network.begin_layer("bucket_sum")
    scores = [network.count([(b, 1) for b in x[i : i + 100]]) for i in range(0, 1000, 100)]
    network.begin_layer("argmax")
    network.integer_output("label", [network.argmax(scores)], 4)
    return network


def emitted(network, lut_inputs):
    return emit_network(network, "net", "0" * 64, ("a", "b"), lut_inputs)


BITS = [*range(1, 18), 26, 27, 28, 29, 41, 42, 43]  # the boundaries between leaves are where a count goes wrong


@pytest.mark.parametrize("lut_inputs", LUT_INPUTS)
def test_every_number_of_bits(lut_inputs, tmp_path):
    """All in one proof, which one wrong weight of any of them would make fail."""
    ones = [([1] * n, 0) for n in BITS]
    network = counting(*ones)
    hardware = emitted(network, lut_inputs)
    lint(tmp_path, hardware)
    assert network_is_verilog(network, hardware.verilog, lut_inputs=lut_inputs).proved
    for n in BITS[lut_inputs // 6 :: 8]:
        broken = counting(*[([1] * (m - 1) + [1 + (m == n)], 0) for m in BITS])
        assert not network_is_verilog(broken, hardware.verilog, lut_inputs=lut_inputs).proved, n


@pytest.mark.parametrize("lut_inputs", LUT_INPUTS)
def test_any_weights(lut_inputs, tmp_path):
    count = st.tuples(st.lists(st.integers(-20, 20), min_size=1, max_size=24), st.integers(-5, 9))

    @settings(max_examples=5, deadline=None, database=None, derandomize=True)
    @given(st.lists(count, min_size=8, max_size=8))
    def right(counts):
        network = counting(*counts)
        hardware = emitted(network, lut_inputs)
        lint(tmp_path, hardware)
        assert network_is_verilog(network, hardware.verilog, lut_inputs=lut_inputs).proved

    right()


@pytest.mark.parametrize("lut_inputs", LUT_INPUTS)
def test_large_counts_are_proved_in_seconds(lut_inputs, tmp_path):
    for network in (threshold(256, 128) if lut_inputs == 4 else threshold(784, 392), ten_scores()):
        hardware = emitted(network, lut_inputs)
        lint(tmp_path, hardware)
        step = network_is_verilog(network, hardware.verilog, lut_inputs=lut_inputs)
        assert step.proved
        assert step.seconds < 60


def test_a_large_count_off_by_one_is_refused():
    assert not network_is_verilog(threshold(256, 129), emitted(threshold(256, 128), 6).verilog).proved


@pytest.mark.parametrize(("target", "luts"), [("xilinx", 39), ("ice40", 72), ("gowin", 92), ("ecp5", 108)])
def test_a_majority_of_63_is_small(target, luts):
    """Plain behavioural Verilog takes about 90 six-input and 110 four-input tables."""
    lut_inputs = families.find(target).lut_inputs
    verilog = emitted(threshold(63, 32), lut_inputs).verilog
    assert synthesise(verilog, target).luts <= luts
    assert verilog_is_netlist(verilog, target=target).proved


def test_a_comparison_of_few_bits_is_one_table():
    n = Network()
    x = [n.input(f"x{i}") for i in range(6)]
    n.output("y", [n.at_least(list(zip(x, [3, 2, 2, 1, 1, 1], strict=True)), 5)])
    assert synthesise(emitted(n, 6).verilog, "xilinx").luts == 1


def test_other_tables_are_refused():
    with pytest.raises(DbhwError, match="inputs of a look-up table must be one of 4, 6, not 5"):
        emitted(threshold(9, 5), 5)


def test_a_fault_in_a_kept_step_is_seen():
    network = ten_scores()
    hardware = emitted(network, 6)
    assert 'keep_hierarchy = "yes"' in hardware.verilog
    step = hardware.verilog[hardware.verilog.index("module net_add_6_to_3_digits") :]
    broken = hardware.verilog.replace(step, step.replace(" & ", " | ", 1))
    assert broken != hardware.verilog
    assert not network_is_verilog(network, broken).proved


def test_the_ends_of_chains():
    """Where one more bit makes one more chain of steps."""
    pairs = [(n, n // 2) for n in (55, 56, 57, 111, 112, 113, 167, 168, 400)]
    verilog = emitted(thresholds(*pairs), 6).verilog
    assert network_is_verilog(thresholds(*pairs), verilog).proved
    assert not network_is_verilog(thresholds(*pairs[:4], (112, 57), *pairs[5:]), verilog).proved
