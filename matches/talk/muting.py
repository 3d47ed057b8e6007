"""Mutes: who may not write remarks, from when until when, and why."""

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
    """End a mute early, unless it is lifted already. Raise Illegal("no_such_mute")."""
    mutes = Mute.objects.filter(about=about, id=number)
    mutes.filter(lifted_at=None).update(lifted_by=by, lifted_reason=reason, lifted_at=DATABASE_CLOCK)
    lifted = mutes.select_related("account", "by", "lifted_by").first()
    if lifted is None:
        raise Illegal("no_such_mute", _("There is no mute of this number here."))
    publisher.announce_talk(about)
    return lifted


def mutes_of(about: UUID) -> QuerySet[Mute]:
    """Return all mutes of a match or season, newest first."""
    return Mute.objects.filter(about=about).select_related("account", "by", "lifted_by").order_by("-id")


def mute_of(account: UUID, about: UUID, season: UUID | None) -> Mute | None:
    """Return the mute of an account at a match (of a season), or in a season; of several the one that lasts longest."""
    where = Q(about=about) | (Q(about=season) if season else Q())
    mutes = Mute.objects.filter(where, account_id=account, lifted_at=None).filter(Q(until=None) | Q(until__gt=Now()))
    return max(mutes.select_related("by"), key=_end, default=None)


def refuse_muted(account: UUID, about: UUID, season: UUID | None) -> None:
    """Raise Illegal("muted") if the account is muted; the message names the official, the reason and the end."""
    mute = mute_of(account, about, season)
    if mute is None:
        return
    parameters = {"name": apart(mute.by.username), "reason": apart(mute.reason)}
    if mute.until is not None:
        until = f"{mute.until:%Y-%m-%d %H:%M:%S} UTC"
        raise Illegal("muted", _("%(name)s has muted you until %(until)s: %(reason)s") % {**parameters, "until": until})
    if mute.about == season:
        raise Illegal("muted", _("%(name)s has muted you for the whole season: %(reason)s") % parameters)
    raise Illegal("muted", _("%(name)s has muted you for this match: %(reason)s") % parameters)


def _end(mute: Mute) -> tuple[bool, datetime]:
    return mute.until is None, mute.until or mute.at
