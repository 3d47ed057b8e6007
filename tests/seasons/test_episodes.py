"""An episode's steps in their order; a step out of order, or about the wrong player, is refused by name."""

import pytest

from matches.seasons.domain import episodes, results, roster, scheduling
from matches.seasons.domain.events import (
    CandidateNamed,
    EpisodeClosed,
    EpisodeOpened,
    GarnetsMoved,
    MainMatchRecorded,
    MatchAnnulled,
    OpponentNamed,
    TokenGranted,
)
from tests.seasons.staged import Paper, kinds, match_settings

PLAYERS = ("ann", "ben", "cat", "dan", "eve")


def opened(**options: object) -> Paper:
    paper = Paper(*PLAYERS, **options)
    paper.act(episodes.open_episode, "First")
    return paper


def test_episodes_are_numbered_and_open_one_at_a_time() -> None:
    paper = Paper(*PLAYERS)
    assert paper.act(episodes.open_episode, "First") == [EpisodeOpened(1, "First")]
    assert paper.refusal(episodes.open_episode, "Second") == "episode_open"
    assert paper.act(episodes.close_episode, "Nobody goes.") == [EpisodeClosed(1, "Nobody goes.")]
    assert paper.act(episodes.open_episode, "Second") == [EpisodeOpened(2, "Second")]
    assert paper.refusal(episodes.open_episode, "Third", by="hal") == "forbidden"


def test_a_season_begins_with_three_players() -> None:
    assert Paper("ann", "ben").refusal(episodes.open_episode, "First") == "too_few_players"


def test_sole_winner_gets_two_tokens_and_gives_one_away() -> None:
    paper = opened()
    assert paper.act(episodes.record_main_match, "Dice", ["ann"], ["ben", "cat"], {"ann": 1}) == [
        MainMatchRecorded("Dice", (), ("ann",), ("ben", "cat")),
        TokenGranted("ann", None),
        TokenGranted("ann", None),
        GarnetsMoved(None, "ann", 1, "reward", "Main match: Dice."),
    ]
    assert paper.refusal(episodes.give_token, "dan", by="ben") == "forbidden"
    assert paper.refusal(episodes.give_token, "ann", by="ann") == "has_token"
    assert paper.act(episodes.give_token, "dan", by="ann") == [TokenGranted("dan", "ann")]
    assert paper.refusal(episodes.give_token, "eve", by="ann") == "no_token_to_give"


def test_several_winners_get_one_token_each() -> None:
    paper = opened()
    events = paper.act(episodes.record_main_match, "Dice", ["ann", "ben"], ["cat", "dan"])
    assert events[1:] == [TokenGranted("ann", None), TokenGranted("ben", None)]


def test_only_eligible_loser_becomes_the_candidate_at_once() -> None:
    paper = opened()
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["ben", "cat"])
    assert paper.act(episodes.give_token, "cat", by="ann")[-1] == CandidateNamed("ben", None)


def test_a_winner_names_the_ec_among_several_losers() -> None:
    paper = opened()
    assert paper.refusal(episodes.name_candidate, "ben") == "not_recorded"
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["ben", "cat"])
    assert paper.refusal(episodes.name_candidate, "ben", by="ann") == "token_not_given"
    paper.act(episodes.give_token, "dan", by="ann")
    assert paper.refusal(episodes.name_candidate, "ben", by="ben") == "forbidden"
    assert paper.refusal(episodes.name_candidate, "eve", by="ann") == "not_a_candidate"
    assert paper.refusal(episodes.name_candidate, "dan", by="ann") == "has_token"
    assert paper.act(episodes.name_candidate, "cat", by="ann") == [CandidateNamed("cat", "ann")]
    assert paper.refusal(episodes.name_candidate, "ben", by="ann") == "candidate_named"


def test_winner_who_has_withdrawn_may_not_name_the_candidate() -> None:
    paper = opened()
    paper.act(episodes.record_main_match, "Dice", ["ann", "ben"], ["cat", "dan"])
    paper.act(roster.withdraw, "ann", "Ill.", by="ann")
    assert paper.refusal(episodes.name_candidate, "cat", by="ann") == "forbidden"
    paper.act(episodes.name_candidate, "cat", by="ben")


