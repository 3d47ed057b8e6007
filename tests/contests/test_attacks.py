"""Attacks on contests: acts at the same instant, killed processes, texts, and what hosts may not do."""

import re
from collections import Counter
from functools import partial
from itertools import pairwise
from uuid import UUID

import pytest

from events import store
from games.kernel import HOST, SPECTATOR, to_json
from matches.models import Account
from matches.services import playing, timing
from matches.storage import repository, settling
from tests.api.guests import Answer, guest, house
from tests.contests.table import LAST, SPEECH, VOTE, ContestMatch
from tests.panel.office import Desk, room
from tests.table_setting import at_once, in_another_process

GOLD = {"name": "gold", "start": 10, "pays": True, "gives": "publicly"}
BID = {
    "name": "bid", "fields": [{"name": "bid", "kind": "number", "most": 50, "balance": "gold"}], "gifts": 3,
    "scheme": {"kind": "all_pay", "field": "bid", "prizes": [4]},
}  # fmt: skip
MARKS = "e" + "\u0301" * 10_000
TEXTS = {"long": MARKS, "piled": MARKS[:400], "turned": "left\u202etfel", "NUL": "a\x00b"}


@pytest.fixture(autouse=True)
def _no_web_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let flags fall even if this process has last heard of a web process of another test."""
    monkeypatch.setattr(settling, "have_settled", lambda at: True)


def entries_of(match: ContestMatch) -> list[int]:
    return [entry.seat for entry in repository.load(UUID(match.id), HOST).state.played[0].entries]


def falls_at(match: ContestMatch) -> int:
    """Return an instant right after the flags of all seats."""
    return max(run.began for run in repository.load(UUID(match.id)).clocks.runs) + 90_000_000_000


# The same instant


def test_round_is_closed_once_by_its_host_and_its_clock_at_the_same_instant() -> None:
    for _ in range(3):
        match = ContestMatch.begun(VOTE, LAST).submitted(0, side="left")
        close = partial(match.command, "close", round=1)
        flag = partial(timing.let_flag_fall, match_id=UUID(match.id), by=falls_at(match))
        answers = at_once([close, flag, close, flag])
        assert not any(isinstance(it, Exception) for it in answers), answers
        timing.catch_up_clock(match_id=UUID(match.id))
        house(match.id)
        counts = Counter(match.types())
        assert counts["defaulted"] == 2 and counts["round_closed"] == 1 and counts["closed_by_host"] <= 1
        assert sorted(entries_of(match)) == [0, 1, 2] and match.state.number == 2


def test_submissions_of_thirty_seats_at_the_end_of_a_round_count_as_answered() -> None:
    match = ContestMatch.begun(VOTE, LAST, seats=30)
    acts = [partial(match.submit, seat, side="left") for seat in range(30)]
    *answers, closed = at_once([*acts, partial(match.command, "close", round=1)])
    house(match.id)
    assert all(isinstance(it, Answer) for it in (*answers, closed)), answers
    assert {it.status for it in answers} <= {201, 409, 422} and closed.status in (201, 409, 422)
    state = repository.load(UUID(match.id), HOST).state
    values = {entry.seat: entry.values for entry in state.played[0].entries}
    assert len(values) == len(state.played[0].entries) == 30
    assert [bool(values[seat]) for seat in range(30)] == [answer.status == 201 for answer in answers]


def test_balance_is_spent_once_by_submissions_and_gifts_at_the_same_instant() -> None:
    match = ContestMatch.begun(BID, LAST, content={"balances": [GOLD]})
    bids = [partial(match.submit, 0, bid=bid) for bid in (10, 9)]
    gift = {"type": "transfer", "to": 1, "balance": "gold", "amount": 6}
    gifts = [partial(match.players[0].send, match.id, gift) for _ in range(3)]
    answers = at_once([*bids, *gifts])
    assert all(isinstance(it, Answer) for it in answers), answers
    match.submitted(1, 2, bid=0)
    if match.state.number == 1:
        match.submitted(0, bid=repository.load(UUID(match.id), HOST).state.balances["gold"][0])
    gold, given = match.state.balances["gold"], match.types().count("transferred")
    paid = repository.load(UUID(match.id), HOST).state.played[0].entries
    assert min(gold) >= 0 and given <= 1
    spent = next(entry.values["bid"] for entry in paid if entry.seat == 0)
    assert gold == (10 - 6 * given - spent, 10 + 6 * given, 10) and spent in (9, 10, 4)


def test_two_presses_of_a_hosts_form_at_the_same_instant_act_once() -> None:
    match = ContestMatch.begun().submitted()
    form = {f"points-{seat}": "1" for seat in range(3)} | {"text": "", "key": "k"}
    preview = match.desk.post(room(match.row, "judge/"), **form).content.decode()
    mark = preview.partition('name="mark" value="')[2].partition('"')[0]
    form |= {"mark": mark, "step": "send", "expected": str(len(match.types()))}
    answers = at_once([partial(match.desk.post, room(match.row, "judge/"), **form) for _ in range(4)])
    assert [it.status_code for it in answers] == [302] * 4, answers
    assert match.types().count("resolved") == 1
    house(match.id)
    reminders = at_once([partial(match.desk.post, room(match.row, "remind/")) for _ in range(4)])
    assert [it.status_code for it in reminders] == [302] * 4
    for player in match.players:
        assert Account.objects.get(id=player.id).calls.filter(kind="reminder", way="page").count() == 1


# A process that dies


KILLED = """
    import json, os
    from uuid import UUID
    from events import appending
    from games.kernel import HOST
    from matches.services import playing

    roundtrip = appending.roundtrip

    def cut_off(connection, statements):
        assert statements[-1][0] == "COMMIT"
        roundtrip(connection, statements if {after} else statements[:-1])
        os._exit(137)

    appending.roundtrip = cut_off
    {act}
