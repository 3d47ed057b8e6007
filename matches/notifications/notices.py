"""Notices: news for webhooks, sent at least once and in order within a match.

An outbox in three steps, each of which may run twice or late. Looking: each changed match is compared with each webhook
that follows it, and news becomes rows; a unique key prevents duplicates. Claiming: one worker leases the oldest unsent
row of a match. Sending: one signed POST, in parallel with those to other receivers; a failure is repeated after ever
longer pauses, see `matches.notifications.receivers`.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, Value
from django.db.models.functions import Replace

from events.pipeline import roundtrip
from events.store import raw_connection
from games.kernel import SPECTATOR, Prompt, Witness
from matches.domain import clocks
from matches.domain.bidi import apart
from matches.domain.clocks import SECOND, Run
from matches.domain.guests import not_for_guests
from matches.domain.match_state import MatchState
from matches.models import Account, Match, Notice, Webhook
from matches.notifications import receivers, webhook_forms, webhooks
from matches.notifications.parallel import Job, in_parallel
from matches.notifications.webhook_forms import Body, Form
from matches.reads import feed
from matches.storage import repository
from matches.storage.repository import BrokenRecord

log = structlog.get_logger(__name__)

TRIED_FOR = timedelta(days=1)
"""A notice that failed for so long is given up: it is out of date."""
LOOK_BACK = timedelta(minutes=1)
"""A commit may become visible a little after the instant that it carries."""
_REMEMBERED_EVERY = timedelta(seconds=10)
_LONG_TURN_SECONDS = 600
_VERY_LONG_TURN_SECONDS = 3600

# Only the oldest notice of a match may be sent. Several are tried, since other workers hold some of them.
_CLAIM = """
UPDATE matches_notice SET attempts = attempts + 1, next_try_at = clock_timestamp() + %s
WHERE id = (
    SELECT id FROM matches_notice WHERE id = ANY (ARRAY (
        SELECT id FROM (
            SELECT DISTINCT ON (webhook_id, match_id) id, webhook_id, next_try_at FROM matches_notice
            WHERE sent_at IS NULL AND given_up_at IS NULL ORDER BY webhook_id, match_id, made_at
        ) oldest
        WHERE next_try_at <= clock_timestamp() AND webhook_id NOT IN (
            SELECT id FROM matches_webhook WHERE next_try_at > clock_timestamp()
        ) ORDER BY next_try_at LIMIT 20
    ))
    AND sent_at IS NULL AND given_up_at IS NULL AND next_try_at <= clock_timestamp()
    ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED
) RETURNING id
"""


class News(NamedTuple):
    """Something to notify: the account that it concerns (None: everyone), the kind, the turn, and the sentence."""

    account: UUID | None
    kind: str
    about: str
    text: str


def set_webhook(account: Account, url: str, form: Form = "standard") -> str:
    """Send this account's news to a URL; return the new secret. Raise webhooks.AddressRefused, not_for_guests."""
    if account.is_guest:
        raise not_for_guests("Notices are for accounts alone.")
    return _set(url, form, account=account)


def set_season_webhook(season_id: UUID, url: str, form: Form = "standard") -> str:
    """Send a season's news, and those of its matches, to a URL; return the new secret. Raise
    webhooks.AddressRefused."""
    return _set(url, form, season_id=season_id)


def queue_test(webhook: Webhook) -> None:
    """Queue a test notice, unless an earlier one waits to be sent.

    This switches a webhook on again; a receiver that still answers 410 switches it off again.
    """
    waiting = webhook.notices.filter(kind=Notice.Kind.TEST, sent_at=None, given_up_at=None)
    if not waiting.exists():
        receivers.switch_on(webhook)
        queue(webhook, None, 0, [News(None, Notice.Kind.TEST, str(uuid4()), "Croupier can reach you here.")], now())


def queue_new_notices() -> int:
    """Queue news for the webhooks of all active accounts; return the number of new notices."""
    return sum(queue_matches_of(webhook) for webhook in Webhook.objects.filter(off_at=None, account__is_active=True))


def queue_matches_of(webhook: Webhook, late: int = 0) -> int:
    """Queue news of a webhook's matches, whose spectators see them `late` seconds later; return the number of new
    notices."""
    at = now()
    new_notices = 0
    for match in _matches_of(webhook, webhook.looked_at - LOOK_BACK - timedelta(seconds=late)):
        try:
            new_notices += _queue_match(webhook, match, at)
        except BrokenRecord as error:
            # One frozen match must not delay the news of all others.
            log.error("match_not_looked_at", match=str(match.id), broken=str(error))
    if new_notices or at - webhook.looked_at > _REMEMBERED_EVERY:
        Webhook.objects.filter(id=webhook.id).update(looked_at=at)
    return new_notices


def _queue_match(webhook: Webhook, match: Match, at: datetime) -> int:
    match_state, visible_at = _as_seen_by(webhook, match, at)
    return queue(webhook, match.id, match_state.version, list(_news(webhook, match, match_state, visible_at)), at)


