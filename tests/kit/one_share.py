"""Trains a small net as one of several processes or on several devices, and writes the model: for test_devices."""

import argparse

import numpy as np

from dbhw import Data, Net, Settings, fit
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.conjunction import Conjunction
from dbhw.nn.layers.disjunction import Disjunction
from dbhw.nn.layers.dropout import Dropout
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.mask_true import MaskTrue
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.layers.with_negation import WithNegation
from dbhw.train import devices


def nets():
    """A net of each kind that training treats differently: fused sums, a median of many, dropout, soft-bit outputs."""
    counted = [MaskTrue(6), Reshape((12, 4)), Majority(), Negation(4), Harden(), BucketSum(2)]
    dropped = [WithNegation(), Conjunction(8), Disjunction(8), Dropout(0.1), Negation(5), Reshape((1, 40)), Majority()]
    return {"counted": Net(8, counted), "dropped": Net(8, [*dropped, WithNegation()])}


def examples():
    x = np.random.default_rng(0).integers(0, 2, (100, 8))
    return Data.of(x, x[:, 0] | x[:, 1])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("output")
    parser.add_argument("--checkpoints", default=None)
    parser.add_argument("--stop", type=int, default=None)
    parser.add_argument("--join", nargs=3, default=None)
    parser.add_argument("--only", default=None, help="one of the nets")
    options = parser.parse_args()
    if options.join:
        devices.join(options.join[0], int(options.join[1]), int(options.join[2]))

    class Stop(Exception):
        pass

    def stop(progress):
        if progress.epoch == options.stop:
            raise Stop

    found = {}
    for name, net in ((name, net) for name, net in nets().items() if options.only in (None, name)):
        path = options.checkpoints and f"{options.checkpoints}/{name}"
        settings = Settings(epochs=6, batch_size=25, temperature=4.0)
        losses = []
        try:
            model = fit(
                net,
                examples(),
                settings,
                checkpoint_path=path,
                checkpoint_every=2,
                on_epoch=lambda p, losses=losses: (losses.append(p.loss), stop(p)),
            )
        except Stop:
            continue
        found[f"{name} losses"] = np.array(losses)
        found |= {f"{name} {i}": w for i, w in enumerate(model.soft_weights) if w is not None}
    np.savez(options.output, **found)
