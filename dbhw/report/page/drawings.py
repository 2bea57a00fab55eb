"""Pictures of a report: training curves, the net as layers, and maps of pixels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2, prod

import numpy as np

from dbhw.nn.net import Net
from dbhw.report.charts import even_ticks
from dbhw.report.page.html import Html, drawing, tag, write

_LEVELS = 8  # strengths of colour in a map of pixels
_SIDE = 8  # of a pixel
_SQUARES = {64: 8, 784: 28}  # pixels without names that say where they are
_PLACE = re.compile(r"\D*(\d{1,3})\D+(\d{1,3})\D*")
_LARGEST = 128


def curve(title: str, x: Sequence[float], y: Sequence[float], per_cent: bool = False) -> Html:
    """A line over the epochs of training.

    >>> curve("loss", [1, 2, 3], [0.7, 0.5, 0.4]).count("<polyline")
    1
    """
    left, right, top, bottom = 46, 352, 12, 170
    low, high = min(y), max(y)
    spread = max(high - low, 1e-3 if per_cent else 1e-6)
    low, high = low - 0.06 * spread, high + 0.06 * spread
    last = max(max(x), 1)

    def place(across: float, up: float) -> str:
        return f"{left + (right - left) * across / last:.1f},{bottom - (bottom - top) * (up - low) / (high - low):.1f}"

    def said(value: float) -> str:
        return f"{value:g} %" if per_cent else f"{value:g}"

    factor = 100 if per_cent else 1
    lines = []
    for tick in even_ticks(low * factor, high * factor):
        height = float(place(0, tick / factor).split(",")[1])
        lines.append(tag("path", d=f"M{left} {height:.1f}H{right}", class_="grid"))
        lines.append(write(left - 5, height + 4, said(tick), "faint", "end"))
    points = tag("polyline", points=" ".join(place(*point) for point in zip(x, y, strict=True)), class_="one")
    ends = [
        write(left, bottom + 18, "0", "faint", "middle"),
        write(right, bottom + 18, f"{last:,g} epochs", "faint", "end"),
    ]
    first, final = (f"{value:.1%}" if per_cent else f"{value:.4g}" for value in (y[0], y[-1]))
    words = f"From {first} at epoch {x[0]:g} to {final} at epoch {x[-1]:g}"
    return drawing(360, 196, title, words, *lines, points, *ends, class_="chart")


def layers(net: Net, names: Sequence[str]) -> Html:
    """The net from its inputs down to its outputs; a layer is as wide as the logarithm of its number of bits.

    >>> from dbhw.nn.layers.conjunction import Conjunction
    >>> layers(Net(12, [Conjunction(width=5)]), ["conjunction 12 -> 5"]).count('class="layer"')
    2
    """
    shapes = [(net.inputs,), *(layer.output_shape(s) for layer, s in zip(net.layers, net.input_shapes(), strict=True))]
    weights = [0, *(prod(shape) if shape is not None else 0 for shape in net.weight_shapes())]
    titles = ["inputs", *names]
    bits = [max(prod(shape), 1) for shape in shapes]
    most = log2(max(bits)) + 1
    parts: list[Html] = []
    for i, (title, number, count) in enumerate(zip(titles, bits, weights, strict=True)):
        parts += _layer(i, title, number, count, most, bits[i - 1] if i else 0)
    words = "; ".join(f"{title}: {number} values" for title, number in zip(titles, bits, strict=True))
    return drawing(360, 46 * len(bits) + 4, "The net as layers", words, *parts, class_="chart")


def _layer(i: int, title: str, number: int, weights: int, most: float, before: int) -> Iterator[Html]:
    wide, y = 24 + 126 * (log2(number) + 1) / most, 46 * i + 2
    x = 76 - wide / 2
    if before:
        above = 24 + 126 * (log2(before) + 1) / most
        left, right = 76 - above / 2, 76 + above / 2
        yield tag("path", d=f"M{left:.1f} {y - 18}L{right:.1f} {y - 18}L{x + wide:.1f} {y}L{x:.1f} {y}z", class_="link")
    yield tag("rect", x=f"{x:.1f}", y=y, width=f"{wide:.1f}", height=28, rx=4, class_="layer")
    yield write(76, y + 18, f"{number:,}", "strong", "middle")
    yield write(162, y + 12, title.split(" ")[0], "strong")
    more = f"{weights:,} weight bits" if weights else "no weights" if i else "bits"
    yield write(162, y + 26, more, "faint")


@dataclass(frozen=True)
class Picture:
    """The size of a picture, and the row and column of each feature."""

    rows: int
    columns: int
    places: tuple[tuple[int, int], ...]


def picture(features: Sequence[str]) -> Picture | None:
    """The picture whose pixels the features are, by their names (pixel_3_7) or their number; None if they are none.

    >>> found = picture([f"row{r}_column{c}" for r in range(4) for c in range(3)])
    >>> found.rows, found.columns, found.places[-1]
    (4, 3, (3, 2))
    >>> picture([f"x{i}" for i in range(64)]).rows, picture(["weight", "colour"])
    (8, None)
    """
    matches = [_PLACE.fullmatch(name) for name in features]
    places = [(int(found[1]), int(found[2])) for found in matches if found]
    if len(places) == len(features) and len(set(places)) == len(places):
        rows, columns = (max(place[i] for place in places) + 1 for i in (0, 1))
        # Pixels that never change may be missing, but not most of them.
        if 2 * len(places) > rows * columns >= 9 and max(rows, columns) <= _LARGEST:
            return Picture(rows, columns, tuple(places))
    side = _SQUARES.get(len(features))
    if side is None:
        return None
    return Picture(side, side, tuple(divmod(i, side) for i in range(len(features))))


def pixels(picture: Picture, values: np.ndarray, title: str, largest: float, words: str = "") -> Html:
    """A map of pixels: blue where a value is above 0, orange where it is below, stronger as it is larger.

    >>> found = pixels(Picture(1, 2, ((0, 0), (0, 1))), np.array([1.0, -0.5]), "x", 1.0)
    >>> 'class="up"' in found, 'class="down"' in found
    (True, True)
    """
    strength = np.ceil(np.clip(np.abs(values) / (largest or 1.0), 0, 1) * _LEVELS - 1e-9).astype(int)
    squares: dict[tuple[int, bool], list[str]] = {}
    for (row, column), level, value in zip(picture.places, strength.tolist(), values.tolist(), strict=True):
        if level:
            squares.setdefault((level, value > 0), []).append(f"M{column} {row}h1v1h-1z")
    paths = [
        tag("path", d="".join(found), class_="up" if above else "down", fill_opacity=f"{level / _LEVELS:g}")
        for (level, above), found in sorted(squares.items())
    ]
    scaled = tag("g", paths, transform=f"scale({_SIDE})")
    return drawing(_SIDE * picture.columns, _SIDE * picture.rows, title, words, scaled, class_="pixels")
