"""Models of one shape, their messages, and what a loadable board must answer, written down again."""

import zlib

import numpy as np

from dbhw.data.stimuli import choose
from dbhw.model.message import encode as message
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.disjunction import Disjunction
from dbhw.nn.layers.negation import Negation
from dbhw.nn.net import Net
from tests.kit import samples
from tests.kit.link import NET

MODELS = [samples.random_model(NET, np.random.default_rng(seed)) for seed in (4, 5, 6)]

SAME_PORTS = Net(11, [Disjunction(width=6), Negation(width=4), BucketSum(buckets=4)])

STRANGER = samples.random_model(SAME_PORTS, np.random.default_rng(0))

X = choose(11, "all")

MESSAGES = [message(model) for model in MODELS]

STRANGE = message(STRANGER)

LENGTH = len(MESSAGES[0])


class Reference:
    """A board with loadable weights, as the protocol says it."""

    def __init__(self):
        self.held, self.bytes, self.refused = MODELS[0], b"", None
        self.known = dict(zip(MESSAGES, MODELS, strict=True))
        self.loads = 0
        self.tables = {model.digest(): self.table(model) for model in MODELS}

    def table(self, model):
        values = model.predict(X)
        for i, scores in enumerate(model.scores(X).T):
            values = values | scores << 2 + 3 * i
        return values.tolist()

    def reply(self, body):
        echo = zlib.crc32(body).to_bytes(4, "little")
        kind, payload = body[0], body[1:]
        if kind == 1 and not payload:
            sizes = b"".join(n.to_bytes(2, "little") for n in (11, 14, 512))
            return b"\x81" + echo + b"\x01" + bytes.fromhex(self.held.digest()) + sizes
        if kind == 2 and payload and len(payload) % 2 == 0:
            numbers = [int.from_bytes(payload[i : i + 2], "little") & 0x7FF for i in range(0, len(payload), 2)]
            table = self.tables[self.held.digest()]
            return b"\x82" + echo + b"".join(table[n].to_bytes(2, "little") for n in numbers)
        if kind == 3 and len(payload) > 4:
            reason = self.load(int.from_bytes(payload[:4], "little"), payload[4:])
            if reason:
                return b"\xff" + echo + bytes([reason])
            return b"\x83" + echo + len(self.bytes).to_bytes(4, "little")
        return b"\xff" + echo + (b"\x02" if kind in (1, 2, 3) else b"\x01")

    def load(self, place, data):
        if place == 0:
            self.bytes, self.refused = b"", None
        if place == len(self.bytes):
            complete = len(self.bytes) == LENGTH
            self.bytes = (self.bytes + data)[:LENGTH]
            if self.refused is None and self.bytes[:4] != MESSAGES[0][: min(4, len(self.bytes))]:
                self.refused = 5
            if self.refused is None and len(self.bytes) == LENGTH and not complete:
                if self.bytes[-4:] == zlib.crc32(self.bytes[:-4]).to_bytes(4, "little"):
                    self.held = self.known[self.bytes]
                    self.loads += 1
                else:
                    self.refused = 6
        return self.refused
