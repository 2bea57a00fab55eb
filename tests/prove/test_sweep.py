"""A proof in steps says what a proof at once does, and a refusal names the layer."""

import re

import numpy as np
import pytest

from dbhw.logic.network import Network
from dbhw.prove.equivalence import network_is_verilog, prove
from dbhw.prove.graphs.aig import Aig
from dbhw.prove.sweeping import extremes, sweep
from dbhw.prove.sweeping.points import Point
from dbhw.prove.watch import Watch
from dbhw.rtl.verilog.emit import emit_network


@pytest.fixture(autouse=True)
def small_nets_in_steps(monkeypatch):
    monkeypatch.setattr(sweep, "_LARGE", -1)


def layered(wire=5, swapped=False, threshold=5, inputs=6):
    """Tables, then majorities of tables, then a vote of each three; the arguments are what a fault may change.

    Tables of four `inputs` are for families that have such: synthesis takes seconds to divide larger ones.
    """
    random = np.random.default_rng(0)
    n = Network()
    x = [n.input(f"x{i}") for i in range(24)]
    n.begin_layer("tables")
    tables = []
    for _ in range(40):
        table, read = int(random.integers(1 << 62)) | 1, random.choice(x, inputs, False)
        tables.append(n.lut(table & (1 << 2**inputs) - 1, [int(b) for b in read]))
    n.begin_layer("majorities")
    reads = [[int(i) for i in random.choice(40, 7, False)] for _ in range(18)]
    reads[0][0] = wire
    thresholds = [threshold, *[4] * 17]
    majorities = [n.at_least([(tables[i], 1) for i in r], k) for r, k in zip(reads, thresholds, strict=True)]
    n.begin_layer("votes")
    if swapped:
        majorities[0], majorities[17] = majorities[17], majorities[0]
    n.begin_layer("class")
    n.integer_output("label", [n.argmax([n.count([(v, 1) for v in majorities[i : i + 6]]) for i in (0, 6, 12)])], 2)
    return n


def verilog(network, lut_inputs=6):
    return emit_network(network, "net", "0" * 64, (), lut_inputs=lut_inputs).verilog


@pytest.mark.parametrize("target", ["xilinx", "ice40"])
def test_a_right_net_is_proved(target):
    inputs = 6 if target == "xilinx" else 4
    net = layered(inputs=inputs)
    assert [step.proved for step in prove(net, verilog(net, inputs), target=target)] == [True, True]


@pytest.mark.parametrize(
    ("fault", "layer"), [({"wire": 6}, "majorities"), ({"threshold": 6}, "majorities"), ({"swapped": True}, "class")]
)
def test_a_fault_is_refused_and_its_layer_named(fault, layer):
    step = network_is_verilog(layered(), verilog(layered(**fault)))
    assert (step.proved, step.differs_in) == (False, layer)


def test_a_turned_tie_is_refused():
    right = verilog(layered(), 4)
    wrong = right.replace(" > ", " >= ", 1)
    assert wrong != right
    assert network_is_verilog(layered(), right, lut_inputs=4).proved
    step = network_is_verilog(layered(), wrong, lut_inputs=4)
    assert (step.proved, step.differs_in) == (False, "class")


def exclusive():
    """Two terms, of which at most one is high: their sum is their disjunction."""
    n = Network()
    a, b = n.input("a"), n.input("b")
    n.begin_layer("terms")
    terms = [n.lut(0b01000, [a, b]), n.lut(0b00100, [a, b])]
    n.begin_layer("sum")
    n.integer_output("y", [n.count([(t, 1) for t in terms])], 2)
    return n


def test_what_holds_for_real_inputs_only_is_still_proved():
    """With the terms as free inputs the sum is not their disjunction: the whole is tried then."""
    text = """module net (input wire [1:0] x, output wire [1:0] y);
      wire first = x[0] & x[1], second = ~x[0] & x[1];
      assign y = {1'b0, first | second};
    endmodule"""
    step = network_is_verilog(exclusive(), text)
    assert step.proved


def test_hardware_that_has_none_of_the_points_is_proved():
    """The sum is the second input, and no wire is either of the terms."""
    text = "module net (input wire [1:0] x, output wire [1:0] y); assign y = {1'b0, x[1]}; endmodule"
    assert [step.proved for step in prove(exclusive(), text)] == [True, True]


