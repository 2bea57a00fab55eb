"""The host's side of the link: against hostile replies, and what it tells when something is wrong."""

import zlib

import numpy as np
import pytest

from dbhw import boards
from dbhw.base.errors import DbhwError
from dbhw.boards import Device
from dbhw.boards.host.frames import frame, unframe
from dbhw.data.stimuli import choose
from dbhw.nn.net import Net
from tests.kit import samples
from tests.kit.command_line import run
from tests.kit.link import MODEL, FakePort, framed, reply
from tests.kit.loads import MODELS, Reference

X = choose(11, "64")


def opened(answer, model=MODEL):
    port = FakePort(answer)
    return Device(model, port, baud=1_000_000, now=port.now), port


def right(body):
    return framed(reply(body))


def test_right_replies_are_right():
    device, _ = opened(right)
    labels, scores = device.answers(X)
    assert (labels == MODEL.predict(X)).all()
    assert (scores == MODEL.scores(X)).all()
    assert device.predict(X[:0]).tolist() == []
    assert device.retries == 0


HOSTILE = 4000


def hostile(random, body):
    """A reply that is damaged, foreign, stale, empty, endless or none; now and then right."""
    whole = bytearray(right(body))
    other = right(bytes([2]) + random.bytes(len(body) - 1 if len(body) % 2 else 2))
    kind = random.integers(10)
    if kind == 0:
        return b""
    if kind == 1:
        for _ in range(random.integers(1, 6)):
            whole[random.integers(len(whole))] ^= 1 << random.integers(8)
        return bytes(whole)
    if kind == 2:
        return bytes(whole[: random.integers(len(whole))])
    if kind == 3:
        return other
    if kind == 4:
        return random.bytes(random.integers(1, 200))
    if kind == 5:
        echo = zlib.crc32(body).to_bytes(4, "little")
        # A whole frame for this very request, but of another kind or length than was asked for.
        odd = bytes([random.choice([0x01, 0x02, 0x83, 0x7F])]) + echo + random.bytes(len(reply(body)) - 5)
        long = bytes([0x80 | body[0]]) + echo + random.bytes(len(reply(body)) - 5 + random.integers(1, 4))
        return framed(odd if body == b"\x01" or random.random() < 0.5 else long)
    if kind == 6:
        return other + random.bytes(20) + b"\xc0" + bytes(whole)
    if kind == 7:
        return b"\xc0" * random.integers(1, 50) + bytes(whole)
    if kind == 8:
        return bytes(whole) + other
    return bytes(whole)


def test_hostile_replies_are_never_believed():
    """The right answer, or an error of one line; never a wrong answer, never a hang."""
    random = np.random.default_rng(7)
    expected = MODEL.predict(X), MODEL.scores(X)
    asked = refused = answered = 0
    while asked < HOSTILE:
        port = FakePort(lambda body: hostile(random, body))
        try:
            device = Device(MODEL, port, baud=1_000_000, now=port.now)
            for _ in range(20):
                rows = random.permutation(len(X))[: random.integers(1, 9)]
                labels, scores = device.answers(X[rows])
                assert (labels == expected[0][rows]).all()
                assert (scores == expected[1][rows]).all()
                answered += 1
        except DbhwError:
            refused += 1
        assert port.time < 60
        asked += port.requests
    assert answered > 100
    assert refused > 20


def test_loads_over_a_bad_line_are_never_believed():
    """Requests and replies get lost or damaged: what the host then takes for the board's model is what it holds."""
    random = np.random.default_rng(8)
    loaded = refused = 0
    for _ in range(60):
        board = Reference()

        def answer(body, board=board):
            if random.random() < 0.1:
                return b""
            whole = bytearray(framed(board.reply(body)))
            if random.random() < 0.3:
                whole[random.integers(len(whole))] ^= 1 << random.integers(8)
            return bytes(whole)

        try:
            device, port = opened(answer, board.held)
        except DbhwError:
            continue
        for model in (MODELS[1], MODELS[2], MODELS[0]):
            try:
                device.load(model)
                loaded += 1
                assert board.held is device.model is model
                assert (device.predict(X) == model.predict(X)).all()
            except DbhwError:
                refused += 1
                assert device.model is not model or board.held is model
            assert port.time < 200
    assert loaded > 50
    assert refused > 5


