"""Consequences of a match's end: approval, elimination, garnets, corrections, the final, a champion."""

import pytest

from matches.seasons.domain import episodes, garnets, results, roster, scheduling
from matches.seasons.domain.events import (
    DeathMatchFinished,
    EpisodeClosed,
    FinalMatchFinished,
    GarnetsMoved,
    MatchAnnulled,
    PlayerEliminated,
    PlayerReinstated,
    ResultApproved,
    ResultCorrected,
    SeasonFinished,
)
from tests.seasons.staged import Paper, match_settings

LOSES, WINS = 1, 0


def scheduled(*players: str, **options: object) -> Paper:
    """Ben (seat 0) is to meet cat (seat 1) in the death match m1."""
    paper = Paper(*(players or ("ann", "ben", "cat")), **options)
    safe = next((player for player in players if player not in ("ann", "ben", "cat")), None)
    return paper.main_match("ann", "ben", giving_to=safe).death_match("cat", "m1")


def test_result_takes_effect_once_an_organiser_approves_it() -> None:
    paper = scheduled()
    assert paper.ends("m1", 1) == [DeathMatchFinished("m1", "cat", "ben")]
    assert paper.season.players["ben"].living
    assert paper.refusal(results.approve, "m1", by="hal") == "forbidden"
    assert paper.act(results.approve, "m1") == [
        ResultApproved("m1", "ona"),
        GarnetsMoved("ben", None, 1, "confiscation", "Elimination.", "m1"),
        GarnetsMoved(None, "cat", 2, "reward", "A death match won.", "m1"),
        PlayerEliminated("ben", 1, "m1"),
        EpisodeClosed(1, "The death match is decided."),
    ]
    assert paper.refusal(results.approve, "m1") == "already_approved"


def test_result_without_approval_takes_effect_at_once() -> None:
    events = scheduled(approval=False).ends("m1", 1)
    assert events[:2] == [DeathMatchFinished("m1", "cat", "ben"), ResultApproved("m1", None)]
    assert PlayerEliminated("ben", 1, "m1") in events


def test_losers_garnets_go_to_the_winner_by_the_option() -> None:
    paper = scheduled(loser_garnets="winner", reward=0)
    paper.ends("m1", 0)
    assert paper.act(results.approve, "m1")[1] == GarnetsMoved("cat", "ben", 1, "confiscation", "Elimination.", "m1")
    assert paper.season.players["ben"].garnets == 2


@pytest.mark.parametrize(
    ("priority", "more", "seat"),
    [("dmo", None, 1), ("ec", None, 0), ("garnets", "ben", 0), ("garnets", "cat", 1), ("garnets", None, 1)],
)
def test_the_priority_seat_is_whose_the_option_says(priority: str, more: str | None, seat: int) -> None:
    paper = Paper("ann", "ben", "cat", priority=priority).main_match("ann", "ben")
    if more:
        paper.act(garnets.move_garnets, None, more, 5, "A present.")
    paper.death_match("cat", "m1")
    assert paper.season.matches["m1"].priority == seat


def test_a_match_without_a_single_winner_is_played_again() -> None:
    paper = scheduled()
    events = paper.happen(results.report(paper.season, "m1", (0, 1), ((0, 1),)))
    assert events == [MatchAnnulled("m1", "It ended without a single winner.")]
    paper.act(scheduling.schedule_death_match, match_settings("m2"))


def test_a_void_match_is_played_again() -> None:
    paper = scheduled()
    paper.happen(results.report_void(paper.season, "m1"))
    paper.act(scheduling.schedule_death_match, match_settings("m2"))
    assert paper.refusal(results.approve, "m1") == "not_finished"


def test_unexpected_end_of_a_match_is_ignored() -> None:
    paper = scheduled()
    paper.ends("m1", 1)
    assert paper.ends("m1", 0) == []
    assert paper.ends("elsewhere", 0) == []
    assert list(results.report_void(paper.season, "m1")) == []


def test_host_annuls_an_open_match_but_not_a_counted_one() -> None:
    paper = scheduled()
    paper.ends("m1", 1)
    assert paper.refusal(results.annul, "m1", "A slip.", by="ben") == "forbidden"
    paper.act(results.annul, "m1", "A slip.", by="hal")
    paper.act(scheduling.schedule_death_match, match_settings("m2"))
    paper.ends("m2", 1)
    paper.act(results.approve, "m2")
    assert paper.refusal(results.annul, "m2", "Again.", by="hal") == "already_approved"


def test_organiser_annuls_a_counted_death_match_and_its_episode_continues() -> None:
    paper = scheduled()
    before = paper.season.players
    paper.ends("m1", 1)
    paper.act(results.approve, "m1")
    paper.act(results.annul, "m1", "The wrong rules were played.")
    assert paper.season.players == before
    assert paper.refusal(results.annul, "m1", "Again.") == "already_approved"
    paper.act(scheduling.schedule_death_match, match_settings("m2"))


