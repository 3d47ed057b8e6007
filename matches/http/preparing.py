"""Preparing programs' usual requests: the token, and the match in this process's cache.

Missing data is loaded in separate threads with a short timeout, so that the first request about a match needn't take
the Django path. What fails is left to Django, which gives the response.
"""

import asyncio
from uuid import UUID

import psycopg
from django.db import DatabaseError

from games.kernel import HOST, Witness
from matches.http import authentication, token_cache
from matches.http.database_threads import preparing
from matches.models import AccessToken
from matches.services.preparing import prepare
from matches.storage import repository
from matches.storage.repository import BrokenRecord, NoSuchMatch

_SECONDS = 0.5


async def load_token(text: str) -> AccessToken | None:
    """Return the token with this text and its account, valid within the last minute; None otherwise."""
    cached = token_cache.cached_token(text)
    if cached is not None:
        return cached
    try:
        async with asyncio.timeout(_SECONDS):
            return await _load_token(text)
    except (TimeoutError, DatabaseError, psycopg.Error):
        return None


async def warm_cache(match_id: UUID, witness: Witness = HOST) -> bool:
    """Load a match into the cache as this witness sees it, for HOST with its seed; False if that fails."""
    return repository.cached_state(match_id, witness) is not None or await catch_up(match_id, witness)


async def catch_up(match_id: UUID, witness: Witness = HOST) -> bool:
    """Load the newest version of a match into the cache, as `warm_cache` does; False if that fails."""
    try:
        async with asyncio.timeout(_SECONDS):
            await _load(match_id, witness)
    except (TimeoutError, DatabaseError, psycopg.Error, NoSuchMatch, BrokenRecord):
        return False
    return True


@preparing
def _load_token(text: str) -> AccessToken | None:
    return authentication.load_token(text)


@preparing
def _load(match_id: UUID, witness: Witness) -> None:
    repository.load(match_id, witness)
    if witness == HOST:
        prepare(match_id)
