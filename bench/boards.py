"""Bitstreams of two nets for every board with open tools, or those named, as a table: `make boards`."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dbhw import boards, recipes
from dbhw.base import terminal
from dbhw.base.names import default_names
from dbhw.boards.flow.build import Built, build
from dbhw.model.model import Model
from dbhw.nn.layers.bucket_any import BucketAny
from dbhw.nn.layers.conjunction import Conjunction
from dbhw.nn.layers.count_hot import CountHot
from dbhw.nn.layers.with_negation import WithNegation
from dbhw.nn.net import Net
from dbhw.train.policy import Watch, fit_recipe


def noisy_xor() -> Model:
    """The paper's net, trained."""
    recipe = recipes.find("noisy-xor")
    return fit_recipe(recipe, Watch("training noisy-xor"))


def iris_like() -> Model:
    """A net of the shape the paper uses for Iris, with random weights: what it costs, not what it knows."""
    net = Net(16, [WithNegation(), Conjunction(width=59), CountHot(), BucketAny(buckets=3)])
    random = np.random.default_rng(1)
    soft = tuple(
        None if shape is None else np.where(random.random(shape) < 0.1, 0.25, -0.25).astype(np.float32)
        for shape in net.weight_shapes()
    )
    return Model(net, soft, default_names("x", net.inputs), default_names("class", net.classes))


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    net: str
    built: Built

    def cells(self) -> tuple[str, ...]:
        b = self.built
        return (
            *(b.board, self.net, f"{b.luts} / {b.luts_available}", f"{b.ffs}", f"{b.rams}", f"{b.clock_mhz:g} MHz"),
            *(f"{b.fmax_mhz:.1f} MHz", f"{b.latency_ns:g} ns", f"{b.link_per_second}"),
            *(f"{b.bitstream_bytes}", f"{b.seconds:.0f}"),
        )


HEADER = (
    *("board", "net", "LUTs", "FFs", "RAMs", "clock", "reaches", "latency"),
    *("over link / s", "bitstream bytes", "seconds"),
)


def main(chosen: list[str]) -> None:
    wanted = [name for name in chosen or boards.names() if boards.find(name).open_tools]
    models = {"noisy-xor": noisy_xor(), "iris-like": iris_like()}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for board in wanted:
            for net, model in models.items():
                print(f"{board}, {net} ...", file=sys.stderr, flush=True)
                rows.append(Row(net, build(model, board, Path(folder) / f"{board}-{net}")))
    print(terminal.table([HEADER, *(row.cells() for row in rows)]))


if __name__ == "__main__":
    main(sys.argv[1:])
