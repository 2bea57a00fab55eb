"""Single faults in Verilog text."""

import re


def faults(verilog):
    """Every text that one fault makes of the assignments: what is wrong, and the broken Verilog."""
    lines = verilog.splitlines()
    for number, line in enumerate(lines):
        head, equals, value = line.partition(" = ")
        if not equals or "unused" in head or head.startswith("(*"):  # an attribute means nothing
            continue
        for what, broken in _line_faults(value):
            if broken != value:
                yield what, "\n".join([*lines[:number], head + equals + broken, *lines[number + 1 :], ""])


def _line_faults(value):
    yield "inverted wire", f"~({value[:-1]});" if " + " not in value and ">" not in value else value
    for a, b in ((" & ", " | "), (" | ", " & "), (" ^ ", " & "), (" >= ", " > "), (" > ", " >= "), (" + ", " & ")):
        for place in re.finditer(re.escape(a), value):
            yield f"{a.strip()} became {b.strip()}", value[: place.start()] + b + value[place.end() :]
    for place in re.finditer(r"(\d+)'h([0-9a-f]+)", value):
        width, number = int(place[1]), int(place[2], 16)
        other = (number + 1) % (1 << width)
        yield "constant off by one", f"{value[: place.start()]}{width}'h{other:x}{value[place.end() :]}"
    for place in re.finditer(r"[~\w\[\]']+ [&|^] ", value):
        yield "dropped term", value[: place.start()] + value[place.end() :]
