"""The protocol of the link. Hardware and host both take its numbers from here.

A request is a kind and a payload. A reply is a kind, the CRC of the request that it answers, and a payload. Each is in
a frame of `framing.py`. The host ignores a reply with another CRC than its request's. A damaged frame gets no reply.

| kind     | request's payload           | reply's payload                                                 |
|----------|-----------------------------|-----------------------------------------------------------------|
| HELLO    | nothing                     | version, SHA-256 of the model, input bits, answer bits, capacity |
| CLASSIFY | examples, whole bytes each  | answers, whole bytes each                                       |
| LOAD     | place, bytes of new weights | how many bytes the board now has of them                        |
| ERROR    |                             | a reason                                                        |

An example is its bits, the first one lowest. An answer is the label and then the bits or scores, with the widths of the
core's ports. Numbers have two bytes, the lower first. The capacity is the longest payload of a request, in bytes.

New weights are a message of `model/message.py`, sent in parts. The place of a part is where it starts in the message,
in four bytes. Parts must come in order: a part with another place than the next is ignored, and the reply says which
place is next. Place 0 starts a new message. After the last byte the weights change, or the reply is an error.
"""

from __future__ import annotations

from dataclasses import dataclass

from dbhw.base.errors import DbhwError

VERSION = 1
HELLO, CLASSIFY, LOAD, ERROR = 0x01, 0x02, 0x03, 0x7F
REPLY = 0x80  # is added to the kind of a request in its reply
UNKNOWN_KIND, WRONG_LENGTH, TOO_LONG, NOT_LOADABLE, OTHER_SHAPE, WRONG_DIGEST = 1, 2, 3, 4, 5, 6
REASONS = {
    UNKNOWN_KIND: "the request is of a kind that the board does not know",
    WRONG_LENGTH: "the request must hold whole examples, or a place and some weights",
    TOO_LONG: "the request is longer than the board's buffer",
    NOT_LOADABLE: "the board's weights are not loadable: build and program it with --weights loadable",
    OTHER_SHAPE: "the weights are for a net of another shape than the board's",
    WRONG_DIGEST: "the weights did not come whole: their digest is wrong",
}
PLACE_BYTES = 4
_MOST_BITS = 0xFFF8  # the largest multiple of eight in two bytes
_BUFFER = 512  # bytes: one block RAM of the smallest part


@dataclass(frozen=True)
class Shape:
    """The sizes of a net's examples and answers on the link.

    >>> Shape(12, 3)
    Shape(inputs=12, answer_bits=3)
    >>> Shape(12, 3).example_bytes, Shape(12, 3).answer_bytes, Shape(12, 3).capacity
    (2, 1, 512)
    """

    inputs: int
    answer_bits: int

    def __post_init__(self) -> None:
        for what, bits in (("inputs", self.inputs), ("outputs", self.answer_bits)):
            if bits > _MOST_BITS:
                raise DbhwError(f"net must have at most {_MOST_BITS} bits of {what} to be served, not {bits}")

    @property
    def example_bytes(self) -> int:
        return -(-self.inputs // 8)

    @property
    def answer_bytes(self) -> int:
        return -(-self.answer_bits // 8)

    @property
    def capacity(self) -> int:
        """The bytes of as many whole examples as fit the buffer."""
        return max(_BUFFER // self.example_bytes, 1) * self.example_bytes


IDENTITY = slice(1, 33)  # the place of the model's SHA-256 in a greeting


def greeting(model_sha256: str, shape: Shape) -> bytes:
    """The payload of the reply to HELLO.

    >>> greeting("00" * 32, Shape(12, 3))[-6:]
    b'\\x0c\\x00\\x03\\x00\\x00\\x02'
    """
    numbers = (shape.inputs, shape.answer_bits, shape.capacity)
    return bytes([VERSION]) + bytes.fromhex(model_sha256) + b"".join(n.to_bytes(2, "little") for n in numbers)
