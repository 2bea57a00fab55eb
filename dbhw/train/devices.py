"""Training on more than one device: each holds all weights and gets an equal part of every batch.

The result is that of one device, up to rounding: the parts' gradients are added in another order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import jax
import jax.numpy as jnp
from jax import Array
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from dbhw.base.errors import DbhwError

Batch = tuple[Array, Array]  # inputs and votes
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def join(coordinator: str, processes: int, process: int) -> None:
    """Makes this process one of several that train together and see each other's devices; call it before all else.

    >>> join("localhost", 2, 0)
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: coordinator must be an address and a port, as host:1234, not 'localhost'
    """
    host, _, port = coordinator.rpartition(":")
    if not host or not port.isdigit():
        raise DbhwError(f"coordinator must be an address and a port, as host:1234, not {coordinator!r}")
    if not 0 <= process < processes:
        raise DbhwError(f"process must be from 0 to {processes - 1}, not {process}")
    jax.distributed.initialize(coordinator, processes, process)


def whole(batch: Batch) -> Batch:
    """The batch as it is: there is one device.

    >>> whole(("x", "votes"))
    ('x', 'votes')
    """
    return batch


def batch_spread() -> Callable[[Batch], Batch]:
    """A function that splits a batch over all devices, for use within compiled code.

    >>> x, votes = batch_spread()((jnp.ones((3, 2)), jnp.ones((3, 2))))
    >>> float(votes.sum())
    6.0
    """
    count = jax.device_count()
    if count == 1:
        return whole
    over_devices = NamedSharding(_mesh(), PartitionSpec("batch"))

    def spread(batch: Batch) -> Batch:
        # The parts must be equal; the examples that fill up the last ones have no votes.
        padding = [(0, -len(batch[0]) % count), (0, 0)]
        filled = jnp.pad(batch[0], padding), jnp.pad(batch[1], padding)
        return jax.lax.with_sharding_constraint(filled, over_devices)

    return spread


def compiled(epochs: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """A training function compiled so that every device gets the whole result; its first argument is overwritten.

    >>> compiled(lambda state: state + 1)(jnp.zeros(2)).tolist()
    [1.0, 1.0]
    """
    if jax.device_count() == 1:
        return jax.jit(epochs, donate_argnums=0)
    return jax.jit(epochs, out_shardings=NamedSharding(_mesh(), PartitionSpec()))


def _mesh() -> Mesh:
    return Mesh(jax.devices(), ("batch",))
