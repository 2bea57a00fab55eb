"""Networks whose passes merge bits are proved by pairs of bits; a wrong pair or a wrong sum is refused."""

import numpy as np
import pytest

from dbhw.logic import passes
from dbhw.logic.network import Network
from dbhw.prove.equivalence import network_is_simplified, network_is_verilog
from dbhw.prove.networks import linear_forms, matching
from dbhw.rtl.verilog.emit import emit_network


def voting(seed, votes=60, numbers=2):
    """Votes on comparisons of a few integers: many of them are the same function, which only passes find out."""
    random = np.random.default_rng(seed)
    n = Network()
    bits = [[n.input(f"a{i}_{j}") for j in range(5)] for i in range(numbers)]
    n.begin_layer("comparisons")
    compared = [_at_least(n, own, int(t)) for own in bits for t in random.integers(1, 31, 6)]
    n.begin_layer("tables")
    tables = [n.lut(int(random.integers(256)), [int(c) for c in random.choice(compared, 3)]) for _ in range(votes)]
    n.begin_layer("votes")
    counts = [n.count([(t, 1) for t in tables[i::3]]) for i in range(3)]
    n.integer_output("label", [n.argmax(counts)], 2)
    n.integer_output("scores", counts, 5)
    return n


def _at_least(n, bits, number):
    found = 1
    for j, bit in enumerate(bits):
        found = n.and_([bit, found]) if number >> j & 1 else n.or_([bit, found]) if found != 1 else 1
    return found


@pytest.mark.parametrize("seed", [0, 1])
def test_merged_bits_are_proved(seed):
    network = voting(seed)
    simple = passes.simplify(network)
    pairs = matching.pairs(network, simple)
    assert len(set(pairs.network.values())) < len(pairs.network), "the example must have bits that merge"
    assert linear_forms.same(network, simple, pairs.network, pairs.simple)
    assert network_is_simplified(network, simple).proved
    assert network_is_verilog(network, emit_network(simple, "net", "0" * 64, ()).verilog, simplified=simple).proved


def test_a_wrong_simplification_is_refused():
    network, other = voting(0), voting(1)
    assert matching.pairs(network, passes.simplify(other)) is None
    assert not network_is_simplified(network, passes.simplify(other)).proved


def test_bits_that_simulation_takes_for_equal_are_not_believed():
    """A conjunction of 40 bits is low on every random input, and yet it is not constant."""

    def network(constant):
        n = Network()
        x = [n.input(f"x{i}") for i in range(40)]
        rare = 0 if constant else n.and_([x[0], *(bit ^ (i & 1) for i, bit in enumerate(x[1:]))])
        n.integer_output("total", [n.count([(x[0], 1), (rare, 1), (x[1], 1)])], 2)
        return n

    honest, wrong = network(constant=False), network(constant=True)
    assert matching.pairs(honest, wrong) is not None
    assert not network_is_simplified(honest, wrong).proved
    assert network_is_simplified(honest, passes.simplify(honest)).proved


def test_a_wrong_sum_of_the_same_bits_is_refused():
    def network(weight):
        n = Network()
        a, b, c = (n.input(v) for v in "abc")
        n.integer_output("total", [n.count([(n.and_([a, b]), weight), (c, 1)])], 2)
        return n

    assert matching.pairs(network(1), network(2)) is not None
    assert not network_is_simplified(network(1), network(2)).proved
