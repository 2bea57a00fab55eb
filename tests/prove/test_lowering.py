"""The network is what the model file means, by formulas; a lowering that goes wrong anywhere is refused."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from dbhw.logic.network import Network
from dbhw.model import message
from dbhw.nn import encoders, layers
from dbhw.nn.bits import NodeBits
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.encode import Encode
from dbhw.nn.net import Net
from dbhw.prove.meanings import diagrams, lowering, statements
from dbhw.prove.meanings.diagrams import Diagrams
from dbhw.prove.meanings.formulas import Formulas, Sum
from tests.kit import samples
from tests.kit.nets import NETS


def refused_in(model, network, loadable=False):
    return lowering.step(model, network, loadable).differs_in


@pytest.mark.parametrize("name", layers.names())
def test_every_layer_has_a_meaning_and_its_lowering_is_proved(name):
    """With the weights as constants, and for all weights."""
    random = np.random.default_rng(0)
    for shape in [(1,), (3,), (8,), (17,), (3, 4)]:
        layer = samples.make(layers.find(name), shape)
        if layer is None:
            continue
        net = Net(int(np.prod(shape)), [layers.find("reshape")(shape=shape), layer])
        model = samples.random_model(net, random)
        assert lowering.step(model, model.to_network()).proved, (layer, shape)
        if net.weight_count:
            assert lowering.step(model, message.symbolic(net), loadable=True).proved, (layer, shape)


def test_weights_stand_beside_the_rules_that_they_belong_to():
    """In the order of their numbers, all weights before all rules, the diagrams would have millions of nodes."""
    net = Net(14, [layers.find("with_negation")(), layers.find("decision_list")(width=1)])
    assert lowering.step(
        samples.random_model(net, np.random.default_rng(0)), message.symbolic(net), loadable=True
    ).proved


def test_a_layer_that_is_too_wide_is_undecided_and_not_refused(monkeypatch):
    monkeypatch.setattr(diagrams, "_MOST_NODES", 20)
    net = Net(14, [layers.find("with_negation")(), layers.find("decision_list")(width=1)])
    step = lowering.step(samples.random_model(net, np.random.default_rng(0)), message.symbolic(net), loadable=True)
    assert (step.proved, step.differs_in) == (False, "")
    assert "too wide" in step.undecided


@pytest.mark.parametrize("name", encoders.names())
def test_every_encoder_has_a_meaning_and_its_lowering_is_proved(name):
    for width, signed in product((1, 2, 5, 16), (False, True)):
        net = Net(width, [Encode((samples.make_encoder(name, width, signed),))])
        model = samples.random_model(net, np.random.default_rng(0))
        assert lowering.step(model, model.to_network()).proved, (width, signed)


@given(model=samples.models())
@settings(max_examples=60, deadline=None)
def test_random_nets_are_proved(model):
    assert lowering.step(model, model.to_network()).proved


@pytest.mark.parametrize("number", range(4))
def test_a_wrong_weight_is_refused_unless_it_does_not_matter(number):
    """Whether it matters, all inputs say."""
    random = np.random.default_rng(number)
    model = samples.random_model(NETS[number], random)
    x = np.array(list(product((False, True), repeat=8)))
    changed = 0
    for place, w in [(i, w) for i, w in enumerate(model.soft_weights) if w is not None]:
        for flat in random.choice(w.size, min(w.size, 6), False):
            soft = [None if s is None else s.copy() for s in model.soft_weights]
            soft[place].flat[flat] *= -1
            other = type(model)(model.net, tuple(soft), model.features, model.classes)
            differs = (other.outputs(x, engine="numpy") != model.outputs(x, engine="numpy")).any()
            changed += differs
            where = refused_in(model, other.to_network())
            assert where or not differs
            assert not where or where.split()[0] in [layer.name() for layer in model.net.layers]
    assert changed


VOTES = Net(8, [*NETS[2].layers[:-1], BucketSum(buckets=4)])


def broken(monkeypatch, kind, name, made):
    """A model, and its network by a lowering of which one part is replaced."""
    model = samples.random_model(VOTES if kind is not NodeBits else NETS[3], np.random.default_rng(3))
    monkeypatch.setattr(kind, name, made(getattr(kind, name)))
    return model, model.to_network()


def test_swapped_votes_are_refused(monkeypatch):
    def swapped(hard):
        places = np.arange(24)
        places[[9, 15]] = places[[15, 9]]
        return lambda self, w, x: hard(self, w, x.reshape(24).take(places))

    assert refused_in(*broken(monkeypatch, BucketSum, "hard", swapped)).startswith("bucket_sum")


def test_a_threshold_off_by_one_is_refused(monkeypatch):
    wrong = broken(monkeypatch, NodeBits, "at_least", lambda right: lambda self, k: right(self, k + 1))
    assert refused_in(*wrong).startswith("majority")


def test_a_turned_tie_is_refused(monkeypatch):
    """The last of equal scores wins: so do the first of the scores in another order."""

    def turned(argmax):
        def last(self, counts):
            sums = [self.linear(count).scaled(2) for count in counts]  # a higher index is half a vote
            terms = [[(2 * bit, c) for bit, c in total.coefficients.items()] for total in sums]
            return argmax(
                self, [self.count(t, s.constant + i) for i, (t, s) in enumerate(zip(terms, sums, strict=True))]
            )

        return last

    assert refused_in(*broken(monkeypatch, Network, "argmax", turned)) == "argmax"


def test_an_output_of_another_width_or_order_is_refused():
    model = samples.random_model(VOTES, np.random.default_rng(3))
    for fault in ("width", "order", "name"):
        network = model.to_network()
        label, scores = network.outputs
        if fault == "width":
            network.outputs[0] = type(label)("label", label.kind, label.members, label.width + 1)
        elif fault == "order":
            network.outputs[1] = type(label)("scores", scores.kind, scores.members[::-1], scores.width)
        else:
            network.outputs[1] = type(label)("votes", scores.kind, scores.members, scores.width)
        assert refused_in(model, network) == "argmax", fault


def test_a_network_that_does_not_say_what_its_layers_give_is_refused():
    model = samples.random_model(NETS[0], np.random.default_rng(1))
    network = model.to_network()
    network.layer_ends = network.layer_ends[:2]
    assert refused_in(model, network) == "disjunction 9 -> 9"


def test_a_layer_without_a_meaning_is_not_proved(monkeypatch):
    monkeypatch.delitem(statements.LAYERS, "parity")
    model = samples.random_model(NETS[1], np.random.default_rng(1))
    step = lowering.step(model, model.to_network())
    assert not step.proved
    assert step.undecided == "layer parity has no meaning as a formula: its file must define meaning"


def value(f, literal, bits):
    """What a formula is, evaluated as its definition says."""
    definition = f.definitions[literal >> 1] if literal >> 1 else None
    if literal >> 1 == 0 or definition is None:
        return bits.get(literal >> 1, 0) ^ literal & 1
    kind, literals, coefficients, number = definition
    read = [value(f, other, bits) for other in literals]
    total = sum(b * c for b, c in zip(read, coefficients or [1] * len(read), strict=True))
    holds = {
        "and": total == len(read),
        "xor": total & 1,
        "table": number >> sum(b << j for j, b in enumerate(read)) & 1,
        "reaches": total >= number,
        "is": total == number,
    }[kind]
    return int(holds) ^ literal & 1


def test_formulas_and_diagrams_mean_what_they_say():
    """Random gates, tables and comparisons of random literals, constants and repeats among them, on all inputs."""
    random = np.random.default_rng(0)
    for _ in range(150):
        f = Formulas()
        x = [f.input() for _ in range(5)]
        literals = [int(b) ^ int(random.integers(2)) for b in random.choice([0, *x], random.integers(1, 8))]
        coefficients = random.integers(-6, 7, len(literals)).tolist()
        k, table = int(random.integers(-9, 10)), int.from_bytes(random.bytes(16))
        total = Sum.of(zip(literals, coefficients, strict=True), 1)
        made = [f.and_(literals), f.xor(literals), f.table(table, literals), f.reaches(total, k), f.is_(total, k)]
        diagrams = Diagrams(f, {bit >> 1 for bit in x})
        found = [diagrams.of(one) for one in made]
        for values in product((0, 1), repeat=5):
            bits = {bit >> 1: v for bit, v in zip(x, values, strict=True)}
            read = [value(f, literal, bits) for literal in literals]
            number = 1 + sum(b * c for b, c in zip(read, coefficients, strict=True))
            place = sum(b << j for j, b in enumerate(read))
            wanted = [all(read), sum(read) & 1, table >> place & 1, number >= k, number == k]
            assert [value(f, one, bits) for one in made] == wanted
            assert [_walked(diagrams, one, bits) for one in found] == wanted


def _walked(diagrams, node, bits):
    while node > 1:
        leaf, high, low = diagrams._nodes[node]
        node = high if bits[leaf] else low
    return node
