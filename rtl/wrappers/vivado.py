"""Vivado: an IP folder with AXI-Stream ports of 32 bits; a packet is an example, and its answer is one word."""

from __future__ import annotations

from xml.etree import ElementTree

from dbhw.rtl.verilog.emit import Emitted
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.rtl.wrappers._layout import BYTE, WORD, byte_table, described, gather, instance, label, size, slots, units

_SPIRIT = "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"
_XILINX = "http://www.xilinx.com"
# The ports of the wrapper: name, direction and width.
PORTS = [
    *(("aclk", "in", 1), ("aresetn", "in", 1)),
    *(("s_axis_tdata", "in", WORD), ("s_axis_tlast", "in", 1), ("s_axis_tvalid", "in", 1), ("s_axis_tready", "out", 1)),
    *(("m_axis_tdata", "out", WORD), ("m_axis_tlast", "out", 1)),
    *(("m_axis_tvalid", "out", 1), ("m_axis_tready", "in", 1)),
]


def folder(emitted: Emitted, vectors: Vectors) -> dict[str, str]:
    """The files: the core, its AXI-Stream ports, and the description of the IP.

    >>> from dbhw import zoo
    >>> from dbhw.rtl.verilog.emit import emit
    >>> sorted(folder(emit(zoo.load("iris-small"), stream=True), None))
    ['README.md', 'component.xml', 'hdl/net.v', 'hdl/net_axis.v']
    """
    name = emitted.module
    return {
        f"hdl/{name}.v": emitted.verilog,
        f"hdl/{name}_axis.v": _axis(emitted),
        "component.xml": _component(name),
        "README.md": _readme(emitted),
    }


def words(emitted: Emitted, values: dict[str, int]) -> list[int]:
    """The words of the packet that carries an example.

    >>> from dbhw import zoo
    >>> from dbhw.rtl.verilog.emit import emit
    >>> values = {"sepal_length": 1, "sepal_width": 2, "petal_length": 3, "petal_width": 4}
    >>> [hex(word) for word in words(emit(zoo.load("iris-small"), stream=True), values)]
    ['0x4030201']
    """
    found = units(slots(emitted.manifest.inputs, BYTE), values)
    return [int.from_bytes(bytes(found[i : i + 4]), "little") for i in range(0, len(found), 4)]


