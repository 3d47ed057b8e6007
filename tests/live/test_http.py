"""Parsing of HTTP: strict, limited in size, and independent of how the bytes are split into pieces."""

import http.client
import json
import socket
from contextlib import suppress
from select import select
from typing import Any

import pytest

from config.server.headlimit import HEAD_LIMIT
from tests.api.guests import guest
from tests.live.watching import PATIENCE, House

ASKED = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = b"POST /api/v1/tokens HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNKED += b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
MUCH = 64 * HEAD_LIMIT


def answers_to(web: House, *pieces: bytes) -> list[tuple[int, dict[str, str], bytes]]:
    """Send these pieces; return the status, headers and body of each response until the connection ends."""
    answers = []
    with socket.create_connection(("127.0.0.1", web.port), timeout=PATIENCE) as line:
        # The house may have closed before the last piece.
        with suppress(ConnectionError):
            for piece in pieces:
                line.sendall(piece)
        with line.makefile("rb") as read, suppress(ConnectionError):
            while answer := _next(read):
                answers.append(answer)
    return answers


def _next(read: Any) -> tuple[int, dict[str, str], bytes] | None:
    first = read.readline()
    if not first:
        return None
    headers = {name.lower(): value for name, value in http.client.parse_headers(read).items()}
    return int(first.split()[1]), headers, read.read(int(headers["content-length"]))


def test_pipelined_requests_are_answered_in_order(web: House) -> None:
    absent = ASKED.replace(b"healthz", b"api/v1/absent")
    answers = answers_to(web, ASKED + b"\r\n" + absent + b"\r\n" + ASKED + b"Connection: close\r\n\r\n")
    assert [status for status, *_ in answers] == [200, 404, 200]
    assert answers[-1][1]["connection"] == "close"


@pytest.mark.parametrize("endless", [
    ASKED + b"X: " + b"a" * MUCH, ASKED + b"X: a\r\n" * (MUCH // 6), b"GET /" + b"a" * MUCH, b"A" * MUCH,
    CHUNKED + b"2;" + b"a" * MUCH, CHUNKED + b"0\r\nX: " + b"a" * MUCH, CHUNKED + b"0\r\n" + b"X: a\r\n" * (MUCH // 6),
], ids=["header", "headers", "path", "method", "chunk", "trailer", "trailers"])  # fmt: skip
def test_endless_request_is_read_only_to_its_limit(endless: bytes, web: House) -> None:
    with socket.create_connection(("127.0.0.1", web.port), timeout=PATIENCE) as line, suppress(ConnectionError):
        for place in range(0, len(endless), 1024):
            line.sendall(endless[place : place + 1024])
            if select([line], [], [], 0)[0]:
                break
        # Whoever is still sending may find the connection gone before they have read why.
        assert line.recv(4096).split()[1] in (b"431", b"400")


@pytest.mark.parametrize("request_text", [
    ASKED + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ASKED + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
    ASKED + b"Content-Length: -4\r\n\r\n",
    ASKED + b"Transfer-Encoding: gzip\r\n\r\n",
    ASKED + b"X : a\r\n\r\n",
    ASKED + b" folded\r\n\r\n",
    ASKED + b"X: a\0b\r\n\r\n",
    ASKED.replace(b"\r\n", b"\n") + b"\n",
    ASKED.replace(b"1.1", b"3.7") + b"\r\n",
    b"GET http:// HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nConnection: close\r\nHost: localhost\r\nHost: elsewhere.example\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00",
], ids=[
    "length and chunks", "two lengths", "no length", "other coding", "space", "folded", "null", "bare newlines",
    "version", "no path", "no ascii", "connect", "two hosts", "no host", "tls",
])  # fmt: skip
def test_ambiguous_request_is_refused(request_text: bytes, web: House) -> None:
    ((status, _, _),) = answers_to(web, request_text)
    assert status == 400


def test_trailer_after_a_body_does_not_authenticate(web: House) -> None:
    player = guest()
    bearer = f"Authorization: Bearer {player.token}\r\n".encode()
    request_text = CHUNKED.replace(b"tokens", b"matches").replace(b"\r\n\r\n", b"\r\n")
    body = b"\r\n2\r\n{}\r\n0\r\n"
    ((late, _, without),) = answers_to(web, request_text + body + bearer + b"\r\n")
    ((early, _, _),) = answers_to(web, request_text + bearer + body + b"\r\n")
    assert late == 401 and json.loads(without)["code"] == "not_authenticated"
    assert early != 401


def test_body_in_many_small_chunks_is_read(web: House) -> None:
    text = json.dumps({"username": "nobody", "password": "x" * 5000}).encode()
    pieces = b"".join(b"1\r\n%c\r\n" % letter for letter in text) + b"0\r\n\r\n"
    assert len(pieces) > HEAD_LIMIT
    ((status, _, body),) = answers_to(web, CHUNKED, *(pieces[it : it + 600] for it in range(0, len(pieces), 600)))
    assert status in (400, 401) and json.loads(body)["code"] in ("malformed", "bad_credentials")


def test_upgrade_to_another_protocol_is_answered_in_http_1_1_and_closed(web: House) -> None:
    ((status, headers, _),) = answers_to(web, ASKED + b"Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n", ASKED + b"\r\n")
    assert (status, headers["connection"]) == (200, "close")


def test_an_older_client_is_answered_and_the_connection_closed(web: House) -> None:
    ((status, headers, _),) = answers_to(web, ASKED.replace(b"1.1", b"1.0") + b"\r\n", ASKED + b"\r\n")
    assert (status, headers["connection"]) == (200, "close")
