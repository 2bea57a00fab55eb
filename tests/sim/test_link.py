"""The device's side of the link, simulated down to its serial pins, under noise of every kind.

The reference here is naive Python that shares nothing with the hardware: zlib's CRC, a split at END, the hard net.
"""

import json
from dataclasses import replace

import numpy as np
import pytest

from dbhw import cli
from dbhw.base.errors import DbhwError
from dbhw.boards import Device
from dbhw.data.stimuli import choose
from dbhw.rtl.link import uart
from dbhw.rtl.verilog.emit import emit
from dbhw.sim.board import BYTE, LOW, NO_STOP, WAIT, simulated
from tests.kit import samples
from tests.kit.integers import table
from tests.kit.link import (
    BYTE_CLOCKS,
    CAPACITY,
    DIVISOR,
    INTEGERS,
    MODEL,
    NOISE,
    as_events,
    framed,
    reply,
    unframed,
)

FRAMES = 2_500  # for each of two boards


@pytest.fixture(scope="module", params=[MODEL, INTEGERS], ids=["bits", "integers"])
def served(request):
    """A model and the board that serves it."""
    with simulated(emit(request.param), DIVISOR) as made:
        yield request.param, made


# The naive reference


def time_to_answer(bodies):
    # Two clocks a byte of an example, eight for the CRC of a byte of the answer, and some for the ends.
    return sum((len(framed(reply(b))) + 2) * (BYTE_CLOCKS + 2) + 4 * len(b) for b in bodies) + 4 * BYTE_CLOCKS


# Noise


def request(random):
    kind = random.random()
    if kind < 0.1:
        return b"\x01"
    if kind < 0.14:
        return bytes([2]) + random.bytes(2 * random.integers(0, 4) + 1)
    if kind < 0.18:
        return bytes([random.integers(3, 256)]) + random.bytes(random.integers(0, 6))
    if kind < 0.182:
        return bytes([2]) + random.bytes(CAPACITY + random.integers(1, 9))
    if kind < 0.184:
        return bytes([2]) + random.bytes(CAPACITY)
    return bytes([2]) + random.bytes(2 * random.integers(1, 7))


def line_noise(random, data):
    """The same with spikes, breaks and missing stop bits on the line, which bytes cannot tell."""
    events = [(BYTE, byte) for byte in data]
    for _ in range(random.integers(1, 4)):
        place = random.integers(len(events))
        kind = random.integers(3)
        if kind == 0:
            events[place] = (NO_STOP, int(random.integers(256)))
        else:
            events.insert(place, (LOW, int(random.integers(1, 3) if kind == 1 else random.integers(3, 30 * DIVISOR))))
    return events


class Play:
    """Events, and which replies each stretch of them must get: all of `must`, and any of `may`."""

    def __init__(self, model):
        self.events, self.stretches, self.digest = [], [], model.digest()

    def add(self, events, must, may=()):
        start = len(self.events)
        self.events += [*events, (WAIT, time_to_answer([*must, *may]))]
        replies = [[reply(body, self.digest) for body in bodies] for bodies in (must, may)]
        self.stretches.append((start, len(self.events), *replies))

    def check(self, board):
        sent = board.play(self.events)
        place = 0
        for start, end, must, may in self.stretches:
            data = bytearray()
            while place < len(sent) and sent[place][0] < end:
                assert sent[place][0] >= start
                data.append(sent[place][1])
                place += 1
            replies = unframed(bytes(data))
            # Every byte the device says belongs to a frame that is whole.
            assert b"".join(map(framed, replies)) == bytes(data)
            assert [r for r in replies if r not in may or r in must] == must
        assert place == len(sent)


def test_five_thousand_frames_under_noise(served):
    """Right answers or none; and after any noise the next frame is answered."""
    model, board = served
    random = np.random.default_rng(5)
    play = Play(model)
    answered = 0
    for i in range(FRAMES):
        body = request(random)
        frame = framed(body)
        if i % 10 == 9:
            play.add([*line_noise(random, frame), (WAIT, 2 * BYTE_CLOCKS), (BYTE, 0xC0)], [], [body])
        elif i % 10 == 8:
            # Two at once: the device answers the first, and is deaf to the second unless that comes late enough.
            second = request(random)
            play.add(as_events(random, frame + framed(second)), [body], [second])
        else:
            data = NOISE[random.integers(len(NOISE))](random, frame)
            must = unframed(data[: data.rfind(b"\xc0") + 1])
            # A frame that lost only its last END is whole when the next one starts.
            late = unframed(data + b"\xc0")[len(must) :]
            answered += len(must) + len(late)
            play.add(as_events(random, data), must[:1], must[1:])
            if late:
                play.add([(BYTE, 0xC0)], late)
        probe = request(random)
        play.add([(BYTE, byte) for byte in framed(probe)], [probe])
    assert 0.1 * FRAMES < answered < 0.9 * FRAMES
    play.check(board)


