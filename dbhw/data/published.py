"""Published data files in the layouts of the Tsetlin machine's repository and of MNIST."""

from __future__ import annotations

import gzip
from functools import cache

import numpy as np

from dbhw.data.dataset import Data, Split
from dbhw.data.download import Source, content
from dbhw.data.tables.column import Column

_TSETLIN = "https://raw.githubusercontent.com/cair/TsetlinMachine/master/"
_IDX = {
    "mnist": (
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
        "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
        "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
        "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
        "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
    ),
    "fashion-mnist": (
        "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
        "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
        "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
        "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
        "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
    ),
}
CLOTHES = ("t-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot")
_IDX_FILES = ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")
_BRIGHT = 0.3 * 255
_FEATURES = [f"row{i // 28}_column{i % 28}" for i in range(784)]


@cache
def tsetlin(name: str, digest: str) -> np.ndarray:
    """A file of the Tsetlin machine's repository, as rows of integers.

    >>> tsetlin("NoisyXORTestData.txt", "898e6e890eae88ed3ce9bf178c22c065a29960a2c2cf784acfaf270649cf8116").shape
    (5000, 13)
    """
    text = content(Source(f"tsetlin/{name}", digest, _TSETLIN + name)).decode()
    return np.array([line.split() for line in text.splitlines() if line.strip()], np.int64)


def images(name: str, classes: tuple[str, ...]) -> Split:
    """Images in the layout of MNIST; a pixel brighter than 0.3 is true.

    >>> images("mnist", tuple("0123456789")).test.x.shape
    (10000, 784)
    """
    pixels, labels = _pixels_and_labels(name)
    train, test = (
        Data.of(x > _BRIGHT, y, name=name, features=_FEATURES, classes=classes)
        for x, y in zip(pixels, labels, strict=True)
    )
    return Split(train, test)


def grey_images(name: str, classes: tuple[str, ...]) -> Split:
    """Images in the layout of MNIST; a pixel is an integer of 8 bits.

    >>> test = grey_images("mnist", tuple("0123456789")).test
    >>> test.x.shape, test.columns[0].name, test.columns[0].width
    ((10000, 6272), 'row0_column0', 8)
    """
    pixels, labels = _pixels_and_labels(name)
    columns = tuple(Column(feature, "integer", 8) for feature in _FEATURES)
    train, test = (
        Data.of(np.unpackbits(x, axis=1, bitorder="little").view(bool), y, name=name, classes=classes, columns=columns)
        for x, y in zip(pixels, labels, strict=True)
    )
    return Split(train, test)


def _pixels_and_labels(name: str) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Of the training images and of the test images."""
    url, *digests = _IDX[name]
    names = [f"{stem}-ubyte.gz" for stem in _IDX_FILES]
    raw = [
        gzip.decompress(content(Source(f"{name}/{file}", digest, url + file)))
        for file, digest in zip(names, digests, strict=True)
    ]
    # An idx file of images has a header of 16 bytes, one of labels 8; the digest has been checked, so no need to parse.
    pixels = [np.frombuffer(raw[i], np.uint8, offset=16).reshape(-1, 784) for i in (0, 2)]
    return pixels, [np.frombuffer(raw[i], np.uint8, offset=8) for i in (1, 3)]
