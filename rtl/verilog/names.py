"""Names for Verilog made of users' names: legal, no two of them equal, and none that the module uses itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_LONGEST = 64  # characters; tools cut or scramble very long names

# IEEE 1800-2017, which has all words of Verilog: most tools read a .v file as SystemVerilog.
_SYSTEM_VERILOG = """
accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins
binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const
constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist do edge
else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule
endpackage endprimitive endprogram endproperty endsequence endspecify endtable endtask enum event eventually expect
export extends extern final first_match for force foreach forever fork forkjoin function generate genvar global highz0
highz1 if iff ifnone ignore_bins illegal_bins implements implies import incdir include initial inout input inside
instance int integer interconnect interface intersect join join_any join_none large let liblist library local
localparam logic longint macromodule matches medium modport module nand negedge nettype new nexttime nmos nor
noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive priority program
property protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed small
soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 sync_accept_on
sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand
trior trireg type typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual void
wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor
"""
_KEYWORDS = frozenset(_SYSTEM_VERILOG.split())
# What modules of ours use for themselves, whatever the options are, so that a port has one name in all of them; and
# what a component of Amaranth uses.
_OURS = """
x w y clk rst label bits scores digest valid move core load x_valid x_ready y_valid y_ready elaborate signature
metadata network inputs lut_inputs
"""
_OUR_NAMES = frozenset(_OURS.split())
_OUR_OUTPUTS = frozenset({"y", "label", "bits", "scores"})
_OUR_PATTERN = re.compile(r"(unused|load|lut|net|CLASS)(_.*)?|.*_at\d+")


def port_names(names: Sequence[str], layers: Iterable[str] = ()) -> list[str]:
    """A port's name for each of some names. Names of wires start with those of the layers, so ports may not.

    >>> port_names(["petal length (cm)", "petal-length-(cm)", "reg", "clk", "2nd", "encode_1_0"], ["encode_1"])
    ['petal_length_cm', 'petal_length_cm_2', 'reg_in', 'clk_in', 'in_2nd', 'encode_1_0_in']
    """
    prefixes = tuple(layers)

    def is_ours(name: str) -> bool:
        within = any(name == layer or name.startswith(f"{layer}_") for layer in prefixes)
        return within or name in _OUR_NAMES or _OUR_PATTERN.fullmatch(name) is not None

    clean = [_clean(name) for name in names]
    return _unique(f"{name}_in" if name in _KEYWORDS or is_ours(name) else name for name in clean)


def output_names(names: Sequence[str], inputs: Iterable[str], layers: Iterable[str] = ()) -> list[str]:
    """A port's name for each of some outputs, none of which an input has. Outputs may have the names of ours.

    >>> output_names(["y", "sum", "reg", "netlist_1_0", "clk"], ["sum"], ["netlist_1"])
    ['y', 'sum_out', 'reg_out', 'netlist_1_0_out', 'clk_out']
    """
    taken, prefixes, found = set(inputs), tuple(layers), []
    for name in map(_clean, names):
        within = any(name == layer or name.startswith(f"{layer}_") for layer in prefixes)
        ours = name not in _OUR_OUTPUTS and (name in _OUR_NAMES or _OUR_PATTERN.fullmatch(name) is not None)
        found.append(f"{name}_out" if name in _KEYWORDS or name in taken or within or ours else name)
    return _unique(found)


def class_names(classes: Sequence[str]) -> list[str]:
    """A constant's name for each class.

    >>> class_names(["setosa", "Iris-setosa", "iris setosa", "7"])
    ['CLASS_SETOSA', 'CLASS_IRIS_SETOSA', 'CLASS_IRIS_SETOSA_2', 'CLASS_7']
    """
    return _unique(f"CLASS_{_letters(name).upper()}"[:_LONGEST] for name in classes)


def _clean(name: str) -> str:
    letters = _letters(name)[:_LONGEST]
    # Amaranth and cocotb keep names that start with an underscore for themselves.
    return letters if letters[:1].isalpha() else f"in_{letters}"


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "_", name, flags=re.ASCII).strip("_")


def _unique(names: Iterable[str]) -> list[str]:
    wanted = list(names)
    own, taken, found = set(wanted), set(), []
    for name in wanted:
        unique, number = name, 1
        # A name that another one of them has by right is not given away.
        while unique in taken or (number > 1 and unique in own):
            number += 1
            unique = f"{name}_{number}"
        taken.add(unique)
        found.append(unique)
    return found
