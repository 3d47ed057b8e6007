"""The library of contests: drafts, versions, publication, copies, files, and trials by bots."""

from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from uuid import UUID

from matches.contests.services import presets, trials
from matches.models import Account
from tests.api.guests import Answer, Guest
from tests.api.ordinary import ordinary
from tests.contests.contents import content
from tests.golden.transcript import Transcript

FAULTY = content(title="", least_seats=40, colour="red")


def play() -> Transcript:
    """Return the transcript of what accounts do in the library."""
    transcript = Transcript("contests")
    author, reader = transcript.person("author"), transcript.person("reader")
    with transcript.recording(), patch.object(trials, "secrets", SimpleNamespace(randbelow=lambda _: 1)):
        contest = _written(author)
        _published(author, reader, contest)
        _files(author, reader, contest)
        _tried(author, contest)
        _deleted(reader, contest)
    return transcript


def _sent(operation: str, by: Guest, body: dict[str, Any] | None = None, *, query: str = "", **names: str) -> Answer:
    headers = {name: names.pop(name) for name in ("If_Match", "If_None_Match") if name in names}
    return ordinary(operation, body=body, query=query, **names).sent_by(by, **headers)


def _written(author: Guest) -> str:
    """Return the id of a contest that is made with faults, and saved without."""
    _sent("checkContest", author, {"content": FAULTY})
    _sent("checkContest", author, {"content": content()})
    contest = str(_sent("createContest", author, {"content": FAULTY}).json["id"])
    author.post("/contests", {"content": content()})
    tag = _sent("readContest", author, contest=contest).headers["ETag"]
    _sent("readContest", author, contest=contest, If_None_Match=tag)
    _sent("publishContest", author, contest=contest)
    _sent("saveContest", author, {"content": content(title="The Golden Fork")}, contest=contest, If_Match=tag)
    _sent("saveContest", author, {"content": content(title="Too late")}, contest=contest, If_Match=tag)
    author.ask("PUT", f"/contests/{contest}", b'{"content": {}}')
    return contest


def _published(author: Guest, reader: Guest, contest: str) -> None:
    _sent("readContest", reader, contest=contest)
    _sent("retireContest", author, contest=contest)
    _sent("publishContest", author, contest=contest, If_Match='"v2"')
    for operation in ("readContest", "saveContest", "retireContest", "deleteContest", "listContestVersions"):
        _sent(operation, reader, contest=contest)
    _sent("listContestVersions", author, contest=contest)
    _sent("readContestVersion", author, contest=contest, number="1")
    _sent("readContestVersion", reader, contest=contest, number="1")
    _sent("listContests", reader, query="?text=The Golden Fork")
    _sent("listContests", author, query="?mine=1&limit=1")
    _sent("listContests", reader, query="?text=The Salt Road")


def _files(author: Guest, reader: Guest, contest: str) -> None:
    for form in ("toml", "json"):
        file = _sent("exportContest", reader, contest=contest, query=f"?form={form}")
        ordinary("importContest").sent_by(reader)
        key = f"golden-{form}"
        reader.ask("POST", "/contests/import", file.body, f"application/{form}", Idempotency_Key=key)
    reader.ask("POST", "/contests/import", b"title = 1.5", "application/toml", Idempotency_Key="golden-faulty")
    _sent("copyContest", reader, contest=contest)
    copied = _sent("copyContest", reader, contest=str(presets.preset_id("salt_road"))).json["id"]
    _sent("readContest", reader, contest=copied)


def _tried(author: Guest, contest: str) -> None:
    _sent("tryContest", author, {"seats": 3, "runs": 1}, contest=contest)
    _sent("tryContest", author, {"seats": 31, "runs": 1}, contest=contest)
    _sent("tryContent", author, {"content": FAULTY, "seats": 3, "runs": 1})
    trial = _sent("tryContent", author, {"content": content(title="Golden"), "seats": 3, "runs": 4}).json["id"]
    _sent("tryContest", author, {"seats": 3, "runs": 4}, contest=contest)
    _sent("cancelContestTrial", author, trial=trial)
    trial = _sent("tryContest", author, {"seats": 3, "runs": 4}, contest=contest).json["id"]
    while trials.trial_of(_account(author), UUID(trial)).status == "running":
        trials.play_slice(60)
    _sent("readContestTrial", author, trial=trial)
    _sent("listContestTrials", author, contest=contest)


def _deleted(reader: Guest, contest: str) -> None:
    mine = _sent("copyContest", reader, contest=contest).json["id"]
    _sent("deleteContest", reader, contest=mine)
    _sent("readContest", reader, contest=mine)


def _account(guest: Guest) -> Account:
    return Account.objects.get(id=guest.id)
