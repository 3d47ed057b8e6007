"""The headline of a season, at every step from the enrolment to the champion."""

from matches.seasons.domain import episodes, results, roster, scheduling
from matches.seasons.reads.headline import headline
from tests.seasons.staged import HOST, Paper, match_settings

PLAYERS = ("ann", "ben", "cat", "dan", "eve")


def headline_of(paper: Paper) -> str:
    return headline(paper.season, str.title)


def test_headline_counts_the_players_before_the_first_episode() -> None:
    assert headline_of(Paper()) == "Enrolment, 0 players so far"
    assert headline_of(Paper("ann")) == "Enrolment, 1 player so far"


def test_headline_names_who_has_to_act_at_each_step() -> None:
    paper = Paper(*PLAYERS)
    paper.act(episodes.open_episode, "First")
    assert headline_of(paper) == "Episode 1: main match"
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["cat", "dan"])
    assert headline_of(paper) == "Episode 1: Ann gives a token of life away"
    paper.act(episodes.give_token, "ben", by="ann")
    assert headline_of(paper) == "Episode 1: the elimination candidate is to be named"
    paper.act(episodes.name_candidate, "cat", by="ann")
    assert headline_of(paper) == "Episode 1: Cat chooses an opponent"
    paper.act(episodes.name_opponent, "eve", by="cat")
    assert headline_of(paper) == "Episode 1: Cat against Eve, the death match is to be set"
    paper.act(scheduling.schedule_death_match, match_settings("m1", "pentagram"))
    assert headline_of(paper) == "Episode 1: Cat against Eve, Pentagram 2"
    paper.act(results.annul, "m1", "A power cut.", by=HOST.account)
    assert headline_of(paper) == "Episode 1: Cat against Eve, the death match is to be set"
    paper.act(scheduling.schedule_death_match, match_settings("m2"))
    paper.ends("m2", paper.season.matches["m2"].players.index("eve"))
    assert headline_of(paper) == "Episode 1: Eve has won the death match, to be approved"
    paper.act(results.approve, "m2")
    assert headline_of(paper) == "Episode 1: Cat is out, 4 players left"


def test_an_episode_without_an_elimination_is_over() -> None:
    paper = Paper(*PLAYERS)
    paper.act(episodes.open_episode, "First")
    paper.act(episodes.close_episode, "Nobody goes.")
    assert headline_of(paper) == "Episode 1 is over, 5 players left"


def test_headline_of_the_final_counts_wins_until_there_is_a_champion() -> None:
    paper = Paper("ann", "ben", "cat")
    paper.act(episodes.open_episode, "First")
    paper.act(episodes.close_episode, "Nobody goes.")
    paper.act(roster.withdraw, "cat", "A journey.", by="cat")
    paper.act(scheduling.open_final)
    assert headline_of(paper) == "Final, best of 3: Ann 0, Ben 0"
    paper.act(scheduling.schedule_final_match, match_settings("f1", "reality_benders"))
    assert headline_of(paper) == "Final, best of 3: Ann 0, Ben 0, Reality Benders"
    paper.ends("f1", 0)
    assert headline_of(paper) == "Final, best of 3: Ann 0, Ben 0"
    paper.act(results.approve, "f1")
    assert headline_of(paper) == "Final, best of 3: Ann 1, Ben 0"
    paper.act(roster.substitute, "ann", "dan", "A journey.")
    assert headline_of(paper) == "Final, best of 3: Dan 1, Ben 0"
    paper.act(scheduling.schedule_final_match, match_settings("f2"))
    paper.ends("f2", paper.season.matches["f2"].players.index("dan"))
    paper.act(results.approve, "f2")
    assert headline_of(paper) == "Dan has won"
