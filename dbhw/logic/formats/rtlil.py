"""RTLIL, the language of Yosys: the Verilog of gates, as Yosys holds it."""

from __future__ import annotations

from dbhw.logic.formats import verilog
from dbhw.logic.network import Network
from dbhw.tools import yosys


def write(network: Network) -> str:
    """The network as an RTLIL module.

    >>> n = Network(); a, b = n.input("a"), n.input("b"); n.output("y", [n.and_([a, b])])
    >>> "cell $and" in write(n)
    True
    """
    return yosys.rtlil_from_verilog(verilog.write(network))
