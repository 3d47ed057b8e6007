"""The house's programs play what the match's seed gives, and an audit computes it again."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games import catalogue
from games.kernel import Chance
from matches.audit import replay
from matches.audit.croupier_verify import Bad, verify
from matches.domain import programs
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.services import hosting, playing
from matches.storage import repository, seeds
from tests.matches.test_audit import exported
from tests.table_setting import new_account, play_on, running_match

MOST = 30
"""Maximum number of acts of a match before it is declared void."""


def played(match: Match, acts: int = MOST) -> list[str]:
    """The record of a match that the house has played so far."""
    playing.attend(match_id=match.id, most=acts)
    if not repository.load(match.id).lifecycle.over:
        hosting.void(match_id=match.id, by=match.opened_by_id, reason="Far enough.")
    return exported(match.id)


@pytest.mark.parametrize("slug", catalogue)
def test_every_move_of_a_bot_follows_from_the_seed(slug: str) -> None:
    judged = replay.judged(played(running_match(slug)))
    assert judged.programmed > 10 and judged.unprogrammed == 0


def some_other(loaded: MatchState, seat: int, chance: Chance) -> Any:
    """A legal move that the house likes better."""
    usual = loaded.game.choose(loaded.state, seat, chance.draws(f"bot {seat}"))
    rng = Random(1)
    return next(it for it in iter(lambda: loaded.game.sample(loaded.state, seat, rng), None) if it != usual)


@pytest.mark.parametrize("slug", ["pentagram", "pyramid_poker", "reality_benders"])
def test_move_chosen_for_a_bot_is_detected_in_the_record(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both choices are legal, so only the seed tells them apart."""
    match = running_match(slug)
    playing.attend(match_id=match.id, most=10)
    while (match_state := repository.load(match.id)).due.dealer:
        playing.deal(match_id=match.id, expected=match_state.version)
    monkeypatch.setattr(programs, "choice", some_other)
    playing.attend(match_id=match.id, most=1)
    monkeypatch.undo()
    lines = played(match, 5)
    verify(lines)
    with pytest.raises(Bad, match=r"the seed gives the program in seat \d another move") as bad:
        replay.judged(lines)
    assert bad.value.version == match_state.version + 1
    assert replay.judged(lines, programs_too=False).unprogrammed > 5, "the rules alone don't see it"


@pytest.mark.parametrize("player", ["bot", "dealer"])
def test_moves_of_a_stand_in_and_after_a_rewind_follow_from_the_seed(player: str) -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    act: dict[str, Any] = {"match_id": match.id, "by": match.opened_by_id, "reason": "A test."}
    play_on(match, 5)
    hosting.seat_stand_in(**act, seat=0, player=player)
    hosting.seat_stand_in(**act, seat=1, player="bot")
    playing.attend(match_id=match.id, most=12)
    hosting.rewind(**act, to_version=hosting.rewindable(match.id)[-5])
    judged = replay.judged(played(match, 12))
    assert judged.programmed > 15


def test_stand_in_under_another_name_than_recorded_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    def dealer_instead(loaded: MatchState, seat: int, chance: Chance) -> Any:
        return loaded.game.choose(loaded.state, seat, chance.draws(f"bot {seat}"), dealer=True)

    monkeypatch.setattr(programs, "choice", dealer_instead)
    lines = played(running_match("pentagram"))
    monkeypatch.undo()
    with pytest.raises(Bad, match="another move"):
        replay.judged(lines)


@pytest.mark.parametrize("named", [lambda game: None, lambda game: "croupier-bots-v1/0"])
def test_moves_of_an_unknown_program_are_counted_and_not_refused(
    named: Callable[[Any], str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "scheme", named)
    monkeypatch.setattr(programs, "choice", some_other)
    lines = played(running_match("pentagram"))
    monkeypatch.undo()
    judged = replay.judged(lines)
    assert (judged.programmed, judged.unprogrammed > 15) == (0, True)


def test_draws_of_a_bot_are_separate_from_those_of_a_deal() -> None:
    """Its stream has a purpose that no game has, so what all see of it tells nothing of what lies face down."""
    match = running_match("pentagram")
    chance = seeds.chance_of(match.id, repository.load(match.id).lifecycle, 0)
    assert chance.draws("bot 0").word() != chance.draws("bot 1").word() != chance.draws("deck").word()
