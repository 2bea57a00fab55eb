"""A net that votes for MNIST: 32 votes on each square of 8 by 8 pixels, each for or against each digit."""

from dbhw.datasets import mnist
from dbhw.initialisers import Uniform
from dbhw.layers.bucket_sum import BucketSum
from dbhw.layers.harden import Harden
from dbhw.layers.negation import Negation
from dbhw.layers.patches import Patches
from dbhw.layers.reshape import Reshape
from dbhw.layers.vote import Vote
from dbhw.net import Net
from dbhw.recipes import Recipe
from dbhw.train import Settings


def recipe(seed: int) -> Recipe:
    """Like the paper's net, but a picture is cut into squares instead of runs of 16 pixels.

    >>> recipe(seed=0).net.weight_count
    325248
    """
    squares, votes = 11 * 11, 32
    net = Net(
        784,
        [
            Patches(rows=28, columns=28, size=8, stride=2),
            Negation(width=votes, init=Uniform(0.0, 1.0)),
            Reshape(shape=(votes * squares, 64)),
            Vote(),
            Negation(width=20, init=Uniform(0.0, 1.0)),
            Harden(),
            BucketSum(buckets=10),
        ],
    )
    settings = Settings(epochs=20, batch_size=200, learning_rate=0.1, temperature=40.0, schedule="cosine", seed=seed)
    return Recipe(net, mnist(), settings)
