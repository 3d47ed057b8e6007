"""Tests of refused options: all faults with their places, whatever the data are."""

import datetime
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from games.contest import GAME
from games.contest.options import Options
from games.contest.presets import PRESETS, load
from games.contest.reading import MOST_FAULTS
from games.kernel import Fault, Illegal, to_json

ODD: tuple[Any, ...] = (
    None, True, 0, -1, 10**30, 2**63, 0.5, float("nan"), float("inf"), "", "x" * 50_000, "\ud800", "\u0301" * 10_000,
    [], {}, [[]], [None], {"": 1}, {"kind": "choice"}, {"kind": ["choice"]}, {"kind": None}, {"sealed": "0" * 64},
    {"x" * 5_000: {}}, datetime.date(2026, 1, 1),
)  # fmt: skip
Step = str | int


def places_in(value: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """Yield the place of every value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in items:
        yield from places_in(item, (*path, step))


def changed(options: Any, path: tuple[Step, ...], value: Any) -> Any:
    """Return options with another value at a place."""
    if not path:
        return value
    options = deepcopy(options)
    inside = options
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = value
    return options


def faults_of(options: Any) -> tuple[Fault, ...]:
    with pytest.raises(Illegal) as raised:
        GAME.read_options(options)
    assert raised.value.code == "bad_options" and raised.value.message
    return raised.value.faults


@pytest.mark.parametrize("name", PRESETS)
def test_odd_values_at_every_place_are_read_or_refused_with_faults(name: str) -> None:
    options, rng = {"content": to_json(load(name))}, Random(name)
    paths = list(places_in(options))
    for path in rng.sample(paths, min(len(paths), 30)):
        for value in rng.sample(ODD, 6):
            data = changed(options, path, value)
            try:
                assert isinstance(GAME.read_options(data), Options)
            except Illegal as refused:
                assert refused.faults, (path, value)


def test_faults_have_their_places_in_the_options() -> None:
    content = {"title": "A", "balances": [{"name": "gold"}], "rounds": [{"name": "one"}], "score": {"ties": ["x"]}}
    assert [fault.place for fault in faults_of({"content": content})] == ["content.score.ties.0"]
    content = {"rounds": [{"name": "One"}, {"name": "two", "seconds": "long"}]}
    assert [fault.place for fault in faults_of({"content": content, "colour": 1})] == [
        "colour", "content.title", "content.rounds.0.name", "content.rounds.1.seconds",
    ]  # fmt: skip


@pytest.mark.parametrize("options", [None, [], 7, {"content": None}, {"content": []}, {"content": {}}])
def test_options_that_are_no_object_have_a_fault(options: Any) -> None:
    assert faults_of(options)


def test_no_more_faults_are_listed_than_are_read() -> None:
    values = {f"n{it}": 0.5 for it in range(600)}
    rounds = [{"name": f"r{it}", "default": {"values": values}, "wrong": 1} for it in range(20)]
    many = {"content": {"title": "A", "rounds": rounds, **{f"x{it}": 1 for it in range(600)}}}
    assert len(faults_of(many)) == MOST_FAULTS


def test_part_that_is_null_is_no_fault() -> None:
    content = {"title": "A", "rounds": [{"name": "one", "part": None, "scheme": {"kind": "none"}}]}
    assert GAME.read_options({"content": content}).content.title == "A"
    content["rounds"][0]["repeat"] = 0  # type: ignore[index]
    assert [fault.place for fault in faults_of({"content": content})] == ["content.rounds.0.repeat"]
