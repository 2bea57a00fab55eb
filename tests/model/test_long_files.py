"""Model files with long descriptions, which are compressed: they come back, and damaged or hostile ones are refused."""

import json
import zlib

import numpy as np
import pytest
import safetensors.numpy

from dbhw import zoo
from dbhw.base.errors import DbhwError
from dbhw.model import file

MODEL = zoo.load("mnist-small")


def entry_of(raw):
    return json.loads(json.loads(raw[8 : 8 + int.from_bytes(raw[:8], "little")])["__metadata__"]["dbhw"])


def with_content(content):
    """The model's file with another compressed description, and a digest that is right for it."""
    tensors = safetensors.numpy.load(MODEL.to_bytes()) | {"content": content}
    entry = {"format": 3}
    return safetensors.numpy.save(tensors, {"dbhw": json.dumps({**entry, "sha256": file.checksum(entry, tensors)})})


def test_a_long_description_is_compressed_and_comes_back():
    raw = MODEL.to_bytes()
    again = file.from_bytes("a.dbnet", raw)
    assert entry_of(raw).keys() == {"format", "sha256"}
    assert len(raw) < len(zlib.decompress(safetensors.numpy.load(raw)["content"].tobytes())) / 2
    assert (again.net, again.columns, again.classes) == (MODEL.net, MODEL.columns, MODEL.classes)
    assert again.provenance == MODEL.provenance
    assert all(
        a is b is None or np.array_equal(a, b) for a, b in zip(again.soft_weights, MODEL.soft_weights, strict=True)
    )


def test_a_short_one_can_be_read_by_eye():
    assert entry_of(zoo.load("iris-small").to_bytes())["format"] == file.PLAIN


BOMB = zlib.compress(b"[" * 200_000_000, 9)


@pytest.mark.parametrize(
    "content",
    [b"", b"no zlib", zlib.compress(b"{}")[:-1], zlib.compress(b"{}"), zlib.compress(b"\xff"), BOMB],
    ids=["empty", "rubbish", "cut", "nothing in it", "no text", "200 MB in 200 KB"],
)
def test_what_is_no_description_is_refused(content):
    with pytest.raises(DbhwError, match=r"^model file a.dbnet must be a whole safetensors file, but it is damaged"):
        file.from_bytes("a.dbnet", with_content(np.frombuffer(content, np.uint8)))


def test_a_changed_byte_is_noticed():
    raw = bytearray(MODEL.to_bytes())
    raw[-100] ^= 1
    with pytest.raises(DbhwError, match=r"must match its digest"):
        file.from_bytes("a.dbnet", bytes(raw))