def test_what_simulation_takes_for_equal_is_not_believed():
    """The wrong module differs on one input of a billion, which no random example is."""
    n = Network()
    x = [n.input(f"x{i}") for i in range(30)]
    n.begin_layer("terms")
    both = [n.and_(x[i : i + 2]) for i in range(0, 30, 2)]
    n.begin_layer("sum")
    n.integer_output("y", [n.count([(b, 1) for b in both])], 4)
    right = verilog(n)
    wrong = (
        right.replace("module net (", "module inner (")
        + """
    module net (input wire [29:0] x, output wire [3:0] y);
      wire [3:0] total;
      inner inner (.x(x), .y(total));
      assign y = total ^ (x == 30'h2aaaaaaa);
    endmodule"""
    )
    assert network_is_verilog(n, right).proved
    assert not network_is_verilog(n, wrong).proved


def test_a_proof_without_time_is_undecided_and_says_how_far_it_came():
    emitted = emit_network(layered(), "net", "0" * 64, ())
    begun = []
    steps = prove(layered(), emitted.verilog, watch=Watch(0.001, begun.append))
    assert [(step.proved, step.undecided) for step in steps] == [(False, "no time was left")] * 2
    assert begun[0] == "network = Verilog"


def test_time_may_end_between_the_points(monkeypatch):
    """The first step is proved, then there is no time left."""
    monkeypatch.setattr(sweep._Sweep, "outputs_are_equal", lambda self: Watch(0).left())
    step = network_is_verilog(layered(), verilog(layered()))
    assert not step.proved
    assert re.fullmatch(r"\d+ of \d+ points are proved, the outputs are not", step.undecided)


def voted():
    """Three sums of six terms each, and which of them is largest."""
    n = Network()
    x = [n.input(f"x{i}") for i in range(36)]
    n.begin_layer("terms")
    terms = [n.and_(x[i : i + 2]) for i in range(0, 36, 2)]
    n.begin_layer("sums")
    sums = [n.count([(t, 1) for t in terms[i : i + 6]]) for i in (0, 6, 12)]
    n.begin_layer("class")
    n.integer_output("label", [n.argmax(sums)], 2)
    n.integer_output("scores", sums, 3)
    return n


READS_INSIDE = """module net (input wire [35:0] x, output wire [1:0] label, output wire [8:0] scores);
  wire [17:0] t = {TERMS};
  wire [1:0] a = t[0] + t[1] + t[2], b = t[3] + t[4] + t[5], c = t[6] + t[7] + t[8], d = t[9] + t[10] + t[11];
  wire [2:0] first = a + b, second = c + d, third = t[12] + t[13] + t[14] + t[15] + t[16] + t[17];
  wire signed [3:0] one = c - a, other = b - d;
  wire later = one > other;
  assign label = third > (later ? second : first) ? 2'd2 : {1'b0, later};
  assign scores = {third, second, first};
endmodule""".replace("TERMS", ", ".join(f"x[{i + 1}] & x[{i}]" for i in range(34, -1, -2)))


def said_of(text):
    """Whether a text is proved to be the voted net, and all that the proof said meanwhile."""
    said = []
    step = network_is_verilog(voted(), text, watch=Watch(say=said.append))
    return step.proved, said


def test_hardware_that_reads_a_wire_inside_a_sum_is_proved_from_the_terms():
    """With the sums free, the class would be no function of them: two are opened, the third and the terms stay."""
    proved, said = said_of(READS_INSIDE)
    assert proved
    assert "the outputs, from 21 points that nothing reads around" in said
    assert "the outputs, all at once" not in said


@pytest.mark.parametrize("fault", ["one >= other", "(one > other) ^ (x == 36'h5a5a5a5a5)"])
def test_a_fault_behind_a_wire_inside_a_sum_is_refused(fault):
    wrong = READS_INSIDE.replace("one > other", fault)
    assert wrong != READS_INSIDE
    assert not said_of(wrong)[0]


READS_AROUND = [[2, 5], [8, 6], [3, 5], [12, 6]]  # a & ~b, that & c; ~a & ~b, that & c
RIGHT_OF_IT = np.array([[3, 5], [9, 5], [10, 6], [8, 6]])  # ~(a | b) is read by the others


