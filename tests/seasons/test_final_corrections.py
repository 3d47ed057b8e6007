"""A match of the final that counted is put right: as if it had never been wrong, the season's end included."""

from random import Random
from typing import Any

import pytest

from matches.seasons.domain import corrections, results, roster, scheduling
from matches.seasons.domain.events import (
    GarnetsMoved,
    MatchAnnulled,
    PlayerEliminated,
    PlayerReinstated,
    ResultApproved,
    ResultCorrected,
    SeasonFinished,
    SeasonReopened,
)
from matches.seasons.domain.options import POOL
from tests.seasons.staged import Paper, kinds, match_settings
from tests.seasons.test_corrections import snapshot

WHY = "A card was misread."


def finalists(**options: Any) -> Paper:
    """Ann (seat 0) and cat are in the final; ben is out."""
    paper = Paper("ann", "ben", "cat", **options).main_match("ann", "ben").death_match("cat", "m1")
    paper.ends("m1", 1)
    paper.act(results.approve, "m1")
    paper.act(scheduling.open_final)
    return paper


def played(paper: Paper, *winners: int) -> Paper:
    """The final's next matches, won by these seats and approved."""
    for winner in winners:
        number = len(paper.season.of_episode(0, "final")) + 1
        left = [it for it in POOL if it not in {played.game for played in paper.season.played_in_final}]
        paper.act(scheduling.schedule_final_match, match_settings(f"f{number}", left[0]))
        paper.ends(f"f{number}", winner)
        paper.act(results.approve, f"f{number}")
    return paper


def test_corrected_deciding_match_makes_the_other_finalist_champion() -> None:
    paper = played(finalists(), 0, 1, 0)
    assert paper.act(results.correct, "f3", "cat", WHY) == [
        SeasonReopened(WHY),
        PlayerReinstated("cat", WHY),
        ResultCorrected("f3", "cat", "ann", WHY),
        PlayerEliminated("ann", 0, "f3"),
        SeasonFinished("cat"),
    ]
    ann, cat = (paper.season.players[it] for it in ("ann", "cat"))
    assert [(it.place, it.status, it.duels_won, it.duels_lost) for it in (ann, cat)] == [
        (2, "eliminated", 1, 2), (1, "living", 3, 1),
    ]  # fmt: skip


def test_final_continues_if_a_correction_leaves_no_champion() -> None:
    paper = played(finalists(), 0, 0)
    events = paper.act(results.correct, "f2", "cat", WHY)
    assert kinds(events) == ["SeasonReopened", "PlayerReinstated", "ResultCorrected"]
    assert (paper.season.status, paper.season.champion, paper.season.living) == ("final", None, ["ann", "cat"])
    assert played(paper, 1).season.champion == "cat"


def test_matches_after_the_corrected_decision_of_the_final_are_annulled() -> None:
    paper = played(finalists(), 0, 1, 1)
    events = paper.act(results.correct, "f2", "ann", WHY)
    assert MatchAnnulled("f3", "The final was decided before.") in events
    assert (paper.season.champion, paper.season.final_wins) == ("ann", (2, 0))
    assert paper.season.players["cat"].duels_won == 1, "The death match that brought cat here."


def test_scheduled_match_is_annulled_if_a_correction_decides_the_final() -> None:
    paper = played(finalists(), 0, 1)
    paper.act(scheduling.schedule_final_match, match_settings("f3", "reality_benders"))
    paper.act(results.correct, "f2", "ann", WHY)
    assert paper.season.matches["f3"].status == "annulled" and paper.season.champion == "ann"


def test_champion_stays_while_the_remaining_matches_say_so() -> None:
    paper = played(finalists(), 0, 1, 0)
    assert paper.act(results.annul, "f2", WHY) == [MatchAnnulled("f2", WHY)]
    assert paper.season.champion == "ann" and paper.season.players["cat"].duels_won == 1
    events = paper.act(results.annul, "f1", WHY)
    assert kinds(events) == ["SeasonReopened", "PlayerReinstated", "MatchAnnulled"]


def test_only_an_organiser_corrects_a_counted_match_of_the_final() -> None:
    paper = played(finalists(), 0, 0)
    assert paper.refusal(results.annul, "f1", WHY, by="hal") == "season_over"
    assert paper.refusal(results.correct, "f1", "cat", WHY, by="hal") == "forbidden"
    assert paper.refusal(results.correct, "f1", "ann", WHY) == "bad_result"
    assert paper.refusal(results.correct, "m1", "ben", WHY) == "season_over"


