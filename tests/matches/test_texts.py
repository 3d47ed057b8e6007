"""Texts of a contest: beside the log, shown to whoever sees their event, deleted with their author or by a host."""

import json
import re
import subprocess
import sys
from functools import partial
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from django.core.management import call_command
from django.urls import reverse
from psycopg.errors import UniqueViolation

from events import store
from games.kernel import HOST, SPECTATOR, WITHDRAWN, canonical
from matches.accounts import erasure
from matches.audit import croupier_verify, export, replay, verify_all
from matches.audit.croupier_verify import Changed
from matches.models import Account, Match, StoredText
from matches.reads import feed
from matches.services import fast_way
from matches.services.fast_way import FellBack, submit_at_once
from matches.storage import repository, seeds
from tests.api.guests import Guest, guest, house, started
from tests.events.staging import owner
from tests.events.test_roles import service
from tests.matches.quick import on_a_loop, sender_of, usual
from tests.matches.tampering import rechained
from tests.matches.test_seeds import tables_that_hold
from tests.pages import as_read
from tests.panel.office import Desk, room
from tests.web.match_setting import client_of

QUIZ = {
    "name": "quiz",
    "fields": [{"kind": "text", "name": "word", "most": 60}],
    "scheme": {"kind": "answer", "field": "word", "answers": ["seven"]},
    "reveal": "everything",
}
PLAIN = {**QUIZ, "name": "plain", "scheme": {"kind": "none"}, "reveal": "totals"}


class Contest:
    """A running contest of two players, and its host."""

    def __init__(self, *rounds: Any, **content: Any) -> None:
        self.host, self.players = guest(), [guest(), guest()]
        options = {"content": {"title": "A contest", "rounds": rounds or [QUIZ, PLAIN], **content}}
        self.id = started("contest", *self.players, opener=self.host, options=options)

    def submit(self, seat: int, number: int, word: str, **more: Any) -> Any:
        command = {"type": "submit", "round": number, "values": {"word": word}}
        answer = self.players[seat].send(self.id, command, **more)
        assert answer.status == 201, answer.body
        return answer.json

    def play(self, *words: str) -> None:
        """Submit these words in one round, and let the house close it."""
        number = len(self.view()["played"]) + 1
        for seat, word in enumerate(words):
            self.submit(seat, number, word)
        house(self.id)

    def view(self, by: Guest | None = None) -> Any:
        return (by or self.host).get(f"/matches/{self.id}").json["view"]

    def events(self, by: Guest | None = None) -> list[Any]:
        return list((by or self.host).get(f"/matches/{self.id}/events", {"limit": 500}).json["results"])

    def withdraw(self, commitment: str, by: Guest | None = None) -> Any:
        body = {"commitment": commitment, "reason": "It names an address."}
        return (by or self.host).post(f"/matches/{self.id}/texts/withdraw", body)

    def lines(self) -> list[str]:
        return b"".join(export.export(UUID(self.id))).decode().splitlines()

    def header(self) -> Any:
        return json.loads(self.lines()[0])


@pytest.fixture
def word() -> str:
    """A text that no other test has submitted."""
    return f"word {uuid4().hex}"


def commitments_of(contest: Contest, by: Guest | None = None) -> list[str]:
    return [it for event in contest.events(by) for it in event.get("texts", {}).values()]


def test_log_and_all_tables_hold_no_text(word: str) -> None:
    contest = Contest()
    contest.play(word, "seven")
    contest.play(f"again {word}", "no")
    assert contest.view()["stage"] == "over"
    with owner() as hand:
        assert tables_that_hold(hand, word.encode()) == set()
    assert word in seeds.decrypted(UUID(contest.id), bytes(_row(contest, 0).sealed)).decode()


def _row(contest: Contest, seat: int) -> StoredText:
    row = StoredText.objects.filter(stream=contest.id, author_id=contest.players[seat].id).first()
    assert row is not None
    return row


