"""The handshake of a stream, compared with a shift register on every sequence of inputs."""

from __future__ import annotations

from dbhw.prove.clocked.data_path import CONTROL_INPUTS, CONTROL_OUTPUTS, DataPath
from dbhw.prove.clocked.gates import CONSTANTS, READS, Gates, Part, Wire, is_register, model
from dbhw.prove.workshop import Workshop


def follows_rules(shop: Workshop, path: DataPath, latency: int) -> bool:
    """Whether the handshake, and the data path's enable, do what a shift register of the latency's length does.

    >>> from dbhw.prove.clocked.gates import read_gates
    >>> wires = "assign x_ready = y_ready, y_valid = x_valid, y = x;"
    >>> ports = "input wire x, x_valid, y_ready, output wire y, y_valid, x_ready"
    >>> with Workshop(f"module net ({ports}); {wires} endmodule") as shop:
    ...     path = DataPath(read_gates(shop.folder, "net"))
    ...     follows_rules(shop, path, 0), follows_rules(shop, path, 1)
    (True, False)
    """
    enables = [wire for wire in path.enables if wire is not None]
    (shop.folder / "control.blif").write_text(_control_blif(path.gates, enables))
    (shop.folder / "rules.blif").write_text(_rules(latency, bool(enables)))
    return shop.sequentially_equivalent("control.blif", "rules.blif")


def _control_blif(gates: Gates, enables: list[Wire]) -> str:
    """The wires of the handshake and what they depend on, data excepted, with latches for registers."""
    part = Part(gates, {gates.inputs[name][0]: name for name in CONTROL_INPUTS if name in gates.inputs})
    outputs = [(name, gates.outputs[name][0]) for name in CONTROL_OUTPUTS if name in gates.outputs]
    outputs += [("enable", wire) for wire in enables]
    pending, seen = [wire for _, wire in outputs], {*part.names, *CONSTANTS}
    while pending:
        wire = pending.pop()
        if wire in seen:
            continue
        seen.add(wire)
        kind, pins = gates.driver(wire)
        if is_register(kind):
            part.add_latch(wire)
        elif kind in READS:
            part.add_gate(wire)
        pending += [pins[p] for p in (*READS.get(kind, []), "E") if p in pins]
    return part.blif(CONTROL_INPUTS, outputs)


def _rules(latency: int, enable: bool) -> str:
    """A stream as it should be: `latency` places, which move on unless the last holds a result not yet taken.

    Without any place, `x_valid` is `y_valid`, and `y_ready` is `x_ready`.
    """
    if not latency:
        return model(
            CONTROL_INPUTS, CONTROL_OUTPUTS, [".names y_ready x_ready", "1 1", ".names x_valid y_valid", "1 1"]
        )
    lines = [f".names y_ready place{latency} move", "1- 1", "-0 1", ".names move rst x_ready", "10 1"]
    lines += [f".names place{latency} y_valid", "1 1", ".names x_valid place0", "1 1"]
    for i in range(1, latency + 1):
        lines += [f".names move rst place{i - 1} place{i} next{i}", "101- 1", "00-1 1", f".latch next{i} place{i} 0"]
    if enable:
        lines += [".names move enable", "1 1"]
    return model(CONTROL_INPUTS, [*CONTROL_OUTPUTS, *["enable"] * enable], lines)
