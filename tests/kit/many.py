"""Many small modules in one simulation: building a simulator costs more than running it."""

from dataclasses import replace

from dbhw.base import files
from dbhw.rtl.verilog.vectors import Vectors
from dbhw.sim.run import simulate, simulate_together

SIZE = 256  # how many vectors each module gets


def top(entries):
    """A module `top` that holds the emitted modules of entries side by side."""
    ports, instances = [], []
    for _, emitted, _, _ in entries:
        name, manifest, wired = emitted.module, emitted.manifest, []
        for direction, own in (("input", manifest.all_inputs), ("output", manifest.all_outputs)):
            for port in own:
                ports.append(f"{direction} {replace(port, name=f'{port.name}_{name}').wire}")
                wired.append(f".{port.name}({port.name}_{name})")
        instances.append(f"  {name} {name}_i ({', '.join(wired)});")
    return "\n".join([f"module top ({', '.join(ports)});", *instances, "endmodule", ""])


def simulate_clocked(entries, simulator="verilator"):
    """Simulates (model, emitted, verilog, inputs, options) entries together, each by itself; what was seen of each."""
    text = "\n".join([*(entry[2] for entry in entries), top([entry[:4] for entry in entries])])
    cores = {
        f"_{emitted.module}": replace(
            Vectors.of(model, emitted.manifest, x), **options, verilog_sha256=files.sha256(text)
        )
        for model, emitted, _, x, options in entries
    }
    return {name[1:]: seen for name, seen in simulate_together(text, "top", cores, simulator).items()}


def simulate_many(entries, simulator="verilator"):
    """Simulates (model, emitted, verilog, inputs) entries together; the mismatches of each.

    Each emitted module must have a name of its own; the inputs are repeated to equal numbers.
    """
    inputs, outputs, widths = {}, {}, {}
    for model, emitted, _, x in entries:
        repeated = x[[i % len(x) for i in range(max(SIZE, max(len(e[3]) for e in entries)))]]
        own = Vectors.of(model, emitted.manifest, repeated)
        inputs |= {f"{n}_{emitted.module}": v for n, v in own.inputs.items()}
        outputs |= {f"{n}_{emitted.module}": v for n, v in own.outputs.items()}
        widths |= {f"{n}_{emitted.module}": v for n, v in own.widths.items()}
    text = "\n".join([*(verilog for _, _, verilog, _ in entries), top(entries)])
    played = {"inputs": inputs, "outputs": outputs, "widths": widths}
    vectors = Vectors(verilog_sha256=files.sha256(text), clock=None, stream=None, **played)
    seen = simulate(text, "top", vectors, simulator)
    return [
        sum(n for port, n in seen.by_output.items() if port.endswith(f"_{emitted.module}"))
        for _, emitted, _, _ in entries
    ]
