"""Learned look-up tables for Fashion-MNIST with pixels of eight bits: 60 votes a class."""

from dbhw.data.sets import fashion_mnist_grey
from dbhw.recipes._pictures import EIGHTHS, Distortion, wide_tables
from dbhw.train.recipe import Recipe


def recipe(seed: int) -> Recipe:
    """600 tables of six bits each, seven bits a pixel; half of the pictures are mirrored in training.

    >>> recipe(seed=0).net.output_shape
    (10,)
    """
    return wide_tables(fashion_mnist_grey.load(), 60, 20, seed, EIGHTHS, Distortion(flip=True))
