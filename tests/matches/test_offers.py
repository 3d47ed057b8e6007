"""Offers in a friendly: an act takes place once all seats agree, offers are limited, and the record is verified."""

import json
from random import Random
from typing import Any

import pytest

from events import store
from games import catalogue
from games.kernel import SPECTATOR, Illegal, to_json
from matches import services
from matches.audit import replay
from matches.audit.croupier_verify import Bad
from matches.domain import offers
from matches.domain.clocks import SECOND, ClockTimes
from matches.models import Account, Match
from matches.reads import feed
from matches.storage import repository
from tests.cases import some_slow
from tests.matches.hosted_match import WITNESSES, act, exported, forget, holds, types, version
from tests.matches.tampering import rechained, written
from tests.table_setting import (
    at_once,
    new_account,
    play_on,
    play_to_the_end,
    refusal_of,
    running_match,
    send,
    waits_for_seat,
)

CLOCKS = {"turn": ClockTimes(base=120, reserve=60)}


def offer(match: Match, player: Account, kind: str, **more: Any) -> int:
    """Offer something; gives the offer's number."""
    services.make_offer(match_id=match.id, player=player.id, kind=kind, **more)
    return repository.load(match.id).lifecycle.offers.made


def accept(match: Match, player: Account, number: int) -> None:
    services.accept_offer(match_id=match.id, player=player.id, number=number)


def decline(match: Match, player: Account, number: int) -> None:
    services.decline_offer(match_id=match.id, player=player.id, number=number)


def waiting(match: Match) -> list[tuple[int, int, str]]:
    """Number, seat and kind of each open offer, the same for a cold reader."""
    waiting_offers = [(it.number, it.seat, it.kind) for it in repository.load(match.id).lifecycle.offers.waiting]
    forget()
    assert [(it.number, it.seat, it.kind) for it in feed.offers(match.id, SPECTATOR).results] == waiting_offers
    return waiting_offers


def last_mover(match: Match, players: list[Account]) -> tuple[int, int]:
    """The seat whose player moved last, and the version before that."""
    seats = {str(player.id): seat for seat, player in enumerate(players)}
    rows = store.read(match.id)
    last = next(row for row in reversed(rows) if row.actor in seats and row.type in catalogue[match.game].event_types)
    before = max(row.version for row in rows if (row.actor, row.at) != (last.actor, last.at) and row.at <= last.at)
    return seats[last.actor], before


# Taking back


@pytest.mark.parametrize("slug", some_slow(catalogue, always=["reality_benders"]))
def test_takeback_returns_to_before_the_offerers_last_move_in_every_game(
    slug: str, host: Account, players: list[Account]
) -> None:
    match = running_match(slug, *players, opener=host)
    play_on(match, 6, Random(slug))
    seat, before = last_mover(match, players)
    earlier = {witness: repository.load(match.id, witness, upto=before).state for witness in WITNESSES}
    number = offer(match, players[seat], "takeback")
    head = version(match)
    accept(match, players[1 - seat], number)
    assert types(match, head) == ["offer_accepted", "match_rewound"]
    for _ in range(2):
        assert {witness: repository.load(match.id, witness).state for witness in WITNESSES} == earlier
        forget()
    assert repository.load(match.id).lifecycle.rewinds == 1
    assert waiting(match) == []
    play_on(match, 4, Random(8))
    again, _ = last_mover(match, players)
    accept(match, players[1 - again], offer(match, players[again], "takeback"))
    play_to_the_end(match, Random(9))
    assert holds(match)["seed"]


def test_successive_takebacks_go_back_along_the_played_line(match: Match, players: list[Account]) -> None:
    first, before = last_mover(match, players)
    accept(match, players[1 - first], offer(match, players[first], "takeback"))
    last_moves = repository.load(match.id).lifecycle.offers.last_moves
    assert last_moves == repository.load(match.id, upto=before).lifecycle.offers.last_moves
    other = repository.load(match.id).lifecycle.offers.before_last_move(1 - first)
    accept(match, players[first], offer(match, players[1 - first], "takeback"))
    assert other is not None and other < before
    assert to_json(repository.load(match.id).state) == to_json(repository.load(match.id, upto=other).state)
    play_to_the_end(match, Random(3))
    assert holds(match)["seed"]


def test_takeback_offer_names_who_learnt_secrets_since_and_reveals_none(match: Match, players: list[Account]) -> None:
    while True:
        seat, before = last_mover(match, players)
        rows = store.read(match.id, after=before)
        if any(row.audience for row in rows):
            break
        play_on(match, 1, Random(2))
    offer(match, players[seat], "takeback")
    (takeback,) = feed.offers(match.id, SPECTATOR).results
    assert takeback.learnt == sorted({int(row.audience.split(":")[1]) for row in rows if row.audience})
    assert takeback.to_version == before and takeback.awaited == [1 - seat]
    accept(match, players[1 - seat], takeback.number)
    told_now = [(row.version, row.secret) for row in store.read(match.id, after=before, upto=version(match))]
    hidden = feed.events(match.id, SPECTATOR, before, 100).results
    assert all(event[name] is None for event in hidden for name in event["secret"]) and any(
        secret for _, secret in told_now
    )


