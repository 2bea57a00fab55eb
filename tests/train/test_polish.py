"""Polishing: the same flips as one by one on the hard net, never worse, and soft still equals hard."""

from dataclasses import replace

import jax
import numpy as np

from dbhw import Data, Net
from dbhw.nn.layers.conjunction import Conjunction
from dbhw.nn.layers.dropout import Dropout
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.with_negation import WithNegation
from dbhw.train.fit import soft_outputs
from dbhw.train.polish import polish
from tests.kit import samples

NET = Net(5, [WithNegation(), Dropout(p=0.1), Conjunction(width=3), Negation(width=2)])
SWEEPS = 2


def examples(seed):
    random = np.random.default_rng(seed)
    x = random.integers(0, 2, (40, 5))
    return Data.of(x, (x[:, 0] & x[:, 1]) ^ (random.random(40) < 0.1))


def naive(model, data, seed):
    """Every flip in the same order, judged by the hard net's predictions."""
    bits = [None if w is None else w.copy() for w in model.weights]
    places = [(layer, i) for layer, w in enumerate(bits) if w is not None for i in range(w.size)]

    def right():
        soft = tuple(None if b is None else np.where(b, 0.5, -0.5).astype(np.float32) for b in bits)
        return (replace(model, soft_weights=soft).predict(data.x) == data.y).sum()

    most = right()
    for sweep in range(SWEEPS):
        for place in jax.random.permutation(jax.random.fold_in(jax.random.key(seed), sweep), len(places)):
            layer, i = places[place]
            was = bits[layer].flat[i]
            bits[layer].flat[i] = not was
            found = right()
            if found > most or (found == most and was and model.net.layers[layer].selects):
                most = found
            else:
                bits[layer].flat[i] = was
    return bits


def test_it_makes_the_flips_that_the_hard_net_asks_for():
    seeds = [3, 4, 5]
    models = [samples.random_model(NET, np.random.default_rng(seed)) for seed in seeds]
    data = [examples(seed) for seed in seeds]
    for before, after, part, seed in zip(models, polish(models, data, seeds, SWEEPS), data, seeds, strict=True):
        for found, wanted in zip(after.weights, naive(before, part, seed), strict=True):
            assert np.array_equal(found, wanted)
        right = [(model.predict(part.x) == part.y).sum() for model in (before, after)]
        assert right[0] <= right[1]
        assert np.array_equal(soft_outputs(after, part.x), after.outputs(part.x))
