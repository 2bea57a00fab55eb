"""The command line: one file in `dbhw/commands` for each command."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
from typing import NoReturn

from dbhw import commands
from dbhw.base import terminal
from dbhw.base.errors import DbhwError
from dbhw.tools.process import ToolError

_ENDED = 128 + signal.SIGTERM  # what shells say of it


def main(arguments: list[str] | None = None) -> int:
    """Runs a command. The exit code is 0 for success, 1 for a failed check, 2 for a wrong input, 3 for a failed tool.

    >>> main(["synth", "no.dbnet"])
    2
    """
    if arguments is None:  # a process of its own, which when it is ended ends the tools that it runs
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(_ENDED))
    try:
        args = parser().parse_args(arguments)
        with terminal.quiet(args.quiet):
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


class _Top(_Parser):
    """The parser of `dbhw` itself, whose help shows the commands by what they are for."""

    def format_help(self) -> str:
        """The help: a line for each command, shortened to the terminal's width."""
        width = shutil.get_terminal_size().columns - 2
        parts = [f"usage: dbhw COMMAND ...\n\n{self.description}"]
        for goal, names in commands.grouped(commands.PLUGINS.names()).items():
            lines = (f"  {name:11} {commands.PLUGINS.summary(name)}" for name in names)
            parts.append("\n".join([f"{goal}:", *(_shortened(line, width) for line in lines)]))
        last = "dbhw COMMAND --help shows what a command takes, with an example."
        return "\n\n".join([*parts, f"{last} All take -q, --quiet: no progress, no notes."]) + "\n"


def _shortened(line: str, width: int) -> str:
    return line if len(line) <= max(width, 40) else f"{line[: max(width, 40) - 1].rstrip()}…"


def parser() -> argparse.ArgumentParser:
    """The parser of all commands.

    >>> parser().parse_args(["zoo", "--json"]).json
    True
    """
    made = _Top(
        prog="dbhw",
        description="Learned boolean nets: trained, hardened without loss, proved, built as hardware.",
    )
    subparsers = made.add_subparsers(metavar="command", required=True, parser_class=_Parser)
    for name in commands.PLUGINS.names():
        module = commands.PLUGINS.module(name)
        example = commands.example(name)
        subparser = subparsers.add_parser(
            name,
            help=commands.PLUGINS.summary(name),
            description=module.__doc__,
            epilog=f"example: {example}" if example else None,
        )
        module.arguments(subparser)
        subparser.add_argument("-q", "--quiet", action="store_true", help="no progress, no notes: the result only")
        subparser.set_defaults(run=module.run)
    return made


if __name__ == "__main__":
    sys.exit(main())
