"""A net as a folder that the Arduino IDE and PlatformIO take as a library, and any C compiler as plain files.

| file | what |
|---|---|
| `src/NAME.h`, `src/NAME.c` | the net |
| `src/NAME_names.c` | the names of its classes and features |
| `src/NAME_self_test.c` | examples, and a function that counts the wrong answers to them |
| `examples/self_test/self_test.ino` | the self-test for a board |
| `extras/main.c` | the self-test for a computer: `cc src/*.c extras/main.c` |
| `library.properties`, `library.json` | the library for Arduino, and for PlatformIO |
"""

from __future__ import annotations

import json
import re

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.logic.formats import c
from dbhw.logic.formats.c import Described
from dbhw.logic.gates import to_gates
from dbhw.logic.network import Network
from dbhw.software.packed import Packed


def library(network: Network, name: str, described: Described, x: np.ndarray, fields: np.ndarray) -> dict[str, str]:
    """The files by their paths. `fields` (examples, fields) is what the net must answer to `x` (examples, inputs).

    >>> n = Network(); n.integer_output("label", [n.count([(n.input("a") ^ 1, 1)])], 1)
    >>> sorted(library(n, "net", Described(("b", "c")), np.array([[True]]), np.array([[0]])))[-4:]
    ['src/net.c', 'src/net.h', 'src/net_names.c', 'src/net_self_test.c']
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise DbhwError(f"name must be an identifier in C, not {name!r}")
    sliced = to_gates(network)
    include = f'#include "{name}.h"\n'
    header = c.header(sliced, name, described)
    declared = (
        f"/* The number of examples that the net answers wrongly, of {len(x)}. */\nunsigned {name}_self_test(void);\n"
    )
    return {
        f"src/{name}.h": header.replace("#ifdef __cplusplus\n}", declared + "#ifdef __cplusplus\n}"),
        f"src/{name}.c": c.source(sliced, name, described, include),
        f"src/{name}_names.c": c.names(network, name, described, include),
        f"src/{name}_self_test.c": include + _self_test(name, x, fields),
        "extras/main.c": _MAIN.format(name=name),
        "examples/self_test/self_test.ino": _SKETCH.format(name=name),
        "library.properties": _PROPERTIES.format(name=name),
        "library.json": json.dumps(_platformio(name), indent=2) + "\n",
    }


def _self_test(name: str, x: np.ndarray, fields: np.ndarray) -> str:
    rows = [_braces(row) for row in Packed.of(x).rows.tolist()]
    expected = [_braces(row) for row in fields.tolist()]
    shape = {"name": name, "upper": name.upper(), "many": len(x)}
    return _SELF_TEST.format(**shape, rows=",\n    ".join(rows), expected=",\n    ".join(expected))


def _braces(numbers: list[int]) -> str:
    return f"{{{', '.join(map(str, numbers))}}}"


def _platformio(name: str) -> dict[str, object]:
    return {
        "name": name,
        "version": "1.0.0",
        "description": "A learned boolean net, made by dbhw",
        "frameworks": "*",
        "platforms": "*",
        "build": {"srcDir": "src", "includeDir": "src"},
    }


_PROPERTIES = """\
name={name}
version=1.0.0
author=dbhw
maintainer=dbhw
sentence=A learned boolean net.
paragraph=Classifies with bit operations only, without floating point or allocation.
category=Data Processing
url=
architectures=*
includes={name}.h
"""

_MAIN = """\
#include <stdio.h>

#include "../src/{name}.h"

int main(void)
{{
    const unsigned wrong = {name}_self_test();
    printf("%u wrong\\n", wrong);
    return wrong != 0;
}}
"""

_SKETCH = """\
#include <{name}.h>

void setup() {{
  Serial.begin(115200);
  Serial.print("wrong answers: ");
  Serial.println({name}_self_test());
}}

void loop() {{}}
"""

_SELF_TEST = """
enum {{ EXAMPLES = {many} }};

static const uint8_t rows[EXAMPLES][{upper}_ROW_BYTES] = {{
    {rows}
}};

static const int32_t expected[EXAMPLES][{upper}_FIELDS] = {{
    {expected}
}};

unsigned {name}_self_test(void)
{{
    int32_t fields[{upper}_FIELDS];
    uint16_t classes[EXAMPLES];
    unsigned wrong = 0;
    size_t e, f;
    {name}_predict_many(rows[0], EXAMPLES, classes);
    for (e = 0; e < EXAMPLES; e++) {{
        int differs = {name}_predict(rows[e]) != (unsigned)expected[e][0] || classes[e] != (uint16_t)expected[e][0];
        {name}_fields(rows[e], fields);
        for (f = 0; f < {upper}_FIELDS; f++)
            differs |= fields[f] != expected[e][f];
        wrong += differs != 0;
    }}
    return wrong;
}}
"""