def _as_seen_by(webhook: Webhook, match: Match, at: datetime) -> tuple[MatchState, datetime]:
    """Return the match as the webhook may see it, and the instant of that view.

    A season's webhook may be public, so it gets a match with the delay of its spectators.
    """
    if webhook.account_id:
        return repository.load(match.id, SPECTATOR), at
    match_state = feed.visible_state(match.id, SPECTATOR)
    return match_state, feed.seen_from(match_state, SPECTATOR, at)


def send_pending(seconds: float = 20.0) -> int:
    """Send notices until none is due or the time is up; return how many receivers took."""
    return in_parallel(_next, seconds)


def _next() -> Job | None:
    """Return the next POST; None if none is due."""
    while notice := _claim():
        if job := _job_of(notice):
            return job
    return None


def retell_turns(account_id: UUID, name: str, now_called: str) -> None:
    """Replace an account's name in the notices about its turns that go to seasons' webhooks."""
    turns = Notice.objects.filter(account_id=account_id, webhook__account=None)
    turns.update(text=Replace("text", Value(_to_move(name)), Value(_to_move(now_called))))


def _set(url: str, form: Form, **whose: Any) -> str:
    secret, at = webhooks.new_secret(), now()
    values = {
        "sealed_url": webhooks.sealed(webhooks.check_receiver(url)),
        "secret": webhooks.sealed(secret),
        "form": form,
        "off_at": None,
        "off_reason": "",
        "failures": 0,
        "failed_at": None,
        "next_try_at": None,
        "looked_at": at,
    }
    Webhook.objects.update_or_create(**whose, defaults=values, create_defaults={**values, "made_at": at})
    return secret


def _matches_of(webhook: Webhook, since: datetime) -> list[Match]:
    """Return the matches that have changed since, and those whose running time may need a warning."""
    timed = Q(status=Match.Status.RUNNING, deadline__falls_at__isnull=False)
    if webhook.account_id:
        mine = Q(seats__account_id=webhook.account_id)
        timed &= Q(needs__contains=[webhook.account_id])
    else:
        mine = Q(season_id=webhook.season_id)
    matches = Match.objects.filter(mine & (Q(changed_at__gt=since) | timed)).exclude(status=Match.Status.WAITING)
    # No limit: what it left out would never be sent.
    return list(matches.distinct().order_by("changed_at"))


def _news(webhook: Webhook, match: Match, match_state: MatchState, at: datetime) -> Iterator[News]:
    what = f"{match_state.title} ({match.code})"
    lifecycle = match_state.lifecycle
    if lifecycle.over:
        if match.finished_at is None or match.finished_at > webhook.made_at:
            about = f"end {lifecycle.reopened + 1}" if lifecycle.reopened else "end"
            yield News(None, Notice.Kind.MATCH_OVER, about, f"{what}: the match is over.")
        return
    if match_state.lifecycle.paused:
        return
    line = match_state.lifecycle.rewinds
    waits = [(prompt, mover) for prompt in match_state.due.prompts if (mover := person_at(match_state, prompt.seat))]
    names = dict(Account.objects.filter(id__in=[mover for _, mover in waits]).values_list("id", "username"))
    for prompt, account in waits:
        if webhook.account_id not in (None, account):
            continue
        whose = ": your turn" if webhook.account_id else _to_move(apart(names.get(account, "a player")))
        about = f"{line}:{prompt.seat}:{prompt.turn}"
        yield News(account, Notice.Kind.YOUR_TURN, about, f"{what}{whose}.")
        run = run_of(match_state, prompt)
        if run is not None:
            yield from _warnings(match_state, run, account, about, f"{what}{whose}", at)


def _to_move(name: str) -> str:
    return f": {name} is to move"


def person_at(match_state: MatchState, mover: Witness) -> UUID | None:
    """Return the account whose move it is; None for a bot, and for HOST, whose move is that of any of its hosts."""
    if not isinstance(mover, int):
        return None
    try:
        return UUID(match_state.lifecycle.movers[mover] or "")
    except ValueError:
        return None


def _warnings(match_state: MatchState, run: Run, account: UUID, about: str, begin: str, at: datetime) -> Iterator[News]:
    """Yield warnings about a running turn's time: after four fifths of it, and ten minutes before a long one ends."""
    due = warnings_due(match_state, run, at)
    if Notice.Kind.TIME_RUNNING_OUT in due:
        yield News(account, Notice.Kind.TIME_RUNNING_OUT, about, f"{begin}, and four fifths of the time are gone.")
    if Notice.Kind.TEN_MINUTES_LEFT in due:
        yield News(account, Notice.Kind.TEN_MINUTES_LEFT, about, f"{begin}: ten minutes left.")


def run_of(match_state: MatchState, prompt: Prompt) -> Run | None:
    """Return the running time of a prompt, or None."""
    mine = (clocks.number_of(prompt.seat), prompt.turn)
    return next((it for it in match_state.clocks.runs if (it.seat, it.turn) == mine), None)