def test_player_without_a_move_of_their_own_cannot_offer_a_takeback(host: Account, players: list[Account]) -> None:
    match = running_match("pentagram", *players, opener=host)
    assert refusal_of(lambda: offer(match, players[0], "takeback")) == "nothing_to_take_back"
    play_on(match, 4, Random(1))
    newcomer = new_account()
    act("substitute", match, host, seat=0, player=newcomer.id)
    assert refusal_of(lambda: offer(match, newcomer, "takeback")) == "nothing_to_take_back"
    accept(match, newcomer, offer(match, players[1], "takeback"))
    play_to_the_end(match, Random(5))
    assert holds(match)["seed"]


# Answers


def test_move_closes_every_offer_and_is_accepted_on_the_version_before_it(match: Match, players: list[Account]) -> None:
    version_before = version(match)
    mover = 0 if waits_for_seat(match, 0) else 1
    number = offer(match, players[1 - mover], "pause")
    command = to_json(next(iter(catalogue[match.game].legal(repository.load(match.id, mover).state, mover))))
    services.submit(
        match_id=match.id, seat=mover, player=str(players[mover].id), command=command, key="k", fingerprint=b"",
        expected=version_before,
    )  # fmt: skip
    assert waiting(match) == []
    assert refusal_of(lambda: accept(match, players[mover], number)) == "offer_closed"
    assert refusal_of(lambda: decline(match, players[1 - mover], number)) == "offer_closed"
    assert refusal_of(lambda: accept(match, players[mover], number + 1)) == "no_such_offer"


def test_offer_is_answered_by_another_seat_only(match: Match, host: Account, players: list[Account]) -> None:
    number = offer(match, players[0], "pause")
    assert refusal_of(lambda: accept(match, players[0], number)) == "own_offer"
    for answered in (accept, decline):
        with pytest.raises(services.NotAllowed):
            answered(match, host, number)
    with pytest.raises(services.NotAllowed):
        offer(match, host, "pause")
    assert waiting(match) == [(number, 0, "pause")]


def test_offer_is_refused_while_open_and_after_two_without_a_move(match: Match, players: list[Account]) -> None:
    first = offer(match, players[0], "pause")
    assert refusal_of(lambda: offer(match, players[0], "pause")) == "already_offered"
    decline(match, players[1], first)
    decline(match, players[0], offer(match, players[0], "pause"))
    assert types(match)[-3:] == ["offer_declined", "offer_made", "offer_withdrawn"]
    assert refusal_of(lambda: offer(match, players[0], "pause")) == "offered_enough"
    other = offer(match, players[1], "pause")
    play_on(match, 1, Random(1))
    assert waiting(match) == [] and offer(match, players[0], "pause") == other + 1
    play_to_the_end(match, Random(3))
    assert holds(match)["seed"]


def test_offer_at_a_larger_table_needs_all_to_accept_and_one_to_decline(host: Account) -> None:
    table = next(game for game in catalogue.values() if game.seats.max > 2)
    three = [new_account() for _ in range(3)]
    match = running_match(table.slug, *three, opener=host)
    number = offer(match, three[1], "pause")
    accept(match, three[0], number)
    accept(match, three[0], number)
    assert repository.load(match.id).lifecycle.status == "running" and types(match).count("offer_accepted") == 1
    decline(match, three[2], number)
    assert waiting(match) == []
    number = offer(match, three[1], "pause")
    accept(match, three[2], number)
    accept(match, three[0], number)
    assert repository.load(match.id).lifecycle.status == "paused"


def test_one_of_two_concurrent_answers_is_refused(match: Match, players: list[Account]) -> None:
    number = offer(match, players[0], "takeback" if last_mover(match, players)[0] == 0 else "pause")
    done = at_once([lambda: accept(match, players[1], number), lambda: decline(match, players[0], number)])
    refused = [it for it in done if isinstance(it, Illegal)]
    assert [it.code for it in refused] == ["offer_closed"] and waiting(match) == []


# Pauses and time


def test_clocks_stop_in_an_agreed_pause_until_both_resume(host: Account, players: list[Account]) -> None:
    match = running_match("pentagram", *players, opener=host, clocks=CLOCKS)
    play_on(match, 1)
    accept(match, players[1], offer(match, players[0], "pause", minutes=30))
    paused = repository.load(match.id)
    assert paused.lifecycle.offers.pause_ends == paused.at + 1800 * SECOND
    assert all(run.standing_since is not None for run in paused.clocks.runs) and paused.clocks.runs
    assert refusal_of(lambda: offer(match, players[0], "takeback")) == "match_paused"
    assert refusal_of(lambda: send(match.id, paused.due.prompts[0].seat, Random(1))) == "match_paused"
    number = offer(match, players[1], "resume")
    assert repository.load(match.id).lifecycle.paused
    accept(match, players[0], number)
    resumed = repository.load(match.id)
    assert resumed.lifecycle.status == "running" and resumed.lifecycle.offers.pause_ends is None
    assert refusal_of(lambda: offer(match, players[0], "resume")) == "not_paused"
    play_to_the_end(match, Random(4))
    assert holds(match)["seed"]


