"""Layers fused for speed give the values and gradients of the layers one by one."""

from functools import partial
from math import prod

import jax
import numpy as np
import pytest

from dbhw import Net
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.mask_false import MaskFalse
from dbhw.nn.layers.mask_true import MaskTrue
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.layers.vote import Vote
from tests.kit import compiling

NETS = {
    "negations counted": [Negation(6), Harden(), BucketSum(3)],
    "negations counted at once": [Negation(4), BucketSum(2)],
    "buckets that cut rows": [Negation(3), Harden(), BucketSum(2)],
    "masks to true": [MaskTrue(5), Reshape((15, 4)), Majority()],
    "masks to false": [MaskFalse(5), Reshape((30, 2)), Majority()],
    "groups over several masks": [MaskTrue(5), Reshape((12, 5)), Majority()],
    "majorities of negations": [Negation(5), Reshape((15, 4)), Majority()],
    "one majority of all negations": [Negation(5), Reshape((1, 60)), Majority()],
    "negations voted on": [Negation(5), Reshape((15, 4)), Vote()],
    "votes of whole rows": [Negation(4), Reshape((4, 12)), Vote()],
    "votes over several rows": [Negation(5), Reshape((12, 5)), Vote()],
    "votes that are counted": [Negation(3), Reshape((12, 3)), Vote(), Negation(4), Harden(), BucketSum(2)],
    "all of it": [MaskTrue(5), Reshape((15, 4)), Majority(), Negation(4), Harden(), BucketSum(2)],
}


def one_by_one(net, weights, x):
    for layer, w in zip(net.layers, weights, strict=True):
        x = layer.soft(w, x)
    return x.reshape(len(x), -1)


def margins(kind, random, shape):
    """By NumPy: with JAX each shape takes compiling."""
    if kind == "ties":  # many equal margins, zeros, and the smallest there are
        return random.choice(np.array([-0.25, 0.25, 0.25, 0.0, 1e-38, -1e-38, 1e-42], np.float32), shape)
    return random.uniform(-0.5, 0.5, shape).astype(np.float32)


@pytest.mark.parametrize("name", NETS)
def test_values_and_gradients_are_those_of_the_layers(name, compiled_as_usual):
    net = Net(12, NETS[name])
    random = np.random.default_rng(len(name))

    def both(run, weights, x, cotangent):
        value, back = jax.vjp(partial(run, net), weights, x)
        return value, back(cotangent)

    # As programs: operation by operation each of them takes compiling. The two are compiled one without the other.
    fused, plain = (compiling.compiled_as_usual(partial(both, run)) for run in (Net.soft, one_by_one))
    for kind in ("uniform", "ties"):
        weights = [None if shape is None else margins(kind, random, shape) for shape in net.weight_shapes()]
        x = margins(kind, random, (9, 12))
        cotangent = random.normal(size=(9, prod(net.output_shape))).astype(np.float32)
        (value, slopes), (wanted, slopes_wanted) = fused(weights, x, cotangent), plain(weights, x, cotangent)
        np.testing.assert_array_equal(value, wanted, err_msg=kind)
        for found, one in zip(jax.tree.leaves(slopes), jax.tree.leaves(slopes_wanted), strict=True):
            np.testing.assert_allclose(found, one, rtol=1e-5, atol=1e-7, err_msg=kind)
