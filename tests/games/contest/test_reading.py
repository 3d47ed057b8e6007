"""Tests of reading a content: all faults at once, each with its place."""

import re
import time
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from games.contest.checks import faults_of
from games.contest.content import Content
from games.contest.options import EXAMPLE
from games.contest.reading import MOST_FAULTS, Faulty, read_content
from games.kernel import Fault, to_json
from tests.games.contest.contents import content_of

ROUND = {"name": "side", "fields": [{"kind": "choice", "name": "side", "options": ["left", "right"]}]}


REMEDY = re.compile(r"\b(Write|Choose|Add|Remove|Lower|Raise|Tick|Untick|Fill|Shorten|Have|Name)\b.*\.$")


def content(**parts: Any) -> dict[str, Any]:
    return {"title": "A contest", "rounds": [ROUND]} | parts


def scheme(parts: dict[str, Any]) -> dict[str, Any]:
    return {"rounds": [ROUND | {"scheme": parts}]}


GOLD = {"name": "gold", "pays": True}
BID = {"kind": "number", "name": "b", "balance": "gold"}


def fixed(values: dict[str, Any]) -> dict[str, Any]:
    return {"rounds": [ROUND | {"default": {"kind": "fixed", "values": values}}]}


def vote(field: dict[str, Any], **parts: Any) -> dict[str, Any]:
    named = {"kind": "named_most", "field": "x"} | parts
    return {"rounds": [{"name": "vote", "fields": [field | {"name": "x"}], "scheme": named}]}


def places(data: Any) -> list[str]:
    with pytest.raises(Faulty) as raised:
        read_content(data)
    for fault in raised.value.faults:
        assert REMEDY.search(fault.sentence), fault
    return [fault.place for fault in raised.value.faults]


def test_random_contents_are_read_back() -> None:
    for seed in range(100):
        read = read_content(content_of(Random(seed)))
        assert read_content(to_json(read)) == read and faults_of(read) == ()
    assert read_content(to_json(EXAMPLE)) == EXAMPLE


def test_every_fault_of_a_content_is_reported_at_once() -> None:
    data = content(
        title=7,
        extra=1,
        balances=[{"name": "Gold"}, {"start": -1}],
        rounds=[
            {"name": "one", "repeat": 99, "fields": [{"kind": "vote"}, {"kind": "number", "name": "n", "least": "a"}]}
        ],
    )
    assert places(data) == [
        "extra", "title", "balances.0.name", "balances.1.name", "balances.1.start", "rounds.0.repeat",
        "rounds.0.fields.0.kind", "rounds.0.fields.1.least",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("parts", "place"),
    [
        ({"least_seats": 9, "most_seats": 5}, "least_seats"),
        ({"teams": ["red"]}, "teams"),
        ({"teams": ["red", "blue", "green"]}, "teams"),
        ({"balances": [{"name": "gold"}, {"name": "gold"}]}, "balances.1"),
        ({"balances": [{"name": "survival"}]}, "balances.0.name"),
        ({"balances": [{"name": "gold", "gives": "secretly"}]}, "balances.0.gives"),
        ({"balances": [{"name": "gold", "starts": [3]}]}, "balances.0.starts"),
        ({"balances": [{"name": "a", "garnets": True}, {"name": "b", "garnets": True}]}, "balances"),
        ({"roles": [{"name": "spy", "count": 3}]}, "roles"),
        ({"roles": [{"name": "a", "count": 0}, {"name": "b", "count": 0}]}, "roles"),
        ({"balances": [{"name": "gold"}], "roles": [{"name": "spy", "gains": {"gold": 1}}]}, "roles.0.gains.gold"),
        ({"decks": [{"name": "cards", "cards": ["1"], "hand": 1}]}, "decks.0.hand"),
        ({"score": {"ties": ["gold"]}}, "score.ties.0"),
        ({"end": {"survivors": 2}}, "end.survivors"),
        ({"end": {"points": 0}}, "end.points"),
        ({"end": {"without": "spy"}}, "end.without"),
        ({"end": {"without": "all"}, "roles": [{"name": "all", "count": 0}]}, "end.without"),
        ({"rounds": [ROUND, ROUND]}, "rounds.1"),
        ({"rounds": [ROUND | {"who": "role:spy"}]}, "rounds.0.who"),
        ({"rounds": [ROUND | {"who": "team:red"}]}, "rounds.0.who"),
        ({"rounds": [ROUND | {"needs": {"least": 3, "most": 2}}]}, "rounds.0.needs.least"),
        ({"rounds": [ROUND | {"default": {"kind": "fixed", "values": {"x": 1}}}]}, "rounds.0.default.values.x"),
        ({"rounds": [ROUND | {"default": {"values": {"side": "left"}}}]}, "rounds.0.default.values"),
        (fixed({"side": {"text": "0" * 64}}), "rounds.0.default.values.side"),
        ({"balances": [GOLD], "rounds": [{"name": "a", "fields": [BID, BID | {"name": "c"}]}]},
         "rounds.0.fields.1.balance"),
        (scheme({"kind": "majority", "field": "x"}), "rounds.0.scheme.field"),
        (scheme({"kind": "sum", "field": "side"}), "rounds.0.scheme.field"),
        (scheme({"kind": "majority", "field": "side", "balance": "x"}), "rounds.0.scheme.balance"),
        (scheme({"kind": "answer", "field": "side"}), "rounds.0.scheme.answers"),
        (scheme({"kind": "answer", "field": "side", "answers": ["up"]}), "rounds.0.scheme.answers.0"),
        (scheme({"kind": "host", "least": 9, "most": 1}), "rounds.0.scheme.least"),
        (vote({"kind": "split", "budget": 3, "options": ["a", "b"]}), "rounds.0.scheme.field"),
        (vote({"kind": "player"}, role="spy"), "rounds.0.scheme.role"),
    ],
)  # fmt: skip
def test_fault_of_meaning_is_reported_at_its_place(parts: dict[str, Any], place: str) -> None:
    assert places(content(**parts)) == [place]


