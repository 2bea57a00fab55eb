"""The readers of what comes from outside, with valid contents to damage: files, rules, and replies of a board.

Where a digest or a checksum would refuse nearly every damaged byte, what is damaged is put under a right one again.
"""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import safetensors.numpy

from dbhw import zoo
from dbhw.base.errors import DbhwError
from dbhw.boards import Device
from dbhw.boards.host import frames
from dbhw.data.tables import examples, read
from dbhw.data.tables.column import Column, pins
from dbhw.logic.formats import json as json_format
from dbhw.model import file
from dbhw.prove.properties import rules
from dbhw.rtl.link import protocol
from tests.kit.link import MODEL, FakePort
from tests.kit.link import reply as right_reply

_ARRAY = b"\x93NUMPY"  # how an array in a .npz file begins
_MEMBERS = ("x", "y", "features", "classes")
_CLASSES = ["t-shirt", "coat"]


@dataclass(frozen=True)
class Kind:
    """Valid contents of a kind, what reads them, and words of its language that random bytes would seldom hit."""

    valid: tuple[bytes, ...]
    read: Callable[[bytes], object]
    words: tuple[bytes, ...] = ()


@cache
def readers() -> dict[str, Kind]:
    """By name: the kinds of content.

    >>> sorted(readers())
    ['csv', 'frame', 'model', 'model content', 'network', 'npz', 'npz content', 'reply', 'rule', 'rule of columns']
    """
    raw, archives = _good_model(), _as_table("a.npz")
    csv = b"length,colour,label\n" + b"1.5,red,a\n2.5,blue,b\n0,red,a\n1e3,green,b\n" * 3
    spaced = ("größe;wert;klasse\n" + "1,5;3;a\n2,5;4;b\n0,1;5;a\n" * 4).encode("latin-1")
    entry = json.dumps(_entry(raw)["content"]).encode()
    words = (b"null", b"-1", b"1e400", b"[]", b"{}", b"1.5", b"NaN", b"true", b'"', b"18446744073709551616")
    logic = (b"and", b"or", b"not", b"->", b"(", b")", b"'", b'"', b"cold", b"coat", b"rain")
    compared = (*logic, b">=", b"<", b"==", b"!=", b"celsius", b"sky", b"grey", b"1e999", b"-0.5", b"nan")
    return {
        "csv": Kind((csv, spaced), _as_table("a.csv"), (b",", b";", b"\t", b'"', b"nan", b"1e999", b"\xff\xfe", b"\0")),
        "frame": Kind((frames.frame(bytes(range(256)))[1:-1], frames.frame(b"\xc0\xdb")[1:-1]), frames.unframe),
        "model": Kind((raw,), lambda data: file.from_bytes("a.dbnet", data), words),
        "model content": Kind((entry,), _as_model, words),
        "network": Kind((json_format.write(MODEL.to_network()).encode(),), _as_network, words),
        "npz": Kind(tuple(_archive(part) for part in _arrays()), archives, (_ARRAY, b"PK")),
        "npz content": Kind(_arrays(), lambda data: archives(_archive(data)), (_ARRAY, b"'<f8'", b"'<U3'")),
        "reply": Kind((_replies(),), _as_replies, (b"\xc0", b"\x81", b"\x82", b"\xff")),
        "rule": Kind((b"cold and not 'very cold' -> coat", b"(rain or cold) -> (coat)"), _as_rule, logic),
        "rule of columns": Kind((b"celsius < 10 and sky == grey -> coat",), _as_rule_of_columns, compared),
    }


def fault(read: Callable[[bytes], object], raw: bytes) -> Exception | None:
    """What is wrong with a reader, shown by these bytes; None if it reads them or refuses them in one line.

    >>> fault(int, b"1"), fault(int, b"one")
    (None, ValueError("invalid literal for int() with base 10: b'one'"))
    """
    try:
        read(raw)
    except DbhwError:  # one line, which its class sees to
        return None
    except Exception as wrong:  # whatever is raised is a find
        return wrong
    return None


