"""A season's match that has a result is played on from an earlier version, with the next of its seeds."""

from uuid import UUID

from matches.domain import host_acts
from matches.domain.events import HOUSE
from matches.services.appending import append, match_at_head, open_transaction
from matches.services.hosting import rewindable
from matches.storage import repository, seeds


def refuse_reopening(match_id: UUID, to_version: int, reason: str) -> None:
    """Raise what `reopen` would raise as the match stands: match_over, not_finished, no_such_version, amid_an_act,
    no_further_seed."""
    known = repository.load(match_id)
    host_acts.reopen(known.lifecycle, known.version, to_version, reason)
    seeds.refuse_spent(match_id, known.lifecycle.reopened + 1)
    earlier = repository.load(match_id, upto=to_version)
    amid = to_version not in rewindable(match_id, after=to_version - 1)
    host_acts.refuse_rewinding_into(earlier.lifecycle, to_version, amid_an_act=amid)


def reopen(*, match_id: UUID, number: int, to_version: int, reason: str) -> None:
    """Carry out what a season has decided: the reopening of this number, from 1, of a finished match; nothing where
    that was done before. The match is paused: its host lets it go on.

    What its end has opened stays in the record; what is drawn from now on comes from another seed. Raises as
    `refuse_reopening`.
    """
    with open_transaction(match_id, actor=HOUSE) as transaction:
        match_state = match_at_head(transaction)
        if match_state.lifecycle.reopened >= number:
            return
        refuse_reopening(match_id, to_version, reason)
        events = host_acts.reopen(match_state.lifecycle, match_state.version, to_version, reason)
        append(transaction, match_state, events, earlier=repository.load(match_id, upto=to_version))
