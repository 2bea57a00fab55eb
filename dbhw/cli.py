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
    """Runs a command. The exit code is 0 for success, 1 for a failed check, 2 for a wrong input, 3 for a failed tool.

    >>> main(["synth", "no.dbnet"])
    2
    """
    try:
        args = parser().parse_args(arguments)
        return args.run(args)
    except DbhwError as wrong:
        print(f"dbhw: {wrong}", file=sys.stderr)
        return 2
    except ToolError as wrong:
        print(f"dbhw: {wrong} (this should not happen with any input: please report it)", file=sys.stderr)
        return 3
    except BrokenPipeError:
        # The reader of the pipe has closed it, so the rest of the buffer is discarded.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as wrong:  # a full disk, a folder for temporary files that is closed
        print(f"dbhw: a file cannot be used: {wrong}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("dbhw: interrupted", file=sys.stderr)
        return 130


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Reports wrong options in one line, like every other wrong input."""
        raise DbhwError(message)


def parser() -> argparse.ArgumentParser:
    """The parser of all commands.

    >>> parser().parse_args(["zoo", "--json"]).json
    True
    """
    made = _Parser(
        prog="dbhw",
        description="Learned boolean nets: trained, hardened without loss, proved, built as hardware.",
    )
    subparsers = made.add_subparsers(metavar="command", required=True)
    for name in commands.PLUGINS.names():
        module = commands.PLUGINS.module(name)
        subparser = subparsers.add_parser(name, help=commands.PLUGINS.summary(name), description=module.__doc__)
        module.arguments(subparser)
        subparser.set_defaults(run=module.run)
    return made


if __name__ == "__main__":
    sys.exit(main())
