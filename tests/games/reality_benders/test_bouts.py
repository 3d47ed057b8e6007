"""Ends: of a bout, of the match, by the flag and by resignation; and the options."""

from typing import Any

import pytest

from games.kernel import Event, Illegal, Outcome, Table, fold
from games.reality_benders import GAME
from games.reality_benders.events import BoutFinished, BoutStarted
from games.reality_benders.pieces import SPELLS
from tests.games.reality_benders.scripted import bends, duel, holding, kinds, only, play, refused, table

LAST_TRICK = "C>F"
"""With these rules Combo beats Foresight."""


def bout(number: int, points: tuple[int, int], winner: int | None) -> tuple[Event, Event]:
    """A bout that has been played, and the next one begun."""
    return BoutFinished(number, points, winner), BoutStarted(number + 1)


def test_r18_a_bout_ends_with_an_empty_hand() -> None:
    at = holding("C", "FG", rules=LAST_TRICK)
    events = duel(at, "C:A", "F:I")
    assert kinds(events)[-2:] == ["bout_finished", "bout_started"]
    assert events[-2] == {"type": "bout_finished", "bout": 1, "points": [1, 0], "winner": 0}
    assert events[-1] == {"type": "bout_started", "bout": 2}


def test_r18_a_bout_ends_when_only_the_spell_just_cast_is_left() -> None:
    at = holding("C", "FG")
    events = duel(at, "C:A", "F:I")
    assert only(events, "duel_resolved")["returned"] == [["C"], ["F"]]
    assert kinds(events)[-2:] == ["bout_finished", "bout_started"]


def test_r18_a_bout_goes_on_while_both_can_cast() -> None:
    assert kinds(duel(holding("CG", "FG"), "C:A", "F:I"))[-1] == "duel_resolved"


def test_r18_a_bout_ends_after_the_pick() -> None:
    at = holding("IG", "C", rules="I>C")
    assert kinds(duel(at, "I", "C:A", quiet="A>I B>I"))[-1] == "duel_resolved"
    assert kinds(play(at, "1 offer A,B,C", "0 pick A")) == ["spell_picked", "bout_finished", "bout_started"]


def test_r1_new_bout_has_full_hands_no_points_and_the_current_rules() -> None:
    at = holding("C", "FG", rules=LAST_TRICK)
    duel(at, "C:A", "F:I")
    state = at.state
    assert (state.bout, state.phase, state.stage) == (2, 1, "bend")
    assert (state.hands, state.points, state.rules) == ((SPELLS, SPELLS), (0, 0), ("C>F", "H>I", "I>H"))


def test_ruling_6_the_no_repeat_rule_ends_with_the_bout() -> None:
    at = holding("C", "FG", rules=LAST_TRICK)
    duel(at, "C:A", "F:I")
    duel(at, "C:A", "F:I", quiet="A>I B>I")


def test_r6_items_are_not_renewed_in_a_new_bout() -> None:
    at = holding("C", "FG", rules=LAST_TRICK)
    duel(at, "C:A bonus", "F:I")
    assert at.state.items == (("break", "bridge"), ("bonus", "break", "bridge"))


def test_ruling_3_a_bout_with_equal_points_is_won_by_nobody() -> None:
    events = duel(holding("C", "FG"), "C:A", "F:I")
    assert only(events, "bout_finished") == {
        "type": "bout_finished",
        "bout": 1,
        "points": [0, 0],
        "winner": None,
    }
    assert only(events, "bout_started")["bout"] == 2


def test_r19_two_bouts_won_end_the_match() -> None:
    at = holding("C", "FG", *bout(1, (3, 1), 0), rules=LAST_TRICK)
    assert kinds(duel(at, "C:A", "F:I"))[-1] == "bout_finished"
    assert at.outcome == Outcome((0,), ((0,), (1,)), "played", {0: 2, 1: 0})
    assert not at.due.prompts
    refused(at, "0 resign", "match_over")


def test_r19_one_bout_each_goes_to_a_third() -> None:
    at = holding("C", "FG", *bout(1, (1, 3), 1), rules=LAST_TRICK)
    assert duel(at, "C:A", "F:I")[-1] == {"type": "bout_started", "bout": 3}
    assert at.outcome is None


