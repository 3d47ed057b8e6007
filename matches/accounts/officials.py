"""Officials' rights over accounts: none may change an account that is at an open match with them,
or hosts one of theirs."""

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
    """Raise OfficialInvolved if this official may not change the account's password or rights now.

    With the password of an opponent an official could read the opponent's hand, with a host's the truth; and whoever
    deactivates an opponent wins. Former seats are read from the record, whether or not it verifies.
    """
    if official == account:
        return
    open_matches = Match.objects.exclude(status__in=_OVER)
    sat_at = dict(open_matches.filter(seats__account=account).values_list("id", "code"))
    hosted = dict(open_matches.filter(_hosted_by(account), _seats_another(official)).values_list("id", "code"))
    if codes_played := sorted(code for match_id, code in _played_at(official, {**sat_at, **hosted})):
        raise OfficialInvolved(
            f"The account sits at match {codes_played[0]}, or hosts it, and this official holds or held a seat there."
        )
    of_seasons = Q(memberships__season__matches__in=list(sat_at), memberships__role="player")
    if sat_at and Account.objects.filter(of_seasons, id=official).exists():
        codes = ", ".join(sorted(sat_at.values()))
        raise OfficialInvolved(f"The account sits at a match of a season in which this official is a player ({codes}).")


def _hosted_by(account: UUID) -> Q:
    """Matches whose truth the account can see: those that it opened; all matches for an organiser of the house."""
    organisers = Account.objects.filter(id=account, is_organiser=True)
    return Q(opened_by=account, season=None) | Exists(organisers)


def _seats_another(official: UUID) -> Q:
    """Matches at which the official and at least one other person sit."""
    people = Seat.objects.filter(match=OuterRef("id"), account__isnull=False)
    return Exists(people.filter(account=official)) & Exists(people.exclude(account=official))


def _played_at(official: UUID, matches: dict[UUID, str]) -> Iterable[tuple[UUID, str]]:
    """Return those of these matches at which the official holds or has held a seat.

    A seat doesn't count if they declined it, or if somebody else assigned it at a match that hasn't begun. Otherwise
    nobody could act against an account that assigns seats to all officials.
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
