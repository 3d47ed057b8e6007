"""Commands of a match's host: given over REST and sockets, stored, timed and told to hosts who are away."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from types import SimpleNamespace
from uuid import UUID, uuid4

import pytest

from events import store
from games.kernel import HOST, Illegal
from matches.domain.clocks import HOST_NUMBER
from matches.http.authentication import Credential
from matches.models import AccessToken, Account, Call, Deadline, Match
from matches.notifications import call_delivery, match_calls
from matches.realtime import inbound
from matches.realtime.access import Identity
from matches.services import hosting, playing, timing
from matches.services.playing import Accepted
from matches.storage import repository
from tests.api.guests import Guest, guest, opened
from tests.api.seasons import Cup
from tests.judging.table import WORDS, JudgedMatch
from tests.matches.test_calls import with_push
from tests.table_setting import at_once, wait_until
from tests.web.match_setting import client_of


def test_document_says_what_the_host_must_or_may_do(judged: JudgedMatch) -> None:
    told = judged.told()
    assert told["due"]["host"] == {"commands": [], "optional": ["close"], "turn": None, "clock": None}
    assert "host" not in told["clocks"] and len(told["clocks"]["running"]) == 2
    told = judged.handed_in().told()
    awaited = {"commands": ["judge"], "optional": [], "turn": "judging", "clock": "judging"}
    assert told["due"] == {"prompts": [], "dealer": False, "amendable": [], "host": awaited}
    assert told["clocks"]["running"] == []
    clock = told["clocks"]["host"]
    assert (clock["clock"], clock["turn"]) == ("judging", "judging") and clock["deadline"]
    row = Deadline.objects.get(match_id=judged.id)
    assert row.falls_at == datetime.fromisoformat(clock["deadline"])


def test_document_of_a_game_without_host_commands_has_no_host() -> None:
    one, other = guest(), guest()
    told = one.get(f"/matches/{opened(one, 'pyramid_poker', one, other)}").json
    assert "host" not in told["due"] and "host" not in told["clocks"]
    assert "host_commands" not in one.get("/games/pyramid_poker").json
    assert set(one.get("/games/judged").json["host_commands"]) == {"judge", "close"}


def test_command_of_the_host_is_stored_and_ends_the_match(judged: JudgedMatch) -> None:
    version = judged.handed_in().told()["version"]
    answer = judged.judge(winner=1, If_Match=f'"v{version}"')
    assert answer.status == 201 and answer.headers["ETag"].startswith(f'"v{answer.json["version"]}')
    assert [event["type"] for event in answer.json["events"]] == ["judged", "match_finished", "seed_revealed"]
    assert {event["actor"] for event in answer.json["events"]} == {judged.host.id}
    assert judged.told(judged.players[0])["outcome"]["winners"] == [1]


def test_host_may_act_unasked_and_in_notation(judged: JudgedMatch) -> None:
    judged.handed_in(0)
    assert judged.host.send(judged.id, "close", dry_run=True).json["command"] == {"type": "close"}
    assert judged.host.send(judged.id, "close").status == 201
    assert judged.told()["view"]["words"] == [WORDS[0], ""]


def test_organiser_of_the_house_gives_the_hosts_commands(judged: JudgedMatch) -> None:
    assert judged.handed_in().judge(guest(is_organiser=True)).status == 201


def test_command_of_the_host_is_refused_on_an_outdated_version(judged: JudgedMatch) -> None:
    version = judged.told()["version"]
    assert judged.handed_in().judge(If_Match=f'"v{version}"').refusal == (412, "version_behind")


def test_host_is_refused_when_nothing_awaits_them(judged: JudgedMatch) -> None:
    refused = judged.judge()
    assert refused.refusal == (409, "not_now") and refused.json["legal"] == [{"type": "close"}]
    judged.handed_in().judge()
    assert judged.judge().refusal == (409, "match_over")


def test_host_of_a_game_without_host_commands_is_refused_as_ever() -> None:
    host = guest()
    match = opened(host, "pyramid_poker", guest(), guest())
    assert host.send(match, {"type": "resign"}).refusal == (403, "forbidden")
    assert host.get(f"/matches/{match}/legal").refusal == (403, "forbidden")


def test_player_and_stranger_are_refused_the_hosts_commands(judged: JudgedMatch) -> None:
    before = judged.handed_in().types()
    assert judged.judge(judged.players[0]).refusal == (400, "unknown_command")
    assert judged.judge(guest()).refusal == (403, "forbidden")
    for account in (judged.players[0], guest()):
        for path in ("legal?as=host", "view?as=host"):
            assert account.get(f"/matches/{judged.id}/{path}").status in (403, 404)
    with pytest.raises(playing.NotAllowed):
        playing.submit(
            match_id=UUID(judged.id), seat=HOST, player=judged.players[0].id,
            command={"type": "judge", "winner": 0}, key=str(uuid4()), fingerprint=b"",
        )  # fmt: skip
    assert judged.types() == before


def test_host_who_plays_or_has_played_gives_no_host_commands() -> None:
    host, other = guest(is_organiser=True), guest()
    match = opened(host, "judged", host, other)
    assert host.post(f"/matches/{match}/start").status == 200
    playing.attend(match_id=UUID(match))
    assert host.send(match, {"type": "close"}).refusal == (400, "unknown_command")
    assert host.get(f"/matches/{match}/legal", {"as": "host"}).refusal == (403, "forbidden")
    official = guest(is_organiser=True)
    hosting.substitute(match_id=UUID(match), by=UUID(official.id), seat=0, player="bot", reason="Ill.")
    assert host.send(match, {"type": "close"}).refusal == (403, "plays_here")
    assert host.get(f"/matches/{match}/legal").refusal == (403, "plays_here")
    assert official.send(match, {"type": "close"}).status == 201


def test_second_press_with_one_key_gets_the_first_response(judged: JudgedMatch) -> None:
    judged.handed_in()
    first, second = (judged.judge(key="once") for _ in range(2))
    assert (first.status, second.status) == (201, 201) and first.body == second.body
    assert judged.types().count("judged") == 1
    assert judged.judge(winner=1, key="once").refusal == (422, "idempotency_key_reused")


def test_presses_at_the_same_instant_are_stored_once(judged: JudgedMatch) -> None:
    judged.handed_in()
    answers = at_once([partial(judged.judge, key="once") for _ in range(6)])
    assert {answer.status for answer in answers} == {201} and len({answer.body for answer in answers}) == 1
    assert judged.types().count("judged") == 1


def test_socket_of_the_host_takes_the_hosts_commands(judged: JudgedMatch) -> None:
    judged.handed_in()
    for sender, code in ((judged.players[1], "unknown_command"), (guest(), "forbidden"), (judged.host, "")):
        token = AccessToken.objects.get(account=sender.id)
        identity = Identity(token.account, token, Credential(token=token.id))
        message = inbound.CommandMessage(str(uuid4()), {"type": "judge", "winner": 1})
        assert inbound.carry_out(identity, "127.0.0.1", UUID(judged.id), message).code == code
    assert judged.told()["outcome"]["winners"] == [1]


# What the host may do


@pytest.mark.parametrize("path", ["legal", "legal?as=host", "legal?sample=1"])
def test_legal_commands_of_the_host_come_from_what_spectators_see(path: str, judged: JudgedMatch) -> None:
    judged.handed_in()
    told = judged.host.get(f"/matches/{judged.id}/{path}").json
    assert told["seat"] is None and told["complete"]
    assert told["legal"] == [{"type": "judge", "winner": 0}, {"type": "judge", "winner": 1}], "The topic is secret."
    assert "sample=1" not in path or told["sample"] in told["legal"]
    assert judged.host.get(f"/matches/{judged.id}/legal").json["legal"], "Reading changes nothing."


def test_moment_of_the_host_has_legal_commands_of_that_version(judged: JudgedMatch) -> None:
    before = judged.told()["version"]
    judged.handed_in()
    moment = judged.host.get(f"/matches/{judged.id}/moment", {"as": "host", "at": before}).json
    assert moment["legal"]["legal"] == [{"type": "close"}] and moment["view"]["topic"] in ("gravel", "thimble")


# Clocks


def test_clocks_of_a_match_come_from_its_options() -> None:
    match = JudgedMatch.begun(guest(), options={"judging": 77}, clocks={"writing": {"base": 30}})
    told = match.told()["clocks"]
    assert {name: times["base"] for name, times in told["times"].items()} == {"writing": 30, "judging": 77}
    assert told["at_flag"]["judging"] == "Chance names the winner."
    falls_at = datetime.fromisoformat(match.handed_in().told()["clocks"]["host"]["deadline"])
    assert timedelta(seconds=70) < falls_at - store.clock() < timedelta(seconds=90)
    asked = {"game": "judged", "seats": [{}, {}]}
    for more in ({"clocks": {"choice": {"base": 3}}}, {"options": {"judging": "soon"}}):
        assert guest().post("/matches", asked | more).refusal == (422, "bad_options")


def falls_at(match: JudgedMatch) -> int:
    """Return an instant right after the host's flag."""
    (run,) = repository.load(UUID(match.id)).clocks.runs
    assert run.seat == HOST_NUMBER
    return run.began + 60_000_000


