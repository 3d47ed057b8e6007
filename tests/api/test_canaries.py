"""Absence of secrets in logs, Redis and the tables; test_whole_matches searches the responses that seats get."""

import json
from collections.abc import Callable
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
import redis
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import connection

from games import catalogue
from matches.publishing import task_publisher
from matches.services import appending
from matches.storage import repository
from tests.api.canaries import Truth, decoded, logged, members, monitored, seed_spellings
from tests.api.guests import advance, guest, started
from tests.table_setting import wait_until


@pytest.mark.in_process
@pytest.mark.parametrize("slug", catalogue)
def test_redis_and_logs_carry_no_secret(slug: str) -> None:
    players = [guest(), guest()]
    with monitored() as commands, logged() as lines:
        match = started(slug, *players)
        advance(match, players, 9, Random(12))
        truth = Truth(match, slug)
        truth.catch_up()
        players[0].send(match, "no such thing")
        last = uuid4()
        task_publisher.wake_the_house(last)
        wait_until(lambda: any(str(last) in decoded(it) for it in commands))
    secrets = [*seed_spellings(match), *(row.salt.hex().encode() for row in truth.rows if row.salt)]
    secrets += [it for row in truth.rows if row.secret for it in (row.secret, *members(row.secret))]
    for text in (*map(decoded, commands), *lines):
        assert [it for it in secrets if it in text.encode()] == []
    assert any("no such thing" in it or "/commands" in it for it in lines)


def test_redis_gets_only_id_and_version_of_a_match() -> None:
    players = [guest(), guest()]
    with redis.Redis.from_url(settings.REDIS_URL).pubsub(ignore_subscribe_messages=True) as ear:
        ear.psubscribe("*")
        wait_until(lambda: ear.subscribed and ear.get_message() is None)
        with monitored() as commands:
            match = started("pentagram", *players)
            newest = repository.version_of(UUID(match))
            hints_told = read_hints(ear, lambda hint: hint == {"type": "moved", "match": match, "version": newest})
            wait_until(lambda: any(match in it and it.startswith("LPUSH") for it in map(decoded, commands)))
    hints = [it for it in map(decoded, commands) if match in it]
    published = [it for it in hints if it.startswith("PUBLISH ")]
    own = [(channel, hint) for channel, hint in hints_told if hint.get("match") == match]
    assert len(published) == len(own)
    for channel, hint in own:
        if hint["type"] == "moved":
            assert hint == {"type": "moved", "match": match, "version": hint["version"]}
            assert (channel, type(hint["version"])) == (f"croupier__group__match.{match}", int)
        else:
            assert hint == {"type": "needed", "match": match, "account": hint["account"]}
            assert hint["account"] in [it.id for it in players]
            assert channel == f"croupier__group__account.{hint['account']}"
    tasks = [it for it in hints if not it.startswith("PUBLISH ")]
    assert tasks and all(it.startswith("LPUSH moves ") for it in tasks)
    for sent in tasks:
        arguments, named, _ = json.loads(sent.partition(" body: ")[2])
        assert (arguments, named) == ([match], {})


def read_hints(ear: redis.client.PubSub, last: Callable[[Any], bool]) -> list[tuple[str, dict[str, Any]]]:
    """Return the hints with their channels, up to a last one."""
    hints: list[tuple[str, dict[str, Any]]] = []

    def is_last() -> bool:
        while message := ear.get_message():
            hints.append((message["channel"].decode(), get_channel_layer().deserialize(message["data"])))
        return any(last(hint) for _, hint in hints)

    wait_until(is_last)
    return hints


@pytest.mark.in_process
@pytest.mark.parametrize("slug", ["pyramid_poker", "pentagram"])
def test_a_failure_in_the_midst_of_a_move_logs_no_secret(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    players = [guest(), guest()]
    match = started(slug, *players)
    advance(match, players, 3, Random(1))
    truth = Truth(match, slug)
    truth.catch_up()
    seat = truth.table.due.prompts[0].seat
    command = players[seat].get(f"/matches/{match}/legal").json["legal"][0]

    def fail(event: object) -> None:
        raise RuntimeError("The pen is broken.")

    monkeypatch.setattr(appending.codec, "pack", fail)
    with logged() as lines, pytest.raises(AssertionError, match="answered 500"):
        players[seat].send(match, command)
    text = "\n".join(lines)
    assert text.count("The pen is broken.") >= 2 and "Traceback" in text
    names = {type(event).__name__ for event in truth.table.log} | {type(truth.table.state).__name__}
    assert [name for name in names if f"{name}(" in text] == []
    assert [it for it in seed_spellings(match) if it in text.encode()] == []


def test_no_table_contains_a_plain_seed() -> None:
    match = started("pentagram", guest(), guest())
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace")
        names = [name for (name,) in cursor.fetchall()]
        dump = ""
        for name in names:
            cursor.execute("SELECT has_table_privilege(%s, 'SELECT')", [name])
            if cursor.fetchone()[0]:
                cursor.execute(f'SELECT t::text FROM "{name}" t')  # noqa: S608  names from the catalogue
                dump += "\n".join(row for (row,) in cursor.fetchall())
    assert match in dump and "matches_seed" in names
    plain = dump.replace("\\", "").encode()
    assert [it for it in seed_spellings(match) if it in plain] == []