def test_player_who_withdrew_from_the_final_cannot_become_champion() -> None:
    paper = played(finalists(best_of=3), 0, 1)
    paper.act(roster.withdraw, "ann", "Ill.")
    assert paper.season.champion == "cat"
    assert paper.refusal(results.correct, "f2", "ann", WHY) == "too_late"
    assert kinds(paper.act(results.correct, "f1", "cat", WHY)) == ["ResultCorrected"]
    assert paper.season.champion == "cat"


def test_substitute_in_the_final_inherits_the_matches_of_the_former_player() -> None:
    paper = played(finalists(), 0)
    paper.act(roster.substitute, "ann", "eve", "A journey.")
    played(paper, 1, 1)
    paper.act(results.correct, "f3", "eve", WHY)
    assert paper.season.champion == "eve" and paper.season.players["cat"].place == 2
    paper.act(results.correct, "f1", "cat", WHY)
    assert paper.season.champion == "cat" and paper.season.players["ann"].duels_won == 0


def test_rewards_are_corrected_after_the_season_and_nobody_returns() -> None:
    paper = played(finalists(), 0, 0)
    held = paper.season.players["cat"].garnets
    events = paper.act(corrections.correct_main_match, 1, WHY, None, None, {"cat": 2})
    assert GarnetsMoved(None, "cat", 2, "reversal", WHY) in events
    assert paper.season.players["cat"].garnets == held + 2, "Who loses the final keeps what is theirs."
    paper.act(corrections.correct_main_match, 1, WHY, None, None, {})
    assert paper.season.players["cat"].garnets == held
    assert paper.refusal(corrections.correct_main_match, 1, WHY, ["ben"], ["cat"]) == "too_late"


def through(winners: list[int], best_of: int, leaver: int, fault: int = -1, seen_after: int = -1) -> Paper:
    """A final of these results; the one numbered `fault` is told wrongly and put right once `seen_after` are in."""
    paper = finalists(best_of=best_of)
    for number, winner in enumerate(winners):
        if paper.season.champion is None and number == leaver:
            paper.act(roster.substitute, "ann", "eve", "Ill.")
        if paper.season.champion is None:
            played(paper, 1 - winner if number == fault else winner)
        if fault >= 0 and (number == seen_after or paper.season.champion) and number >= fault:
            wronged = paper.season.matches[f"f{fault + 1}"]
            paper.act(results.correct, wronged.id, wronged.players[winners[fault]], WHY)
            fault = -1
    return paper


def test_a_correction_in_the_final_equals_never_having_erred() -> None:
    ends = {"undone": 0, "other": 0, "needless": 0, "under way": 0}
    for seed in range(150):
        rng = Random(seed)
        best_of = rng.choice([1, 3, 5])
        winners = [rng.randint(0, 1) for _ in range(best_of)]
        clean_length = next(
            n for n in range(1, best_of + 1) if 2 * max(winners[:n].count(it) for it in (0, 1)) > best_of
        )
        fault, leaver = rng.randrange(clean_length), rng.choice([-1, -1, 0])
        clean = through(winners, best_of, leaver)
        wrong = through(winners, best_of, leaver, fault, rng.randrange(fault, best_of))
        matches = {it: match for it, match in snapshot(wrong.season)["matches"].items() if match[1] != "annulled"}
        assert snapshot(wrong.season) | {"matches": matches} == snapshot(clean.season), seed
        assert (wrong.season.champion, wrong.season.final_wins) == (clean.season.champion, clean.season.final_wins)
        assert wrong.rebuilt(len(wrong.log)) == wrong.season
        reopened = sum(isinstance(it, SeasonReopened) for it in wrong.log)
        ends["undone"] += bool(reopened) and sum(isinstance(it, SeasonFinished) for it in wrong.log) == 2
        ends["other"] += len({it.champion for it in wrong.log if isinstance(it, SeasonFinished)}) == 2
        ends["needless"] += any(isinstance(it, MatchAnnulled) for it in wrong.log)
        ends["under way"] += not reopened
    assert min(ends.values()) >= 5, ends


@pytest.mark.parametrize("seat", [0, 1])
def test_a_final_of_one_match_has_the_other_winner(seat: int) -> None:
    paper = played(finalists(best_of=1), seat)
    other = ("cat", "ann")[seat]
    paper.act(results.correct, "f1", other, WHY)
    assert paper.season.champion == other
    assert sum(isinstance(it, ResultApproved) for it in paper.log) == 2
