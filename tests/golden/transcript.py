"""Transcripts: all that was asked at an interface and what was answered, masked, as lines of JSON.

A line is an exchange: `asked` is who asked for what. Where a body is much like that of an earlier exchange, the line
has `since`, the `asked` of the newest such exchange, and the `changes` that make this body of that one.
"""

import csv
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import unified_diff
from io import BytesIO, StringIO
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid5
from zipfile import ZipFile

from matches.models import Account
from tests.api.document import OPERATIONS, operation_at
from tests.api.guests import PASSWORD, Answer, Guest
from tests.golden.changes import changed, changes, dumped
from tests.golden.masks import Masks, shape
from tests.table_setting import new_token

RECORDS = Path(__file__).parent / "records"
SAID_OF_ALL = "headers of every answer"
_NAMESPACE = UUID("6f1f1f7e-8c1b-4f0e-9d8a-3b8f0a5f7d11")
_PER_RUN = {"Content-Length", "X-Request-ID"}
_DRAWN_ANEW = {"Authorization", "Idempotency_Key"}
_OF_ALL_STREAMS = frozenset({"proveMatch", "proveSeason", "proveConsistency"})
"""Operations whose answers depend on all streams of the house, and so on what other tests have stored."""
_IDS = re.compile(r"\b([0-9a-f-]{36}|[A-Z0-9]{8})\b")
_MOST_SHOWN = 12

Exchange = dict[str, Any]


class Transcript:
    """The requests and answers so far, in order."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.masks = Masks()
        self.exchanges: list[Exchange] = []
        self.operations: set[str] = set()
        self._labels: dict[str, str] = {}

    def person(self, label: str, *, password: bool = False, **rights: bool) -> Guest:
        """A new account under a steady id and name, with a token that may do everything."""
        id, username = uuid5(_NAMESPACE, f"{self.name} {label}"), f"{label} {self.name}"
        secret = PASSWORD if password else None
        account = Account.objects.create_user(username, secret, id=id, **rights)
        person = Guest(new_token(account), account)
        self.masks.name(str(id), label)
        self.masks.name(id.hex, label)
        self.call(person, label)
        return person

    def call(self, guest: Guest, label: str) -> Guest:
        """Name a guest in the transcript."""
        self._labels[guest.token or ""] = label
        if guest.token:
            self.masks.name(guest.token, f"token of {label}")
        return guest

    def note(self, heading: str, body: Any, **more: Any) -> None:
        """Add an exchange."""
        self.exchanges.append({"asked": heading, **more, "body": self.masks.masked(body)})

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Meanwhile every guest's requests are added."""
        ask = Guest.ask

        def recorded(guest: Guest, method: str, path: str, data: bytes = b"", *details: str, **headers: str) -> Answer:
            answer = ask(guest, method, path, data, *details, **headers)
            self._add(guest, method, path, data, headers, answer)
            return answer

        with patch.object(Guest, "ask", recorded):
            yield

    def _add(self, guest: Guest, method: str, path: str, data: bytes, sent: dict[str, str], answer: Answer) -> None:
        promised = operation_at(method, f"/api/v1{path}")
        operation = promised.id if promised else "none"
        self.operations.add(operation)
        mask = self.masks.text
        body = body_of(self.masks, answer)
        label = self._labels.get(guest.token or "", "nobody")
        more: dict[str, Any] = {"operation": operation, "status": answer.status}
        if data:
            more["sent"] = self.masks.masked(json.loads(data)) if data[:1] in b"{[" else f"{len(data)} bytes"
        if masked_headers := {name: mask(value) for name, value in sent.items() if name not in _DRAWN_ANEW}:
            more["sent headers"] = masked_headers
        more["headers"] = {name: mask(value) for name, value in answer.headers.items() if name not in _PER_RUN}
        if operation in _OF_ALL_STREAMS and answer.status == 200:
            path, body = path.partition("?")[0], shape(body)
        self.exchanges.append({"asked": f"{label} {method} {mask(path)}", **more, "body": body})

    def lines(self) -> list[str]:
        """The transcript as it is stored."""
        of_all = self._headers_of_all()
        lines, bases = [dumped({SAID_OF_ALL: of_all})], _Bases()
        for exchange in self.exchanges:
            line = dict(exchange)
            if "headers" in line:
                line["headers"] = {name: it for name, it in line["headers"].items() if of_all.get(name) != it}
            body = line.pop("body")
            since = bases.nearest(exchange)
            lines.append(dumped(line | (since or {"body": body})))
            bases.add(exchange)
        return lines

    def _headers_of_all(self) -> dict[str, str]:
        headers = [set(it["headers"].items()) for it in self.exchanges if "headers" in it]
        return dict(sorted(set.intersection(*headers))) if headers else {}


