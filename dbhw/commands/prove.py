"""Prove that a model's Verilog, and what Yosys synthesises from it, is the net; for all weights if loadable."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from dbhw.base import terminal
from dbhw.commands import _options

if TYPE_CHECKING:
    from dbhw.prove.workshop import Step


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    _options.target(parser)
    _options.weights(parser)
    _options.verilog(parser)
    _options.pipeline(parser)
    _options.stream(parser)
    _options.ports(parser)
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.fpga import families
    from dbhw.prove.equivalence import prove_emitted
    from dbhw.rtl.loadable import emit_as

    model = _options.chosen_model(args)
    lut_inputs = families.find(args.target).lut_inputs
    emitted = emit_as(args.weights, model, lut_inputs=lut_inputs, **_options.chosen_emission(args))
    text = _options.chosen_verilog(args, emitted.verilog)
    with _options.users_verilog(args):
        steps = prove_emitted(emitted, args.target, text)
    proved = all(step.proved for step in steps)
    if args.json:
        terminal.result({"proved": proved, "steps": [asdict(step) for step in steps]}, args.json)
    else:
        terminal.result({step.name: _said(step) for step in steps}, args.json)
    return 0 if proved else 1


def _said(step: Step) -> str:
    where = f"; differs in {step.differs_in}" if step.differs_in else ""
    return f"{'proved' if step.proved else 'NOT proved'}, {step.seconds} s{where}"
