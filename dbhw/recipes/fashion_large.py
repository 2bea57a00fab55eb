"""Learned look-up tables for Fashion-MNIST with pixels of eight bits: 600 votes a class."""

from dbhw.data.sets import fashion_mnist_grey
from dbhw.recipes._pictures import FOR_CLOTHES, SIXTEENTHS, Distortion, wide_tables
from dbhw.train.recipe import Recipe


def recipe(seed: int) -> Recipe:
    """6000 tables of six bits each, fifteen bits a pixel; pictures move by up to a pixel in training.

    >>> recipe(seed=0).net.output_shape
    (10,)
    """
    return wide_tables(fashion_mnist_grey.load(), 600, 16, seed, SIXTEENTHS, Distortion(), FOR_CLOTHES)
