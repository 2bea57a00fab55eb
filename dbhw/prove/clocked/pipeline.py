"""Proof of a pipelined core: its outputs are the network's, of the inputs a fixed number of cycles ago.

1. With every register replaced by a wire, the data path is the network.
2. Every path from `x` to an output has as many registers as the latency says, all on one clock. So the value of an
   output is the network's, of what `x` was that many cycles ago.
3. In a stream, all these registers have one enable, and the wires of the handshake are those of a shift register of
   that length: sequential equivalence from reset on, for every sequence of inputs.
4. All of it holds for the synthesised netlist too: its data path is that of the Verilog, with as many registers on
   every path. Where synthesis has made another kind of circuit of it, both are compared on every sequence of inputs,
   which ends for small ones only.

What the outputs are before the first inputs have come through is not a part of this. All this is read off the gates
that Yosys makes of the Verilog text and of the netlist; nothing here knows how registers were placed.
"""

from __future__ import annotations

import re

from dbhw.logic.network import Network
from dbhw.prove.clocked.data_path import DataPath
from dbhw.prove.clocked.gates import read_gates
from dbhw.prove.clocked.stream import follows_rules
from dbhw.prove.networks import chain
from dbhw.prove.sweeping.points import Points
from dbhw.prove.watch import Watch
from dbhw.prove.workshop import Step, Workshop
from dbhw.tools import yosys


def verilog_is_pipeline(
    network: Network,
    verilog: str,
    module: str,
    lut_inputs: int,
    latency: int,
    stream: bool,
    simplified: Network | None = None,
    watch: Watch | None = None,
    target: str | None = None,
) -> list[Step]:
    """Proves that Verilog gives a network's outputs after `latency` cycles; and if a stream, that it keeps its rules.

    With a target, the netlist that is synthesised for it is proved too.

    >>> n = Network(); a = n.input("a"); n.output("y", [a ^ 1])
    >>> text = "module net (input wire clk, x, output reg y); always @(posedge clk) y <= ~x; endmodule"
    >>> [(s.name, s.proved) for s in verilog_is_pipeline(n, text, "net", 4, latency=1, stream=False, target="ice40")]
    [('network = Verilog', True), ('1 register on every path', True), ('Verilog = ice40 netlist', True)]
    """
    with Workshop(verilog, watch) as shop:
        proof = _Proof(shop, module, latency, stream)
        steps = proof.of_verilog(network, lut_inputs, simplified)
        return steps if target is None else [*steps, proof.of_netlist(target)]


def netlist_is_verilog(
    verilog: str, module: str, target: str, latency: int, stream: bool, watch: Watch | None = None
) -> Step:
    """Proves that what Yosys synthesises from a pipeline is the same pipeline.

    >>> text = "module net (input wire clk, x, output reg y); always @(posedge clk) y <= ~x; endmodule"
    >>> netlist_is_verilog(text, "net", "ice40", latency=1, stream=False).proved
    True
    """
    with Workshop(verilog, watch) as shop:
        return _Proof(shop, module, latency, stream).of_netlist(target)


def same_on_every_sequence(verilog: str, other: str, module: str, watch: Watch | None = None) -> Step:
    """Proves that two texts of a module on one clock, each from its first state, answer every sequence alike.

    >>> text = "module net (input wire clk, x, output reg y = 0); always @(posedge clk) y <= x; endmodule"
    >>> [same_on_every_sequence(text, text.replace("<= x", f"<= {x}"), "net").proved for x in ("~~x", "~x")]
    [True, False]
    """
    with Workshop(verilog, watch) as shop:
        (shop.folder / "other.v").write_text(other)
        read = ["read_verilog other.v"]
        return shop.step("the same on every sequence", lambda: _same_on_every_sequence(shop, module, read))


class _Proof:
    """The steps that prove a pipeline; the points at which one was cut are those of the next one."""

    def __init__(self, shop: Workshop, module: str, latency: int, stream: bool) -> None:
        self.shop, self.module, self.latency, self.stream = shop, module, latency, stream
        self.path = DataPath(read_gates(shop.folder, module))
        self.points: Points = ()
        (shop.folder / "verilog.blif").write_text(self.path.blif())

    def of_verilog(self, network: Network, lut_inputs: int, simplified: Network | None) -> list[Step]:
        def is_network() -> bool:
            proved = chain.is_network(self.shop, "verilog.blif", network, lut_inputs, simplified)
            self.points = self.shop.outcome.points
            return proved

        registers = f"{self.latency} register{'s' * (self.latency != 1)} on every path"
        to_prove = {
            "network = Verilog": is_network,
            registers: lambda: self.path.is_even(self.latency, self.stream),
        }
        if self.stream:
            to_prove["stream = its rules"] = lambda: follows_rules(self.shop, self.path, self.latency)
        return [self.shop.step(name, proves) for name, proves in to_prove.items()]

    def of_netlist(self, target: str) -> Step:
        return self.shop.step(f"Verilog = {target} netlist", lambda: self._netlist_is_verilog(target))

    def _netlist_is_verilog(self, target: str) -> bool:
        read = self.shop.netlist(target, self.module)
        path = DataPath(read_gates(self.shop.folder, self.module, read))
        if not self._is_pipeline(self.path) or not self._is_pipeline(path):
            return _same_on_every_sequence(self.shop, self.module, read)
        if self.shop.watch.record:
            claim = f"the {target} netlist has as many registers on every path"
            self.shop.watch.record.believed(claim, "dbhw/prove/clocked/")
        (self.shop.folder / "synth.blif").write_text(path.blif())
        return self.shop.equivalent("verilog.blif", "synth.blif", self.points)

    def _is_pipeline(self, path: DataPath) -> bool:
        even = path.is_even(self.latency, self.stream)
        return even and (not self.stream or follows_rules(self.shop, path, self.latency))


def _same_on_every_sequence(shop: Workshop, module: str, read_netlist: list[str]) -> bool:
    """Whether the Verilog and its netlist, both from their first state, answer every sequence of inputs alike."""
    for file, read in (("verilog.blif", ["read_verilog net.v"]), ("synth.blif", read_netlist)):
        yosys.run([*read, *_to_latches(module), f"write_blif {file}"], shop.folder, shop.watch.left())
    return _same_on_one_clock(shop, "verilog.blif", "synth.blif")


def _to_latches(module: str) -> list[str]:
    return [
        f"hierarchy -check -top {module}",
        *("proc", *yosys.FLATTEN, "opt_clean", "techmap", "opt_clean", "check -assert"),
        # Enables and resets become gates before a register that has neither, and starts at 0.
        *("async2sync", "dffunmap", "setundef -init -zero", "techmap", "aigmap", "clean"),
    ]


def _same_on_one_clock(shop: Workshop, a: str, b: str) -> bool:
    """Sequential equivalence, which does not look at clocks, of files whose registers are all on `clk`, rising."""
    clocks = (re.findall(r"^\.latch \S+ \S+ (\S+ \S+)", (shop.folder / file).read_text(), re.M) for file in (a, b))
    return all(set(found) <= {"re clk"} for found in clocks) and shop.sequentially_equivalent(a, b)
