"""Write a report of a model as one HTML file: accuracy, program, inputs that matter, schematic, area, evidence."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError
from dbhw.commands import _options

if TYPE_CHECKING:
    from dbhw.data.dataset import Data
    from dbhw.model.model import Model
    from dbhw.report.gather import Plan, Subject
    from dbhw.report.page.facts import Facts, Size


def arguments(parser: argparse.ArgumentParser) -> None:
    _options.model(parser)
    parser.add_argument("-o", "--output", default="report.html", help="the file to write (default report.html)")
    parser.add_argument(
        "--data", help="the examples to measure on (default: the test part of the data it was trained on)"
    )
    parser.add_argument("--targets", help="synthesise for these families: ice40,xilinx; none for no synthesis")
    parser.add_argument("--soft", action="store_true", help="also compare the soft net with the hard net")
    parser.add_argument("--sim", action="store_true", help="also simulate the Verilog")
    parser.add_argument("--prove", action="store_true", help="also prove the Verilog and the netlist of each target")
    parser.add_argument("--seconds", type=float, help="end each proof after so many seconds")
    parser.add_argument("--place", action="store_true", help="also place and route, to measure the clock")
    parser.add_argument("--pareto", metavar="FILE", help="plot the nets in this file, made by dbhw pareto --json")
    _options.as_json(parser)


def run(args: argparse.Namespace) -> int:
    from dbhw.report import charts, gather
    from dbhw.report.page import document

    files.check_writable(args.output)
    pareto = charts.read_run(args.pareto) if args.pareto else None
    plan = _plan(args)
    with terminal.progress(1 + len(plan.steps()), "report") as bar:

        def tell(step: str) -> None:
            bar.set_postfix_str(step)
            bar.update(step in plan.steps())  # a proof tells what it is at in between

        bar.set_postfix_str("reading model and data")
        facts = gather.gather(_subject(args), plan, tell)
    if pareto is not None:
        facts = replace(facts, pareto=charts.plot_run(pareto, _own(facts, pareto.target)))
    text = document.write(facts)
    files.write(args.output, text)
    values = {"output": args.output, "bytes": len(text.encode()), **gather.to_json(facts)}
    terminal.result(values if args.json else _shown(values, facts), args.json)
    return 1 if any(rung.passed is False for rung in facts.rungs) else 0


def _plan(args: argparse.Namespace) -> Plan:
    from dbhw.fpga import place
    from dbhw.report.gather import Plan

    targets = None if args.targets is None else tuple(t.strip() for t in args.targets.split(",") if t.strip() != "none")
    plan = Plan(targets, args.soft, args.sim, args.prove, args.place, args.seconds)
    for step in plan.steps():
        what, _, target = step.partition(" on ")
        if what == "place and route":
            place.tools_for(target)
    if args.sim:
        from dbhw.sim import simulators

        simulators.check("verilator")
    return plan


def _subject(args: argparse.Namespace) -> Subject:
    from dbhw.report.gather import Subject

    model = _options.chosen_model(args)
    data, words = _data(args, model)
    digests = {} if _options.in_the_zoo(args) else {"model file": files.digest(args.model)}
    if data is not None:
        digests["examples"] = data.digest()
    if isinstance(model.provenance.get("data_sha256"), str):
        digests["training data"] = model.provenance["data_sha256"]
    name = args.model if _options.in_the_zoo(args) else Path(args.model).name
    return Subject(model, name, _commands(args), data, words, _known(args), digests)


def _known(args: argparse.Namespace) -> dict[str, Size]:
    """Sizes that the zoo records."""
    from dbhw import zoo
    from dbhw.report.page.facts import Size

    if not _options.in_the_zoo(args):
        return {}
    entry = zoo.find(args.model.removeprefix(zoo.PREFIX))
    return {target: Size(size.luts, size.depth, measured=False) for target, size in entry.sizes.items()}


def _data(args: argparse.Namespace, model: Model) -> tuple[Data | None, str]:
    """The examples, and in words what they are; none if the model's own data is not at hand."""
    from dbhw import zoo

    own = zoo.find(args.model.removeprefix(zoo.PREFIX)).data if _options.in_the_zoo(args) else None
    name = args.data or own or model.provenance.get("data")
    if not isinstance(name, str):
        return None, ""
    try:
        return _options.examples(name, model), _which(name, model)
    except DbhwError:  # a user's file that is elsewhere now, or a data set that has to be fetched
        if args.data is not None:
            raise
        return None, ""


def _which(name: str, model: Model) -> str:
    """Which examples these are, and whether the net was trained on them."""
    from dbhw.data.load import load_split
    from dbhw.data.tables.read import is_table

    trained_on = model.provenance.get("data_sha256")
    if is_table(name):
        kept = isinstance(model.provenance.get("file"), dict) and model.provenance["file"].get("sha256")
        same = kept == files.digest(name)
        return f"the rows of {name} that were kept for testing" if same else f"all rows of {name}"
    if load_split(name).train.digest() == trained_on:
        return f"the test part of {name}; the net was trained on the other part, as its digest shows"
    return f"the test part of {name}; what the net was trained on has another digest than the other part"


def _own(facts: Facts, target: str) -> tuple[int, float] | None:
    size = facts.sizes.get(target)
    return (size.luts, facts.tested.accuracy) if size is not None and facts.tested is not None else None


def _commands(args: argparse.Namespace) -> str:
    """What makes the report again, and its checks one by one."""
    model = shlex.quote(args.model)
    said = ["dbhw", "report", model, "-o", shlex.quote(Path(args.output).name)]
    for option in ("data", "targets", "seconds", "pareto"):
        if getattr(args, option) is not None:
            said += [f"--{option}", shlex.quote(str(getattr(args, option)))]
    said += [f"--{option}" for option in ("soft", "sim", "prove", "place") if getattr(args, option)]
    checks = [f"dbhw {command} {model}" for command in ("explain", "prove", "sim", "synth")]
    return "\n".join([" ".join(said), *checks])


def _shown(values: dict[str, object], facts: Facts) -> dict[str, object]:
    """The figures for people."""
    accuracy = (
        "not measured: no data"
        if facts.tested is None
        else f"{facts.tested.accuracy:.4f}, {facts.tested.examples} examples"
    )
    sizes = ", ".join(f"{size.luts} LUTs on {target}" for target, size in facts.sizes.items()) or "not synthesised"
    held = [sum(rung.passed is state for rung in facts.rungs) for state in (True, False, None)]
    checks = f"{held[0]} hold, {held[1]} fail, {held[2]} not run"
    return {"output": values["output"], "bytes": values["bytes"], "accuracy": accuracy, "size": sizes, "checks": checks}