@pytest.mark.parametrize(
    ("before", "winner"),
    [
        (bout(1, (0, 5), 1), 1),  # more bouts
        ((*bout(1, (4, 4), None), *bout(2, (2, 2), None)), 1),  # the priority seat
        ((*bout(1, (4, 1), 0), *bout(2, (0, 2), 1)), 0),  # more points
    ],
)
def test_ruling_3_the_last_bout_decides_by_bouts_then_points_then_priority(
    before: tuple[Event, ...], winner: int
) -> None:
    options = {"max_bouts": 1 + len(before) // 2}
    at = holding("C", "FG", *before, priority=1, **options)
    assert kinds(duel(at, "C:A", "F:I"))[-1] == "bout_finished"
    assert at.outcome is not None and at.outcome.winners == (winner,)


def test_r19_nobody_has_won_before_the_last_bout_is_counted() -> None:
    before = (*bout(1, (2, 1), 0), *bout(2, (0, 2), 1))
    at = holding("C", "FG", *before, priority=1, max_bouts=3)
    duel(at, "C:A", "F:I")
    *amid, last = (fold(GAME, {"max_bouts": 3}, 2, 1, at.log[:n]) for n in range(1, at.version + 1))
    assert [GAME.outcome(state) for state in amid] == [None] * len(amid)
    assert GAME.outcome(last) == at.outcome is not None


def test_ruling_9_points_of_drawn_bouts_count() -> None:
    before = (*bout(1, (2, 1), 0), *bout(2, (0, 2), 1), *bout(3, (1, 1), None))
    at = holding("C", "FG", *before, priority=1, max_bouts=4)
    duel(at, "C:A", "F:I")
    assert at.outcome is not None and (at.outcome.winners, at.state.total) == ((1,), (3, 4))


def test_r20_a_fallen_flag_loses_the_match() -> None:
    at = table()
    play(at, "0 bend A>B C>D")
    with pytest.raises(Illegal, match="no_prompt"):
        at.flag(0)
    at.flag(1)
    assert at.events(0)[-1] == {"type": "flag_fallen", "seat": 1, "clock": "turn"}
    assert at.outcome == Outcome((0,), ((0,), (1,)), "flag", {0: 0, 1: 0})


def test_r20_a_resignation_loses_the_match() -> None:
    at = holding("C", "FG", *bout(1, (1, 3), 1))
    play(at, "1 resign")
    assert at.outcome == Outcome((0,), ((0,), (1,)), "resigned", {0: 0, 1: 1})


@pytest.mark.parametrize(
    "options",
    [
        {"rules": ["A>A"]},
        {"rules": ["A>Z"]},
        {"rules": ["A>B", "A>B"]},
        {"items": ["wand"]},
        {"items": ["bonus", "bonus"]},
        {"tie_trash_phase": 0},
        {"tie_trash_phase_first": 201},
        {"max_bouts": 0},
        {"hands": [[]]},
        {"hands": [["A"], ["B"], ["C"]]},
        {"hands": [["J"]]},
        {"hands": [["a"]]},
        {"hands": [["A"] * 19]},
        {"hands": ["ABC", 1]},
        {"bouts": 3},
    ],
)
def test_options_that_cannot_be_played_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(Illegal, match="bad_options"):
        Table(GAME, options)


def test_the_bound_follows_from_the_tie_limits() -> None:
    rounds, imaginations = 33 + 4 * 21, 9 + 4 * 5
    assert GAME.bound(GAME.Options(), 2) == 4 * rounds + 4 * imaginations


def test_ruling_18_one_list_of_hands_is_for_both_seats() -> None:
    assert table(hands=[["C", "A", "A"]]).state.hands == (("A", "A", "C"), ("A", "A", "C"))


def test_ruling_18_two_lists_of_hands_are_by_seat_and_each_bout_begins_with_them() -> None:
    at = table(LAST_TRICK, hands=[["C"], ["F", "G"]])
    assert at.state.hands == (("C",), ("F", "G"))
    refused(at, "0 cast F:C", "not_now")
    bends(at, "H>I I>H")
    refused(at, "0 cast F:C", "not_in_hand")
    events = play(at, "0 cast C:A", "1 cast F:I")
    assert only(events, "bout_finished") == {"type": "bout_finished", "bout": 1, "points": [1, 0], "winner": 0}
    assert at.state.hands == (("C",), ("F", "G")), "bout 2 begins with the same hands"


def test_ruling_18_copies_of_one_letter_are_cast_once_a_bout() -> None:
    at = table(hands=[["G", "G", "G"], ["A", "C"]])
    events = duel(at, "G", "C:A")
    assert only(events, "duel_resolved")["returned"] == [["G"], ["C"]]
    assert "bout_finished" in kinds(events), "seat 0 holds nothing but the letter it has just cast"


def test_ruling_18_without_hands_each_seat_has_one_of_each_spell() -> None:
    assert table().state.hands == (SPELLS, SPELLS)


@pytest.mark.parametrize(
    ("hands", "rounds", "imaginations"),
    [
        ([["A", "B"]], 7 + 2, 0),
        ([["A"], ["I", "I", "C"]], 7 + 3 + 4 + 2, 4 + 2),
    ],
)
def test_ruling_18_the_bound_follows_from_the_hands(hands: list[list[str]], rounds: int, imaginations: int) -> None:
    """Ties return in 7 rounds; in every other of them, 4, Imagination can come back."""
    options = GAME.read_options({"hands": hands, "max_bouts": 1, "tie_trash_phase_first": 16})
    assert GAME.bound(options, 2) == 4 * rounds + 4 * imaginations
