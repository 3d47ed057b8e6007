"""Hostile requests to every operation: a refusal in words or a legitimate answer, and never a trace in the log.

Each answer is held against the OpenAPI document by the guest who asks: no 5xx, documented statuses, problem documents.
"""

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from matches.api.examples import PARAMETERS as EXAMPLES
from tests.api.document import OF_SEASONS, OPERATIONS, Promised
from tests.api.guests import Guest, guest, opened
from tests.api.hostility import (
    BODIES,
    COMMAND_HEADERS,
    HEADERS,
    MEDIA_TYPES,
    PARAMETERS,
    QUERIES,
    SEGMENTS,
    misshapen,
    spoilt,
)
from tests.api.ordinary import BODIES as ORDINARY
from tests.api.ordinary import OF_NOBODY, ordinary
from tests.api.seasons import Cup

BEFORE_THE_START = ("joinMatch", "addNonce", "openSeat", "startMatch")
WITH_BODY = [it for it in OPERATIONS if OPERATIONS[it].body is not None]
WITH_PATH = [it for it in OPERATIONS if OPERATIONS[it].parameters("path")]

FREE_TEXT = {"game": 200, "text": 200, "as": 404}
"""Parameters that any short text may be given for: a game or a sentence that isn't there, a witness one may not be."""


OPEN = ("signUp", "createToken", "proveConsistency", "askForPassword", "resetPassword")
"""Operations that need no account."""


_standing: dict[str, tuple[Guest, str]] = {}
"""Somebody with a season or match on which nothing was accepted since it was laid; the targets hand it on."""


class Target:
    """Somebody who may do everything, with a season or match that stands until something is accepted."""

    def __init__(self, operation: str) -> None:
        self.told: Promised = OPERATIONS[operation]
        self._kind = _kind_of(self.told)
        self.guest, place = _standing.get(self._kind) or self._newcomer()
        self.season, self._match = (place, "") if self._kind == "season" else ("", place)
        self._events = events_ever()

    def _newcomer(self) -> tuple[Guest, str]:
        if self._kind == "season":
            cup = Cup(3)
            return _standing.setdefault(self._kind, (cup.organiser, cup.id))
        return (Guest() if self.told.id in OPEN else guest()), ""

    @property
    def match(self) -> str:
        """A match that the guest hosts and plays at; a new one after an act on it was accepted."""
        if not self._match and self._kind in LAID:
            self._match = LAID[self._kind](self.guest, "pyramid_poker", self.guest, "bot")
            _standing[self._kind] = self.guest, self._match
            self._events = events_ever()
        return self._match

    def ask(
        self, what: str, path: str = "", data: bytes = b"", media_type: str = "application/json", **headers: str
    ) -> int:
        """The status; where it is a refusal, nothing has been appended."""
        where = path or self.path()
        if self.told.id == "sendCommand" or (self.season and self.told.method == "POST"):
            headers.setdefault("Idempotency_Key", str(uuid4()))
        status = self.guest.ask(self.told.method, where, data, media_type, **headers).status
        before, self._events = self._events, events_ever()
        if status >= 400:
            assert self._events == before, f"{what} was refused and left a trace."
        elif self.told.method != "GET":
            self._match = ""
            _standing.pop(self._kind, None)
        return status

    def path(self, query: str = "", **names: str) -> str:
        """The operation's address."""
        path_names = {"name": self.match, "token_id": str(uuid4()), "season_id": self.season} | names
        return ordinary(self.told.id, query=query, **path_names).path

    @property
    def nothing(self) -> bytes:
        """A body that asks for nothing, where one is taken."""
        return b"{}" if self.told.body is not None else b""


def _kind_of(promised: Promised) -> str:
    if promised.id in OF_SEASONS or "{season_id}" in promised.path:
        return "season"
    if "{name}" not in promised.path:
        return "neither"
    return "waiting match" if promised.id in BEFORE_THE_START else "running match"


def _started(opener: Guest, *setting: str | Guest) -> str:
    match = opened(opener, *setting)
    assert opener.post(f"/matches/{match}/start").status == 200
    return match


LAID = {"waiting match": opened, "running match": _started}


_counted: tuple[str, int] = ("", 0)
"""The next transaction that will write when the events were last counted, and how many there were."""


def events_ever() -> int:
    """Return the number of all events; it counts only if something was written since the last count."""
    global _counted
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text")
        (next_writer,) = cursor.fetchone()
        if next_writer != _counted[0]:
            cursor.execute("SELECT coalesce(sum(version), 0)::bigint FROM events_head")
            _counted = next_writer, cursor.fetchone()[0]
    return _counted[1]


SOME, REST = "some", "the rest"
PARTS = pytest.mark.parametrize("part", [SOME, pytest.param(REST, marks=pytest.mark.slow)])
"""Every operation meets some of what there is, neighbours others; the slow tests send the rest."""
FIELDS, SHARED = 5, 12
"""Faults in a field are each operation's own, and it meets one of five; of what every operation reads by the same code
it meets one of twelve."""


def share(part: str, operation: str, values: Sequence[Any], among: int = SHARED) -> list[Any]:
    """This operation's part of the values."""
    place = list(OPERATIONS).index(operation)
    return [it for number, it in enumerate(values) if ((number + place) % among == 0) == (part == SOME)]