def test_flag_of_the_host_falls_and_the_default_applies(judged: JudgedMatch) -> None:
    match = JudgedMatch.begun(judged.host, options={"judging": 1}).handed_in()
    fallen = timing.let_flag_fall(match_id=UUID(match.id), by=falls_at(match))
    assert fallen is not None and fallen.seat == HOST_NUMBER
    assert match.types()[-4:] == ["host_flag_fallen", "judged", "match_finished", "seed_revealed"]
    told = match.host.get(f"/matches/{match.id}/events").json["results"]
    assert [(it["actor"], it["text"]) for it in told if it["type"] == "host_flag_fallen"] == [
        ("clock", "The host has run out of time.")
    ]
    assert match.judge().refusal == (409, "match_over")


def test_late_command_of_the_host_lets_its_flag_fall_and_is_refused(host: Guest) -> None:
    match = JudgedMatch.begun(host, options={"judging": 1}).handed_in()
    wait_until(lambda: Match.objects.filter(id=match.id, deadline__falls_at__lt=store.clock()).exists())
    assert match.judge().refusal == (409, "flag_fallen")
    assert match.types().count("judged") == match.types().count("host_flag_fallen") == 1


def test_one_of_flag_and_command_at_the_same_instant_counts(judged: JudgedMatch) -> None:
    for _ in range(4):
        match = JudgedMatch.begun(judged.host, options={"judging": 1}).handed_in()
        submit = partial(
            playing.submit, match_id=UUID(match.id), seat=HOST, player=match.host.id,
            command={"type": "judge", "winner": 0}, key=str(uuid4()), fingerprint=b"",
        )  # fmt: skip
        flag = partial(timing.let_flag_fall, match_id=UUID(match.id), by=falls_at(match))
        accepted, fallen = at_once([submit, flag])
        refused = isinstance(accepted, Illegal) and accepted.code in ("match_over", "flag_fallen")
        assert isinstance(accepted, Accepted) or refused, accepted
        assert (fallen is not None and not isinstance(fallen, Exception)) == refused
        assert match.types().count("judged") == 1
        assert match.types().count("host_flag_fallen") == refused