def test_the_ec_chooses_a_dmo_without_a_token() -> None:
    paper = opened()
    assert paper.refusal(episodes.name_opponent, "cat") == "no_candidate"
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["ben"])
    paper.act(episodes.give_token, "dan", by="ann")
    assert paper.refusal(episodes.name_opponent, "cat", by="cat") == "forbidden"
    assert paper.refusal(episodes.name_opponent, "ben", by="ben") == "same_player"
    assert paper.refusal(episodes.name_opponent, "dan", by="ben") == "has_token"
    assert paper.refusal(episodes.name_opponent, "zoe", by="ben") == "not_enrolled"
    assert paper.act(episodes.name_opponent, "cat", by="ben") == [OpponentNamed("cat", "ben")]
    assert paper.refusal(episodes.name_opponent, "eve", by="ben") == "opponent_named"


@pytest.mark.parametrize(
    ("winners", "candidates", "code"),
    [
        ([], ["ben"], "bad_result"),
        (["ann"], [], "bad_result"),
        (["ann"], ["ann"], "bad_result"),
        (["ann", "cat", "dan", "eve"], ["ben"], "bad_result"),
        (["zoe"], ["ben"], "not_enrolled"),
        (None, None, "bad_result"),
    ],
)
def test_impossible_result_is_refused(winners: list[str], candidates: list[str], code: str) -> None:
    assert opened().refusal(episodes.record_main_match, "Dice", winners, candidates) == code


def test_the_dead_win_no_main_match_get_no_token_and_are_named_for_nothing() -> None:
    paper = Paper(*PLAYERS).main_match("ann", "ben", giving_to="cat").death_match("dan", "m1")
    paper.ends("m1", 0)
    paper.act(results.approve, "m1")
    paper.act(episodes.open_episode, "Second")
    assert paper.refusal(episodes.record_main_match, "Dice", ["dan"], ["ben"]) == "not_living"
    assert paper.refusal(episodes.record_main_match, "Dice", ["ann"], ["ben"], {"dan": 1}) == "not_living"
    assert paper.refusal(scheduling.schedule_table, match_settings("t1"), ["ann", "dan"]) == "not_living"
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["ben", "cat"])
    assert paper.refusal(episodes.give_token, "dan", by="ann") == "not_living"
    paper.act(episodes.give_token, "eve", by="ann")
    assert paper.refusal(episodes.name_candidate, "dan", by="ann") == "not_living"


def test_second_token_is_not_given_with_three_players_left() -> None:
    paper = Paper("ann", "ben", "cat")
    paper.act(episodes.open_episode, "First")
    events = paper.act(episodes.record_main_match, "Dice", ["ann"], ["ben"])
    assert kinds(events) == ["MainMatchRecorded", "TokenGranted", "CandidateNamed"]


def test_no_death_match_before_both_are_named() -> None:
    paper = opened()
    assert paper.refusal(scheduling.schedule_death_match, match_settings("m1")) == "no_candidate"
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["ben"])
    paper.act(episodes.give_token, "cat", by="ann")
    assert paper.refusal(scheduling.schedule_death_match, match_settings("m1")) == "no_opponent"
    paper.act(episodes.name_opponent, "dan", by="ben")
    assert paper.refusal(scheduling.schedule_death_match, match_settings("m1"), by="ben") == "forbidden"
    paper.act(scheduling.schedule_death_match, match_settings("m1"), by="hal")
    assert paper.refusal(scheduling.schedule_death_match, match_settings("m2")) == "match_open"
    assert paper.refusal(episodes.close_episode, "Enough.") == "match_open"


def test_candidate_and_opponent_ban_games_which_cannot_be_scheduled() -> None:
    paper = opened(bans_each=1)
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["ben"])
    paper.act(episodes.give_token, "cat", by="ann")
    assert paper.refusal(episodes.ban, "pentagram", by="ben") == "no_opponent"
    paper.act(episodes.name_opponent, "dan", by="ben")
    paper.act(episodes.ban, "pentagram", by="ben")
    assert paper.refusal(episodes.ban, "pyramid_poker", by="ben") == "no_bans_left"
    assert paper.refusal(episodes.ban, "pentagram", by="dan") == "game_banned"
    assert paper.refusal(episodes.ban, "chess", by="dan") == "game_not_in_pool"
    assert paper.refusal(episodes.ban, "pyramid_poker", by="ann") == "forbidden"
    assert paper.refusal(scheduling.schedule_death_match, match_settings("m1", "pentagram")) == "game_banned"
    assert "pentagram" not in scheduling.games_left(paper.season, paper.season.episode)
    paper.act(scheduling.schedule_death_match, match_settings("m1"))
    assert paper.refusal(episodes.ban, "pyramid_poker", by="dan") == "match_open"


