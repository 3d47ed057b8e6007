"""Hostile requests to every operation: a refusal in words or a legitimate answer, and never a trace in the log.

Each answer is held against the OpenAPI document by the guest who asks: no 5xx, documented statuses, problem documents.
"""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.db import connection
from django.test import override_settings

from tests.api.document import OF_SEASONS, OPERATIONS, Promised
from tests.api.guests import Guest, guest, opened
from tests.api.hostility import BODIES, COMMAND_HEADERS, HEADERS, MEDIA_TYPES, PARAMETERS, QUERIES, SEGMENTS, spoilt
from tests.api.ordinary import BODIES as ORDINARY
from tests.api.ordinary import OF_NOBODY, ordinary
from tests.api.seasons import Cup

BEFORE_THE_START = ("joinMatch", "addNonce", "startMatch")
WITH_BODY = [it for it in OPERATIONS if OPERATIONS[it].body is not None]
WITH_PATH = [it for it in OPERATIONS if OPERATIONS[it].parameters("path")]


class Target:
    """Somebody who may do everything, with a match of their own that stands until something is accepted."""

    def __init__(self, operation: str) -> None:
        self.told: Promised = OPERATIONS[operation]
        runs_seasons = operation in OF_SEASONS
        self.guest = Guest() if operation in ("signUp", "createToken") else guest(is_organiser=runs_seasons)
        self.season = Cup(3, organiser=self.guest).id if runs_seasons else ""
        self._match = ""
        self._events = events_ever()

    @property
    def match(self) -> str:
        """A match that the guest hosts and plays at; a new one after an act on it was accepted."""
        if not self._match and "{name}" in self.told.path:
            begin = opened if self.told.id in BEFORE_THE_START else _started
            self._match = begin(self.guest, "pyramid_poker", self.guest, "bot")
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
        return status

    def path(self, query: str = "", **names: str) -> str:
        """The operation's address."""
        known = {"name": self.match, "token_id": str(uuid4()), "season_id": self.season} | names
        return ordinary(self.told.id, query=query, **known).path

    @property
    def nothing(self) -> bytes:
        """A body that asks for nothing, where one is taken."""
        return b"{}" if self.told.body is not None else b""


def _started(opener: Guest, *setting: str | Guest) -> str:
    match = opened(opener, *setting)
    assert opener.post(f"/matches/{match}/start").status == 200
    return match


def events_ever() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(sum(version), 0) FROM events_head")
        return int(cursor.fetchone()[0])


@pytest.fixture(autouse=True, scope="module")
def cheap_hashes() -> Iterator[None]:
    """Real ones take a third of a second each."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.mark.parametrize("operation", WITH_BODY)
def test_a_body_that_is_no_ordinary_object_is_refused(operation: str) -> None:
    target = Target(operation)
    passed = {what for what, body in BODIES.items() if target.ask(what, data=body) < 400}
    may_be_empty = not OPERATIONS[operation].told["requestBody"]["required"]
    assert passed <= ({"empty"} if may_be_empty else set())


@pytest.mark.parametrize("operation", WITH_BODY)
def test_a_fault_in_a_field_is_refused_or_harmless(operation: str) -> None:
    target = Target(operation)
    statuses = {what: target.ask(what, data=body) for what, body in spoilt(ORDINARY[operation])}
    for what in ("one name more", "the first name twice", "not quite UTF-8"):
        assert statuses[what] == 400
    assert set(statuses.values()) - {200, 201}


@pytest.mark.parametrize("operation", WITH_BODY)
def test_a_body_in_another_form_is_refused(operation: str) -> None:
    target = Target(operation)
    for media_type in MEDIA_TYPES:
        assert target.ask(media_type, data=b'{"reason": "a"}', media_type=media_type) in (400, 415)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_unknown_parameters_are_refused(operation: str) -> None:
    target = Target(operation)
    for query in QUERIES:
        assert target.ask(query, target.path(f"?{query}"), target.nothing) == 400


@pytest.mark.parametrize("operation", [it for it in OPERATIONS if OPERATIONS[it].parameters("query")])
def test_a_parameter_that_makes_no_sense_is_refused_or_harmless(operation: str) -> None:
    target = Target(operation)
    for name in OPERATIONS[operation].parameters("query"):
        for value in PARAMETERS:
            query = f"?{name}={value.replace('{name}', name)}"
            status = target.ask(query, target.path(query), target.nothing)
            assert status == 400 or (status in (200, 404) and name in ("game", "as", "text")), query


@pytest.mark.parametrize("operation", WITH_PATH)
def test_a_path_that_leads_nowhere_is_not_found(operation: str) -> None:
    target = Target(operation)
    for name in OPERATIONS[operation].parameters("path"):
        for segment in SEGMENTS:
            assert target.ask(segment, target.path(**{name: segment}), target.nothing) in (400, 404), segment


@pytest.mark.parametrize("operation", OPERATIONS)
def test_odd_headers_are_refused_or_passed_over(operation: str) -> None:
    target = Target(operation)
    for headers in HEADERS:
        status = target.ask(str(headers), data=target.nothing, **headers)
        assert status == 401 or "Authorization" not in headers or not target.guest.token


def test_a_command_with_odd_headers_is_refused() -> None:
    target = Target("sendCommand")
    for headers in COMMAND_HEADERS:
        assert target.ask(str(headers), data=b'{"type": "resign"}', **headers) in (400, 428)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "POST", "OPTIONS", "TRACE", "PROPFIND"])
def test_other_methods_are_not_allowed(method: str) -> None:
    target, asker = Target("readMatch"), guest()
    for path in {it.path for it in OPERATIONS.values()}:
        known = {it.method for it in OPERATIONS.values() if it.path == path}
        if method in known:
            continue
        names = OF_NOBODY | {"name": target.match, "slug": "pentagram", "token_id": str(uuid4()), "number": "1"}
        below = path.removeprefix("/api/v1").format(**names, account_id=uuid4())
        answer = asker.ask(method, below)
        assert answer.refusal == (405, "method_not_allowed")
        assert set(answer.headers["Allow"].split(", ")) >= known