def test_a_disputed_result_is_corrected_before_its_approval() -> None:
    paper = scheduled()
    assert paper.refusal(results.correct, "m1", "ben", "I saw it.") == "not_finished"
    paper.ends("m1", 1)
    assert paper.refusal(results.correct, "m1", "cat", "So it was.") == "bad_result"
    assert paper.refusal(results.correct, "m1", "ann", "She was better.") == "bad_result"
    assert paper.refusal(results.correct, "m1", "ben", "I say so.", by="ben") == "forbidden"
    assert paper.act(results.correct, "m1", "ben", "A card was misread.") == [
        ResultCorrected("m1", "ben", "cat", "A card was misread.")
    ]
    paper.act(results.approve, "m1")
    assert not paper.season.players["cat"].living


def test_correction_after_the_approval_reverses_its_effects_by_further_events() -> None:
    paper = scheduled()
    paper.ends("m1", 1)
    paper.act(results.approve, "m1")
    assert paper.act(results.correct, "m1", "ben", "A card was misread.") == [
        PlayerReinstated("ben", "A card was misread."),
        GarnetsMoved("cat", None, 2, "reversal", "A card was misread.", "m1"),
        GarnetsMoved(None, "ben", 1, "reversal", "A card was misread.", "m1"),
        ResultCorrected("m1", "ben", "cat", "A card was misread."),
        GarnetsMoved("cat", None, 1, "confiscation", "Elimination.", "m1"),
        GarnetsMoved(None, "ben", 2, "reward", "A death match won.", "m1"),
        PlayerEliminated("cat", 1, "m1"),
    ]
    ben, cat = paper.season.players["ben"], paper.season.players["cat"]
    assert (ben.living, ben.garnets, ben.duels_won, ben.duels_lost, ben.place) == (True, 3, 1, 0, None)
    assert (cat.living, cat.garnets, cat.duels_won, cat.duels_lost, cat.place) == (False, 0, 0, 1, 3)


def test_garnets_given_away_meanwhile_are_not_taken_back() -> None:
    paper = scheduled()
    paper.ends("m1", 1)
    paper.act(results.approve, "m1")
    paper.act(garnets.move_garnets, "cat", "ann", 3, "A debt.", by="cat")
    events = paper.act(results.correct, "m1", "ben", "A card was misread.")
    assert events[1] == GarnetsMoved(None, "ben", 1, "reversal", "A card was misread.", "m1")
    assert paper.season.players["cat"].garnets == 0
    assert paper.season.players["ben"].garnets == 3
    paper.act(results.correct, "m1", "cat", "It was read well.")
    assert [paper.season.players[it].garnets for it in ("ben", "cat")] == [0, 2]
    assert not any(isinstance(event, GarnetsMoved) and event.amount == 0 for event in paper.log)


def test_after_a_correction_no_two_players_have_the_same_place() -> None:
    paper = scheduled("ann", "ben", "cat", "dan", "eve")
    paper.ends("m1", 1)
    paper.act(results.approve, "m1")
    paper.act(roster.withdraw, "eve", "Ill.", by="eve")
    paper.act(results.correct, "m1", "ben", "A card was misread.")
    assert {it.id: it.place for it in paper.season.players.values() if it.place} == {"cat": 5, "eve": 4}


def test_result_corrected_in_a_later_episode_removes_the_false_winner_from_it() -> None:
    paper = scheduled("ann", "ben", "cat", "dan", "eve")
    paper.ends("m1", 1)
    paper.act(results.approve, "m1")
    paper.main_match("ann", "cat", giving_to="dan").death_match("eve", "m2")
    events = paper.act(results.correct, "m1", "ben", "A card was misread.")
    assert events[0] == MatchAnnulled("m2", "A card was misread.")
    episode = paper.season.episode
    assert episode is not None and (episode.candidate, episode.opponent) == (None, None)
    cat = paper.season.players["cat"]
    assert (cat.living, cat.left, cat.place) == (False, 1, 5) and paper.season.players["ben"].living


def finalists(**options: object) -> Paper:
    paper = scheduled(**options)
    paper.ends("m1", 1)
    paper.act(results.approve, "m1")
    return paper


def test_annulled_result_cannot_be_corrected() -> None:
    paper = Paper("ann", "ben", "cat").main_match("ann", "ben").death_match("cat", "m1")
    paper.ends("m1", 0)
    paper.act(results.annul, "m1", "A power cut.")
    assert paper.refusal(results.correct, "m1", "cat", "A miscount.") == "not_finished"


def test_result_cannot_be_corrected_once_the_final_is_open_or_its_winner_has_left() -> None:
    def approved(*players: str) -> Paper:
        paper = Paper(*players).main_match("ann", "ben")
        if paper.season.episodes[-1].giving:
            paper.act(episodes.give_token, "dan", by="ann")
        paper.death_match("cat", "m1").ends("m1", 0)
        paper.act(results.approve, "m1")
        return paper

    final, left = approved("ann", "ben", "cat"), approved("ann", "ben", "cat", "dan")
    final.act(scheduling.open_final)
    left.act(roster.withdraw, "ben", "Ill.")
    assert final.refusal(results.correct, "m1", "cat", "A miscount.") == "too_late"
    assert left.refusal(results.correct, "m1", "cat", "A miscount.") == "not_living"


