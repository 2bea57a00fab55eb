"""From a table to a model, and its rows found again."""

import tracemalloc

import numpy as np
import pytest

from dbhw.base.errors import DbhwError
from dbhw.data.dataset import Data
from dbhw.data.tables.examples import prepare
from dbhw.data.tables.options import TableOptions
from dbhw.data.tables.read import read
from dbhw.data.tables.table import Table
from dbhw.model.model import Model
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.layers.wires import Wires
from dbhw.nn.net import Net
from dbhw.report.area import of_model
from dbhw.tabular import again, budget, own
from dbhw.tabular.budget import Found, Try
from dbhw.tabular.choice import choose
from dbhw.tabular.fit import fit_table
from dbhw.tabular.train import Plan, train_table
from dbhw.train.prune import prune

OWN = """
from dbhw.data.dataset import Split
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.connect import Connect
from dbhw.nn.layers.lookup import Lookup
from dbhw.nn.net import Net
from dbhw.tabular.thresholds import encoder
from dbhw.train.recipe import Recipe
from dbhw.train.settings import Settings

def recipe(data, seed):
    encode = encoder(data.columns, data, most=3, way="information")
    net = Net(data.x.shape[1], [encode, Connect(width=12), Lookup(fan_in=2), BucketSum(buckets=2)])
    return Recipe(net, Split(data, data), Settings(epochs=40, learning_rate=0.05, optimiser="adam", seed=seed))
"""


@pytest.fixture(scope="module")
def beans():
    random = np.random.default_rng(0)
    weight, length = random.uniform(0, 5, (2, 300)).round(1)
    colour = random.choice(["red", "white", "black"], 300).astype(object)
    kind = np.where((weight > 2) & (colour != "red") | (length > 4), "old", "new").astype(object)
    return Table.of("beans", {"weight": weight, "length": length, "colour": colour, "kind": kind})


def accuracy(model, data):
    return (model.predict(data.x) == data.y).mean()


def test_the_default_net_learns_a_table(beans):
    ready = prepare(beans)
    model = train_table(ready, Plan(budget="small")).model
    assert accuracy(model, ready.test) > 0.9
    assert model.provenance["split"]["rows"] == {"train": 195, "validation": 45, "test": 60}
    assert model.provenance["label"] == "kind"


def test_the_best_of_several_seeds_is_that_on_validation_rows(beans):
    ready = prepare(beans)
    sizes = (len(ready.train.y), 2, len(ready.columns), "small")
    alone = [fit_table(ready.train, choose(*sizes, seed=seed)) for seed in (5, 6)]
    best = max(alone, key=lambda model: accuracy(model, ready.validation))
    assert train_table(ready, Plan(budget="small", tries=2, seed=5)).model.digest() == best.digest()


def test_a_number_of_luts_is_kept(beans, monkeypatch):
    monkeypatch.setattr(budget, "_TRIES", 3)
    monkeypatch.setattr(budget, "_DEALS", 1)
    ready = prepare(beans)
    outcome = train_table(ready, Plan(max_luts=40, target="ice40"))
    assert of_model(outcome.model, "ice40").luts == outcome.search.best.luts <= 40
    assert accuracy(outcome.model, ready.test) > 0.8


def test_too_few_luts_are_refused(beans, monkeypatch):
    monkeypatch.setattr(budget, "_TRIES", 1)
    monkeypatch.setattr(budget, "_DEALS", 1)
    with pytest.raises(DbhwError, match=r"max luts must be enough for a net on xilinx, .* smallest tried takes [0-9]+"):
        train_table(prepare(beans), Plan(max_luts=1))


def test_what_one_more_lut_would_bring():
    small, large, largest = Try(10, 20, 0.8), Try(20, 30, 0.9), Try(40, 60, 0.95)
    assert Found(None, small, (largest, small, large), 25).one_more() == pytest.approx(0.01)
    assert Found(None, largest, (largest, small), 60).one_more() is None


def test_pruning_holds_the_addresses_of_some_examples_at_a_time():
    """Of all 8,000 examples, 400 tables' inputs and addresses would take 180 MB as integers."""
    soft = np.random.default_rng(0).uniform(-1, 1, (400, 64)).astype(np.float32)
    x = np.random.default_rng(1).integers(0, 2, (8000, 6)).astype(bool)
    wires = Wires(tuple(i % 6 for i in range(2400)))
    model = Model(
        Net(6, [wires, Lookup(fan_in=6), BucketSum(buckets=2)]), (None, soft, None), tuple("abcdef"), ("n", "y")
    )
    tracemalloc.start()
    pruned = prune(model, Data.of(x, x[:, 0]))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_array_equal(pruned.outputs(x), model.outputs(x))
    assert most < 100e6


def test_a_pruned_model_answers_as_before_on_its_data(beans):
    """And it is pruned already: nothing more can go."""
    ready = prepare(beans)
    model = train_table(ready, Plan(budget="small", tries=2)).model
    again_pruned = prune(model, ready.train)
    np.testing.assert_array_equal(again_pruned.outputs(ready.train.x), model.outputs(ready.train.x))
    assert again_pruned.digest() == model.digest()


def test_a_recipe_of_ones_own(beans, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    ready = prepare(beans)
    model = train_table(ready, Plan(recipe=str(path))).model
    assert [layer.name() for layer in model.net.layers] == ["encode", "wires", "lookup", "bucket_sum"]
    assert accuracy(model, ready.test) > 0.7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must define recipe\\(data, seed\\), but it fails: module 'own_recipe' has no attribute 'recipe'"),
        ("def recipe(data, seed):\n    return 1 / 0", "but it fails: division by zero"),
        ("def recipe(data, seed):\n    return 3", "must return a dbhw.train.recipe.Recipe, not int"),
        ("def recipe(data", "but it fails: "),
    ],
)
def test_a_wrong_recipe_is_refused(text, message, beans, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(DbhwError, match=message):
        own.load(path, prepare(beans).train, 0)


def test_the_test_rows_are_found_again(tmp_path):
    path = tmp_path / "beans.csv"
    rows = [f"{i % 17},{'red' if i % 17 > 8 else 'white'}" for i in range(100)]
    path.write_text("\n".join(["weight,kind", *rows]) + "\n")
    options = TableOptions(label="kind", test=0.3)
    ready = prepare(read(path, options), options, 7)
    model = train_table(ready, Plan(budget="small")).model
    kept = {**model.provenance, "file": again.record(path, options, 7)}
    recorded = type(model)(model.net, model.soft_weights, model.features, model.classes, kept, model.columns)
    data, which = again.examples(path, recorded)
    assert which == "the rows that were kept for testing"
    np.testing.assert_array_equal(data.x, ready.test.x)
    path.write_text("\n".join(["weight,kind", *rows, "3,white"]) + "\n")
    data, which = again.examples(path, recorded)
    assert (len(data.y), which) == (101, "all rows")


def test_a_damaged_record_is_told(tmp_path, beans):
    path = tmp_path / "beans.csv"
    path.write_text("weight,kind\n1,red\n2,white\n")
    ready = prepare(beans)
    model = train_table(ready, Plan(budget="small")).model
    damaged = type(model)(
        model.net, model.soft_weights, model.features, model.classes, {"file": {"options": {"a": 1}}}, model.columns
    )
    with pytest.raises(DbhwError, match="must record how its table was read"):
        again.examples(path, damaged)
