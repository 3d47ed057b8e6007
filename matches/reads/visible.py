"""What of a match a witness may see now: a spectator with its delay, a seat without what the match doesn't recall."""

from collections.abc import Sequence
from functools import lru_cache
from uuid import UUID

from events import chain, store
from events.records import Point, Recorded
from games.kernel import SPECTATOR, Event, Witness
from matches.domain import aids
from matches.domain.match_state import MatchState
from matches.storage import codec, repository, seeds


def visible_state(match_id: UUID, witness: Witness, upto: int | None = None) -> MatchState:
    """The match at a version (its newest without one) as this witness may see it now; a spectator's delay is kept, and
    nothing is remembered for those who watch or play at a match without aids."""
    match_state = _known_state(match_id, witness, upto)
    if match_state.lifecycle.opened.aids != "none":
        return match_state
    newest, eyes = _known_state(match_id, witness), looking_back(match_id, witness, upto)
    return aids.shown(match_state if eyes == witness else _known_state(match_id, eyes, upto), newest.lifecycle, witness)


def _known_state(match_id: UUID, witness: Witness, upto: int | None = None) -> MatchState:
    """The match at a version as this witness was told it by now."""
    if witness is SPECTATOR:
        newest = repository.load(match_id, SPECTATOR)
        if delay := newest.lifecycle.opened.spectator_delay:
            ripe = max(1, store.aged(match_id, delay))
            upto = ripe if upto is None else min(upto, ripe)
        elif upto is None:
            return newest
    return repository.load(match_id, witness, upto=upto)


def state_for_the_record(match_id: UUID, witness: Witness) -> MatchState:
    """What of a match this witness may take away now: `visible_state`, but for an end that spectators have been told of
    and that no longer stands, since the match is played on. It opens nothing, so what they may take ends before it."""
    told = visible_state(match_id, witness)
    if not told.lifecycle.over or told.lifecycle.rewinds == repository.load(match_id, SPECTATOR).lifecycle.rewinds:
        return told
    ends = (row.version for row in store.read(match_id, upto=told.version) if row.type == "match_finished")
    return visible_state(match_id, witness, max(ends) - 1)


def looking_back(match_id: UUID, witness: Witness, upto: int | None) -> Witness:
    """Whose eyes a witness sees a version of the match with (its newest without one): its own, but a spectator's where
    a seat of a match without aids asks for the past. What all were told stands in the record, for all to read."""
    if upto is None or not isinstance(witness, int):
        return witness
    newest = repository.load(match_id, witness)
    is_past = upto < newest.version and not aids.remembers(newest.lifecycle, witness)
    return SPECTATOR if is_past else witness


def remembers(match_id: UUID, witness: Witness) -> bool:
    """Whether this witness is shown again what it was told before."""
    return aids.remembers(_known_state(match_id, witness).lifecycle, witness)


def told(match_state: MatchState, match_id: UUID, witness: Witness, rows: Sequence[Recorded]) -> list[Event]:
    """Stored events as this witness is told them now. What a seat of a match without aids was told alone, it is told
    with the act that brought it, and afterwards as spectators are."""
    newest = match_state
    if match_state.lifecycle.opened.aids == "none":
        newest = _known_state(match_id, witness)
    return told_as_of(newest, witness, rows)


def told_as_of(newest: MatchState, witness: Witness, rows: Sequence[Recorded]) -> list[Event]:
    """The same where this is the newest that the witness was told of; asks nobody."""
    game = newest.game
    if aids.remembers(newest.lifecycle, witness):
        return [codec.unpack(game, row, witness) for row in rows]
    return [codec.unpack(game, row, witness if _is_new(newest, row) else SPECTATOR) for row in rows]


def _is_new(newest: MatchState, row: Recorded) -> bool:
    """Whether an event came with the match's latest act, or beside it since."""
    return chain.microseconds(row.at) >= newest.acted_at


def visible_version(match_id: UUID, witness: Witness) -> int:
    """The newest version that this witness may see; a match without delay isn't loaded for it."""
    if witness is SPECTATOR and (delay := _delay_of(match_id)):
        return max(1, store.aged(match_id, delay))
    return repository.version_of(match_id)


def visible_point(match_id: UUID, witness: Witness) -> Point:
    """The newest point that this witness may see; a match without delay isn't loaded for it."""
    if witness is SPECTATOR and _delay_of(match_id):
        match_state = visible_state(match_id, SPECTATOR)
        return Point(match_state.version, match_state.hash)
    return repository.end_of(match_id)


@lru_cache(maxsize=seeds.KEPT)
def _delay_of(match_id: UUID) -> int:
    """The spectators' delay in seconds; it never changes after the opening."""
    return repository.load(match_id, SPECTATOR).lifecycle.opened.spectator_delay


repository.when_lost.append(_delay_of.cache_clear)
