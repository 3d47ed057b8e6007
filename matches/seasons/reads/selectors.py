"""Queries beside a season's log: the seasons, who may see them, and the roles of accounts."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from matches.models import Account, Match, Seat
from matches.reads import permissions
from matches.seasons import repository
from matches.seasons.models import Member, Season
from matches.seasons.reads.documents import SeasonRole


def seasons_for(account: Account | None, *, status: str = "", player: UUID | None = None) -> QuerySet[Season]:
    """Return the matching seasons that the account may see; None is a reader who is signed out."""
    wanted = visibility_filter(account)
    if status:
        wanted &= Q(status=status)
    if player:
        wanted &= Exists(Member.objects.filter(season_id=OuterRef("id"), account_id=player, role=Member.Role.PLAYER))
    return Season.objects.filter(wanted)


def season_for(account: Account | None, season_id: UUID) -> Season | None:
    return seasons_for(account).filter(id=season_id).first()


def visibility_filter(account: Account | None) -> Q:
    """Return the filter for public seasons and the account's own; an organiser of the installation sees all."""
    if account is None:
        return Q(public=True)
    if account.is_organiser:
        return Q()
    return Q(public=True) | Exists(Member.objects.filter(season_id=OuterRef("id"), account_id=account.id))


def with_a_part_of(account: Account) -> QuerySet[Season]:
    """Return the seasons in which the account has a part; all for an organiser of the installation."""
    if account.is_organiser:
        return Season.objects.all()
    return Season.objects.filter(Exists(Member.objects.filter(season_id=OuterRef("id"), account_id=account.id)))


def officiated_by(account: Account) -> QuerySet[Season]:
    """Return the seasons whose staff includes the account, those that changed last first."""
    of_the_staff = Member.objects.filter(season_id=OuterRef("id"), account_id=account.id)
    return Season.objects.filter(Exists(of_the_staff.exclude(role=Member.Role.PLAYER))).order_by("-changed_at")


def run_by(account: Account) -> QuerySet[Season]:
    """Return the running seasons whose organisers or hosts include the account, those that changed last first."""
    roles = (Member.Role.ORGANISER, Member.Role.HOST)
    own = Member.objects.filter(season_id=OuterRef("id"), account_id=account.id, role__in=roles)
    return Season.objects.filter(Exists(own), status=Season.Status.RUNNING).order_by("-changed_at")


def under_way_for(account: Account) -> QuerySet[Season]:
    """Return the unfinished seasons in which the account itself has a part, those that changed last first."""
    mine = Season.objects.filter(Exists(Member.objects.filter(season_id=OuterRef("id"), account_id=account.id)))
    return mine.exclude(status=Season.Status.FINISHED).order_by("-changed_at")


def role_in(account: Account, season_id: UUID) -> str | None:
    rows = Member.objects.filter(season_id=season_id, account_id=account.id)
    return rows.values_list("role", flat=True).first()


def hosts(account: Account, match: Match) -> bool:
    """True if the account runs this match of a season: as its organiser or host, or as an organiser of the
    installation. Accounts that play or played in the season don't."""
    return _would_host(account, match) and not permissions.plays_in(match.season_id, account.id)


def is_barred(account: Account, match: Match) -> bool:
    """True if the account can't run this match only because it plays in the season."""
    return _would_host(account, match) and permissions.plays_in(match.season_id, account.id)


def _would_host(account: Account, match: Match) -> bool:
    return account.is_organiser or role_in(account, match.season_id) in (Member.Role.ORGANISER, Member.Role.HOST)


def kept_from(account: Account) -> QuerySet[Match]:
    """Return the matches of running seasons in which the account plays or played. Lists for officials show it no more
    of them than public pages do."""
    return Match.objects.filter(season__in=competed_in(account))


def competes_with(account: Account, other: Account) -> bool:
    """True if the other account has a part in a season under way in which this one plays, or did."""
    return Member.objects.filter(season__in=competed_in(account), account=other).exists()


def competed_in(account: Account) -> QuerySet[Season]:
    """Return the seasons under way in which the account plays, or did."""
    # Each question stands by itself: a distributed database takes none that asks nodes about each row of a copy.
    mine = Member.objects.filter(account=account, role=Member.Role.PLAYER).values("season")
    seats = Seat.objects.filter(account=account).values("match__season")
    return Season.objects.exclude(status=Season.Status.FINISHED).filter(Q(id__in=mine) | Q(id__in=seats))


def roles_of(account: Account, seasons: Iterable[Season]) -> dict[UUID, SeasonRole]:
    rows = Member.objects.filter(account_id=account.id, season_id__in=[season.id for season in seasons])
    return dict(rows.values_list("season_id", "role"))


def awaited_in(account_id: UUID) -> str | None:
    """Return a sentence that names a season under way in which the account still plays; None if there is none."""
    played = Season.objects.filter(members__account_id=account_id, members__role=Member.Role.PLAYER)
    for season in played.exclude(status=Season.Status.FINISHED):
        player = repository.load(season.id).players.get(str(account_id))
        if player is not None and player.living:
            return f"The account is a living player of the season {season.title}."
    return None
