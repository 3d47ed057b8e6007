"""Tests of trials: what bots make of a content, counted."""

from typing import Any

import msgspec
import pytest

from games.contest.content import Content
from games.contest.presets import load
from games.contest.reading import read_content
from games.contest.trial import Spread, Sums, add_contest, course, result_of, trial


def content(**parts: Any) -> Content:
    return read_content({"title": "Tried"} | parts)


def one_round(field: dict[str, Any], scheme: dict[str, Any], **parts: Any) -> Content:
    of_round = {"name": "one", "fields": [field | {"name": "x"}], "scheme": scheme | {"field": "x"}}
    return content(rounds=[of_round | parts])


def test_trial_of_the_same_seed_is_the_same() -> None:
    preset = load("quiet_shore")
    assert trial(preset, 5, 3, seed=1) == trial(preset, 5, 3, seed=1) != trial(preset, 5, 3, seed=2)


def test_trial_counts_each_value_of_a_choice_with_its_gain() -> None:
    side = {"kind": "choice", "options": ["left", "right"]}
    tried = trial(one_round(side, {"kind": "answer", "answers": ["left"], "points": 4}), 4, 20, seed=1)
    left, right = tried.values
    assert (left.value, right.value, left.count + right.count) == ("left", "right", 80)
    assert left.gain == 4 and right.gain == 0 and left.share + right.share == 1
    assert left.wins > right.wins
    assert tried.points.mean == pytest.approx(4 * left.count / 80)


def test_trial_divides_a_shared_first_place_and_counts_the_tie() -> None:
    alike = one_round({"kind": "number", "most": 5}, {"kind": "sum"})
    tried = trial(alike, 4, 3, seed=1)
    assert tried.ties == 1 and tried.seats == (0.25,) * 4 and tried.points == Spread(5, 5, 5)
    assert tried.commands == Spread(4, 4, 4) and tried.rounds == Spread(1, 1, 1)


def test_trial_puts_a_wide_number_into_bands() -> None:
    tried = trial(one_round({"kind": "number", "most": 100}, {"kind": "closest", "target": 50}), 3, 2, seed=1)
    assert [(it.value, it.count) for it in tried.values] == [("44 to 54", 6)]


def test_trial_counts_cards_by_their_numbers() -> None:
    deck = {"name": "cards", "cards": ["7 of cups"] * 5 + ["7 of oak"], "hand": 2}
    laid = {"name": "one", "fields": [{"kind": "cards", "name": "x", "deck": "cards"}]}
    scheme = {"kind": "sum", "field": "x"}
    tried = trial(content(most_seats=3, decks=[deck], rounds=[laid | {"scheme": scheme}]), 3, 2, seed=1)
    assert [(it.value, it.count, it.gain) for it in tried.values] == [("7", 6, 7)]


def test_trial_counts_the_first_places_of_each_role() -> None:
    tried = trial(load("village_well"), 5, 6, seed=1)
    assert tried.roles["diverter"] + 4 * tried.roles["villager"] == pytest.approx(1)
    assert sum(tried.seats) == pytest.approx(1)


def test_trial_counts_judgements_and_their_points() -> None:
    judged = content(rounds=[{"name": "one", "repeat": 2, "scheme": {"kind": "host", "least": 3, "most": 3}}])
    tried = trial(judged, 3, 2, seed=1)
    assert (tried.commands, tried.rounds, tried.points) == (Spread(8, 8, 8), Spread(2, 2, 2), Spread(6, 6, 6))


def test_trial_can_be_stored_and_continued() -> None:
    preset = load("village_well")
    sums = Sums()
    for number in range(4):
        add_contest(sums, preset, 5, number, seed=1)
        sums = msgspec.msgpack.decode(msgspec.msgpack.encode(sums), type=Sums)
    assert result_of(preset, 5, sums) == trial(preset, 5, 4, seed=1)


def test_trial_names_a_value_that_always_wins() -> None:
    side = {"kind": "choice", "options": ["left", "right"]}
    tried = trial(one_round(side, {"kind": "answer", "answers": ["left"], "points": 4}), 4, 20, seed=1)
    assert [(it.value, it.always_wins) for it in tried.values] == [("left", True), ("right", False)]
    assert (tried.points.least, tried.points.most) == (0, 4)


def test_trial_in_which_everybody_wins_names_no_value_that_always_wins() -> None:
    tried = trial(one_round({"kind": "number", "most": 5}, {"kind": "sum", "points": 0}), 4, 5, seed=1)
    assert tried.values and not any(it.always_wins for it in tried.values)


def test_course_tells_a_contest_from_its_first_round_to_its_end() -> None:
    sentences = list(course(load("village_well"), 5, seed=1))
    assert sentences[:2] == ["The roles are dealt.", "Player 1 is villager."]
    assert sentences == list(course(load("village_well"), 5, seed=1))
    assert all(it.endswith(".") for it in sentences)


def test_course_of_a_trial_reads_texts() -> None:
    sentences = " ".join(course(load("last_line"), 4, seed=1))
    assert "line yes" in sentences and "(a text)" not in sentences