def warnings_due(match_state: MatchState, run: Run, at: datetime) -> list[str]:
    """Return the warnings that are due at an instant for a running turn."""
    falls_at = next(
        (it.falls_at for it in clocks.deadlines(match_state.clocks) if (it.seat, it.turn) == (run.seat, run.turn)), None
    )
    if falls_at is None:
        return []
    whole = (falls_at - match_state.clocks.grace - run.began - run.stood) / SECOND
    left = falls_at / SECOND - at.timestamp()
    due = {
        Notice.Kind.TIME_RUNNING_OUT: whole >= _LONG_TURN_SECONDS and left <= whole / 5,
        Notice.Kind.TEN_MINUTES_LEFT: whole >= _VERY_LONG_TURN_SECONDS and left <= 600,
    }
    return [kind for kind, is_due in due.items() if is_due]


def queue(
    webhook: Webhook, match_id: UUID | None, version: int, news: list[News], at: datetime, season_id: UUID | None = None
) -> int:
    """Store notices for news that has none yet: about a match, about a season, or about neither. Return how many are
    new."""
    rows = [
        Notice(
            webhook=webhook,
            match_id=match_id,
            season_id=season_id,
            account_id=it.account,
            kind=it.kind,
            about=it.about[:200],
            text=it.text[:500],
            version=version,
            made_at=at + timedelta(microseconds=place),
            next_try_at=at,
        )
        for place, it in enumerate(news)
    ]
    before = _count(webhook)
    Notice.objects.bulk_create(rows, ignore_conflicts=True)
    return _count(webhook) - before


def _count(webhook: Webhook) -> int:
    return Notice.objects.filter(webhook=webhook).count()


def _claim() -> Notice | None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_CLAIM, [receivers.LEASE])
        row = cursor.fetchone()
        if row is None:
            return None
        notice: Notice = Notice.objects.select_related("webhook__account").get(id=row[0])
        if not receivers.reserve_call(notice.webhook):
            transaction.set_rollback(True)
            return None
    return notice


def _job_of(notice: Notice) -> Job | None:
    """Return the POST of a notice; None if the notice is given up."""
    webhook = notice.webhook
    if webhook.off_at is not None:
        _give_up(notice, webhook.off_reason or "The webhook is switched off.")
        return None
    if webhook.account and not webhook.account.is_active:
        _give_up(notice, "The account was switched off.")
        return None
    try:
        url, secret = webhooks.unsealed(webhook.sealed_url), webhooks.unsealed(webhook.secret)
    except webhooks.Unreadable:
        _give_up(notice, "The house has another key since; set the webhook anew.")
        return None
    at, body = now(), message(notice)
    if at - notice.made_at > TRIED_FOR:
        _give_up(notice, notice.last_failure or "It could not be sent within a day.")
        return None
    headers = {**body.headers, **webhooks.signed(secret, str(notice.id), int(at.timestamp()), body.content)}
    return Job(partial(webhooks.post, url, body.content, headers), partial(_settle, notice, at))


def _settle(notice: Notice, at: datetime, sent: webhooks.Sent) -> bool:
    """Store the result of an attempt that began at an instant; return True if the receiver took the notice."""
    if not sent.failure:
        Notice.objects.filter(id=notice.id).update(sent_at=now(), last_failure="")
        receivers.note_success(notice.webhook)
        return True
    log.info("notice_not_taken", notice=str(notice.id), attempt=notice.attempts, failure=sent.failure)
    # The receiver may take other notices meanwhile, so this one has a pause of its own.
    again = at + receivers.pause_after(notice.attempts, notice.id)
    Notice.objects.filter(id=notice.id).update(last_failure=sent.failure[:200], next_try_at=again)
    receivers.note_failure(notice.webhook, sent, at)
    return False


def _give_up(notice: Notice, failure: str) -> None:
    Notice.objects.filter(id=notice.id).update(given_up_at=now(), last_failure=failure[:200])


def message(notice: Notice) -> Body:
    """Return the body to post, in the webhook's form."""
    season, page = notice.webhook.season_id or notice.season_id, page_of(notice)
    link = f"{settings.PUBLIC_URL}{page}" if settings.PUBLIC_URL and page else ""
    fields = {
        "id": str(notice.id),
        "kind": notice.kind,
        "season": str(season) if season else None,
        "match": str(notice.match_id) if notice.match_id else None,
        "account": str(notice.account_id) if notice.account_id else None,
        "version": notice.version,
        "at": clocks.instant(notice.made_at),
    }
    return webhook_forms.written(notice.webhook.form, notice.text, link, fields)


def page_of(notice: Notice) -> str:
    """Return the path of the page with details; empty if there is none."""
    season = notice.webhook.season_id or notice.season_id
    if notice.match_id or not season:
        return f"/m/{notice.match_id}/" if notice.match_id else ""
    return f"/seasons/{season}/answer" if notice.kind == Notice.Kind.APPLICATION else f"/seasons/{season}"


def now() -> datetime:
    ((row,),) = roundtrip(raw_connection(), [("SELECT clock_timestamp()", ())])
    at: datetime = row[0]
    return at
