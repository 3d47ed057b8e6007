"""A main match entered as a table: all of it is recorded, or each cell's fault is named and nothing is."""

import pytest

from matches.seasons.domain import corrections, episodes, result_table, roster
from matches.seasons.domain.events import GarnetsMoved, MainMatchRecorded, Placed, TokenGranted
from matches.seasons.domain.result_table import ResultRow, TableFaulty
from matches.seasons.reads.sentences import sentence
from tests.seasons.staged import Paper, kinds

SIX = ("ann", "ben", "cat", "dan", "eve", "fay")


def begun() -> Paper:
    paper = Paper(*SIX)
    paper.act(episodes.open_episode, "First")
    return paper


def row(number: int, player: str, match: str = "", **cells: int | None) -> ResultRow:
    return ResultRow(number=number, player=player, match=match, **cells)


def faults(*rows: ResultRow) -> list[tuple[int, str, str]]:
    paper = begun()
    before = paper.season
    with pytest.raises(TableFaulty) as refused:
        paper.act(result_table.enter, "Dice", list(rows))
    assert paper.season == before and refused.value.code == "table_faulty"
    assert all(it.fault.endswith(".") and it.sentence in refused.value.message for it in refused.value.cells)
    return [(it.number, it.column, it.code) for it in refused.value.cells]


def test_the_best_of_each_match_have_won_the_last_have_lost_and_all_of_it_is_one_act() -> None:
    paper = begun()
    rows = [
        row(1, "ann", "Red", points=7), row(2, "ben", "red", points=12, garnets=3), row(3, "cat", "Red", points=7),
        row(4, "dan", "Blue", place=1), row(5, "eve", "Blue", place=2), row(6, "fay"),
    ]  # fmt: skip
    events = paper.act(result_table.enter, "Dice", rows)
    places = (
        Placed("ben", "Red", 1, 12), Placed("ann", "Red", 2, 7), Placed("cat", "Red", 2, 7),
        Placed("dan", "Blue", 1), Placed("eve", "Blue", 2),
    )  # fmt: skip
    assert events == [
        MainMatchRecorded("Dice", (), ("ben", "dan"), ("ann", "cat", "eve"), places),
        TokenGranted("ben", None), TokenGranted("dan", None),
        GarnetsMoved(None, "ben", 3, "reward", "Main match: Dice."),
    ]  # fmt: skip
    assert paper.season.episodes[0].places == places
    text = sentence(events[0], str)
    assert text.endswith("Red: 1. ben (12 points), 2. ann (7 points), 2. cat (7 points). Blue: 1. dan, 2. eve.")


def test_place_and_points_are_both_recorded_and_the_place_counts() -> None:
    paper = begun()
    rows = [row(1, "ann", place=2, points=9), row(2, "ben", place=1, points=4), row(3, "cat", place=3)]
    recorded = paper.act(result_table.enter, "Dice", rows)[0]
    assert recorded == MainMatchRecorded(
        "Dice", (), ("ben",), ("cat",), (Placed("ben", "", 1, 4), Placed("ann", "", 2, 9), Placed("cat", "", 3))
    )


@pytest.mark.parametrize(
    ("points", "contradicting"),
    [((9, 5, 3), []), ((3, 5, 9), []), ((9, 9, 3), []), ((9, 3, 5), [3]), ((3, 9, 5), [2]), ((None, 3, 5), [])],
)
def test_points_contradict_places_if_they_both_rise_and_fall(points: tuple, contradicting: list[int]) -> None:
    rows = [row(place, SIX[place], place=place, points=it) for place, it in enumerate(points, start=1)]
    numbers = {it.number for it in result_table.against_points(rows)}
    assert numbers <= {2, 3} and bool(numbers) == bool(contradicting) and numbers <= set(contradicting or numbers)


def test_spent_garnets_reduce_the_balance_as_far_as_it_allows() -> None:
    paper = begun()
    held = paper.season.players["ann"].garnets
    rows = [row(1, "ann", place=1, garnets=-held), row(2, "ben", place=2, garnets=2)]
    events = paper.act(result_table.enter, "Dice", rows)
    assert events[-1] == GarnetsMoved("ann", None, held, "fine", "Spent in the main match: Dice.")
    assert (paper.season.players["ann"].garnets, paper.season.episodes[0].rewards) == (0, {"ben": 2})
    assert faults(row(1, "ann", place=1, garnets=-held - 1), row(2, "ben", place=2)) == [
        (1, "garnets", "too_few_garnets")
    ]