def test_players_read_and_post_texts_as_texts(word: str) -> None:
    contest = Contest()
    answer = contest.submit(0, 1, f"  {word} ")
    (event,) = answer["events"]
    assert event["values"] == {"word": word} and word in event["text"]
    assert contest.view(contest.players[0])["entries"] == [{"seat": 0, "values": {"word": word}}]
    contest.submit(1, 1, "SEVEN")
    house(contest.id)
    closed = next(event for event in contest.events() if event["type"] == "round_closed")
    assert [entry["values"]["word"] for entry in closed["entries"]] == [word, "SEVEN"]
    assert contest.view()["points"] == [0, 1], "The rules read the texts."
    path = reverse("web:match", args=[Match.objects.get(id=contest.id).code])
    page = client_of(Account.objects.get(id=contest.host.id)).get(path)
    assert word in as_read(page)


def test_retry_of_a_submission_stores_one_text_and_gets_the_same_answer(word: str) -> None:
    contest = Contest()
    first, again = (contest.submit(0, 1, word, key="once") for _ in range(2))
    assert first == again and first["events"][0]["values"] == {"word": word}
    assert StoredText.objects.filter(stream=contest.id).count() == 1


def test_view_has_neither_text_nor_commitment_of_an_event_it_lacks(word: str) -> None:
    contest = Contest()
    contest.submit(0, 1, word)
    (commitment,) = commitments_of(contest, contest.players[0])
    for other in (contest.players[1], contest.host):
        response = f"{contest.events(other)}{contest.view(other)}"
        assert word not in response and commitment not in response
    assert "texts" not in contest.header()


def test_hidden_text_changes_nothing_for_whoever_does_not_see_it() -> None:
    worlds = []
    for secret in ("seven", "a much longer answer"):
        contest = Contest()
        contest.submit(0, 1, secret)
        readers = {"seat": contest.players[1], "host": contest.host, "spectator": guest()}
        responses = [
            (name, reader.get(f"/matches/{contest.id}/{path}").body)
            for name, reader in readers.items()
            for path in ("view", "events", "history", "legal?seat=1" if name == "seat" else "export")
        ]
        worlds.append([(name, _masked(body)) for name, body in responses])
    assert worlds[0] == worlds[1] and len(worlds[0]) == 12


