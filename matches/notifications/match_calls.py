"""Calls about matches: a turn, an invitation, a start, an end, an offer, an answer, time running out; and to hosts
whose command a match awaits."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import structlog

from events import store
from games.kernel import HOST, SPECTATOR, Prompt
from matches.domain import offers
from matches.domain.lifecycle import Lifecycle
from matches.domain.match_state import MatchState
from matches.models import Call, Match
from matches.notifications import calls
from matches.notifications.calls import Cause
from matches.notifications.notices import person_at, run_of, warnings_due
from matches.reads import permissions
from matches.storage import repository
from matches.storage.repository import BrokenRecord

log = structlog.get_logger(__name__)

_lookout = calls.Lookout(1)
_OF_HOST = "host "
"""The causes of calls to a match's hosts begin with it."""
_WARNED_WITHIN = timedelta(days=2)
"""Four fifths of a turn are over at most this long before its flag, however long the turn is."""


def queue_new_calls() -> int:
    """Queue calls for news in matches; return the number of new calls."""
    at, moved = store.clock(), _lookout.moved()
    causes: list[Cause] = []
    failed: list[UUID] = []
    for match in Match.objects.filter(id__in=moved.streams).prefetch_related("seats").order_by("changed_at"):
        try:
            causes += _causes(match)
        except BrokenRecord as error:
            # One frozen match must not delay the news of all others.
            log.error("match_not_looked_at", match=str(match.id), broken=str(error))
            failed.append(match.id)
    new_calls = calls.queue(causes)
    _lookout.done(moved, failed, at)
    return new_calls


def remind() -> int:
    """Queue calls about running turns' remaining time; return the number of new calls."""
    at, causes = store.clock(), []
    soon = Match.objects.filter(status=Match.Status.RUNNING, deadline__falls_at__lte=at + _WARNED_WITHIN)
    for match in soon:
        try:
            match_state = repository.load(match.id, SPECTATOR)
        except BrokenRecord as error:
            log.error("match_not_looked_at", match=str(match.id), broken=str(error))
            continue
        for cause, prompt in _turns(match, match_state):
            if run := run_of(match_state, prompt):
                due = warnings_due(match_state, run, at)
                causes += [cause._replace(kind="reminder", cause=f"{cause.cause} {which}") for which in due]
    return calls.queue(causes)


def is_to_host(call: Call) -> bool:
    """True if a call asks a match's host for a command."""
    return call.match_id is not None and call.cause.startswith(_OF_HOST)


def is_awaited(call: Call) -> bool:
    """True if the match still waits for the act that a call asks for."""
    if call.kind == "offer":
        return _is_offered(call)
    if is_to_host(call):
        return _is_host_asked(call)
    return Match.objects.filter(
        id=call.match_id, status=Match.Status.RUNNING, needs__contains=[call.account_id]
    ).exists()


def _is_offered(call: Call) -> bool:
    match = Match.objects.get(id=call.match_id)
    try:
        waiting = _offers(match, repository.load(match.id, SPECTATOR).lifecycle)
        return any((it.account, it.cause) == (call.account_id, call.cause) for it in waiting)
    except BrokenRecord:
        # A superfluous call is better than a missing one: the match's page says what is wrong.
        return True


def _is_host_asked(call: Call) -> bool:
    match = Match.objects.get(id=call.match_id)
    if match.status != Match.Status.RUNNING:
        return False
    try:
        turns = list(_host_turns(match, repository.load(match.id, SPECTATOR)))
    except BrokenRecord:
        return True
    return any(it.account == call.account_id and call.cause.startswith(it.cause) for it, _ in turns)


def _causes(match: Match) -> Iterator[Cause]:
    seats = [it for it in match.seats.all() if it.account_id]
    if match.status == Match.Status.WAITING:
        invited = [it for it in seats if it.awaited]
        yield from (_cause(match, it.account_id, "invitation", f"seat {it.number}") for it in invited)
        return
    match_state = repository.load(match.id, SPECTATOR)
    people = {it.account_id for it in seats}
    lifecycle = match_state.lifecycle
    if lifecycle.started:
        yield from (_cause(match, it, "match_begins", "begin") for it in people)
    if lifecycle.over:
        yield from (_cause(match, it, "result", f"end {lifecycle.reopened}") for it in people)
    elif lifecycle.reopened:
        yield from (_cause(match, it, "correction", f"reopened {lifecycle.reopened}") for it in people)
    for it in lifecycle.appeals:
        if it.decision and it.player and _is_id(it.player):
            yield _cause(match, UUID(it.player), "answer", f"appeal {it.number}")
    yield from _offers(match, lifecycle)
    if not (lifecycle.over or lifecycle.paused):
        yield from (cause for cause, _ in _turns(match, match_state))


def _offers(match: Match, lifecycle: Lifecycle) -> Iterator[Cause]:
    """Yield the offers that wait for an answer."""
    for offer in lifecycle.offers.waiting:
        people = [lifecycle.players[seat] or "" for seat in offers.awaited(lifecycle, offer)]
        yield from (_cause(match, UUID(it), "offer", f"offer {offer.number}") for it in people if _is_id(it))


def _turns(match: Match, match_state: MatchState) -> Iterator[tuple[Cause, Prompt]]:
    line = match_state.lifecycle.rewinds
    for prompt in match_state.due.prompts:
        if mover := person_at(match_state, prompt.seat):
            yield _cause(match, mover, "your_turn", f"{line}:{prompt.seat}:{prompt.turn}"), prompt
    yield from _host_turns(match, match_state)


def _host_turns(match: Match, match_state: MatchState) -> Iterator[tuple[Cause, Prompt]]:
    """Yield the prompt that the match's host must answer, for each of its hosts."""
    if prompt := match_state.due.prompt_of(HOST):
        kind = "official" if match.season_id else "your_turn"
        for host in permissions.hosts_to_call(match, match_state.lifecycle):
            yield _cause(match, host, kind, f"{_OF_HOST}{match_state.lifecycle.rewinds}:{prompt.turn}"), prompt


def _cause(match: Match, account: UUID, kind: str, cause: str) -> Cause:
    return Cause(account, kind, cause, match.id, match.season_id)


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True
