"""The turns, chapters and key events of a replay, and what it shows next, computed from a witness's events."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from games.kernel import Game
from matches.html import record
from matches.html.context import motion

VisibleEvent = Mapping[str, Any]
"""An event as a witness sees it."""

AHEAD = 4
"""A page names at most so many of the following events, so that its script can load them in time."""
_MOST_KEY_EVENTS = 24
_RARE = 8
"""A type of events without a seat is a landmark if it occurs at most so often in the match."""
_MOST_BY_TURNS = 8
_BESIDE_LABEL = 2
"""A text has room beside the scrubber in a chapter of a percent of the match for each letter, and so many more."""

_CHAPTERS: Mapping[str, Mapping[str, str]] = {
    "contest": {"match_started": "Set-up", "round_opened": "Round {count}", "contest_finished": "Result"},
    "pyramid_poker": {
        "match_started": "Putting up",
        "construction_finished": "Taking down",
        "hands_compared": "Hands compared",
    },
    "higher_or_lower": {"match_started": "Assigning", "board_chosen": "Board {board}"},
    "reality_benders": {"match_started": "Bout 1", "bout_started": "Bout {bout}"},
}
"""The events that begin a chapter, by game, and its name, with the event's values and the count of events of its type;
other games are divided by turns."""
_ROUNDS: Mapping[str, tuple[str, str]] = {"contest": ("round_opened", "round_closed")}
"""The games whose turns are rounds in which all act, with the events that begin and end a round."""
_BY_A_SEAT: Mapping[str, str] = {"flag": "flag_fallen", "resigned": "resigned"}
"""The events by which a seat ends a match in some games, by the reason of the match's end."""


@dataclass(frozen=True)
class Chapter:
    """A part of the match from a version on. `start` and `length` are percentages of the match."""

    version: int
    name: str
    start: float
    length: float
    is_current: bool

    @property
    def label(self) -> str:
        """The name, or its number alone, or nothing, as far as there is room beside the scrubber."""
        number = self.name.rpartition(" ")[2]
        texts = [self.name, *([number] if number.isdigit() else [])]
        return next((it for it in texts if self.length >= len(it) + _BESIDE_LABEL), "")


@dataclass(frozen=True)
class KeyEvent:
    """A key event, as a sentence; `at` is its place in percent of the match."""

    version: int
    seat: int | None
    kind: str
    text: str
    at: float
    is_current: bool


def has_rounds(game: Game) -> bool:
    """True if the turns of the game are rounds in which all act."""
    return game.slug in _ROUNDS


def turns(game: Game, events: Sequence[VisibleEvent]) -> list[int]:
    """Return the versions at which a turn begins: a seat's move after another's, or a round."""
    if has_rounds(game):
        return [event["version"] for event in events if event["type"] == _ROUNDS[game.slug][0]]
    versions, turn = [], None
    for event in events:
        seat = seat_of(event)
        if seat not in (None, turn) and event["type"] in game.event_types:
            versions.append(event["version"])
            turn = seat
    return versions


def chapters(game: Game, events: Sequence[VisibleEvent], version: int) -> list[Chapter]:
    """Return the chapters in order; together they are the whole match."""
    named = _CHAPTERS.get(game.slug)
    begun = _by_events(named, events) if named else _by_turns(turns(game, events))
    if not begun or begun[0][0] > 1:
        begun = [(1, "Sitting down"), *begun]
    whole = len(events)
    ends = [*(first - 1 for first, _ in begun[1:]), whole]
    return [
        Chapter(first, name, (first - 1) * 100 / whole, (last - first + 1) * 100 / whole, first <= version <= last)
        for (first, name), last in zip(begun, ends, strict=True)
    ]


def _by_events(named: Mapping[str, str], events: Sequence[VisibleEvent]) -> list[tuple[int, str]]:
    counted, begun = Counter[str](), []
    for event in events:
        if event["type"] in named:
            counted[event["type"]] += 1
            begun.append((event["version"], named[event["type"]].format(**event, count=counted[event["type"]])))
    return begun


def _by_turns(begun: Sequence[int]) -> list[tuple[int, str]]:
    """Return a chapter for each turn; if there are many, for several turns together."""
    size = next((size for size in (1, 2, 5) if len(begun) <= size * _MOST_BY_TURNS), 10)
    while len(begun) > size * _MOST_BY_TURNS:
        size += 10
    return [(first, f"Turn {1 + size * place}") for place, first in enumerate(begun[::size])]


def end_of_round(game: Game, events: Sequence[VisibleEvent], number: int) -> int | None:
    """Return the version at which the result of a round, counted from 1, is complete; None if the round isn't over."""
    ends = [event["version"] for event in events if event["type"] == _ROUNDS.get(game.slug, ("", ""))[1]]
    if not 1 <= number <= len(ends):
        return None
    return act_ends(game, events, ends[number - 1]) or ends[number - 1]


