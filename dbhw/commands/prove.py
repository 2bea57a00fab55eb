"""Prove that a model's Verilog, and what Yosys synthesises from it, is the net; for all weights if loadable."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from dbhw.base import terminal
from dbhw.base.errors import DbhwError
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
    _options.fold(parser)
    _options.ports(parser)
    parser.add_argument("--seconds", type=float, help="end after so many seconds, and say what is proved by then")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.fpga import families
    from dbhw.prove.equivalence import prove_emitted
    from dbhw.prove.folded import prove_folded
    from dbhw.prove.watch import Watch
    from dbhw.rtl.fold.emit import Folded
    from dbhw.rtl.loadable import emit_as

    if args.seconds is not None and not args.seconds > 0:
        raise DbhwError(f"seconds must be more than 0, not {args.seconds}")
    model = _options.chosen_model(args)
    lut_inputs = families.find(args.target).lut_inputs
    emitted = emit_as(args.weights, model, lut_inputs=lut_inputs, **_options.chosen_emission(args))
    text = _options.chosen_verilog(args, emitted.verilog)
    with _options.users_verilog(args), terminal.progress(0, "proving") as bar:
        watch = Watch(args.seconds, bar.set_postfix_str)
        if isinstance(emitted, Folded):
            steps = prove_folded(emitted, args.target, text, watch)
        else:
            steps = prove_emitted(emitted, args.target, text, watch)
    proved = all(step.proved for step in steps)
    if args.json:
        terminal.result({"proved": proved, "steps": [asdict(step) for step in steps]}, args.json)
    else:
        terminal.result({step.name: _said(step) for step in steps}, args.json)
    return 0 if proved else 1


def _said(step: Step) -> str:
    if step.undecided:
        return f"NOT decided after {step.seconds} s: {step.undecided}"
    where = f"; differs in {step.differs_in}" if step.differs_in else ""
    return f"{'proved' if step.proved else 'NOT proved'}, {step.seconds} s{where}"
