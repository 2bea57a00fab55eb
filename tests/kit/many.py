"""Many small modules in one simulation: building a simulator costs more than running it."""

from dbhw.base import files
from dbhw.rtl.verilog.emit import vectors
from dbhw.sim.run import simulate, simulate_together

SIZE = 256  # how many vectors each module gets


def top(entries):
    """A module `top` that holds the emitted modules of entries side by side."""
    ports, instances = [], []
    for _, emitted, _, _ in entries:
        name, manifest = emitted.module, emitted.manifest
        wired = []
        controls = {"inputs": [], "outputs": []}
        if manifest["clock"]:
            controls["inputs"].append(manifest["clock"])
        if stream := manifest["stream"]:
            controls["inputs"] += [stream["reset"], stream["input"]["valid"], stream["output"]["ready"]]
            controls["outputs"] += [stream["input"]["ready"], stream["output"]["valid"]]
        for direction in ("inputs", "outputs"):
            for port in manifest[direction] + [{"name": n, "width": 1} for n in controls[direction]]:
                span = f"[{port['width'] - 1}:0] " if port["width"] > 1 else ""
                ports.append(f"{direction[:-1]} wire {span}{port['name']}_{name}")
                wired.append(f".{port['name']}({port['name']}_{name})")
        instances.append(f"  {name} {name}_i ({', '.join(wired)});")
    return "\n".join([f"module top ({', '.join(ports)});", *instances, "endmodule", ""])


def simulate_clocked(entries, simulator="verilator"):
    """Simulates (model, emitted, verilog, inputs, options) entries together, each by itself; what was seen of each."""
    text = "\n".join([*(entry[2] for entry in entries), top([entry[:4] for entry in entries])])
    cores = {
        emitted.module: {**vectors(model, emitted, x), **options, "verilog_sha256": files.sha256(text)}
        for model, emitted, _, x, options in entries
    }
    return simulate_together(text, "top", cores, simulator)


def simulate_many(entries, simulator="verilator"):
    """Simulates (model, emitted, verilog, inputs) entries together; the mismatches of each.

    Each emitted module must have a name of its own; the inputs are repeated to equal numbers.
    """
    merged = {"inputs": {}, "outputs": {}}
    for model, emitted, _, x in entries:
        repeated = x[[i % len(x) for i in range(max(SIZE, max(len(e[3]) for e in entries)))]]
        own = vectors(model, emitted, repeated)
        for direction in ("inputs", "outputs"):
            merged[direction].update({f"{n}_{emitted.module}": v for n, v in own[direction].items()})
    text = "\n".join([*(verilog for _, _, verilog, _ in entries), top(entries)])
    seen = simulate(text, "top", {**merged, "verilog_sha256": files.sha256(text)}, simulator)
    return [
        sum(n for port, n in seen.by_output.items() if port.endswith(f"_{emitted.module}"))
        for _, emitted, _, _ in entries
    ]
