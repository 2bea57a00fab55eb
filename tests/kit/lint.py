"""Emitted Verilog through Verilator's linter."""

import subprocess

from dbhw.sim import simulators


def lint(folder, emitted, *options):
    """Refuses emitted Verilog that Verilator warns about."""
    path = folder / f"{emitted.module}.v"
    path.write_text(emitted.verilog)
    with simulators.environment({"VERILATOR_ROOT": str(simulators.verilator_root())}):
        command = ["verilator_bin", "--lint-only", "-Wall", *options, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
