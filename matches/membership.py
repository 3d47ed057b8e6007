"""Who may see a match: whoever is signed in; one of a private season, its members and the house's organisers."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from matches.models import Account, Match


def seen_by(account: UUID | str | None) -> Q:
    """The matches that this account (None for nobody) may see."""
    public = Q(season=None) | Q(season__public=True)
    if account is None:
        return public
    mine = Account.objects.filter(id=account, memberships__season=OuterRef("season"))
    of_the_house = Account.objects.filter(id=account, is_organiser=True)
    return public | Exists(mine) | Exists(of_the_house)


def may_see(match_id: UUID, account: UUID | str | None) -> bool:
    """Whether this account may see the match."""
    return Match.objects.filter(seen_by(account), id=match_id).exists()