class _Bases:
    """The exchanges that a body may be told by: the newest of the operation, and of it those of each guest."""

    def __init__(self) -> None:
        self._newest: dict[tuple[str, ...], Exchange] = {}

    def nearest(self, exchange: Exchange) -> dict[str, Any] | None:
        """The body as changes; None where that isn't much shorter."""
        body, best = exchange["body"], None
        most = len(dumped(body)) * 0.8 - 80
        for key in dict.fromkeys(self._keys(exchange)):
            if base := self._newest.get(key):
                since = {"since": base["asked"], "changes": changes(base["body"], body)}
                if len(dumped(since)) < most:
                    best, most = since, len(dumped(since))
        return best

    def add(self, exchange: Exchange) -> None:
        """The newest one."""
        for key in self._keys(exchange):
            self._newest[key] = exchange

    def _keys(self, exchange: Exchange) -> list[tuple[str, ...]]:
        who = exchange["asked"].partition(" /")[0]
        kind = exchange.get("operation", "told")
        return [(kind, who), (kind,)]


def read(lines: Sequence[str]) -> list[Exchange]:
    """The exchanges that were stored, each with its whole body and all its headers."""
    first, *rest = map(json.loads, lines)
    bodies: dict[str, Any] = {}
    exchanges = []
    for line in rest:
        if "headers" in line:
            line["headers"] = {**first[SAID_OF_ALL], **line["headers"]}
        if "since" in line:
            line["body"] = changed(bodies[line.pop("since")], line.pop("changes"))
        bodies[line["asked"]] = line["body"]
        exchanges.append(line)
    return exchanges


def differences(recorded: Sequence[str], now: Sequence[str]) -> list[str]:
    """Return the differences between two transcripts: the request, the place in its answer, and both values."""
    if recorded == now:
        return []
    before, after = read(recorded), read(now)
    requests = [[it["asked"] for it in exchanges] for exchanges in (before, after)]
    if requests[0] != requests[1]:
        lines = unified_diff(*requests, "kept", "now", lineterm="", n=1)
        return ["Other requests are made:", *islice(lines, 4 * _MOST_SHOWN)]
    differing = []
    for number, (old, new) in enumerate(zip(before, after, strict=True), start=2):
        for path, value in changes(old, new).items():
            differing.append(f"line {number}, {old['asked']}\n    {path}: {_at(old, path)} -> {_short(value)}")
    return differing[:_MOST_SHOWN] + [f"and {len(differing) - _MOST_SHOWN} more"] * (len(differing) > _MOST_SHOWN)


def _at(document: Any, path: str) -> str:
    for name in path.split("/")[1:]:
        plain = name.replace("~1", "/").replace("~0", "~")
        try:
            document = document[int(plain)] if isinstance(document, list) else document[plain]
        except (KeyError, IndexError):
            return "nothing"
    return _short(document)


def _short(value: Any) -> str:
    text = dumped(value)
    return text if len(text) < 300 else f"{text[:300]}…"


def body_of(masks: Masks, answer: Answer) -> Any:
    """An answer's body as JSON, by its media type: pictures as their type alone, archives as the names in them."""
    kind = answer.headers.get("Content-Type", "").partition(";")[0]
    if not answer.body:
        return None
    match kind:
        case "application/json" | "application/problem+json":
            return masks.masked(answer.json)
        case "application/x-ndjson":
            return [masks.masked(json.loads(line)) for line in answer.lines if line]
        case "text/csv":
            rows = csv.DictReader(StringIO(answer.body.decode("utf-8-sig")))
            return [masks.columns(row) for row in rows]
        case "text/event-stream":
            return events_of(masks, answer.lines)
        case "application/zip":
            names = ZipFile(BytesIO(answer.body)).namelist()
            return sorted(_IDS.sub("<id>", name) for name in names)
        case "text/calendar" | "text/plain":
            return [masks.text(line) for line in answer.lines]
    return f"a body of {kind}"


def events_of(masks: Masks, lines: Sequence[str]) -> list[Any]:
    """The lines of a stream of events; their data as JSON."""
    prefix = "data: "
    return [masks.masked(json.loads(it[6:])) if it.startswith(prefix) else it for it in lines if it and it != ":"]


def covered(transcripts: Sequence[Sequence[str]]) -> set[str]:
    """The operations of the document that stored transcripts have asked for."""
    operations = {json.loads(line).get("operation") for lines in transcripts for line in lines}
    return operations & set(OPERATIONS)
