"""A body above the limit is refused before the application has it."""

import asyncio
import json
from typing import Any

from config.server.bodylimit import BodyLimit, Message

LIMIT = 64 * 1024


class Exchange:
    """One request through the limit: what the application read, and what the client got."""

    def __init__(self, chunks: list[bytes], headers: list[tuple[bytes, bytes]], path: str = "/") -> None:
        self.path = path
        self.chunks = list(chunks)
        self.headers = headers
        self.read = b""
        self.called = self.disconnected = False
        self.sent: list[Message] = []
        self.taken = 0

    def run(self) -> "Exchange":
        scope = {"type": "http", "headers": self.headers, "path": self.path}
        limited = BodyLimit(self.application, limit=LIMIT, wider={"/wide": 3 * LIMIT, "/all/": 2 * LIMIT})
        asyncio.run(limited(scope, self.receive, self.send))
        return self

    async def receive(self) -> dict[str, Any]:
        self.taken += 1
        chunk = self.chunks.pop(0)
        return {"type": "http.request", "body": chunk, "more_body": bool(self.chunks)}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def application(self, scope: Message, receive: Any, send: Any) -> None:
        self.called = True
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.disconnected = True
                break
            self.read += message["body"]
            more = message["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"read"})

    @property
    def statuses(self) -> list[int]:
        return [message["status"] for message in self.sent if message["type"] == "http.response.start"]


def exchange(*chunks: bytes, length: bytes | None = None) -> Exchange:
    headers = [] if length is None else [(b"content-length", length)]
    return Exchange(list(chunks), headers).run()


def test_a_body_at_the_limit_passes() -> None:
    done = exchange(b"a" * LIMIT, length=str(LIMIT).encode())
    assert done.statuses == [200]
    assert len(done.read) == LIMIT


def test_an_announced_excess_is_refused_unread() -> None:
    done = exchange(b"a", length=str(LIMIT + 1).encode())
    assert done.statuses == [413]
    assert not done.called
    assert done.taken == 0


def test_the_refusal_is_a_problem_document() -> None:
    start, body = exchange(b"", length=b"99999999").sent
    assert (b"content-type", b"application/problem+json") in start["headers"]
    problem = json.loads(body["body"])
    assert set(problem) == {"type", "title", "status", "detail", "code", "request_id"}
    assert (b"x-request-id", problem["request_id"].encode()) in start["headers"]
    assert problem["type"] == "/problems/too_large"
    assert (problem["status"], problem["code"]) == (413, "too_large")


def test_a_length_that_is_no_number_is_refused() -> None:
    assert exchange(b"", length=b"-1").statuses == [413]
    assert exchange(b"", length=b"1_0").statuses == [413]


def test_chunks_are_counted_and_the_rest_stays_unread() -> None:
    done = exchange(*[b"a" * 40_000] * 50)
    assert done.statuses == [413]
    assert done.disconnected
    assert done.taken == 2
    assert len(done.read) == 40_000


def test_an_understated_length_does_not_help() -> None:
    assert exchange(b"a" * 50_000, b"a" * 50_000, length=b"10").statuses == [413]


def test_small_chunks_pass() -> None:
    done = exchange(b"one ", b"two")
    assert (done.statuses, done.read) == ([200], b"one two")


def test_a_wider_path_takes_more_and_its_neighbours_do_not() -> None:
    chunk = b"a" * LIMIT
    assert Exchange([chunk] * 3, [], "/wide").run().statuses == [200]
    assert Exchange([chunk] * 4, [], "/wide").run().statuses == [413]
    for path in ("/wide/", "/wide/r", "//wide", "/Wide"):
        assert Exchange([chunk] * 2, [], path).run().statuses == [413], path


def test_path_below_a_wider_folder_takes_more() -> None:
    chunk = b"a" * LIMIT
    for path in ("/all/", "/all/r", "/all/r/s"):
        assert Exchange([chunk] * 2, [], path).run().statuses == [200], path
        assert Exchange([chunk] * 3, [], path).run().statuses == [413], path
    for path in ("/all", "/allr", "/r/all/"):
        assert Exchange([chunk] * 2, [], path).run().statuses == [413], path
