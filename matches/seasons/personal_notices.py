"""News of seasons for the webhooks of accounts: what concerns them in person. `about` names the season and the act, so
that an act is queued once for each account."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import structlog
from django.db.models import Max

from matches.models import Account, Notice, Webhook
from matches.notifications import notices
from matches.notifications.notices import News
from matches.seasons.models import Season
from matches.seasons.notices import cut, naming_or_cut
from matches.seasons.reads import personal, selectors
from matches.storage.repository import BrokenRecord

_ONCE = "Something in the season concerned you."

log = structlog.get_logger(__name__)


def queue_new_notices() -> int:
    """Queue what is new for the webhook of every active account; return the number of new notices.

    Call it before `notices.look`, which moves the instant since which both look.
    """
    listening = {it.account_id: it for it in Webhook.objects.filter(off_at=None, account__is_active=True)}
    if not listening:
        return 0
    since = min(it.looked_at for it in listening.values()) - notices.LOOK_BACK
    made = 0
    for season in Season.objects.filter(changed_at__gt=since, members__account__in=listening).distinct():
        try:
            made += _queue_season(season, listening)
        except BrokenRecord as error:
            # A season that is frozen must not keep the news of all others back.
            log.error("season_not_looked_at", season=str(season.id), broken=str(error))
    return made


def retell(name: str) -> None:
    """Rewrite the notices, sent or not, that hold a name which has changed; raise BrokenRecord."""
    naming = Notice.objects.filter(naming_or_cut(name), season_id__isnull=False).select_related("webhook")
    for season_id in set(naming.values_list("season_id", flat=True)):
        renamed = list(naming.filter(season_id=season_id))
        acts = personal.addressed_to(season_id, {it.webhook.account_id for it in renamed})
        texts = {(act.version, it.account, it.concern): it.text for act in acts for it in act.meanings}
        for notice in renamed:
            key = (notice.version, notice.webhook.account_id, notice.kind)
            # Of what an earlier release has told and this one wouldn't, the name goes all the same.
            notice.text = cut(texts.get(key, _ONCE))
            notice.save(update_fields=["text"])


def _queue_season(season: Season, listening: Mapping[Any, Webhook]) -> int:
    """Queue what the season's acts mean to the accounts that have a webhook and may see it, act by act."""
    members = Account.objects.filter(memberships__season=season, id__in=listening)
    webhooks = {it.id: listening[it.id] for it in members if selectors.season_for(it, season.id)}
    untold = _untold_since(season, webhooks)
    return sum(
        _queue(webhooks[account], season.id, act, meanings)
        for act in personal.addressed_to(season.id, webhooks)
        for account, meanings in act.by_account().items()
        if act.version > untold[account] and act.at > webhooks[account].made_at
    )


def _untold_since(season: Season, webhooks: Mapping[UUID, Webhook]) -> dict[UUID, int]:
    """Return the version of the newest notice of the season, by account."""
    rows = Notice.objects.filter(season_id=season.id, webhook__account__in=webhooks)
    newest = dict(rows.values_list("webhook__account").annotate(Max("version")))
    return {account: newest.get(account, 0) for account in webhooks}


def _queue(webhook: Webhook, season_id: UUID, act: personal.AddressedAct, meanings: Sequence[personal.Meaning]) -> int:
    """Queue all that an act means to an account at once, as a notice implies those of all earlier acts."""
    about = f"{season_id} v{act.version}"
    news = [News(it.account, it.concern, about, cut(it.text)) for it in meanings]
    return notices.queue(webhook, None, act.version, news, notices.now(), season_id)
