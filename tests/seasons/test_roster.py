"""The people of a season: its players and its staff."""

import pytest

from matches.seasons.domain import episodes, garnets, results, roster, scheduling
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.events import (
    DeathMatchFinished,
    EpisodeClosed,
    FinalMatchFinished,
    GarnetsMoved,
    MatchAnnulled,
    MatchForfeited,
    PlayerEliminated,
    PlayerEnrolled,
    PlayerSubstituted,
    PlayerWithdrew,
    ResultApproved,
    SeasonFinished,
    StaffAppointed,
)
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.reads.headline import headline
from tests.seasons.staged import Paper, match_settings
from tests.table_setting import refusal_of


def four(**options: object) -> Paper:
    return Paper("ann", "ben", "cat", "dan", **options)


def test_only_a_global_organiser_opens_a_season() -> None:
    assert refusal_of(lambda: roster.open_season(Caller("ann"), "Mine", SeasonOptions())) == "forbidden"


def test_enrolled_player_gets_the_starting_garnets() -> None:
    assert Paper(starting_garnets=3).act(roster.enrol, "ann") == [
        PlayerEnrolled("ann"),
        GarnetsMoved(None, "ann", 3, "start", "Enrolment."),
    ]


def test_enrolment_without_starting_garnets_moves_none() -> None:
    assert Paper(starting_garnets=0).act(roster.enrol, "ann") == [PlayerEnrolled("ann")]


def test_player_enrols_once_and_never_beside_a_staff_role() -> None:
    paper = four(most_players=4)
    assert paper.refusal(roster.enrol, "ann") == "already_enrolled"
    assert paper.refusal(roster.enrol, "hal") == "runs_the_season"
    assert paper.refusal(roster.appoint, "ann", "host") == "plays_here"
    assert paper.refusal(roster.enrol, "eve") == "season_full"
    assert paper.refusal(roster.enrol, "eve", by="ann") == "forbidden"


def test_global_organiser_enrols_others_but_not_themselves() -> None:
    paper, zoe = four(), Caller("zoe", "organiser")
    refused = [
        refusal_of(lambda: roster.enrol(paper.season, zoe, "zoe")),
        refusal_of(lambda: roster.substitute(paper.season, zoe, "ann", "zoe", "Ann is ill.")),
    ]
    assert refused == ["runs_the_season"] * 2
    assert roster.enrol(paper.season, zoe, "eve")


def test_enrolment_closes_with_the_first_episode() -> None:
    paper = four()
    paper.act(episodes.open_episode, "First")
    assert paper.refusal(roster.enrol, "eve") == "enrolment_closed"


def test_new_role_replaces_the_old_one_and_the_last_organiser_stays() -> None:
    paper = four()
    assert paper.act(roster.appoint, "hal", "auditor") == [StaffAppointed("hal", "auditor")]
    assert paper.season.staff == {"ona": "organiser", "hal": "auditor"}
    assert paper.refusal(roster.appoint, "hal", "auditor") == "has_role"
    assert paper.refusal(roster.appoint, "ona", "host") == "last_organiser"
    assert paper.refusal(roster.dismiss, "ona", "Enough.") == "last_organiser"
    assert paper.refusal(roster.dismiss, "ann", "Enough.") == "not_on_staff"
    assert paper.refusal(roster.rule, "A pass is a move.", by="hal") == "forbidden", "An auditor looks on."
    paper.act(roster.dismiss, "hal", "Enough.")
    assert paper.refusal(roster.rule, "A pass is a move.", by="hal") == "forbidden"


def test_withdrawn_player_loses_their_garnets() -> None:
    paper = four()
    assert paper.act(roster.withdraw, "ann", "Ill.", by="ann") == [
        PlayerWithdrew("ann", "Ill."),
        GarnetsMoved("ann", None, 1, "confiscation", "Withdrawal."),
    ]
    assert paper.refusal(roster.withdraw, "ann", "Ill.", by="ann") == "not_living"
    assert paper.refusal(roster.withdraw, "ben", "Rude.", by="cat") == "forbidden"
    assert paper.refusal(roster.withdraw, "eve", "Who?") == "not_enrolled"