def test_either_player_may_end_a_pause_after_its_agreed_time(
    host: Account, players: list[Account], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = running_match("pentagram", *players, opener=host, clocks=CLOCKS)
    play_on(match, 1)
    accept(match, players[1], offer(match, players[0], "pause", minutes=1))
    story, times = repository.load(match.id).lifecycle, repository.load(match.id).clocks
    ends = story.offers.pause_ends or 0
    assert [type(it).__name__ for it in offers.offer(story, 1, "resume", None, times, ends - 1)] == ["OfferMade"]
    assert [type(it).__name__ for it in offers.offer(story, 1, "resume", None, times, ends)] == [
        "OfferMade",
        "MatchResumed",
    ]
    monkeypatch.setattr(offers, "SECOND", 0)
    match = running_match("pentagram", *players, opener=host, clocks=CLOCKS)
    play_on(match, 1)
    accept(match, players[1], offer(match, players[0], "pause"))
    offer(match, players[1], "resume")
    assert types(match)[-2:] == ["offer_made", "match_resumed"] and waiting(match) == []
    play_to_the_end(match, Random(4))
    assert holds(match)["seed"]


def test_players_cannot_end_a_pause_of_their_host(match: Match, host: Account, players: list[Account]) -> None:
    number = offer(match, players[0], "pause")
    act("pause", match, host)
    assert refusal_of(lambda: accept(match, players[1], number)) == "offer_closed"
    assert refusal_of(lambda: offer(match, players[0], "resume")) == "match_paused"


def test_time_is_given_without_consent_up_to_a_turn_and_to_others_only(host: Account, players: list[Account]) -> None:
    match = running_match("pentagram", *players, opener=host, clocks=CLOCKS)
    play_on(match, 1)
    seat = repository.load(match.id).due.prompts[0].seat
    assert refusal_of(lambda: offer(match, players[seat], "time")) == "no_prompt"
    version_before, before = version(match), repository.load(match.id).clocks.runs[0]
    for _ in range(2):
        offer(match, players[1 - seat], "time")
    assert types(match)[-4:] == ["offer_made", "time_given"] * 2 and waiting(match) == []
    after = repository.load(match.id).clocks.runs[0]
    assert after.stood - before.stood == 240 * SECOND
    assert refusal_of(lambda: offer(match, players[1 - seat], "time")) == "offered_enough"
    command = to_json(next(iter(catalogue[match.game].legal(repository.load(match.id, seat).state, seat))))
    player = str(players[seat].id)
    services.submit(
        match_id=match.id, seat=seat, player=player, command=command, key="k", fingerprint=b"", expected=version_before
    )
    play_to_the_end(match, Random(4))
    assert holds(match)["seed"]


# Who is never asked


def test_program_declines_every_offer(host: Account, players: list[Account]) -> None:
    match = running_match("pentagram", players[0].id, "bot", opener=players[0], clocks=CLOCKS)
    for kind in ("takeback", "pause", "time"):
        assert refusal_of(lambda kind=kind: offer(match, players[0], kind)) == "nobody_to_ask"
    other = running_match("pentagram", *players, opener=host)
    act("seat_stand_in", other, host, seat=1, player="dealer")
    assert refusal_of(lambda: offer(other, players[0], "pause")) == "nobody_to_ask"
    assert refusal_of(lambda: offer(other, players[1], "pause")) == "stand_in_seated"


def test_offers_are_refused_before_the_start_and_after_the_end(
    match: Match, host: Account, players: list[Account]
) -> None:
    number = offer(match, players[0], "pause")
    act("void", match, host)
    assert refusal_of(lambda: offer(match, players[0], "pause")) == "match_over"
    assert refusal_of(lambda: accept(match, players[1], number)) == "offer_closed"
    assert holds(match)["seed"]


# The record


@pytest.mark.parametrize(
    ("kind", "field"), [("offer_made", "to_version"), ("offer_accepted", "seat"), ("match_rewound", "to_version")]
)
def test_rules_refuse_a_forged_takeback_in_a_record(
    match: Match, players: list[Account], kind: str, field: str
) -> None:
    seat, before = last_mover(match, players)
    accept(match, players[1 - seat], offer(match, players[seat], "takeback"))
    play_to_the_end(match, Random(3))
    lines = [json.loads(line) for line in exported(match)]
    forged = next(line for line in lines if line.get("type") == kind)
    forged["public"][field] = seat if field == "seat" else before - 1
    with pytest.raises(Bad, match=r"rules"):
        replay.judged(written(rechained(lines)).splitlines())


def test_delayed_spectators_see_an_offer_late(host: Account, players: list[Account]) -> None:
    match = running_match("pentagram", *players, opener=host, spectator_delay=3600)
    offer(match, players[0], "pause")
    assert feed.offers(match.id, SPECTATOR).results == []
    assert len(feed.offers(match.id, 1).results) == 1
