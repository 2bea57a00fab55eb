"""Emits a folded core: the net in several cycles on a part of its hardware, as a stream."""

from __future__ import annotations

from dataclasses import dataclass

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.logic import passes
from dbhw.logic.network import Network
from dbhw.model.model import Model
from dbhw.rtl.core.elaborate import layer_titles
from dbhw.rtl.fold.machine import folded_verilog
from dbhw.rtl.fold.slices import Slices, sliced
from dbhw.rtl.fold.units import find
from dbhw.rtl.verilog.emit import MODULE, Emitted, described_output, header
from dbhw.rtl.verilog.manifest import STREAM, Manifest
from dbhw.rtl.verilog.ports import as_input, class_constants, described, input_comments
from dbhw.rtl.verilog.writer import Interface


@dataclass(frozen=True)
class Folded(Emitted):
    """Emitted hardware whose `network` is that of one cycle, and what a proof tries to compose the net from."""

    slices: Slices
    tail: Network


def emit_folded(model: Model, fold: int, lut_inputs: int = 6, ports: str = "name") -> Folded:
    """The hardware of a model that computes it in at most `fold` cycles, and two more to take its input and to add up.

    >>> import numpy as np
    >>> from dbhw.nn.layers.bucket_sum import BucketSum
    >>> from dbhw.nn.layers.negation import Negation
    >>> from dbhw.nn.net import Net
    >>> weights = np.array([[-0.5, 0.5, 0.5], [0.5, 0.5, 0.5]], np.float32)
    >>> model = Model(Net(3, [Negation(width=2), BucketSum(buckets=2)]), (weights, None), tuple("abc"), ("no", "yes"))
    >>> made = emit_folded(model, 3)
    >>> made.manifest.fold, made.manifest.latency, made.slices.lanes
    (3, 5, 1)
    """
    if fold < 2:
        raise DbhwError(f"fold must be a number of cycles, at least 1, not {fold}")
    units = find(model, fold)
    slices = sliced(units, fold)
    tail = passes.simplify(units.tail)
    lowered = model.to_network()
    inputs = described(lowered.input_names, model.columns, ports, layer_titles(slices.network))
    outputs = tuple(described_output(o, model.classes) for o in lowered.outputs)
    comments = header(model.digest(), model.classes, input_comments(inputs, model.columns))
    folded = f"Folded: {units.count} units ({units.layer}), {slices.lanes} in each of {slices.cycles} cycles."
    interface = Interface((*comments, folded), tuple(map(as_input, inputs)), class_constants(model.classes))
    verilog = folded_verilog(slices, tail, MODULE, interface, (inputs, outputs), lut_inputs)
    manifest = Manifest(
        module=MODULE,
        inputs=inputs,
        outputs=outputs,
        fold=slices.cycles,
        latency=slices.cycles + 2,
        interval=slices.cycles + 2,
        clock="clk",
        stream=STREAM,
        model_sha256=model.digest(),
        verilog_sha256=files.sha256(verilog),
    )
    return Folded(slices.network, verilog, manifest, lowered, slices, tail)
