"""News for the webhooks of seasons: a notice for each act of the season, and its matches as spectators see them."""

import structlog
from django.db.models import Max, Q

from matches.models import Notice, Webhook
from matches.notifications import notices
from matches.notifications.notices import News
from matches.seasons import repository
from matches.seasons.models import Season
from matches.seasons.reads import event_documents
from matches.storage.repository import BrokenRecord

log = structlog.get_logger(__name__)

_LONGEST = 500
_CUT = "\N{HORIZONTAL ELLIPSIS}"


def queue_new_notices() -> int:
    """Queue what is new for every season's webhook; return the number of new notices."""
    made = 0
    for webhook in Webhook.objects.filter(off_at=None, season_id__isnull=False):
        try:
            made += _queue_new(webhook)
        except BrokenRecord as error:
            # A season that is frozen must not keep the news of all others back.
            log.error("season_not_looked_at", season=str(webhook.season_id), broken=str(error))
    return made


def retell_acts(name: str) -> None:
    """Rewrite the notices, sent or not, that hold a name which has changed; raise BrokenRecord."""
    naming = Notice.objects.filter(naming_or_cut(name), kind=Notice.Kind.SEASON_NEWS)
    for webhook in Webhook.objects.filter(id__in=naming.values("webhook")):
        acts = {act.version: act.text for act in event_documents.acts(webhook.season_id, 0)}
        for notice in naming.filter(webhook=webhook):
            notice.text = cut(acts[notice.version])
            notice.save(update_fields=["text"])


def _queue_new(webhook: Webhook) -> int:
    season = Season.objects.filter(id=webhook.season_id).first()
    if season is None:
        return 0
    moved = season.changed_at > webhook.looked_at - notices.LOOK_BACK
    queued = _queue_acts(webhook, season) if moved else 0
    return queued + notices.queue_matches_of(webhook, repository.options_of(season.id).spectator_delay)


def _queue_acts(webhook: Webhook, season: Season) -> int:
    """Queue the season's acts since the last notice, or since the webhook was set."""
    newest = Notice.objects.filter(webhook=webhook, kind=Notice.Kind.SEASON_NEWS).aggregate(Max("version"))
    made = 0
    for act in event_documents.acts(season.id, newest["version__max"] or 0):
        if act.text and act.at > webhook.made_at:
            news = News(None, Notice.Kind.SEASON_NEWS, f"v{act.version}", cut(act.text))
            made += notices.queue(webhook, None, act.version, [news], notices.now())
    return made


def naming_or_cut(name: str) -> Q:
    """Return the filter for notices that hold a name, or may hold the beginning of it at their cut end."""
    return Q(text__contains=name) | Q(text__endswith=_CUT)


def cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}{_CUT}"