def _axis(emitted: Emitted) -> str:
    name, row = emitted.module, slots(emitted.manifest.inputs, BYTE)
    count = -(-size(row) // 4)
    answer = label(emitted.manifest)
    ports = ",\n".join(
        f"  {direction}put wire {f'[{width - 1}:0] ' if width > 1 else ''}{port}" for port, direction, width in PORTS
    )
    return f"""\
// {name} between AXI-Streams: {count} words of 32 bits are an example, the last with tlast; the answer is a word.
module {name}_axis (
{ports}
);
  wire clk = aclk;
  wire rst = ~aresetn;
  reg begins;  // the next word is the first of a packet
  wire x_valid, x_ready, y_valid;
  wire y_ready = m_axis_tready;
  wire [{count * WORD - 1}:0] x;
  {answer.wire};

  initial begins = 1'b1;
  always @(posedge clk)
    if (rst) begins <= 1'b1;
    else if (s_axis_tvalid & s_axis_tready) begins <= s_axis_tlast;

  {name}_gather #(.WIDTH({WORD}), .WORDS({count})) gather (
    .clk(clk), .rst(rst),
    .valid(s_axis_tvalid), .ready(s_axis_tready), .first(begins), .data(s_axis_tdata),
    .x_valid(x_valid), .x_ready(x_ready), .x(x)
  );

{instance(emitted.manifest, row, ["label"])}

  assign m_axis_tdata = {{{{{WORD - answer.width}{{1'b0}}}}, label}};
  assign m_axis_tvalid = y_valid;
  assign m_axis_tlast = 1'b1;
endmodule

{gather(f"{name}_gather")}"""


def _component(name: str) -> str:
    """IP-XACT 2009 as Vivado's IP catalogue reads it."""
    ElementTree.register_namespace("spirit", _SPIRIT)
    ElementTree.register_namespace("xilinx", _XILINX)
    root = _node("component")
    for tag, text in (("vendor", "dbhw"), ("library", "user"), ("name", f"{name}_axis"), ("version", "1.0")):
        _add(root, tag, text)
    interfaces = _add(root, "busInterfaces")
    for bus, mode in (("s_axis", "slave"), ("m_axis", "master")):
        signals = ("TDATA", "TVALID", "TREADY", "TLAST")
        _interface(interfaces, bus, "interface", "axis", mode, {s: f"{bus}_{s.lower()}" for s in signals}, {})
    _interface(interfaces, "aresetn", "signal", "reset", "slave", {"RST": "aresetn"}, {"POLARITY": "ACTIVE_LOW"})
    clocked = {"ASSOCIATED_BUSIF": "s_axis:m_axis", "ASSOCIATED_RESET": "aresetn"}
    _interface(interfaces, "aclk", "signal", "clock", "slave", {"CLK": "aclk"}, clocked)
    _model(_add(root, "model"), name)
    _files(_add(root, "fileSets"), name)
    _add(root, "description", "A learned boolean net, made by dbhw")
    catalogue = ElementTree.SubElement(_add(root, "vendorExtensions"), f"{{{_XILINX}}}coreExtensions")
    ElementTree.SubElement(catalogue, f"{{{_XILINX}}}displayName").text = f"{name} (dbhw)"
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _node(tag: str) -> ElementTree.Element:
    return ElementTree.Element(f"{{{_SPIRIT}}}{tag}")


def _add(parent: ElementTree.Element, tag: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    named = {f"{{{_SPIRIT}}}{key}": value for key, value in attributes.items()}
    made = ElementTree.SubElement(parent, f"{{{_SPIRIT}}}{tag}", named)
    made.text = text
    return made


def _interface(
    parent: ElementTree.Element,
    name: str,
    library: str,
    kind: str,
    mode: str,
    ports: dict[str, str],
    parameters: dict[str, str],
) -> None:
    bus = _add(parent, "busInterface")
    _add(bus, "name", name)
    for tag, suffix in (("busType", ""), ("abstractionType", "_rtl")):
        _add(bus, tag, vendor="xilinx.com", library=library, name=f"{kind}{suffix}", version="1.0")
    _add(bus, mode)
    maps = _add(bus, "portMaps")
    for logical, physical in ports.items():
        pair = _add(maps, "portMap")
        _add(_add(pair, "logicalPort"), "name", logical)
        _add(_add(pair, "physicalPort"), "name", physical)
    if parameters:
        listed = _add(bus, "parameters")
        for key, value in parameters.items():
            parameter = _add(listed, "parameter")
            _add(parameter, "name", key)
            _add(parameter, "value", value)


def _model(model: ElementTree.Element, name: str) -> None:
    views = _add(model, "views")
    for view, use in (("synthesis", "vivado.xilinx.com:synthesis"), ("simulation", "vivado.xilinx.com:simulation")):
        made = _add(views, "view")
        _add(made, "name", f"xilinx_any{view}")
        _add(made, "envIdentifier", f":{use}")
        _add(made, "language", "Verilog")
        _add(made, "modelName", f"{name}_axis")
        _add(_add(made, "fileSetRef"), "localName", "sources")
    ports = _add(model, "ports")
    for port, direction, width in PORTS:
        made = _add(ports, "port")
        _add(made, "name", port)
        wire = _add(made, "wire")
        _add(wire, "direction", direction)
        if width > 1:
            vector = _add(wire, "vector")
            _add(vector, "left", str(width - 1), format="long")
            _add(vector, "right", "0", format="long")


def _files(sets: ElementTree.Element, name: str) -> None:
    sources = _add(sets, "fileSet")
    _add(sources, "name", "sources")
    for path in (f"hdl/{name}.v", f"hdl/{name}_axis.v"):
        file = _add(sources, "file")
        _add(file, "name", path)
        _add(file, "fileType", "verilogSource")


def _readme(emitted: Emitted) -> str:
    row = slots(emitted.manifest.inputs, BYTE)
    answer = label(emitted.manifest)
    return f"""\
# {emitted.module}_axis, an IP with AXI-Stream ports

Name this folder in Settings, IP, Repository, or with `set_property ip_repo_paths`. `{emitted.module}_axis` is then in
the catalogue. In a block design, *Add Module* also takes the two files of `hdl/` as they are.

A packet on `s_axis` is an example: {size(row)} bytes, four in a word, the lowest first; `tlast` is high with the last
word. A packet that is too short gets no answer, and words beyond the example are dropped. For each example there is a
word on `m_axis` with the label: {described(answer)}.

{byte_table(row)}
"""
