"""Whoever plays doesn't host: what a host with a seat among people is refused, by whatever way they came by it."""

from functools import partial
from inspect import isfunction

import pytest

from matches.audit import replay
from matches.audit.croupier_verify import Bad
from matches.domain import impartiality
from matches.domain.events import HOUSE
from matches.domain.impartiality import is_open_to
from matches.models import Account, Match
from matches.services import accepting, hosting, opening, playing
from matches.storage import repository
from tests.host_acts import ACTS as TABLE
from tests.host_acts import ASKED, service_of
from tests.matches.hosted_match import boundary, exported, holds, version
from tests.table_setting import BOT, new_account, play_on, refusal_of, running_match, waiting_match

ACTS = {name: fields for name, fields in ASKED.items() if name != "start"}
"""Every act of a host but the start, with what a cheat would ask."""


def refused(act: str, match: Match, by: Account) -> None:
    before = version(match)
    assert refusal_of(partial(service_of(act), match_id=match.id, by=by.id, **ACTS[act])) == "plays_here", act
    assert version(match) == before, act


@pytest.fixture
def cheat() -> Account:
    return new_account()


@pytest.fixture
def match(cheat: Account) -> Match:
    """Under way between its opener and somebody who has accepted by a move."""
    running = running_match("pyramid_poker", cheat, new_account(), opener=cheat)
    play_on(running, 6)
    return running


def test_table_of_acts_is_complete() -> None:
    acts = {name for name, it in vars(hosting).items() if isfunction(it) and it.__module__ == hosting.__name__}
    others = {"view_truth", "rewindable", "is_amid_an_act"}
    assert {name for name in acts if not name.startswith("_")} == set(ACTS) | others
    assert set(TABLE) == set(ASKED)


@pytest.mark.parametrize("act", ACTS)
def test_opener_who_plays_against_a_person_is_refused_every_host_act(act: str, match: Match, cheat: Account) -> None:
    refused(act, match, cheat)


def test_opener_who_played_is_refused_host_acts_after_the_end(match: Match, cheat: Account) -> None:
    play_on(match, 1000)
    for act in ACTS:
        refused(act, match, cheat)


def test_opener_replaced_at_their_seat_is_refused_host_acts(match: Match, cheat: Account) -> None:
    official = new_account(is_organiser=True)
    hosting.substitute(match_id=match.id, by=official.id, seat=0, player=BOT, reason="Unwell.")
    for act in ACTS:
        refused(act, match, cheat)
    assert refusal_of(lambda: hosting.view_truth(match_id=match.id, by=cheat.id)) == "plays_here"


def test_opener_is_refused_after_the_opponent_left_and_play_was_rewound(match: Match, cheat: Account) -> None:
    official = new_account(is_organiser=True)
    hosting.substitute(match_id=match.id, by=official.id, seat=1, player=BOT, reason="Unwell.")
    hosting.rewind(match_id=match.id, by=official.id, to_version=boundary(match, 3), reason="A slip.")
    for act in ACTS:
        refused(act, match, cheat)


def test_opener_who_takes_a_seat_loses_the_host_acts(cheat: Account) -> None:
    match = waiting_match("pyramid_poker", None, new_account(), opener=cheat)
    assert refusal_of(lambda: hosting.pause(match_id=match.id, by=cheat.id, reason="Tea.")) == "not_started"
    hosting.substitute(match_id=match.id, by=cheat.id, seat=0, player=cheat.id, reason="I play.")
    assert refusal_of(lambda: hosting.pause(match_id=match.id, by=cheat.id, reason="Tea.")) == "plays_here"
    refused("substitute", match, cheat)


def test_player_who_leaves_before_the_start_does_not_become_a_host(cheat: Account) -> None:
    match = waiting_match("pyramid_poker", cheat, None, opener=cheat)
    hosting.substitute(match_id=match.id, by=cheat.id, seat=0, player=new_account().id, reason="My other account.")
    hosting.substitute(match_id=match.id, by=cheat.id, seat=1, player=new_account().id, reason="The victim.")
    opening.start(match_id=match.id, by=cheat.id, reason="Go.")
    play_on(match, 4)
    for act in ACTS:
        refused(act, match, cheat)


def test_person_replacing_a_bot_does_not_let_a_losing_player_void_the_match(cheat: Account) -> None:
    victim, official = new_account(), new_account(is_organiser=True)
    match = running_match("pentagram", cheat, victim, BOT, opener=cheat)
    accepting.accept(match_id=match.id, player=victim.id)
    refused("void", match, cheat)
    hosting.substitute(match_id=match.id, by=official.id, seat=2, player=new_account().id, reason="A third.")
    refused("void", match, cheat)


