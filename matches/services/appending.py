"""How every act reaches the log: the truth at a locked head, the events folded, stored and told."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from events import chain
from events.records import Recorded
from events.roundtrip import Statement, array
from events.store import Door
from games.kernel import Event
from matches import clocks, codec, feed, hints, lifecycle, seeds, table
from matches.folded import Folded, evolve
from matches.happenings import BOT
from matches.table import NoSuchMatch

_MOVE_MATCH = """
UPDATE matches_match SET version = $2, status = $3, needs = $4, wake = $5, changed_at = $6,
    finished_at = coalesce(finished_at, $7)
WHERE id = $1
"""
_MOVE_CLOCK = """
INSERT INTO matches_deadline (match_id, falls_at) VALUES ($1, $2)
ON CONFLICT (match_id) DO UPDATE SET falls_at = excluded.falls_at
"""


def at_door(door: Door) -> Folded:
    """The truth at the head that the door has locked; raises NoSuchMatch."""
    if door.head is None:
        raise NoSuchMatch(str(door.stream))
    return table.at_head(door.stream, door.head)


def append(
    door: Door,
    folded: Folded,
    events: Sequence[Event],
    *,
    also: Sequence[Statement] = (),
    fingerprint: bytes | None = None,
    answer_to: int | None = None,
    attended: bool = False,
    earlier: Folded | None = None,
) -> tuple[list[Recorded], bytes | None]:
    """Store the events, and the match's end where they bring it; tell who listens.

    With `answer_to` the answer for that seat is stored under the door's key, and given beside the rows. `attended`
    says that the caller itself goes on to do what the house owes the match, so that no worker need be woken. `earlier`
    is the match at the version that a rewind among the events leads to.
    """
    after, batch = _with_ending(door, folded, events, earlier)
    wake = waits_for_the_house(after)
    answers: list[bytes] = []

    def answer(rows: list[Recorded]) -> bytes | None:
        if answer_to is None:
            return None
        answers.append(feed.accepted(batch, rows, folded.game, answer_to))
        return answers[0]

    rows = door.append(
        [codec.pack(event) for event in batch],
        expected=folded.version,
        fingerprint=fingerprint,
        response=answer,
        also=[_move_match(door.stream, after, wake, door.arrived_at), *_move_clock(door.stream, folded, after), *also],
    )
    table.remember(door.stream, replace(after, hash=rows[-1].hash))
    if wake and not attended:
        hints.wake_the_house(door.stream)
    return rows, answers[0] if answers else None


def bot_to_move(folded: Folded) -> int | None:
    """The first seat whose prompt a program answers."""
    players = folded.lifecycle.players
    return next((p.seat for p in folded.due.prompts if players[p.seat] == BOT), None)


def waits_for_the_house(folded: Folded) -> bool:
    """Whether the match waits for the dealer or a bot; while it is paused it waits for its host."""
    if folded.lifecycle.paused:
        return False
    return folded.due.dealer or (BOT in folded.lifecycle.players and bot_to_move(folded) is not None)


def _with_ending(
    door: Door, folded: Folded, events: Sequence[Event], earlier: Folded | None
) -> tuple[Folded, list[Event]]:
    batch = list(events)
    after = _fold(door, folded, batch, earlier)
    outcome = None if after.lifecycle.over else after.game.outcome(after.state)
    if outcome is not None:
        ending = lifecycle.finish(outcome, seeds.seed_of(door.stream))
        batch.extend(ending)
        after = _fold(door, after, ending)
    return after, batch


def _fold(door: Door, folded: Folded, events: Sequence[Event], earlier: Folded | None = None) -> Folded:
    at = chain.microseconds(door.arrived_at)
    for event in events:
        folded = evolve(folded, event, version=folded.version + 1, hash=folded.hash, at=at, earlier=earlier)
    return folded


def _move_match(match_id: UUID, after: Folded, wake: bool, at: datetime) -> Statement:
    """The statement that brings the match's row up to date."""
    players = after.lifecycle.players
    needs = array(player for p in after.due.prompts if (player := players[p.seat]) and player != BOT)
    finished_at = at if after.lifecycle.over else None
    return _MOVE_MATCH, (match_id, after.version, after.lifecycle.status, needs, wake, at, finished_at)


def _move_clock(match_id: UUID, before: Folded, after: Folded) -> list[Statement]:
    """The statement that arms the next flag, where it is another one than before."""
    armed, arming = _next_flag(before), _next_flag(after)
    return [] if armed == arming else [(_MOVE_CLOCK, (match_id, arming))]


def _next_flag(folded: Folded) -> datetime | None:
    deadlines = clocks.deadlines(folded.clocks)
    return chain.instant(deadlines[0].falls_at) if deadlines else None