@pytest.mark.parametrize(
    ("field", "place"),
    [
        ({"kind": "choice", "name": "x", "options": ["a", "b"], "most": 3}, "most"),
        ({"kind": "choice", "name": "x", "options": ["a", "b"], "least": 2}, "least"),
        ({"kind": "choice", "name": "x", "options": ["a", "a"]}, "options.1"),
        ({"kind": "number", "name": "x", "balance": "gold"}, "balance"),
        ({"kind": "player", "name": "x", "other_team": True}, "other_team"),
        ({"kind": "cards", "name": "x", "deck": "cards"}, "deck"),
        ({"kind": "split", "name": "x", "budget": 3, "options": ["a"]}, "options"),
    ],
)
def test_fault_of_a_field_is_reported_at_its_place(field: dict[str, Any], place: str) -> None:
    assert places(content(rounds=[{"name": "one", "fields": [field]}])) == [f"rounds.0.fields.0.{place}"]


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"title": ""}, "It is empty. Write something."),
        ({"title": "x" * 61}, "It is too long. Shorten it to 60 letters."),
        ({"title": 7}, "It is a whole number. Write a text instead."),
        ({"teams": "red"}, "It is a text. Write a list instead."),
        ({"teams": ["a"] * 11}, "There are too many. Have at most 10 of them."),
        ({"rounds": []}, "It is empty. Add something."),
        ({"least_seats": 1}, "It is too little. Write 2 or more."),
        ({"most_seats": 31}, "It is too much. Write 30 or less."),
        ({"host_seconds": 59}, "It is too little. Write 1 minute or more."),
        (
            {"rounds": [ROUND | {"seconds": 10**7}]},
            "It is too much. Write 30 days or less.",
        ),
        (
            {"teams": ["R", "s"]},
            "It is no short name. Write at most 24 small letters, digits and _, with a letter first.",
        ),
        (
            {"score": {"show": "never"}},
            "It can't be that. Choose one of these: Everybody sees all points (live), "
            "During the contest, players see only their own points (own), Points are secret until the end (end).",
        ),
        (
            {"rounds": [ROUND | {"who": "x"}]},
            "Choose all players, all in turn, a role or a team; in a file all, in_turn, role:NAME or team:NAME.",
        ),
        (scheme({"kind": "closest", "field": "side", "target": "x"}), "It is a text. Write a whole number instead."),
        ({"most_seats": {}}, "It is an object with named values. Write a whole number instead."),
        ({"rounds": [ROUND | {"seconds": 5}]}, "It is too little. Write 10 seconds or more."),
    ],
)  # fmt: skip
def test_fault_of_a_type_is_told_in_plain_words(parts: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Faulty) as raised:
        read_content(content(**parts))
    assert [fault.sentence for fault in raised.value.faults] == [sentence]


def test_hundred_faults_are_read_in_no_time() -> None:
    data = content(
        rounds=[
            ROUND | {"name": f"r{n}", "scheme": {"kind": "answer", "field": "x"}, "who": "team:x"} for n in range(20)
        ]
    )
    data["balances"] = [{"name": "X", "start": -1, "weight": 10**6, "secret": 1, "gives": 2} for _ in range(8)]
    begun = time.thread_time()
    assert len(places(data)) >= 40
    data["balances"] = []
    assert len(places(data)) >= 60
    assert time.thread_time() - begun < 1


def test_reading_ends_with_the_most_faults_that_are_reported() -> None:
    class Parts(list[Any]):
        def __iter__(self) -> Iterator[Any]:
            for number in range(MOST_FAULTS + 1):
                assert number < MOST_FAULTS, "it reads on"
                yield {}

    assert len(places(content(rounds=Parts([{}] * 5)))) == MOST_FAULTS


@pytest.mark.parametrize("data", [None, 7, [], "x", {}, {"title": "\ud800", "rounds": 1}, {"rounds": [None]}])
def test_data_that_is_no_content_is_refused(data: Any) -> None:
    assert places(data)


def test_faults_are_values() -> None:
    assert faults_of(Content(title="x", rounds=EXAMPLE.rounds, teams=("red",)))[0] == Fault(
        "teams", "There is only one. Name a second team, or remove this one."
    )
