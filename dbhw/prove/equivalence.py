"""Proof that hardware is the network: combinational equivalence, by the SAT sweeping of ABC's `&cec`.

One side is written straight from the meaning of the network's nodes (`logic/formats/blif.py`); the other is what Yosys
reads out of the Verilog, or out of the netlist it synthesised. The two share no code. Both add up the bits of a count
in the same order, since no SAT solver can show that two unrelated adder trees of many inputs agree: every partial sum
of the hardware is a sum of the same bits on the other side too, written as plain ripple adders. The order only makes
the proof fast. With another one, a right circuit would take long to prove, and a wrong one would still be refused.

Passes may let counts share terms, which are then added up in another order than in the network as lowered. The proof
then has three links: the network is the simplified network with its sums taken apart again, by `&cec`; taken apart or
not, the simplified network is the same, by linear algebra (`networks/linear_forms.py`); and the simplified network is
the Verilog, by `&cec`. No link trusts the passes: they only say what to try.
"""

from __future__ import annotations

from dbhw.fpga import families
from dbhw.logic.network import Network
from dbhw.model.model import Model
from dbhw.prove.clocked.pipeline import verilog_is_pipeline
from dbhw.prove.meanings import lowering
from dbhw.prove.networks import chain
from dbhw.prove.sweeping.points import Points
from dbhw.prove.watch import Watch
from dbhw.prove.workshop import Step, Workshop
from dbhw.rtl.flat import flat
from dbhw.rtl.verilog.emit import Emitted, emit
from dbhw.tools import yosys


def prove(
    network: Network,
    verilog: str,
    module: str = "net",
    target: str = "xilinx",
    lut_inputs: int | None = None,
    latency: int = 0,
    stream: bool = False,
    simplified: Network | None = None,
    watch: Watch | None = None,
) -> list[Step]:
    """Proves network = Verilog, and Verilog = what Yosys synthesises from it for a target.

    `lut_inputs` says which look-up tables the Verilog's counts are shaped for: by default the target's own. For a
    pipelined core it is also proved that it has the given latency, and that its stream keeps the rules of one.
    `simplified` is what the passes made of the network, if the caller has it already. `watch` limits the time.

    >>> n = Network(); a = n.input("a"); n.output("y", [a ^ 1])
    >>> text = "module net (input wire x, output wire y); assign y = ~x; endmodule"
    >>> [(s.name, s.proved) for s in prove(n, text)]
    [('network = Verilog', True), ('Verilog = xilinx netlist', True)]
    """
    family = families.find(target)
    lut_inputs = family.lut_inputs if lut_inputs is None else lut_inputs
    if latency or stream:
        return verilog_is_pipeline(network, verilog, module, lut_inputs, latency, stream, simplified, watch, target)
    with Workshop(verilog, watch) as shop:
        step = _network_is_verilog(shop, network, module, lut_inputs, simplified)
        return [step, _verilog_is_netlist(shop, module, target, shop.outcome.points)]


def prove_model(model: Model, target: str = "xilinx") -> list[Step]:
    """Emits the combinational core of a model for a target and proves it: model = network = Verilog = netlist.

    >>> import numpy as np
    >>> from dbhw.nn.layers.conjunction import Conjunction
    >>> from dbhw.nn.net import Net
    >>> model = Model(Net(2, [Conjunction(width=1)]), (np.full((1, 2), 0.5, np.float32),), ("a", "b"), ("no", "yes"))
    >>> [step.proved for step in prove_model(model)]
    [True, True, True]
    """
    emitted = emit(model, lut_inputs=families.find(target).lut_inputs)
    return [lowering.step(model, emitted.lowered), *prove_emitted(emitted, target)]


def prove_emitted(
    emitted: Emitted, target: str = "xilinx", verilog: str | None = None, watch: Watch | None = None
) -> list[Step]:
    """Proves emitted hardware, or another text in the place of its Verilog; with loadable weights for all weights.

    >>> from dbhw.rtl.verilog.emit import emit_network
    >>> n = Network(); a = n.input("a"); n.output("y", [a ^ 1])
    >>> all(step.proved for step in prove_emitted(emit_network(n, "net", "0" * 64, ())))
    True
    """
    manifest = emitted.manifest
    text, module = flat(emitted, emitted.verilog if verilog is None else verilog)
    return prove(
        emitted.lowered,
        text,
        module,
        target,
        latency=manifest.latency,
        stream=manifest.stream is not None,
        simplified=emitted.network,
        watch=watch,
    )


def network_is_verilog(
    network: Network,
    verilog: str,
    module: str = "net",
    lut_inputs: int = 6,
    simplified: Network | None = None,
    watch: Watch | None = None,
) -> Step:
    """Proves that Verilog says what a network means.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b])])
    >>> wrong = "module net (input wire [1:0] x, output wire y); assign y = |x; endmodule"
    >>> network_is_verilog(n, wrong).proved
    False
    """
    with Workshop(verilog, watch) as shop:
        return _network_is_verilog(shop, network, module, lut_inputs, simplified)


def _network_is_verilog(
    shop: Workshop, network: Network, module: str, lut_inputs: int, simplified: Network | None
) -> Step:
    def proves() -> bool:
        shop.verilog_to_blif(_to_gates(module))
        return chain.is_network(shop, "verilog.blif", network, lut_inputs, simplified)

    return shop.step("network = Verilog", proves)


def network_is_simplified(network: Network, simple: Network, lut_inputs: int = 6) -> Step:
    """Proves that passes made an equivalent network.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.or_([a, n.and_([a, b])])])
    >>> from dbhw.logic import passes
    >>> network_is_simplified(n, passes.simplify(n)).proved
    True
    """
    with Workshop() as shop:
        return shop.step("network = simplified network", lambda: chain.is_simplified(shop, network, simple, lut_inputs))


def verilog_is_netlist(verilog: str, module: str = "net", target: str = "xilinx") -> Step:
    """Proves that what Yosys synthesises from Verilog for a target is still what the Verilog says.

    >>> text = "module net (input wire [1:0] x, output wire y); assign y = ^x; endmodule"
    >>> verilog_is_netlist(text, target="ice40").proved
    True
    """
    with Workshop(verilog) as shop:
        shop.verilog_to_blif(_to_gates(module))
        return _verilog_is_netlist(shop, module, target, ())


def _verilog_is_netlist(shop: Workshop, module: str, target: str, points: Points) -> Step:
    """`points` are those of the Verilog's gates that the proof may be cut at."""

    def proves() -> bool:
        shop.netlist_to_blif(target, module, _to_gates(module))
        return shop.equivalent("verilog.blif", "synth.blif", points)

    return shop.step(f"Verilog = {target} netlist", proves)


def _to_gates(module: str) -> list[str]:
    return [
        f"hierarchy -check -top {module}",
        "proc",
        # Gates before flattening: a module that is used a thousand times is mapped once.
        *("techmap", "opt_expr", "opt_clean", "check -assert", "aigmap", "opt_clean"),
        *(*yosys.FLATTEN, "clean"),
    ]
