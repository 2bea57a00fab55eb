"""The paper's toy problem 1, which has no table: how many of ten seeds learn it."""

from dbhw.data.sets import toy_1
from dbhw.paper.experiments import Experiment

EXPERIMENT = Experiment(
    recipes=("toy-1",), seeds=10, at_once=10, data=lambda _: toy_1.load(), baselines=1, published=()
)
