"""Properties that are proved: against enumeration on random nets, with encodings broken on purpose; the command."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbhw.base.errors import DbhwError
from dbhw.base.names import default_names
from dbhw.logic import passes
from dbhw.model.model import Model
from dbhw.nn.layers.bucket_any import BucketAny
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.conjunction import Conjunction
from dbhw.nn.layers.count_hot import CountHot
from dbhw.nn.layers.disjunction import Disjunction
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.parity import Parity
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.net import Net
from dbhw.prove.properties import robustness, sat
from dbhw.prove.properties.implication import implied
from dbhw.prove.properties.robustness import robust
from dbhw.prove.properties.rules import parse
from tests.kit import naive, samples
from tests.kit.command_line import run
from tests.kit.toys import papers_second_toy


def every_class(model):
    """The class of every input, by the naive reference."""
    layers = [layer.to_json() for layer in model.net.layers]
    weights = [None if w is None else w.astype(int).tolist() for w in model.weights]
    return {
        x: naive.label(naive.run(layers, weights, list(x)), model.net.integer_scores)
        for x in itertools.product((0, 1), repeat=model.net.inputs)
    }


def fewest_flips(classes, x, most):
    """The fewest flips that change the class of x, by trying them all; None where `most` are too few."""
    for k in range(1, most + 1):
        for which in itertools.combinations(range(len(x)), k):
            other = tuple(b ^ (i in which) for i, b in enumerate(x))
            if classes[other] != classes[x]:
                return k
    return None


BY_SOLVER, BY_TRIAL = 0, 10**6


def disagreements(model, classes, x, flips, tried=BY_SOLVER):
    """How many examples are seen differently by enumeration with the naive reference."""
    found = [None if f is None else len(f.features) for f in robust(model, np.array(x), flips, tried)]
    return sum(a != fewest_flips(classes, e, flips) for a, e in zip(found, x, strict=True))


@settings(max_examples=120, deadline=None, derandomize=True)
@given(samples.models(most_inputs=6), st.randoms(use_true_random=False), st.integers(0, 2))
def test_robustness_agrees_with_enumeration(model, random, flips):
    classes = every_class(model)
    x = [random.choice(list(classes)) for _ in range(4)]
    assert disagreements(model, classes, x, flips) == 0
    assert disagreements(model, classes, x, flips, BY_TRIAL) == 0
    assert misjudged(passes.simplify(model.to_network()), classes, model.net.classes) == 0


def formulas(names):
    def larger(part):
        pair = st.tuples(st.sampled_from(["and", "or", "->"]), part, part)
        return part.map("(not {})".format) | pair.map(lambda p: f"({p[1]} {p[0]} {p[2]})")

    return st.recursive(st.sampled_from(names), larger, max_leaves=6)


def by_python(text, values):
    """A rule with all its parentheses as Python sees it, where a -> b of two truth values is a <= b."""
    return eval(text.replace("->", "<="), dict(values))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(samples.models(most_inputs=5), st.data())
def test_rules_agree_with_enumeration(model, data):
    names = default_names("x", model.net.inputs)  # Python's own, which those of columns are not
    text = data.draw(formulas([*names, *model.classes]))
    truth = {}
    for x, label in every_class(model).items():
        values = dict(zip(names, map(bool, x), strict=True))
        values |= {name: i == label for i, name in enumerate(model.classes)}
        truth[x] = by_python(text, values)
    verdict = implied(model, parse(text, names, model.classes))
    assert verdict.holds == all(truth.values())
    if not verdict.holds:
        assert not truth[tuple(verdict.counterexample.astype(int).tolist())]


def misjudged(network, classes, outputs):
    """How many inputs have a class in clauses that is not theirs, or none that is."""
    with sat.Clauses() as clauses:
        net = sat.Encoded(clauses, network, outputs)
        seen = {
            x: [c for c in range(outputs) if clauses.solve([*signed(net.inputs, x), net.classes[c]]) is not None]
            for x in classes
        }
    return sum(seen[x] != [classes[x]] for x in classes)


def signed(literals, bits):
    return [m if bit else -m for m, bit in zip(literals, bits, strict=True)]


def disagreements_on_samples():
    """Over nets of every kind of node that can be encoded wrongly."""
    nets = [
        Net(6, [Negation(width=2), Reshape(shape=(3, 4)), Majority()]),
        Net(6, [Negation(width=4), BucketSum(buckets=3)]),
        Net(5, [CountHot(), BucketAny(buckets=3)]),
        Net(5, [Parity(width=2), Disjunction(width=3)]),
        Net(4, [Conjunction(width=3), Negation(width=3), BucketSum(buckets=3)]),
    ]
    total = 0
    for net, seed in itertools.product(nets, range(2)):
        model = samples.random_model(net, np.random.default_rng(seed))
        classes = every_class(model)
        total += misjudged(passes.simplify(model.to_network()), classes, net.classes)
        try:
            total += disagreements(model, classes, list(classes)[::3], 2)
        except AssertionError:  # a counterexample that the hard net does not confirm
            total += 1
    return total


def misread(method, change):
    """A method of the encoding that passes one of its arguments on changed."""
    original = getattr(sat.Encoded, method) if hasattr(sat.Encoded, method) else getattr(sat.Clauses, method)
    return lambda self, *arguments: original(self, *change(*arguments))


def test_a_wrong_encoding_is_seen(monkeypatch):
    assert disagreements_on_samples() == 0
    broken = [
        (sat.Encoded, "_at_least", misread("_at_least", lambda count, k: (count, k + 1))),
        (sat.Encoded, "_greater", misread("_greater", lambda a, b: (b, a))),
        (sat.Clauses, "look_up", misread("look_up", lambda table, literals: (table ^ 1, literals))),
        (sat.Clauses, "xor", misread("xor", lambda a, b: (a, -b))),
        (sat.Clauses, "or_", lambda self, literals: self.and_(literals)),
        (sat.Clauses, "_merge", lambda self, a, b: [*a, *b]),  # not sorted
    ]
    for owner, method, wrong in broken:
        with monkeypatch.context() as patched:
            patched.setattr(owner, method, wrong)
            assert disagreements_on_samples() > 0, method


def test_a_lost_clause_is_seen(monkeypatch):
    """An answer that a weaker encoding allows is not told: the hard net refuses it."""
    original = sat.Clauses.add
    monkeypatch.setattr(sat.Clauses, "add", lambda self, clause: len(clause) > 2 or original(self, clause))
    assert disagreements_on_samples() > 0
    with pytest.raises(AssertionError, match=r"must be near .* and of another class, but is not"):
        list(robust(conjunction(), np.array([[1, 1]]), 1, BY_SOLVER))


def test_a_neighbour_that_was_not_tried_is_seen(monkeypatch):
    classes = every_class(conjunction())
    assert disagreements(conjunction(), classes, list(classes), 1, BY_TRIAL) == 0
    original = robustness._Trial.nearest

    def forgetful(self, bits, label):
        self.flipped = self.flipped[1:]
        return original(self, bits, label)

    monkeypatch.setattr(robustness._Trial, "nearest", forgetful)
    assert disagreements(conjunction(), classes, list(classes), 1, BY_TRIAL) > 0


def test_few_neighbours_are_tried_and_many_left_to_the_solver(monkeypatch):
    """With neither of the two to be had, the other one answers."""
    model, x = conjunction(), np.array([[1, 1], [0, 0]])
    with monkeypatch.context() as patched:
        patched.setattr(robustness, "_Search", None)
        assert [f is None for f in robust(model, x, 1, tried=2)] == [False, True]
    monkeypatch.setattr(robustness, "_Trial", None)
    assert [f is None for f in robust(model, x, 1, tried=1)] == [False, True]


def conjunction():
    return Model(Net(2, [Conjunction(width=1)]), (np.full((1, 2), 0.5, np.float32),), ("a", "b"), ("no", "yes"))


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    path = tmp_path_factory.mktemp("toy") / "toy.dbnet"
    papers_second_toy().save(path)
    return path


def test_robustness_of_a_data_set(capsys, toy):
    code, out, _ = run(capsys, "verify", toy, "--robust", 1, "--data", "toy-2", "--show", 100, "--json")
    seen = json.loads(out)
    assert list(seen) == ["examples", "flips", "robust", "robust_fraction", "seconds", "counterexamples"]
    # By hand, from the paper's program: 00100 and 00101 are two flips away from a coat, all others one.
    assert (code, seen["examples"], seen["robust"], seen["robust_fraction"]) == (1, 8, 2, 0.25)
    assert [c["row"] for c in seen["counterexamples"]] == [0, 1, 3, 4, 5, 7]
    assert all(len(c["flips"]) == 1 for c in seen["counterexamples"])
    assert run(capsys, "verify", toy, "--robust", 0, "--data", "toy-2")[0] == 0


def test_robustness_of_one_input(capsys, toy):
    code, out, _ = run(capsys, "verify", toy, "--robust", 1, "--input", "00100")
    assert (code, out.splitlines()[:4]) == (
        0,
        ["examples         1", "flips            1", "robust           1", "robust fraction  1.0000"],
    )
    code, out, _ = run(capsys, "verify", toy, "--robust", 1, "--data", "toy-2", "--row", 7)
    assert code == 1
    assert out.splitlines()[-1] == "row 7, 00011: t-shirt becomes coat with cold"


def test_rules_in_words(capsys, toy):
    rules = {
        "cold and outside -> coat": "FAILS on ",
        "cold and outside and not (warm or very_cold) -> coat": "holds on every input",
        "coat -> cold or 'very-warm'": "holds on every input",
        "cold and not cold -> coat": "holds on every input, but only because its left side is never true",
    }
    arguments = [part for rule in rules for part in ("--implies", rule)]
    code, out, _ = run(capsys, "verify", toy, *arguments)
    assert code == 1
    for line, (rule, said) in zip(out.splitlines(), rules.items(), strict=True):
        assert line.startswith(f"{rule}: {said}")
    code, out, _ = run(capsys, "verify", toy, *arguments, "--json")
    assert [r["holds"] for r in json.loads(out)["rules"]] == [False, True, True, True]


@pytest.mark.parametrize(
    ("text", "parenthesised"),
    [
        ("a or b and c", "(a or (b and c))"),
        ("a and b -> c or not a", "((a and b) -> (c or (not a)))"),
        ("a -> b -> c", "(a -> (b -> c))"),
        ("not not a->b", "(a -> b)"),
        ('not (a or b) and "c"', "((not (a or b)) and c)"),
    ],
)
def test_how_rules_bind(text, parenthesised):
    assert parse(text, "abc", ["yes"]) == parse(parenthesised, "abc", ["yes"])


NAMES = ["cold", "two words", "and"], ["coat", "cold"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "rule '' must have a name, not or ( at position 1, not the end"),
        ("coat and", "rule 'coat and' must have a name, not or ( at position 9, not the end"),
        ("coat coat", "rule 'coat coat' must have and, or, -> or its end at position 6, not 'coat'"),
        ("(coat", "rule '(coat' must have a closing ) at position 6, not the end"),
        ("coat)", "rule 'coat)' must have and, or, -> or its end at position 5, not ')'"),
        ("'coat", 'rule "\'coat" must close the quote at position 1'),
        ("cold", "rule 'cold' must name one feature or class, but 2 have the name at position 1, not 'cold'"),
        (
            "warm -> coat",
            "rule 'warm -> coat' must name a feature or a class, one of cold, two words, and, coat, cold, "
            "at position 1, not 'warm'",
        ),
        ("(" * 200, "rule must be nested at most 100 deep, not deeper"),
    ],
)
def test_wrong_rules_are_told(text, message):
    with pytest.raises(DbhwError) as told:
        parse(text, *NAMES)
    assert str(told.value) == message
    parse("'two words' -> \"and\"", *NAMES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "verify must have either --robust or --implies, not none"),
        (["--robust", 1, "--implies", "coat"], "verify must have either --robust or --implies, not both"),
        (["--robust", 1], "verify --robust must have either --data or --input, not none"),
        (["--robust", -1, "--input", "00000"], "flips must be a whole number of at least 0, not -1"),
        (["--robust", 1, "--input", "0002"], "input must be 5 zeros and ones, not '0002'"),
        (["--robust", 1, "--input", "00000", "--row", 1], "verify --row must have --data, not --input"),
        (["--robust", 1, "--data", "toy-2", "--row", 8], "row must be between 0 and 7, not 8"),
        (["--robust", 1, "--data", "toy-1"], "data toy-1 must have 5 features for this net, not 1"),
    ],
)
def test_wrong_questions_are_told(capsys, toy, arguments, message):
    assert run(capsys, "verify", toy, *arguments) == (2, "", f"dbhw: {message}\n")
