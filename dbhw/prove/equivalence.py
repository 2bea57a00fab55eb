"""Proof that hardware is the network: combinational equivalence, by the SAT sweeping of ABC's `&cec`.

One side is written straight from the meaning of the network's nodes (`blif.py`); the other is what Yosys reads out of
the Verilog, or out of the netlist it synthesised. The two share no code. Counts are bracketed alike on both sides,
since unrelated adder trees of many inputs are beyond any SAT solver: every partial sum that the hardware has is a sum
there too, of the same bits, written as plain ripple adders. The brackets only make the proof fast; were they others
than the hardware's, a right circuit would take long to prove, and a wrong one would still be refused.

Counts that share terms are added up in other brackets than those of the network as lowered, which calls for three
links instead of one: the network is what the passes make of it, its counts taken apart again, by `&cec`; those counts
are the shared sums, by linear algebra (`sums.py`); and with these sums it is the Verilog, by `&cec`. Nothing in that
trusts the passes: they only say what to try.
"""

from __future__ import annotations

import re
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from dbhw.fpga.synth import TARGETS, check_target, synthesis_script
from dbhw.logic import passes
from dbhw.logic.formats import blif
from dbhw.logic.network import Network
from dbhw.logic.passes import unshare
from dbhw.prove import sums
from dbhw.tools import yosys

_SWEEPING_SECONDS = 120.0


@dataclass(frozen=True)
class Step:
    """One equivalence, proved or not."""

    name: str
    proved: bool
    seconds: float


def prove(
    network: Network,
    verilog: str,
    module: str = "net",
    target: str = "xilinx",
    lut_inputs: int | None = None,
    latency: int = 0,
    stream: bool = False,
    simplified: Network | None = None,
) -> list[Step]:
    """Proves network = Verilog, and Verilog = what Yosys synthesises from it for a target.

    `lut_inputs` says which look-up tables the Verilog's counts are shaped for: by default the target's own. Of a
    pipelined core it is proved in addition that its latency and its stream are what they should be. `simplified` is
    what the passes made of the network, if the caller has it already.

    >>> n = Network(); a = n.input("a"); n.output("y", [a ^ 1])
    >>> text = "module net (input wire x, output wire y); assign y = ~x; endmodule"
    >>> [(s.name, s.proved) for s in prove(n, text)]
    [('network = Verilog', True), ('Verilog = xilinx netlist', True)]
    """
    check_target(target)
    lut_inputs = TARGETS[target].lut_inputs if lut_inputs is None else lut_inputs
    if latency or stream:
        from dbhw.prove.clocked import prove_clocked  # it uses what is here

        return prove_clocked(network, verilog, module, target, lut_inputs, latency, stream, simplified)
    step = network_is_verilog(network, verilog, module, lut_inputs, simplified)
    return [step, verilog_is_netlist(verilog, module, target)]


def network_is_verilog(
    network: Network, verilog: str, module: str = "net", lut_inputs: int = 6, simplified: Network | None = None
) -> Step:
    """Proves that Verilog says what a network means.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b])])
    >>> wrong = "module net (input wire [1:0] x, output wire y); assign y = |x; endmodule"
    >>> network_is_verilog(n, wrong).proved
    False
    """
    with _Workshop("network = Verilog", verilog) as shop:
        shop.verilog_to_gates(module)
        return shop.verdict(shop.is_network("verilog.blif", network, lut_inputs, simplified))


def network_is_simplified(network: Network, simple: Network, lut_inputs: int = 6) -> Step:
    """Proves that passes left a network what it was.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.or_([a, n.and_([a, b])])])
    >>> network_is_simplified(n, passes.simplify(n)).proved
    True
    """
    with _Workshop("network = simplified network") as shop:
        return shop.verdict(shop.is_same(network, simple, lut_inputs))


