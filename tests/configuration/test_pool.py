"""The pool hands out a connection without asking the server, and yet none that is lost."""

from collections.abc import Iterator
from select import POLLIN, poll

import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections

from config.postgres.base import DatabaseWrapper
from events.database_errors import is_away
from tests.waiting import wait_until


@pytest.fixture
def apart() -> Iterator[DatabaseWrapper]:
    """A pool of its own, of one session."""
    wrapper = connections.create_connection(DEFAULT_DB_ALIAS)
    assert isinstance(wrapper, DatabaseWrapper)
    options = wrapper.settings_dict["OPTIONS"]
    pool = options["pool"] | {"min_size": 1, "max_size": 1}
    wrapper.alias, wrapper.settings_dict = "apart", wrapper.settings_dict | {"OPTIONS": options | {"pool": pool}}
    yield wrapper
    wrapper.close()
    wrapper.close_pool()


def session(wrapper: DatabaseWrapper, *before: str) -> int:
    """The number of the session that is handed out, and given back again."""
    with wrapper.cursor() as cursor:
        for statement in before:
            cursor.execute(statement)
        cursor.execute("SELECT pg_backend_pid()")
        (number,) = cursor.fetchone()
    wrapper.close()
    return int(number)


def end(number: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [number])
        assert cursor.fetchone() == (True,)


def test_an_idle_session_is_handed_out_again(apart: DatabaseWrapper) -> None:
    assert session(apart) == session(apart)


def test_a_session_that_the_server_has_ended_is_replaced_unnoticed(apart: DatabaseWrapper) -> None:
    first = session(apart)
    end(first)
    second = session(apart)
    assert second != first
    assert session(apart) == second


def test_a_session_with_something_to_tell_is_not_thrown_away(apart: DatabaseWrapper) -> None:
    first = session(apart, "LISTEN told")
    with apart.cursor():
        line = apart.connection.fileno()
    apart.close()
    with connection.cursor() as cursor:
        cursor.execute("NOTIFY told")
    waiting = poll()
    waiting.register(line, POLLIN)
    wait_until(lambda: waiting.poll(0))
    assert session(apart) == first


def test_a_session_of_a_server_that_takes_no_writes_any_more_is_replaced(apart: DatabaseWrapper) -> None:
    first = session(apart, "SET default_transaction_read_only = on")
    with pytest.raises(OperationalError, match="takes no writes") as refused, apart.cursor() as cursor:
        cursor.execute("DELETE FROM matches_pulse WHERE false")
    assert is_away(refused.value)
    apart.close()
    assert session(apart) != first