def test_a_board_that_takes_no_weights_is_told():
    device, _ = opened(right)
    other = samples.random_model(MODEL.net, np.random.default_rng(9))
    with pytest.raises(
        DbhwError, match=r"refused it: the board's weights are not loadable: build and program it with "
    ):
        device.load(other)
    assert (device.predict(X) == MODEL.predict(X)).all()
    wider = samples.random_model(Net(12, MODEL.net.layers), np.random.default_rng(9))
    with pytest.raises(DbhwError, match=r"^model must have the inputs and outputs of the board's net to be loaded"):
        device.load(wider)


def test_another_model_is_told():
    other = samples.random_model(MODEL.net, np.random.default_rng(9))
    message = f"^the board must hold model {other.digest()[:16]}, but it holds {MODEL.digest()[:16]}: build and program"
    with pytest.raises(DbhwError, match=message):
        opened(right, other)


def test_a_board_programmed_anew_between_two_requests_is_told():
    """After a silence the host asks again which model it talks to."""
    state = {"silent": False, "other": False}

    def answer(body):
        if state["silent"]:
            state.update(silent=False, other=True)
            return b""
        whole = reply(body)
        return framed(whole[:6] + bytes(32) + whole[38:] if state["other"] and body == b"\x01" else whole)

    device, _ = opened(answer)
    state["silent"] = True
    with pytest.raises(DbhwError, match=r"^the board must hold model \w+, but it holds 0000000000000000: "):
        device.predict(X)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda body: b"", "the board must answer, but it did not in 4 tries: is it programmed, and is this its port?"),
        (
            lambda body: framed(b"\xff" + zlib.crc32(body).to_bytes(4, "little") + b"\x01"),
            "the board must take the request, but it refused it: the request is of a kind that the board does not know",
        ),
        (
            lambda body: framed(b"\x81" + zlib.crc32(body).to_bytes(4, "little") + b"\x02" + bytes(38)),
            "the board's protocol must be version 1, not 2: build and program it again",
        ),
        (
            lambda body: framed(b"\x81" + zlib.crc32(body).to_bytes(4, "little") + b"\x01"),
            "the board's greeting must have 39 bytes, not 1",
        ),
        (
            lambda body: framed(reply(body)[:-1] + b"\x01"),
            "the board must have the model's inputs and outputs, but it has others: build again",
        ),
    ],
)
def test_what_went_wrong_is_told(answer, message):
    with pytest.raises(DbhwError) as wrong:
        opened(answer)
    assert str(wrong.value) == message


def test_a_port_that_fails_is_told():
    device, port = opened(right)

    def unplugged(data):
        raise OSError("device disconnected")

    port.write = unplugged
    with pytest.raises(DbhwError, match=r"^the board must stay connected, but its port failed: device disconnected$"):
        device.predict(X)
    with pytest.raises(DbhwError, match=r"^port /no/such/port must be a serial port that can be opened: "):
        Device.open(MODEL, "/no/such/port")
    with pytest.raises(DbhwError, match=r"^baud must be at least 1, not 0$"):
        Device.open(MODEL, "/no/such/port", baud=0)


def test_frames_are_those_of_the_reference():
    random = np.random.default_rng(0)
    for _ in range(500):
        body = random.bytes(random.integers(1, 40))
        assert frame(body) == framed(body)
        assert unframe(framed(body)[1:-1]) == body
    assert unframe(b"") is None
    assert unframe(b"\xdb") is None


@pytest.fixture(scope="module")
def model_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "a.dbnet"
    MODEL.save(path)
    return path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "run must have either --port or --simulate, not none"),
        (["--port", "a", "--simulate"], "run must have either --port or --simulate, not both"),
        (["--simulate"], "run --simulate must have --board, the board to simulate"),
        (["--simulate", "--board", "spartan"], "board must be one of {boards}, not 'spartan'"),
        (
            ["--simulate", "--board", "icebreaker", "--baud", "0"],
            "baud must be between 1 and 3000000 at 12000000 Hz, not 0",
        ),
    ],
)
def test_wrong_options_are_told(capsys, model_file, tmp_path, arguments, message):
    data = tmp_path / "data.npz"
    np.savez(data, x=X, y=MODEL.predict(X))
    code, out, err = run(capsys, "run", model_file, "--data", data, *arguments)
    assert (code, out, err) == (2, "", f"dbhw: {message.format(boards=', '.join(boards.names()))}\n")
