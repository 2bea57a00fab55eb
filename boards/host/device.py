"""A board on a serial port: requests, retries, and checks of every reply."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Protocol

import numpy as np

from dbhw.base.errors import DbhwError
from dbhw.boards.host.frames import END, crc, frame, unframe
from dbhw.model import message
from dbhw.model.lower import output_ports
from dbhw.model.model import Model
from dbhw.nn.net import labels
from dbhw.rtl.link import protocol
from dbhw.rtl.link.protocol import Shape

_TRIES = 4
PATIENCE = 0.3  # seconds to wait beyond what the line itself needs: drivers deliver bytes in bursts
_MOST_NOISE = 1 << 16  # bytes after which a try is given up, however fast they come
_GREETING_BYTES = 1 + 32 + 3 * 2


class Port(Protocol):
    """The part of pyserial's `Serial` that is used here."""

    @property
    def in_waiting(self) -> int: ...
    def read(self, size: int = 1) -> bytes: ...
    def write(self, data: bytes) -> object: ...
    def reset_input_buffer(self) -> None: ...
    def close(self) -> None: ...


class Device:
    """A board that holds a model, on a serial port.

    `Device.open(model, "/dev/ttyUSB1")` opens one; a `with` block closes it. It is asked which model it holds before
    anything else, and again whenever a reply does not come: it may have been programmed since. With `load=True`, a
    board that holds another model is first sent the weights of this one.
    """

    def __init__(
        self,
        model: Model,
        port: Port,
        *,
        baud: int,
        load: bool = False,
        tries: int = _TRIES,
        patience: float = PATIENCE,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.model = model
        self.baud = baud
        self.retries = 0  # how often a request had to be sent again
        self._port = port
        self._tries = tries
        self._patience = patience
        self._now = now
        self._sure = False  # that the board holds the model
        self._widths = _port_widths(model)
        self._shape = Shape(model.net.inputs, sum(width * fields for width, fields in self._widths))
        if load:
            self.load(model)
        else:
            self._greet()

    @classmethod
    def open(
        cls,
        model: Model,
        port: str,
        *,
        baud: int = 1_000_000,
        load: bool = False,
        tries: int = _TRIES,
        patience: float = PATIENCE,
    ) -> Device:
        """The device on a port of that name."""
        import serial  # only a real port needs it

        if baud < 1:
            raise DbhwError(f"baud must be at least 1, not {baud}")
        try:
            opened = serial.Serial(port, baud, timeout=0.02, write_timeout=5)
        except (serial.SerialException, ValueError, OSError) as wrong:
            raise DbhwError(f"port {port} must be a serial port that can be opened: {wrong}") from wrong
        try:
            return cls(model, opened, baud=baud, load=load, tries=tries, patience=patience)
        except BaseException:
            opened.close()
            raise

    def __enter__(self) -> Device:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._port.close()

    def predict(self, x: np.ndarray) -> np.ndarray:
        """The classes according to the board, as indices. `x` is what `model.predict` takes: numbers or bits."""
        return self.answers(x)[0]

    def answers(
        self, x: np.ndarray, on_examples: Callable[[int], None] = lambda _: None
    ) -> tuple[np.ndarray, np.ndarray]:
        """The classes, and the net's outputs as integers (examples, outputs)."""
        x = self.model.input_bits(x)
        if not self._sure:
            self._greet()
        examples = np.packbits(x, axis=1, bitorder="little")
        at_once = self._shape.capacity // self._shape.example_bytes
        parts = []
        for i in range(0, len(x), at_once):
            parts.append(self._classify(examples[i : i + at_once]))
            on_examples(len(parts[-1]))
        fields = np.concatenate(parts) if parts else np.zeros((0, sum(f for _, f in self._widths)), np.int64)
        if self.model.net.ports:
            return labels(fields.astype(bool)), fields
        return fields[:, 0], fields[:, 1:]

    def load(self, model: Model) -> None:
        """Loads another model of the same shape onto a board with loadable weights.

        If this fails, the board holds either the old model or the new one, and is asked which before the next answer.
        """
        sent = message.encode(model)
        if (_port_widths(model), model.net.inputs) != (self._widths, self._shape.inputs):
            raise DbhwError("model must have the inputs and outputs of the board's net to be loaded, but it has others")
        before, self.model, self._sure = self.model, model, False
        try:
            for _ in range(self._tries):
                if self._held() == model.digest():
                    break
                self._send(sent)
            self._greet()
        except BaseException:
            self.model = before
            raise

    def _send(self, message: bytes) -> None:
        """Sends weights part by part; each reply says where the next part starts."""
        at_once = self._shape.capacity - protocol.PLACE_BYTES
        place = 0
        # A part is sent again for every reply that is lost.
        for _ in range(self._tries * -(-len(message) // at_once)):
            body = bytes([protocol.LOAD]) + place.to_bytes(protocol.PLACE_BYTES, "little")
            reply = self._ask(body + message[place : place + at_once], protocol.PLACE_BYTES, lambda: None)
            place = int.from_bytes(reply, "little")
            if place >= len(message):
                return

    def _classify(self, examples: np.ndarray) -> np.ndarray:
        body = bytes([protocol.CLASSIFY]) + examples.tobytes()
        payload = self._ask(body, len(examples) * self._shape.answer_bytes, self._greet)
        rows = np.frombuffer(payload, np.uint8).reshape(len(examples), -1)
        bits = np.unpackbits(rows, axis=1, bitorder="little")
        if bits[:, self._shape.answer_bits :].any():
            raise DbhwError("the board's answer must have zeros in its unused bits, but some are ones")
        columns, place = [], 0
        for width, fields in self._widths:
            for _ in range(fields):
                columns.append(bits[:, place : place + width].astype(np.int64) @ (1 << np.arange(width)))
                place += width
        return np.stack(columns, axis=1)

    def _greet(self) -> None:
        """Asks which model the board holds; an error if it is another."""
        expected, found = self.model.digest(), self._held()
        if found != expected:
            raise DbhwError(
                f"the board must hold model {expected[:16]}, but it holds {found[:16]}:"
                " build and program it again, or load it if its weights are loadable"
            )
        self._sure = True

    def _held(self) -> str:
        """The SHA-256 of the model that the board holds, in hex; an error if it has other inputs or outputs."""
        payload = self._ask(bytes([protocol.HELLO]), None, lambda: None)
        if payload[:1] != bytes([protocol.VERSION]):
            raise DbhwError(
                f"the board's protocol must be version {protocol.VERSION},"
                f" not {payload[0] if payload else 'none'}: build and program it again"
            )
        if len(payload) != _GREETING_BYTES:
            raise DbhwError(f"the board's greeting must have {_GREETING_BYTES} bytes, not {len(payload)}")
        found = payload[protocol.IDENTITY].hex()
        if payload != protocol.greeting(found, self._shape):
            raise DbhwError("the board must have the model's inputs and outputs, but it has others: build again")
        return found

    def _ask(self, body: bytes, length: int | None, before_again: Callable[[], None]) -> bytes:
        """The payload of the reply to a request, which must have `length` bytes if that is known."""
        for attempt in range(self._tries):
            if attempt:
                self.retries += 1
                before_again()
            payload = self._try(body, length)
            if payload is not None:
                return payload
        raise DbhwError(
            f"the board must answer, but it did not in {self._tries} tries: is it programmed, and is this its port?"
        )

    def _try(self, body: bytes, length: int | None) -> bytes | None:
        request = frame(body)
        # Every byte of the reply may have been escaped.
        on_line = len(request) + 2 * (16 + (_GREETING_BYTES if length is None else length))
        try:
            self._port.reset_input_buffer()
            self._port.write(request)
            return self._reply(body, length, self._now() + self._patience + 2 * 10 * on_line / self.baud)
        except OSError as wrong:
            raise DbhwError(f"the board must stay connected, but its port failed: {wrong}") from wrong

    def _reply(self, body: bytes, length: int | None, deadline: float) -> bytes | None:
        """The first valid reply to this request before the deadline; everything else is ignored as noise."""
        echo = crc(body)
        waiting = bytearray()
        heard = 0
        while self._now() < deadline and heard < _MOST_NOISE + 4 * (length or 0):
            new = self._port.read(max(self._port.in_waiting, 1))
            heard += len(new)
            waiting += new
            while END in waiting:
                part, _, waiting = waiting.partition(bytes([END]))
                found = unframe(bytes(part))
                if found is None or found[1:5] != echo:
                    continue
                kind, payload = found[0] ^ protocol.REPLY, found[5:]
                if kind == protocol.ERROR and len(payload) == 1:
                    reason = protocol.REASONS.get(payload[0], f"reason {payload[0]}")
                    raise DbhwError(f"the board must take the request, but it refused it: {reason}")
                if kind == body[0] and length in (None, len(payload)):
                    return payload
        return None


def _port_widths(model: Model) -> list[tuple[int, int]]:
    """The core's output ports: the width of a field and how many there are; the label first."""
    return [(width, fields) for fields, width in output_ports(model.net).values()]
