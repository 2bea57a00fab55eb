"""The paper's toy problem 2, which has no table: how many of ten seeds learn it."""

from dbhw.data.sets import toy_2
from dbhw.paper.experiments import Experiment

EXPERIMENT = Experiment(
    recipes=("toy-2",), seeds=10, at_once=10, data=lambda _: toy_2.load(), baselines=1, published=()
)