def test_opener_alone_against_bots_may_use_host_acts(cheat: Account) -> None:
    match = running_match("pyramid_poker", cheat, BOT, opener=cheat)
    playing.attend(match_id=match.id)
    hosting.pause(match_id=match.id, by=cheat.id, reason="Tea.")
    hosting.resume(match_id=match.id, by=cheat.id, reason="Tea is over.")
    hosting.seat_stand_in(match_id=match.id, by=cheat.id, seat=0, player="bot", reason="Supper.")
    hosting.end_stand_in(match_id=match.id, by=cheat.id, seat=0, reason="Back.")
    hosting.adjudicate(match_id=match.id, by=cheat.id, winners=[0], reason="Enough.")
    holds(match)


def test_player_may_start_cancel_and_fill_an_open_seat_before_the_start(cheat: Account) -> None:
    match = waiting_match("pentagram", cheat, new_account(), None, opener=cheat)
    refused("adjudicate", match, cheat)
    refused("substitute", match, cheat)
    hosting.substitute(match_id=match.id, by=cheat.id, seat=2, player=BOT, reason="Nobody came.")
    opening.start(match_id=match.id, by=cheat.id, reason="All are here.")
    cancelled = waiting_match("pyramid_poker", cheat, new_account(), opener=cheat)
    hosting.void(match_id=cancelled.id, by=cheat.id, reason="Not today.")
    holds(cancelled)


def test_player_may_not_replace_a_seated_player_or_an_unknown_seat() -> None:
    ann, ben = new_account(), new_account()
    match = waiting_match("pyramid_poker", ann, ben, opener=ann)
    story = repository.load(match.id).lifecycle
    for seat in (0, 1, 7):
        assert not is_open_to(story, str(ann.id), "substitute", seat)


def test_player_may_end_their_own_stand_in(match: Match, cheat: Account) -> None:
    official = new_account(is_organiser=True)
    hosting.seat_stand_in(match_id=match.id, by=official.id, seat=0, player="bot", reason="Away.")
    hosting.end_stand_in(match_id=match.id, by=cheat.id, seat=0, reason="Back.")


def test_official_who_declined_an_unwanted_seat_may_host() -> None:
    troll, official = new_account(), new_account(is_organiser=True)
    match = waiting_match("pyramid_poker", official, new_account(), opener=troll)
    refused("rule", match, official)
    accepting.decline(match_id=match.id, player=official.id, reason="Not me.")
    hosting.rule(match_id=match.id, by=official.id, text="Officials are no players.")


@pytest.mark.parametrize("act", ["adjudicate", "rewind", "pause"])
def test_record_with_a_host_act_by_a_player_is_refused(
    act: str, match: Match, cheat: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as a house that lets its friends do it would give out."""
    to = boundary(match, 2)
    with monkeypatch.context() as lax:
        lax.setattr(hosting, "refuse_player", lambda *_: None)
        asked = ACTS[act] | ({"to_version": to} if act == "rewind" else {})
        service_of(act)(match_id=match.id, by=cheat.id, **asked)
        if act == "pause":
            hosting.resume(match_id=match.id, by=cheat.id, reason="Tea is over.")
    play_on(match, 1000)
    with pytest.raises(Bad, match="the rules refuse it: You hold, or have held, a seat"):
        replay.judged(exported(match))


def test_server_carries_out_what_a_season_decided(match: Match) -> None:
    """Such as the end of a match whose player has left the season, who has decided it."""
    hosting.void(match_id=match.id, by=HOUSE, reason="The season annulled the match.")
    holds(match)


def test_substitute_who_has_not_accepted_counts_as_an_opponent(match: Match, cheat: Account) -> None:
    newcomer = new_account()
    hosting.substitute(match_id=match.id, by=new_account().id, seat=1, player=newcomer.id, reason="Ill.")
    assert repository.load(match.id).lifecycle.awaited == (1,)
    refused("void", match, cheat)


def test_only_people_count_as_opponents(cheat: Account) -> None:
    match = running_match("pyramid_poker", cheat, BOT, opener=cheat)
    assert not impartiality.plays(repository.load(match.id).lifecycle, str(cheat.id))
    hosting.substitute(match_id=match.id, by=cheat.id, seat=1, player=new_account().id, reason="A friend.")
    assert impartiality.plays(repository.load(match.id).lifecycle, str(cheat.id))
    refused("substitute", match, cheat)
