"""Secrets of a main match that open with the end of its season: who sees what before, and that they open once."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from django.core.management import CommandError, call_command

from events import store
from events.chain import ChainBroken
from events.checkpoints import signing
from games.kernel import SPECTATOR
from matches.audit import croupier_verify, export, knowledge, replay, verify_all
from matches.audit.croupier_verify import Bad, verify, verify_archive
from matches.models import Account
from matches.reads import entitlements
from matches.seasons import process_manager
from matches.services import hosting, reopening
from matches.storage import repository
from tests.api.guests import Guest, guest
from tests.api.seasons import Cup, deliver
from tests.events.staging import tamper
from tests.matches.test_audit import Line, parsed, rechain, written
from tests.panel.office import Desk
from tests.seasons.contest_play import PlayedTable, set_contest

WHY = {"reason": "It was agreed."}
CLOSED = (404, "not_found")


class LateCup(Cup):
    """A season whose main matches open their secrets with its end, and the table of a contest that has begun."""

    def __init__(self, **options: Any) -> None:
        super().__init__(4, **{"secrets_open": "season", **options})
        self.did("/episodes", {"title": "First"})
        self.table: PlayedTable = set_contest(self, 4)

    @property
    def match(self) -> UUID:
        return UUID(self.table.match)

    def played(self) -> "LateCup":
        """With the contest played out, and its result reported."""
        self.table.play_out()
        return self

    def ends(self) -> "LateCup":
        """With a champion: all players but one have left."""
        for player in self.living()[1:]:
            self.did(f"/players/{player.id}/withdraw", WHY)
        assert self.read()["status"] == "finished"
        deliver()
        return self

    def voided(self) -> "LateCup":
        """With the contest declared void, and the season told."""
        assert self.host.post(f"/matches/{self.match}/void", WHY).status == 200
        deliver()
        return self

    def types(self) -> list[str]:
        """The types of the match's events."""
        return [row.type for row in store.read(self.match)]

    def lines(self) -> list[str]:
        """The match's record, as a host takes it."""
        return [line.decode().rstrip() for line in export.export(self.match)]

    def sights(self) -> list[tuple[int, str]]:
        """Return the status and code of requests for more than their readers may see before the opening."""
        seat = self.player(str(self.table.state.lifecycle.players[0]))
        wanted: Sequence[tuple[Guest, str]] = (
            (guest(), "seat:0"), (guest(), "host"), (seat, "seat:1"), (seat, "host"), (self.host, "seat:1"),
        )  # fmt: skip
        path = f"/matches/{self.match}"
        reads = ("view", "events", "moment", "board.svg")
        return [by.get(f"{path}/{read}", {"as": name}).refusal for by, name in wanted for read in reads]


def secrets_in(lines: Sequence[str]) -> int:
    return sum(it.get("secret") is not None for it in parsed(lines))


def test_match_opened_in_a_usual_season_says_nothing_of_its_secrets() -> None:
    season = LateCup(secrets_open="match")
    assert b"secrets_open" not in store.read(season.match, upto=1)[0].public
    assert season.played().types()[-2:] == ["match_finished", "seed_revealed"]
    version = repository.version_of(season.match)
    assert season.ends() and repository.version_of(season.match) == version


def test_end_of_a_match_opens_nothing_before_the_end_of_its_season() -> None:
    season = LateCup()
    assert set(season.sights()) == {CLOSED, (403, "sealed")}
    season.played()
    assert season.types()[-1] == "match_finished" and "seed_revealed" not in season.types()
    assert set(season.sights()) == {CLOSED}
    document = guest().get(f"/matches/{season.match}").json
    assert (document["status"], document["seed"]) == ("finished", None)
    assert secrets_in(season.lines()) == 0
    assert season.host.get(f"/matches/{season.match}/export").lines == season.lines()


def test_look_of_a_host_after_the_end_is_recorded_as_before() -> None:
    season = LateCup().played()
    path = f"/matches/{season.match}/view"
    shown = season.host.get(path, {"as": "host"})
    assert (shown.status, shown.json["witness"], season.types()[-1]) == (200, "host", "truth_viewed")
    version = repository.version_of(season.match)
    assert season.host.get(path, {"as": "host"}).status == 200 and repository.version_of(season.match) == version


