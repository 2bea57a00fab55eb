"""Tables that look odd and are right: what is understood of each."""

import json

import pytest

from tests.kit.command_line import run
from tests.kit.tables import GOOD, ROWS


def columns(**widths):
    return [{"name": name, "width": width} for name, width in widths.items()]


WEIGHT = columns(weight=6, size=4)
RIGHT = {
    # name: (content, options, what is understood)
    "a mark at the beginning": (b"\xef\xbb\xbf" + GOOD.encode(), "", {"columns": WEIGHT, "label": "kind"}),
    "UTF-16": (GOOD.encode("utf-16"), "", {"columns": WEIGHT, "label": "kind"}),
    "UTF-16 without its mark": (GOOD.encode("utf-16-le"), "", {"columns": WEIGHT, "label": "kind"}),
    "UTF-16, high byte first": (GOOD.encode("utf-16-be"), "", {"columns": WEIGHT, "label": "kind"}),
    "UTF-32": (GOOD.encode("utf-32"), "", {"columns": WEIGHT, "label": "kind"}),
    "Latin-1": (GOOD.replace("red", "rosé").encode("latin-1"), "", {"classes": [("rosé", 3), ("white", 3)]}),
    "Latin-1 after a megabyte": (
        (GOOD + f"1{' ' * 6000},9,red\n2,8,white\n" * 200).encode() + b"1,3,ros\xe9\n",
        "",
        {"classes": [("red", 203), ("rosé", 1), ("white", 203)]},
    ),
    "Windows line ends": (GOOD.replace("\n", "\r\n"), "", {"columns": WEIGHT, "label": "kind"}),
    "old Macintosh line ends": (GOOD.replace("\n", "\r"), "", {"columns": WEIGHT, "label": "kind"}),
    "no end of the last line": (GOOD[:-1], "", {"rows": 6}),
    "blank lines": (GOOD.replace("\n", "\n\n"), "", {"rows": 6, "columns": WEIGHT}),
    "spaces around cells": (GOOD.replace(",", " , "), "", {"columns": WEIGHT, "classes": [("red", 3), ("white", 3)]}),
    "everything in quotes": (
        '"' + GOOD.strip().replace(",", '","').replace("\n", '"\n"') + '"',
        "",
        {"columns": WEIGHT},
    ),
    "semicolons and decimal commas": (GOOD.replace(",", ";").replace(".", ","), "", {"columns": WEIGHT}),
    "tabs": (GOOD.replace(",", "\t"), "", {"columns": WEIGHT}),
    "pipes": (GOOD.replace(",", "|"), "", {"columns": WEIGHT}),
    "spaces": (GOOD.replace(",", "  "), "", {"columns": WEIGHT}),
    "a separator at the end of each row": (GOOD.replace("\n", ",\n"), "", {"label": "kind", "rows": 6}),
    "the label first": ("label,a\n0,3\n1,5\n0,9\n1,4\n", "", {"label": "label", "columns": columns(a=4)}),
    "no names": (ROWS, "", {"columns": columns(x0=6, x1=4), "label": "x2", "rows": 6}),
    "names of illegal characters": (
        "weight [g],weight (g),module\n" + ROWS,
        "",
        {"columns": columns(**{"weight [g]": 6, "weight (g)": 4})},
    ),
    "an empty name": (
        ",weight,kind\n" + "".join(f"{i},{i / 10},{'rw'[i % 2]}\n" for i in range(9)),
        "",
        {"columns": columns(column1=None, weight=4)},
    ),
    "names that only words tell": (
        "colour,shape\nred,round\nred,flat\nblue,flat\n",
        "",
        {"columns": columns(colour=1), "label": "shape"},
    ),
    "an identifier": (
        "who,a,kind\n" + "".join(f"u{i},{i % 3},{i % 2}\n" for i in range(9)),
        "",
        {"columns": columns(who=None, a=2)},
    ),
    "a constant": ("c,a,kind\n7,1,r\n7,2,w\n", "", {"columns": columns(c=None, a=2)}),
    "an empty column": ("c,a,kind\n,1,r\n,2,w\n", "", {"columns": columns(c=None, a=2)}),
    "a class with one row": (GOOD + "1,3,odd\n", "", {"classes": [("odd", 1), ("red", 3), ("white", 3)]}),
    "classes that are numbers": ("a,y\n1,10\n2,9\n3,9\n", "", {"classes": [("9", 2), ("10", 1)]}),
    "classes 0.0 and 1.0": ("a,y\n1,0.0\n2,1\n3,1.0\n", "", {"classes": [("0", 1), ("1", 2)]}),
    "1e308": ("a,y\n1e308,0\n-1e308,1\n3,1\n", "", {"columns": columns(a=8)}),
    "tiny numbers": ("a,y\n1e-308,0\n3e-308,1\n2e-308,1\n", "", {"columns": columns(a=8)}),
    "integers beyond 64 bits": ("a,y\n123456789012345678901234567890,0\n3,1\n4,1\n", "", {"columns": columns(a=12)}),
    "years": ("a,y\n1990,0\n2020,1\n2001,1\n", "", {"columns": columns(a=5)}),
    "negative numbers": ("a,y\n-3,0\n4,1\n-1,1\n", "", {"columns": columns(a=4)}),
    "words among numbers, as told": ("a,y\n1,0\n2,1\nXL,1\n", "--types a=category", {"columns": columns(a=2)}),
    "a word for an empty cell": ("a,y\n1,0\n2,1\nbroken,1\n3,0\n", "--empty broken", {"columns": columns(a=2)}),
    "a number for an empty cell": ("a,y\n1,0\n2,1\n-999,1\n3,0\n", "--empty -999", {"columns": columns(a=2)}),
    "empty cells": (GOOD + "NA,3,red\n?,4,white\n-,5,red\n", "", {"rows": 9, "columns": WEIGHT}),
    "empty cells dropped": (GOOD + "NA,3,red\n", "--missing drop", {"classes": [("red", 3), ("white", 3)]}),
    "a bad column dropped": (GOOD + "heavy,3,red\n", "--drop weight", {"columns": columns(size=4)}),
    "line ends within quotes": (GOOD + '1,3,"red\nbean"\n', "", {"rows": 7}),
    "a row that looks like a comment": ("#a,y\n1,0\n2,1\n", "", {"columns": columns(**{"#a": 2})}),
}


@pytest.mark.parametrize("kind", RIGHT)
def test_a_right_result(capsys, tmp_path, kind):
    content, options, expected = RIGHT[kind]
    path = tmp_path / "beans.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    code, out, err = run(capsys, "data", path, *options.split(), "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    found["columns"] = [{"name": c["name"], "width": c["width"]} for c in found["columns"]]
    found["classes"] = [(c["name"], c["rows"]) for c in found["classes"]]
    if kind == "a separator at the end of each row":
        assert found["columns"].pop() == {"name": "column4", "width": None}
    assert {key: found[key] for key in expected} == expected
