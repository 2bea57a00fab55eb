"""The printed program, as golden texts; that it computes the net is checked on random nets."""

import json

import numpy as np

from dbhw import fit, recipes
from dbhw.logic import passes
from dbhw.logic.formats import python
from dbhw.logic.network import Network
from dbhw.model.lower import lower
from dbhw.model.model import Model
from dbhw.nn.layers.negation import Negation
from dbhw.nn.net import Net
from dbhw.report import explanation, words
from dbhw.train.fit import fit_many
from tests.kit.command_line import run
from tests.kit.toys import papers_second_toy, toy


def test_the_papers_first_toy():
    assert python.write(lower(toy(1, 2), None, ["outside"])) == (
        "def net(outside, w1, w2):\n    return [not (outside ^ w1), not (outside ^ w2)]"
    )
    learned = Model(toy(1, 2), (np.float32([[-0.1], [0.2]]), None, None), ("outside",), ("t-shirt", "coat"))
    assert python.write(passes.simplify(learned.to_network())) == "def net(outside):\n    return [not outside, outside]"


def test_the_papers_second_toy():
    """Its own program, with coefficients collected and constants in the threshold."""
    learned = papers_second_toy()
    assert python.write(learned.to_network()) == (
        "def net(very_cold, cold, warm, very_warm, outside):\n"
        "    return [\n"
        "        2*(not very_cold) + 2*(not cold) + warm + (not very_warm) + (not outside) >= 4,\n"
        "        2*cold + 2*(not warm) + (not very_cold) + very_warm >= 4,\n"
        "    ]"
    )


def test_the_toys_are_learned():
    """Whoever gets every example of the first toy right has learned the paper's program: there is no other."""
    first, second = recipes.find("toy-1"), recipes.find("toy-2")
    learned = fit(first.net, first.data.train, first.settings)
    text = python.write(explanation.shortest(learned.to_network()))
    assert text == "def net(outside):\n    return [not outside, outside]"
    models = fit_many(second.net, [second.data.train] * 6, second.settings, range(6))
    right = [(m.predict(second.data.test.x) == second.data.test.y).all() for m in models]
    assert sum(right) >= 3  # five were seen, but not all is asked for, since rounding differs from machine to machine
    assert all(explanation.check(python.write(explanation.shortest(m.to_network())), m).agree == 32 for m in models)


def weighted(coefficients, threshold, inputs=5):
    """A count with a threshold, as the only output bit."""
    network = Network()
    bits = [network.input(f"x{i}") for i in range(inputs)]
    network.output("bits", [network.at_least(list(zip(bits, coefficients, strict=True)), threshold)])
    return network


def test_evidence_in_words():
    network = weighted([3, -2, 2, 1, 1], 4)
    assert words.in_words(network, ["no", "yes"]) == [
        "yes: at least 6 of 9 points, most for x0 (3 points), then not x1 and x2 (2 points each), "
        "then x3 and x4 (1 point each)",
        "no: otherwise",
    ]
    network = Network()
    a, b = network.input("a"), network.input("b")
    network.output("bits", [a ^ 1, network.and_([a, b]), network.or_([a, b]), network.xor([a, b]), 0, 1])
    assert words.in_words(network, list("uvwxyz")) == [
        "u: when not a",
        "v: all of a and b",
        "w: any of a and b",
        "x: when a ^ b",
        "y: never",
        "z: always",
    ]


def test_a_broken_program_is_seen():
    learned = papers_second_toy()
    text = python.write(explanation.shortest(learned.to_network()))
    assert str(explanation.check(text, learned)) == "32 of 32 inputs agree"
    for right, wrong in [(">= 4", ">= 5"), ("2*cold", "cold"), ("(not outside)", "outside"), ("+ very_warm", "+ warm")]:
        broken = text.replace(right, wrong)
        assert explanation.check(broken, learned).agree < 32, broken


def test_a_program_too_long_to_run_is_told():
    learned = Model(toy(1, 2), (np.float32([[-0.1], [0.2]]), None, None), ("outside",), ("t-shirt", "coat"))
    text = f"def net(outside):\n    return [{' + '.join(['outside'] * 50_000)}]"
    assert explanation.terms(text) == 50_000
    assert str(explanation.check(text, learned)) == "no, a sum in the program is too long for Python"


def test_what_explain_prints(capsys, tmp_path):
    papers_second_toy().save(tmp_path / "toy.dbnet")
    code, out, _ = run(capsys, "explain", tmp_path / "toy.dbnet")
    assert code == 0
    assert out == (
        "def net(very_cold, cold, warm, very_warm, outside):\n"
        "    return [\n"
        "        2*(not very_cold) + 2*(not cold) + warm + (not very_warm) + (not outside) >= 4,\n"
        "        2*cold + 2*(not warm) + (not very_cold) + very_warm >= 4,\n"
        "    ]\n"
        "\n"
        "# t-shirt: at least 4 of 7 points, most for not very_cold and not cold (2 points each), "
        "then warm, not very_warm and not outside (1 point each)\n"
        "# coat: at least 4 of 6 points, most for cold and not warm (2 points each), "
        "then not very_cold and very_warm (1 point each)\n"
        "# size: 9 terms, from 40 weights\n"
        "# checked: 32 of 32 inputs agree\n"
    )


def test_explain_fails_where_the_program_is_wrong(capsys, tmp_path, monkeypatch):
    papers_second_toy().save(tmp_path / "toy.dbnet")
    right = python.write
    monkeypatch.setattr(python, "write", lambda network, **said: right(network, **said).replace(">= 4", ">= 5"))
    code, out, _ = run(capsys, "explain", tmp_path / "toy.dbnet", "--json")
    seen = json.loads(out)
    assert code == 1
    assert seen["agree"] < seen["checked"] == 32


def test_names_that_are_no_names():
    n = lower(Net(3, [Negation(width=1)]), [np.array([[True, True, False]])], ["class", "2 x", "2_x"])
    assert python.write(n) == "def net(_class, _2_x, _2_x_2):\n    return [_class, _2_x, not _2_x_2]"