def test_every_input_is_answered(served):
    model, board = served
    play = Play(model)
    numbers = list(range(1 << 11))
    for i in range(0, len(numbers), CAPACITY // 2):
        body = b"\x02" + b"".join(n.to_bytes(2, "little") for n in numbers[i : i + CAPACITY // 2])
        play.add([(BYTE, byte) for byte in framed(body)], [body])
    play.check(board)


def test_a_host_that_vanishes_is_forgotten(served):
    """Half a request, a long silence, and then another host's request."""
    model, board = served
    play = Play(model)
    body = b"\x02" + bytes(range(20))
    play.add([(BYTE, byte) for byte in framed(body)[:9]] + [(WAIT, 10_000 * BYTE_CLOCKS)], [])
    play.add([(BYTE, byte) for byte in framed(b"\x01")], [b"\x01"])
    play.check(board)


def data_file(model, folder):
    """A file of data for a model, its first label wrong: all bits there are, or a table as a user has it."""
    if not model.columns:
        x = choose(11, "all")
        labels = model.predict(x)
        labels[0] = (labels[0] + 1) % 4
        np.savez(folder / "data.npz", x=x, y=labels)
        return folder / "data.npz", x
    x = table(np.random.default_rng(3), 2048)
    names = [model.classes[label] for label in model.predict(x)]
    names[0] = next(name for name in model.classes if name != names[0])
    rows = [[*(column.name for column in model.columns), "class"]]
    rows += [[*row, name] for row, name in zip(x.tolist(), names, strict=True)]
    (folder / "data.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    return folder / "data.csv", x


def test_the_simulated_board_through_a_pseudo_terminal(served, capsys, tmp_path):
    """The command, from data to answers, with the very top that goes onto the board; and another model on it."""
    model, board = served
    data, x = data_file(model, tmp_path)
    model.save(tmp_path / "a.dbnet")
    with board.serve() as port:
        options = ["--port", port, "--data", str(data), "-o", str(tmp_path / "a.csv"), "--json"]
        assert cli.main(["run", str(tmp_path / "a.dbnet"), *options]) == 0
        seen = json.loads(capsys.readouterr().out)
        assert list(seen) == [
            *("port", "examples", "accuracy", "mismatches", "retries", "seconds"),
            *("examples_per_second", "round_trip_ms"),
        ]
        assert (seen["examples"], seen["mismatches"], seen["accuracy"]) == (2048, 0, 2047 / 2048)
        lines = (tmp_path / "a.csv").read_text().splitlines()
        assert lines[0] == "label,class,output0,output1,output2,output3"
        assert len(lines) == 2049
        assert lines[1].split(",")[1] == f'"{model.classes[model.predict(x[:1])[0]]}"'
        # A second host after the first has gone, and one with another model.
        with Device.open(model, port) as device:
            assert (device.predict(x) == model.predict(x)).all()
        other = replace(model, soft_weights=samples.random_model(model.net, np.random.default_rng(9)).soft_weights)
        with pytest.raises(DbhwError, match=r"^the board must hold model"):
            Device.open(other, port)


@pytest.mark.parametrize(
    ("clock", "baud", "message"),
    [
        (12_000_000, 0, "baud must be between 1 and 3000000 at 12000000 Hz, not 0"),
        (12_000_000, 4_000_000, "baud must be between 1 and 3000000 at 12000000 Hz, not 4000000"),
        (12_000_000, 2_600_000, "baud must be within 2 % of 12000000 Hz divided by a whole number, not 2600000"),
    ],
)
def test_rates_a_clock_cannot_make_are_refused(clock, baud, message):
    with pytest.raises(DbhwError, match=f"^{message}$"):
        uart.divisor(clock, baud)