def verilog_is_netlist(verilog: str, module: str = "net", target: str = "xilinx") -> Step:
    """Proves that what Yosys synthesises from Verilog for a target is still what the Verilog says.

    >>> text = "module net (input wire [1:0] x, output wire y); assign y = ^x; endmodule"
    >>> verilog_is_netlist(text, target="ice40").proved
    True
    """
    with _Workshop(f"Verilog = {target} netlist", verilog) as shop:
        shop.verilog_to_gates(module)
        yosys.run(
            ["read_verilog net.v", *synthesis_script(target, module), "write_verilog -noattr synth.v"], shop.folder
        )
        # Deferred, or Yosys elaborates every block RAM that the models of the cells describe.
        models = f"read_verilog -defer -nooverwrite +/{TARGETS[target].models}"
        yosys.run([models, "read_verilog -overwrite synth.v", *_to_gates(module, "synth.blif")], shop.folder)
        return shop.compare("verilog.blif", "synth.blif")


class _Workshop(tempfile.TemporaryDirectory):
    """A folder for one proof, and the time it has taken."""

    def __init__(self, step: str, verilog: str = "") -> None:
        super().__init__()
        self.step = step
        self.folder = Path(self.name)
        self.started = time.perf_counter()
        (self.folder / "net.v").write_text(verilog)

    def __enter__(self) -> _Workshop:
        return self

    def verilog_to_gates(self, module: str) -> None:
        yosys.run(["read_verilog net.v", *_to_gates(module, "verilog.blif")], self.folder)

    def compare(self, a: str, b: str) -> Step:
        return self.verdict(_equivalent(self.folder, a, b))

    def is_network(self, blif: str, network: Network, lut_inputs: int, simplified: Network | None = None) -> bool:
        """Whether a BLIF file is the network, whose counts it may add up from the parts that the passes share."""
        if not sums.shares(network):
            simple = passes.simplify(network) if simplified is None else simplified
            if sums.shares(simple):
                return self.is_same(network, simple, lut_inputs) and self._written_is(simple, blif, lut_inputs)
        return self._written_is(network, blif, lut_inputs)

    def is_same(self, network: Network, simple: Network, lut_inputs: int) -> bool:
        """Whether passes left a network what it was, but for the brackets of its sums."""
        whole = unshare.run(simple)
        (self.folder / "whole.blif").write_text(blif.write(whole, lut_inputs))
        return sums.same(whole, simple) and self._written_is(network, "whole.blif", lut_inputs)

    def _written_is(self, network: Network, other: str, lut_inputs: int) -> bool:
        (self.folder / "network.blif").write_text(blif.write(network, lut_inputs))
        return _equivalent(self.folder, "network.blif", other)

    def verdict(self, proved: bool, step: str | None = None) -> Step:
        """A step with the time since the last one."""
        before, self.started = self.started, time.perf_counter()
        return Step(step or self.step, proved, round(self.started - before, 3))


def _to_gates(module: str, blif: str) -> list[str]:
    return [
        f"hierarchy -check -top {module}",
        "proc",
        # Gates before flattening: a module that is used a thousand times is mapped once.
        "techmap",
        "opt_expr",
        "opt_clean",
        "check -assert",
        "aigmap",
        "opt_clean",
        "flatten",
        "clean",
        f"write_blif {blif}",
    ]


def _equivalent(folder: Path, a: str, b: str) -> bool:
    """Whether ABC proves two BLIF files equal; their ports must have the same names in the same order."""
    if _ports(folder / a) != _ports(folder / b):
        return False
    script = [f"read_blif {a}; strash; write_aiger a.aig", f"read_blif {b}; strash; write_aiger b.aig"]
    yosys.abc(script, folder)
    # The newer sweeping proves large sums many times faster, but of what is not equal it only says "undecided".
    said = yosys.abc(["&cec -y a.aig b.aig"], folder, seconds=_SWEEPING_SECONDS)
    if "Networks are equivalent" not in said:
        said = yosys.abc(["&cec a.aig b.aig"], folder)
    return "Networks are equivalent" in said and "NOT" not in said


def _ports(blif: Path) -> tuple[list[str], list[str]]:
    text = re.sub(r"\\\n", " ", blif.read_text())

    def names(kind: str) -> list[str]:
        found = re.search(rf"^\.{kind}(.*)$", text, re.MULTILINE)
        return found[1].split() if found else []

    return names("inputs"), names("outputs")
