"""Layers fused for speed give the values and gradients of the layers one by one."""

import jax
import jax.numpy as jnp
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


def margins(kind, key, shape):
    if kind == "ties":  # many equal margins, zeros, and the smallest there are
        return jax.random.choice(key, jnp.array([-0.25, 0.25, 0.25, 0.0, 1e-38, -1e-38, 1e-42]), shape)
    return jax.random.uniform(key, shape, minval=-0.5, maxval=0.5)


@pytest.mark.parametrize("kind", ["uniform", "ties"])
@pytest.mark.parametrize("name", NETS)
def test_values_and_gradients_are_those_of_the_layers(name, kind):
    net = Net(12, NETS[name])
    keys = jax.random.split(jax.random.key(len(name)), len(net.layers) + 2)
    shapes = net.weight_shapes()
    weights = [None if s is None else margins(kind, k, s) for s, k in zip(shapes, keys[2:], strict=True)]
    x = margins(kind, keys[0], (9, 12))
    cotangent = jax.random.normal(keys[1], jax.eval_shape(lambda: net.soft(weights, x)).shape)

    def both(run):
        value, back = jax.vjp(run, weights, x)
        return value, back(cotangent)

    fused, plain = both(net.soft), both(lambda w, x: one_by_one(net, w, x))
    np.testing.assert_array_equal(fused[0], plain[0])
    for found, wanted in zip(jax.tree.leaves(fused[1]), jax.tree.leaves(plain[1]), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-7)
