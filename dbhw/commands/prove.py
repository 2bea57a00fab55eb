"""Prove that a model's Verilog, and what Yosys synthesises from it, is the net; for all weights if loadable."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError
from dbhw.commands import _options

if TYPE_CHECKING:
    from dbhw.boards.flow.recover import Recovered
    from dbhw.model.model import Model
    from dbhw.prove.workshop import Step
    from dbhw.rtl.verilog.emit import Emitted


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
    _options.mutate(parser, "put N faults into the Verilog and the netlist instead, and see that each is refused")
    parser.add_argument("--certificate", help="a folder for what others need to check the proof, with ABC alone")
    parser.add_argument("--bitstream", help="the folder of a build for an iCE40: its bitstream is proved too, as built")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.data import stimuli
    from dbhw.fpga import families
    from dbhw.rtl.loadable import emit_as

    if args.seconds is not None and not args.seconds > 0:
        raise DbhwError(f"seconds must be more than 0, not {args.seconds}")
    if args.certificate is not None:
        if args.fold != 1:
            raise DbhwError("--certificate must go without --fold: there are none of folded cores yet")
        files.check_folder(args.certificate)
    model = _options.chosen_model(args)
    if args.bitstream is not None:
        return _said_of(args, _of_bitstream(args, model))
    lut_inputs = families.find(args.target).lut_inputs
    emitted = emit_as(args.weights, model, lut_inputs=lut_inputs, **_options.chosen_emission(args))
    if args.mutate is not None:
        return _options.mutated(args, model, emitted, stimuli.choose(model.net.inputs, "1000"), simulated=False)
    return _said_of(args, _steps(args, model, emitted))


def _said_of(args: argparse.Namespace, steps: list[Step]) -> int:
    """Prints the steps, and returns the exit code: 1 if not all is proved."""
    proved = all(step.proved for step in steps)
    if args.json:
        terminal.result({"proved": proved, "steps": [asdict(step) for step in steps]}, args.json)
    else:
        terminal.result({step.name: _said(step) for step in steps}, args.json)
    if args.certificate is not None and not proved:
        terminal.note(f"note: nothing was written to {args.certificate}: not all is proved")
    return 0 if proved else 1


def _of_bitstream(args: argparse.Namespace, model: Model) -> list[Step]:
    """The steps from the model to the bitstream of a build; the options are the build's."""
    from dbhw import boards
    from dbhw.boards.flow.recover import recover

    for option in ("mutate", "certificate", "verilog"):
        if getattr(args, option) is not None:
            raise DbhwError(f"--bitstream must go without --{option}")
    recovered = recover(model, args.bitstream)
    args.target, args.weights = boards.find(recovered.built.board).family, recovered.built.weights
    return _steps(args, model, recovered.emitted, recovered)


def _steps(args: argparse.Namespace, model: Model, emitted: Emitted, recovered: Recovered | None = None) -> list[Step]:
    """The steps of the proof; if all are proved and it is asked for, their certificate is written."""
    from dbhw.prove.certificates import certificate
    from dbhw.prove.certificates.record import Record
    from dbhw.prove.equivalence import prove_emitted
    from dbhw.prove.fold.folded import prove_folded
    from dbhw.prove.meanings import lowering
    from dbhw.prove.watch import Watch
    from dbhw.rtl.fold.emit import Folded

    text = _options.chosen_verilog(args, emitted.verilog)
    with _options.users_verilog(args), terminal.progress(0, "proving") as bar:
        record = None if args.certificate is None else Record()
        watch = Watch(args.seconds, bar.set_postfix_str, record=record)
        steps = [lowering.step(model, emitted.lowered, args.weights == "loadable", watch)]
        if isinstance(emitted, Folded):
            steps += prove_folded(emitted, args.target, text, watch)
        else:
            steps += prove_emitted(emitted, args.target, text, watch)
        if recovered is not None:
            steps.append(recovered.prove(watch))
        if record and all(step.proved for step in steps):
            bar.set_postfix_str("checking the certificate")
            shown = [f"{lowering.NAME}: dbhw/prove/meanings/"]
            certificate.save(args.certificate, record, emitted, text, args.target, shown)
        return steps


def _said(step: Step) -> str:
    if step.undecided:
        return f"NOT proved after {step.seconds} s: {step.undecided}"
    where = f"; differs in {step.differs_in}" if step.differs_in else ""
    return f"{'proved' if step.proved else 'NOT proved'}, {step.seconds} s{where}"