def test_host_is_refused_what_is_sealed_when_a_match_is_decided_amid_a_round() -> None:
    season = LateCup()
    season.table.submit(0, side="left")
    hosting.adjudicate(match_id=season.match, by=UUID(season.organiser.id), winners=[0], reason="The host is ill.")
    deliver()
    refusal = season.host.get(f"/matches/{season.match}/view", {"as": "host"})
    assert refusal.refusal == (403, "sealed")
    assert "It opens with the end of the season." in refusal.json["detail"]


def test_end_of_the_season_opens_everything_once() -> None:
    season = LateCup().played()
    season.ends()
    assert season.types().count("seed_revealed") == 1 and season.types()[-1] == "seed_revealed"
    assert set(season.sights()) == {(200, "")}
    assert guest().get(f"/matches/{season.match}").json["seed"]
    assert secrets_in(season.lines()) == verify(season.lines())["opened"] > 0
    version = repository.version_of(season.match)
    process_manager.settle_tables(UUID(season.id))
    reopening.open_secrets(season.match)
    assert repository.version_of(season.match) == version


def test_opening_that_fails_is_carried_out_by_the_next_delivery(monkeypatch: pytest.MonkeyPatch) -> None:
    season = LateCup().played()
    with monkeypatch.context() as broken:
        broken.setattr(reopening, "append", lambda *_: 1 / 0)
        season.ends()
        assert season.types()[-1] == "match_finished"
    deliver()
    assert season.types()[-1] == "seed_revealed"


def test_secrets_of_a_void_match_open_with_the_season() -> None:
    season = LateCup().voided()
    assert season.types()[-1] == "match_voided"
    assert season.host.get(f"/matches/{season.match}/view", {"as": "seat:1"}).refusal == (403, "sealed")
    assert verify(season.lines())["sealed_until"] == season.id
    assert season.ends().types()[-1] == "seed_revealed"
    assert len(replay.judged(season.lines()).draws) == verify(season.lines())["draws"]


def test_match_that_is_running_when_the_season_ends_is_voided_and_opened() -> None:
    season = LateCup()
    assert season.ends().types()[-2:] == ["match_voided", "seed_revealed"]
    assert verify(season.lines())["seed"]


def test_sealed_match_is_rewound_after_its_end_with_the_seed_that_nobody_knows() -> None:
    season = LateCup().played()
    begun = next(row.version for row in store.read(season.match) if row.type == "round_opened")
    to = min(it for it in hosting.rewindable(season.match) if it >= begun)
    path = f"/matches/{season.match}/rewind"
    submitted = season.ask(path, {"to_version": to + 1, **WHY})
    assert submitted.refusal == (422, "no_such_version")
    preview = season.ask(f"{path}?dry_run=1", {"to_version": to, **WHY}).json
    assert "Known since the end: nothing, as its secrets open with the end of the season." in preview["text"]
    season.did(path, {"to_version": to, **WHY})
    deliver()
    lifecycle = season.table.state.lifecycle
    assert (lifecycle.over, lifecycle.reopened, lifecycle.seed_number) == (False, 1, 0)
    hosting.resume(match_id=season.match, by=UUID(season.organiser.id), reason="Now.")
    season.played()
    assert season.read("/main-matches/tables")["results"][0]["status"] == "finished"
    summary = verify(season.lines())
    assert (summary["ends"], summary["seeds"], summary["sealed_until"]) == (2, 0, season.id)
    season.ends()
    assert season.types().count("seed_revealed") == 1
    judged = replay.judged(season.lines())
    assert judged.acts > 0 and verify(season.lines())["draws"] == len(judged.draws)


def test_log_with_a_sealed_match_whose_record_is_broken_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    season = LateCup().played()
    tamper(lambda owner: owner.execute("UPDATE events_event SET actor = 'x' WHERE stream = %s", [season.match]))
    monkeypatch.setattr(repository, "_cache", repository.FoldCache(2**24))
    page = Desk(Account.objects.get(id=season.auditor.id)).read("/admin/log/", match=str(season.match))
    assert "match_finished" in page and "more is sealed" in page


