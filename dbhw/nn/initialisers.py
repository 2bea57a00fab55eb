"""Distributions of the initial weights, given as soft-bits; the model file stores which one a layer has."""

from dataclasses import asdict, dataclass
from typing import Any

from dbhw.base.errors import DbhwError, one_of
from dbhw.nn.lazy import Array, jax, jnp


@dataclass(frozen=True)
class Constant:
    """Every weight the same soft-bit.

    >>> Constant(0.3).sample(jax.random.key(0), (2,)).tolist()
    [-0.20000000298023224, -0.20000000298023224]
    """

    value: float

    def sample(self, key: Array, shape: tuple[int, ...]) -> Array:
        """Margins of the given shape."""
        return jnp.full(shape, self.value - 0.5, jnp.float32)


@dataclass(frozen=True)
class Uniform:
    """Soft-bits drawn uniformly between two values.

    >>> bool((abs(Uniform(0.499, 0.501).sample(jax.random.key(0), (9,))) < 0.0011).all())
    True
    """

    low: float
    high: float

    def sample(self, key: Array, shape: tuple[int, ...]) -> Array:
        """Margins of the given shape."""
        return jax.random.uniform(key, shape, jnp.float32, self.low - 0.5, self.high - 0.5)


@dataclass(frozen=True)
class Bernoulli:
    """`high` with probability p, else `low`.

    >>> Bernoulli(1.0, high=0.7, low=0.499).sample(jax.random.key(0), (2,)).tolist()
    [0.20000000298023224, 0.20000000298023224]
    """

    p: float
    high: float
    low: float

    def sample(self, key: Array, shape: tuple[int, ...]) -> Array:
        """Margins of the given shape."""
        chosen = jax.random.bernoulli(key, self.p, shape)
        return jnp.where(chosen, jnp.float32(self.high - 0.5), jnp.float32(self.low - 0.5))


Initialiser = Constant | Uniform | Bernoulli
_KINDS: dict[str, type] = {"constant": Constant, "uniform": Uniform, "bernoulli": Bernoulli}


def to_json(initialiser: Initialiser) -> dict[str, object]:
    """The description as plain data.

    >>> to_json(Constant(0.3))
    {'kind': 'constant', 'value': 0.3}
    """
    return {"kind": type(initialiser).__name__.lower(), **asdict(initialiser)}


def from_json(data: dict[str, Any]) -> Initialiser:
    """The description back from plain data.

    >>> from_json({"kind": "uniform", "low": 0.2, "high": 0.4})
    Uniform(low=0.2, high=0.4)
    """
    fields = dict(data)
    kind = fields.pop("kind", None)
    if kind not in _KINDS:
        raise one_of("initialiser", kind, sorted(_KINDS))
    try:
        return _KINDS[kind](**{name: float(value) for name, value in fields.items()})
    except (TypeError, ValueError) as wrong:
        raise DbhwError(f"initialiser {kind} must have numbers for its fields, not {fields!r}") from wrong
