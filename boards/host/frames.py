"""Frames on the serial line: SLIP, with a CRC-32 behind the body."""

from __future__ import annotations

import zlib

from dbhw.rtl.link.framing import END, ESCAPE, ESCAPED_END, ESCAPED_ESCAPE

__all__ = ["END", "crc", "frame", "unframe"]


def crc(body: bytes) -> bytes:
    """The CRC-32 of a body as it is sent.

    >>> crc(b"\\x01").hex()
    '1bdf05a5'
    """
    return zlib.crc32(body).to_bytes(4, "little")


def frame(body: bytes) -> bytes:
    """A body as it goes over the line.

    >>> frame(b"\\x01").hex()
    'c0011bdf05a5c0'
    """
    escaped = (body + crc(body)).replace(bytes([ESCAPE]), bytes([ESCAPE, ESCAPED_ESCAPE]))
    return bytes([END]) + escaped.replace(bytes([END]), bytes([ESCAPE, ESCAPED_END])) + bytes([END])


def unframe(escaped: bytes) -> bytes | None:
    """The body of what came between two ENDs, or None if it is damaged.

    >>> unframe(frame(b"hello")[1:-1]), unframe(b"hello")
    (b'hello', None)
    """
    whole = bytearray()
    bytes_left = iter(escaped)
    for byte in bytes_left:
        if byte == ESCAPE:
            byte = {ESCAPED_END: END, ESCAPED_ESCAPE: ESCAPE}.get(next(bytes_left, -1), -1)
            if byte < 0:
                return None
        whole.append(byte)
    body, received = bytes(whole[:-4]), bytes(whole[-4:])
    return body if body and crc(body) == received else None
