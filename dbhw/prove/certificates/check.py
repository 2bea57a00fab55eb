"""Checks a certificate with nothing but ABC: python check.py FOLDER [ABC]. Wires proved equal become free inputs."""
import hashlib, json, subprocess, sys, tempfile
from pathlib import Path

def _blif(path):  # the inputs, the outputs, and what drives each wire
    head, *gates = path.read_text().removesuffix(".end\n").split(".names ")
    _, inputs, outputs = (line.split()[1:] for line in head.splitlines())
    return inputs, outputs, {gate.split("\n")[0].split()[-1]: gate for gate in gates}

def _equal(abc, folder, command):
    return "are equivalent" in subprocess.run([abc, "-c", command], cwd=folder, capture_output=True, text=True).stdout

def _proved(abc, folder, link):
    (inputs, outputs, a), (others, answers, b) = (_blif(folder / link[side]) for side in "ab")
    known, right = dict[str, str](), (inputs, outputs) == (others, answers)
    for wires in [*link["steps"], outputs]:  # each step holds whatever the known wires are: free, or driven alike
        free = [*inputs, *(wire for wire, gate in known.items() if not gate)]
        with tempfile.TemporaryDirectory() as here:
            for name, gates in (("a", a), ("b", b)):
                driven = "".join(f".names {gate}" for gate in {**gates, **known}.values() if gate)
                text = f".model m\n.inputs {' '.join(free)}\n.outputs {' '.join(wires)}\n{driven}.end\n"
                Path(here, f"{name}.blif").write_text(text)
            read = "".join(f"read_blif {name}.blif; strash; write_aiger {name}.aig; " for name in "ab")
            right = right and any(_equal(abc, here, f"{read}{how} a.aig b.aig") for how in ("&cec -y", "&cec"))
        for wire in wires:
            same = (gates[wire] for gates in (a, b) if {*gates[wire].split("\n")[0].split()[:-1]} <= {*inputs, *known})
            known[wire] = next(same, "")  # one side may say that it is a wire which is known already
    return right

if __name__ == "__main__":
    path, program, last = Path(sys.argv[1]), (sys.argv[2:] or ["yosys-abc"])[0], None
    for name, digest in json.loads((path / "manifest.json").read_text())["proved"]["files"].items():
        if hashlib.sha256((path / name).read_bytes()).hexdigest() != digest:
            sys.exit(f"REFUSED: {name} is another file")
    for link in json.loads((path / "steps.json").read_text()):
        joined, last = link["aside"] or last in (None, link["a"]), last if link["aside"] else link["b"]
        dsec = link["by"] == "dsec" and _equal(program, path, f"dsec {link['a']} {link['b']}")
        right = joined and (dsec or link["by"] == "cec" and _proved(program, path, link))
        believed = link["by"] not in ("cec", "dsec") and f"NOT CHECKED HERE, but by {link['by']}:"
        print("proved:" if right else believed or sys.exit(f"REFUSED: {link['claim']}"), link["claim"])
