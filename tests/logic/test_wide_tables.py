"""Look-up tables of seven and eight inputs go all the way: text, evaluation, printing, clauses, passes, proof."""

import numpy as np
import pytest

from dbhw.logic import evaluate, passes, truth
from dbhw.logic.formats import python
from dbhw.logic.formats.text import read, write
from dbhw.logic.network import LUT, Network, Output
from dbhw.prove.equivalence import network_is_verilog
from dbhw.prove.networks import linear_forms
from dbhw.prove.properties.sat import Clauses, Encoded
from dbhw.rtl.verilog.emit import emit_network


def wide(n, seed, flip=0):
    """A random table of n inputs, one entry of it flipped if asked for; and the network whose label it is."""
    table = int.from_bytes(np.random.default_rng(seed).bytes(1 << n - 3), "little") ^ flip
    network = Network()
    bits = [network.input(f"x{i}") for i in range(n)]
    network.begin_layer("table")
    looked_up = network.lut(table, bits)
    network.output("y", [looked_up])
    network.integer_output("label", [network.count([(looked_up, 1)])], 1)
    return table, network


def every_input(n):
    return (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(bool)


@pytest.mark.parametrize("n", [7, 8])
def test_a_wide_table_is_what_it_says_everywhere(n):
    table, network = wide(n, seed=n)
    assert [len(network.fanin(node)) for node in network.nodes() if network.kinds[node] == LUT] == [n]
    expected = [table >> i & 1 for i in range(1 << n)]
    for same in (network, read(write(network)), passes.simplify(network)):
        assert write(same) == write(network)
        for run in (evaluate.on_booleans, evaluate.on_words):
            assert run(same, every_input(n))["y"][:, 0].tolist() == expected
    program = {}
    exec(python.write(network, output="y"), program)
    assert [program["net"](*row) for row in every_input(n).tolist()] == [[bool(bit)] for bit in expected]
    with Clauses() as clauses:
        net = Encoded(clauses, network, 2)
        for row, bit in zip(every_input(n).tolist(), expected, strict=True):
            assumed = [v if high else -v for v, high in zip(net.inputs, row, strict=True)]
            assert (clauses.solve([*assumed, net.classes[1]]) is not None) == bit


@pytest.mark.parametrize("n", [7, 8])
def test_a_wide_table_is_proved_and_a_wrong_entry_refused(n):
    _, network = wide(n, seed=n)
    _, wrong = wide(n, seed=n, flip=1 << 77)
    verilog = emit_network(network, "net", "0" * 64, ("no", "yes")).verilog
    assert network_is_verilog(network, verilog).proved
    assert not network_is_verilog(wrong, verilog).proved
    assert linear_forms.same(network, read(write(network)))
    assert not linear_forms.same(network, wrong)


def test_equal_tables_are_one_node_and_keep_their_meaning_in_another_network():
    """Each network numbers its tables for itself, so a table is compared and copied, never its number."""
    tables = [wide(8, seed)[0] for seed in (1, 2)]
    networks = []
    for order in (tables, tables[::-1]):
        network = Network()
        bits = [network.input(f"x{i}") for i in range(8)]
        looked_up = {table: network.lut(table, bits) for table in order}
        assert network.lut(order[1], bits) == looked_up[order[1]]
        network.output("y", [looked_up[table] for table in tables])
        networks.append(network)
    assert linear_forms.same(*networks)
    second = networks[0].outputs[0].members[1]
    networks[0].outputs = [Output("y", "bits", (second,))]
    alone = passes.find("dead")(networks[0])
    assert [alone.table(node) for node in alone.needed()] == [networks[0].table(second >> 1)]


@pytest.mark.parametrize("n", [7, 8])
def test_the_products_of_a_wide_table_cover_it(n):
    table, _ = wide(n, seed=n + 2)
    covered = {i for care, value in truth.cubes(table, n) for i in range(1 << n) if i & care == value}
    assert covered == {i for i in range(1 << n) if table >> i & 1}