def test_organiser_may_annul_the_death_match_of_a_leaver() -> None:
    paper = four().main_match("ann", "ben", giving_to="cat").death_match("dan", "m1")
    events = paper.act(roster.withdraw, "ben", "Ill.", "annul")
    assert events[0] == MatchAnnulled("m1", "A player withdrew.")
    episode = paper.season.episode
    assert episode is not None and (episode.candidate, episode.opponent) == (None, None)
    assert paper.refusal(episodes.name_candidate, "dan", by="ann") == "nobody_left", "Cat has a token of life."
    paper.act(episodes.close_episode, "Nobody goes.")


def test_the_withdrawal_of_an_ec_leaves_another_ec_to_be_named_among_two_or_more() -> None:
    paper = Paper("ann", "ben", "cat", "dan", "eve").main_match("ann", "ben", giving_to="cat").death_match("dan", "m1")
    assert paper.refusal(roster.withdraw, "ben", "Ill.", "annul", by="ben") == "forbidden"
    paper.act(roster.withdraw, "ben", "Ill.", "annul")
    paper.act(episodes.name_candidate, "dan", by="ann")
    paper.death_match("eve", "m2")


def test_token_is_not_given_away_if_only_two_players_lack_one() -> None:
    paper = four()
    paper.act(episodes.open_episode, "First")
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["dan"])
    paper.act(roster.withdraw, "dan", "Ill.", by="dan")
    assert paper.refusal(episodes.give_token, "ben", by="ann") == "no_token_to_give"
    paper.act(episodes.name_candidate, "ben", by="ann")
    paper.death_match("cat", "m1")


def test_candidate_without_an_opponent_has_the_episode_closed() -> None:
    paper = four().main_match("ann", "ben", giving_to="cat")
    paper.act(roster.withdraw, "dan", "Ill.", by="dan")
    assert headline(paper.season, str.title) == "Episode 1: nobody is left to choose; close the episode"
    assert paper.refusal(episodes.name_opponent, "ann", by="ben") == "nobody_left"
    paper.act(episodes.close_episode, "Nobody goes.")


def test_player_of_a_finished_match_may_withdraw_once_it_is_approved() -> None:
    paper = four().main_match("ann", "ben", giving_to="cat").death_match("dan", "m1")
    paper.ends("m1", 1)
    assert [paper.refusal(roster.withdraw, it, "Ill.", by=it) for it in ("ben", "dan")] == ["match_open"] * 2
    paper.act(roster.withdraw, "cat", "Ill.", by="cat")
    paper.act(results.approve, "m1")
    dan = paper.season.players["dan"]
    assert (paper.season.players["ben"].status, dan.duels_won, dan.garnets) == ("eliminated", 1, 3)
    paper.act(roster.withdraw, "dan", "Ill.", by="dan")


def test_the_withdrawal_of_a_dmo_leaves_the_ec_to_choose_again() -> None:
    paper = Paper("ann", "ben", "cat", "dan", "eve").main_match("ann", "ben", giving_to="cat").death_match("dan", "m1")
    paper.act(roster.withdraw, "dan", "Ill.", "annul")
    episode = paper.season.episode
    assert episode is not None and (episode.candidate, episode.opponent) == ("ben", None)
    paper.death_match("eve", "m2")
    assert paper.season.matches["m2"].players == ("ben", "eve")


@pytest.mark.parametrize(("leaver", "other", "by"), [("ben", "dan", "ben"), ("dan", "ben", "ona")])
def test_withdrawal_during_a_death_match_loses_it_with_all_effects(leaver: str, other: str, by: str) -> None:
    paper = Paper("ann", "ben", "cat", "dan", "eve").main_match("ann", "ben", giving_to="cat").death_match("dan", "m1")
    assert paper.act(roster.withdraw, leaver, "Ill.", by=by) == [
        MatchForfeited("m1", leaver, "Ill."),
        DeathMatchFinished("m1", other, leaver),
        ResultApproved("m1", "ona" if by == "ona" else None),
        GarnetsMoved(leaver, None, 1, "confiscation", "Elimination.", "m1"),
        GarnetsMoved(None, other, 2, "reward", "A death match won.", "m1"),
        PlayerEliminated(leaver, 1, "m1"),
        EpisodeClosed(1, "The death match is decided."),
    ]
    assert paper.season.players[other].duels_won == 1
    paper.act(results.annul, "m1", "The line was down.")
    assert paper.season.players[leaver].living, "An organiser decides otherwise, with a reason."


