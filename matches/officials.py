"""Who may change another's account: nobody who is at a match with them that isn't over."""

from uuid import UUID

from django.db.models import Q

from events.models import LoggedEvent
from matches.models import Account, Match

_OVER = (Match.Status.FINISHED, Match.Status.VOID)
_SEATED_BY = ("seat_taken", "seat_substituted")


class AtTheirMatch(Exception):
    """The official is at a match with the account, or plays in its season; the message says where."""


def refuse_at_their_match(official: UUID, account: UUID) -> None:
    """Raise AtTheirMatch where this official may change neither password nor rights of the account now.

    Who holds the password of somebody at the table can look into their hand, and who switches them off wins. Who held a
    seat before is told apart by the record alone, which is asked whether it holds together or not.
    """
    open_matches = Match.objects.exclude(status__in=_OVER).filter(seats__account=account)
    found = dict(open_matches.values_list("id", "code"))
    if not found or official == account:
        return
    seated = LoggedEvent.objects.filter(stream__in=found, type__in=_SEATED_BY, public__player=str(official)).first()
    if seated:
        code = found[seated.stream]
        raise AtTheirMatch(f"The account sits at match {code}, where this official holds or held a seat.")
    of_seasons = Q(memberships__season__matches__in=list(found), memberships__role="player")
    if Account.objects.filter(of_seasons, id=official).exists():
        codes = ", ".join(sorted(found.values()))
        raise AtTheirMatch(f"The account sits at a match of a season in which this official is a player ({codes}).")
