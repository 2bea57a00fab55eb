"""Emitted Verilog through Verilator's linter."""

import subprocess

from dbhw.sim import simulators


def lint(folder, emitted):
    path = folder / f"{emitted.module}.v"
    path.write_text(emitted.verilog)
    done = subprocess.run([*simulators.lint_command(), str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
