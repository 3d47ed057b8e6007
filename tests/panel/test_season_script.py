"""Records of two seasons are compared by what happened: whatever else is another shows, chance and clocks don't."""

from copy import deepcopy
from typing import Any

import pytest

from tests.panel.season_script import plain_events

Events = list[dict[str, Any]]
NAMES = {"1": "ann", "2": "ben", "3": "cara", "4": "dan"}


def record(match: str = "m", link: str = "a", *, late: int = 0, drawn: tuple[str, str] = ("3", "4")) -> Events:
    """A seating that is drawn for ann, the match that follows, its time, and garnets for it."""
    seating_event = {"type": "seating_asked", "matches": [match], "players": ["2", "3", "4"], "seated": [["1"]]}
    seating = [["1", *drawn]]
    drawing = {"type": "seating_drawn", "link": link * 64, "players": ["2", "3", "4"], "seating": seating}
    scheduled = {"type": "main_match_scheduled", "match": match, "players": seating[0]}
    instants = [f"2030-01-01T00:0{late + minute}:00.000000Z" for minute in (0, 1)]
    times = {"type": "times_proposed", "match": match, "times": instants}
    moved = {"type": "garnets_moved", "to": "2", "amount": 3, "match": match}
    return [
        it | {"at": instants[0], "hash": link, "text": match}
        for it in (seating_event, drawing, scheduled, times, moved)
    ]


def test_seasons_that_differ_in_chance_and_clocks_have_equal_digests() -> None:
    again = record("other", "b", late=3, drawn=("4", "2"))
    assert plain_events(record(), NAMES) == plain_events(again, NAMES)


def seated_otherwise(events: Events) -> None:
    events[2]["players"] = ["2", "3", "4"]
    events[1]["seating"] = [events[2]["players"]]


def paid_otherwise(events: Events) -> None:
    events[4]["amount"] = 2


def paid_to_another(events: Events) -> None:
    events[4]["to"] = "3"


def one_time_fewer(events: Events) -> None:
    events[3]["times"] = events[3]["times"][:1] * 2


def asked_otherwise(events: Events) -> None:
    events[0]["players"] = ["2", "3"]


def out_of_order(events: Events) -> None:
    events[3:] = reversed(events[3:])


@pytest.mark.parametrize(
    "change", [seated_otherwise, paid_otherwise, paid_to_another, one_time_fewer, asked_otherwise, out_of_order]
)
def test_any_other_difference_changes_the_digest(change: Any) -> None:
    changed = deepcopy(record())
    change(changed)
    assert plain_events(changed, NAMES) != plain_events(record(), NAMES)