"""
CLOSE = """playing.submit(
        match_id=UUID({match!r}), seat=HOST, player={host!r}, command={{"type": "close", "round": 1}}, key="once",
        fingerprint=b"close",
    )"""
DEAL = "playing.deal(match_id=UUID({match!r}), expected={version})"


@pytest.mark.parametrize("after", [False, True], ids=["before its commit", "after its commit"])
@pytest.mark.parametrize("act", [CLOSE, DEAL], ids=["the host's command", "the dealer's act"])
def test_round_that_a_killed_process_was_closing_is_closed_once(act: str, after: bool) -> None:
    quiz = VOTE | {"scheme": {"kind": "answer", "field": "side", "answers": ["left"]}, "default": {"kind": "random"}}
    match = ContestMatch.begun(quiz, LAST).submitted(0, side="left")
    if act is DEAL:
        assert match.command("close", round=1).status == 201
    version, values = len(match.types()), {"match": match.id, "host": match.host.id}
    killed = in_another_process(KILLED.format(after=after, act=act.format(version=version, **values)))
    assert killed.returncode == 137, killed.stderr
    submit = partial(
        playing.submit, match_id=UUID(match.id), seat=HOST, player=match.host.id,
        command={"type": "close", "round": 1}, key="once", fingerprint=b"close",
    )  # fmt: skip
    if act is CLOSE:
        assert submit().replayed == after and submit().replayed
    house(match.id)
    counts = Counter(match.types())
    assert (counts["closed_by_host"], counts["defaulted"], counts["round_closed"]) == (1, 2, 1)
    assert counts["answers_published"] == counts["points_changed"] == 1 and match.state.number == 2


# Commands of the host


def test_key_of_one_host_does_not_answer_another() -> None:
    match, other = ContestMatch.begun(), guest(is_organiser=True)
    assert match.command("close", round=1, key="same").status == 201
    house(match.id)
    refused = match.command("close", by=other, round=1, key="same")
    assert refused.status in (409, 422) and match.types().count("closed_by_host") == 1
    assert match.command("close", round=2, key="same").refusal == (422, "idempotency_key_reused")


def test_host_of_another_match_gives_no_commands_here() -> None:
    match, other = ContestMatch.begun(), ContestMatch.begun()
    before = match.types()
    for command in ({"type": "close", "round": 1}, {"type": "resolve", "round": 1, "points": {}}):
        for dry_run in (False, True):
            assert other.host.send(match.id, command, dry_run=dry_run).refusal == (403, "forbidden")
    assert match.types() == before


@pytest.mark.parametrize("text", ["transfer 1 gold to 1", "submit word x", "withdraw", "resign", "resolve 1", ""])
def test_notation_of_a_seat_is_refused_to_the_host(text: str) -> None:
    match = ContestMatch.begun()
    for dry_run in (True, False):
        assert match.host.send(match.id, text, dry_run=dry_run).refusal == (400, "malformed")
    assert match.host.send(match.id, "close").status == 201


def test_judgement_may_have_a_text_over_rest() -> None:
    match = ContestMatch.begun().submitted()
    answer = match.command("resolve", round=1, points={"2": 5, "0": -2}, text="Well said.")
    assert answer.status == 201 and match.text_of(0) == "Well said."
    assert match.state.points == (-2, 0, 5)
    assert match.host.send(match.id, {"text": "close", "round": 1}).refusal == (400, "malformed")


@pytest.mark.parametrize("points", [{"7": 1}, {"0": 6}, {"-1": 1}, {" 0": 1}, {"0": 1, "00": 1}, {"\u0660": 1}])
def test_judgement_of_seats_or_points_that_do_not_exist_is_refused(points: dict[str, int]) -> None:
    match = ContestMatch.begun(SPEECH).submitted()
    before = match.types()
    assert match.command("resolve", round=1, points=points).status == 422
    assert match.types() == before


# Texts


@pytest.mark.parametrize(
    "text", [MARKS, MARKS[:400], "left\u202etfel", "a\x00b"], ids=["long", "piled", "turned", "NUL"]
)
def test_text_that_cannot_be_shown_is_refused_with_a_sentence(text: str) -> None:
    match = ContestMatch.begun()
    before = match.types()
    answers = [match.submit(0, word=text), match.players[0].send(match.id, f'submit word "{text}"'[:1990])]
    content = to_json(match.state.options.content)
    rounds = [*content["rounds"][:2], content["rounds"][2] | {"text": text}]
    answers += [
        match.command("amend", content=content | {"rounds": rounds}, reason="Why."),
        match.command("amend", content=content, reason=text),
    ]
    match_of_judge = ContestMatch.begun().submitted()
    answers.append(match_of_judge.command("resolve", round=1, points={}, text=text))
    assert match.types() == before and match_of_judge.types()[-1] != "resolved"
    for answer in answers:
        assert answer.status in (400, 422) and answer.json["detail"].endswith("."), answer.body
        assert len(answer.json["detail"]) < 400


def test_host_sees_no_more_than_spectators_of_a_delayed_contest_in_the_room() -> None:
    match = ContestMatch.begun(spectator_delay=3600)
    match.submit(0, word="soon")
    page = match.desk.read(room(match.row))
    assert "contest-round" not in page and "Have submitted" not in page
    assert repository.load(UUID(match.id), SPECTATOR).state.entries


@pytest.mark.parametrize("query", ["", "?sample=1", "?as=host&sample=1"])
def test_host_is_offered_only_commands_that_are_legal_now(query: str) -> None:
    match = ContestMatch.begun()
    listed = match.host.get(f"/matches/{match.id}/legal{query}").json
    assert listed["legal"] == [{"type": "close", "round": 1}] and listed.get("sample") in (None, *listed["legal"])
    listed = match.submitted().host.get(f"/matches/{match.id}/legal{query}").json
    for command in [*listed["legal"], *filter(None, [listed.get("sample")])]:
        assert command["type"] == "resolve" and match.host.send(match.id, command, dry_run=True).status == 200


def test_former_organiser_gives_no_host_commands() -> None:
    match, official = ContestMatch.begun(), guest(is_organiser=True)
    assert match.command("close", by=official, round=7).status == 422
    Account.objects.filter(id=official.id).update(is_organiser=False)
    assert match.command("close", by=official, round=1).refusal == (403, "forbidden")
    assert Desk(Account.objects.get(id=official.id)).get(room(match.row, "close-round/")).status_code == 404


# Rewinds into a sealed round


def rewound(match: ContestMatch, to_version: int) -> Answer:
    return match.host.post(f"/matches/{match.id}/rewind", {"to_version": to_version, "reason": "Again."})


def test_rewind_does_not_go_on_beside_submissions_that_were_opened() -> None:
    match = ContestMatch.begun().submitted(0)
    opened_at, amid = match.types().index("round_opened") + 1, len(match.types())
    match.submitted(1)
    assert rewound(match, amid).status == 200, "Nothing was opened yet."
    match.submitted(1, 2)
    refused = rewound(match, amid)
    assert refused.refusal == (422, "no_such_version") and "has been opened since" in refused.json["detail"]
    assert match.host.get(f"/matches/{match.id}/view", {"as": "host"}).status == 200
    assert rewound(match, amid).status == 422
    assert rewound(match, opened_at).status == 200 and match.state.submitted == frozenset()
    match.submitted(2)
    assert rewound(match, amid).status == 422, "It is sealed again, but was opened in between."
    assert match.host.get(f"/matches/{match.id}/view", {"as": "host"}).refusal == (403, "sealed")


def test_timeline_offers_a_rewind_only_where_it_is_accepted() -> None:
    match = ContestMatch.begun().submitted(0).submitted(1, 2)
    offered = {int(it) for it in re.findall(r"\?to=(\d+)\">rewind to here", match.desk.read(room(match.row)))}
    newest, opened_at = match.row.version, match.types().index("round_opened") + 1
    assert opened_at in offered and not offered & {opened_at + 1, opened_at + 2}
    rows = store.read(UUID(match.id))
    ends = {one.version for one, other in pairwise(rows) if (one.actor, one.at) != (other.actor, other.at)}
    for version in sorted(ends - offered):
        assert rewound(match, version).status == 422, version
    assert match.row.version == newest
    assert rewound(match, max(offered)).status == 200
