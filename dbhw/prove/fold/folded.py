"""Proof of a folded core: for every input and every history, its outputs are the network's.

1. The wires of the core connect its ports, its machine and its ROM as the manifest says.
2. The slice is its network, and the tail is its network: gates only, for all inputs and all weights.
3. The machine follows the rules of `machine.py` in every cycle.
4. The network is what these rules make of the networks of slice and tail with the rows that the Verilog's ROM holds:
   one network for all cycles, with the tail behind it.
5. The synthesised netlist is sequentially equivalent to the Verilog; the ROM is left out of this step.

Slice, tail and the way of folding only say what to try: the proof starts from the network as lowered.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from dbhw.fpga import families
from dbhw.logic.formats import blif
from dbhw.logic.network import Network
from dbhw.logic.rebuild import Copier
from dbhw.prove.clocked.pipeline import netlist_is_verilog
from dbhw.prove.equivalence import network_is_verilog
from dbhw.prove.fold.machine import Machine, Rules
from dbhw.prove.fold.module import Module
from dbhw.prove.networks import chain
from dbhw.prove.watch import Watch
from dbhw.prove.workshop import Step, Workshop
from dbhw.rtl.fold.emit import Folded
from dbhw.tools import yosys

_TO_GATES = (
    *("opt_clean", "opt_dff", "techmap", "dfflegalize -cell $_DFF_P_ 01 -cell $_DFFE_PP_ 01", "techmap"),
    *("opt_clean", "check -assert", "aigmap", "clean"),
)


def prove_folded(
    emitted: Folded, target: str = "xilinx", verilog: str | None = None, watch: Watch | None = None
) -> list[Step]:
    """Proves a folded core, or another text in the place of its Verilog.

    >>> import numpy as np
    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> from dbhw.rtl.fold.emit import emit_folded
    >>> weights = np.array([[-0.5, 0.5]], np.float32)
    >>> model = Model(Net(2, [Negation(width=1)]), (weights,), ("a", "b"), ("no", "yes"))
    >>> [step.proved for step in prove_folded(emit_folded(model, 2), "ice40")]
    [True, True, True, True, True, True]
    """
    text = emitted.verilog if verilog is None else verilog
    steps = verilog_is_folded(emitted, text, families.find(target).lut_inputs, watch)
    times = (emitted.manifest.latency, True)
    netlist = netlist_is_verilog(text, f"{emitted.module}_machine", target, *times, watch)
    return [*steps, replace(netlist, name=f"{netlist.name}, ROM left out")]


def verilog_is_folded(emitted: Folded, verilog: str, lut_inputs: int, watch: Watch | None = None) -> list[Step]:
    """Proves that the Verilog of a folded core gives the network's outputs.

    >>> import numpy as np
    >>> from dbhw.model.model import Model
    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> from dbhw.rtl.fold.emit import emit_folded
    >>> model = Model(Net(2, [Negation(width=1)]), (np.array([[-0.5, 0.5]], np.float32),), ("a", "b"), ("no", "yes"))
    >>> made = emit_folded(model, 2)
    >>> other = made.verilog.replace("rows[0] = 1'h0", "rows[0] = 1'h1")
    >>> [step.name for step in verilog_is_folded(made, other, 6) if not step.proved]
    ['network = 2 slices and tail']
    """
    parts = [_part(emitted, verilog, part, lut_inputs) for part in ("slice", "tail")]
    with Workshop(verilog, watch) as shop:
        proof = _Proof(emitted, shop, lut_inputs)
        return [
            shop.step("wires = manifest", proof.wires_are_right),
            *parts,
            shop.step("machine = its rules, in every cycle", proof.machine_is_right),
            shop.step(f"network = {emitted.slices.cycles} slices and tail", proof.slices_are_network),
        ]


def _part(emitted: Folded, verilog: str, part: str, lut_inputs: int) -> Step:
    network = emitted.slices.network if part == "slice" else emitted.tail
    module = f"{emitted.module}_{part}"
    text = verilog
    if part == "slice":
        text, module = _flat_slice(emitted, verilog, module), f"{module}_flat"
    step = network_is_verilog(network, text, module, lut_inputs, network)
    return replace(step, name=f"{part} = its network")


def _flat_slice(emitted: Folded, verilog: str, module: str) -> str:
    """The Verilog with one more module: the slice with all its inputs in one port."""
    slices = emitted.slices
    (output,) = slices.network.outputs
    x, row = len(slices.window), slices.row_bits
    wired = [f".x(x[{x - 1}:0])", f".weights(x[{x + row - 1}:{x}])", *[f".last(x[{x + row}])"] * slices.part_filled]
    bits = len(output.members) * output.width
    ports = f"input wire [{x + row - 1 + slices.part_filled}:0] x, output wire [{bits - 1}:0] {output.name}"
    inner = f"  {module} flattened ({', '.join(wired)}, .{output.name}({output.name}));"
    return "\n".join([verilog, f"module {module}_flat ({ports});", inner, "endmodule", ""])


class _Proof:
    """The steps that take the core apart."""

    def __init__(self, emitted: Folded, shop: Workshop, lut_inputs: int) -> None:
        self.emitted, self.shop, self.lut_inputs = emitted, shop, lut_inputs
        self.name = emitted.module

    def _json(self, top: str, closed: tuple[str, ...], script: tuple[str, ...]) -> dict[str, Any]:
        """A module in Yosys' JSON, with others left closed."""
        boxes = [f"blackbox {self.name}_{part}" for part in closed]
        head = ["read_verilog net.v", *boxes, f"hierarchy -check -top {top}", "proc"]
        yosys.run([*head, *script, "write_json module.json"], self.shop.folder, self.shop.watch.left())
        return json.loads((self.shop.folder / "module.json").read_text())["modules"][top]

    def wires_are_right(self) -> bool:
        """Whether the core is its machine and its ROM, joined by wires alone."""
        core = Module(self._json(self.name, ("machine", "rom"), ("opt_clean",)))
        machine, rom = (core.instances.get(f"{self.name}_{part}", {}) for part in ("machine", "rom"))
        manifest = self.emitted.manifest
        data = [wire for port in manifest.inputs for wire in core.port(port.name)]
        same = [port.name for port in (*manifest.outputs, *manifest.all_inputs[len(manifest.inputs) :])]
        same += [port.name for port in manifest.all_outputs]
        return (
            not core.drivers
            and set(core.instances) == {f"{self.name}_machine", f"{self.name}_rom"}
            and machine.get("x") == data
            and all(machine.get(name) == core.port(name) for name in same)
            and all(machine.get(name) == rom.get(name) for name in ("row", "weights", "clk"))
        )

    def machine_is_right(self) -> bool:
        slices = self.emitted.slices
        (output,) = slices.network.outputs
        rules = Rules(
            cycles=slices.cycles,
            window=slices.window,
            step=slices.step,
            inputs=slices.units.inputs,
            units=slices.units.count,
            widths=slices.units.widths,
            field=output.width if slices.units.totals else slices.lanes,
            last=slices.part_filled,
        )
        module = Module(self._json(f"{self.name}_machine", ("slice", "tail"), _TO_GATES))
        names = f"{self.name}_slice", f"{self.name}_tail"
        if set(module.instances) != set(names):
            return False
        machine = Machine(module, rules, *names)
        return not machine.first_fault() and self._adds(machine)

    def _adds(self, machine: Machine) -> bool:
        inputs, sums = machine.adders()
        (self.shop.folder / "sums.blif").write_text(machine.symbols.blif(sums, inputs))
        for found in machine.sums:
            (self.shop.folder / "totals.blif").write_text(machine.symbols.blif(found, inputs))
            if not self.shop.equivalent("sums.blif", "totals.blif"):
                return False
        return True

    def slices_are_network(self) -> bool:
        rows = self._rows()
        if rows is None:
            return False
        front = self._unrolled(rows)
        texts = (blif.write(network, self.lut_inputs) for network in (front, self.emitted.tail))
        (self.shop.folder / "unrolled.blif").write_text(_joined(*texts))
        return chain.is_written(self.shop, self.emitted.lowered, "unrolled.blif", self.lut_inputs)

    def _rows(self) -> list[int] | None:
        """What the ROM holds, if it is a memory that gives the row of the last cycle's number, and nothing else."""
        core = self._json(f"{self.name}_rom", (), ("opt_clean", "memory_dff", "memory_collect", "clean"))
        cells = list(core["cells"].values())
        if len(cells) != 1 or cells[0]["type"] != "$mem_v2":
            return None
        ports = {name: core["ports"][name]["bits"] for name in ("clk", "row", "weights")}
        wires, parameters = cells[0]["connections"], cells[0]["parameters"]
        value = {name: int(parameters[name], 2) for name in ("WIDTH", "OFFSET", "RD_PORTS", "WR_PORTS")}
        plain = all(
            wires[pin] == bits
            for pin, bits in (
                *(("RD_CLK", ports["clk"]), ("RD_ADDR", ports["row"]), ("RD_DATA", ports["weights"])),
                *(("RD_EN", ["1"]), ("RD_ARST", ["0"]), ("RD_SRST", ["0"])),
            )
        )
        clocked = all(int(parameters[name], 2) for name in ("RD_CLK_ENABLE", "RD_CLK_POLARITY"))
        width = len(ports["weights"])
        if not (plain and clocked) or value != {"WIDTH": width, "OFFSET": 0, "RD_PORTS": 1, "WR_PORTS": 0}:
            return None
        held = parameters["INIT"]
        if "x" in held:
            return None
        return [int(held[len(held) - (i + 1) * width : len(held) - i * width], 2) for i in range(len(held) // width)]

    def _unrolled(self, rows: list[int]) -> Network:
        """All slices as one network, each with its row and window of the inputs, and the totals of what they give."""
        slices, units = self.emitted.slices, self.emitted.slices.units
        new = Network()
        x = [new.input(f"x{i}") for i in range(units.inputs)]
        copier = Copier(slices.network, new)
        (output,) = slices.network.outputs
        bits: list[int] = []
        terms: list[list[tuple[int, int]]] = [[] for _ in units.totals]
        offsets = [0] * len(units.totals)
        for cycle in range(slices.cycles):
            values = [x[(place + cycle * slices.step) % units.inputs] for place in slices.window]
            values += [rows[cycle] >> i & 1 for i in range(slices.row_bits)]
            values += [int(cycle == slices.cycles - 1)] * slices.part_filled
            copier.copied[1 : 1 + len(values)] = values
            for node in slices.network.nodes():
                copier.copied[node] = copier.visit(node)
            if not units.totals:
                bits += copier.literals(output.members)
                continue
            for i, total in enumerate(output.members):
                found = new.linear(copier.copied[total])
                terms[i] += [(2 * node, c) for node, c in found.coefficients.items()]
                offsets[i] += found.constant
        if not units.totals:
            new.output("given", bits[: units.count])
        for i, width in enumerate(units.widths):
            new.integer_output(f"total{i}", [new.count(terms[i], offsets[i])], width)
        return new


def _joined(front: str, back: str) -> str:
    """One netlist of two: the inputs of the second are the outputs of the first, in order."""
    given = _words(front, ".outputs")
    taken, shown = _words(back, ".inputs"), _words(back, ".outputs")
    lines = [line for line in front.splitlines() if not line.startswith((".outputs", ".end"))]
    lines.insert(2, f".outputs {' '.join(shown)}")
    for name, other in zip(given, taken, strict=True):
        lines += [f".names {name} tail_{other}", "1 1"]
    for line in back.splitlines():
        kind, *names = line.split()
        if kind == ".names":
            lines.append(" ".join([kind, *(name if name in shown else f"tail_{name}" for name in names)]))
        elif not kind.startswith("."):
            lines.append(line)
    return "\n".join([*lines, ".end", ""])


def _words(netlist: str, kind: str) -> list[str]:
    return next(line.split()[1:] for line in netlist.splitlines() if line.startswith(kind))
