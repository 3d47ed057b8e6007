"""Duels: who wins, what it brings, and where the spells go."""

import pytest

from games.reality_benders.events import BoutFinished, BoutStarted
from tests.games.reality_benders.scripted import duel, holding, result, table


def test_r13_the_shorter_way_wins() -> None:
    won = result(duel(table("C>F"), "C:A", "F:I"))
    assert (won["distances"], won["winner"], won["points"]) == ([1, None], 0, [1, 0])


def test_r13_the_way_may_lead_over_other_spells() -> None:
    won = result(duel(table("C>A A>F F>C"), "C:A", "F:I"))
    assert (won["distances"], won["winner"], won["points"]) == ([2, 1], 1, [0, 1])


@pytest.mark.parametrize(("rules", "distances"), [("", [None, None]), ("C>F F>C", [1, 1]), ("C>A A>F F>B B>C", [2, 2])])
def test_r13_equal_distances_are_a_tie(rules: str, distances: list[int | None]) -> None:
    tied = result(duel(table(rules), "C:A", "F:I"))
    assert (tied["distances"], tied["winner"], tied["points"]) == (distances, None, [0, 0])


def test_r13_equal_spells_are_a_tie() -> None:
    tied = result(duel(table("C>A A>C"), "C:A", "C:B"))
    assert (tied["distances"], tied["winner"]) == ([0, 0], None)


def test_r13_the_duel_is_judged_after_the_abilities() -> None:
    assert result(duel(table("E>C"), "E:C", "C:A"))["winner"] is None


def test_r14_foresight_wins_against_the_spell_it_names() -> None:
    outcome = result(duel(table("G>F"), "F:G", "G"))
    assert (outcome["distances"], outcome["winner"], outcome["points"]) == ([None, 1], 0, [2, 0])
    assert outcome["trashed"] == [["F"], ["G"]]


def test_r14_foresight_of_another_spell_does_nothing() -> None:
    assert result(duel(table("G>F"), "F:H", "G"))["winner"] == 1


def test_r14_two_that_foresee_each_other_tie() -> None:
    assert result(duel(table(), "F:F", "F:F"))["winner"] is None


def test_r14_the_one_that_foresees_wins_against_another_foresight() -> None:
    assert result(duel(table(), "F:A", "F:F"))["winner"] == 1


def test_r15_armageddon_gains_a_point_from_a_tie() -> None:
    tied = result(duel(table(), "A", "C:A"))
    assert (tied["winner"], tied["points"], tied["trashed"]) == (None, [1, 0], [["A"], ["C"]])


def test_r15_two_armageddons_gain_a_point_each() -> None:
    assert result(duel(table(), "A", "A"))["points"] == [1, 1]


def test_r15_armageddon_gains_one_point_by_winning() -> None:
    assert result(duel(table("A>C"), "A", "C:A"))["points"] == [1, 0]


def test_r15_armageddon_gains_nothing_when_foreseen() -> None:
    assert result(duel(table(), "A", "F:A"))["points"] == [0, 1]


def test_ruling_2_greed_doubles_the_opponents_points() -> None:
    assert result(duel(table("C>G"), "G", "C:A"))["points"] == [0, 2]
    assert result(duel(table(), "G", "A"))["points"] == [0, 2]


def test_ruling_2_greed_leaves_the_bonus_point_single() -> None:
    assert result(duel(table("G>C"), "G bonus", "C:A"))["points"] == [3, 0]


def test_r15_a_bonus_that_does_not_win_brings_nothing() -> None:
    assert result(duel(table("G>C"), "G", "C:A bonus"))["points"] == [2, 0]
    assert result(duel(table(), "A bonus", "C:A"))["points"] == [1, 0]


def test_r15_combo_brings_a_point_more_when_its_spell_wins() -> None:
    at = table("F>E")
    duel(at, "C:F", "G")
    assert result(duel(at, "F:A", "E:I", quiet="G>I A>I"))["points"] == [2, 0]


def test_r15_combo_brings_a_point_when_its_spell_ties() -> None:
    at = table()
    duel(at, "C:F", "G")
    assert result(duel(at, "F:A", "E:I", quiet="G>I A>I"))["points"] == [1, 0]


def test_ruling_12_combo_brings_nothing_when_its_spell_is_foreseen() -> None:
    at = table("E>F")
    duel(at, "C:E", "G")
    assert result(duel(at, "E:I", "F:E", quiet="G>I A>I"))["points"] == [0, 1]


def test_r15_combo_counts_for_its_own_caster_only() -> None:
    at = table()
    duel(at, "C:F", "G")
    assert result(duel(at, "E:I", "F:A", quiet="G>I A>I"))["points"] == [0, 0]


def test_r15_combo_lasts_one_round() -> None:
    at = table()
    duel(at, "C:F", "G")
    duel(at, "E:I", "D:I", quiet="G>I A>I")
    assert result(duel(at, "F:A", "G", quiet="B>I C>I"))["points"] == [0, 0]


def test_r15_greed_by_both_doubles_once() -> None:
    at = table()
    duel(at, "C:G", "F:I")
    assert result(duel(at, "G", "G", quiet="G>I A>I"))["points"] == [2, 0]


def test_ruling_6_a_combo_ends_with_its_bout() -> None:
    at = holding("C", "AF", rules="A>C")
    duel(at, "C:G", "A")
    assert at.state.bout == 2
    assert result(duel(at, "G", "C:A", quiet="G>I A>I"))["points"] == [0, 0]


def test_r16_a_won_duel_trashes_both_spells() -> None:
    won = result(duel(table("C>F"), "C:A", "F:I"))
    assert (won["trashed"], won["returned"]) == ([["C"], ["F"]], [[], []])


def test_r16_a_tie_returns_both_spells() -> None:
    tied = result(duel(table(), "C:A", "F:I"))
    assert (tied["trashed"], tied["returned"]) == ([[], []], [["C"], ["F"]])


def test_r16_a_tie_of_equal_spells_trashes_both() -> None:
    assert result(duel(table(), "C:A", "C:B"))["trashed"] == [["C"], ["C"]]


def test_r16_late_in_bout_1_every_tie_trashes() -> None:
    at = table(tie_trash_phase_first=4, tie_trash_phase=200)
    assert result(duel(at, "C:A", "F:I"))["trashed"] == [[], []]
    assert result(duel(at, "F:A", "C:I", quiet="G>I A>I"))["trashed"] == [["F"], ["C"]]


def test_r16_later_bouts_have_a_limit_of_their_own() -> None:
    second = (BoutFinished(1, (1, 0), 0), BoutStarted(2))
    late = holding("CF", "CF", *second, tie_trash_phase_first=200, tie_trash_phase=4)
    assert result(duel(late, "C:A", "F:I"))["trashed"] == [["C"], ["F"]]
    early = holding("CF", "CF", *second, tie_trash_phase_first=1, tie_trash_phase=5)
    assert result(duel(early, "C:A", "F:I"))["trashed"] == [[], []]


def test_ruling_4_the_limit_counts_phases() -> None:
    at = table(tie_trash_phase_first=3)
    assert result(duel(at, "C:A", "F:I"))["trashed"] == [[], []]
    assert result(duel(at, "F:A", "C:I", quiet="G>I A>I"))["trashed"] == [["F"], ["C"]]
