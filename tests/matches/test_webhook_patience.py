"""A receiver that never comes to the end of its answer is given up, and a name server that never answers."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread

import pytest
from django.test import override_settings

from matches.notifications import webhooks


@pytest.fixture(params=["letters", "hints"])
def dripping(request: pytest.FixtureRequest) -> Iterator[str]:
    """Start a server whose answer never ends: a header letter by letter, or informational answers alone."""
    over = Event()
    begin, more = {"letters": (b"HTTP/1.1 200 OK\r\nX: ", b"a"), "hints": (b"", b"HTTP/1.1 103 Early Hints\r\n\r\n")}[
        request.param
    ]
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            line, _ = server.accept()
            with line, suppress(OSError):
                line.sendall(begin)
                while not over.wait(0.02):
                    line.sendall(more)

        thread = Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        over.set()
        thread.join()


def test_receiver_that_drips_its_response_is_timed_out(dripping: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "TIMEOUT_SECONDS", 0.3)
    with override_settings(WEBHOOK_PRIVATE=True):
        sent = webhooks.post(dripping, b"{}", {})
    assert sent.failure == "The receiver didn't respond within 0.3 seconds."


def test_name_server_that_never_answers_is_timed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    over = Event()
    monkeypatch.setattr(webhooks, "TIMEOUT_SECONDS", 0.3)
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: over.wait() and [])
    sent = webhooks.post("https://hooks.example/x", b"{}", {})
    over.set()
    assert sent.failure == "Nobody could say in time where the receiver's name leads."


def test_time_of_the_name_lookup_is_subtracted_from_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[float] = []

    async def answer(*words: object) -> tuple[int, str]:
        left.append(words[-1])
        return 200, ""

    monkeypatch.setattr(webhooks, "_answer_of", answer)
    with override_settings(WEBHOOK_PRIVATE=True):
        assert webhooks.post("http://127.0.0.1:9/", b"{}", {}).failure == ""
    assert 0 < left[0] < webhooks.TIMEOUT_SECONDS
