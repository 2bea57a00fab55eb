"""Running a command as a user would, without a process for each."""

from dbhw import cli


def run(capsys, *arguments):
    """The exit code, and what the command printed to its output and its errors."""
    code = cli.main([str(a) for a in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err
