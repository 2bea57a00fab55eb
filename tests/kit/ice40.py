"""One bit of a look-up table in an iCE40 bitstream, the other way round."""

import re

from dbhw.tools import process

# Where bit i of the table is among the 20 bits of a logic cell, as Project IceStorm documents it.
_TABLE = [4, 14, 15, 5, 6, 16, 17, 7, 3, 13, 12, 2, 1, 11, 10, 0]


def flipped(bitstream, x, y, z, bit, folder):
    """The bitstream with another bit in the table of cell z at (x, y)."""
    (folder / "one.bin").write_bytes(bitstream)
    _run("yowasp-iceunpack", "one.bin", "one.asc", folder)
    text = (folder / "one.asc").read_text()
    tile = re.search(rf"^\.logic_tile {x} {y}\n", text, re.M).end()
    row, column = divmod(_TABLE[bit], 10)
    lines = text[tile:].split("\n", 16)
    line = lines[2 * z + row]
    lines[2 * z + row] = line[: 36 + column] + "10"[int(line[36 + column])] + line[37 + column :]
    (folder / "one.asc").write_text(text[:tile] + "\n".join(lines))
    _run("yowasp-icepack", "one.asc", "one.bin", folder)
    return (folder / "one.bin").read_bytes()


def _run(program, source, made, folder):
    process.run(program, [process.find(program, "to flip a bit"), source, made], folder)
