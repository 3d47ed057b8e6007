"""How every act reaches the log: the truth at a locked head, the events folded, stored and told."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from events import chain
from events.optimistic import OptimisticDoor
from events.pipeline import Statement, array
from events.records import NewEvent, Recorded
from events.store import Door
from games.kernel import Event
from matches.domain import clocks, lifecycle, nonces, programs
from matches.domain.clocks import Deadline
from matches.domain.match_state import Folded, evolve
from matches.publishing import publisher, task_publisher
from matches.reads import feed
from matches.storage import codec, holds, outages, repository, seeds
from matches.storage.repository import NoSuchMatch

_MOVE_MATCH = """
UPDATE matches_match SET version = $2, status = $3, needs = $4, wake = $5, changed_at = $6,
    finished_at = coalesce(finished_at, $7)
WHERE id = $1
"""
_MOVE_CLOCK = """
INSERT INTO matches_deadline (match_id, falls_at) VALUES ($1, $2)
ON CONFLICT (match_id) DO UPDATE SET falls_at = excluded.falls_at
"""
_MOVE_ACCEPTANCE = """
UPDATE matches_seat SET awaited = number = ANY ($2::int[]) WHERE match_id = $1
"""

_MOVE_STAND_INS = """
UPDATE matches_seat SET stood_in = number = ANY ($2::int[]) WHERE match_id = $1
"""


class Draft(NamedTuple):
    """An act as it will be stored: its events with the ending that they bring, and the match after them.

    It can be made before the door tells the time, which nothing in it depends on but `after.at`.
    """

    before: Folded
    events: list[Event]
    after: Folded
    packed: list[NewEvent]


@contextmanager
def open_door(match_id: UUID, *, actor: str, key: str | None = None, wait: bool = True) -> Iterator[Door]:
    """The match's door, opened by one who knows of every outage; who waits for it in vain leaves a note of that."""
    outages.be_current()
    with holds.noted(match_id), Door(match_id, actor=actor, key=key, wait=wait) as door:
        yield door


def at_door(door: Door) -> Folded:
    """The truth at the head that the door has locked; raises NoSuchMatch."""
    if door.head is None:
        raise NoSuchMatch(str(door.stream))
    return repository.at_head(door.stream, door.head)


def overdue(match_id: UUID, folded: Folded, at: int) -> Deadline | None:
    """The first flag that has fallen before `at`, once the match has been given back what an outage took; none while
    nobody can come in."""
    if _overdue(match_id, folded, at) is None or outages.be_sure().is_outage:
        return None
    return _overdue(match_id, folded, at)


def _overdue(match_id: UUID, folded: Folded, at: int) -> Deadline | None:
    owed = outages.owed_to(match_id, folded, at)
    return clocks.overdue(clocks.credit(folded.clocks, owed.seconds, at) if owed else folded.clocks, at)


def draft(
    match_id: UUID, folded: Folded, events: Sequence[Event], at: int, actor: str, earlier: Folded | None = None
) -> Draft:
    """What these events of an actor's make of the match at an instant, in microseconds since 1970 UTC."""
    batch = list(events)
    after = _fold(folded, batch, at, actor, earlier)
    outcome = None if after.lifecycle.over else after.game.outcome(after.state)
    if outcome is not None:
        ending = lifecycle.finish(outcome, seeds.seed_of(match_id))
        batch.extend(ending)
        after = _fold(after, ending, at, actor)
    return Draft(folded, batch, after, [codec.pack(event) for event in batch])


def draft_ahead(match_id: UUID, folded: Folded, events: Sequence[Event], actor: str) -> Draft:
    """The draft of an act that will happen at an instant not yet known."""
    return draft(match_id, folded, events, folded.at + 1, actor)