def key_events(
    game: Game, events: Sequence[VisibleEvent], lines: Sequence[record.Line], version: int
) -> list[KeyEvent]:
    """Return the key events in order: rulings, fallen flags and resignations, the deciding move, then landmarks up to
    `_MOST_KEY_EVENTS` in all."""
    ruled = {line.version for line in lines if line.kind == "ruling"}
    left = {event["version"] for event in events if event["type"] in _BY_A_SEAT.values()}
    certain = ruled | left | _deciding(game, events)
    landmarks = sorted(_landmarks(game, events) - certain)[: max(0, _MOST_KEY_EVENTS - len(certain))]
    shown = {*sorted(certain)[-_MOST_KEY_EVENTS:], *landmarks}
    return [
        KeyEvent(
            line.version, line.seat, line.kind, line.text, (line.version - 0.5) * 100 / len(events),
            line.version == version,
        )
        for line in lines
        if line.version in shown
    ]  # fmt: skip


def decided_at(game: Game, events: Sequence[VisibleEvent]) -> int:
    """Return the version of the move, fallen flag or resignation that ended the match; if none did, the newest."""
    return max(_deciding(game, events), default=len(events))


def _deciding(game: Game, events: Sequence[VisibleEvent]) -> set[int]:
    """Return the version of the event that ended the match, as a set; empty if a host did, or if the match isn't over.

    A flag or a resignation doesn't end every match: in some games a turn is lost, or the dealer plays on for the seat.
    """
    end = next((event for event in reversed(events) if event["type"] in ("match_finished", "match_rewound")), None)
    if end is None or end["type"] == "match_rewound":
        return set()
    types = game.event_types if end["reason"] == "played" else {_BY_A_SEAT.get(end["reason"])}
    acts = (event for event in reversed(events) if event["type"] in types and seat_of(event) is not None)
    return {event["version"] for event in islice(acts, 1)}


def _landmarks(game: Game, events: Sequence[VisibleEvent]) -> set[int]:
    """Return the versions of events without a seat, after a seat's first move, of types that occur rarely."""
    played = [event for event in events if event["type"] in game.event_types]
    first = next((event["version"] for event in played if seat_of(event) is not None), len(events))
    own = [event for event in played if seat_of(event) is None and event["version"] > first]
    counted = Counter(event["type"] for event in own)
    return {event["version"] for event in own if counted[event["type"]] <= _RARE}


def coming(game: Game, events: Sequence[VisibleEvent], lines: Sequence[record.Line], version: int) -> list[int]:
    """Return the next `AHEAD` versions that have a line or an animation; the newest counts as one of them."""
    described = {line.version for line in lines}
    later = [
        event["version"]
        for event in events[version:]
        if event["version"] in described or motion(game, [event]) or event is events[-1]
    ]
    return later[:AHEAD]


def opening(events: Sequence[VisibleEvent]) -> int:
    """Return the version at which a replay begins: the start of play, or 1."""
    return next((event["version"] for event in events if event["type"] == "match_started"), 1)


def ticks(game: Game, events: Sequence[VisibleEvent]) -> list[dict[str, str]]:
    """Return the scrubber's ticks as one path for each colour, one tick for each event, rulings taller. Units: one
    event is 10 wide, 14 high."""
    paths: dict[str, list[str]] = {}
    for place, event in enumerate(events):
        seat, kind = event.get("seat"), record.kind_of(game, event)
        colour = "ruling" if kind == "ruling" else f"s{seat}" if isinstance(seat, int) else "house"
        top, high = (0, 14) if kind == "ruling" else (2, 10)
        paths.setdefault(colour, []).append(f"M{place * 10 + 1} {top}h8v{high}h-8z")
    return [{"colour": colour, "path": "".join(parts)} for colour, parts in sorted(paths.items())]


def stops(
    game: Game, events: Sequence[VisibleEvent], version: int, chapters: Sequence[Chapter] = ()
) -> dict[str, int | None]:
    """Return the version to which each key leads: a step, another seat's turn, a chapter or the next ruling; None if
    there is none."""
    turn = seat_of(events[version - 1])
    later, earlier = events[version:], list(reversed(events[: version - 1]))
    by_round = turns(game, events) if has_rounds(game) else None
    return {
        "first": 1 if version > 1 else None,
        "back": version - 1 if version > 1 else None,
        "on": version + 1 if later else None,
        "last": len(events) if later else None,
        "previous_turn": next((e["version"] for e in earlier if _is_turn(e, turn, by_round)), None),
        "next_turn": next((e["version"] for e in later if _is_turn(e, turn, by_round)), None),
        "previous_chapter": next((it.version for it in reversed(chapters) if it.version < version), None),
        "next_chapter": next((it.version for it in chapters if it.version > version), None),
        "ruling": next((e["version"] for e in later if record.kind_of(game, e) == "ruling"), None),
    }


def _is_turn(event: VisibleEvent, turn: int | None, by_round: Sequence[int] | None) -> bool:
    """True if an event begins a round, or is of another seat than the turn."""
    return seat_of(event) not in (turn, None) if by_round is None else event["version"] in by_round


def act_ends(game: Game, events: Sequence[VisibleEvent], version: int) -> int | None:
    """Return the version of the last move of the same act as this one; None if it is the last itself."""
    event, ends = events[version - 1], version
    for later in events[version:]:
        if (later["actor"], later["at"]) != (event["actor"], event["at"]) or record.kind_of(game, later) != "move":
            break
        ends = later["version"]
    return ends if ends > version else None


def seat_of(event: VisibleEvent) -> int | None:
    seat = event.get("seat")
    return seat if isinstance(seat, int) else None
