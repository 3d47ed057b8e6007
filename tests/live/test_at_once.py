"""Usual requests of programs are answered at once, as Django's views answer them."""

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from contextlib import closing
from random import Random
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from django.urls import resolve

from events.loop_connection import LoopConnection
from events.pipeline import BinaryStatement, Rows
from games import catalogue
from games.kernel import HOST, SPECTATOR, to_json
from matches.api.at_once import _OPERATIONS, AtOnce
from matches.api.reads_at_once import Wanted, read_at_once
from matches.http import limits
from matches.http.authentication import load_token
from matches.models import AccessToken, Account
from matches.storage import range_reads, repository
from tests.api.doors import Response, Served
from tests.api.guests import Guest, advance, guest, house, started
from tests.cases import some_slow
from tests.live.test_access import deactivate, expire, revoke
from tests.live.watching import House
from tests.plain_http import NOBODY
from tests.table_setting import new_account, new_token

VARYING = {"date", "etag", "content-length", "x-request-id", "ratelimit-limit", "ratelimit-remaining"}
"""Headers that differ from answer to answer; those on limits are left out where Redis takes longer than 0.1 s."""
AT_ONCE = re.compile(
    r'^croupier_requests_at_once_total\{method="\w+",route="api/v1/matches/<str:name>/(\w+)"\} (\S+)$', re.MULTILINE
)
BY_DJANGO = {"Cookie": "nothing=here"}
"""A header that says nothing, but such a request isn't usual."""


@pytest.fixture
def players() -> list[Guest]:
    accounts = [new_account(), new_account()]
    return [Guest(new_token(account), account) for account in accounts]


@pytest.fixture
def match(players: list[Guest], web: House) -> str:
    """A match under way, of which the web process doesn't know yet, nor of its players' tokens."""
    running = started("pyramid_poker", *players)
    advance(running, players, 4, Random(1))
    return running


def at_once(web: House) -> dict[str, float]:
    """How many requests have been answered without Django, by the last part of their address."""
    told = httpx.get(f"{web.origin}/metrics", verify=NOBODY).text
    return {about: float(times) for about, times in AT_ONCE.findall(told)}


def ask(web: House, who: Guest, match: str, about: str, **headers: str) -> Response:
    given = {"Authorization": f"Bearer {who.token}", "Content-Type": "", **headers}
    with closing(Served(web.origin)) as door:
        return door.ask("GET", f"/api/v1/matches/{match}/{about}", b"", given)


def move(web: House, who: Guest, match: str, body: Any, **headers: str) -> Response:
    return post(web, who, match, json.dumps(body).encode(), **headers)


def post(web: House, who: Guest, match: str, body: bytes, **headers: str) -> Response:
    given = {"Authorization": f"Bearer {who.token}", "Content-Type": "application/json"}
    given |= {"Idempotency-Key": str(uuid4()), **headers}
    with closing(Served(web.origin)) as door:
        return door.ask("POST", f"/api/v1/matches/{match}/commands", body, given)


def signed_in(who: Guest) -> AccessToken:
    token = load_token(who.token)
    assert token is not None
    return token


def next_move(match: str) -> tuple[int, Any]:
    """Whom the match waits for, and a command of theirs."""
    house(match)
    state = repository.load(UUID(match))
    seat = state.due.prompts[0].seat
    return seat, to_json(state.game.bot(repository.load(UUID(match), seat).state, seat, Random(state.version)))


def document_of(answer: Response) -> Any:
    """Return the document of a response without its request id."""
    return {name: value for name, value in json.loads(answer.body).items() if name != "request_id"}


def steady(answer: Response) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.headers.items() if name.lower() not in VARYING}


def test_first_move_of_a_match_and_of_a_seat_takes_the_fast_path(web: House, players: list[Guest]) -> None:
    match, before = started("pyramid_poker", *players), at_once(web).get("commands", 0)
    for _ in range(3):
        seat, command = next_move(match)
        assert move(web, players[seat], match, command).status == 201
    assert at_once(web)["commands"] == before + 3


