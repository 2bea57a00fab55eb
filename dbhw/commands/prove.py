"""Prove that a model's Verilog, and what Yosys synthesises from it, is the net; for all weights if loadable."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from dbhw.base import terminal
from dbhw.commands import _pipelining, _verilog
from dbhw.model import message
from dbhw.model.model import load


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", help="a model file")
    parser.add_argument(
        "--target", default="xilinx", help="the family to synthesise for: ecp5, gowin, ice40 or xilinx (default)"
    )
    message.option(parser)
    _verilog.option(parser)
    _pipelining.options(parser)
    terminal.json_option(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.fpga import families
    from dbhw.prove.equivalence import prove
    from dbhw.rtl.loadable import FLAT, emit_as, for_all_weights, symbolic

    model = load(args.model)
    lut_inputs = families.find(args.target).lut_inputs
    emitted = emit_as(args.weights, model, lut_inputs=lut_inputs, **_pipelining.chosen(args))
    text = _verilog.chosen(args, emitted.verilog)
    network, module = model.to_network(), emitted.module
    if args.weights == "loadable":
        network, module, text = symbolic(model), FLAT, for_all_weights(emitted, text)
    with _verilog.refused(args):
        # The proof starts from the network as lowered, so the passes are part of what is proved.
        timing = {"latency": emitted.manifest["latency"], "stream": args.stream}
        steps = prove(network, text, module, args.target, **timing)
    proved = all(step.proved for step in steps)
    if args.json:
        terminal.result(args, {"proved": proved, "steps": [asdict(step) for step in steps]})
    else:
        terminal.result(
            args, {step.name: f"{'proved' if step.proved else 'NOT proved'}, {step.seconds} s" for step in steps}
        )
    return 0 if proved else 1