@PARTS
@pytest.mark.parametrize("operation", WITH_BODY)
def test_body_that_is_not_an_ordinary_object_is_refused(operation: str, part: str) -> None:
    target = Target(operation)
    bodies = share(part, operation, list(BODIES.items()))
    passed = {what for what, body in bodies if target.ask(what, data=body) < 400}
    may_be_empty = not OPERATIONS[operation].declaration["requestBody"]["required"]
    assert passed <= ({"empty"} if may_be_empty else set())


@PARTS
@pytest.mark.parametrize("operation", WITH_BODY)
def test_a_fault_in_a_field_is_refused_or_harmless(operation: str, part: str) -> None:
    target = Target(operation)
    faults = share(part, operation, list(spoilt(ORDINARY[operation])), FIELDS)
    statuses = {what: target.ask(what, data=body) for what, body in faults}
    assert set(statuses.values()) - {200, 201}


@pytest.mark.parametrize("operation", WITH_BODY)
def test_a_fault_in_the_form_is_refused(operation: str) -> None:
    target = Target(operation)
    assert {what: target.ask(what, data=body) for what, body in misshapen(ORDINARY[operation])} == {
        "one name more": 400, "the first name twice": 400, "not quite UTF-8": 400,
    }  # fmt: skip


@pytest.mark.parametrize("operation", WITH_BODY)
def test_a_body_in_another_form_is_refused(operation: str) -> None:
    target = Target(operation)
    for media_type in MEDIA_TYPES:
        assert target.ask(media_type, data=b'{"reason": "a"}', media_type=media_type) in (400, 415)


@PARTS
@pytest.mark.parametrize("operation", OPERATIONS)
def test_unknown_parameters_are_refused(operation: str, part: str) -> None:
    target = Target(operation)
    for query in share(part, operation, QUERIES):
        assert target.ask(query, target.path(f"?{query}"), target.nothing) == 400


@PARTS
@pytest.mark.parametrize("operation", [it for it in OPERATIONS if OPERATIONS[it].parameters("query")])
def test_invalid_query_parameter_is_refused_or_harmless(operation: str, part: str) -> None:
    target = Target(operation)
    for name in OPERATIONS[operation].parameters("query"):
        for value in share(part, operation, PARAMETERS):
            query = f"?{name}={value.replace('{name}', name)}"
            status = target.ask(query, target.path(query), target.nothing)
            harmless = FREE_TEXT.get(name) if "%00" not in value and len(value) < 100 else None
            assert status in (400, harmless), query


@PARTS
@pytest.mark.parametrize("operation", WITH_PATH)
def test_unknown_path_gets_404(operation: str, part: str) -> None:
    target = Target(operation)
    for name in OPERATIONS[operation].parameters("path"):
        for segment in share(part, operation, SEGMENTS):
            assert target.ask(segment, target.path(**{name: segment}), target.nothing) in (400, 404), segment


@PARTS
@pytest.mark.parametrize("operation", OPERATIONS)
def test_odd_headers_are_refused_or_passed_over(operation: str, part: str) -> None:
    target = Target(operation)
    for headers in share(part, operation, HEADERS):
        status = target.ask(str(headers), data=target.nothing, **headers)
        asks_by_token = headers.get("Authorization", "").startswith("Bearer") and target.guest.token
        assert status == 401 or not asks_by_token


def test_a_command_with_odd_headers_is_refused() -> None:
    target = Target("sendCommand")
    for headers in COMMAND_HEADERS:
        assert target.ask(str(headers), data=b'{"type": "resign"}', **headers) in (400, 428)


def test_options_request_lists_the_methods_of_every_path() -> None:
    nobody = Guest()
    for path in {it.path for it in OPERATIONS.values()}:
        methods = {it.method for it in OPERATIONS.values() if it.path == path}
        names = EXAMPLES | OF_NOBODY | {"name": "unseen", "slug": "none", "key": "unused"}
        answer = nobody.ask("OPTIONS", path.removeprefix("/api/v1").format(**names))
        assert (answer.status, answer.body) == (204, b"")
        heads = {"HEAD"} if "GET" in methods else set()
        assert set(answer.headers["Allow"].split(", ")) == methods | heads | {"OPTIONS"}
    assert nobody.ask("OPTIONS", "/nowhere").refusal == (404, "not_found")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "POST", "TRACE", "PROPFIND"])
def test_other_methods_get_405(method: str) -> None:
    target, asker = Target("readMatch"), guest()
    for path in {it.path for it in OPERATIONS.values()}:
        methods = {it.method for it in OPERATIONS.values() if it.path == path}
        if method in methods:
            continue
        names = EXAMPLES | OF_NOBODY | {"name": target.match, "slug": "pentagram", "number": "1", "key": "unused"}
        names |= {"link": "1", "secret": "none", "thread": "table", "episode": "1", "push_id": str(uuid4())}
        names |= {"account_id": str(uuid4()), "token_id": str(uuid4())}
        below = path.removeprefix("/api/v1").format(**names)
        answer = asker.ask(method, below)
        assert answer.refusal == (405, "method_not_allowed")
        assert set(answer.headers["Allow"].split(", ")) >= methods
