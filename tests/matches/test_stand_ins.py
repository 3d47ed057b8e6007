"""Somebody plays for an absent player, until the player is back."""

from random import Random

import pytest

from events import store
from matches import services
from matches.models import Account, Match
from matches.services import playing
from matches.services.appending import waits_for_program
from matches.storage import repository
from tests.table_setting import new_account, refusal_of, running_match, send, waiting_match


@pytest.fixture
def match(host: Account, players: list[Account]) -> Match:
    return running_match("pyramid_poker", *players, opener=host)


def stand_in(match: Match, host: Account, seat: int, player: str = "bot") -> None:
    services.seat_stand_in(match_id=match.id, by=host.id, seat=seat, player=player, reason="No word since noon.")


def come_back(match: Match, by: Account, seat: int) -> None:
    services.end_stand_in(match_id=match.id, by=by.id, seat=seat, reason="Here I am.")


def to_move(match: Match) -> int:
    return repository.load(match.id).due.prompts[0].seat


@pytest.mark.parametrize("player", ["bot", "dealer"])
def test_stand_in_plays_for_an_absent_player(match: Match, host: Account, players: list[Account], player: str) -> None:
    absent = to_move(match)
    stand_in(match, host, absent, player)
    assert services.attend(match_id=match.id) > 0
    match_state = repository.load(match.id)
    assert match_state.due.prompts[0].seat == 1 - absent
    actors = {row.actor for row in store.read(match.id)}
    assert f"stand-in:{player}" in actors
    assert match_state.lifecycle.players == tuple(str(it.id) for it in players)


def test_absent_player_is_not_notified_while_a_stand_in_plays(
    match: Match, host: Account, players: list[Account]
) -> None:
    absent = to_move(match)
    stand_in(match, host, absent)
    row = Match.objects.get(id=match.id)
    assert (row.needs, row.wake) == ([], True)
    come_back(match, players[absent], absent)
    row = Match.objects.get(id=match.id)
    assert (row.needs, row.wake) == ([players[absent].id], False)


def test_returned_player_plays_again_and_the_stand_in_stops(
    match: Match, host: Account, players: list[Account]
) -> None:
    absent = to_move(match)
    stand_in(match, host, absent)
    assert refusal_of(lambda: send(match.id, absent, Random(1))) == "stand_in_seated"
    come_back(match, players[absent], absent)
    assert not waits_for_program(repository.load(match.id))
    send(match.id, absent, Random(1))
    types = [row.type for row in store.read(match.id)]
    assert types.count("stand_in_seated") == types.count("stand_in_left") == 1


def test_two_stand_ins_play_the_match_to_its_end(match: Match, host: Account) -> None:
    stand_in(match, host, 0, "bot")
    stand_in(match, host, 1, "dealer")
    services.attend(match_id=match.id)
    assert repository.load(match.id).outcome is not None


def test_substitution_ends_the_stand_in(match: Match, host: Account) -> None:
    absent = to_move(match)
    stand_in(match, host, absent)
    newcomer = new_account()
    services.substitute(match_id=match.id, by=host.id, seat=absent, player=newcomer.id, reason="For good.")
    assert repository.load(match.id).lifecycle.stand_ins == ()
    assert Match.objects.get(id=match.id).needs == [newcomer.id]


def test_invalid_stand_in_is_refused(match: Match, host: Account) -> None:
    assert refusal_of(lambda: come_back(match, host, 0)) == "no_stand_in"
    assert refusal_of(lambda: stand_in(match, host, 2)) == "no_such_seat"
    stand_in(match, host, 0)
    assert refusal_of(lambda: stand_in(match, host, 0, "dealer")) == "stand_in_seated"
    with_bot = running_match("pyramid_poker", new_account(), "bot", opener=host)
    assert refusal_of(lambda: stand_in(with_bot, host, 1)) == "nobody_absent"
    open_seat = waiting_match("pyramid_poker", new_account(), None, opener=host)
    assert refusal_of(lambda: stand_in(open_seat, host, 1)) == "nobody_absent"
    services.void(match_id=match.id, by=host.id, reason="Over.")
    assert refusal_of(lambda: come_back(match, host, 0)) == "match_over"


@pytest.mark.parametrize("end", ["back", "substituted"])
def test_player_returning_during_a_stand_ins_decision_plays_themselves(
    match: Match, host: Account, players: list[Account], end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = to_move(match)
    stand_in(match, host, absent)
    submit = playing.submit

    def too_late(**details: object) -> object:
        monkeypatch.setattr(playing, "submit", submit)
        if end == "back":
            come_back(match, players[absent], absent)
        else:
            heir = new_account().id
            services.substitute(match_id=match.id, by=host.id, seat=absent, player=heir, reason="For good.")
        return submit(**details)

    monkeypatch.setattr(playing, "submit", too_late)
    assert services.attend(match_id=match.id) == 0
    assert to_move(match) == absent and not repository.load(match.id).lifecycle.stand_ins
