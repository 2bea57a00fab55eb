"""Options that several commands share: how they are declared, and what their values mean."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypedDict

from dbhw.base import files, terminal
from dbhw.base.errors import DbhwError, whole
from dbhw.tools.process import ToolError

if TYPE_CHECKING:
    import numpy as np

    from dbhw.data.dataset import Data
    from dbhw.model.model import Model
    from dbhw.rtl.verilog.emit import Emitted

_DEFAULT_BAUD = 1_000_000


class Emission(TypedDict):
    """The options of emitting that decide its timing and its ports."""

    pipeline: str
    stream: bool
    ports: str
    fold: int


def model(parser: argparse.ArgumentParser, text: str = "a model file") -> None:
    """Adds the model; `chosen_model` reads it."""
    parser.add_argument("model", help=f"{text}; or zoo:NAME, as in dbhw zoo")


def as_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def output_folder(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, help="the folder to write to")


def data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", required=True, help="a built-in data set (its test part), or a .npz or .csv file")


def vectors(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--vectors", default="4096", help="how many inputs to try, or 'all' (default 4096)")
    parser.add_argument("--data", help="take the inputs from a built-in data set's test part, or a .npz or .csv file")


def weights(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--weights", default="baked", help="baked (default): constants; loadable: registers behind a load port"
    )


def target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--target", default="xilinx", help="the FPGA family to synthesise for: ecp5, gowin, ice40 or xilinx (default)"
    )


def lut_inputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lut-inputs", type=int, default=6, help="shape counts for look-up tables of 4 or 6 inputs (default 6)"
    )


def pipeline(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--pipeline",
        default="comb",
        help="comb (default), stages=N cycles of latency, or levels=N look-up tables between registers",
    )


def stream(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stream", action="store_true", help="valid and ready on both sides, and a reset")


def fold(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fold",
        type=int,
        default=1,
        metavar="N",
        help="compute the net in N clock cycles on a part of the hardware, with the weights in a ROM; a stream",
    )


def ports(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--ports",
        default="name",
        help="name (default): an input for each column of the table; packed: one input x of all bits",
    )


def verilog(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--verilog", help="check this file, such as an emitted net.v, instead of emitting anew")


def mutate(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("--mutate", type=int, metavar="N", help=text)


def mutated(args: argparse.Namespace, model: Model, emitted: Emitted, x: np.ndarray, simulated: bool) -> int:
    """Puts --mutate faults into hardware, prints which were caught, and returns the exit code: 1 if one was not."""
    from dbhw.sim.mutations import score

    whole("faults of --mutate", args.mutate, 2)
    if args.verilog is not None:
        raise DbhwError("--mutate must go without --verilog: it puts its faults into hardware that it emits")
    if args.fold != 1:
        raise DbhwError("--mutate must go without --fold: a folded core cannot be broken that way yet")
    target = getattr(args, "target", None) or {4: "ice40", 6: "xilinx"}[args.lut_inputs]
    with terminal.progress(0, "breaking") as bar:
        by, say = getattr(args, "simulator", "verilator"), bar.set_postfix_str
        found = score(model, emitted, target, args.mutate, x, simulated=simulated, simulator=by, say=say)
    if args.json:
        terminal.result(found.to_json(), args.json)
    else:
        print(terminal.table(found.rows()))
        print(f"\n{found.percent} % of the faults that change something are caught")
        print("\n".join(found.survivors), file=sys.stderr, end="\n" if found.survivors else "")
    return 0 if found.percent == 100 else 1


def link(parser: argparse.ArgumentParser, port_required: bool, board: str) -> None:
    """Adds --port, --board and --baud, the options that find a board."""
    parser.add_argument("--port", required=port_required, help="the board's serial port, such as /dev/ttyUSB1")
    parser.add_argument("--board", help=board)
    baud(parser)


def baud(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--baud", type=int, help="the baud rate, if it is not the board's default")


def chosen_model(args: argparse.Namespace) -> Model:
    """The model of the file that the command names, or of the zoo.

    >>> chosen_model(argparse.Namespace(model="zoo:iris-small")).classes
    ('setosa', 'versicolor', 'virginica')
    """
    from dbhw import zoo
    from dbhw.model.model import load

    return zoo.load(args.model.removeprefix(zoo.PREFIX)) if in_the_zoo(args) else load(args.model)


def in_the_zoo(args: argparse.Namespace) -> bool:
    """Whether the command names a model of the zoo, and not a file.

    >>> in_the_zoo(argparse.Namespace(model="zoo:iris-small"))
    True
    """
    from dbhw import zoo

    return args.model.startswith(zoo.PREFIX)


def chosen_pipeline(args: argparse.Namespace) -> str:
    """The value of --pipeline, with a `DbhwError` if it is unknown.

    >>> chosen_pipeline(argparse.Namespace(pipeline="stages=2"))
    'stages=2'
    """
    from dbhw.rtl.core.schedule import Pipeline

    Pipeline.parse(args.pipeline)
    return args.pipeline


def chosen_ports(args: argparse.Namespace) -> str:
    """The value of --ports, with a `DbhwError` if it is unknown.

    >>> chosen_ports(argparse.Namespace(ports="packed"))
    'packed'
    """
    from dbhw.rtl.verilog.ports import check_kind

    check_kind(args.ports)
    return args.ports


def chosen_emission(args: argparse.Namespace) -> Emission:
    """The values of --pipeline, --stream, --ports and --fold, as emitting takes them.

    >>> chosen_emission(argparse.Namespace(pipeline="stages=2", stream=False, ports="name", fold=1))
    {'pipeline': 'stages=2', 'stream': False, 'ports': 'name', 'fold': 1}
    """
    return {"pipeline": chosen_pipeline(args), "stream": args.stream, "ports": chosen_ports(args), "fold": args.fold}


def chosen_baud(args: argparse.Namespace) -> int:
    """The value of --baud, or else the board's baud rate.

    >>> chosen_baud(argparse.Namespace(baud=None, board="icebreaker"))
    1000000
    """
    from dbhw import boards

    board = boards.find(args.board) if args.board else None
    return args.baud if args.baud is not None else board.baud if board else _DEFAULT_BAUD


def chosen_verilog(args: argparse.Namespace, emitted: str) -> str:
    """The text of the file that --verilog names, or else the emitted text.

    >>> chosen_verilog(argparse.Namespace(verilog=None), "module net; endmodule")
    'module net; endmodule'
    """
    return emitted if args.verilog is None else files.read(args.verilog).decode(errors="replace")


@terminal.working("reading data")
def examples(name: str, model: Model) -> Data:
    """The examples that --data names, as a model takes them.

    >>> import dbhw
    >>> from dbhw.nn.layers.negation import Negation
    >>> net = dbhw.Net(1, [Negation(width=2)])
    >>> len(examples("toy-1", dbhw.Model(net, (None,), ("outside",), ("t-shirt", "coat"))).y)
    2
    """
    from dbhw.data.load import load_split
    from dbhw.data.tables.read import is_table

    if model.columns and is_table(name):
        from dbhw.tabular.again import examples as examples_of_table

        data, which = examples_of_table(name, model)
        terminal.note(f"note: {name}: {len(data.y)} rows, {which}")
        return data
    data = load_split(name).test
    model.net.check_data(data)
    if model.columns and data.columns and model.columns != data.columns:
        raise DbhwError(f"data {name} must have the model's columns and their integers, but it has others")
    return data


@terminal.working("choosing test vectors")
def chosen_vectors(args: argparse.Namespace, model: Model) -> np.ndarray:
    """The inputs that --vectors and --data ask for, as booleans (vectors, inputs).

    >>> import dbhw
    >>> model = dbhw.Model(dbhw.Net(1, []), (), ("outside",), ("t-shirt", "coat"))
    >>> chosen_vectors(argparse.Namespace(vectors="all", data=None), model).tolist()
    [[False], [True]]
    """
    from dbhw.data import stimuli

    data = None if args.data is None else examples(args.data, model).x
    return stimuli.choose(model.net.inputs, args.vectors, data)


@contextmanager
def users_verilog(args: argparse.Namespace) -> Iterator[None]:
    """Reports a tool that fails on the file of --verilog as a wrong input.

    >>> with users_verilog(argparse.Namespace(verilog="my.v")):
    ...     raise ToolError("yosys failed: syntax error")
    Traceback (most recent call last):
    ...
    dbhw.base.errors.DbhwError: file my.v must be Verilog with this net's module and ports: yosys failed: syntax error
    """
    try:
        yield
    except ToolError as wrong:
        if args.verilog is None:
            raise
        raise DbhwError(f"file {args.verilog} must be Verilog with this net's module and ports: {wrong}") from wrong
