"""The serial link as a host sees it: frames, the right replies, and noise of every kind."""

import zlib
from functools import cache

import numpy as np

from dbhw.data.stimuli import choose
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.parity import Parity
from dbhw.nn.net import Net
from dbhw.sim.board import BYTE, WAIT
from tests.kit import samples
from tests.kit.integers import integer_model

DIVISOR = 4

BYTE_CLOCKS = 10 * DIVISOR

NET = Net(11, [Parity(width=6), Negation(width=4), BucketSum(buckets=4)])

CAPACITY = 512

MODEL = samples.random_model(NET, np.random.default_rng(4))  # gives all four labels and 44 different answers

DIGEST = MODEL.digest()

INTEGERS = integer_model(4)  # the same for integers at ports of their own, packed on the line


def framed(body):
    whole = body + zlib.crc32(body).to_bytes(4, "little")
    return b"\xc0" + whole.replace(b"\xdb", b"\xdb\xdd").replace(b"\xc0", b"\xdb\xdc") + b"\xc0"


def unframed(stream):
    """The bodies of the whole frames in a stream that starts and ends between frames."""
    found = []
    for part in stream.split(b"\xc0"):
        pieces = part.split(b"\xdb")
        if any(piece[:1] not in (b"\xdc", b"\xdd") for piece in pieces[1:]):
            continue
        swap = {0xDC: b"\xc0", 0xDD: b"\xdb"}
        whole = pieces[0] + b"".join(swap[piece[0]] + piece[1:] for piece in pieces[1:])
        if len(whole) >= 5 and zlib.crc32(whole[:-4]).to_bytes(4, "little") == whole[-4:]:
            found.append(whole[:-4])
    return found


@cache
def all_answers(digest):
    """The hard net's answer to every input there is; of one of the two models, by its digest."""
    x = choose(11, "all")
    model = {m.digest(): m for m in (MODEL, INTEGERS)}[digest]
    values = model.predict(x)
    for i, scores in enumerate(model.scores(x).T):
        values = values | scores << 2 + 3 * i
    return values.tolist()


def answer(example, digest):
    # What is above the eleven bits of an example is padding.
    return all_answers(digest)[int.from_bytes(example, "little") & 0x7FF].to_bytes(2, "little")


def reply(body, digest=DIGEST):
    """What a request must be answered with."""
    echo = zlib.crc32(body).to_bytes(4, "little")
    kind, payload = body[0], body[1:]
    if len(payload) > CAPACITY:
        return b"\xff" + echo + b"\x03"
    if kind == 1 and not payload:
        numbers = b"".join(n.to_bytes(2, "little") for n in (11, 14, CAPACITY))
        return b"\x81" + echo + b"\x01" + bytes.fromhex(digest) + numbers
    if kind == 2 and payload and len(payload) % 2 == 0:
        return b"\x82" + echo + b"".join(answer(payload[i : i + 2], digest) for i in range(0, len(payload), 2))
    # Weights that are baked in cannot be loaded.
    return b"\xff" + echo + {1: b"\x02", 2: b"\x02", 3: b"\x04"}.get(kind, b"\x01")


def flipped(random, frame):
    changed = bytearray(frame)
    for _ in range(random.integers(1, 5)):
        changed[random.integers(len(changed))] ^= 1 << random.integers(8)
    return bytes(changed)


def cut(random, frame):
    return frame[: random.integers(len(frame))]


def headless(random, frame):
    return frame[random.integers(1, len(frame)) :]


def inserted(random, frame):
    place = random.integers(len(frame) + 1)
    return frame[:place] + random.bytes(random.integers(1, 6)) + frame[place:]


def ended(random, frame):
    place = random.integers(len(frame) + 1)
    return (
        frame[:place] + bytes(random.choice([0xC0, 0xDB, 0xDC, 0xDD], random.integers(1, 3)).tolist()) + frame[place:]
    )


def deleted(random, frame):
    place = random.integers(len(frame))
    return frame[:place] + frame[place + random.integers(1, 4) :]


def doubled(random, frame):
    place = random.integers(len(frame))
    return frame[: place + 1] + frame[place:]


def swapped(random, frame):
    a, b = sorted(random.integers(0, len(frame), 2).tolist())
    return frame[:a] + frame[b : b + 1] + frame[a + 1 : b] + frame[a : a + 1] + frame[b + 1 :] if a < b else frame


def garbage(random, frame):
    return random.bytes(random.integers(1, 40))


def whole(random, frame):
    return frame


NOISE = [whole, flipped, cut, headless, inserted, ended, deleted, doubled, swapped, garbage]


def as_events(random, data):
    """Bytes as events, now and then with a pause of up to forty bytes' time between two of them."""
    events = [(BYTE, byte) for byte in data]
    if random.random() < 0.2:
        pause = (WAIT, int(random.integers(1, 40 * BYTE_CLOCKS)))
        events.insert(random.integers(len(events) + 1), pause)
    return events


class FakePort:
    """A port whose replies a function makes from each request; time passes with every empty read."""

    def __init__(self, answer):
        self.answer = answer
        self.waiting = bytearray()
        self.time = 0.0
        self.requests = 0

    @property
    def in_waiting(self):
        return len(self.waiting)

    def now(self):
        return self.time

    def read(self, size=1):
        if not self.waiting:
            self.time += 0.1
            return b""
        out = bytes(self.waiting[:size])
        del self.waiting[:size]
        return out

    def write(self, data):
        self.requests += 1
        (body,) = unframed(data)
        self.waiting += self.answer(body)

    def reset_input_buffer(self):
        self.waiting.clear()

    def close(self):
        pass
