"""Learned look-up tables for MNIST with pixels of one bit: 37 votes a digit."""

from dbhw.data.sets import mnist
from dbhw.recipes._pictures import tables
from dbhw.train.recipe import Recipe


def recipe(seed: int) -> Recipe:
    """370 tables of six pixels each.

    >>> recipe(seed=0).net.inputs
    784
    """
    return tables(mnist.load(), votes=37, epochs=30, seed=seed)
