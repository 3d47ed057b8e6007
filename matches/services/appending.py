"""Append an act: load the match at the locked head, fold the events, store them and publish hints."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType
from typing import Any, NamedTuple
from uuid import UUID

from events import chain
from events.pipeline import Statement, array
from events.records import NewEvent, Recorded
from events.store import StreamTransaction
from games.kernel import Event, Parts, Witness
from matches.domain import clocks, lifecycle, nonces, programs
from matches.domain.clocks import Deadline
from matches.domain.match_state import MatchState, evolve
from matches.publishing import publisher, task_publisher
from matches.reads import feed
from matches.storage import codec, holds, outages, repository, seeds, texts
from matches.storage.batch import STATEMENT, Acceptance, Beside, MatchRow, NextFlag
from matches.storage.repository import NoSuchMatch

_MOVE_STAND_INS = """
UPDATE matches_seat SET stood_in = number = ANY ($2::int[]) WHERE match_id = $1
"""


class Draft(NamedTuple):
    """An act ready to be stored: its events, including the match's end if they bring it about, the match after them,
    and the parts of the texts that they name.

    A draft can be made before the time of the act is known; only `after.at` depends on that time.
    """

    before: MatchState
    events: list[Event]
    after: MatchState
    packed: list[NewEvent]
    kept: Parts


@contextmanager
def open_transaction(
    match_id: UUID, *, actor: str, key: str | None = None, wait: bool = True
) -> Iterator[StreamTransaction]:
    """Open a transaction on the match with all ended outages loaded. If it waits for the lock in vain, a hold is
    recorded."""
    outages.refresh_if_stale()
    with holds.recording_hold(match_id), StreamTransaction(match_id, actor=actor, key=key, wait=wait) as transaction:
        yield transaction


def match_at_head(transaction: StreamTransaction) -> MatchState:
    """Return the match at the head that the transaction has locked; raises NoSuchMatch."""
    if transaction.head is None:
        raise NoSuchMatch(str(transaction.stream))
    return repository.at_head(transaction.stream, transaction.head)


def overdue(match_id: UUID, match_state: MatchState, at: int) -> Deadline | None:
    """Return the first flag that has fallen before `at`, after the credit for outages; None during an outage."""
    if _overdue(match_id, match_state, at) is None or outages.refresh().is_outage:
        return None
    return _overdue(match_id, match_state, at)


def _overdue(match_id: UUID, match_state: MatchState, at: int) -> Deadline | None:
    owed = outages.owed_to(match_id, match_state, at)
    return clocks.overdue(clocks.credit(match_state.clocks, owed.seconds, at) if owed else match_state.clocks, at)


def draft(
    match_id: UUID,
    match_state: MatchState,
    events: Sequence[Event],
    at: int,
    actor: str,
    earlier: MatchState | None = None,
    kept: Parts = MappingProxyType({}),
) -> Draft:
    """Return the draft of an actor's act at an instant, in microseconds since 1970 UTC."""
    batch = list(events)
    after = _fold(match_state, batch, at, actor, earlier)
    outcome = None if after.lifecycle.over else after.game.outcome(after.state)
    if outcome is not None:
        ending = lifecycle.finish(after.lifecycle, outcome, seeds.seed_of(match_id, after.lifecycle.seed_number))
        batch.extend(ending)
        after = _fold(after, ending, at, actor)
    return Draft(match_state, batch, after, [codec.pack(event) for event in batch], kept)


def draft_ahead(match_id: UUID, match_state: MatchState, events: Sequence[Event], actor: str, kept: Parts) -> Draft:
    """Return the draft of an act whose instant isn't known yet."""
    return draft(match_id, match_state, events, match_state.at + 1, actor, kept=kept)


def under_key(key: str | None, seat: int | None = None) -> dict[str, Any]:
    """Return the arguments of `append` that store an act under the transaction's key; none without a key. The key must
    identify the act with all its values. `seat` is the acting seat, None for a host."""
    return {"fingerprint": sha256(key.encode()).digest(), "answer_to": seat} if key else {}


def append(
    transaction: StreamTransaction,
    match_state: MatchState,
    act: Sequence[Event] | Draft,
    *,
    also: Sequence[Statement] = (),
    fingerprint: bytes | None = None,
    answer_to: Witness | None = None,
    attended: bool = False,
    earlier: MatchState | None = None,
    kept: Parts = MappingProxyType({}),
) -> tuple[list[Recorded], bytes | None]:
    """Append the act's events, and the match's end if they bring it about, and publish hints.

    With `answer_to`, the response for that witness is stored under the transaction's key and returned beside the rows;
    with only a `fingerprint`, an empty document is stored. `attended` means that the caller itself continues with the
    dealer's and the bots' acts, so no worker is woken. `earlier` is the match at the version to which a rewind among
    the events leads. `kept` are the parts of the texts that the events name; a draft has its own.
    """
    act_draft = _draft_now(transaction, match_state, act, earlier, kept)
    after = act_draft.after
    answers: list[bytes] = []

    def answer(rows: Sequence[Recorded]) -> bytes | None:
        if answer_to is None:
            return b"{}" if fingerprint else None
        answers.append(feed.accepted(rows, after, answer_to))
        return answers[0]

    changes = [
        *STATEMENT.changes(beside(transaction.stream, match_state, after, transaction.arrived_at)),
        *also,
        *_move_stand_ins(transaction.stream, match_state, after),
        *texts.storing(transaction.stream, transaction.actor, act_draft.kept),
    ]
    rows = transaction.append(
        act_draft.packed,
        expected=match_state.version,
        fingerprint=fingerprint,
        response=answer,
        also=[*changes, *outages.close_hold_sql(transaction.stream)],
    )
    committed(transaction.stream, match_state, after.sealed(rows[-1].hash), attended=attended)
    return rows, answers[0] if answers else None