def test_final_is_for_the_last_two_after_the_last_episode() -> None:
    paper = Paper("ann", "ben", "cat")
    assert paper.refusal(scheduling.open_final) == "not_two_left"
    paper = finalists()
    assert paper.refusal(episodes.open_episode, "Second") == "final_due"
    assert paper.refusal(scheduling.schedule_final_match, match_settings("f1")) == "no_final"
    paper.act(scheduling.open_final)
    assert paper.refusal(scheduling.open_final) == "final_open"
    assert paper.refusal(episodes.open_episode, "Second") == "final_open"


def test_final_with_three_players_or_without_an_episode_is_refused() -> None:
    three, two = Paper("ann", "ben", "cat"), Paper("ann", "ben")
    three.act(episodes.open_episode, "First")
    three.act(episodes.close_episode, "A storm.")
    assert (three.refusal(scheduling.open_final), two.refusal(scheduling.open_final)) == ("not_two_left",) * 2


def test_first_enrolled_finalist_has_the_priority_at_equal_garnets() -> None:
    paper = Paper("ann", "ben", "cat")
    paper.act(episodes.open_episode, "First")
    paper.act(episodes.close_episode, "A storm.")
    paper.act(roster.withdraw, "cat", "Ill.")
    paper.act(scheduling.open_final)
    paper.act(scheduling.schedule_final_match, match_settings("f1"))
    assert paper.season.matches["f1"].priority == 0


def test_each_final_match_has_another_game_and_the_loser_the_next_priority() -> None:
    paper = finalists()
    paper.act(scheduling.open_final)
    paper.act(scheduling.schedule_final_match, match_settings("f1", "pentagram"))
    assert paper.season.final is not None and paper.season.final.players == ("ann", "cat")
    assert paper.season.matches["f1"].priority == 1, "Cat is the richer one."
    assert paper.refusal(scheduling.schedule_final_match, match_settings("f2")) == "match_open"
    assert paper.ends("f1", 1) == [FinalMatchFinished("f1", "cat", "ann")]
    paper.act(results.approve, "f1")
    assert paper.refusal(scheduling.schedule_final_match, match_settings("f2", "pentagram")) == "game_played"
    paper.act(scheduling.schedule_final_match, match_settings("f2"))
    assert paper.season.matches["f2"].priority == 0, "Ann has lost."
    paper.ends("f2", 0)
    paper.act(results.approve, "f2")
    paper.act(scheduling.schedule_final_match, match_settings("f3", "reality_benders"))
    assert paper.season.matches["f3"].priority == 1, "Cat has lost."


def test_more_than_half_of_the_final_makes_the_champion_and_the_season_is_over() -> None:
    paper = finalists().final_of("pentagram", "pyramid_poker")
    assert paper.log[-2:] == [PlayerEliminated("cat", 0, "final 2"), SeasonFinished("ann")]
    assert [paper.season.players[it].place for it in ("ann", "cat", "ben")] == [1, 2, 3]
    assert paper.refusal(episodes.open_episode, "More") == "season_over"
    assert paper.refusal(garnets.move_garnets, "ann", "ben", 1, "Thanks.", by="ann") == "season_over"


@pytest.mark.parametrize("leaver", ["ann", "cat"])
def test_substitute_inherits_wins_and_priority_in_the_final(leaver: str) -> None:
    paper = finalists()
    paper.act(scheduling.open_final)
    paper.act(scheduling.schedule_final_match, match_settings("f1", "pentagram"))
    paper.ends("f1", 0)
    paper.act(results.approve, "f1")
    paper.act(roster.substitute, leaver, "eve", "A journey.")
    assert paper.season.final_wins == (1, 0)
    paper.act(scheduling.schedule_final_match, match_settings("f2"))
    assert paper.season.matches["f2"].priority == 1, "Seat 1 has lost, whoever holds it now."
    paper.ends("f2", 0)
    paper.act(results.approve, "f2")
    assert paper.season.champion == ("eve" if leaver == "ann" else "ann")


def test_the_final_may_be_a_single_match() -> None:
    paper = finalists(best_of=1).final_of("pentagram")
    assert paper.season.champion == "ann"


def test_an_annulled_final_match_leaves_its_game_to_be_played() -> None:
    paper = finalists()
    paper.act(scheduling.open_final)
    paper.act(scheduling.schedule_final_match, match_settings("f1"))
    paper.act(results.annul, "f1", "A power cut.")
    paper.act(scheduling.schedule_final_match, match_settings("f2"))
    assert [it.id for it in paper.season.of_episode(0, "final") if it.open] == ["f2"]
