"""The contract of every layer, whichever are found: one function, four readings, and useful gradients."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from dbhw.logic import evaluate
from dbhw.model.lower import lower
from dbhw.nn import layers, margins, operators, rank
from dbhw.nn.bits import BoolBits, WordBits
from dbhw.nn.net import Net
from tests.kit import naive, samples
from tests.kit.compiling import as_usual, compiled_as_usual

FEW_SHAPES = [(1,), (8,), (17,), (3, 4)]  # one, even, odd and two axes: compiling takes the time
OTHERS = [(2,), (3,), (40,), (2, 5)]
SHAPES = [*FEW_SHAPES, *OTHERS]
PASSED_ON = ("∂dropout", "reshape", "patches", "shift", "warp", "wires")  # these move margins, and compute none


def cases(name, shapes=SHAPES):
    kind = layers.find(name)
    made = [(samples.make(kind, shape), shape) for shape in shapes]
    return [(layer, shape) for layer, shape in made if layer is not None]


@partial(jax.jit, static_argnums=0)
def pulled_back(function, cotangent, *arguments):
    """What a function gives, and its gradients for a cotangent, as one program: each operation takes compiling."""
    value, back = jax.vjp(function, *arguments)
    return value, back(cotangent)


def hard_outputs(layer, weights, x):
    out = layer.hard(None if weights is None else BoolBits(weights[None]), BoolBits(x))
    return out if isinstance(out, np.ndarray) else out.array


@pytest.mark.parametrize("name", layers.names())
def test_soft_hardens_to_hard(name):
    """On at least 100,000 random inputs and weights, with every kind of margin float32 has."""
    random = np.random.default_rng(1)
    examples = -(-100_000 // len(cases(name)))
    checked = 0
    # XLA may put the operations of a layer together or not; some shapes are compiled in one way, some in the other.
    for shapes in (FEW_SHAPES, OTHERS):
        usual = shapes is FEW_SHAPES
        with as_usual(usual):
            checked += compared(random, cases(name, shapes), examples, compiled_as_usual if usual else jax.jit)
    assert checked >= 100_000


def compared(random, layers_and_shapes, examples, compiled):
    """Compares the soft with the hard meaning of layers, which are compiled as one program; on how many inputs."""
    made = [(layer, *drawn(random, layer.weight_shape(shape), shape, examples)) for layer, shape in layers_and_shapes]

    def soft(given):
        each = zip(made, given, strict=True)
        return [jax.vmap(layer.soft, in_axes=(None if w is None else 0, 0))(w, x) for (layer, _, _), (w, x) in each]

    found = compiled(soft)([(weights, x) for _, weights, x in made])
    for (layer, weights, x), out in zip(made, map(np.asarray, found), strict=True):
        is_hard(layer, weights, x, out)
    return sum(len(x) * x.shape[1] for _, _, x in made)


def drawn(random, weight_shape, shape, examples):
    """Random weights, where there are any, and inputs for each of them, so many together."""
    draws, examples = (64, -(-examples // 64)) if weight_shape else (1, examples)
    weights = None if weight_shape is None else samples.margins(random, (draws, *weight_shape))
    return weights, samples.margins(random, (draws, examples, *shape))


def is_hard(layer, weights, x, out):
    for draw, inputs in enumerate(x):
        hard_weights = None if weights is None else layer.harden(weights[draw])
        expected = hard_outputs(layer, hard_weights, inputs >= samples.TINY)
        found = out[draw].astype(np.int64) if layer.integer_output else out[draw] >= samples.TINY
        np.testing.assert_array_equal(found, expected, err_msg=f"{layer} on {x.shape[2:]}")
    if not layer.integer_output and layer.symbol not in PASSED_ON:
        assert (np.abs(out) >= samples.TINY).all(), "an operator returned a margin below the floor"


@pytest.mark.parametrize("name", [name for name in layers.names() if layers.find(name).costly])
def test_weights_at_rest_give_the_same_outputs(name):
    random = np.random.default_rng(7)
    for layer, shape in cases(name)[:4]:
        weights, x = samples.margins(random, layer.weight_shape(shape)), samples.margins(random, (100, *shape))
        both = jax.jit(lambda w, x, layer=layer: (layer.soft(layer.at_rest(w), x), layer.soft(w, x)))
        np.testing.assert_array_equal(*both(weights, x))


@pytest.mark.parametrize("name", layers.names())
def test_hard_is_packed_is_network_is_naive(name):
    random = np.random.default_rng(2)
    for layer, shape in cases(name):
        weight_shape = layer.weight_shape(shape)
        for _ in range(6 if weight_shape else 1):
            weights = None if weight_shape is None else samples.bits(random, weight_shape)
            x = np.concatenate([samples.bits(random, (50, *shape)), np.zeros((1, *shape)), np.ones((1, *shape))]) > 0
            expected = hard_outputs(layer, weights, x).reshape(len(x), -1)
            one = None if weights is None else weights.tolist()
            slow = [naive.run([layer.to_json()], [one], example.astype(int).tolist()) for example in x]
            np.testing.assert_array_equal(expected, slow)
            packed = layer.hard(None if weights is None else WordBits.pack(x).constant(weights), WordBits.pack(x))
            packed = packed if isinstance(packed, np.ndarray) else packed.unpack()
            np.testing.assert_array_equal(expected, packed.reshape(len(x), -1))
            np.testing.assert_array_equal(expected, network_outputs(layer, shape, weights, x))


def network_outputs(layer, shape, weights, x):
    flat = x.reshape(len(x), -1)
    reshape = layers.find("reshape")
    net = Net(flat.shape[1], [reshape(shape=shape), layer])
    network = lower(net, [None, weights], [f"x{i}" for i in range(flat.shape[1])])
    on_booleans, on_words = evaluate.on_booleans(network, flat), evaluate.on_words(network, flat)
    for output in network.outputs:
        np.testing.assert_array_equal(on_booleans[output.name], on_words[output.name])
    return on_booleans[network.outputs[-1].name]


@pytest.mark.parametrize("name", layers.names())
def test_gradients_are_finite_and_rich_where_claimed(name):
    random = np.random.default_rng(3)
    made = [(layer, *kept_from_zero(random, layer, shape)) for layer, shape in cases(name, FEW_SHAPES)]

    def gradients(given):  # of all shapes in one program: compiling takes the time
        return [by_weights_and_inputs(layer, w, x) for (layer, _, _), (w, x) in zip(made, given, strict=True)]

    found = jax.jit(gradients)([(weights, x) for _, weights, x in made])
    for (layer, _, x), slopes in zip(made, found, strict=True):
        for slope, what in zip(slopes, ("an input", "a weight"), strict=False):
            assert np.isfinite(slope).all(), layer
            if layer.gradient_rich:
                assert (np.asarray(slope) != 0).any(axis=1).all(), f"{layer} on {x.shape[1:]}: {what} without gradient"


def kept_from_zero(random, layer, shape):
    """Weights and inputs of 200 examples, none of them too small to be a margin."""
    sizes = [layer.weight_shape(shape), shape]
    made = [None if size is None else samples.margins(random, (200, *size)) for size in sizes]
    floor = np.float32(samples.TINY)
    return [None if each is None else np.where(np.abs(each) < floor, floor, each) for each in made]


def by_weights_and_inputs(layer, weights, x):
    """The gradients of all outputs by the inputs, and by the weights where there are any."""

    def one(w, v):
        return layer.soft(w, v[None])[0].ravel()

    both = jax.jacrev(one, argnums=(1,) if weights is None else (1, 0))
    return jax.vmap(both, in_axes=(None if weights is None else 0, 0))(weights, x)


def test_bits_survive_ten_layers_of_tiny_margins():
    """Products underflow at once; the bits must not."""
    random = np.random.default_rng(4)
    chain = []
    shape = (7,)
    for name in ["negation", "majority", "with_negation", "conjunction", "disjunction"] * 2:
        layer = samples.make(layers.find(name), shape, width=7)
        chain.append((layer, shape))
        shape = layer.output_shape(shape)

    def whole(weights, x):
        for (layer, _), w in zip(chain, weights, strict=True):
            x = layer.soft(w, x)
        return x

    compiled = jax.jit(whole)
    for _ in range(20):
        x = tiny(random, (256, 7))
        weights = [None if (s := layer.weight_shape(inputs)) is None else tiny(random, s) for layer, inputs in chain]
        hard = x >= samples.TINY
        for (layer, _), w in zip(chain, weights, strict=True):
            hard = hard_outputs(layer, None if w is None else w >= samples.TINY, hard)
        np.testing.assert_array_equal(np.asarray(margins.harden(compiled(weights, jnp.asarray(x)))), hard)


def tiny(random, shape):
    return np.float32(samples.TINY) * random.choice([-1, 1], shape).astype(np.float32)


def test_dropout_flips_each_bit_of_each_example_on_its_own():
    dropout = layers.find("dropout")(p=0.25)
    x = jnp.full((400, 100), 0.5)
    out = np.asarray(dropout.soft(None, x, jax.random.key(0)))
    flipped = out < 0
    assert abs(flipped.mean() - 0.25) < 0.01
    assert len({row.tobytes() for row in flipped}) == 400


def test_the_papers_own_values():
    """Worked by hand from the paper's formulas, with the readings that are settled."""
    soft = partial(jnp.array, dtype=jnp.float32)

    def on_soft_bits(function, *values):
        return np.asarray(margins.to_soft_bits(function(*(margins.from_soft_bits(soft(v)) for v in values))))

    np.testing.assert_allclose(on_soft_bits(operators.negate, 0.2, 0.9), 1 - 0.2 + 0.9 * (2 * 0.2 - 1), rtol=1e-6)
    np.testing.assert_allclose(on_soft_bits(operators.and_pair, 0.7, 0.9), 0.5 + 0.8 * 0.2, rtol=1e-6)
    np.testing.assert_allclose(on_soft_bits(operators.and_pair, 0.3, 0.9), 0.3 + 0.6 * 0.2, rtol=1e-6)
    np.testing.assert_allclose(on_soft_bits(operators.or_pair, 0.3, 0.9), 0.5 + 0.6 * 0.4, rtol=1e-6)
    np.testing.assert_allclose(on_soft_bits(operators.implies, 0.9, 0.3), 0.3 + 0.2 * 0.2, rtol=1e-6)
    hot = on_soft_bits(operators.count_hot, [0.1, 0.9, 0.2])
    np.testing.assert_allclose(hot, [0.32, 0.365, 0.755, 0.32], atol=1e-6)
    # An even split is low: 16 needs 9.
    eight = [0.9] * 8 + [0.1] * 8
    assert on_soft_bits(operators.majority, eight) <= 0.5
    assert on_soft_bits(operators.majority, [0.9, *eight[:8], *[0.1] * 7]) > 0.5


