"""Ports by name: legal and unique, told in the manifest, in every form of the hardware; one taken wrongly is seen."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from amaranth.back import rtlil
from hypothesis import given, settings
from hypothesis import strategies as st

from dbhw.base.errors import DbhwError
from dbhw.data.stimuli import choose
from dbhw.data.tables.column import Column
from dbhw.nn.encoders.thermometer import Thermometer
from dbhw.prove.clocked.pipeline import verilog_is_pipeline
from dbhw.prove.equivalence import network_is_verilog, prove_emitted
from dbhw.rtl.core.component import Core
from dbhw.rtl.flat import flat
from dbhw.rtl.link.tops import SelfTest, top_verilog
from dbhw.rtl.loadable import emit_loadable
from dbhw.rtl.stream import Streamed
from dbhw.rtl.verilog.emit import emit
from dbhw.rtl.verilog.manifest import Manifest
from dbhw.rtl.verilog.names import class_names, port_names
from dbhw.rtl.verilog.ports import described, input_ports
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.tools import yosys
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.integers import COLUMNS, PORTS, integer_model, table
from tests.kit.leds import BENCH, leds
from tests.kit.lint import lint
from tests.kit.many import simulate_clocked

FORMS = [
    {},
    {"ports": "packed"},
    {"pipeline": "stages=2"},
    {"pipeline": "levels=1", "stream": True},
    {"stream": True},
]


@settings(max_examples=200, deadline=None, database=None)
@given(st.lists(st.one_of(st.text(max_size=8), st.sampled_from(samples.NAMES)), max_size=12))
def test_every_name_becomes_a_legal_one_of_its_own(names):
    for made in (port_names(names, ["encode_1"]), class_names(names)):
        assert len(set(made)) == len(names)
        assert all(re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) and len(name) < 80 for name in made)
    ours = {"x", "w", "clk", "rst", "label", "bits", "scores", "reg", "logic", "load_data", "x_valid", "encode_1_0"}
    assert not ours & set(port_names(names, ["encode_1"]))


def named_model():
    """A model with a column for every odd name."""
    random = np.random.default_rng(0)
    columns = [Column(name, "integer", 1 + i % 3, signed=i % 2 == 1) for i, name in enumerate(samples.NAMES)]
    encoders = [samples.make_encoder("thermometer", c.width, c.signed) for c in columns]
    net = samples.Net(
        sum(c.width for c in columns),
        [
            samples.layers.find("encode")(tuple(encoders)),
            samples.layers.find("parity")(width=6),
            samples.layers.find("bucket_sum")(buckets=2),
        ],
    )
    model = samples.random_model(net, random)
    return replace(model, columns=tuple(columns), features=samples.pins(columns), classes=("reg", "Reg"))


def test_odd_names_in_every_form(tmp_path):
    """Linted, proved, and simulated together: building a simulator takes longest."""
    model, entries = named_model(), []
    for i, form in enumerate(FORMS):
        emitted = emit(model, f"net{i}", **form)
        lint(tmp_path, emitted, "-Wno-DECLFILENAME")
        stream, latency = emitted.manifest.stream is not None, emitted.manifest.latency
        text = flat(emitted, emitted.verilog)
        if stream or latency:
            assert all(step.proved for step in verilog_is_pipeline(emitted.lowered, *text, 6, latency, stream)), form
        else:
            assert network_is_verilog(emitted.lowered, *text).proved, form
        entries.append((model, emitted, emitted.verilog, choose(model.net.inputs, "40"), {"stalls": False}))
    seen = simulate_clocked(entries)
    assert {module: found.mismatches for module, found in seen.items()} == {f"net{i}": 0 for i in range(len(FORMS))}


def test_odd_names_with_loadable_weights(tmp_path):
    emitted = emit_loadable(named_model())
    lint(tmp_path, emitted, "-Wno-DECLFILENAME")
    assert network_is_verilog(emitted.lowered, *flat(emitted, emitted.verilog)).proved


def test_the_ports_of_a_model(tmp_path):
    """Names, comments and constants in the Verilog; the columns in the manifest; users' numbers in the vectors."""
    model = integer_model()
    emitted = emit(model)
    lines = emitted.verilog.splitlines()
    assert "  // petal length (cm): 0 to 15 for 1 to 2.5, in steps of 0.1" in lines
    assert "  input wire [3:0] petal_length_cm," in lines
    assert "  // petal-length-(cm): -8 to 7 in twos complement" in lines
    assert "  input wire signed [3:0] petal_length_cm_2," in lines
    assert "  // reg: 0 = blue, 1 = red, 2 = green" in lines
    assert "  // clk: 0 or 1" in lines
    assert "  input wire clk_in," in lines
    assert "  localparam CLASS_IRIS_SETOSA_2 = 2'd2;" in lines
    x = table(np.random.default_rng(1), 50)
    emitted.save(tmp_path, Vectors.of(model, emitted.manifest, x))
    read = Manifest.read(tmp_path / "manifest.json")
    assert read == emitted.manifest
    assert [port.name for port in read.inputs] == PORTS
    for port, column in zip(read.inputs, COLUMNS, strict=True):
        assert (port.integer.column, port.width, port.integer.kind) == (column.name, column.width, column.kind)
        assert (port.integer.signed, port.integer.scale) == (column.signed, column.scale)
        assert (port.integer.offset, port.integer.categories) == (column.offset, column.categories)
    found = json.loads((tmp_path / "vectors.json").read_text())["inputs"]
    assert list(found) == PORTS
    for (length, number, word, bit), *integers in zip(x.tolist(), *found.values(), strict=True):
        expected = [min(max(round((length - 1) * 10), 0), 15), min(max(number, -8), 7) % 16]
        assert [int(v, 16) for v in integers] == [*expected, ["blue", "red", "green"].index(word), bit]


