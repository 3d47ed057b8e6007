"""Admission: a command that would wait too long is refused before any work is done, unless its player is short of time.

The refusal changes nothing and isn't counted against any limit: the same request can be sent again under the same key.
Commands of a match whose next flag is near are always admitted, and an admitted command is judged by its arrival. So a
client that obeys Retry-After loses no flag by it.
"""

import math
from uuid import UUID

from matches.http import metrics
from matches.http.problems import Problem
from matches.services import fast_way
from matches.storage import repository

LONGEST_WAIT_SECONDS = 2.0
"""A command isn't admitted while the oldest admitted command has waited longer."""
_LONGEST_RETRY_SECONDS = 5
"""A refused client retries several times before its match becomes urgent."""


class Overloaded(Problem):
    """A command was refused as it would have waited too long; it may be sent again in `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__("overloaded", headers={"Retry-After": str(seconds)}, retry_after=seconds)


def refuse_beyond_capacity(match_id: UUID) -> None:
    """Raise Overloaded if a command of this match would have to wait long and can. No I/O."""
    wait = fast_way.longest_wait()
    if wait <= LONGEST_WAIT_SECONDS or not _can_wait(match_id):
        return
    metrics.LEFT_OUT.inc()
    raise Overloaded(min(math.ceil(wait), _LONGEST_RETRY_SECONDS))


def _can_wait(match_id: UUID) -> bool:
    """True if no flag of the match falls soon; False if memory doesn't tell."""
    match_state = repository.cached_state(match_id)
    return match_state is not None and not fast_way.is_urgent(match_state)
