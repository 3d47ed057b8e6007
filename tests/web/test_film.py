"""The deciding event of a match and the labels of its chapters, from its events."""

from typing import Any

import pytest

from games import catalogue
from matches.web.play import film

FLAG: dict[str, Any] = {"type": "flag_fallen", "seat": 1, "clock": "turn"}
RESIGNED: dict[str, Any] = {"type": "resigned", "seat": 1}
REWOUND: dict[str, Any] = {"type": "match_rewound", "to_version": 1, "reason": "played"}


def finished(reason: str) -> dict[str, Any]:
    return {"type": "match_finished", "reason": reason}


def events(game: str, *parts: dict[str, Any] | str) -> list[dict[str, Any]]:
    """Numbered events; a text is a move of seat 0 by its type."""
    assert all(it in catalogue[game].event_types for it in parts if isinstance(it, str))
    of_moves = [{"type": it, "seat": 0} if isinstance(it, str) else it for it in parts]
    return [{"version": version, **it} for version, it in enumerate(of_moves, start=1)]


@pytest.mark.parametrize(
    ("game", "parts", "version"),
    [
        ("higher_or_lower", (FLAG, "turn_ended", "card_flipped", "card_guessed", finished("played")), 4),
        ("pyramid_poker", (FLAG, "brick_placed", "brick_drawn", finished("played")), 3),
        ("pentagram", (RESIGNED, FLAG, "card_placed", finished("played")), 3),
        ("pyramid_poker", (FLAG, "brick_placed", FLAG, finished("flag")), 3),
        ("pyramid_poker", (FLAG, "brick_placed", RESIGNED, finished("resigned")), 3),
        ("pyramid_poker", ("brick_placed", FLAG, finished("flag"), REWOUND, "brick_placed", finished("played")), 5),
        ("pyramid_poker", (FLAG, "brick_placed", finished("adjudicated")), 3),
        ("pyramid_poker", ("brick_placed", finished("played"), REWOUND, "brick_placed", FLAG), 5),
    ],
)
def test_deciding_event_is_the_one_that_ended_the_match(game: str, parts: tuple[Any, ...], version: int) -> None:
    assert film.decided_at(catalogue[game], events(game, *parts)) == version


def test_deciding_move_is_a_key_event_after_a_fallen_flag() -> None:
    game = catalogue["pyramid_poker"]
    match = events("pyramid_poker", FLAG, "brick_placed", "brick_drawn", finished("played"))
    lines = [film.record.Line(it["version"], "move", it.get("seat"), it["type"], "") for it in match]
    assert [it.version for it in film.key_events(game, match, lines, 1)] == [1, 3]


@pytest.mark.parametrize(
    ("name", "length", "label"),
    [("Round 9", 9, "Round 9"), ("Round 10", 9, "10"), ("Round 10", 3, ""), ("Taking down", 12, "")],
)
def test_chapter_is_labelled_as_far_as_there_is_room(name: str, length: float, label: str) -> None:
    assert film.Chapter(1, name, 0, length, is_current=False).label == label