def append(
    door: Door | OptimisticDoor,
    folded: Folded,
    act: Sequence[Event] | Draft,
    *,
    also: Sequence[Statement] = (),
    fingerprint: bytes | None = None,
    answer_to: int | None = None,
    attended: bool = False,
    earlier: Folded | None = None,
) -> tuple[list[Recorded], bytes | None]:
    """Store the act's events, and the match's end where they bring it; tell who listens.

    With `answer_to` the answer for that seat is stored under the door's key, and given beside the rows. `attended`
    says that the caller itself goes on to do what the house owes the match, so that no worker need be woken. `earlier`
    is the match at the version that a rewind among the events leads to.
    """
    made = _at_the_door(door, folded, act, earlier)
    after = made.after
    wake = waits_for_the_house(after)
    answers: list[bytes] = []

    def answer(rows: Sequence[Recorded]) -> bytes | None:
        if answer_to is None:
            return None
        answers.append(feed.accepted(made.events, rows, folded.game, answer_to))
        return answers[0]

    changes = [
        _move_match(door.stream, after, wake, door.arrived_at),
        *_move_clock(door.stream, folded, after),
        *also,
        *_move_acceptance(door.stream, folded, after),
        *_move_stand_ins(door.stream, folded, after),
    ]
    rows = door.append(
        made.packed,
        expected=folded.version,
        fingerprint=fingerprint,
        response=answer,
        also=[*changes, *outages.reached(door.stream)],
    )
    repository.remember(door.stream, after.sealed(rows[-1].hash))
    publisher.announce(door.stream, after.version, _called(folded, after))
    if wake and not attended:
        wake_up = (
            task_publisher.wake_for_bots
            if all(map(programs.is_program, after.lifecycle.movers))
            else task_publisher.wake_the_house
        )
        wake_up(door.stream)
    return rows, answers[0] if answers else None


def waits_for_the_house(folded: Folded) -> bool:
    """Whether the match waits for the dealer or a bot; while it is paused it waits for its host."""
    if folded.lifecycle.paused:
        return False
    if folded.due.dealer:
        return True
    return any(map(programs.is_program, folded.lifecycle.movers)) and programs.to_move(folded) is not None


def _at_the_door(
    door: Door | OptimisticDoor, folded: Folded, act: Sequence[Event] | Draft, earlier: Folded | None
) -> Draft:
    """The draft of an act at the instant of arriving, with what an outage owes the match before it."""
    at = chain.microseconds(door.arrived_at)
    owed = outages.owed_to(door.stream, folded, at)
    if not isinstance(act, Draft):
        return draft(door.stream, folded, [owed, *act] if owed else act, at, door.actor, earlier)
    if owed or act.before is not folded or at == folded.at:
        events = [owed, *act.events] if owed else act.events
        return draft(door.stream, folded, events, at, door.actor, earlier)
    return act._replace(after=act.after.happened(at))


def _fold(folded: Folded, events: Sequence[Event], at: int, actor: str, earlier: Folded | None = None) -> Folded:
    for event in events:
        version = folded.version + 1
        folded = evolve(folded, event, version=version, hash=folded.hash, at=at, actor=actor, earlier=earlier)
    return folded


def _move_match(match_id: UUID, after: Folded, wake: bool, at: datetime) -> Statement:
    """The statement that brings the match's row up to date."""
    needs = array(_needed(after))
    finished_at = at if after.lifecycle.over else None
    return _MOVE_MATCH, (match_id, after.version, after.lifecycle.status, needs, wake, at, finished_at)


def _needed(folded: Folded) -> list[str]:
    """The accounts that the match waits for: before the start those who have yet to accept."""
    story = folded.lifecycle
    if story.status == "waiting":
        return [player for seat in story.awaited if (player := story.players[seat])]
    movers = story.movers
    return [mover for p in folded.due.prompts if (mover := movers[p.seat]) and not programs.is_program(mover)]


def _called(before: Folded, after: Folded) -> set[str]:
    """The accounts that the match waits for now and didn't before."""
    return set(_needed(after)).difference(_needed(before))


def _move_clock(match_id: UUID, before: Folded, after: Folded) -> list[Statement]:
    """The statement that arms the next flag, or the start that is called, where it is another one than before."""
    armed, arming = _next_flag(before), _next_flag(after)
    return [] if armed == arming else [(_MOVE_CLOCK, (match_id, arming))]


def _move_acceptance(match_id: UUID, before: Folded, after: Folded) -> list[Statement]:
    """The statement that notes who has yet to accept, where that has changed."""
    awaited = after.lifecycle.awaited
    return [] if before.lifecycle.awaited == awaited else [(_MOVE_ACCEPTANCE, (match_id, array(awaited)))]


def _move_stand_ins(match_id: UUID, before: Folded, after: Folded) -> list[Statement]:
    """The statement that notes which seats the house plays for their absent people, where that has changed."""
    if before.lifecycle.stand_ins == after.lifecycle.stand_ins:
        return []
    return [(_MOVE_STAND_INS, (match_id, array(seat for seat, _ in after.lifecycle.stand_ins)))]


def _next_flag(folded: Folded) -> datetime | None:
    if folded.lifecycle.called is not None and nonces.is_called(folded.lifecycle):
        return chain.instant(folded.lifecycle.called.until)
    deadlines = clocks.deadlines(folded.clocks)
    return chain.instant(deadlines[0].falls_at) if deadlines else None
