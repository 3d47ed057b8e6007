"""Mutes: who may say nothing for a while, since when, until when and why."""

from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from games.kernel import Illegal
from matches.domain.bidi import apart
from matches.models import Account
from matches.models.talk import DATABASE_CLOCK, Mute
from matches.publishing import publisher

Span = Literal["ten_minutes", "match", "season"]
_SHORT = timedelta(minutes=10)


def mute(*, about: UUID, account: Account, by: Account, reason: str, span: Span) -> Mute:
    """Mute an account at the match or in the season `about`: for ten minutes, or for as long as that lasts."""
    made = Mute.objects.create(about=about, account=account, by=by, reason=reason)
    made.refresh_from_db(fields=("at",))
    if span == "ten_minutes":
        made.until = made.at + _SHORT
        made.save(update_fields=("until",))
    publisher.announce_talk(about)
    return made


def lift(*, about: UUID, number: int, by: Account, reason: str) -> Mute:
    """End a mute early; one that is lifted already stays as it is. Raises Illegal("no_such_mute")."""
    found = Mute.objects.filter(about=about, id=number)
    found.filter(lifted_at=None).update(lifted_by=by, lifted_reason=reason, lifted_at=DATABASE_CLOCK)
    lifted = found.select_related("account", "by", "lifted_by").first()
    if lifted is None:
        raise Illegal("no_such_mute", _("There is no mute of this number here."))
    publisher.announce_talk(about)
    return lifted


def mutes_of(about: UUID) -> QuerySet[Mute]:
    """All mutes of a match or season, newest first."""
    return Mute.objects.filter(about=about).select_related("account", "by", "lifted_by").order_by("-id")


def mute_of(account: UUID, about: UUID, season: UUID | None) -> Mute | None:
    """What mutes an account at a match (of a season), or in a season; of several the one that lasts longest."""
    where = Q(about=about) | (Q(about=season) if season else Q())
    found = Mute.objects.filter(where, account_id=account, lifted_at=None).filter(Q(until=None) | Q(until__gt=Now()))
    return max(found.select_related("by"), key=_end, default=None)


def refuse_muted(account: UUID, about: UUID, season: UUID | None) -> None:
    """Raise Illegal("muted") where the account may say nothing; it is told by whom, why, and until when."""
    found = mute_of(account, about, season)
    if found is None:
        return
    told = {"name": apart(found.by.username), "reason": apart(found.reason)}
    if found.until is not None:
        until = f"{found.until:%Y-%m-%d %H:%M:%S} UTC"
        raise Illegal("muted", _("%(name)s has muted you until %(until)s: %(reason)s") % {**told, "until": until})
    if found.about == season:
        raise Illegal("muted", _("%(name)s has muted you for the whole season: %(reason)s") % told)
    raise Illegal("muted", _("%(name)s has muted you for this match: %(reason)s") % told)


def _end(found: Mute) -> tuple[bool, datetime]:
    return found.until is None, found.until or found.at
