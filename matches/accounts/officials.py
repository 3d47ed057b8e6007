"""Who may change another's account: nobody who is at a match with them that isn't over, or at one that they host."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from events.models import LoggedEvent
from matches.models import Account, Match, Seat

_OVER = (Match.Status.FINISHED, Match.Status.VOID)
_SEATED_BY = ("seat_taken", "seat_substituted")


class OfficialInvolved(Exception):
    """The official is at a match with the account, or plays in its season; the message says where."""


def refuse_involved_official(official: UUID, account: UUID) -> None:
    """Raise OfficialInvolved where this official may change neither password nor rights of the account now.

    Who holds the password of somebody at the table can look into their hand, or with a host's see the truth; and who
    switches them off wins. Who held a seat before is told apart by the record alone, which is asked whether it holds
    together or not.
    """
    if official == account:
        return
    open_matches = Match.objects.exclude(status__in=_OVER)
    sat_at = dict(open_matches.filter(seats__account=account).values_list("id", "code"))
    hosted = dict(open_matches.filter(_hosted_by(account), _seats_another(official)).values_list("id", "code"))
    if found := sorted(code for match_id, code in _played_at(official, {**sat_at, **hosted})):
        raise OfficialInvolved(
            f"The account sits at match {found[0]}, or hosts it, and this official holds or held a seat there."
        )
    of_seasons = Q(memberships__season__matches__in=list(sat_at), memberships__role="player")
    if sat_at and Account.objects.filter(of_seasons, id=official).exists():
        codes = ", ".join(sorted(sat_at.values()))
        raise OfficialInvolved(f"The account sits at a match of a season in which this official is a player ({codes}).")


def _hosted_by(account: UUID) -> Q:
    """The matches whose truth opens to the account: those it has opened, to an organiser of the house all."""
    organisers = Account.objects.filter(id=account, is_organiser=True)
    return Q(opened_by=account, season=None) | Exists(organisers)


def _seats_another(official: UUID) -> Q:
    """The matches at which the official sits, and another person does."""
    people = Seat.objects.filter(match=OuterRef("id"), account__isnull=False)
    return Exists(people.filter(account=official)) & Exists(people.exclude(account=official))


def _played_at(official: UUID, matches: dict[UUID, str]) -> Iterable[tuple[UUID, str]]:
    """Those of these matches at which the official holds or held a seat.

    One that they have declined, or that somebody else has put them down for at a match that hasn't begun, is none: else
    nobody could do anything about whoever puts all officials down.
    """
    waiting = set(Match.objects.filter(id__in=matches, status=Match.Status.WAITING).values_list("id", flat=True))
    is_put_down: dict[UUID, bool] = {}
    theirs = Q(actor=str(official)) | Q(type__in=_SEATED_BY, public__player=str(official))
    rows = LoggedEvent.objects.filter(theirs, stream__in=matches).order_by("stream", "version")
    for match_id, type, actor, public in rows.values_list("stream", "type", "actor", "public"):
        if type in _SEATED_BY and public.get("player") == str(official):
            is_put_down[match_id] = actor != str(official) and is_put_down.get(match_id, True)
        elif type == "seat_declined" and is_put_down.get(match_id):
            del is_put_down[match_id]
        elif match_id in is_put_down:
            is_put_down[match_id] = False
    return [
        (match_id, matches[match_id]) for match_id, given in is_put_down.items() if not (given and match_id in waiting)
    ]