def committed(match_id: UUID, before: MatchState, after: MatchState, *, attended: bool = False) -> None:
    """Cache the match after an act and publish hints; called after the commit."""
    repository.remember(match_id, after)
    publisher.announce(match_id, after.version, _newly_needed(before, after))
    if not attended and waits_for_program(after):
        wake_up = (
            task_publisher.wake_for_bots
            if all(map(programs.is_program, after.lifecycle.movers))
            else task_publisher.wake_the_house
        )
        wake_up(match_id)


def waits_for_program(match_state: MatchState) -> bool:
    """True if the match waits for the dealer or a bot; False while it is paused."""
    if match_state.lifecycle.paused:
        return False
    if match_state.due.dealer:
        return True
    return any(map(programs.is_program, match_state.lifecycle.movers)) and programs.to_move(match_state) is not None


def _draft_now(
    transaction: StreamTransaction,
    match_state: MatchState,
    act: Sequence[Event] | Draft,
    earlier: MatchState | None,
    kept: Parts,
) -> Draft:
    """Return the draft at the transaction's instant, with the credit that is due for an outage before it."""
    at = chain.microseconds(transaction.arrived_at)
    owed = outages.owed_to(transaction.stream, match_state, at)
    if not isinstance(act, Draft):
        events = [owed, *act] if owed else act
        return draft(transaction.stream, match_state, events, at, transaction.actor, earlier, kept)
    if owed or act.before is not match_state or at == match_state.at:
        events = [owed, *act.events] if owed else act.events
        return draft(transaction.stream, match_state, events, at, transaction.actor, earlier, act.kept)
    return act._replace(after=act.after.happened(at))


def _fold(
    match_state: MatchState, events: Sequence[Event], at: int, actor: str, earlier: MatchState | None = None
) -> MatchState:
    for event in events:
        version = match_state.version + 1
        match_state = evolve(
            match_state, event, version=version, hash=match_state.hash, at=at, actor=actor, earlier=earlier
        )
    return match_state


def beside(match_id: UUID, before: MatchState, after: MatchState, at: datetime) -> Beside:
    """Return what an act at this instant changes beside the log."""
    return _row_of(match_id, after, at), _flag_row(match_id, before, after), _acceptance(match_id, before, after)


def _row_of(match_id: UUID, after: MatchState, at: datetime) -> MatchRow:
    current, needs = after.lifecycle, array(_needed(after))
    finished_at = at if current.over else None
    return MatchRow(match_id, after.version, current.status, needs, waits_for_program(after), at, finished_at)


def _needed(match_state: MatchState) -> list[str]:
    """Return the accounts that the match waits for; before the start, those who haven't accepted yet."""
    current = match_state.lifecycle
    if current.status == "waiting":
        return [player for seat in current.awaited if (player := current.players[seat])]
    movers = current.movers
    return [mover for seat in match_state.due.seats if (mover := movers[seat]) and not programs.is_program(mover)]


def _newly_needed(before: MatchState, after: MatchState) -> set[str]:
    """Return the accounts that the match waits for after the act but not before it."""
    return set(_needed(after)).difference(_needed(before))


def _flag_row(match_id: UUID, before: MatchState, after: MatchState) -> NextFlag | None:
    """Return the next flag, or the deadline of a called start, if the act changes it."""
    flag_before, flag_after = _next_flag(before), _next_flag(after)
    return None if flag_before == flag_after else NextFlag(match_id, flag_after)


def _acceptance(match_id: UUID, before: MatchState, after: MatchState) -> Acceptance | None:
    """Return the seats that haven't accepted yet, if the act changes them."""
    awaited = after.lifecycle.awaited
    return None if before.lifecycle.awaited == awaited else Acceptance(match_id, array(awaited))


def _move_stand_ins(match_id: UUID, before: MatchState, after: MatchState) -> list[Statement]:
    """Return the statement that stores which seats have a stand-in, if the act changes them."""
    if before.lifecycle.stand_ins == after.lifecycle.stand_ins:
        return []
    return [(_MOVE_STAND_INS, (match_id, array(seat for seat, _ in after.lifecycle.stand_ins)))]


def _next_flag(match_state: MatchState) -> datetime | None:
    if match_state.lifecycle.called is not None and nonces.is_called(match_state.lifecycle):
        return chain.instant(match_state.lifecycle.called.until)
    deadlines = clocks.deadlines(match_state.clocks)
    return chain.instant(deadlines[0].falls_at) if deadlines else None
