"""The visible part of a match: for a spectator with its delay, for a seat without what the match's aids
don't recall."""

from collections.abc import Sequence
from functools import lru_cache
from uuid import UUID

from events import chain, store
from events.records import Point, Recorded
from games.kernel import HOST, SPECTATOR, Event, Witness, texts_in
from matches.domain import aids
from matches.domain.match_state import MatchState
from matches.storage import codec, repository, seeds, texts


def witness_of_mover(mover: Witness) -> Witness:
    """Return the witness as which whoever gives a command is answered: a seat as itself, HOST as a spectator, since
    only a look on record shows the truth."""
    return SPECTATOR if mover is HOST else mover


def visible_state(match_id: UUID, witness: Witness, upto: int | None = None) -> MatchState:
    """Return the match at a version (default: its newest) as this witness may see it now.

    A spectator's delay applies, and without aids nothing is remembered for those who watch or play.
    """
    match_state = _witnessed_state(match_id, witness, upto)
    if match_state.lifecycle.opened.aids != "none":
        return _readable(match_state, match_id)
    newest, eyes = _witnessed_state(match_id, witness), looking_back(match_id, witness, upto)
    witnessed = match_state if eyes == witness else _witnessed_state(match_id, eyes, upto)
    return _readable(aids.shown(witnessed, newest.lifecycle, witness), match_id)


def shown_state(match_state: MatchState, match_id: UUID, witness: Witness) -> MatchState:
    """Return the newest match as this witness may be shown it."""
    return _readable(aids.shown(match_state, match_state.lifecycle, witness), match_id)


def _readable(match_state: MatchState, match_id: UUID) -> MatchState:
    """Return the match with its texts; they are read now, so those that were withdrawn meanwhile aren't among them."""
    if not match_state.game.keeps_texts:
        return match_state
    return match_state.showing(texts.readable(match_state.game, match_id, match_state.state))


def _witnessed_state(match_id: UUID, witness: Witness, upto: int | None = None) -> MatchState:
    """Return the match at a version as this witness has seen it by now."""
    if witness is SPECTATOR:
        newest = repository.load(match_id, SPECTATOR)
        if delay := newest.lifecycle.opened.spectator_delay:
            ripe = max(1, store.aged(match_id, delay))
            upto = ripe if upto is None else min(upto, ripe)
        elif upto is None:
            return newest
    return repository.load(match_id, witness, upto=upto)


def state_for_the_record(match_id: UUID, witness: Witness) -> MatchState:
    """Return the part of a match that this witness may download now: `visible_state`, except after a reopened end.

    An end that spectators have seen and that no longer counts opens nothing, so what they may download ends before it.
    """
    visible = visible_state(match_id, witness)
    if (
        not visible.lifecycle.is_open
        or visible.lifecycle.rewinds == repository.load(match_id, SPECTATOR).lifecycle.rewinds
    ):
        return visible
    ends = (row.version for row in store.read(match_id, upto=visible.version) if row.type == "match_finished")
    return visible_state(match_id, witness, max(ends) - 1)


def looking_back(match_id: UUID, witness: Witness, upto: int | None) -> Witness:
    """Return the witness whose view applies to a version (default: its newest): the same, but SPECTATOR for a seat of a
    match without aids that asks for the past. The public record is open to all."""
    if upto is None or not isinstance(witness, int):
        return witness
    newest = repository.load(match_id, witness)
    is_past = upto < newest.version and not aids.remembers(newest.lifecycle, witness)
    return SPECTATOR if is_past else witness


def remembers(match_id: UUID, witness: Witness) -> bool:
    """True if this witness is shown again what it has seen before."""
    return aids.remembers(_witnessed_state(match_id, witness).lifecycle, witness)


def names_texts(match_state: MatchState, rows: Sequence[Recorded]) -> bool:
    """True if the match or these events name texts, which only a query reads."""
    game = match_state.game
    if not game.keeps_texts:
        return False
    events = [codec.unpack(game, row, HOST) for row in rows]
    return any(True for _ in texts_in([match_state.state, events]))


def shown_events(match_state: MatchState, match_id: UUID, witness: Witness, rows: Sequence[Recorded]) -> list[Event]:
    """Return stored events as this witness sees them now, with commitments in place of texts. In a match without aids a
    seat's secrets are shown with the act that revealed them, and later redacted as for spectators."""
    newest = match_state
    if match_state.lifecycle.opened.aids == "none":
        newest = _witnessed_state(match_id, witness)
    return [codec.unpack(newest.game, row, as_of(newest, witness, row)) for row in rows]


def as_of(newest: MatchState, witness: Witness, row: Recorded) -> Witness:
    """Return as whom this witness sees a stored event: as a spectator if it isn't shown its secrets again, because the
    event is older than the latest act and the asides since. `newest` must be the witness's newest state. No I/O."""
    is_shown = aids.remembers(newest.lifecycle, witness) or chain.microseconds(row.at) >= newest.acted_at
    return witness if is_shown else SPECTATOR


def visible_version(match_id: UUID, witness: Witness) -> int:
    """Return the newest version that this witness may see; a match without delay isn't loaded for it."""
    if witness is SPECTATOR and (delay := _delay_of(match_id)):
        return max(1, store.aged(match_id, delay))
    return repository.version_of(match_id)


def visible_point(match_id: UUID, witness: Witness) -> Point:
    """Return the newest point that this witness may see; a match without delay isn't loaded for it."""
    if witness is SPECTATOR and _delay_of(match_id):
        match_state = visible_state(match_id, SPECTATOR)
        return Point(match_state.version, match_state.hash)
    return repository.end_of(match_id)


@lru_cache(maxsize=seeds.KEPT)
def _delay_of(match_id: UUID) -> int:
    """Return the spectators' delay in seconds; it never changes after the opening."""
    return repository.load(match_id, SPECTATOR).lifecycle.opened.spectator_delay


repository.when_lost.append(_delay_of.cache_clear)
