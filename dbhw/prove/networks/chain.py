"""Network = hardware, with what the passes made of the network between them.

Passes may let counts share terms, or find that two bits are one. Then the hardware adds up in another order than the
network as lowered, and the chain has one link more: see `linear_forms.py` and `matching.py`.
"""

from __future__ import annotations

import subprocess
import time
from dataclasses import replace
from functools import partial

from dbhw.logic import passes
from dbhw.logic.formats import blif
from dbhw.logic.network import Network
from dbhw.logic.passes import unshare
from dbhw.prove.networks import linear_forms, matching
from dbhw.prove.sweeping import points
from dbhw.prove.watch import OutOfTimeError
from dbhw.prove.workshop import Workshop

_AT_ONCE_SECONDS = 300.0


def is_network(shop: Workshop, file: str, network: Network, lut_inputs: int, simplified: Network | None = None) -> bool:
    """Whether a BLIF file in the workshop is the network; it may add up its counts as the passes would have it.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b])])
    >>> with Workshop() as shop:
    ...     _ = (shop.folder / "and.blif").write_text(blif.write(n, 6))
    ...     is_network(shop, "and.blif", n, 6)
    True
    """
    if shop.watch.record and _is_written_at_once(shop, network, file, lut_inputs):
        return True
    if not linear_forms.shares(network):
        simple = passes.simplify(network) if simplified is None else simplified
        if linear_forms.shares(simple):
            proved = is_simplified(shop, network, simple, lut_inputs)
            return proved and _is_simplified_network(shop, simple, file, lut_inputs)
        if _terms_match(shop, network, simple, lut_inputs):
            return _is_simplified_network(shop, simple, file, lut_inputs)
    return is_written(shop, network, file, lut_inputs)


def _is_written_at_once(shop: Workshop, network: Network, file: str, lut_inputs: int) -> bool:
    """Whether ABC compares the network as it is in good time: nobody then has to believe linear forms."""
    whole = shop.watch
    shop.watch = replace(whole, seconds=whole.left(_AT_ONCE_SECONDS), started=time.monotonic())
    try:
        return is_written(shop, network, file, lut_inputs)
    except (OutOfTimeError, subprocess.TimeoutExpired):
        return False
    finally:
        shop.watch = whole


def _is_simplified_network(shop: Workshop, simple: Network, file: str, lut_inputs: int) -> bool:
    if shop.watch.record:
        by, claim = "dbhw/prove/networks/linear_forms.py", "network = simplified network, up to the order of sums"
        shop.watch.record.believed(claim, by, "network", "simplified.blif")
    return is_written(shop, simple, file, lut_inputs, "simplified")


def is_simplified(shop: Workshop, network: Network, simple: Network, lut_inputs: int) -> bool:
    """Whether passes made an equivalent network; its sums may have other parts.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.or_([a, n.and_([a, b])])])
    >>> with Workshop() as shop:
    ...     is_simplified(shop, n, passes.simplify(n), 6)
    True
    """
    if _terms_match(shop, network, simple, lut_inputs):
        return True
    whole = unshare.run(simple)
    (shop.folder / "whole.blif").write_text(blif.write(whole, lut_inputs))
    return linear_forms.same(whole, simple) and is_written(shop, network, "whole.blif", lut_inputs, aside=True)


def _terms_match(shop: Workshop, network: Network, simple: Network, lut_inputs: int) -> bool:
    """Whether each bit that a count adds up is a bit of the simplified network, and the sums then are the same."""
    pairs = matching.pairs(network, simple)
    if pairs is None or not linear_forms.same(network, simple, pairs.network, pairs.simple):
        return False
    return all(
        _fronts_are_equal(shop, one, [2 * node for node in known], simple, list(known.values()), lut_inputs)
        for one, known in ((network, pairs.network), (simple, pairs.simple))
    )


def _fronts_are_equal(
    shop: Workshop, a: Network, bits_of_a: list[int], b: Network, bits_of_b: list[int], lut_inputs: int
) -> bool:
    (shop.folder / "terms.blif").write_text(blif.write(matching.front(b, bits_of_b), lut_inputs))
    return is_written(shop, matching.front(a, bits_of_a), "terms.blif", lut_inputs, aside=True)


def is_written(
    shop: Workshop, network: Network, file: str, lut_inputs: int, name: str = "network", aside: bool = False
) -> bool:
    """Whether a BLIF file in the workshop is the network, in steps along the network's points.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b])])
    >>> other = Network(); a, b = other.input("a"), other.input("b"); other.output("y", [other.or_([a, b])])
    >>> with Workshop() as shop:
    ...     _ = (shop.folder / "or.blif").write_text(blif.write(other, 6))
    ...     is_written(shop, n, "or.blif", 6)
    False
    """
    steps = points.nodes(network)
    (shop.folder / "network.blif").write_text(blif.write(points.shown(network, steps), lut_inputs))
    own = sum(len(output.members) * output.width for output in network.outputs)
    located = partial(points.located, network, steps)
    return shop.compared("network.blif", own, located, file, name, aside)
