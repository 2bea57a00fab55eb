"""The guide's figures, drawn from the operators that train.

    python -m bench.figures [-o docs/figures] [--only operators]

Every contour is computed by dbhw.nn.operators; only the gradient-sparse forms to compare with are written here.
"""

from __future__ import annotations

import argparse
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import jax.numpy as jnp
import matplotlib as mpl
import numpy as np
from jax import Array
from matplotlib.axes import Axes
from matplotlib.contour import QuadContourSet
from matplotlib.figure import Figure

from dbhw import fit, recipes
from dbhw.base import files
from dbhw.nn import margins, operators

Operator = Callable[[Array, Array], Array]
_MOST_EPOCHS = 500  # noisy XOR is learned before that; its recipe goes on to 2,000
_LEVELS = np.linspace(0, 1, 11)
STYLE = {
    "svg.hashsalt": "dbhw",  # the same names for the same shapes, run after run
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.titlesize": 10,
    "path.simplify_threshold": 0.5,
}


def soft(operator: Callable[..., Array]) -> Operator:
    """An operator on margins as one on soft-bits."""
    return lambda *x: margins.to_soft_bits(operator(*(margins.from_soft_bits(v) for v in x)))


RICH: dict[str, Operator] = {
    "¬(x ⊕ y)": soft(operators.negate),
    "x ∧ y": soft(operators.and_pair),
    "x ∨ y": soft(operators.or_pair),
    "x ⇒ y": soft(operators.implies),
}
SPARSE: dict[str, Operator] = {
    "¬(x ⊕ y)": lambda x, y: jnp.maximum(jnp.minimum(x, y), jnp.minimum(1 - x, 1 - y)),
    "x ∧ y": jnp.minimum,
    "x ∨ y": jnp.maximum,
    "x ⇒ y": lambda x, y: jnp.maximum(1 - x, y),
}


def sparse_majority(x: Array, y: Array, z: Array) -> Array:
    """The majority of three as a minimum of maxima."""
    return jnp.minimum(jnp.maximum(x, y), jnp.minimum(jnp.maximum(x, z), jnp.maximum(y, z)))


def rich_majority(x: Array, y: Array, z: Array) -> Array:
    """∂Maj of three soft-bits."""
    return soft(operators.majority)(jnp.stack(jnp.broadcast_arrays(x, y, z), axis=-1))


def draw_operators() -> Figure:
    """Gradient-sparse above, gradient-rich below."""
    columns = [(name, SPARSE[name], RICH[name]) for name in RICH]
    return _two_rows(columns, ("plain min and max", "as dbhw trains them"))


def majority() -> Figure:
    """∂Maj of x, y and a fixed z, against the min-max form."""

    def at(function: Callable[..., Array], z: float) -> Operator:
        return lambda x, y: function(x, y, jnp.float32(z))

    columns = [(f"z = {z}", at(sparse_majority, z), at(rich_majority, z)) for z in (0.2, 0.4, 0.6, 0.8)]
    return _two_rows(columns, ("min of maxima", "∂Maj"))


def _two_rows(columns: Sequence[tuple[str, Operator, Operator]], names: tuple[str, str]) -> Figure:
    figure = Figure(figsize=(8.4, 3.9), layout="constrained")
    axes = figure.subplots(2, len(columns), sharex=True, sharey=True)
    for j, (title, *functions) in enumerate(columns):
        for i, function in enumerate(functions):
            shown = _contours(axes[i][j], function)
        axes[0][j].set_title(title)
        axes[1][j].set_xlabel("x")
    for i, name in enumerate(names):
        axes[i][0].set_ylabel(f"{name}\n\ny")
    figure.colorbar(shown, ax=axes, ticks=[0, 0.5, 1], shrink=0.8, label="soft-bit")
    return figure


def _contours(axes: Axes, function: Operator) -> QuadContourSet:
    line = jnp.linspace(0.0, 1.0, 40)  # an even number: no point lies on the threshold
    x, y = jnp.meshgrid(line, line)
    value = np.asarray(function(x, y))
    shown = axes.contourf(line, line, value, _LEVELS, cmap="viridis")
    axes.contour(line, line, value, [0.5], colors="white", linewidths=1.5)
    axes.set_aspect("equal")
    axes.set_xticks([0, 0.5, 1])
    axes.set_yticks([0, 0.5, 1])
    return shown


def margin_packing() -> Figure:
    """How a fraction of the margin is packed, for a low and a high representative."""
    figure = Figure(figsize=(8.4, 2.6), layout="constrained")
    for axes, (title, bits) in zip(
        figure.subplots(1, 2, sharey=True), {"low": [0.25, 0.95], "high": [0.85, 0.95]}.items(), strict=True
    ):
        representative, mean = min(bits), float(np.mean(bits))
        packed = float(soft(operators.and_pair)(*bits))
        start = min(representative, 0.5)
        axes.barh(
            0, abs(representative - 0.5), left=start, height=0.5, color="#e6e6e6", label="the margin of min(x, y)"
        )
        axes.barh(
            0, packed - start, left=start, height=0.5, color="#9a9a9a", label="the part packed, the mean of x and y"
        )
        marks = [
            (representative, "min", "#333333", 0.38),
            (packed, "∂∧", "#c0392b", -0.44),
            (0.5, "½", "#2c6fbb", 0.38),
        ]
        for value, name, color, height in marks:
            axes.plot([value, value], [-0.32, 0.32], color=color, linewidth=2)
            axes.text(value, height, name, color=color, ha="center")
        axes.set_title(f"x = {bits[0]}, y = {bits[1]}: {title}, {mean:.0%} of the margin packed")
        axes.set_xlim(0, 1)
        axes.set_ylim(-0.5, 0.55)
        axes.set_yticks([])
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    return figure


def training() -> Figure:
    """Loss and hard accuracy of the second toy and of noisy XOR, epoch by epoch."""
    figure = Figure(figsize=(8.4, 2.8), layout="constrained")
    for axes, name in zip(figure.subplots(1, 2), ("toy-2", "noisy-xor"), strict=True):
        recipe = recipes.find(name)
        settings = replace(recipe.settings, epochs=min(recipe.settings.epochs, _MOST_EPOCHS))
        seen: list[tuple[float, float]] = []
        fit(recipe.net, recipe.data.train, settings, on_epoch=lambda p, seen=seen: seen.append((p.loss, p.accuracy)))
        loss, accuracy = np.array(seen).T
        axes.plot(loss / loss[0], color="#c0392b", label="loss, of its first")
        axes.plot(accuracy, color="#2c6fbb", label="accuracy of the hard net")
        axes.set_title(name)
        axes.set_xlabel("epoch")
        axes.set_ylim(0, 1.05)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    return figure


FIGURES: dict[str, Callable[[], Figure]] = {
    "operators": draw_operators,
    "majority": majority,
    "margin-packing": margin_packing,
    "training": training,
}


def svg(figure: Figure) -> bytes:
    """A figure as SVG, the same bytes for the same figure."""
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    # A tenth of a point is finer than any screen, and a third of the size.
    return re.sub(rb"(\d\.\d)\d+", rb"\1", out.getvalue())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", default="docs/figures", help="the folder to write to (default docs/figures)")
    parser.add_argument("--only", choices=sorted(FIGURES), help="draw one figure")
    args = parser.parse_args()
    with mpl.rc_context(STYLE):
        for name in [args.only] if args.only else FIGURES:
            files.write_all(args.output, {f"{name}.svg": svg(FIGURES[name]())})
            print(Path(args.output) / f"{name}.svg")


if __name__ == "__main__":
    main()
