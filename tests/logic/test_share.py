"""Counts that share terms: the same numbers whoever adds them up, proved in links; and broken twins are refused."""

import re

import numpy as np
import pytest

from dbhw.logic import evaluate, passes
from dbhw.logic.cut import cut
from dbhw.logic.formats import python
from dbhw.logic.formats.text import read, write
from dbhw.logic.network import EQ, GE, SUM, Network
from dbhw.logic.passes import share, unshare
from dbhw.prove.clocked.pipeline import verilog_is_pipeline
from dbhw.prove.equivalence import network_is_verilog
from dbhw.prove.networks import linear_forms
from dbhw.prove.properties.sat import Clauses, Encoded
from dbhw.rtl.core import elaborate
from dbhw.rtl.verilog.emit import emit_network
from tests.kit.lint import lint


def added(rows, offsets, compared=0):
    """A network of weighted sums, and the weights and offsets it was made from: some compared, the others shown."""
    network = Network()
    x = [network.input(f"x{i}") for i in range(len(rows[0]))]
    terms = [[(bit, int(c)) for bit, c in zip(x, row, strict=True) if c] for row in rows]
    network.begin_layer("sums")
    bits = [network.at_least(row, 2) for row in terms[:compared]] + [network.exactly(terms[0], 1)] * (compared > 0)
    counts = [network.count(row, int(k)) for row, k in zip(terms[compared:], offsets[compared:], strict=True)]
    network.begin_layer("chosen")
    if counts:
        network.integer_output("label", [network.argmax(counts)], 3)
        network.integer_output("scores", counts, max(network.bounds(c)[1] for c in counts).bit_length())
    if bits:
        network.output("bits", bits)
    return network


def random_sums(seed, n, values, compared=0, shown=0):
    rows = np.random.default_rng(seed).choice(values, (compared + shown, n))
    offsets = 1 - rows.clip(max=0).sum(axis=1)  # no score is ever negative
    return rows, offsets, added(rows, offsets, compared)


def naive_outputs(rows, offsets, compared, x):
    """What the network should say of one example."""
    totals = [sum(int(c) for c, bit in zip(row, x, strict=True) if bit) for row in rows]
    scores = [total + int(offset) for total, offset in zip(totals, offsets, strict=True)][compared:]
    bits = [total >= 2 for total in totals[:compared]] + [totals[0] == 1] * (compared > 0)
    return {
        **({"label": [scores.index(max(scores))], "scores": scores} if scores else {}),
        **({"bits": bits} if bits else {}),
    }


SAMPLES = [
    (0, 60, [-1, 1], 5, 0),
    (1, 300, [-2, 0, 0, 2], 0, 4),
    (2, 90, [-6, -1, 1, 6], 1, 3),
    (3, 70, [3, 5], 2, 3),
]


@pytest.mark.parametrize(("seed", "n", "values", "compared", "shown"), SAMPLES)
def test_everyone_adds_up_the_same(seed, n, values, compared, shown):
    rows, offsets, network = random_sums(seed, n, values, compared, shown)
    shared = share.run(network)
    assert linear_forms.shares(shared)
    text = write(shared)
    assert write(read(text)) == text
    assert write(passes.simplify(shared)) == text  # what is shared stays so
    random = np.random.default_rng(seed)
    x = random.random((70, n)) < random.random((70, 1))
    expected = [naive_outputs(rows, offsets, compared, row) for row in x.tolist()]
    for computed in (evaluate.on_booleans(shared, x), evaluate.on_words(shared, x)):
        for name, values_found in computed.items():
            np.testing.assert_array_equal(values_found, [row[name] for row in expected])
    assert python.write(shared) == python.write(unshare.run(shared))
    _check_layers(shared, x, computed)


def _check_layers(network, x, expected):
    """The layers one after another give what the whole does."""
    values = {node: x[:, i] for i, node in enumerate(network.inputs())}
    for layer in cut(network).values():
        columns = []
        for name in layer.input_names:
            node, _, digit = name[1:].partition("_")
            columns.append(values[int(node)].astype(int) >> int(digit or 0) & 1)
        found = evaluate.on_booleans(layer, np.array(columns, bool).T)
        values.update({int(name[1:]): value[:, 0] for name, value in found.items() if name != "y"})
    for output in network.outputs:
        if output.kind == "integers":
            for i, member in enumerate(output.members):
                np.testing.assert_array_equal(values[member], expected[output.name][:, i])


def test_clauses_add_up_the_same():
    rows, offsets, network = random_sums(4, 64, [-1, 1], shown=3)
    shared = share.run(network)
    assert linear_forms.shares(shared)
    x = np.random.default_rng(0).random((5, 64)) < 0.5
    with Clauses() as clauses:
        net = Encoded(clauses, shared, 3)
        for row in x.tolist():
            solution = clauses.solve([v if bit else -v for v, bit in zip(net.inputs, row, strict=True)])
            label = naive_outputs(rows, offsets, 0, row)["label"][0]
            assert [c in solution for c in net.classes] == [i == label for i in range(3)]


def emitted(network, lut_inputs=6, **how):
    return emit_network(network, "net", "0" * 64, tuple("abcd"), lut_inputs, **how)


