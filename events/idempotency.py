"""Stored responses of idempotent commands, and their rewriting after an erasure."""

from collections.abc import Callable, Iterable
from uuid import UUID

from events import store
from events.pipeline import array, roundtrip

_HOLDING = """
SELECT stream, actor, key, response FROM events_key WHERE stream = ANY($1) AND position($2 in response) > 0
"""
_REPLACE = "UPDATE events_key SET response = $4 WHERE stream = $1 AND actor = $2 AND key = $3"


def rewrite_answers(streams: Iterable[UUID], words: bytes, again: Callable[[UUID, bytes], bytes]) -> None:
    """Replace each stored response of these streams that contains `words` with the result of `again(stream,
    response)`."""
    (stored_responses,) = roundtrip(store.raw_connection(), [(_HOLDING, (array(map(str, streams)), words))])
    rewritten = [
        (_REPLACE, (stream, actor, key, again(stream, response))) for stream, actor, key, response in stored_responses
    ]
    if rewritten:
        roundtrip(store.raw_connection(), rewritten)
