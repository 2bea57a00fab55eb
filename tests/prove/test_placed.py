"""Proofs of small chips: right ones are proved, however their registers are called, and wrong ones refused."""

import pytest

from dbhw.prove.placed.bitstream import Places, prove_bitstream
from dbhw.tools import yosys

TOP = """module top (input c, d, output q, r);
  reg [2:0] count = 5;
  core core (c, d, q);
  always @(posedge c) if (d) count <= count + 1;
  assign r = &count;
endmodule"""
CORE = "module core (input c, d, output reg q = 1); always @(posedge c) q <= d; endmodule"
CHIP = """module chip (input c, input d, output q, output r);
  wire n1;
  reg p = 0, a = 0, b = 0, e = 0;
  /* FF  1  2  3 */ always @(posedge c) p <= ~d;
  /* FF  1  2  4 */ always @(posedge c) a <= d ? ~a : a;
  /* FF  1  2  5 */ always @(posedge c) b <= d & ~a ? ~b : b;
  /* FF  1  2  6 */ always @(posedge c) e <= d & ~a & b ? ~e : e;
  assign q = ~p;
  assign n1 = ~a & b;
  assign r = n1 & ~e;
endmodule"""
NOWHERE = Places({}, {})


@pytest.fixture(scope="module")
def rtlil():
    return yosys.rtlil_from_verilog(TOP)


@pytest.mark.parametrize("places", [NOWHERE, Places({"1 2 5": ["no_such_name", "count[1]"]}, {})])
def test_a_right_chip_is_proved(rtlil, places):
    assert prove_bitstream(rtlil, CORE, "top", CHIP, places).proved


@pytest.mark.parametrize(
    ("was", "becomes", "fault"),
    [
        ("q = ~p", "q = p", "pin q"),
        ("posedge c) a", "negedge c) a", "a $_DFF_N_ is not known"),
        ("posedge c) a", "posedge d) a", "the clock of a register"),
        ("n1 = ~a & b", "n1 = ~a & b & n1", "a gate depends on itself"),
        ("assign n1 = ~a & b;", "", "nothing drives a wire that is read"),
        ("assign q = ~p;", "assign q = ~p; assign q = a;", "two parts drive one wire"),
        ("input d, ", "input d, input other, ", "pin other"),
    ],
)
def test_a_wrong_chip_is_refused(rtlil, was, becomes, fault):
    assert was in CHIP
    step = prove_bitstream(rtlil, CORE, "top", CHIP.replace(was, becomes, 1), NOWHERE)
    assert (step.proved, step.differs_in) == (False, fault)


def test_wrong_places_never_make_a_wrong_chip_right(rtlil):
    crossed = Places({"1 2 4": ["count[1]"], "1 2 5": ["count[0]"]}, {})
    assert not prove_bitstream(rtlil, CORE, "top", CHIP, crossed).proved
    wrong = CHIP.replace("r = n1 & ~e", "r = n1 & e")
    assert not prove_bitstream(rtlil, CORE, "top", wrong, crossed).proved