def test_game_outside_the_pool_is_refused_for_a_death_match() -> None:
    paper = Paper(*PLAYERS, pool=("pyramid_poker",), best_of=1).main_match("ann", "ben", giving_to="cat")
    paper.act(episodes.name_opponent, "dan", by="ben")
    for game in ("pentagram", "contest"):
        assert paper.refusal(scheduling.schedule_death_match, match_settings("m1", game)) == "game_not_in_pool"


def test_game_with_invalid_options_is_refused() -> None:
    paper = Paper(*PLAYERS).main_match("ann", "ben", giving_to="cat")
    paper.act(episodes.name_opponent, "dan", by="ben")
    wanted = scheduling.MatchSettings(match="m1", game="pyramid_poker", options={"base": 1})
    assert paper.refusal(scheduling.schedule_death_match, wanted) == "bad_options"


def test_the_main_match_may_be_hosted_on_several_tables_whose_best_and_last_it_takes() -> None:
    paper = opened()
    paper.act(scheduling.schedule_table, match_settings("t1", "pentagram"), ["ann", "ben", "cat"])
    assert (
        paper.refusal(scheduling.schedule_table, match_settings("t2", "pentagram"), ["cat", "dan"]) == "already_seated"
    )
    paper.act(scheduling.schedule_table, match_settings("t2", "pentagram"), ["dan", "eve"], 1, by="hal")
    paper.happen(results.report(paper.season, "t1", (2,), ((2,), (0,), (1,))))
    assert paper.refusal(episodes.record_main_match, "Pentagram") == "tables_running"
    paper.happen(results.report(paper.season, "t2", (0, 1), ((0, 1),)))
    events = paper.act(episodes.record_main_match, "Pentagram")
    assert events[0] == MainMatchRecorded("Pentagram", ("t1", "t2"), ("cat", "dan", "eve"), ("ben",))
    assert paper.refusal(episodes.record_main_match, "Again", ["ann"], ["ben"]) == "already_recorded"
    assert (
        paper.refusal(scheduling.schedule_table, match_settings("t3", "pentagram"), ["ann", "ben"])
        == "already_recorded"
    )


def test_table_won_by_all_adds_no_candidate_to_typed_winners() -> None:
    paper = opened()
    paper.act(scheduling.schedule_table, match_settings("t1", "pentagram"), ["ann", "ben", "cat"])
    paper.act(scheduling.schedule_table, match_settings("t2", "pentagram"), ["dan", "eve"])
    paper.happen(results.report(paper.season, "t1", (2,), ((2,), (0,), (1,))))
    paper.happen(results.report(paper.season, "t2", (0, 1), ((0, 1),)))
    events = paper.act(episodes.record_main_match, "Pentagram", ["cat"])
    assert events[0] == MainMatchRecorded("Pentagram", ("t1", "t2"), ("cat",), ("ben",))


def test_tables_are_set_by_organisers_and_hosts_alone() -> None:
    paper = opened()
    paper.act(scheduling.schedule_table, match_settings("t1"), ["ann", "ben"], by="hal")
    assert paper.refusal(scheduling.schedule_table, match_settings("t2"), ["cat", "dan"], by="cat") == "forbidden"


def test_closing_an_episode_annuls_its_unfinished_tables() -> None:
    paper = opened()
    paper.act(scheduling.schedule_table, match_settings("t1", "pentagram"), ["ann", "ben"])
    paper.act(scheduling.schedule_table, match_settings("t2", "pentagram"), ["cat", "dan"])
    paper.happen(results.report(paper.season, "t1", (0,), ((0,), (1,))))
    assert paper.act(episodes.close_episode, "A storm.") == [
        MatchAnnulled("t2", "The episode is over."),
        EpisodeClosed(1, "A storm."),
    ]


def test_annulled_table_does_not_count_for_the_result() -> None:
    paper = opened()
    paper.act(scheduling.schedule_table, match_settings("t1", "pentagram"), ["ann", "ben"])
    paper.act(results.annul, "t1", "The light went out.", by="hal")
    paper.act(scheduling.schedule_table, match_settings("t2", "pentagram"), ["ann", "ben"])
    paper.happen(results.report(paper.season, "t2", (0,), ((0,), (1,))))
    assert paper.act(episodes.record_main_match, "Pentagram")[0] == MainMatchRecorded(
        "Pentagram", ("t2",), ("ann",), ("ben",)
    )
