"""Learning from a teacher: a net that is trained first says what the data does not.

Where few examples leave many nets equally right, a simple net that is right nearly as often may know best what lies
between them. Its answers to all inputs one bit beside the examples join the training data. An example counts for more
than any of those: the student keeps what the examples say, and follows the teacher elsewhere. There are as many such
inputs as bits in the examples, so this is for small data.
"""

from __future__ import annotations

import numpy as np

from dbhw.data.dataset import Data
from dbhw.model.model import Model

_AN_EXAMPLE_COUNTS = 20  # times as much as an answer of the teacher, of which there are as many beside it as bits


def taught(data: Data, teacher: Model) -> Data:
    """The examples, many times over, and the teacher's answers to inputs one bit beside them that are none themselves.

    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> teacher = Model(Net(2, [Negation(width=1)]), (np.array([[0.5, 0.5]], np.float32),), ("a", "b"), ("x", "y"))
    >>> found = taught(Data.of([[0, 0], [0, 1]], [1, 1], classes=("x", "y")), teacher)
    >>> found.x[-2:].astype(int).tolist(), found.y[-2:].tolist(), int(found.y[:-2].sum())
    ([[1, 0], [1, 1]], [0, 0], 40)
    """
    examples = np.unique(data.x, axis=0)
    beside = (examples[:, None, :] ^ np.eye(data.x.shape[1], dtype=bool)).reshape(-1, data.x.shape[1])
    known = {row.tobytes() for row in examples}
    new = np.array([row for row in np.unique(beside, axis=0) if row.tobytes() not in known]).reshape(
        -1, data.x.shape[1]
    )
    x = np.concatenate([np.repeat(data.x, _AN_EXAMPLE_COUNTS, axis=0), new])
    y = np.concatenate([np.repeat(data.y, _AN_EXAMPLE_COUNTS), teacher.predict(new)])
    return Data.of(x, y, name=data.name, features=data.features, classes=data.classes)
