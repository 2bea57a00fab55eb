"""A model file that tests of commands read."""

import numpy as np
import pytest

from tests.kit import samples
from tests.kit.nets import NETS


@pytest.fixture(scope="module")
def model_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "a.dbnet"
    samples.random_model(NETS[2], np.random.default_rng(0)).save(path)
    return path
