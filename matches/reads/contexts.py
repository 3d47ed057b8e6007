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
    if match_state.game.with_names is None:
        return [None] * len(events)
    result: list[Hashable] = []
    ends = len(events)
    while ends:
        # Events before a rewind led to another state than those after it.
        rewinds = (place for place in reversed(range(ends)) if isinstance(events[place], MatchRewound))
        begins = next(rewinds, 0)
        version = upto - len(events) + ends
        after = match_state if match_state.version == version else repository.load(match_id, SPECTATOR, upto=version)
        result[:0] = after.game.contexts(after.state, events[begins:ends])
        ends = begins
    return result


def contexts_of_act(after: MatchState, rows: Sequence[Recorded]) -> list[Hashable]:
    """Return the context of each event of acts without a rewind that lead to this state. No I/O."""
    if after.game.with_names is None:
        return [None] * len(rows)
    return list(after.game.contexts(after.state, [codec.unpack(after.game, row, SPECTATOR) for row in rows]))