@pytest.mark.parametrize("n", [1, 2, 16, 33, 100, 512])
def test_selection_is_what_a_sort_selects(n):
    random = np.random.default_rng(n)
    x = samples.margins(random, (64, n))
    x = np.where(np.abs(x) < samples.TINY, np.float32(samples.TINY), x)
    for k in {1, (n + 1) // 2, n}:
        found = np.asarray(jax.jit(rank.kth_smallest, static_argnums=1)(x.T, k))
        np.testing.assert_array_equal(found, np.sort(x, axis=-1)[:, k - 1])


@pytest.mark.parametrize("n", [1, 2, 16, 33, 100])
@pytest.mark.parametrize("kind", ["spread", "ties"])
def test_the_gradient_of_a_majority_is_that_of_the_formula(n, kind):
    """Against the formula as written, with jnp.sort; margins that tie for the middle share what it gives to one."""
    random = np.random.default_rng(n)
    x = random.choice([-0.25, 0.25, 0.125], (40, n)) if kind == "ties" else random.uniform(-0.5, 0.5, (40, n))
    x, cotangent = x.astype(np.float32), random.normal(size=40).astype(np.float32)

    def written(x):
        middle = jnp.sort(x, -1)[:, (n + 1) // 2 - 1]
        return jnp.where(middle > 0, middle * (0.5 + x.mean(-1)), middle * (0.5 - x.mean(-1)))

    found, [slope] = pulled_back(operators.majority, cotangent, x)
    wanted, [slope_as_written] = pulled_back(written, cotangent, x)
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    middle = x == np.sort(x, -1)[:, [(n + 1) // 2 - 1]]
    gradient = np.asarray(slope_as_written)
    shared = np.where(middle, gradient, 0).sum(-1, keepdims=True) / middle.sum(-1, keepdims=True)
    np.testing.assert_allclose(slope, np.where(middle, shared, gradient), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("n", [1, 4, 9, 64])
def test_a_vote_teaches_where_it_was_close(n):
    """All inputs alike, as the sum of n margins over √n, clipped: the votes that n margins of ±1/2 do not saturate."""
    slopes = jax.jit(jax.value_and_grad(lambda x: operators.vote(x[:, None])[0]))
    for high in range(n + 1):
        x = np.where(np.arange(n) < high, np.float32(0.5), np.float32(-0.5))
        value, slope = slopes(x)
        total = x.astype(np.float64).sum() / n**0.5
        assert value == (0.5 if total > 0 else -0.5)
        np.testing.assert_allclose(slope, 1 / n**0.5 if abs(total) <= 0.5 else 0, rtol=1e-6)


@pytest.mark.parametrize("name", ["conjunction", "disjunction"])
@pytest.mark.parametrize("kind", ["spread", "ties"])
def test_gradients_of_selecting_neurons_are_those_of_the_formula(name, kind):
    """Against the formula as written, with jnp.min and jnp.max, whose gradients equal inputs share."""
    random = np.random.default_rng(5)

    def some(shape):
        return random.choice([-0.25, 0.25, 0.125], shape) if kind == "ties" else random.uniform(-0.5, 0.5, shape)

    def packed(m, mean):
        return jnp.where(m > 0, m * (0.5 + mean), m * (0.5 - mean))

    def conjunction(w, x):
        return packed(jnp.maximum(x[:, None], -w), (x[:, None] - w) / 2).min(-1)

    def disjunction(w, x):
        return packed(jnp.minimum(x[:, None], w), (x[:, None] + w) / 2).max(-1)

    written = {"conjunction": conjunction, "disjunction": disjunction}[name]
    w, x, cotangent = (jnp.asarray(some(shape), jnp.float32) for shape in [(5, 7), (40, 7), (40, 5)])
    layer = layers.find(name)(width=5)
    found, slopes = pulled_back(layer.soft, cotangent, w, x)
    wanted, slopes_as_written = pulled_back(written, cotangent, w, x)
    np.testing.assert_allclose(found, wanted, rtol=1e-6)
    for a, b in zip(slopes, slopes_as_written, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)