def test_fast_path_responds_with_the_headers_of_django(web: House, match: str, players: list[Guest]) -> None:
    before, answers = at_once(web), []
    for more in ({}, BY_DJANGO, {}, BY_DJANGO):
        seat, command = next_move(match)
        # What has been dealt meanwhile is known from here on.
        ask(web, players[seat], match, "view")
        answers.append(move(web, players[seat], match, command, **more))
        assert answers[-1].status == 201, answers[-1].body
    assert at_once(web)["commands"] == before.get("commands", 0) + 2
    assert len({json.dumps(steady(answer), sort_keys=True) for answer in answers}) == 1
    shapes = {tuple(sorted(json.loads(answer.body))) for answer in answers}
    assert len(shapes) == 1
    for answer in answers:
        last = json.loads(answer.body)["events"][-1]
        assert answer.headers["ETag"] == f'"v{last["version"]}-{last["hash"]}"'


@pytest.mark.parametrize("slug", sorted(catalogue))
@pytest.mark.parametrize("aids", some_slow(["all", "none"], always=["all"]))
def test_fast_reads_equal_those_of_django_byte_for_byte(slug: str, aids: str, web: House) -> None:
    players, onlooker = [guest(), guest()], guest()
    match = started(slug, *players, aids=aids)
    before = at_once(web)
    for _ in range(3):
        seat, command = next_move(match)
        assert players[seat].send(match, command).status == 201
        for who in (*players, onlooker):
            for about in ("view", "events", "events?after=5&limit=2", "events?limit=500"):
                quick, slow = ask(web, who, match, about), ask(web, who, match, about, **BY_DJANGO)
                assert (quick.status, quick.body, steady(quick)) == (slow.status, slow.body, steady(slow))
    after = at_once(web)
    # Sentences that need the position are told by Django, unless the page ends with the newest event.
    pages = 21 if catalogue[slug].with_names else 27
    assert (after["view"] - before.get("view", 0), after["events"] - before.get("events", 0)) == (9, pages)


@pytest.mark.parametrize(("query", "is_at_once"), [
    ("after=0", True), ("limit=1&after=2", True), ("after=2&wait=0", True), ("after=999999999", False),
    ("after=-1", False), ("after=01", False), ("after=", False), ("after=1&after=1", False), ("after=%00", False),
    ("limit=0", False), ("limit=501", False), ("hash=01234567&after=2", False), ("as=spectator", False),
    ("other=1", False), ("%ff", False),
])  # fmt: skip
def test_parameters_of_events_are_read_and_refused_alike_on_both_paths(
    query: str, is_at_once: bool, web: House, match: str, players: list[Guest]
) -> None:
    ask(web, players[0], match, "events")
    before = at_once(web)["events"]
    quick, slow = (ask(web, players[0], match, f"events?{query}", **more) for more in ({}, BY_DJANGO))
    assert (quick.status, document_of(quick), steady(quick)) == (slow.status, document_of(slow), steady(slow))
    assert at_once(web)["events"] == before + is_at_once


@pytest.mark.parametrize(("status", "more"), [
    (428, {"Idempotency-Key": ""}), (400, {"Idempotency-Key": "a b"}), (400, {"If-Match": "v1"}),
    (400, {"If-Match": "v1", "Idempotency-Key": ""}), (412, {"If-Match": '"v1"'}),
    (415, {"Content-Type": "text/plain"}), (415, {"Content-Type": "application/json; charset=latin-1"}),
])  # fmt: skip
def test_command_is_refused_alike_on_both_paths_for_its_headers(
    status: int, more: dict[str, str], web: House, match: str, players: list[Guest]
) -> None:
    seat, command = next_move(match)
    quick, slow = (move(web, players[seat], match, command, **more, **other) for other in ({}, BY_DJANGO))
    assert quick.status == status
    assert (quick.status, document_of(quick), steady(quick)) == (slow.status, document_of(slow), steady(slow))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"type":1.5}', b'{"a":1,"a":2}', b"\xff", b'{"type":"sing"}'])
def test_command_is_refused_alike_on_both_paths_for_its_body(
    body: bytes, web: House, match: str, players: list[Guest]
) -> None:
    seat, _ = next_move(match)
    quick, slow = (post(web, players[seat], match, body, **other) for other in ({}, BY_DJANGO))
    assert quick.status == 400
    assert (quick.status, document_of(quick), steady(quick)) == (slow.status, document_of(slow), steady(slow))


