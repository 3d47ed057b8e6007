"""Accounts' choices for notifications: by kind and way, per season, quiet hours, digest."""

from collections.abc import Collection, Iterator, Mapping
from datetime import time
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from events import store
from matches.domain import calls
from matches.domain.calls import KINDS, WAYS, Quiet
from matches.domain.guests import not_for_guests
from matches.models import Account, Call, CallChoice, MailAddress, PushSubscription, Reach, SeasonCalls


class Wish(NamedTuple):
    """An account's choices for calls, and its receivers."""

    zone: str
    details: bool
    digest: str
    quiet: Quiet | None
    chosen: Mapping[tuple[str, str], bool]
    seasons: Mapping[UUID, str]
    mail: bool
    pushes: tuple[UUID, ...]

    def ways(self, kind: str, season: UUID | None) -> Iterator[tuple[str, UUID | None]]:
        """Yield the ways by which a kind of call is sent, each with its receiver."""
        of_season = self.seasons.get(season) if season else None
        for way in WAYS:
            if calls.is_wanted(kind, way, self.chosen, of_season):
                yield from ((way, receiver) for receiver in self._receivers(way))

    def wants(self, kind: str, way: str) -> bool:
        """True if the account wants a kind by a way, apart from choices for a season."""
        return calls.is_wanted(kind, way, self.chosen)

    def _receivers(self, way: str) -> tuple[UUID | None, ...]:
        if way == "push":
            return self.pushes
        return (None,) if way == "page" or self.mail else ()


def wishes(accounts: Collection[UUID], seasons: Collection[UUID] | None = None) -> dict[UUID, Wish]:
    """Return the choices of these accounts, without guests and inactive ones. `seasons` limits whose choices are
    loaded; None loads all."""
    people = Account.objects.filter(id__in=accounts, is_active=True, guest_until=None).select_related("reach")
    chosen: dict[UUID, dict[tuple[str, str], bool]] = {}
    for it in CallChoice.objects.filter(account__in=accounts):
        chosen.setdefault(it.account_id, {})[it.kind, it.way] = it.wanted
    of_season = SeasonCalls.objects.filter(account__in=accounts)
    if seasons is not None:
        of_season = of_season.filter(season_id__in=seasons)
    season_choices: dict[UUID, dict[UUID, str]] = {}
    for it in of_season:
        season_choices.setdefault(it.account_id, {})[it.season_id] = it.choice
    good = MailAddress.objects.filter(account__in=accounts, unsubscribed_at=None).exclude(verified_at=None)
    mailed = set(good.values_list("account_id", flat=True))
    pushes: dict[UUID, list[UUID]] = {}
    for account, push in PushSubscription.objects.filter(account__in=accounts).values_list("account_id", "id"):
        pushes.setdefault(account, []).append(push)
    return {
        it.id: _wish(
            it, chosen.get(it.id, {}), season_choices.get(it.id, {}), it.id in mailed, tuple(pushes.get(it.id, ()))
        )
        for it in people
    }


def wish_of(account: Account) -> Wish:
    """Return an account's choices; raise not_for_guests."""
    if account.is_guest:
        raise not_for_guests(_("Only accounts get notifications, not guests."))
    return wishes([account.id])[account.id]


def choose(account: Account, chosen: Mapping[tuple[str, str], bool]) -> None:
    """Store choices by kind and way, and drop waiting calls that are no longer wanted. Raise not_for_guests."""
    wish_of(account)
    with transaction.atomic():
        for (kind, way), wanted in chosen.items():
            CallChoice.objects.update_or_create(account=account, kind=kind, way=way, defaults={"wanted": wanted})
        _plan_again(account)


def arrange(account: Account, *, details: bool, digest: str, quiet_from: time | None, quiet_until: time | None) -> None:
    """Store how much a call reveals and when it may come; waiting calls are rescheduled. Raise not_for_guests."""
    wish_of(account)
    wanted = {"details": details, "digest": digest, "quiet_from": quiet_from, "quiet_until": quiet_until}
    with transaction.atomic():
        Reach.objects.update_or_create(account=account, defaults=wanted)
        _plan_again(account)


def choose_for_season(account: Account, season_id: UUID, choice: str | None) -> None:
    """Choose none or all of a season's calls, or (None) what the kinds say. Raise not_for_guests."""
    wish_of(account)
    with transaction.atomic():
        if choice is None:
            SeasonCalls.objects.filter(account=account, season_id=season_id).delete()
        else:
            SeasonCalls.objects.update_or_create(account=account, season_id=season_id, defaults={"choice": choice})
        _plan_again(account)


def erase(account_id: UUID) -> None:
    for table in (Reach, CallChoice, SeasonCalls):
        table.objects.filter(account=account_id).delete()


def table_of(wish: Wish) -> dict[str, dict[str, bool]]:
    """Return the table of choices: kind and way to True or False."""
    return {kind: {way: wish.wants(kind, way) for way in WAYS} for kind in KINDS}


def _wish(
    it: Account,
    chosen: Mapping[tuple[str, str], bool],
    seasons: Mapping[UUID, str],
    mail: bool,
    pushes: tuple[UUID, ...],
) -> Wish:
    stored_reach = getattr(it, "reach", None) or Reach(account=it)
    is_quiet = (
        stored_reach.quiet_from is not None
        and stored_reach.quiet_until is not None
        and stored_reach.quiet_from != stored_reach.quiet_until
    )
    quiet = Quiet(stored_reach.quiet_from, stored_reach.quiet_until, it.time_zone) if is_quiet else None
    return Wish(it.time_zone, stored_reach.details, stored_reach.digest, quiet, chosen, seasons, mail, pushes)


def _plan_again(account: Account) -> None:
    """Reschedule or drop waiting calls by the current choices."""
    wish, at = wishes([account.id])[account.id], store.clock()
    for call in account.calls.select_for_update().filter(state=Call.State.WAITING).exclude(kind="test"):
        if (call.way, call.receiver_id) in set(wish.ways(call.kind, call.season_id)):
            call.due_at = calls.due_at(call.way, call.made_at, wish.quiet, wish.digest, wish.zone)
        else:
            call.state, call.done_at = Call.State.LAPSED, at
        call.save(update_fields=["due_at", "state", "done_at"])