def test_offer_of_time_gives_the_host_none(judged: JudgedMatch) -> None:
    judged.handed_in()
    offered = judged.players[0].post(f"/matches/{judged.id}/offers", {"kind": "time"})
    assert offered.refusal == (409, "no_prompt")


def test_page_says_that_the_match_waits_for_the_host(judged: JudgedMatch) -> None:
    judged.handed_in()
    page = client_of(Account.objects.get(id=judged.players[0].id)).get(f"/m/{judged.told()['code']}/")
    assert "Waiting for the host" in page.content.decode()


# Calls to the host


def calls_of(account: Guest) -> list[str]:
    return list(Call.objects.filter(account=account.id).order_by("made_at").values_list("kind", flat=True))


def queue_calls_twice() -> None:
    """Queue the new calls twice, as two workers do."""
    for _ in range(2):
        match_calls._lookout._looked.clear()
        match_calls.queue_new_calls()


@pytest.fixture
def _no_calls() -> Iterator[None]:
    Call.objects.all().delete()
    yield
    Call.objects.all().delete()


@pytest.mark.usefixtures("_no_calls")
def test_opener_is_called_once_for_their_command_and_no_longer_than_it_waits(judged: JudgedMatch) -> None:
    with_push(Account.objects.get(id=judged.host.id))
    queue_calls_twice()
    assert calls_of(judged.host) == []
    judged.handed_in()
    queue_calls_twice()
    (call,) = Call.objects.filter(account=judged.host.id)
    assert call.kind == "your_turn" and match_calls.is_awaited(call)
    assert call_delivery.message(call, details=True).page == f"/m/{judged.id}/"
    judged.judge()
    assert not match_calls.is_awaited(call) and not call_delivery._is_still_needed(call)