def test_second_token_is_given_with_the_table() -> None:
    paper = begun()
    rows = [row(number, it, place=number, tokens=1 if number < 3 else None) for number, it in enumerate(SIX, start=1)]
    assert kinds(paper.act(result_table.enter, "Dice", rows))[-2:] == ["TokenGranted", "CandidateNamed"]
    episode = paper.season.episodes[0]
    assert (episode.given, episode.tokens) == (("ann", "ben"), {"ann": 1, "ben": 1})


def test_row_of_a_player_who_is_out_names_the_player() -> None:
    paper = begun()
    paper.act(roster.withdraw, "fay", "Away.")
    with pytest.raises(TableFaulty) as refused:
        paper.act(result_table.enter, "Dice", [row(1, "ann", place=1), row(2, "ben", place=2), row(3, "fay", place=3)])
    assert [(it.number, it.column, it.code) for it in refused.value.cells] == [(3, "player", "not_living")]


def test_corrected_result_removes_the_places_and_corrected_rewards_keep_them() -> None:
    paper = begun()
    paper.act(result_table.enter, "Dice", [row(number, it, place=number) for number, it in enumerate(SIX, start=1)])
    paper.act(corrections.correct_main_match, 1, "Misread.", None, None, {"ann": 2})
    assert len(paper.season.episodes[0].places) == 6
    paper.act(corrections.correct_main_match, 1, "Misread.", ["ben"], ["fay"])
    assert paper.season.episodes[0].places == ()


def test_each_faulty_cell_is_named() -> None:
    assert faults(row(1, "ann", place=1), row(2, "zoe", place=2), row(3, "ann", place=3)) == [
        (2, "player", "not_enrolled"), (3, "player", "twice"),
    ]  # fmt: skip
    assert faults(row(2, "ann", place=1, points=4), row(3, "ben", points=3), row(4, "cat", "Red")) == [
        (4, "place", "no_result"), (3, "place", "mixed"),
    ]  # fmt: skip
    assert faults(row(1, "ann", place=1), row(2, "ben", place=3), row(3, "cat", "Red", place=1)) == [
        (2, "place", "gap"), (3, "match", "alone"),
    ]  # fmt: skip
    assert faults(row(1, "ann", place=0), row(2, "ben", place=1, tokens=3, garnets=-(10**9) - 1)) == [
        (1, "place", "out_of_range"), (2, "tokens", "out_of_range"), (2, "garnets", "out_of_range"),
    ]  # fmt: skip
    assert faults(row(1, "ann", place=1), row(2, "ben", "\u0007" * 61)) == [
        (2, "match", "bad_name"), (2, "place", "no_result"), (1, "match", "alone"),
    ]  # fmt: skip


def test_faults_of_the_whole_table_are_named() -> None:
    assert faults(row(1, "ann"), row(2, "ben")) == [(0, "", "no_result")]
    assert faults(*(row(number, it, place=1) for number, it in enumerate(SIX, start=1))) == [
        (0, "", "no_loser"), (0, "", "too_many_winners"),
    ]  # fmt: skip


def test_tokens_against_the_rules_are_faults() -> None:
    two = [row(1, "ann", place=1), row(2, "ben", place=1), row(3, "cat", place=3)]
    assert faults(*two[:2], row(3, "cat", place=3, tokens=1)) == [(3, "tokens", "no_token_to_give")]
    assert faults(row(1, "ann", place=1, tokens=2), *two[1:]) == [(1, "tokens", "wrong_tokens")]
    sole = row(1, "ann", place=1, tokens=1)
    assert faults(sole, row(2, "ben", place=2)) == [(1, "tokens", "wrong_tokens")]
    assert faults(sole, row(2, "ben", place=2, tokens=2)) == [(2, "tokens", "one_token_to_give")]
    assert faults(sole, row(2, "ben", place=2, tokens=1), row(3, "cat", tokens=1)) == [
        (3, "tokens", "one_token_to_give")
    ]


def test_refused_caller_learns_nothing_of_the_tables_cells() -> None:
    paper = begun()
    assert paper.refusal(result_table.enter, "Dice", [row(1, "zoe")], by="ann") == "forbidden"
    paper.act(episodes.record_main_match, "Dice", ["ann"], ["ben"])
    assert paper.refusal(result_table.enter, "Dice", [row(1, "zoe")]) == "already_recorded"