@pytest.mark.parametrize(("outputs", "same"), [([12, 10, 14], True), ([12, 11, 14], False), ([12, 8, 14], False)])
def test_a_bit_that_is_read_around_a_point_is_a_point_again(tmp_path, outputs, same):
    """With `~(a | b)` free, `~~(a | b) & ~b & c` would not be `a & ~b & c`: it is proved from the inputs."""
    points = [[Point("none", (8,))], [Point("one", (12,))]]
    a, b = Aig(3, RIGHT_OF_IT, [8, 12, 14]), Aig(3, np.array(READS_AROUND), outputs)
    found = sweep.compare(tmp_path, a, b, points)
    assert found.equal is same
    if same:
        assert found.points == [[Point("none", (12,))], [Point("one", (10,))]]
        assert [[literal for literal, _ in step] for step in found.cuts] == [[8], [12]]


@pytest.mark.parametrize("rare", [False, True])
def test_a_fault_that_simulation_does_not_see_in_a_bit_that_is_read_around_is_refused(tmp_path, rare):
    """The bit is also high for one setting of twenty inputs, which only ABC finds."""
    inputs, first = 23, 48  # the literal of the first gate
    right = [[3, 5], [first + 1, 5], [first + 2, 6], [first, 6]]
    around = [[2, 5], [first, 6], [3, 5], [first + 4, 6]]
    setting = [8, *(2 * i + i % 2 for i in range(5, 24))]  # the other inputs, every other one low
    chain = [[setting[0], setting[1]], *([setting[i + 1], first + 6 + 2 * i] for i in range(1, 19))]
    last = first + 2 * (len(around) + len(chain))
    either = [[first + 3, (last - 2) ^ 1]] if rare else [[first + 3, first + 3]]
    a = Aig(inputs, np.array(right), [first, first + 4, first + 6])
    b = Aig(inputs, np.array(around + chain + either), [first + 4, last + 1, first + 6])
    points = [[Point("none", (first,))], [Point("one", (first + 4,))]]
    assert sweep.compare(tmp_path, a, b, points).equal is not rare


def test_a_number_that_wraps_is_brought_to_both_of_its_ends():
    """Two bits less one, modulo four: 3 is the smallest and 1 the largest, and from 0 a step down is a jump up."""
    gates = Aig(2, np.array([[2, 4], [3, 5], [7, 9]]), [])
    found = extremes.vectors(gates, {}, 2, [[11, 8]])
    assert sorted(found[[0, len(found) // 2]].tolist()) == [[False, False], [True, True]]


def test_of_bits_that_simulation_cannot_tell_apart_the_right_one_is_found(tmp_path):
    """The first that seems to be `a & ~b & c` is so but for one setting of twenty inputs."""
    setting = [8, *(2 * i + i % 2 for i in range(5, 24))]
    rare = [[setting[0], setting[1]], *([setting[i + 1], 48 + 2 * i] for i in range(1, 19))]
    around = [[2, 5], *rare, [7, 87], [48, 89], [3, 5], [48, 6], [92, 6]]
    a = Aig(23, np.array([[3, 5], [49, 5], [50, 6], [48, 6]]), [48, 52, 54])
    points = [[Point("none", (48,))], [Point("one", (52,))]]
    found = sweep.compare(tmp_path, a, Aig(23, np.array(around), [92, 94, 96]), points)
    assert found.points == [[Point("none", (92,))], [Point("one", (94,))]]
    assert not sweep.compare(tmp_path, a, Aig(23, np.array(around), [92, 90, 96]), points).equal


def test_a_sum_is_cut_where_it_is_given_out_and_not_before_a_carry_that_never_comes(tmp_path, monkeypatch):
    monkeypatch.setattr(sweep, "_LARGE", 0)
    one = Aig(3, np.array([[2, 4]]), [8])
    before, carry = [[2, 5], [2, 9]], [[3, 6], [10, 12]]  # 10 is x0 & x1; 14 is x0 and not x0, among others
    other = Aig(3, np.array([*before, *carry, [11, 15], [10, 14], [17, 19]]), [20])  # 10 ^ 14, which is 10
    outcome = sweep.compare(tmp_path, one, other, [[Point("sum", (8, 0))]])
    assert outcome.equal
    assert outcome.points == [[Point("sum", (20, 0))]]
