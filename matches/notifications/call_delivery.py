"""Sending calls: at least once, in the order of their due times on each line. A line is an account, a way and a
receiver. A slow or failing receiver delays only its own line; first attempts go before repeated ones."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple, TypeVar

import structlog
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from events import database_errors, store
from matches.domain import calls
from matches.models import Call, Match
from matches.notifications import match_calls, reach
from matches.notifications.parallel import Job, in_parallel
from matches.notifications.receivers import LEASE, pause_after
from matches.notifications.webhooks import Sent
from matches.reads.titles import title_of

log = structlog.get_logger(__name__)

MOST_ATTEMPTS = 15
MOST_IN_A_LETTER = 50
_NOTHING = Job(lambda: None, lambda _: 0)
_ACTS = ("your_turn", "offer", "decision", "reminder", "check_in", "official", "room", "report")
"""The kinds that ask for an act: once it is done, the call is dropped."""

# Only the oldest call of a line may be sent. Several lines are tried, since other workers hold some of them.
_CLAIM = """
UPDATE matches_call SET attempts = attempts + 1, next_try_at = clock_timestamp() + %s
WHERE id = (
    SELECT id FROM matches_call WHERE id = ANY (ARRAY (
        SELECT id FROM (
            SELECT DISTINCT ON (account_id, way, receiver_id) id, due_at, next_try_at, attempts FROM matches_call
            WHERE state = 'waiting' ORDER BY account_id, way, receiver_id, due_at, made_at
        ) oldest
        WHERE due_at <= clock_timestamp() AND next_try_at <= clock_timestamp() ORDER BY attempts, next_try_at LIMIT 20
    ))
    AND state = 'waiting' AND due_at <= clock_timestamp() AND next_try_at <= clock_timestamp()
    ORDER BY attempts, next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
) RETURNING id
"""


class Message(NamedTuple):
    """A call in words: its text, the page that it links to (a path), and its subject, so that a newer message can
    replace an older one."""

    kind: str
    title: str
    text: str
    page: str
    about: str


class Errand(NamedTuple):
    """The work that a sender leaves for after the transaction, in a thread without a database.

    `settle` gets the result of `carry`; it returns the failure (empty if the receiver took the calls), or the result of
    a POST.
    """

    carry: Callable[[], Any]
    settle: Callable[[Any], str | Sent]


Send = Callable[[list[Call], list[Message]], str | Errand]
"""Sends the calls of one line, or prepares that. Returns the failure, empty if the receiver took them. Deletes calls
that have no receiver any more."""
T = TypeVar("T")

senders: dict[str, Send] = {}
"""The sender of each way; the ways add themselves."""
season_asks: list[Callable[[Call], bool]] = []
"""Functions that return True if a season still waits for the act that a call asks for; the seasons add themselves."""


def send_pending(seconds: float = 20.0) -> int:
    """Send calls until none is due or the time is up; return how many calls receivers took."""
    return in_parallel(_next, seconds)


def _next() -> Job | None:
    """Return the next calls to send; None if none is due."""
    claimed = _claim()
    if claimed is None:
        return None
    return _job_of(claimed) if claimed else _NOTHING


def messages(claimed: list[Call]) -> list[Message]:
    """Return the calls of one account in words, with details only if the account wants them."""
    wish = reach.wishes([claimed[0].account_id]).get(claimed[0].account_id)
    called = [it for it in claimed if it.kind in calls.TABLE]
    return [message(it, details=wish is not None and wish.details) for it in called]


def message(call: Call, *, details: bool) -> Message:
    """Return a call in words. Game and season are named if the season is public, or if the account wants `details`."""
    match = Match.objects.select_related("season").filter(id=call.match_id).first() if call.match_id else None
    season = match.season if match else _season(call)
    wording = calls.TABLE[call.kind]
    page = f"/m/{call.match_id}/" if match else f"/seasons/{season.id}" if season else "/account/calls"
    if season and call.kind in ("decision", "check_in", "appointment"):
        page = f"/seasons/{season.id}"
    if season and call.kind in ("room", "report"):
        page = f"/seasons/{season.id}/{call.kind}s"
    if season and not match and call.kind == "answer":
        page = f"/seasons/{season.id}/answer"
    if season and call.kind == "official" and not match_calls.is_to_host(call):
        page = f"/admin/seasons/{season.id}/"
    if call.kind == "webhook" and not season:
        page = "/account/notices"
    may_tell = details or bool(season and season.public)
    game = title_of(match) if match and may_tell else ""
    text = calls.text(call.kind, game, season.title if season and may_tell else "")
    return Message(call.kind, wording.title, text, page, f"{call.kind} {call.match_id or call.season_id or ''}".strip())


def _season(call: Call) -> Any:
    # matches.seasons is a layer above this package, so its model is reached through the foreign key.
    seasons = Match._meta.get_field("season").related_model.objects
    return seasons.filter(id=call.season_id).first() if call.season_id else None


def _claim() -> list[Call] | None:
    """Return the calls of one line to send together; an empty list if the line only changed state;
    None if none is due."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_CLAIM, [LEASE])
        row = cursor.fetchone()
        if row is None:
            return None
        head = Call.objects.get(id=row[0])
        if not _is_still_needed(head):
            _close([head], Call.State.LAPSED)
            return []
        if (again := _too_soon(head)) is not None:
            Call.objects.filter(id=head.id).update(due_at=again, attempts=head.attempts - 1, next_try_at=head.made_at)
            return []
        newest = _newest_alike(head)
        if head.way != "email":
            return [newest]
        return [newest, *_more_for_the_letter(newest)]