def test_command_with_a_charset_in_its_media_type_is_answered_at_once(
    web: House, match: str, players: list[Guest]
) -> None:
    before = at_once(web).get("commands", 0)
    for media_type in ("application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"'):
        seat, command = next_move(match)
        assert move(web, players[seat], match, command, **{"Content-Type": media_type}).status == 201
    assert at_once(web)["commands"] == before + 2


@pytest.mark.parametrize("about", ["commands", "view", "events"])
def test_route_that_is_answered_at_once_is_named_as_djangos_route(about: str) -> None:
    routes = {operation.route for (_, name), operation in _OPERATIONS.items() if name == about}
    assert routes == {resolve(f"/api/v1/matches/{uuid4()}/{about}").route}


@pytest.mark.in_process
@pytest.mark.parametrize("aids", ["all", "none"])
@pytest.mark.parametrize("limit", [1, 4])
def test_pages_of_events_are_exact_and_read_no_other_rows(
    aids: str, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    players, onlooker = [guest(), guest()], guest()
    match = started("pyramid_poker", *players, aids=aids)
    advance(match, players, 8, Random(1))
    run, counts = LoopConnection.run, list[int]()

    async def counted(line: LoopConnection, statement: BinaryStatement, values: Sequence[bytes | None] = ()) -> Rows:
        rows = await run(line, statement, values)
        if statement == range_reads._STATEMENT:
            counts.append(len([row for row in rows if row[3] is not None]))
        return rows

    async def pages(token: AccessToken) -> list[Any]:
        after, found = 0, list[Any]()
        try:
            while after is not None:
                body = await read_at_once(UUID(match), Wanted(after, limit), token)
                page = json.loads(body or b"null")
                found, after = [*found, page["results"]], page["next"]
        finally:
            await range_reads.of_this_loop().close()
        return found

    monkeypatch.setattr(LoopConnection, "run", counted)
    for whom in (HOST, 0, 1, SPECTATOR):
        repository.load(UUID(match), whom)
    for who in (*players, onlooker):
        counts.clear()
        found = asyncio.run(pages(signed_in(who)))
        everything = who.get(f"/matches/{match}/events", {"limit": 500}).json["results"]
        assert [event for page in found for event in page] == everything
        assert counts == [len(page) for page in found] and max(counts) == limit


@pytest.mark.in_process
def test_page_of_events_contains_events_newer_than_the_cache() -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    advance(match, players, 4, Random(1))
    known = {whom: repository.load(UUID(match), whom) for whom in (0, HOST)}
    advance(match, players, 8, Random(2))
    version = repository.version_of(UUID(match))
    stands = known[HOST].version
    assert stands + 2 < version

    token = signed_in(players[0])

    async def page(wanted: Wanted) -> Any:
        repository._cache.clear()
        for whom, state in known.items():
            repository._cache.put((UUID(match), whom), state, is_end=True)
        try:
            return json.loads(await read_at_once(UUID(match), wanted, token) or b"null")
        finally:
            await range_reads.of_this_loop().close()

    for after in (0, stands - 2, stands - 1, stands, stands + 1, version):
        for limit in (1, 3, 500):
            asked = {"after": after, "limit": limit}
            assert asyncio.run(page(Wanted(after, limit))) == players[0].get(f"/matches/{match}/events", asked).json


@pytest.mark.parametrize("end", [revoke, expire, deactivate])
def test_ended_token_is_refused_on_the_fast_path(end: Callable[[Account], None], web: House) -> None:
    accounts = [new_account(), new_account()]
    players = [Guest(new_token(account), account) for account in accounts]
    match = started("pyramid_poker", *players)
    seat, command = next_move(match)
    assert ask(web, players[seat], match, "view").status == ask(web, players[seat], match, "view").status == 200
    end(accounts[seat])
    version = repository.version_of(UUID(match))
    for answer in (
        move(web, players[seat], match, command), ask(web, players[seat], match, "view"),
        ask(web, players[seat], match, "events"),
    ):  # fmt: skip
        assert (answer.status, json.loads(answer.body)["code"]) == (401, "bad_token")
    assert repository.version_of(UUID(match)) == version


def test_same_key_gets_equal_bytes_on_both_paths(web: House, match: str, players: list[Guest]) -> None:
    seat, command = next_move(match)
    first, *again = (
        move(web, players[seat], match, command, **{"Idempotency-Key": "once", **more}) for more in ({}, {}, BY_DJANGO)
    )
    assert first.status == 201 and "Idempotent-Replayed" not in first.headers
    assert {(it.status, it.body, it.headers["Idempotent-Replayed"]) for it in again} == {(201, first.body, "true")}


def test_request_is_counted_once_on_either_path(web: House, match: str, players: list[Guest]) -> None:
    seat, command = next_move(match)

    def left(answer: Response) -> int:
        return int(answer.headers["RateLimit-Remaining"])

    first = move(web, players[seat], match, command)
    refused = move(web, players[seat], match, {"type": "sing"})
    assert (first.status, refused.status) == (201, 400)
    assert left(refused) == left(first) - 1
    looked = [left(ask(web, players[seat], match, about)) for about in ("view", "events", "view?at=5", "events")]
    assert looked == [looked[0] - place for place in range(4)]


def test_a_move_of_another_process_is_read_and_played_upon(web: House, match: str, players: list[Guest]) -> None:
    before = at_once(web)
    for _ in range(3):
        seat, command = next_move(match)
        assert players[seat].send(match, command).status == 201
        seat, command = next_move(match)
        told = json.loads(ask(web, players[seat], match, "view").body)
        answer = move(web, players[seat], match, command, **{"If-Match": f'"v{told["version"]}"'})
        assert answer.status == 201
    assert at_once(web)["commands"] == before.get("commands", 0) + 3


def test_command_with_an_incomplete_body_falls_back_to_django_unchanged() -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    advance(match, players, 4, Random(1))
    seat, command = next_move(match)
    assert load_token(players[seat].token) is not None
    body = json.dumps(command).encode()
    given = {
        "host": "localhost", "authorization": f"Bearer {players[seat].token}", "content-type": "application/json",
        "idempotency-key": "left", "content-length": str(len(body) + 1),
    }  # fmt: skip
    scope = {
        "type": "http", "method": "POST", "path": f"/api/v1/matches/{match}/commands", "query_string": b"",
        "scheme": "http", "headers": [(name.encode(), value.encode()) for name, value in given.items()],
    }  # fmt: skip
    came: list[Any] = [{"type": "http.request", "body": body, "more_body": True}, {"type": "http.disconnect"}]
    coming, left, sent = iter(came), list[Any](), list[Any]()

    async def receive() -> Any:
        return next(coming)

    async def send(message: Any) -> None:
        sent.append(message)

    async def django(_: Any, receive: Any, __: Any) -> None:
        left.extend([await receive(), await receive()])

    asyncio.run(AtOnce(django)(scope, receive, send))
    assert (left, sent) == (came, [])
    assert limits.COUNTED not in scope


@pytest.mark.in_process
def test_a_page_reads_no_events_of_a_match_that_this_process_is_far_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    players = [guest(), guest()]
    match = started("pyramid_poker", *players)
    behind = {whom: repository.load(UUID(match), whom) for whom in (0, HOST)}
    advance(match, players, 6, Random(1))
    assert repository.version_of(UUID(match)) > behind[HOST].version + 2
    repository._cache.clear()
    for whom, state in behind.items():
        repository._cache.put((UUID(match), whom), state, is_end=True)
    run, rows_read = LoopConnection.run, list[int]()
    few = BinaryStatement(
        range_reads._STATEMENT.sql.replace(str(range_reads.MOST_EVENTS), "2"), range_reads._STATEMENT.oids
    )

    async def counted(line: LoopConnection, statement: BinaryStatement, values: Sequence[bytes | None] = ()) -> Rows:
        rows = await run(line, statement, values)
        if statement == few:
            rows_read.append(len([row for row in rows if row[3] is not None]))
        return rows

    async def page() -> bytes | None:
        try:
            return await read_at_once(UUID(match), Wanted(0, 1), token)
        finally:
            await range_reads.of_this_loop().close()

    monkeypatch.setattr(range_reads, "_STATEMENT", few)
    monkeypatch.setattr(LoopConnection, "run", counted)
    token = signed_in(players[0])
    first = asyncio.run(page())
    second = players[0].get(f"/matches/{match}/events", {"limit": 1})
    third = asyncio.run(page())
    assert (first, rows_read) == (None, [1, 1])
    assert third is not None and json.loads(third) == second.json
