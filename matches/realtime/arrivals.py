"""Who comes over a socket: their credential, the match they name and what they are there.

All that come while some are looked for are looked for together, in the trips to the database that one would take: after
a restart everybody comes at once.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextvars import Context
from typing import NamedTuple
from uuid import UUID

from events import database_errors
from games.kernel import HOST, SPECTATOR, Witness
from matches import services
from matches.http import authentication
from matches.http.authentication import Credential, SignedOut
from matches.http.database_threads import acting
from matches.http.match_access import match_named
from matches.http.problems import Problem
from matches.http.scopes import refuse_beyond
from matches.models import AccessToken
from matches.reads import feed, selectors
from matches.reads.selectors import Standing
from matches.realtime import access, inbound
from matches.realtime.access import Identity
from matches.storage import repository


class Comer(NamedTuple):
    """What somebody says who comes: the match's id or code, and a token or a session's key; neither, where they are a
    stranger."""

    address: str
    name: str
    token: str | None = None
    session: str | None = None


class Arrived(NamedTuple):
    """Who has come, the match, and the witness that they are there."""

    identity: Identity
    match_id: UUID
    witness: Witness


class Arrivals:
    """Finds out about those who come to a process. So many are let in `at_once`."""

    def __init__(self, most: int) -> None:
        self.at_once = asyncio.Semaphore(most)
        self._waiting: list[tuple[Comer, asyncio.Future[Arrived]]] = []
        self._task: asyncio.Task[None] | None = None

    async def find(self, comer: Comer) -> Arrived:
        """Who it is, and where they are; raises SignedOut, Problem, NotEntitled."""
        arrived: asyncio.Future[Arrived] = asyncio.get_running_loop().create_future()
        self._waiting.append((comer, arrived))
        if self._task is None:
            # Nobody's request: what is done for all isn't noted as that of whoever came first.
            self._task = asyncio.create_task(self._run(), name="arrivals", context=Context())
        return await arrived

    async def _run(self) -> None:
        """Look until nobody waits."""
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                for (_, arrived), found in zip(batch, await _find([comer for comer, _ in batch]), strict=True):
                    # Whoever came may have left.
                    if arrived.done():
                        continue
                    if isinstance(found, Arrived):
                        arrived.set_result(found)
                    else:
                        arrived.set_exception(found)
        finally:
            self._task = None


async def _find(comers: Sequence[Comer]) -> list[Arrived | Exception]:
    try:
        return await acting(look)(comers)
    except Exception as error:
        if len(comers) == 1 or isinstance(error, database_errors.ERRORS):
            return [error] * len(comers)
        # One of them may have spoilt it for the others.
        return [found for comer in comers for found in await _find([comer])]


def look(comers: Sequence[Comer]) -> list[Arrived | Exception]:
    """Each one's place, or why they have none. Their matches are folded for them; for the house, too, where somebody
    sits down."""
    tokens = authentication.find_all({comer.token for comer in comers if comer.token})
    named = {match_id for comer in comers if (match_id := _id_of(comer.name))}
    standings = {it.match_id: it for it in selectors.standing_of(named)} if named else {}
    repository.fold_ahead(dict.fromkeys(standings, (SPECTATOR,)))
    found = [_found(comer, tokens, standings) for comer in comers]
    repository.fold_ahead(_shown(it for it in found if isinstance(it, Arrived)))
    return found


def _found(comer: Comer, tokens: Mapping[str, AccessToken], standings: Mapping[UUID, Standing]) -> Arrived | Exception:
    try:
        return _placed(comer, _identity(comer, tokens), standings)
    except Exception as error:  # the others' places are found all the same
        return error


def _placed(comer: Comer, identity: Identity, standings: Mapping[UUID, Standing]) -> Arrived:
    """Count the arrival, and find the match, its overdue flags fallen, and the witness."""
    inbound.spend_read(identity, comer.address)
    refuse_beyond(identity.token, "match:read")
    match_id, newest = _id_of(comer.name), None
    if match_id is None:
        match_id = match_named(comer.name).id
    elif match_id not in standings:
        raise Problem("not_found")
    elif standings[match_id].overdue:
        services.catch_up_for_a_reader(match_id=match_id)
    else:
        newest = standings[match_id].newest
    account = str(identity.account.id) if identity.account else None
    return Arrived(identity, match_id, feed.witness_of(feed.story(match_id, account, newest), account))


def _identity(comer: Comer, tokens: Mapping[str, AccessToken]) -> Identity:
    if comer.token is not None:
        token = tokens.get(comer.token)
        found = Identity(token.account, token, Credential(token=token.id)) if token else None
    elif comer.session is not None:
        found = access.by_session(comer.session)
    else:
        return access.STRANGER
    if found is None:
        raise SignedOut("not_authenticated")
    return found


def _shown(arrived: Iterable[Arrived]) -> dict[UUID, set[Witness]]:
    """Whom each match will be shown to."""
    shown = defaultdict[UUID, set[Witness]](set)
    for it in arrived:
        shown[it.match_id] |= {it.witness, HOST} if isinstance(it.witness, int) else {it.witness}
    return shown


def _id_of(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None
