"""What a program's usual request is answered from: its token, and its match as this process remembers it.

What isn't at hand is read in threads of its own, so that the first request about a match needn't be Django's either.
It is waited for shortly; whatever can't be had by then is for Django, which says what is the matter.
"""

import asyncio
from uuid import UUID

import psycopg
from django.db import DatabaseError

from games.kernel import HOST, Witness
from matches import services
from matches.http import authentication, known_tokens
from matches.http.database_threads import preparing
from matches.models import AccessToken
from matches.storage import repository
from matches.storage.repository import BrokenRecord, NoSuchMatch

_SECONDS = 0.5


async def token_behind(text: str) -> AccessToken | None:
    """The token behind this text with its account, found good within the last minute; None where it isn't."""
    known = known_tokens.known(text)
    if known is not None:
        return known
    try:
        async with asyncio.timeout(_SECONDS):
            return await _find(text)
    except (TimeoutError, DatabaseError, psycopg.Error):
        return None


async def remember(match_id: UUID, witness: Witness = HOST) -> bool:
    """Have this process remember a match as this witness knows it, for the house with its seed; False where it
    can't."""
    if repository.last_seen(match_id, witness) is not None:
        return True
    try:
        async with asyncio.timeout(_SECONDS):
            await _load(match_id, witness)
    except (TimeoutError, DatabaseError, psycopg.Error, NoSuchMatch, BrokenRecord):
        return False
    return True


@preparing
def _find(text: str) -> AccessToken | None:
    return authentication.find(text)


@preparing
def _load(match_id: UUID, witness: Witness) -> None:
    if witness == HOST:
        services.prepare(match_id)
    else:
        repository.load(match_id, witness)