def test_packed_ports(capsys, tmp_path):
    model = integer_model()
    model.save(tmp_path / "a.dbnet")
    code, out, err = run(capsys, "emit", tmp_path / "a.dbnet", "-o", tmp_path / "out", "--ports", "packed", "--json")
    assert code == 0, err
    assert [(port["name"], port["width"]) for port in json.loads(out)["inputs"]] == [("x", 11)]
    text = (tmp_path / "out/net.v").read_text()
    assert "// x[7:4] = petal-length-(cm): -8 to 7 in twos complement\n" in text
    assert "input wire [10:0] x," in text
    code, out, err = run(capsys, "prove", tmp_path / "a.dbnet", "--ports", "both")
    assert (code, err) == (2, "dbhw: ports must be one of name, packed, not 'both'\n")
    with pytest.raises(DbhwError, match=r"^ports must be one of name, packed, not ''$"):
        described(model.features, model.columns, "")


def wrong_ports(verilog):
    """Verilog that takes one port for another of the same width, or its bits in another order."""
    first, second = PORTS[:2]
    head, end, body = verilog.partition(");\n")
    swapped = {first: second, second: first}
    yield "swapped", head + end + re.sub(rf"\b({second}|{first})\b", lambda m: swapped[m[1]], body)
    yield "reversed", head + end + re.sub(rf"\b{first}\[(\d)\]", lambda m: f"{first}[{3 - int(m[1])}]", body)
    yield "declared upwards", verilog.replace(f"[3:0] {first},", f"[0:3] {first},")


@pytest.mark.parametrize("pipeline", ["comb", "stages=2"])
def test_a_port_taken_wrongly_is_refused(pipeline):
    emitted = emit(integer_model(), pipeline=pipeline)
    latency = emitted.manifest.latency

    def proved(text):
        return verilog_is_pipeline(emitted.lowered, *flat(emitted, text), 6, latency, False)[0].proved

    assert all(step.proved for step in prove_emitted(emitted, "ice40"))
    for what, broken in wrong_ports(emitted.verilog):
        assert broken != emitted.verilog
        # Slices would have to be written the other way round; a bit by its number is taken from the other end.
        if what != "declared upwards" or not re.search(r"\b" + PORTS[0] + r"\[\d:", broken):
            assert not proved(broken), what


def test_the_amaranth_component_has_the_ports():
    model = integer_model()
    emitted = emit(model)
    core = Core(emitted.network, inputs=input_ports(emitted.manifest))
    assert list(core.signature.members)[:4] == PORTS
    assert core.petal_length_cm_2.shape().signed
    verilog = yosys.verilog_from_rtlil(rtlil.convert(core, name="net", emit_src=False))
    assert network_is_verilog(emitted.lowered, *flat(emitted, verilog)).proved


def test_a_stream_carries_a_field_for_each_port():
    core = Streamed(emit(integer_model(), pipeline="stages=1", stream=True))
    assert list(core.x.payload.shape().members) == PORTS
    assert len(core.x.payload.as_value()) == 11
    text = top_verilog(core, "top")
    assert all(f".{name}(" in text for name in PORTS)
    assert len(Streamed(emit(integer_model(), stream=True, ports="packed")).x.payload) == 11


def test_the_self_test_of_integers(tmp_path):
    """First the right core, then one whose label is inverted."""
    model = integer_model()
    emitted = emit(model)
    top = top_verilog(SelfTest(emitted, model, table(np.random.default_rng(2), 200)), "tester")
    cores = re.sub(r"assign (label\S*) = (.*);", r"assign \1 = bench.chosen[0] ? ~(\2) : (\2);", emitted.verilog)
    bench = BENCH.replace("CORES", "2").replace("CLOCKS", str(200 + 8))
    assert leds("\n".join([cores, top, bench]), tmp_path) == ["10", "01"]


@pytest.mark.parametrize(("threshold", "bits"), [(128, 1), (64, 2), (192, 2), (32, 3), (160, 3), (16, 4), (1, 8)])
@pytest.mark.parametrize("signed", [False, True])
def test_a_threshold_reads_only_the_bits_that_matter(threshold, bits, signed):
    """A multiple of a power of two takes the bits above that power, and the others are in the list of the unused."""
    column = Column("height", "integer", 8, signed=signed)
    encode = samples.layers.find("encode")((Thermometer(8, signed, (threshold - 128 * signed,)),))
    model = samples.random_model(samples.Net(8, [encode]), np.random.default_rng(0))
    verilog = emit(replace(model, columns=(column,), features=samples.pins([column]))).verilog
    used, _, unused = verilog.partition("Inputs that nothing depends on.")
    read = {int(number) for number in re.findall(r"height\[(\d)\]", used)}
    assert read == set(range(8 - bits, 8))
    assert ("unused = " in unused) == (bits < 8)
