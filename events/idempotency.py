"""Stored answers of idempotent commands, rewritten where they hold what has been erased."""

from collections.abc import Callable, Iterable
from uuid import UUID

from events import store
from events.pipeline import array, roundtrip

_HOLDING = """
SELECT stream, actor, key, response FROM events_key WHERE stream = ANY($1) AND position($2 in response) > 0
"""
_REPLACE = "UPDATE events_key SET response = $4 WHERE stream = $1 AND actor = $2 AND key = $3"


def rewrite_answers(streams: Iterable[UUID], words: bytes, again: Callable[[UUID, bytes], bytes]) -> None:
    """Replace each stored answer of these streams that holds these words by what `again` makes of stream and answer."""
    (kept,) = roundtrip(store.raw_connection(), [(_HOLDING, (array(map(str, streams)), words))])
    rewritten = [(_REPLACE, (stream, actor, key, again(stream, answer))) for stream, actor, key, answer in kept]
    if rewritten:
        roundtrip(store.raw_connection(), rewritten)
