"""Whether the second simulator is on this machine."""

import shutil

from dbhw.sim import simulators


def icarus_is_found():
    with simulators.environment({}):
        return shutil.which("iverilog") is not None and shutil.which("vvp") is not None