def _masked(body: bytes) -> str:
    """Return a body without ids, hashes, salts and times, which are random."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32,}|20[0-9-]{8}T[0-9:.]+Z|[A-Z2-9]{8}", "x", body.decode())


def test_events_name_what_their_hashes_cover(word: str) -> None:
    contest = Contest()
    contest.play(word, "seven")
    rows = {row.version: row for row in store.read(UUID(contest.id))}
    for event in contest.events():
        for place, commitment in event.get("texts", {}).items():
            inner: Any = json.loads(rows[event["version"]].public)
            for name in place.split("."):
                inner = inner[int(name)] if isinstance(inner, list) else inner[name]
            assert inner == {"text": commitment}


def test_salts_of_texts_do_not_follow_from_the_revealed_seed() -> None:
    contest = Contest(PLAIN)
    contest.play("yes", "yes")
    texts = contest.header()["texts"]
    assert [it["value"] for it in texts.values()] == ["yes", "yes"] and len({it["salt"] for it in texts.values()}) == 2
    other = Contest(PLAIN)
    other.play("yes", "yes")
    assert texts.keys().isdisjoint(other.header()["texts"])


def test_record_has_the_texts_and_the_verifiers_check_them(word: str, tmp_path: Path) -> None:
    contest = Contest()
    contest.play(word, "seven")
    assert not contest.header()["finished"] and len(contest.header()["texts"]) == 2
    assert croupier_verify.verify(contest.lines())["withdrawn"] == 0
    contest.play("no", "no")
    judged = replay.judged(contest.lines())
    assert judged.acts > 6 and judged.undecided == []
    assert verify_all.check([UUID(contest.id)], rules=True).broken == []
    lines = [json.loads(line) for line in contest.lines() if "path" not in json.loads(line)]
    lines[0]["checkpoint"] = False
    for change in (_another_text, _another_salt, _no_text, _a_text_more):
        forged = json.loads(json.dumps(lines))
        change(forged[0]["texts"])
        forged[0]["texts"] = dict(sorted(forged[0]["texts"].items()))
        record = tmp_path / "match.ndjson"
        record.write_text("".join(_line(it) + "\n" for it in rechained(forged)))
        with pytest.raises(Changed, match="text"):
            croupier_verify.verify([_line(it) for it in forged])
        alone = [sys.executable, "-I", "-S", croupier_verify.__file__, record]
        assert subprocess.run(alone, capture_output=True, check=False).returncode == Changed.status


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _another_text(texts: dict[str, Any]) -> None:
    next(iter(texts.values()))["value"] = "another"


def _another_salt(texts: dict[str, Any]) -> None:
    next(iter(texts.values()))["salt"] = "0" * 64


def _no_text(texts: dict[str, Any]) -> None:
    texts.pop(next(iter(texts)))


def _a_text_more(texts: dict[str, Any]) -> None:
    part = {"salt": "0" * 64, "value": "another"}
    texts[sha256(canonical(part)).hexdigest()] = part


def test_withdrawn_text_is_gone_from_every_interface_and_the_record_holds(word: str) -> None:
    contest = Contest()
    contest.play("seven", word)
    contest.play(word, "no")
    commitment = next(it for it, part in contest.header()["texts"].items() if part["value"] == word)
    answer = contest.withdraw(commitment)
    assert answer.status == 200, answer.body
    everything = f"{contest.events()}{contest.view()}{contest.lines()}"
    assert everything.count(word) < everything.count(WITHDRAWN) + 4 and WITHDRAWN in everything
    assert contest.header()["texts"][commitment] is None
    assert croupier_verify.verify(contest.lines())["withdrawn"] == 1
    assert contest.withdraw(commitment).refusal == (404, "no_such_text")
    assert verify_all.check([UUID(contest.id)], rules=True).broken == []


def test_act_that_needs_a_withdrawn_text_is_not_decided_again(tmp_path: Path) -> None:
    contest = Contest()
    contest.play("seven", "eight")
    contest.play("nine", "ten")
    assert replay.judged(contest.lines()).undecided == []
    closing = next(event["version"] for event in contest.events() if event["type"] == "round_closed")
    for part in ("seven", "nine"):
        texts = contest.header()["texts"]
        assert contest.withdraw(next(it for it, text in texts.items() if text and text["value"] == part)).status == 200
    record, printed = tmp_path / "match.ndjson", StringIO()
    record.write_bytes(b"".join(export.export(UUID(contest.id))))
    call_command("verify", record, rules=True, stdout=printed)
    assert replay.judged(contest.lines()).undecided == [closing], "The plain round needs no text."
    assert "2 of its texts withdrawn" in printed.getvalue()
    assert f"Not decided again, as they need texts that were withdrawn: the acts at {closing}." in printed.getvalue()


def test_texts_are_deleted_with_their_author(word: str) -> None:
    contest = Contest()
    contest.play(word, "seven")
    contest.play("mine", f"other {word}")
    erasure.erase(UUID(contest.players[0].id))
    response = f"{contest.events()}{contest.view()}{contest.lines()}"
    assert f"other {word}" in response and f"'{word}'" not in response and "'mine'" not in response
    assert croupier_verify.verify(contest.lines())["withdrawn"] == 2
    assert StoredText.objects.filter(stream=contest.id).count() == 2


def test_withdrawing_is_for_hosts_who_do_not_play() -> None:
    contest = Contest()
    contest.play("one", "two")
    commitment = commitments_of(contest)[0]
    assert contest.withdraw(commitment, contest.players[0]).refusal == (403, "forbidden")
    assert contest.withdraw("0" * 64).refusal == (404, "no_such_text")


def test_previous_text_counts_again_and_is_stored_once(word: str) -> None:
    rounds = {**PLAIN, "repeat": 2, "default": {"kind": "previous"}}
    contest = Contest(rounds)
    contest.play(word, "two")
    contest.submit(1, 2, "three")
    assert contest.host.send(contest.id, {"type": "close", "round": 2}).status == 201
    house(contest.id)
    (totals,) = contest.view()["played"][1]["totals"]
    assert sorted(totals["counts"]) == sorted([[word, 1], ["three", 1]])
    assert StoredText.objects.filter(stream=contest.id).count() == 3
    assert replay.judged(contest.lines()).undecided == []


def test_database_refuses_a_second_text_under_a_commitment() -> None:
    contest = Contest()
    contest.submit(0, 1, "one")
    row = _row(contest, 0)
    with service() as connection, pytest.raises(UniqueViolation):
        connection.execute(
            "INSERT INTO matches_text (stream, commitment, sealed) VALUES (%s, %s, 'x')", [row.stream, row.commitment]
        )


def test_changed_text_is_found_by_the_check_of_the_database() -> None:
    contest = Contest()
    contest.submit(0, 1, "one")
    with owner() as hand:
        sealed = seeds.encrypted(b'{"salt":"00","value":"two"}')
        hand.execute("UPDATE matches_text SET sealed = %s WHERE stream = %s", [sealed, UUID(contest.id)])
    assert "stored text" in verify_all.check([UUID(contest.id)], rules=False).broken[0].reason


def test_rewound_match_keeps_earlier_texts(word: str) -> None:
    contest = Contest()
    contest.submit(0, 1, word)
    version = contest.host.get(f"/matches/{contest.id}").json["version"]
    body = {"to_version": version - 1, "reason": "A slip."}
    assert contest.host.post(f"/matches/{contest.id}/rewind", body).status == 200
    contest.play("seven", "eight")
    contest.play("nine", "ten")
    assert word in f"{contest.lines()}" and replay.judged(contest.lines()).undecided == []


def test_only_commands_with_texts_leave_the_fast_path() -> None:
    choice = {"name": "choice", "fields": [{"kind": "choice", "name": "word", "options": ["one", "two"]}]}
    for of_round, leaves in ((PLAIN, True), (choice, False)):
        contest = Contest(of_round)
        match = Match.objects.get(id=contest.id)
        for witness in (HOST, 0):
            repository.load(match.id, witness)
        submission, sender = usual(match), sender_of(Account.objects.get(id=contest.players[0].id))
        result = on_a_loop(partial(submit_at_once, submission, sender))
        assert (result == FellBack(fast_way.TEXTS)) == leaves


def test_text_of_a_judgement_is_read_and_withdrawn_like_a_players(word: str) -> None:
    judged = {"name": "judged", "fields": [{"kind": "text", "name": "word"}], "scheme": {"kind": "host"}}
    contest = Contest(judged)
    contest.play("one", "two")
    command = {"type": "resolve", "round": 1, "points": {"0": 3, "1": 0}, "text": word}
    answer = contest.host.send(contest.id, command)
    assert answer.status == 201 and answer.json["events"][0]["own"] == {"text": word}
    house(contest.id)
    assert contest.view()["played"][0]["text"] == word and replay.judged(contest.lines()).undecided == []
    with owner() as hand:
        assert tables_that_hold(hand, word.encode()) == set()
    resolved = next(event for event in contest.events() if event["type"] == "resolved")
    assert contest.withdraw(resolved["texts"]["text"]).status == 200
    assert contest.view()["played"][0]["text"] == WITHDRAWN and word not in f"{contest.events()}{contest.lines()}"
    assert replay.judged(contest.lines()).undecided == []


def test_news_has_texts_and_is_read_from_the_database(word: str) -> None:
    contest = Contest(PLAIN)
    match_id = UUID(contest.id)
    before = repository.end_of(match_id)
    for witness in (0, SPECTATOR):
        repository.load(match_id, witness)
    contest.submit(0, 1, word)
    now = store.clock()
    news = feed.news(match_id, {0: before, SPECTATOR: before}, now)
    documents = {witness: msgspec.json.encode(it).decode() for witness, it in news.documents.items()}
    assert documents[0].count(word) == 3, "In the event, its sentence and the view."
    assert word not in documents[SPECTATOR]
    rows = store.read(match_id, after=before.version)
    repository._cache.clear()
    repository.load(match_id, 0, upto=before.version)
    assert feed.news_at_once(match_id, 0, before, rows, now) is None


def test_dialog_offers_the_texts_that_spectators_may_read(word: str) -> None:
    contest = Contest(QUIZ, {**PLAIN, "name": "later"}, {**PLAIN, "name": "last"})
    contest.play(f"first {word}", "seven")
    contest.submit(0, 2, f"secret {word}")
    match = Match.objects.get(id=contest.id)
    desk = Desk(Account.objects.get(id=contest.host.id))
    page = desk.get(room(match)).content.decode()
    assert f"first {word}" in page and f"secret {word}" not in page
    (commitment,) = (it for it, part in contest.header()["texts"].items() if part["value"].startswith("first"))
    answer = desk.act(match, "withdraw-text", commitment=commitment, reason="It names an address.")
    assert answer.status_code == 302 and contest.header()["texts"][commitment] is None
    page = desk.get(room(match)).content.decode()
    assert f"first {word}" not in page and commitment not in page
