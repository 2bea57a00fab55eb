"""The paper's net for noisy XOR, trained in small batches and charged for what it selects: it finds x0 xor x1 alone."""

from dataclasses import replace

from dbhw.recipes import Recipe, noisy_xor
from dbhw.train import Settings


def recipe(seed: int) -> Recipe:
    """What fits the noise is worth less than its charge, and goes; what is left is a small net.

    >>> recipe(seed=0).net.weight_count
    2304
    """
    settings = Settings(epochs=200, batch_size=500, dense_epochs=80, sparsity=1.5e-4, seed=seed)
    return replace(noisy_xor.recipe(seed), settings=settings)
