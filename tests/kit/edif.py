"""A netlist in EDIF as Verilog, for Yosys, which writes EDIF and does not read it; only what our exports have."""

import re


def to_verilog(text):
    words = iter(re.findall(r'"[^"]*"|[()]|[^\s()"]+', text))
    assert next(words) == "("
    tree = parsed(words)
    cell = next(part for part in found(tree, "library") if part[1] == "DESIGN")
    cell = next(found(cell, "cell"))
    view = next(found(cell, "view"))
    ports = dict(port(part) for part in found(next(found(view, "interface")), "port"))
    contents = next(found(view, "contents"))
    instances = {named(part[1]): part for part in found(contents, "instance")}
    pins, lines = {name: {} for name in instances}, []
    for number, net in enumerate(found(contents, "net")):
        wires = []
        for part in found(next(found(net, "joined")), "portRef"):
            if len(part) == 3:
                pins[part[2][1]][part[1]] = f"w{number}"
            elif isinstance(part[1], list):  # (member name index), index 0 is the highest bit
                wires.append((part[1][1], f"{part[1][1]}[{ports[part[1][1]][1] - 1 - int(part[1][2])}]"))
            else:
                wires.append((part[1], part[1]))
        lines.append(f"wire w{number};")
        driven_by = [wire for name, wire in wires if ports[name][0] == "input"]
        lines += [f"assign w{number} = {wire};" for wire in driven_by]
        lines += [f"assign {wire} = w{number};" for name, wire in wires if ports[name][0] == "output"]
    for name, part in instances.items():
        lines += gate(next(found(next(found(part, "viewRef")), "cellRef"))[1], part, pins[name])
    # Yosys lists the ports from the last to the first.
    head = ", ".join(f"{side} [{width - 1}:0] {name}" for name, (side, width) in reversed(ports.items()))
    return f"module net ({head});\n" + "\n".join(lines) + "\nendmodule\n"


def gate(kind, part, pins):
    if kind in ("GND", "VCC"):
        pin = pins.get("G" if kind == "GND" else "P")
        return [f"assign {pin} = 1'b{int(kind == 'VCC')};"] if pin else []
    if kind == "INV":
        return [f"assign {pins['O']} = ~{pins['I']};"]
    n = int(kind.removeprefix("LUT"))
    value = int(next(prop for prop in found(part, "property") if prop[1] == "INIT")[2][1].strip('"'))
    address = ", ".join(pins[f"I{i}"] for i in reversed(range(n)))
    name = f"table_{pins['O']}"
    return [f"wire [{2**n - 1}:0] {name} = {2**n}'d{value};", f"assign {pins['O']} = {name}[{{{address}}}];"]


def port(part):
    side = next(found(part, "direction"))[1].lower()
    if isinstance(part[1], list):  # (array (rename a "a[2:0]") 3)
        return named(part[1][1]), (side, int(part[1][2]))
    return part[1], (side, 1)


def named(part):
    return part[1] if isinstance(part, list) else part


def found(tree, name):
    return (part for part in tree if isinstance(part, list) and part[:1] == [name])


def parsed(words):
    tree = []
    for word in words:
        if word == ")":
            return tree
        tree.append(parsed(words) if word == "(" else word)
    return tree
