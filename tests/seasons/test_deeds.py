"""After a substitution each act of an episode still names who acted, beside who goes on with the part."""

from random import Random

from matches.seasons.domain import corrections, episodes, results, roster
from matches.seasons.domain.deeds import Deed
from matches.seasons.reads.headline import headline
from tests.seasons.staged import Paper
from tests.seasons.test_laws import TIMES, live

WHY = "Misread."


def deeds(paper: Paper, number: int = -1) -> dict[tuple[str, str], Deed]:
    return {(it.part, it.player): it for it in paper.season.episodes[number].deeds}


def test_substitute_has_the_part_and_the_deed_names_the_former_actor() -> None:
    paper = Paper("ann", "ben", "cat", "dan", "eve", bans_each=1)
    paper.main_match("ann", "ben", giving_to="cat")
    paper.act(roster.substitute, "ann", "ann2", "Ill.")
    assert deeds(paper) == {
        ("won", "ann2"): Deed("won", "ann2", "ann"),
        ("lost", "ben"): Deed("lost", "ben", "ben"),
        ("token", "ann2"): Deed("token", "ann2", "ann"),
        ("token", "cat"): Deed("token", "cat", "cat", "ann"),
        ("candidate", "ben"): Deed("candidate", "ben", "ben", None),
    }
    paper.act(episodes.name_opponent, "dan", by="ben")
    paper.act(episodes.ban, "pentagram", by="ben")
    for leaver in ("ben", "dan"):
        paper.act(roster.substitute, leaver, f"{leaver}2", "Ill.")
    deeds_done = deeds(paper)
    assert deeds_done["candidate", "ben2"] == Deed("candidate", "ben2", "ben")
    assert deeds_done["opponent", "dan2"] == Deed("opponent", "dan2", "dan", "ben")
    assert deeds_done["ban", "ben2"] == Deed("ban", "ben2", "ben", "ben", "pentagram")
    paper.act(roster.substitute, "ben2", "ben3", "Ill too.")
    assert deeds(paper)["candidate", "ben3"].acted == "ben"


def test_substitute_after_an_episode_has_no_part_in_it() -> None:
    paper = Paper("ann", "ben", "cat", "dan", "eve").main_match("ann", "ben", giving_to="cat").death_match("dan", "m1")
    paper.ends("m1", 1)
    paper.act(results.approve, "m1")
    before = paper.season.episodes[0].deeds
    paper.act(roster.substitute, "ann", "ann2", "Ill.")
    assert paper.season.episodes[0].deeds == before


def test_correction_names_the_current_players_and_removes_the_false_ones() -> None:
    paper = Paper("ann", "ben", "cat", "dan", "eve").main_match("ann", "ben", giving_to="cat")
    paper.act(roster.substitute, "ann", "ann2", "Ill.")
    paper.act(corrections.correct_main_match, 1, WHY, ["dan"], ["eve"])
    assert {(it.part, it.player, it.acted) for it in paper.season.episodes[0].deeds} == {
        ("won", "dan", "dan"), ("lost", "eve", "eve"), ("token", "dan", "dan"),
    }  # fmt: skip
    paper.act(corrections.correct_main_match, 1, WHY, ["ann2"], ["eve"])
    assert deeds(paper)["won", "ann2"].acted == "ann2", "Whoever put it right has named them."


def test_finished_match_names_the_players_who_sat_there() -> None:
    paper = Paper("ann", "ben", "cat", "dan", "eve").main_match("ann", "ben", giving_to="cat").death_match("dan", "m1")
    paper.ends("m1", 1)
    paper.act(roster.substitute, "dan", "dan2", "Ill.")
    match = paper.season.matches["m1"]
    assert (match.winner, match.who_played("dan2"), match.played_by) == ("dan2", "dan", ("ben", "dan"))
    assert headline(paper.season, str) == "Episode 1: dan has won the death match, to be approved"
    paper.act(results.reopen, "m1", 3, WHY)
    assert paper.season.matches["m1"].played_by == ()
    paper.ends("m1", 1)
    assert paper.season.matches["m1"].played_by == ("ben", "dan2")


def test_every_part_has_one_deed_by_a_holder_of_the_place_in_random_seasons() -> None:
    handed_over = 0
    for seed in range(18):
        rng, paper = Random(seed), Paper("ann", "ben", "cat", "dan", "eve", bans_each=1, **TIMES)
        for _ in range(100):
            live(paper, rng)
            if paper.season.living and not paper.season.champion and rng.random() < 0.1:
                paper.act(roster.substitute, rng.choice(paper.season.living), f"s{len(paper.log)}", "Ill.")
            for episode in paper.season.episodes:
                assert [(it.part, it.player, it.game) for it in episode.deeds] == episode.held
                for deed in episode.deeds:
                    handed_over += deed.acted != deed.player
                    assert deed.acted == deed.player or paper.season.has_succeeded(deed.player, deed.acted)
    assert handed_over > 100
