"""Loadable weights: the core proved for all weights, the load port proved clock by clock, loads while vectors flow."""

import json
import re
import zlib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from dbhw.data.stimuli import choose
from dbhw.data.tables.column import Column, pins
from dbhw.model import message
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.nn.layers.bucket_any import BucketAny
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.conjunction import Conjunction
from dbhw.nn.layers.count import Count
from dbhw.nn.layers.count_hot import CountHot
from dbhw.nn.layers.disjunction import Disjunction
from dbhw.nn.layers.dropout import Dropout
from dbhw.nn.layers.encode import Encode
from dbhw.nn.layers.majority import Majority
from dbhw.nn.layers.mask_false import MaskFalse
from dbhw.nn.layers.mask_true import MaskTrue
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.parity import Parity
from dbhw.nn.layers.reshape import Reshape
from dbhw.nn.net import Net
from dbhw.prove.equivalence import network_is_verilog, prove
from dbhw.rtl import loadable
from dbhw.rtl.flat import flat
from dbhw.rtl.loadable import emit_loadable
from dbhw.sim.faults import of_rtl
from dbhw.sim.run_loads import others
from dbhw.tools import yosys
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.lint import lint

NETS = [
    Net(3, [Conjunction(width=4), Disjunction(width=3), Negation(width=3), Reshape(shape=(1, 9)), Majority()]),
    Net(4, [Parity(width=5), CountHot(), BucketAny(buckets=2)]),
    Net(5, [MaskTrue(width=3), Count(k=2), MaskFalse(width=4), BucketSum(buckets=4)]),
    Net(1, [Negation(width=1)]),
]
LOADER = Path(loadable.__file__).with_name("loader.v").read_text()


def random_model(net, seed=0):
    return samples.random_model(net, np.random.default_rng(seed))


# What is sent