def test_option_changes_for_tables_that_are_opened_afterwards() -> None:
    season = LateCup().played()
    season.did("/options", {"options": {"secrets_open": "match"}, **WHY})
    assert season.types()[-1] == "match_finished"
    assert season.ends().types()[-1] == "seed_revealed"


def test_delayed_spectators_see_nothing_of_an_opening_before_their_delay_is_over() -> None:
    season = LateCup(spectator_delay=3600).played().ends()
    assert season.types()[-1] == "seed_revealed"
    path, seat = f"/matches/{season.match}/view", season.player(str(season.table.state.lifecycle.players[0]))
    assert seat.get(path, {"as": "seat:1"}).status == 200
    assert guest().get(path, {"as": "seat:1"}).refusal == CLOSED
    assert secrets_in(list(map(bytes.decode, export.export(season.match, SPECTATOR)))) == 0


def test_death_match_opens_with_its_own_end() -> None:
    season = Cup(4, secrets_open="season")
    match = UUID(season.episode())
    assert [row.type for row in store.read(match)][-1] == "seed_revealed"
    assert entitlements.lifecycle_for(match, guest().id).is_open


def test_knowledge_of_the_public_begins_with_the_revealed_seed() -> None:
    season = LateCup().played()
    rows = store.read(season.match)
    secret = next(row for row in rows if row.secret is not None)

    def known_since() -> dict[str, Any]:
        rows = store.read(season.match)
        among = knowledge.knowers(rows)
        (disclosed,) = knowledge.disclosures(rows, [secret.version], among)
        return {it.who: times.whole for it, times in zip(among, disclosed.by_knower, strict=True)}

    assert known_since()[knowledge.SPECTATORS] is None
    season.ends()
    assert known_since()[knowledge.SPECTATORS] == store.read(season.match)[-1].at


# Verification


def test_verifier_says_until_when_a_match_is_sealed(tmp_path: Path) -> None:
    season, file = LateCup().played(), tmp_path / "match.ndjson"

    def alone() -> tuple[int, str]:
        file.write_text("".join(f"{line}\n" for line in season.lines()), encoding="utf-8")
        program = [sys.executable, "-I", "-S", croupier_verify.__file__, file]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    status, text = alone()
    assert status == 5
    assert f"SEALED UNTIL the end of season {season.id}: " in text and "the seed is still sealed" in text
    with pytest.raises(CommandError, match=f"SEALED UNTIL the end of season {season.id}") as refused:
        call_command("verify", str(file), rules=True)
    assert refused.value.returncode == 5
    with pytest.raises(Bad, match="or not its season"):
        replay.judged(season.lines())
    season.ends()
    status, text = alone()
    assert status == 0 and "SEALED" not in text and "the seed is the one promised" in text
    call_command("verify", str(file), rules=True)


def undeclared(lines: list[Line]) -> None:
    """The opening doesn't say that its secrets open later."""
    del lines[1]["public"]["secrets_open"]


def of_no_season(lines: list[Line]) -> None:
    """The opening names no season with whose end they could open."""
    lines[1]["public"]["season"] = None


def of_a_nameless_season(lines: list[Line]) -> None:
    """The opening names a season that nobody can find."""
    lines[1]["public"]["season"] = ""


def with_another_seed(lines: list[Line]) -> None:
    """The match goes on with a further seed, although this one isn't revealed."""
    again = {"reason": "", "seed_commitment": "00" * 32, "to_version": 9, "type": "match_rewound"}
    lines[lines[0]["version"]] |= {"type": "match_rewound", "public": again}


@pytest.mark.parametrize(
    ("tamper", "reason"),
    [
        (undeclared, "the match is over but its seed is not revealed"),
        (of_no_season, "the match is over but its seed is not revealed"),
        (of_a_nameless_season, "the match is over but its seed is not revealed"),
        (with_another_seed, "another seed after its end, and only then"),
    ],
)
def test_missing_seed_that_is_not_declared_is_detected(tamper: Any, reason: str) -> None:
    lines = parsed(LateCup().played().lines())
    tamper(lines)
    rechain(lines, 1)
    with pytest.raises(Bad, match=reason):
        verify(written(lines))


