"""Acts of a season on its matches that are over: play continues from an earlier version, or secrets open."""

from uuid import UUID

from games.kernel import SPECTATOR
from matches.domain import host_acts
from matches.domain.events import HOUSE, SeedRevealed
from matches.domain.match_state import MatchState
from matches.services.appending import append, match_at_head, open_transaction
from matches.services.hosting import is_amid_an_act
from matches.storage import repository, seeds


def refuse_reopening(match_id: UUID, to_version: int, reason: str) -> None:
    """Raise what `reopen` would raise now: match_over, not_finished, no_such_version, amid_an_act, no_further_seed."""
    match_state = repository.load(match_id)
    host_acts.reopen(match_state.lifecycle, match_state.version, to_version, reason)
    if match_state.lifecycle.is_open:
        seeds.refuse_spent(match_id, match_state.lifecycle.seed_number + 1)
    earlier = repository.load(match_id, upto=to_version)
    host_acts.refuse_rewinding(match_state, earlier, amid_an_act=is_amid_an_act(match_id, to_version))


def reopen(*, match_id: UUID, number: int, to_version: int, reason: str) -> None:
    """Reopen a finished match as its season has decided; does nothing if reopening `number` (from 1) was done before.
    The match is paused until its host resumes it.

    The secrets that its end has revealed stay in the record; later draws come from another seed. Raises as
    `refuse_reopening`.
    """
    with open_transaction(match_id, actor=HOUSE) as transaction:
        match_state = match_at_head(transaction)
        if match_state.lifecycle.reopened >= number:
            return
        refuse_reopening(match_id, to_version, reason)
        events = host_acts.reopen(match_state.lifecycle, match_state.version, to_version, reason)
        append(transaction, match_state, events, earlier=repository.load(match_id, upto=to_version))


def open_secrets(match_id: UUID) -> None:
    """Reveal the seed of a match that is over, and with it every secret, because its season has ended; does nothing if
    they are open, or while it is played."""
    if not _waits_for_its_season(repository.load(match_id, SPECTATOR)):
        return
    with open_transaction(match_id, actor=HOUSE) as transaction:
        match_state = match_at_head(transaction)
        if _waits_for_its_season(match_state):
            seed = seeds.seed_of(match_id, match_state.lifecycle.seed_number)
            append(transaction, match_state, [SeedRevealed(seed.hex())])


def _waits_for_its_season(match_state: MatchState) -> bool:
    return match_state.lifecycle.over and not match_state.lifecycle.is_open