@pytest.mark.parametrize("net", NETS, ids=range(4))
def test_a_message_is_what_the_table_says(net):
    model = random_model(net)
    sent = message.encode(model)
    tag, identity, body, crc = sent[:4], sent[4:36], sent[36:-4], sent[-4:]
    assert tag == message.shape_tag(net)
    assert identity.hex() == model.digest()
    flat = [bool(bit) for w in model.weights if w is not None for bit in np.ravel(w).tolist()]
    assert [bool(body[i // 8] >> i % 8 & 1) for i in range(8 * len(body))][: len(flat)] == flat
    assert len(body) == -(-len(flat) // 8)
    assert crc == zlib.crc32(sent[:-4]).to_bytes(4, "little")


def test_the_tag_names_the_shape_and_nothing_else():
    net = Net(4, [Parity(width=5), CountHot(), BucketAny(buckets=2)])
    same = Net(4, [Dropout(p=0.1), Parity(width=5), CountHot(), BucketAny(buckets=2)])
    again = Net(4, [Dropout(p=0.7), Parity(width=5), CountHot(), BucketAny(buckets=2)])
    assert message.shape_tag(same) == message.shape_tag(again)
    different = [net, Net(4, [Disjunction(width=5), CountHot(), BucketAny(buckets=2)]), *NETS[2:]]
    assert len({message.shape_tag(other) for other in different}) == len(different)


# The core


@pytest.mark.parametrize(("net", "lut_inputs"), list(zip(NETS, [4, 6, 4, 6], strict=True)), ids=range(4))
def test_the_core_is_proved_for_all_weights(net, lut_inputs, tmp_path):
    model = random_model(net)
    emitted = emit_loadable(model, lut_inputs=lut_inputs)
    lint(tmp_path, emitted, "-Wno-DECLFILENAME")  # three modules in one file
    steps = prove(emitted.lowered, *flat(emitted, emitted.verilog), "ice40", lut_inputs)
    assert [step.proved for step in steps] == [True, True]


@seed(0)
@settings(
    max_examples=12, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(samples.models(most_inputs=5).filter(lambda model: model.net.weight_count))
def test_random_nets_are_proved_for_all_weights(model):
    emitted = emit_loadable(model)
    assert network_is_verilog(emitted.lowered, *flat(emitted, emitted.verilog)).proved


@pytest.mark.parametrize("net", NETS[:3], ids=range(3))
def test_a_broken_core_is_refused(net):
    """Wires inverted, and gates that ignore one of their weights."""
    model = random_model(net)
    emitted = emit_loadable(model)
    start = emitted.verilog.index("module net_core")
    end = emitted.verilog.index("endmodule", start)
    core = emitted.verilog[start:end]
    random = np.random.default_rng(0)
    inverted = [fault.put_into(core) for fault in of_rtl(core) if fault.what == "inverted"]
    deaf = [core[: found.start()] + "1'b0" + core[found.end() :] for found in re.finditer(r"(?<=[ (~])w\[\d+\]", core)]
    for broken in [*random.permutation(inverted)[:5], *random.permutation(deaf)[:5]]:
        text = emitted.verilog[:start] + str(broken) + emitted.verilog[end:]
        assert not network_is_verilog(emitted.lowered, *flat(emitted, text)).proved


# The load port. What it promises from one clock to the next is proved by induction, for 13 weights.

PROMISES = """
  reg after = 0;
  reg was_rst, was_taken, was_first, was_under_way;
  reg [7:0] was_byte, was_data;
  reg [1:0] was_status;
  reg [31:0] was_digest, was_crc;
  reg [12:0] was_w;
  reg [47:0] was_chain;
  reg [5:0] was_received;
  reg [3:0] was_left;
  always @(posedge clk) begin
    after <= 1;
    {was_rst, was_taken, was_first, was_byte} <= {rst, load_valid & load_ready, load_first, load_data};
    {was_status, was_digest, was_w, was_chain} <= {load_status, digest, w, chain};
    {was_crc, was_received, was_left} <= {crc, received, bits_left};
    {was_under_way, was_data} <= {under_way, data};
  end
  wire shifted = was_left != 0;
  wire odd = was_crc[0] != was_data[0];
  wire [31:0] next_crc = odd ? (was_crc >> 1) ^ 32'hedb88320 : was_crc >> 1;
  wire whole = was_under_way && was_received == 42 && was_left == 0;
  wire right = whole && was_crc == 32'hdebb20e3;
  wire [2:0] number = was_first ? 1 : was_received + 1;
  wire fits = !(was_first || was_received < 4) || was_byte == {number, 1'b0, number};
  wire begun = was_taken && (was_first || was_under_way);
  always @* if (after) begin
    if (was_rst) begin
      assert (w == 13'h1234 && digest == 32'hfeed && load_status == 0 && !under_way && bits_left == 0);
    end else begin
      // The weights and their digest change only after a whole and right message, and then to what it says.
      if (right) assert (w == was_chain[12:0] && digest == was_chain[47:16] && load_status == 1 && !under_way);
      else assert (w == was_w && digest == was_digest);
      if (whole && !right) assert (load_status == 3 && !under_way);
      if (!whole && !begun) assert (load_status == was_status && under_way == was_under_way);
      if (begun) assert (load_status == (fits ? 0 : 2) && under_way == fits);
      // A byte that is taken is one more of the message; eight clocks bring it into chain and CRC, bit by bit.
      if (begun) assert (received == (was_first ? 1 : (was_received + 1) % 64) && data == was_byte && bits_left == 8);
      else assert (received == was_received);
      if (shifted) assert (bits_left == was_left - 1 && data == was_data >> 1 && crc == next_crc);
      if (!shifted && !begun) assert (bits_left == 0);
      if (!shifted) assert (crc == (begun && was_first ? 32'hffffffff : was_crc));
    end
    assert (chain == (shifted ? {was_data[0], was_chain[47:1]} : was_chain));
    assert (!was_taken || !shifted && !whole);
  end
  else assert (w == 13'h1234 && digest == 32'hfeed && load_status == 0 && !under_way && bits_left == 0);
"""
PARAMETERS = {
    "WEIGHTS": "13",
    "BYTES": "42",
    "SHAPE": "32'h44332211",
    "AT_RESET": "13'h1234",
    "DIGEST_AT_RESET": "32'hfeed",
}


def keeps_its_promises(loader, folder):
    (folder / "loader.v").write_text(loader.replace("endmodule", f"{PROMISES}endmodule"))
    chosen = " ".join(f"-set {name} {value}" for name, value in PARAMETERS.items())
    script = ["read_verilog -formal loader.v", f"chparam {chosen} net_load", "hierarchy -check -top net_load"]
    script += ["proc", "flatten", "chformal -lower", "opt_clean", "sat -tempinduct -prove-asserts -maxsteps 2"]
    said = yosys.run(script, folder)
    return "Induction step proven: SUCCESS!" in said


def test_the_load_port_is_proved(tmp_path):
    assert keeps_its_promises(LOADER, tmp_path)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("crc == 32'hdebb20e3", "1'b1"),
        ("crc == 32'hdebb20e3", "crc[30:0] == 31'h5ebb20e3"),
        ("w <= chain[WEIGHTS-1:0]", "w[WEIGHTS-1:1] <= chain[WEIGHTS-1:1]"),
        ("w <= chain[WEIGHTS-1:0]", "w <= chain[WEIGHTS:1]"),
        ("chain <= {data[0], chain[KEPT-1:1]};", "begin chain <= {data[0], chain[KEPT-1:1]}; w <= chain; end"),
        ("if (load_first) crc", "if (load_first && !under_way) crc"),
        ("32'hedb88320", "32'hedb88321"),
        ("place < 4", "place < 3"),
        ("bits_left == 0 && !complete", "bits_left == 0"),
        ("received == BYTES[COUNT-1:0]", "received == BYTES[COUNT-1:0] - 1"),
        ("under_way <= !misfit", "under_way <= 1"),
        ("(load_first || under_way)", "1"),
        ("    w = AT_RESET;", "    w = 0;"),
        ("      w <= AT_RESET;", ""),
    ],
)
def test_a_broken_load_port_is_refused(right, wrong, tmp_path):
    assert right in LOADER
    assert not keeps_its_promises(LOADER.replace(right, wrong), tmp_path)


# Loads while vectors flow

# Two integers, one of them signed, at ports of their own.
COLUMNS = (Column("height", "integer", 3), Column("reg", "integer", 3, signed=True))
ENCODE = Encode((Thermometer(3, False, (1, 4, 6)), Thermometer(3, True, (-2, 0, 3))))
NET = Net(6, [ENCODE, Parity(width=7), CountHot(), BucketAny(buckets=4)])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        # Half of the weights change a clock later than the others.
        (
            "always @(posedge clk) begin\n",
            "reg late = 0; always @(posedge clk) begin late <= complete && bits_left == 0 && crc == 32'hdebb20e3;"
            " if (late) w[20:0] <= chain[20:0];\n",
        ),
    ],
    ids=["right", "in halves"],
)
def test_vectors_flow_while_models_are_loaded(right, wrong, capsys, tmp_path):
    """Every answer is a whole model's, the change is at one instant, and a refused load leaves what was there."""
    model = replace(random_model(NET, seed=1), columns=COLUMNS, features=pins(COLUMNS))
    model.save(tmp_path / "a.dbnet")
    x = choose(6, "all")
    models = [model, *others(model, x)]
    differences = [(a.scores(x) != b.scores(x)).any(axis=1).mean() for a, b in pairwise(models)]
    assert min(differences) > 0.5
    whole = emit_loadable(model).verilog
    text = whole.replace(right, wrong) if right else whole
    if "late" in wrong:
        text = text.replace("w <= chain[WEIGHTS-1:0]", "w[WEIGHTS-1:21] <= chain[WEIGHTS-1:21]")
    assert (text == whole) == (not right)
    (tmp_path / "net.v").write_text(text)
    options = ["--weights", "loadable", "--verilog", tmp_path / "net.v", "--vectors", "all", "--json"]
    code, out, err = run(capsys, "sim", tmp_path / "a.dbnet", *options)
    seen = json.loads(out)
    assert list(seen) == ["simulator", "vectors", "loads", "mismatches", "build_seconds", "vectors_per_second"]
    assert (code, seen["mismatches"] > 0) == ((1, True) if right else (0, False))
    assert err.startswith("first mismatch: ") == bool(right)
    assert seen["vectors"] > 4000
    assert seen["loads"] == 15