@pytest.mark.parametrize(("large", "lut_inputs"), [(False, 4), (True, 6)])
def test_hardware_is_proved_and_broken_twins_refused(large, lut_inputs, tmp_path, monkeypatch):
    monkeypatch.setattr(elaborate, "LARGE", 0 if large else 1000)
    _, _, network = random_sums(5, 48, [-1, 1], compared=2, shown=3)
    network.outputs = [o for o in network.outputs if o.name != "label"]  # whose proof takes longer than all others
    shared = passes.simplify(network)
    assert linear_forms.shares(shared)
    hardware = emitted(shared, lut_inputs)
    lint(tmp_path, hardware)
    assert network_is_verilog(network, hardware.verilog, lut_inputs=lut_inputs).proved
    twins = list(_twins(shared))
    assert not any(linear_forms.same(network, twin) for twin in twins)
    for twin in twins[large::3]:
        assert not network_is_verilog(network, emitted(twin, lut_inputs).verilog, lut_inputs=lut_inputs).proved


def _twins(network):
    """Networks in which one thing of the sums is wrong: a sign, a weight, an offset, a part, a threshold."""
    text = write(network)
    for pattern, wrong in (
        (r"(= sum .*) -1\*", r"\1 1*"),
        (r"(= sum .*) 1\*", r"\1 2*"),
        (r"= sum 0", "= sum 1"),
        (r"(= sum .*) \S+$", r"\1"),
        (r"= ge (\d+) \d+", r"= ge \1 1"),
    ):
        broken = re.sub(pattern, wrong, text, count=1, flags=re.MULTILINE)
        assert broken != text
        yield read(broken)


@pytest.mark.parametrize("seed", [0, 3])
def test_any_sum_of_parts_is_what_it_comes_to(seed, monkeypatch):
    """Also what the pass never makes: odd weights, parts with negative numbers, sums of what is only subtracted."""
    monkeypatch.setattr(elaborate, "LARGE", 1000 * (seed % 2))
    random = np.random.default_rng(seed)
    network = Network()
    x = [network.input(f"x{i}") for i in range(9)]
    network.begin_layer("sums")
    parts = [network.count([(bit, int(random.integers(-3, 4))) for bit in x[i : i + 3]]) for i in range(0, 9, 3)]
    for _ in range(4):
        chosen = random.permutation(len(parts))[:2]
        terms = [(parts[i], int(random.choice([-5, -2, -1, 1, 3, 4]))) for i in chosen]
        parts.append(network.sum_of(terms, int(random.integers(-9, 9))))
    totals = [network.sum_of([(part, 1)], -network.bounds(part)[0]) for part in parts]
    middles = [sum(network.bounds(part)) // 2 for part in parts]
    network.integer_output("totals", totals, max(network.bounds(t)[1] for t in totals).bit_length())
    network.output("above", [network.compare(GE, part, k) for part, k in zip(parts, middles, strict=True)])
    network.output("equal", [network.compare(EQ, part, k) for part, k in zip(parts, middles, strict=True)])
    whole = unshare.run(network)
    for made in (network, whole):
        hardware = emitted(made, 4 + seed // 2 * 2)
        assert network_is_verilog(whole, hardware.verilog).proved
        assert network_is_verilog(network, hardware.verilog).proved


def test_a_broken_pass_is_refused(monkeypatch):
    _, _, network = random_sums(6, 48, [-1, 1], compared=3)
    right = share.run(network)
    for twin in _twins(right):
        # The proof is told by the broken pass how sums are added up, and the hardware is just so.
        monkeypatch.setattr(share, "run", lambda unshared, twin=twin: twin)
        assert not network_is_verilog(network, emitted(twin).verilog).proved


def test_a_negative_number_that_is_shown_is_told_apart():
    count, total = Network(), Network()
    for network in (count, total):
        bits = [network.input("a"), network.input("b")]
        made = network.count([(bits[0], 1), (bits[1], -1)])
        if network is total:
            made = network.sum_of([(network.count([(bits[0], 1)]), 1), (network.count([(bits[1], 1)]), -1)])
        network.integer_output("y", [made], 2)
    # As numbers they are the same, but their hardware is not.
    assert total.linear(total.outputs[0].members[0]) == count.linear(count.outputs[0].members[0])
    assert not linear_forms.same(count, total)


def test_a_pipeline_of_shared_sums_is_proved():
    _, _, network = random_sums(7, 48, [-1, 1], compared=3)
    hardware = emitted(share.run(network), pipeline="stages=2")
    assert all(step.proved for step in verilog_is_pipeline(network, hardware.verilog, "net", 6, 2, False))
    broken = hardware.verilog.replace(" & ", " | ", 1)
    assert not verilog_is_pipeline(network, broken, "net", 6, 2, False)[0].proved


def test_where_nothing_is_gained_nothing_is_done():
    _, _, few = random_sums(8, 20, [-1, 1], compared=4)
    _, _, sparse = random_sums(9, 200, [0, 0, 0, 0, 0, 1], shown=4)
    rows = np.kron(np.eye(3, dtype=int), np.ones(50, int))
    for network in (few, sparse, added(rows, [0, 0, 0])):
        assert share.run(network) is network


def test_many_counts_are_taken_a_few_at_a_time():
    _, _, network = random_sums(10, 100, [-1, 1], compared=12)
    groups = share._groups(network)
    assert sorted(count for group in groups for count in group) == sorted(
        node for node in range(len(network)) if len(network.fanin(node)) == 100
    )
    assert 3 <= len(groups) <= 6
    shared = share.run(network)
    assert max(len(shared.parts(node)) for node in range(len(shared)) if shared.kinds[node] == SUM) == 2
