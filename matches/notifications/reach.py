"""How accounts want to be told: what each has chosen by kind and way, of a season, its quiet hours, its digest."""

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
    """How one account wants to be told, and where it can be."""

    zone: str
    details: bool
    digest: str
    quiet: Quiet | None
    chosen: Mapping[tuple[str, str], bool]
    seasons: Mapping[UUID, str]
    mail: bool
    pushes: tuple[UUID, ...]

    def ways(self, kind: str, season: UUID | None) -> Iterator[tuple[str, UUID | None]]:
        """By which ways it is to be told a kind, each with its receiver."""
        of_season = self.seasons.get(season) if season else None
        for way in WAYS:
            if calls.is_wanted(kind, way, self.chosen, of_season):
                yield from ((way, receiver) for receiver in self._receivers(way))

    def wants(self, kind: str, way: str) -> bool:
        """Whether it wants a kind by a way, where it has said nothing else for a season."""
        return calls.is_wanted(kind, way, self.chosen)

    def _receivers(self, way: str) -> tuple[UUID | None, ...]:
        if way == "push":
            return self.pushes
        return (None,) if way == "page" or self.mail else ()


def wishes(accounts: Collection[UUID], seasons: Collection[UUID] | None = None) -> dict[UUID, Wish]:
    """How these accounts want to be told; nothing for guests, and for accounts that are switched off. `seasons` are
    those to know the choices of, all without them."""
    people = Account.objects.filter(id__in=accounts, is_active=True, guest_until=None).select_related("reach")
    chosen: dict[UUID, dict[tuple[str, str], bool]] = {}
    for it in CallChoice.objects.filter(account__in=accounts):
        chosen.setdefault(it.account_id, {})[it.kind, it.way] = it.wanted
    of_season = SeasonCalls.objects.filter(account__in=accounts)
    if seasons is not None:
        of_season = of_season.filter(season_id__in=seasons)
    told: dict[UUID, dict[UUID, str]] = {}
    for it in of_season:
        told.setdefault(it.account_id, {})[it.season_id] = it.choice
    good = MailAddress.objects.filter(account__in=accounts, unsubscribed_at=None).exclude(verified_at=None)
    mailed = set(good.values_list("account_id", flat=True))
    pushes: dict[UUID, list[UUID]] = {}
    for account, push in PushSubscription.objects.filter(account__in=accounts).values_list("account_id", "id"):
        pushes.setdefault(account, []).append(push)
    return {
        it.id: _wish(it, chosen.get(it.id, {}), told.get(it.id, {}), it.id in mailed, tuple(pushes.get(it.id, ())))
        for it in people
    }


def wish_of(account: Account) -> Wish:
    """How an account wants to be told; raises not_for_guests."""
    if account.is_guest:
        raise not_for_guests(_("Calls are for accounts alone."))
    return wishes([account.id])[account.id]


def choose(account: Account, chosen: Mapping[tuple[str, str], bool]) -> None:
    """Want kinds by ways from now on, or not; what is wanted no longer and waits to be sent is dropped. Raises
    not_for_guests."""
    wish_of(account)
    with transaction.atomic():
        for (kind, way), wanted in chosen.items():
            CallChoice.objects.update_or_create(account=account, kind=kind, way=way, defaults={"wanted": wanted})
        _plan_again(account)


def arrange(account: Account, *, details: bool, digest: str, quiet_from: time | None, quiet_until: time | None) -> None:
    """Say how much a call tells, and when it may come: what waits is planned anew. Raises not_for_guests."""
    wish_of(account)
    wanted = {"details": details, "digest": digest, "quiet_from": quiet_from, "quiet_until": quiet_until}
    with transaction.atomic():
        Reach.objects.update_or_create(account=account, defaults=wanted)
        _plan_again(account)


def choose_for_season(account: Account, season_id: UUID, choice: str | None) -> None:
    """Want none of a season's calls, or all of them, or (None) what is chosen for the kinds. Raises not_for_guests."""
    wish_of(account)
    with transaction.atomic():
        if choice is None:
            SeasonCalls.objects.filter(account=account, season_id=season_id).delete()
        else:
            SeasonCalls.objects.update_or_create(account=account, season_id=season_id, defaults={"choice": choice})
        _plan_again(account)


def erase(account_id: UUID) -> None:
    """Forget what an account has chosen."""
    for table in (Reach, CallChoice, SeasonCalls):
        table.objects.filter(account=account_id).delete()


def table_of(wish: Wish) -> dict[str, dict[str, bool]]:
    """The table of what is told when, as the account has it: by kind and way whether it is wanted."""
    return {kind: {way: wish.wants(kind, way) for way in WAYS} for kind in KINDS}


def _wish(
    it: Account,
    chosen: Mapping[tuple[str, str], bool],
    seasons: Mapping[UUID, str],
    mail: bool,
    pushes: tuple[UUID, ...],
) -> Wish:
    kept = getattr(it, "reach", None) or Reach(account=it)
    is_quiet = kept.quiet_from is not None and kept.quiet_until is not None and kept.quiet_from != kept.quiet_until
    quiet = Quiet(kept.quiet_from, kept.quiet_until, it.time_zone) if is_quiet else None
    return Wish(it.time_zone, kept.details, kept.digest, quiet, chosen, seasons, mail, pushes)


def _plan_again(account: Account) -> None:
    """Let what waits follow what is wanted now."""
    wish, at = wishes([account.id])[account.id], store.clock()
    for call in account.calls.select_for_update().filter(state=Call.State.WAITING).exclude(kind="test"):
        if (call.way, call.receiver_id) in set(wish.ways(call.kind, call.season_id)):
            call.due_at = calls.due_at(call.way, call.made_at, wish.quiet, wish.digest, wish.zone)
        else:
            call.state, call.done_at = Call.State.LAPSED, at
        call.save(update_fields=["due_at", "state", "done_at"])
