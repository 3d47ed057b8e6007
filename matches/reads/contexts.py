"""Contexts of events for a game's sentences: where in the match each event happened."""

from collections.abc import Hashable, Sequence
from uuid import UUID

from events.records import Recorded
from games.kernel import SPECTATOR, Event
from matches.domain.events import MatchRewound
from matches.domain.match_state import MatchState
from matches.storage import codec, repository


def contexts(match_state: MatchState, match_id: UUID, events: Sequence[Event], upto: int) -> list[Hashable]:
    """Return the context of each of consecutive events, of which the last has the version `upto`. `match_state` is the
    match as any witness sees it, at any version."""
    game = match_state.game
    if game.with_names is None or not events:
        return [None] * len(events)
    # Events before a rewind led to another state than those after it.
    begins = [0, *(place for place, event in enumerate(events) if place and isinstance(event, MatchRewound))]
    ends = [*begins[1:], len(events)]
    versions = [upto - len(events) + end for end in ends]
    earlier = repository.states_at(match_id, [it for it in versions if it != match_state.version], SPECTATOR)
    states = {it.version: it for it in (*earlier, match_state)}
    return [
        context
        for begin, end, version in zip(begins, ends, versions, strict=True)
        for context in game.contexts(states[version].state, events[begin:end])
    ]


def contexts_of_act(after: MatchState, rows: Sequence[Recorded]) -> list[Hashable]:
    """Return the context of each event of acts without a rewind that lead to this state. No I/O."""
    if after.game.with_names is None:
        return [None] * len(rows)
    return list(after.game.contexts(after.state, [codec.unpack(after.game, row, SPECTATOR) for row in rows]))
