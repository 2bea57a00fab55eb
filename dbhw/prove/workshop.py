"""A folder in which one proof is made, with Yosys and ABC, and the steps that every proof takes in it.

Both sides of an equivalence become BLIF files with the same ports, and ABC compares them. What a network means is
written by `logic/formats/blif.py`; what Verilog, or the netlist synthesised from it, means is read out of it by Yosys.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dbhw.fpga import families
from dbhw.fpga.synth import synthesis_script
from dbhw.logic import passes
from dbhw.logic.formats import blif
from dbhw.logic.network import Network
from dbhw.logic.passes import unshare
from dbhw.prove import linear_forms, matching
from dbhw.tools import abc, yosys

_SWEEPING_SECONDS = 120.0
_EQUIVALENT = "Networks are equivalent"


@dataclass(frozen=True)
class Step:
    """One equivalence, proved or not."""

    name: str
    proved: bool
    seconds: float


class Workshop(tempfile.TemporaryDirectory):
    """A folder for one proof, and the time it has taken.

    >>> with Workshop("nothing = nothing") as shop:
    ...     shop.verdict(True).name
    'nothing = nothing'
    """

    def __init__(self, step: str, verilog: str = "") -> None:
        super().__init__()
        self.step = step
        self.folder = Path(self.name)
        self.started = time.perf_counter()
        (self.folder / "net.v").write_text(verilog)

    def __enter__(self) -> Workshop:
        return self

    def verdict(self, proved: bool, step: str | None = None) -> Step:
        """A step with the time since the last one."""
        before, self.started = self.started, time.perf_counter()
        return Step(step or self.step, proved, round(self.started - before, 3))

    def verilog_to_blif(self, script: list[str]) -> None:
        """Writes the gates that a script makes of the Verilog to `verilog.blif`."""
        yosys.run(["read_verilog net.v", *script, "write_blif verilog.blif"], self.folder)

    def netlist_to_blif(self, target: str, module: str, script: list[str]) -> None:
        """Synthesises the Verilog for a target, and writes what a script makes of the netlist to `synth.blif`."""
        synthesis = ["read_verilog net.v", *synthesis_script(target, module), "write_verilog -noattr synth.v"]
        yosys.run(synthesis, self.folder)
        # Deferred, or Yosys elaborates every block RAM that the models of the cells describe.
        models = f"read_verilog -defer -nooverwrite +/{families.find(target).models}"
        yosys.run([models, "read_verilog -overwrite synth.v", *script, "write_blif synth.blif"], self.folder)

    def verilog_is_netlist(
        self, target: str, module: str, script: list[str], same: Callable[[Path, str, str], bool]
    ) -> Step:
        """Compares the Verilog with the netlist synthesised from it, both as gates that a script makes."""
        self.verilog_to_blif(script)
        self.netlist_to_blif(target, module, script)
        return self.verdict(same(self.folder, "verilog.blif", "synth.blif"))

    def is_network(self, file: str, network: Network, lut_inputs: int, simplified: Network | None = None) -> bool:
        """Whether a BLIF file is the network, whose counts it may add up from the parts that the passes share."""
        if not linear_forms.shares(network):
            simple = passes.simplify(network) if simplified is None else simplified
            if linear_forms.shares(simple):
                return self.is_simplified(network, simple, lut_inputs) and self._written_is(simple, file, lut_inputs)
            if self._terms_match(network, simple, lut_inputs):
                return self._written_is(simple, file, lut_inputs)
        return self._written_is(network, file, lut_inputs)

    def is_simplified(self, network: Network, simple: Network, lut_inputs: int) -> bool:
        """Whether passes made an equivalent network; its sums may have other parts."""
        if self._terms_match(network, simple, lut_inputs):
            return True
        whole = unshare.run(simple)
        (self.folder / "whole.blif").write_text(blif.write(whole, lut_inputs))
        return linear_forms.same(whole, simple) and self._written_is(network, "whole.blif", lut_inputs)

    def _terms_match(self, network: Network, simple: Network, lut_inputs: int) -> bool:
        """Whether each bit that a count adds up is a bit of the simplified network, and the sums then are the same."""
        pairs = matching.pairs(network, simple)
        if pairs is None or not linear_forms.same(network, simple, pairs):
            return False
        one = matching.front(network, [2 * node for node in pairs])
        other = matching.front(simple, list(pairs.values()))
        (self.folder / "terms.blif").write_text(blif.write(other, lut_inputs))
        return self._written_is(one, "terms.blif", lut_inputs)

    def _written_is(self, network: Network, file: str, lut_inputs: int) -> bool:
        (self.folder / "network.blif").write_text(blif.write(network, lut_inputs))
        return equivalent(self.folder, "network.blif", file)


def equivalent(folder: Path, a: str, b: str) -> bool:
    """Whether ABC proves that two BLIF files without registers are one function of ports of the same names and order.

    >>> with Workshop("not = not") as shop:
    ...     for file, row in (("a", "0 1"), ("b", "1 0"), ("c", "1 1")):
    ...         text = f".model m\\n.inputs x\\n.outputs y\\n.names x y\\n{row}\\n.end\\n"
    ...         _ = (shop.folder / file).write_text(text)
    ...     equivalent(shop.folder, "a", "b"), equivalent(shop.folder, "a", "c")
    (True, False)
    """
    if not same_ports(folder, a, b):
        return False
    script = [f"read_blif {a}; strash; write_aiger a.aig", f"read_blif {b}; strash; write_aiger b.aig"]
    abc.run(script, folder)
    # The newer sweeping proves large sums many times faster, but of what is not equal it only says "undecided".
    said = abc.run(["&cec -y a.aig b.aig"], folder, seconds=_SWEEPING_SECONDS)
    if _EQUIVALENT not in said:
        said = abc.run(["&cec a.aig b.aig"], folder)
    return _EQUIVALENT in said and "NOT" not in said


def sequentially_equivalent(folder: Path, a: str, b: str) -> bool:
    """Whether ABC proves that two BLIF files, registers included, answer every sequence of inputs alike.

    >>> with Workshop("register = register") as shop:
    ...     for file, start in (("a.blif", 0), ("b.blif", 0), ("c.blif", 1)):
    ...         text = f".model m\\n.inputs x\\n.outputs y\\n.latch x y {start}\\n.end\\n"
    ...         _ = (shop.folder / file).write_text(text)
    ...     [sequentially_equivalent(shop.folder, "a.blif", other) for other in ("b.blif", "c.blif")]
    [True, False]
    """
    if not any(".latch" in (folder / file).read_text() for file in (a, b)):
        return equivalent(folder, a, b)
    if not same_ports(folder, a, b):
        return False
    said = abc.run([f"dsec {a} {b}"], folder)
    return _EQUIVALENT in said and "NOT" not in said


def same_ports(folder: Path, a: str, b: str) -> bool:
    """Whether two BLIF files have the same inputs and outputs in the same order.

    >>> with Workshop("one port = two ports") as shop:
    ...     for file, inputs in (("a", "x"), ("b", "x y")):
    ...         _ = (shop.folder / file).write_text(f".model m\\n.inputs {inputs}\\n.end\\n")
    ...     same_ports(shop.folder, "a", "b")
    False
    """

    def ports(file: str) -> list[list[str]]:
        text = re.sub(r"\\\n", " ", (folder / file).read_text())
        found = (re.search(rf"^\.{kind}(.*)$", text, re.MULTILINE) for kind in ("inputs", "outputs"))
        return [match[1].split() if match else [] for match in found]

    return ports(a) == ports(b)
