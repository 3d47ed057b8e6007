"""Deliveries: one stream that can't be delivered holds up no other."""

from collections.abc import Callable
from uuid import UUID, uuid4

import psycopg
import pytest
from django.db import OperationalError

from events import appending, outbox
from events.database_errors import is_away
from tests.events.staging import append, counted


class Consumer:
    """Takes what it is called with; `trouble` may raise first."""

    def __init__(self, trouble: Callable[[UUID], None]) -> None:
        self.name = f"consumer-{uuid4().hex[:8]}"
        self.types = frozenset({f"news-{self.name}"})
        self.trouble = trouble
        self.got: list[UUID] = []

    def deliver(self, stream: UUID) -> None:
        """Take it."""
        self.trouble(stream)
        self.got.append(stream)

    def post(self) -> UUID:
        """A stream with news."""
        stream = uuid4()
        append(stream, [counted(1, *self.types)])
        return stream


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[[Consumer], Consumer]:
    """Make one consumer the only one."""

    def register(consumer: Consumer) -> Consumer:
        monkeypatch.setattr(outbox, "_registered", {consumer.name: consumer})
        monkeypatch.setitem(appending.interests, consumer.name, consumer.types)
        return consumer

    return register


def wrapped(error: Exception) -> Exception:
    """Return the error with the cause that Django gives it."""
    failure = OperationalError("canceling statement")
    failure.__cause__ = error
    return failure


@pytest.mark.parametrize(
    "error",
    [psycopg.errors.LockNotAvailable(), psycopg.errors.QueryCanceled(), wrapped(psycopg.errors.LockNotAvailable())],
    ids=["lock", "statement", "by Django"],
)
def test_a_stream_that_somebody_holds_goes_to_the_end(only: Callable[[Consumer], Consumer], error: Exception) -> None:
    held: list[UUID] = []

    def wait_in_vain(stream: UUID) -> None:
        if stream in held:
            raise error

    consumer = only(Consumer(wait_in_vain))
    held.append(consumer.post())
    others = [consumer.post() for _ in range(3)]
    assert outbox.catch_up() == 3
    assert sorted(consumer.got) == sorted(others)
    stream = held.pop()
    assert outbox.catch_up() == 1
    assert consumer.got[-1] == stream


@pytest.mark.parametrize("error", [psycopg.OperationalError(), wrapped(psycopg.OperationalError())])
def test_a_database_that_is_away_ends_the_round(only: Callable[[Consumer], Consumer], error: Exception) -> None:
    def away(_: UUID) -> None:
        raise error

    consumer = only(Consumer(away))
    consumer.post()
    with pytest.raises(type(error)):
        outbox.catch_up()
    assert is_away(error)