def check_file(kind: str, raw: bytes) -> None:
    """Reads damaged bytes: they are read, or refused by a `DbhwError` of one line.

    >>> check_file("rule", b"cold -> -> coat")
    """
    wrong = fault(readers()[kind].read, raw)
    if wrong is not None:
        raise wrong


@cache
def _good_model() -> bytes:
    return zoo.load("iris-small").to_bytes()


def _as_table(name: str) -> Callable[[bytes], object]:
    folder = tempfile.TemporaryDirectory()

    def prepared(raw: bytes) -> object:
        path = Path(folder.name, name)
        path.write_bytes(raw)
        return examples.prepare(read.read(path))

    return prepared


def _arrays() -> tuple[bytes, ...]:
    """Arrays x and y, of bits and of numbers, one behind the other."""
    drawn = np.random.default_rng(0)
    both = []
    for x in (drawn.random((20, 3)) < 0.5, drawn.integers(0, 9, (20, 3)).astype(float)):
        written = io.BytesIO()
        for array in (x, np.arange(20) % 2, np.array(["a", "b", "c"]), np.array(["no", "yes"])):
            np.lib.format.write_array(written, array)
        both.append(written.getvalue())
    return tuple(both)


def _archive(raw: bytes) -> bytes:
    """Arrays that stand one behind the other, as members of an archive with right checksums."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, array in zip(_MEMBERS, raw.split(_ARRAY)[1:], strict=False):
            archive.writestr(f"{name}.npy", _ARRAY + array)
    return written.getvalue()


def _entry(raw: bytes) -> dict[str, object]:
    header = json.loads(raw[8 : 8 + int.from_bytes(raw[:8], "little")])
    return json.loads(header["__metadata__"]["dbhw"])


def _as_model(raw: bytes) -> object:
    """The content of a model file under a right digest, with the weights of a good one."""
    try:
        content = json.loads(raw)
    except (ValueError, RecursionError):  # UnicodeDecodeError is one too: no JSON is what "model" damages
        return None
    tensors = safetensors.numpy.load(_good_model())
    entry: dict[str, object] = {"format": file.FORMAT_VERSION, "content": content}
    entry["sha256"] = file.checksum(entry, tensors)
    try:
        whole = safetensors.numpy.save(tensors, {"dbhw": json.dumps(entry)})
    except UnicodeEncodeError:  # half of a surrogate pair, which no file can hold
        return None
    return file.from_bytes("a.dbnet", whole)


def _as_network(raw: bytes) -> object:
    return json_format.read(raw.decode(errors="replace"))


def _as_rule(raw: bytes) -> object:
    return rules.parse(raw.decode(errors="replace"), ["cold", "very cold", "rain"], _CLASSES)


def _as_rule_of_columns(raw: bytes) -> object:
    columns = [
        Column("celsius", "real", 8, signed=True, scale=0.5),
        Column("sky", "category", 2, categories=("blue", "grey", "black")),
        Column("rain", "bit", 1),
    ]
    return rules.parse(raw.decode(errors="replace"), pins(columns), _CLASSES, columns)


def _replies() -> bytes:
    """The kinds and payloads of what a board answers to a greeting and to an example, between ENDs."""
    example = bytes([protocol.CLASSIFY, *np.packbits(np.zeros(MODEL.net.inputs, bool), bitorder="little")])
    bodies = [right_reply(body) for body in (bytes([protocol.HELLO]), example)]
    return bytes([frames.END]).join(body[:1] + body[5:] for body in bodies)


def _as_replies(raw: bytes) -> object:
    """What the host makes of replies whose checksums are right; of each request they take the next one."""
    parts = raw.split(bytes([frames.END]))

    def answer(body: bytes) -> bytes:
        part = parts.pop(0) if parts else b""
        return frames.frame(part[:1] + frames.crc(body) + part[1:])

    port = FakePort(answer)
    with Device(MODEL, port, baud=1_000_000, tries=2, now=port.now) as device:
        return device.predict(np.zeros((1, MODEL.net.inputs), bool))
