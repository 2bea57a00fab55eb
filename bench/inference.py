"""Hard nets in software: images a second on one core, beside other ways to run them and other classifiers.

    python -m bench.inference [--quick] [--json] [--model digits.dbnet ...] [--nodes 1000,10000] [--gigabytes 1]

Without a model it runs the zoo's net for MNIST, on pixels of one bit and of eight. All is bound to one core and
measured in CPU seconds, the best of several runs. Images are MNIST's, repeated; packing and the labels are in the
time. `ready` is the CPU seconds from a loaded model to its first answer: the first time, and later. `limit` is the
share of the images that this machine could copy in memory in the same time. Compiled trees need the packages treelite
and tl2cgen. Further rows: nets of growing size, and a memory-mapped file under a limit of memory. The exit code is 1
if a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.inference_nets import bright, bright_images, random_model, tables_net
from bench.scale import deep_net
from dbhw import zoo
from dbhw.base.terminal import table
from dbhw.data.dataset import Split
from dbhw.data.sets import mnist, mnist_grey
from dbhw.model.model import Model, load
from dbhw.nn.bits import BoolBits
from dbhw.software.packed import Packed
from dbhw.tools.process import missing

PACKED_GOAL, BYTES_GOAL, READY_GOAL = 20e6, 5e6, 10.0
_MOST_GROWTH = 2.0  # of the time per image and node, from the fastest size to the slowest
_COMPILED_TREES = ("treelite", "tl2cgen")


@dataclass(frozen=True)
class Row:
    """One way to classify the images: how fast, how soon, how large, how well."""

    net: str
    engine: str
    source: str  # packed bits, bytes or floats
    images_per_second: float
    limit: float  # the share of what a copy in memory would allow
    ready: float | None = None
    ready_later: float | None = None
    kilobytes: float | None = None  # of what is held: the library, or the stored classifier
    accuracy: float | None = None


def seconds(run: Callable[[], object], times: int = 5) -> float:
    """The least CPU seconds of several runs.

    >>> seconds(lambda: sum(range(1000))) < 1
    True
    """
    taken = []
    for _ in range(times):
        started = time.process_time()
        run()
        taken.append(time.process_time() - started)
    return min(taken)


def copied_bytes_per_second() -> float:
    """How many bytes a plain copy reads in a second, far beyond the caches.

    >>> copied_bytes_per_second() > 0
    True
    """
    source = np.ones(1 << 25, np.uint64)
    target = np.zeros_like(source)
    return source.nbytes / seconds(lambda: np.copyto(target, source))


class Bench:
    """The images and the rows found so far."""

    def __init__(self, data: Split, quick: bool) -> None:
        self.data, self.quick = data, quick
        self.bandwidth = copied_bytes_per_second()
        self.x = np.tile(data.test.x, (8 if quick else 40, 1))
        self.rows: list[Row] = []

    def add(self, net: str, engine: str, x: np.ndarray | Packed, run: Callable[[Any], object], **more: Any) -> None:
        """Measures a way to run images and adds its row."""
        rows = x.rows if isinstance(x, Packed) else x
        source = "packed bits" if isinstance(x, Packed) else "bytes" if x.dtype.itemsize == 1 else "floats"
        rate = len(rows) / seconds(lambda: run(x), 3 if self.quick else 7)
        limit = rate * rows.nbytes / len(rows) / self.bandwidth
        self.rows.append(Row(net, engine, source, round(rate), round(limit, 4), **more))

    def model(self, name: str, model: Model) -> None:
        """A hard net by C, by NumPy in words and in booleans, and by JAX."""
        first, later, size = _ready(model)
        right = model.predict(self.data.test.x) == self.data.test.y
        about = {"accuracy": round(float(right.mean()), 4)}
        c = {"ready": first, "ready_later": later, "kilobytes": size, **about}
        self.add(name, "c", Packed.of(self.x), lambda x: model.predict(x, engine="c"), **c)
        self.add(name, "c", self.x, lambda x: model.predict(x, engine="c"), **c)
        few = self.x[:4096]
        self.add(name, "numpy, words", few, lambda x: model.predict(x, engine="numpy"), **about)
        self.add(name, "numpy, booleans", few[:512], lambda x: model.net.hard(model.weights, BoolBits(x)), **about)
        self._jax(name, model, few[:1024], about)

    def grey(self, name: str, model: Model) -> None:
        """A net of pixels of eight bits by C, from a byte for each pixel."""
        test = mnist_grey.load().test
        x = np.packbits(test.x, axis=1, bitorder="little")
        accuracy = round(float((model.predict(x, engine="c") == test.y).mean()), 4)
        pixels = np.tile(x, (len(self.x) // len(x), 1))
        self.add(name, "c", pixels, lambda x: model.predict(x, engine="c"), accuracy=accuracy)

    def _jax(self, name: str, model: Model, x: np.ndarray, about: dict[str, float]) -> None:
        import jax
        import jax.numpy as jnp

        from dbhw.nn import margins

        weights = [None if w is None else margins.from_bits(jnp.asarray(w)) for w in model.weights]
        run = jax.jit(lambda weights, x: model.net.soft(weights, margins.from_bits(x)).argmax(axis=1))
        ready = seconds(lambda: np.asarray(run(weights, x)), 1)
        self.add(name, "jax, jitted", x, lambda x: np.asarray(run(weights, x)), ready=round(ready, 2), **about)

    def classifiers(self) -> None:
        """Scikit-learn's random forest, boosted trees and multilayer perceptron, and the boosted trees compiled."""
        from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
        from sklearn.neural_network import MLPClassifier

        many = 3000 if self.quick else 15000
        x, y = self.data.train.x[:many].astype(np.float32), self.data.train.y[:many]
        forest = RandomForestClassifier(20 if self.quick else 100)
        boosted = HistGradientBoostingClassifier(max_iter=3 if self.quick else 40, early_stopping=False)
        perceptron = MLPClassifier((64,), max_iter=8, early_stopping=True)
        test = self.x[: 2000 if self.quick else 20000].astype(np.float32)
        for name, classifier in (("random forest", forest), ("boosted trees", boosted), ("perceptron", perceptron)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the perceptron stops early
                classifier.set_params(random_state=0).fit(x, y)
            about = {"kilobytes": len(pickle.dumps(classifier)) / 1e3, "accuracy": self._accuracy(classifier.predict)}
            self.add(name, "scikit-learn", test, classifier.predict, **about)
        if not missing(_COMPILED_TREES):
            self._compiled_trees(boosted, test)

    def _compiled_trees(self, trees: Any, test: np.ndarray) -> None:
        import tl2cgen
        import treelite

        with tempfile.TemporaryDirectory() as folder:
            path, started = Path(folder) / "trees.so", _tool_seconds()
            options = {"params": {"parallel_comp": 8}, "nthread": 1, "options": ["-O1"]}
            tl2cgen.export_lib(treelite.sklearn.import_model(trees), "gcc", str(path), **options)
            ready = round(_tool_seconds() - started, 2)
            predictor = tl2cgen.Predictor(str(path), nthread=1)

            def run(x: np.ndarray) -> np.ndarray:
                return predictor.predict(tl2cgen.DMatrix(x, dtype="float32")).reshape(len(x), -1).argmax(axis=1)

            about = {"kilobytes": path.stat().st_size / 1e3, "accuracy": self._accuracy(run)}
            self.add("boosted trees", "treelite, compiled", test, run, ready=ready, **about)

    def _accuracy(self, run: Callable[[np.ndarray], np.ndarray]) -> float:
        return round(float((run(self.data.test.x.astype(np.float32)) == self.data.test.y).mean()), 4)


def _ready(model: Model) -> tuple[float, float, float]:
    """CPU seconds to the first answer of a net that was never compiled, and of one that was; and kilobytes."""
    code = (
        "import sys, time, resource; from dbhw import load; model = load(sys.argv[1]); import numpy as np;"
        "from bench.inference import _tool_seconds; started = _tool_seconds();"
        "found = model.answers(np.zeros((1, model.net.inputs), bool), engine='c');"
        "assert found.engine.startswith('c, '), found.engine; print(_tool_seconds() - started)"
    )
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "net.dbnet")
        compiled = Path(folder) / "compiled"
        command = [sys.executable, "-c", code, str(Path(folder) / "net.dbnet")]
        environment = {**os.environ, "DBHW_COMPILED": str(compiled)}
        taken = [
            float(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout) for _ in range(2)
        ]
        size = sum(path.stat().st_size for path in compiled.iterdir()) / 1e3
    return round(taken[0], 2), round(taken[1], 3), size


