"""Training on more than one device: the weights on every one, each batch shared out among all.

The same numbers come out as on one device, up to the order in which the gradients of the shares are added.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from dbhw.base.errors import DbhwError


def join(coordinator: str, processes: int, process: int) -> None:
    """Makes this process one of several that train together; each sees the devices of all. Call it before any other.

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


def batch_spread() -> Callable[[Any], Any]:
    """A function that shares out the examples of a batch over all devices, for use within compiled code.

    >>> x, votes = batch_spread()((jnp.ones((3, 2)), jnp.ones((3, 2))))
    >>> float(votes.sum())
    6.0
    """
    count = jax.device_count()
    if count == 1:
        return lambda batch: batch
    over_devices = NamedSharding(_mesh(), PartitionSpec("batch"))

    def spread(batch: Any) -> Any:
        # Shares must be equal; the examples that fill up the last ones have no votes.
        missing = -len(batch[0]) % count
        filled = tuple(jnp.pad(rows, [(0, missing), (0, 0)]) for rows in batch)
        return jax.lax.with_sharding_constraint(filled, over_devices)

    return spread


def compiled(epochs: Callable[..., Any]) -> Callable[..., Any]:
    """A training function compiled so that its results are whole on every device.

    >>> compiled(lambda state: state + 1)(jnp.zeros(2)).tolist()
    [1.0, 1.0]
    """
    if jax.device_count() == 1:
        return jax.jit(epochs, donate_argnums=0)
    return jax.jit(epochs, out_shardings=NamedSharding(_mesh(), PartitionSpec()))


def _mesh() -> Mesh:
    return Mesh(jax.devices(), ("batch",))
