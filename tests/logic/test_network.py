"""The logic network: normal forms, folding, hashing, and its text."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbhw.base.errors import DbhwError
from dbhw.logic import evaluate, truth
from dbhw.logic.formats.text import read, write
from dbhw.logic.network import FALSE, GE, TRUE, Network


def fresh(n=4):
    network = Network()
    return network, [network.input(name) for name in "abcdefgh"[:n]]


def test_conjunctions_fold_and_hash():
    n, (a, b, c, _) = fresh()
    assert n.and_([]) == TRUE
    assert n.and_([a, TRUE]) == a
    assert n.and_([a, FALSE]) == FALSE
    assert n.and_([a, a ^ 1, b]) == FALSE
    assert n.and_([c, a, b, a]) == n.and_([a, b, c])
    assert n.or_([a, b]) == n.and_([a ^ 1, b ^ 1]) ^ 1
    assert n.or_([a, a ^ 1]) == TRUE


def test_parities_fold_and_hash():
    n, (a, b, c, _) = fresh()
    assert n.xor([]) == FALSE
    assert n.xor([a, a]) == FALSE
    assert n.xor([a, a ^ 1]) == TRUE
    assert n.xor([a, TRUE]) == a ^ 1
    assert n.xor([a ^ 1, b, c]) == n.xor([a, b ^ 1, c]) == n.xor([a, b, c]) ^ 1


def test_counts_collect_equal_and_opposite_literals():
    n, (a, b, c, _) = fresh()
    # a + not a = 1; b + b = 2 b; the constant moves into the threshold.
    assert n.at_least([(a, 1), (a ^ 1, 1), (b, 1), (b, 1), (c, 1)], 4) == n.at_least([(b, 2), (c, 1)], 3)
    assert n.at_least([(b, 2), (c, 1)], 3) == n.and_([b, c])
    assert n.at_least([(a, 1), (b, 1), (c, 1)], 1) == n.or_([a, b, c])
    assert n.at_least([(a, 1)], 0) == TRUE
    assert n.at_least([(a, 1)], 2) == FALSE


def test_a_comparison_and_its_contrary_are_one_node():
    n, (a, b, c, d) = fresh()
    most = n.at_least([(a, 1), (b, 1), (c, 1), (d, 1)], 3)
    few_lows = n.at_least([(a ^ 1, 1), (b ^ 1, 1), (c ^ 1, 1), (d ^ 1, 1)], 2)
    assert few_lows == most ^ 1
    assert sum(kind == GE for kind in n.kinds) == 1


def test_a_common_divisor_goes():
    n, (a, b, c, _) = fresh()
    assert n.at_least([(a, 4), (b, 4), (c, 4)], 7) == n.at_least([(a, 1), (b, 1), (c, 1)], 2)
    assert n.exactly([(a, 2), (b, 2), (c, 2)], 3) == FALSE


def test_terms_that_never_decide_go():
    n, (a, b, c, d) = fresh()
    assert n.at_least([(a, 31), (b, 1)], 16) == a
    assert n.at_least([(a, 4), (b, 4), (c, 4), (d, 1)], 8) == n.at_least([(a, 1), (b, 1), (c, 1)], 2)
    assert n.at_least([(a, 2), (b, 2), (c, 1), (d, 1)], 3) != n.at_least([(a, 1), (b, 1)], 1)


def test_look_up_tables_become_what_they_are():
    n, (a, b, c, _) = fresh()
    assert n.lut(0b1000, [a, b]) == n.and_([a, b])
    assert n.lut(0b1110, [a, b]) == n.or_([a, b])
    assert n.lut(0b10010110, [a, b, c]) == n.xor([a, b, c])
    assert n.lut(0b1010, [a, b]) == a
    assert n.lut(0b1000, [a, a]) == a
    assert n.lut(0b1000, [a, TRUE]) == a


def test_argmax_of_two_is_a_comparison():
    n, (a, b, _, _) = fresh()
    label = n.argmax([n.count([(a, 1)]), n.count([(a ^ 1, 1), (b, 1)])])
    assert n.linear(label).bounds() == (0, 1)
    assert n.argmax([n.count([], 3), n.count([], 5), n.count([], 5)]) == n.count([], 1)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(-5, 5)), max_size=8),
    st.integers(-12, 12),
)
def test_comparisons_mean_what_they_say(terms, k):
    """Against plain arithmetic, on every input."""
    n, _ = fresh(4)
    n.output("y", [n.at_least(terms, k), n.exactly(terms, k)])
    x = (np.arange(16)[:, None] >> np.arange(4) & 1).astype(bool)
    values = {0: np.zeros(16, int), **{i + 1: x[:, i].astype(int) for i in range(4)}}
    total = sum((c * (values[lit >> 1] ^ (lit & 1)) for lit, c in terms), np.zeros(16, int))
    expected = np.stack([total >= k, total == k], axis=1)
    np.testing.assert_array_equal(evaluate.on_booleans(n, x)["y"], expected)
    np.testing.assert_array_equal(evaluate.on_words(n, x)["y"], expected)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 5).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, 2 ** (2**n) - 1))))
def test_cubes_cover_just_the_table(case):
    n, table = case
    covered = {i for care, value in truth.cubes(table, n) for i in range(1 << n) if i & care == value}
    assert covered == {i for i in range(1 << n) if table >> i & 1}


def test_the_text_reads_back():
    n, (a, b, c, d) = fresh()
    n.begin_layer('odd "name"\\ 4 -> 2')
    total = n.count([(a, 2), (b, -1), (c, 1)], 3)
    n.begin_layer("argmax")
    n.integer_output("label", [n.argmax([total, n.count([(d, 1)]), n.count([(a, 1), (d, 3)])])], 2)
    n.output("bits", [n.lut(0b11101000, [a, b, c]) ^ 1, n.exactly([(a, 1), (b, 1), (c, 1)], 1), TRUE])
    text = write(n)
    assert write(read(text)) == text


@pytest.mark.parametrize("line", ["nonsense", "5 = and 9", '1 = input "a"', 'output "y" bytes 1', "2 = lut"])
def test_bad_text_is_refused(line):
    with pytest.raises(DbhwError, match="network text must be well-formed in line 2, not"):
        read(f'input "a"\n{line}\n')