def test_archive_is_sealed_until_the_end_of_its_season(tmp_path: Path) -> None:
    season = LateCup().played()
    season.did(f"/matches/{season.match}/approve")

    def archived(name: str, by: Guest) -> Path:
        file = tmp_path / f"{name}.zip"
        file.write_bytes(by.get(f"{season.path}/archive").body)
        return file

    before = archived("before", season.auditor)
    sealed = croupier_verify.sealed_sentence(verify_archive(str(before)))
    copy = "secrets, seed and draws of 1 of 2 records can be checked in a copy from after that"
    assert sealed == f"the end of season {season.id}: {copy}"
    assert croupier_verify.main([str(before)]) == 5
    season.ends()
    signing.sign_if_due(after_seconds=0)
    after = archived("after", guest())
    assert croupier_verify.main([str(after), signing.signer().verifier_key]) == 0
    call_command("verify", str(after), rules=True)


def in_a_usual_season(log: list[Line], _: dict[str, Any]) -> None:
    """The season's options let every match open its secrets with its own end."""
    log[0]["public"]["later_options"]["secrets_open"] = "match"


def at_a_death_match(log: list[Line], _: dict[str, Any]) -> None:
    """The sealed match is no main match."""
    for event in log:
        event["type"] = event["type"].replace("main_match_scheduled", "death_match_scheduled")


def until_another_ends(_: list[Line], matches: dict[str, Any]) -> None:
    """The match is sealed until the end of another season."""
    for summary in matches.values():
        summary["sealed_until"] = str(UUID(int=0))


@pytest.mark.parametrize("tamper", [in_a_usual_season, at_a_death_match, until_another_ends])
def test_match_that_is_sealed_against_its_season_is_detected(tamper: Any) -> None:
    season = LateCup().played()
    log = [
        {"version": row.version, "type": row.type, "public": msgspec.json.decode(row.public)}
        for row in store.read(UUID(season.id))
    ]
    matches = {str(season.match): verify(season.lines())}
    croupier_verify._check_results(log, season.id, matches)
    tamper(log, matches)
    with pytest.raises(Bad, match="is sealed, although its secrets open with its end"):
        croupier_verify._check_results(log, season.id, matches)


def test_archive_with_an_ended_season_and_a_sealed_match_names_the_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    season, file = LateCup().played(), tmp_path / "between.zip"
    monkeypatch.setattr(reopening, "append", lambda *_: 1 / 0)
    season.ends()
    file.write_bytes(season.auditor.get(f"{season.path}/archive").body)
    assert "it has ended by now, so take a fresh copy" in croupier_verify.sealed_sentence(verify_archive(str(file)))


def test_stream_after_the_end_brings_the_seed_to_whoever_connects_again() -> None:
    season = LateCup().played()
    path, stream = f"/matches/{season.match}/events", {"Accept": "text/event-stream"}
    end = repository.version_of(season.match)
    assert season.host.get(path, **stream, Last_Event_ID=str(end)).status == 204
    season.ends()
    assert "seed_revealed" in season.host.get(path, **stream, Last_Event_ID=str(end)).body.decode()


def test_check_of_the_database_counts_sealed_matches_and_then_their_draws() -> None:
    season = LateCup().played()
    sealed = verify_all.check([season.match], rules=True)
    assert (sealed.broken, sealed.sealed, sealed.draws) == ([], 1, 0)
    season.ends()
    is_open = verify_all.check([season.match], rules=True)
    assert (is_open.broken, is_open.sealed, is_open.draws) == ([], 0, verify(season.lines())["draws"])


def test_broken_record_of_one_match_keeps_no_other_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    matches, opened = [uuid4(), uuid4()], list[UUID]()
    broken = repository.BrokenRecord(ChainBroken(matches[0], 1, "it was changed"))

    def open_secrets(match_id: UUID) -> None:
        opened.append(match_id)
        if match_id == matches[0]:
            raise broken

    monkeypatch.setattr(reopening, "open_secrets", open_secrets)
    with pytest.raises(repository.BrokenRecord):
        process_manager._open_secrets(matches)
    assert opened == matches
