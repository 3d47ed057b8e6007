"""Clients whose commands go over sockets, and that come again and repeat what got no answer."""

import json
from contextlib import ExitStack, suppress
from time import monotonic, sleep
from uuid import uuid4

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.journeys.guests import Guest, Told
from tests.journeys.proxies import Front
from tests.journeys.stubborn import BOUND, Acknowledged, Stubborn

_AWAY = (OSError, EOFError, WebSocketException)
_ANSWER = '"answer":'


class SocketClient(Stubborn):
    """Sends by a socket of the match, which it keeps; what it reads it asks for over REST."""

    def __init__(self, guest: Guest, front: Front) -> None:
        super().__init__(guest)
        self.front = front
        self._match = ""
        self._line: ClientConnection | None = None
        self._held = ExitStack()

    def send(self, match: str, seat: int, command: Told, seconds: float = BOUND) -> None:
        """A legal command; the same one, under its id, until it is acknowledged."""
        key, began = str(uuid4()), monotonic()
        while (body := self._answer(match, key, command)) is None:
            assert monotonic() < began + seconds, f"No answer within {seconds:g} s: {self.failures}"
            sleep(0.05)
        at = monotonic()
        self.acknowledged.append(Acknowledged(at, match, seat, key, command, body, at - began))

    def leave(self) -> None:
        self._hang_up()
        super().leave()

    def _answer(self, match: str, key: str, command: Told) -> bytes | None:
        """REST's answer as the socket gives it; None where the socket has gone, or the house can't look now."""
        what = "opening"
        try:
            line, what = self._at(match), "command"
            line.send(json.dumps({"kind": "command", "id": key, "command": command}))
            while True:
                text = str(line.recv(timeout=BOUND))
                frame = json.loads(text)
                if frame["kind"] == "accepted" and frame["id"] == key:
                    return text[text.index(_ANSWER) + len(_ANSWER) : -1].encode()
                if frame["kind"] == "refused":
                    assert frame["problem"]["status"] >= 500, text
                    self.failures.append(f"socket, {what}: {frame['problem']['code']}")
                    return None
        except _AWAY as error:
            code = error.rcvd.code if isinstance(error, ConnectionClosed) and error.rcvd else repr(error)
            self.failures.append(f"socket, {what}: {code}")
            self._hang_up()
            return None

    def _at(self, match: str) -> ClientConnection:
        if match != self._match:
            self._hang_up()
        if self._line is None:
            address = f"{self.front.url}/ws/matches/{match}".replace("http", "ws", 1)
            opened = connect(address, ssl=self.front.socket_trust, proxy=None, open_timeout=5, close_timeout=1)
            self._match, self._line = match, self._held.enter_context(opened)
            self._line.send(json.dumps({"kind": "auth", "token": self.guest.token}))
        return self._line

    def _hang_up(self) -> None:
        self._line = None
        with suppress(*_AWAY):
            self._held.close()