def test_withdrawal_during_the_final_makes_the_other_one_champion() -> None:
    paper = Paper("ann", "ben", "cat").main_match("ann", "ben").death_match("cat", "m1")
    paper.ends("m1", 1)
    paper.act(results.approve, "m1")
    paper.act(scheduling.open_final)
    paper.act(scheduling.schedule_final_match, match_settings("f1"))
    events = paper.act(roster.withdraw, "cat", "A journey.", by="cat")
    assert events[:3] == [
        MatchForfeited("f1", "cat", "A journey."), FinalMatchFinished("f1", "ann", "cat"), ResultApproved("f1", None),
    ]  # fmt: skip
    assert paper.season.champion == "ann" and paper.season.players["cat"].place == 2


def test_the_last_player_left_is_the_champion_and_the_open_episode_ends() -> None:
    paper = Paper("ann", "ben", "cat")
    paper.act(episodes.open_episode, "First")
    paper.act(roster.withdraw, "ann", "Ill.")
    paper.act(scheduling.schedule_table, match_settings("t1"), ["ben", "cat"])
    assert paper.act(roster.withdraw, "ben", "Ill.")[-3:] == [
        MatchAnnulled("t1", "The episode is over."),
        EpisodeClosed(1, "One player is left."),
        SeasonFinished("cat"),
    ]
    assert paper.season.status == "finished"
    assert [paper.season.players[it].place for it in ("cat", "ben", "ann")] == [1, 2, 3]


def test_last_player_before_the_first_episode_is_no_champion() -> None:
    paper = Paper("ann", "ben")
    paper.act(roster.withdraw, "ann", "Ill.")
    assert paper.season.status == "enrolling"
    paper.act(roster.enrol, "cat")


def test_only_an_organiser_lets_a_substitute_in() -> None:
    paper = four()
    assert [paper.refusal(roster.substitute, "ann", "eve", "Ill.", by=it) for it in ("ann", "hal")] == ["forbidden"] * 2


def test_substitute_continues_in_the_leavers_place_with_a_separate_record() -> None:
    paper = four(reward=4).main_match("ann", "ben", giving_to="cat").death_match("dan", "m1")
    paper.act(garnets.move_garnets, None, "ben", 5, "A gift of the house.")
    assert paper.act(roster.substitute, "ben", "eve", "Ben is ill.") == [
        PlayerSubstituted("ben", "eve", "Ben is ill."),
        GarnetsMoved("ben", "eve", 6, "inheritance", "Substitution."),
    ]
    assert paper.season.matches["m1"].players == ("eve", "dan")
    paper.ends("m1", 0)
    paper.act(results.approve, "m1")
    eve, ben = paper.season.players["eve"], paper.season.players["ben"]
    assert (eve.garnets, eve.duels_won, eve.succeeds) == (10, 1, "ben")
    assert (ben.garnets, ben.duels_won, ben.status, ben.succeeded_by) == (0, 0, "substituted", "eve")
    assert paper.refusal(roster.substitute, "ben", "fay", "Again.") == "not_living"
    assert paper.refusal(roster.substitute, "ann", "ben", "Back.") == "already_enrolled"
    assert paper.refusal(roster.substitute, "ann", "hal", "A host.") == "runs_the_season"


def test_token_and_the_right_to_give_one_pass_to_the_substitute() -> None:
    paper = four()
    paper.act(episodes.open_episode, "First")
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["ben"])
    paper.act(roster.substitute, "ann", "eve", "Ann is ill.")
    paper.act(episodes.give_token, "cat", by="eve")
    episode = paper.season.episode
    assert episode is not None and episode.tokens == {"eve": 1, "cat": 1}


def test_a_finalist_may_be_substituted() -> None:
    paper = Paper("ann", "ben", "cat").main_match("ann", "ben").death_match("cat", "m1")
    paper.ends("m1", 1)
    paper.act(results.approve, "m1")
    paper.act(scheduling.open_final)
    paper.act(roster.substitute, "ann", "eve", "Ann is ill.")
    assert paper.season.final is not None and paper.season.final.players == ("eve", "cat")


def test_ruling_is_posted_by_officials_about_a_match_of_the_season() -> None:
    paper = four().main_match("ann", "ben", giving_to="cat").death_match("dan", "m1")
    paper.act(roster.rule, "A pass is a move.", "m1", by="hal")
    assert paper.refusal(roster.rule, "Never.", "m2", by="hal") == "not_in_season"
    assert paper.refusal(roster.rule, "Never.", by="ann") == "forbidden"
