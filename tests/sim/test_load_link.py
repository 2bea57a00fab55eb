"""New weights over the link, on the simulated board: build once, load many; under noise, in any order, of any shape.

The reference is naive Python that shares nothing with the hardware: it takes frames apart with zlib's CRC, keeps a list
of bytes, and asks the hard net.
"""

import json
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from dbhw import cli
from dbhw.base.errors import DbhwError
from dbhw.boards import Device
from dbhw.nn.layers.bucket_sum import BucketSum
from dbhw.nn.layers.negation import Negation
from dbhw.nn.layers.parity import Parity
from dbhw.nn.net import Net
from dbhw.rtl.loadable import emit_loadable
from dbhw.sim.board import WAIT, simulated
from tests.kit.command_line import run
from tests.kit.link import BYTE_CLOCKS, DIVISOR, NOISE, as_events, framed, unframed
from tests.kit.loads import MESSAGES, MODELS, STRANGE, STRANGER, Reference, X

NET = Net(11, [Parity(width=6), Negation(width=4), BucketSum(buckets=4)])
EVENTS = 3000


@pytest.fixture(scope="module")
def board():
    with simulated(emit_loadable(MODELS[0], lut_inputs=4), DIVISOR) as made:
        yield made


def parts(random, whole):
    """The LOAD requests of a message, cut at random places; now and then one is lost, doubled or late."""
    place, bodies = 0, []
    while place < len(whole):
        size = int(random.integers(1, 30))
        bodies.append(b"\x03" + place.to_bytes(4, "little") + whole[place : place + size])
        place += size
    kind = random.random()
    where = int(random.integers(len(bodies)))
    if kind < 0.2:
        del bodies[where]
    elif kind < 0.4:
        bodies.insert(where, bodies[where])
    elif kind < 0.5:
        bodies.append(bodies.pop(where))
    return bodies


def some_message(random):
    """Mostly a model's; some with flipped bits, some for another shape, some too long."""
    whole = bytearray(MESSAGES[random.integers(len(MODELS))])
    kind = random.random()
    if kind < 0.15:
        whole[random.integers(len(whole))] ^= 1 << random.integers(8)
    elif kind < 0.25:
        whole = bytearray(STRANGE)
    elif kind < 0.3:
        whole += random.bytes(5)
    return bytes(whole)


def requests(random):
    """Loads, with examples between their parts."""
    while True:
        for body in parts(random, some_message(random)):
            yield body
            while random.random() < 0.4:
                yield b"\x01" if random.random() < 0.3 else b"\x02" + random.bytes(2 * random.integers(1, 7))
            if random.random() < 0.02:
                yield b"\x03" + random.bytes(random.integers(0, 5))


def noisy_loads(number):
    """Events, and after which of them the board must have said what; what the reference saw of them."""
    random = np.random.default_rng(1)
    reference = Reference()
    events, expected, held = [], [], set()
    for body in islice(requests(random), number):
        noise = NOISE[random.integers(len(NOISE))] if random.random() < 0.15 else NOISE[0]
        data = noise(random, framed(body)) + b"\xc0"
        bodies = unframed(data)
        if len(bodies) > 1:
            continue  # which of them the board hears depends on when it answers
        replies = b"".join(framed(reference.reply(b)) for b in bodies)
        events += [*as_events(random, data), (WAIT, (len(replies) + 4) * (BYTE_CLOCKS + 2) + 14 * len(data) + 200)]
        expected.append((len(events), replies))
        held.add(reference.held.digest())
    return events, expected, reference.loads, held


def said(board, events, expected):
    """What the board says up to each of the moments that something is expected."""
    sent = board.play(events)
    found, place = [], 0
    for end, _ in expected:
        data = bytearray()
        while place < len(sent) and sent[place][0] < end:
            data.append(sent[place][1])
            place += 1
        found.append((end, bytes(data)))
    assert place == len(sent)
    return found


def test_loads_under_noise(board):
    """Whatever comes, every answer is that of a whole model, the one that the board says it holds."""
    events, expected, loads, held = noisy_loads(EVENTS)
    assert loads > 80
    assert len(held) == len(MODELS)
    assert said(board, events, expected) == expected


def test_a_board_that_believes_damaged_weights_is_caught():
    emitted = emit_loadable(MODELS[0], lut_inputs=4)
    broken = emitted.verilog.replace("crc == 32'hdebb20e3", "1'b1")
    assert broken != emitted.verilog
    events, expected, _, _ = noisy_loads(600)
    with simulated(replace(emitted, verilog=broken), DIVISOR) as board:
        assert said(board, events, expected) != expected


def test_three_models_one_build(board, capsys, tmp_path):
    """Commands and `Device`, through the pseudo-terminal: the answers follow what was loaded."""
    data = tmp_path / "data.npz"
    with board.serve() as port:
        for i, model in enumerate(MODELS):
            np.savez(data, x=X, y=model.predict(X))
            model.save(tmp_path / f"{i}.dbnet")
            if i == 1:
                assert cli.main(["load", str(tmp_path / "1.dbnet"), "--port", port, "--json"]) == 0
                loaded = json.loads(capsys.readouterr().out)
                assert list(loaded) == ["port", "model_sha256", "retries", "seconds"]
                assert loaded["model_sha256"] == model.digest()
            options = ["--port", port, "--data", data, "--json", *(["--load"] if i == 2 else [])]
            code, out, err = run(capsys, "run", tmp_path / f"{i}.dbnet", *options)
            assert code == 0, err
            assert (json.loads(out)["mismatches"], json.loads(out)["accuracy"]) == (0, 1.0)
        # The board now holds the last; another host that expects the first is told, and may load it again.
        message_ = rf"^the board must hold model {MODELS[0].digest()[:16]}, but it holds {MODELS[2].digest()[:16]}: "
        with pytest.raises(DbhwError, match=message_):
            Device.open(MODELS[0], port)
        with Device.open(MODELS[0], port, load=True) as device:
            assert (device.predict(X) == MODELS[0].predict(X)).all()
            with pytest.raises(DbhwError, match=r": the weights are for a net of another shape than the board's$"):
                device.load(STRANGER)
            assert (device.predict(X) == MODELS[0].predict(X)).all()
            device.load(MODELS[1])
            assert (device.answers(X)[1] == MODELS[1].scores(X)).all()