@pytest.mark.usefixtures("_no_calls")
def test_opener_is_reminded_when_four_fifths_of_their_time_are_gone(
    host: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_push(Account.objects.get(id=host.id))
    match = JudgedMatch.begun(host, options={"judging": 36_000}).handed_in()
    match_calls.remind()
    assert calls_of(host) == []
    later = store.clock() + timedelta(hours=9)
    monkeypatch.setattr(match_calls, "store", SimpleNamespace(clock=lambda: later))
    for _ in range(2):
        match_calls.remind()
    (call,) = Call.objects.filter(account=host.id, match_id=match.id, way="push")
    assert call.kind == "reminder" and match_calls.is_awaited(call)


@pytest.mark.usefixtures("_no_calls")
def test_opener_who_plays_is_not_called_for_the_hosts_command() -> None:
    host, other = guest(), guest()
    with_push(Account.objects.get(id=host.id))
    match = opened(host, "judged", host, other)
    assert host.post(f"/matches/{match}/start").status == 200
    playing.attend(match_id=UUID(match))
    for player in (host, other):
        assert player.send(match, {"type": "hand_in", "word": "word"}).status == 201
    queue_calls_twice()
    assert not [it for it in Call.objects.filter(account=host.id) if match_calls.is_to_host(it)]


@pytest.mark.usefixtures("_no_calls")
def test_hosts_of_a_season_are_called_and_its_players_give_no_host_commands() -> None:
    cup = Cup(4, pool=["judged", "pyramid_poker"], bans_each=0, best_of=1)
    match = cup.death_match("judged")
    playing.attend(match_id=UUID(match))
    row = Match.objects.get(id=match)
    sitting = [cup.player(str(seat.account_id)) for seat in row.seats.order_by("number")]
    for player in sitting:
        assert player.send(match, {"type": "hand_in", "word": "word"}).status == 201
    queue_calls_twice()
    for official in (cup.organiser, cup.host):
        assert "official" in calls_of(official)
        (call,) = Call.objects.filter(account=official.id, match_id=match, way="page", kind="official")
        assert match_calls.is_to_host(call) and call_delivery._is_still_needed(call)
        assert call_delivery.message(call, details=True).page == f"/m/{match}/"
    assert "official" not in calls_of(cup.auditor)
    idle = next(it for it in cup.players if it not in sitting)
    Account.objects.filter(id=idle.id).update(is_organiser=True)
    assert idle.send(match, {"type": "judge", "winner": 0}).refusal == (403, "plays_here")
    assert cup.auditor.send(match, {"type": "judge", "winner": 0}).refusal == (403, "forbidden")
    assert cup.host.send(match, {"type": "judge", "winner": 0}).status == 201