def _tool_seconds() -> float:
    """The CPU seconds of this process and of what it ran."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in used)


def growth(sizes: list[int], rounds: int = 5) -> list[dict[str, Any]]:
    """Nets of about so many nodes: how long to make ready, and nanoseconds for an image.

    They are timed in turn, so that another program that slows the machine for a while slows all of them.

    >>> growth([1000])[0]["nodes"] > 500
    True
    """
    rows, runs = [], []
    for size in sizes:
        model = random_model(deep_net(size) if size > 5000 else deep_net(size, blocks=max(size // 250, 1)))
        x = Packed.of(np.random.default_rng(0).random((1 << 14 if size < 300_000 else 1 << 12, model.net.inputs)) < 0.5)
        started = _tool_seconds()
        nodes = len(model.to_network())
        lowered = _tool_seconds() - started
        line = model.answers(x, engine="c").engine
        ready = _tool_seconds() - started - lowered
        runs.append((partial(model.predict, x, engine="c"), len(x.rows)))
        rows.append({"nodes": nodes, "engine": line.rsplit(" in ", 1)[0], "ready": round(ready, 1)})
    taken = np.array([[seconds(run, 1) / images * 1e9 for run, images in runs] for _ in range(rounds)]).min(axis=0)
    return [
        {**row, "ns_per_image": round(ns, 1), "ns_per_image_and_node": ns / row["nodes"]}
        for row, ns in zip(rows, taken.tolist(), strict=True)
    ]


def mapped(gigabytes: float) -> dict[str, Any]:
    """A memory-mapped file of packed images under a limit of memory far below its size.

    >>> mapped(0.01)["images"]
    102040
    """
    model = tables_net(50)
    model.predict(np.zeros((1, 784), bool), engine="c")
    images = int(gigabytes * 1e9) // 98
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "images.bin"
        with open(path, "wb") as file:
            file.truncate(images * 98)  # all pixels low, and no place taken on the disk
        before = resource.getrlimit(resource.RLIMIT_DATA)
        limit = _data_bytes() + (64 << 20)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, before[1]))
        try:
            rows = np.memmap(path, np.uint8, "r", shape=(images, 98))
            started = time.process_time()
            for start in range(0, images, 1 << 20):
                model.predict(Packed(rows[start : start + (1 << 20)]), engine="c")
            taken = time.process_time() - started
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, before)
    return {
        "images": images,
        "file_megabytes": images * 98 // 10**6,
        "memory_megabytes": 64,
        "seconds": round(taken, 2),
    }


def _data_bytes() -> int:
    """What this process holds of its own memory, as the limit counts it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData"))


