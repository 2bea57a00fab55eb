"""The command line: one file in `dbhw/commands` for each command."""

from __future__ import annotations

import argparse
import os
import sys
from typing import NoReturn

from dbhw import commands
from dbhw.base.errors import DbhwError
from dbhw.tools.process import ToolError


def main(arguments: list[str] | None = None) -> int:
    """Runs a command and returns its exit code: 0 done, 1 a check failed, 2 a wrong input, 3 a tool failed.

    >>> main(["synth", "no.dbnet"])
    2
    """
    try:
        args = _parser().parse_args(arguments)
        return args.run(args)
    except DbhwError as wrong:
        print(f"dbhw: {wrong}", file=sys.stderr)
        return 2
    except ToolError as wrong:
        print(f"dbhw: {wrong} (this should not happen, whatever the input: please report it)", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("dbhw: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of a pipe has gone; what is still in the buffer has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Wrong options are a wrong input like any other: one line."""
        raise DbhwError(message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="dbhw", description="Learned boolean nets: trained, hardened without loss, proved, and made hardware."
    )
    subparsers = parser.add_subparsers(metavar="command", required=True)
    for name in commands.PLUGINS.names():
        module = commands.PLUGINS.module(name)
        subparser = subparsers.add_parser(name, help=commands.PLUGINS.summary(name), description=module.__doc__)
        module.arguments(subparser)
        subparser.set_defaults(run=module.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
