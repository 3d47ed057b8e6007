"""Identify the clients of new sockets: their credential, the match they name and their witness.

Clients that connect while a lookup runs are looked up together, with the queries that one client needs: after a restart
all clients connect at once.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextvars import Context
from typing import NamedTuple
from uuid import UUID

from events import database_errors
from games.kernel import HOST, SPECTATOR, Witness
from matches.http import authentication
from matches.http.authentication import Credential, SignedOut
from matches.http.database_threads import acting
from matches.http.match_access import match_named
from matches.http.problems import Problem
from matches.http.scopes import refuse_beyond
from matches.models import AccessToken
from matches.reads import entitlements, selectors
from matches.reads.selectors import Standing
from matches.realtime import access, inbound
from matches.realtime.access import Identity
from matches.services import timing
from matches.storage import repository


class ConnectRequest(NamedTuple):
    """The values that a client sends when it connects: the match's id or code, and a token or a session's key; neither
    for a stranger."""

    address: str
    name: str
    token: str | None = None
    session: str | None = None


class ConnectResult(NamedTuple):
    """The client's identity, the match, and the client's witness."""

    identity: Identity
    match_id: UUID
    witness: Witness


class Arrivals:
    """Looks up the clients that connect to this process. `at_once` limits how many are let in simultaneously."""

    def __init__(self, most: int) -> None:
        self.at_once = asyncio.Semaphore(most)
        self._waiting: list[tuple[ConnectRequest, asyncio.Future[ConnectResult]]] = []
        self._task: asyncio.Task[None] | None = None

    async def resolve(self, request: ConnectRequest) -> ConnectResult:
        """Return the client's identity, match and witness; raises SignedOut, Problem, NotEntitled."""
        result: asyncio.Future[ConnectResult] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, result))
        if self._task is None:
            # A new context: work for all isn't logged as part of the first client's request.
            self._task = asyncio.create_task(self._run(), name="arrivals", context=Context())
        return await result

    async def _run(self) -> None:
        """Run lookups until no client waits."""
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                for (_, future), outcome in zip(batch, await _look_up([request for request, _ in batch]), strict=True):
                    # The client may have disconnected.
                    if future.done():
                        continue
                    if isinstance(outcome, ConnectResult):
                        future.set_result(outcome)
                    else:
                        future.set_exception(outcome)
        finally:
            self._task = None


async def _look_up(requests: Sequence[ConnectRequest]) -> list[ConnectResult | Exception]:
    try:
        return await acting(resolve_all)(requests)
    except Exception as error:
        if len(requests) == 1 or isinstance(error, database_errors.ERRORS):
            return [error] * len(requests)
        # One request may have failed for all, so try each one alone.
        return [outcome for request in requests for outcome in await _look_up([request])]


def resolve_all(requests: Sequence[ConnectRequest]) -> list[ConnectResult | Exception]:
    """Return each client's result, or the exception that refuses it. Folds their matches for their witnesses, and for
    HOST if one of them holds a seat."""
    tokens = authentication.load_tokens({request.token for request in requests if request.token})
    named = {match_id for request in requests if (match_id := _id_of(request.name))}
    standings = {it.match_id: it for it in selectors.standing_of(named)} if named else {}
    repository.fold_ahead(dict.fromkeys(standings, (SPECTATOR,)))
    outcomes = [_outcome(request, tokens, standings) for request in requests]
    repository.fold_ahead(_witnesses(it for it in outcomes if isinstance(it, ConnectResult)))
    return outcomes


def _outcome(
    request: ConnectRequest, tokens: Mapping[str, AccessToken], standings: Mapping[UUID, Standing]
) -> ConnectResult | Exception:
    try:
        return _resolve(request, _identity(request, tokens), standings)
    except Exception as error:  # the others get their results
        return error


def _resolve(request: ConnectRequest, identity: Identity, standings: Mapping[UUID, Standing]) -> ConnectResult:
    """Count the connection, and find the match, with overdue flags fallen, and the witness."""
    inbound.spend_read(identity, request.address)
    refuse_beyond(identity.token, "match:read")
    match_id, newest = _id_of(request.name), None
    if match_id is None:
        match_id = match_named(request.name).id
    elif match_id not in standings:
        raise Problem("not_found")
    elif standings[match_id].overdue:
        timing.catch_up_for_a_reader(match_id=match_id)
    else:
        newest = standings[match_id].newest
    account = str(identity.account.id) if identity.account else None
    return ConnectResult(
        identity, match_id, entitlements.witness_of(entitlements.lifecycle_for(match_id, account, newest), account)
    )


def _identity(request: ConnectRequest, tokens: Mapping[str, AccessToken]) -> Identity:
    if request.token is not None:
        token = tokens.get(request.token)
        identity = Identity(token.account, token, Credential(token=token.id)) if token else None
    elif request.session is not None:
        identity = access.by_session(request.session)
    else:
        return access.STRANGER
    if identity is None:
        raise SignedOut("not_authenticated")
    return identity


def _witnesses(results: Iterable[ConnectResult]) -> dict[UUID, set[Witness]]:
    """Return the witnesses for whom each match will be shown."""
    witnesses = defaultdict[UUID, set[Witness]](set)
    for it in results:
        witnesses[it.match_id] |= {it.witness, HOST} if isinstance(it.witness, int) else {it.witness}
    return witnesses


def _id_of(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None
