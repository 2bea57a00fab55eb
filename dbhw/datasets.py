"""The built-in data sets, by name."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from dbhw.data import Data, Split, load_file
from dbhw.downloads import Source, content
from dbhw.errors import one_of
from dbhw.layer import whole

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
_IDX_FILES = ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")
_CLOTHES = ("t-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot")
_FLOWERS = ("setosa", "versicolour", "virginica")
_FLOWER_PARTS = ("sepal_length", "sepal_width", "petal_length", "petal_width")
_BRIGHT = 0.3 * 255


def load_split(name: str) -> Split:
    """A built-in data set by its name, or a user's file used for both training and test.

    >>> load_split("noisy-xor").test.classes
    ('even', 'odd')
    """
    if name in BUILT_IN:
        return BUILT_IN[name]()
    if Path(name).suffix not in (".npz", ".csv"):
        raise one_of("data", name, [*sorted(BUILT_IN), "a .npz file", "a .csv file"])
    data = load_file(name)
    return Split(data, data)


def noisy_xor(seed: int = 0, examples: int = 5000, inverted: float = 0.4) -> Split:
    """The paper's noisy XOR: 12 random bits, label x0 xor x1, two in five of the training labels inverted.

    >>> split = noisy_xor()
    >>> split.train.x.shape, float((split.test.y == split.test.x[:, 0] ^ split.test.x[:, 1]).mean())
    ((5000, 12), 1.0)
    """
    whole("seed", seed, 0)
    random = np.random.default_rng([0x0A5, seed])
    x = random.integers(0, 2, (2 * examples, 12)).astype(bool)
    y = (x[:, 0] ^ x[:, 1]).astype(np.int64)
    wrong = random.permutation(examples)[: int(examples * inverted)]
    y[wrong] ^= 1

    def part(which: slice) -> Data:
        return Data.of(x[which], y[which], name="noisy-xor", classes=("even", "odd"))

    return Split(part(slice(0, examples)), part(slice(examples, None)))


@cache
def noisy_xor_files() -> Split:
    """The published noisy XOR that the paper and the Tsetlin machine were measured on.

    >>> noisy_xor_files().train.x.shape
    (5000, 12)
    """
    train = _tsetlin("NoisyXORTrainingData.txt", "b4899cf356725f2612ea703d1b8151c39d36dd9981365c429effc3c2b3584f5c")
    test = _tsetlin("NoisyXORTestData.txt", "898e6e890eae88ed3ce9bf178c22c065a29960a2c2cf784acfaf270649cf8116")
    classes = ("even", "odd")
    return Split(
        Data.of(train[:, :-1], train[:, -1], name="noisy-xor-files", classes=classes),
        Data.of(test[:, :-1], test[:, -1], name="noisy-xor-files", classes=classes),
    )


def binary_iris(seed: int = 0) -> Split:
    """Iris, each of its four lengths as four bits; the seed deals 120 flowers for training and 30 for testing.

    Every split is as random as any, but five seeds, from 0, 5, 10 and so on, test each flower once: a mean over seeds
    then tells how good a net is, not whether hard flowers were dealt more often than others.

    >>> split = binary_iris()
    >>> split.train.x.shape, split.test.x.shape
    ((120, 16), (30, 16))
    >>> tested = sum(binary_iris(seed).test.x.sum(axis=0) for seed in range(5))
    >>> bool((tested == split.train.x.sum(axis=0) + split.test.x.sum(axis=0)).all())
    True
    """
    whole("seed", seed, 0)
    rows = _tsetlin("BinaryIrisData.txt", "1677a968fe8c736c3dcd88ee2ef3be012c18260f54531affdbab57c273599ac2")
    deal, fifth = divmod(seed, 5)
    order = np.roll(np.random.default_rng([0x1215, deal]).permutation(len(rows)), -30 * fifth)
    features = [f"{part}_{bit}" for part in _FLOWER_PARTS for bit in (8, 4, 2, 1)]

    def part(which: np.ndarray) -> Data:
        return Data.of(rows[which, :-1], rows[which, -1], name="binary-iris", features=features, classes=_FLOWERS)

    return Split(part(order[:120]), part(order[120:]))


@cache
def mnist() -> Split:
    """Handwritten digits of 28 × 28 pixels, a pixel true where it is brighter than 0.3.

    >>> mnist().train.x.shape, mnist().test.x.shape
    ((60000, 784), (10000, 784))
    """
    return _images("mnist", tuple("0123456789"))


@cache
def fashion_mnist() -> Split:
    """Pictures of clothes of 28 × 28 pixels, a pixel true where it is brighter than 0.3.

    >>> fashion_mnist().test.classes[0]
    't-shirt'
    """
    return _images("fashion-mnist", _CLOTHES)


def toy_1() -> Split:
    """The paper's first toy problem: whoever is outside wears a coat.

    >>> toy_1().test.y.tolist()
    [0, 1]
    """
    data = Data.of([[0], [1]], [0, 1], name="toy-1", features=["outside"], classes=("t-shirt", "coat"))
    return Split(data, data)


def toy_2() -> Split:
    """The paper's second toy problem: what to wear at one of four temperatures, inside and outside.

    A coat when it is cold, and, as the paper's table has it, also outside when it is very warm.

    >>> toy_2().test.y.tolist()
    [1, 1, 0, 0, 1, 1, 0, 1]
    """
    x = [[*temperature, outside] for outside in (0, 1) for temperature in np.eye(4, dtype=int)]
    y = [very_cold or cold or (very_warm and outside) for very_cold, cold, _, very_warm, outside in x]
    features = ["very-cold", "cold", "warm", "very-warm", "outside"]
    data = Data.of(x, y, name="toy-2", features=features, classes=("t-shirt", "coat"))
    return Split(data, data)


BUILT_IN: dict[str, Callable[[], Split]] = {
    "binary-iris": binary_iris,
    "fashion-mnist": fashion_mnist,
    "mnist": mnist,
    "noisy-xor": noisy_xor,
    "noisy-xor-files": noisy_xor_files,
    "toy-1": toy_1,
    "toy-2": toy_2,
}


@cache
def _tsetlin(name: str, digest: str) -> np.ndarray:
    text = content(Source(f"tsetlin/{name}", digest, _TSETLIN + name)).decode()
    return np.array([line.split() for line in text.splitlines() if line.strip()], np.int64)


def _images(name: str, classes: tuple[str, ...]) -> Split:
    url, *digests = _IDX[name]
    names = [f"{stem}-ubyte.gz" for stem in _IDX_FILES]
    raw = [
        gzip.decompress(content(Source(f"{name}/{file}", digest, url + file)))
        for file, digest in zip(names, digests, strict=True)
    ]
    # An idx file of images has a header of 16 bytes, one of labels 8; the digest has settled what is in them.
    pixels = [np.frombuffer(raw[i], np.uint8, offset=16).reshape(-1, 784) > _BRIGHT for i in (0, 2)]
    labels = [np.frombuffer(raw[i], np.uint8, offset=8) for i in (1, 3)]
    features = [f"row{i // 28}_column{i % 28}" for i in range(784)]
    train, test = (
        Data.of(x, y, name=name, features=features, classes=classes) for x, y in zip(pixels, labels, strict=True)
    )
    return Split(train, test)
