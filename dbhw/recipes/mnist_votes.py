"""A net that votes for MNIST: 32 votes on each square of 8 by 8 pixels, each for or against each digit."""

from dbhw.data.sets import mnist
from dbhw.nn.initialisers import Uniform
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.harden import Harden
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.patches import Patches
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.layers.vote import Vote
from dbhw.nn.net import Net
from dbhw.train.recipe import Recipe
from dbhw.train.settings import Settings


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
    return Recipe(net, mnist.load(), settings)