def _more_for_the_letter(first: Call) -> list[Call]:
    """Claim and return the other due calls of the line, one of each kind and subject."""
    chosen, about = [], {_about(first)}
    due = _line(first).filter(due_at__lte=store.clock()).exclude(id=first.id).order_by("due_at", "made_at")
    for it in due.select_for_update(skip_locked=True)[:MOST_IN_A_LETTER]:
        if not _is_still_needed(it):
            _close([it], Call.State.LAPSED)
        elif _about(it) not in about and _too_soon(it) is None:
            chosen.append(_newest_alike(it))
            about.add(_about(it))
    Call.objects.filter(id__in=[it.id for it in chosen]).update(next_try_at=first.next_try_at)
    return chosen


def _newest_alike(head: Call) -> Call:
    """Return the newest call of the same kind and subject, claimed in place of the older ones, which are merged into
    it."""
    alike = list(_alike(head).filter(state=Call.State.WAITING).select_for_update().order_by("made_at"))
    newest = alike[-1]
    if newest.id != head.id:
        _close(alike[:-1], Call.State.MERGED)
        newest.attempts, newest.due_at, newest.next_try_at = head.attempts, head.due_at, head.next_try_at
        newest.save(update_fields=["attempts", "due_at", "next_try_at"])
    return newest


def _too_soon(call: Call) -> datetime | None:
    """Return when a call may go, if a call of its kind and subject went less than a minute ago;
    None if it may go now."""
    sent = _alike(call).filter(state=Call.State.SENT, done_at__gt=store.clock() - calls.APART)
    last = sent.order_by("-done_at").first()
    return last.done_at + calls.APART if last and call.kind != "test" else None


def _alike(call: Call) -> QuerySet[Call]:
    about = {"kind": call.kind, "match_id": call.match_id, "season_id": call.season_id}
    return Call.objects.filter(account=call.account_id, way=call.way, receiver=call.receiver_id, **about)


def _line(call: Call) -> QuerySet[Call]:
    whose = {"account": call.account_id, "way": call.way, "receiver": call.receiver_id}
    return Call.objects.filter(state=Call.State.WAITING, **whose)


def _about(call: Call) -> tuple[object, ...]:
    return call.kind, call.match_id, call.season_id


def _is_still_needed(call: Call) -> bool:
    """True if the act that a call asks for is still to be done. Calls that only inform stay valid."""
    if call.kind not in _ACTS:
        return True
    if call.match_id and (call.kind not in ("check_in", "official") or match_calls.is_to_host(call)):
        return match_calls.is_awaited(call)
    return all(asks(call) for asks in season_asks)


def _job_of(claimed: list[Call]) -> Job:
    head = claimed[0]
    send = senders.get(head.way)
    if send is None or not head.account.is_active:
        _close(claimed, Call.State.LAPSED)
        return _NOTHING
    begun = _attempt(claimed, lambda: send(claimed, messages(claimed)))
    errand = begun if isinstance(begun, Errand) else Errand(lambda: begun, str)
    return Job(partial(_carry, errand), partial(_settle, claimed, errand))


def _carry(errand: Errand) -> Any:
    try:
        return errand.carry()
    except Exception as error:  # `_settle` reports it
        return error


def _settle(claimed: list[Call], errand: Errand, outcome: Any) -> int:
    """Store the result of an attempt; return how many calls were taken."""
    head = claimed[0]

    def settled() -> str | Sent:
        if isinstance(outcome, Exception):
            raise outcome
        return errand.settle(outcome)

    result = _attempt(claimed, settled)
    failure, retry_after = (result, 0) if isinstance(result, str) else (result.failure, result.retry_after)
    if not failure:
        _close(claimed, Call.State.SENT)
        return len(claimed)
    log.info("call_not_taken", call=str(head.id), way=head.way, attempt=head.attempts, failure=failure)
    if head.attempts >= MOST_ATTEMPTS:
        _close(claimed, Call.State.GIVEN_UP, failure)
        return 0
    again = store.clock() + pause_after(head.attempts, head.receiver_id or head.account_id, retry_after)
    ours = Call.objects.filter(id__in=[it.id for it in claimed], state=Call.State.WAITING)
    ours.update(next_try_at=again, last_failure=failure[:200])
    return 0


def _attempt(claimed: list[Call], act: Callable[[], T]) -> T | str:
    """Return the act's result, or a failure in words: an error in this line must not delay the others."""
    try:
        return act()
    except database_errors.ERRORS:
        raise
    except Exception as error:
        log.exception("call_not_sent", call=str(claimed[0].id), way=claimed[0].way)
        return _("Something is wrong at the house: %(name)s.") % {"name": type(error).__name__}


def _close(claimed: list[Call], state: str, failure: str = "") -> None:
    ours = Call.objects.filter(id__in=[it.id for it in claimed], state=Call.State.WAITING)
    ours.update(state=state, done_at=store.clock(), last_failure=failure[:200])
