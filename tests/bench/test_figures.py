"""The guide's figures: they show the operators that train, and the same code draws the same bytes."""

import re
from pathlib import Path

import numpy as np
import pytest

from bench import figures

DOCS = Path(__file__).parents[2] / "docs"
HARD = {
    "¬(x ⊕ y)": lambda x, y: x == y,
    "x ∧ y": lambda x, y: x & y,
    "x ∨ y": lambda x, y: x | y,
    "x ⇒ y": lambda x, y: ~x | y,
}


def grid(n):
    return np.meshgrid(*[np.linspace(0, 1, 20).astype(np.float32)] * n)


@pytest.mark.parametrize("forms", [figures.RICH, figures.SPARSE], ids=["rich", "sparse"])
def test_what_is_drawn_hardens_to_its_name(forms):
    x, y = grid(2)
    for name, function in forms.items():
        np.testing.assert_array_equal(np.asarray(function(x, y)) > 0.5, HARD[name](x > 0.5, y > 0.5))


@pytest.mark.parametrize("function", [figures.rich_majority, figures.sparse_majority])
def test_the_majority_drawn_is_one(function):
    x, y, z = grid(3)
    votes = (x > 0.5).astype(int) + (y > 0.5) + (z > 0.5)
    np.testing.assert_array_equal(np.asarray(function(x, y, z)) > 0.5, votes >= 2)


def test_the_papers_formulas():
    """The paper's ∂¬ and ∂∧ of two soft-bits, written out."""
    x, y = grid(2)
    least = np.minimum(x, y)
    packed = np.where(least > 0.5, 0.5 + (x + y) / 2 * (least - 0.5), least + (x + y) / 2 * (0.5 - least))
    np.testing.assert_allclose(figures.RICH["x ∧ y"](x, y), packed, atol=1e-6)
    np.testing.assert_allclose(figures.RICH["¬(x ⊕ y)"](x, y), 1 - x + y * (2 * x - 1), atol=1e-6)


def test_a_figure_is_drawn_the_same_twice():
    with figures.mpl.rc_context(figures.STYLE):
        first, second = (figures.svg(figures.margin_packing()) for _ in range(2))
    assert first == second
    assert b"<svg" in first


def test_the_guide_shows_all_figures():
    shown = re.findall(r"\(figures/(.*?)\.svg\)", (DOCS / "guide.md").read_text())
    assert sorted(shown) == sorted(figures.FIGURES)
    for name in shown:
        assert 1000 < (DOCS / f"figures/{name}.svg").stat().st_size < 150_000
