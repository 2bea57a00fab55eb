"""Verilog under test: what the toolkit emits, or a file the user names instead."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from dbhw.base import files
from dbhw.base.errors import DbhwError
from dbhw.tools.process import ToolError


def option(parser: argparse.ArgumentParser) -> None:
    """Adds --verilog.

    >>> parser = argparse.ArgumentParser(); option(parser)
    >>> parser.parse_args(["--verilog", "out/net.v"]).verilog
    'out/net.v'
    """
    parser.add_argument("--verilog", help="check this file, such as an emitted net.v, instead of emitting anew")


def chosen(args: argparse.Namespace, emitted: str) -> str:
    """The Verilog to check.

    >>> chosen(argparse.Namespace(verilog=None), "module net; endmodule")
    'module net; endmodule'
    """
    return emitted if args.verilog is None else files.read(args.verilog).decode(errors="replace")


@contextmanager
def refused(args: argparse.Namespace) -> Iterator[None]:
    """Tells a tool's failure on the user's own file as a wrong input.

    >>> with refused(argparse.Namespace(verilog="my.v")):
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