def judged(rows: list[Row], grown: list[dict[str, Any]]) -> list[str]:
    """The goals that are missed, in words; every net by C counts.

    >>> judged([Row("net", "c", "packed bits", 1e6, 0.1, ready=1.0)], [])
    ['20 million images a second from packed bits, not 1.0']
    """
    wrong = []
    own = [row for row in rows if row.engine == "c"]
    for row in own:
        goal = PACKED_GOAL if row.source == "packed bits" else BYTES_GOAL
        if row.images_per_second < goal:
            found = round(row.images_per_second / 1e6, 1)
            wrong.append(f"{goal / 1e6:g} million images a second from {row.source}, not {found}")
    if own and own[0].ready is not None and own[0].ready > READY_GOAL:
        wrong.append(f"ready within {READY_GOAL:g} s, not {own[0].ready}")
    each = [row["ns_per_image_and_node"] for row in grown]
    if each and max(each) > _MOST_GROWTH * min(each):
        wrong.append(f"time per image and node within {_MOST_GROWTH:g}, not {max(each) / min(each):.1f}")
    return wrong


def main(arguments: list[str]) -> int:
    """Runs the bench and returns the exit code."""
    parser = argparse.ArgumentParser(prog="bench.inference", description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--quick", action="store_true", help="small classifiers beside it, and small sizes")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--model", action="append", default=[], help="a model file for MNIST; may be given several times"
    )
    parser.add_argument("--nodes", help="sizes of nets, separated by commas (default 1000 to 1000000)")
    parser.add_argument("--gigabytes", type=float, help="the size of the memory-mapped file (default 2)")
    args = parser.parse_args(arguments)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # one core for all, the libraries' threads included
    sizes = args.nodes or ("1000,10000" if args.quick else "1000,10000,100000,1000000")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DBHW_COMPILED"] = folder
        bench = Bench(mnist.load() if args.model else bright_images(), args.quick)
        grey = zoo.load("mnist-small")
        models = {Path(path).stem: load(path) for path in args.model} or {"mnist-small": bright(grey)}
        for name, model in models.items():
            bench.model(name, model)
        if not args.model:
            bench.grey("mnist-small, grey pixels", grey)
        bench.classifiers()
        grown = growth([int(size) for size in sizes.split(",")])
        file = mapped(args.gigabytes or (0.1 if args.quick else 2))
    wrong = judged(bench.rows, grown)
    _print(bench, grown, file, wrong, args.json)
    return 1 if wrong else 0


def _print(bench: Bench, grown: list[dict[str, Any]], file: dict[str, Any], wrong: list[str], as_json: bool) -> None:
    rows, absent = [asdict(row) for row in bench.rows], missing(_COMPILED_TREES)
    if as_json:
        found = {"rows": rows, "copied_bytes_per_second": bench.bandwidth, "growth": grown, "mapped": file}
        print(json.dumps({**found, "not_installed": absent, "missed": wrong}))
        return
    for part in (rows, grown, [file]):
        print(table([tuple(part[0]), *(tuple(map(_cell, row.values())) for row in part)]) + "\n")
    print(f"a copy in memory reads {bench.bandwidth / 1e9:.1f} GB a second")
    if absent:
        print(f"no compiled trees: {', '.join(absent)} is not installed")
    for goal in wrong:
        print(f"missed: {goal}")


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
