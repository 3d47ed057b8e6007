"""Restrictions on guests: they don't assign seats to other people and don't play in a season."""

from collections.abc import Iterable
from uuid import UUID

from matches.domain.events import BOT, HOUSE
from matches.models import Match
from matches.reads import permissions

Seated = UUID | str | None


def refuse_inviting(by: UUID | str, seated: Iterable[Seated]) -> None:
    """Raise not_for_guests if a guest assigns seats to others than bots, or opens a match without taking a seat."""
    seats = set(seated)
    if seats - {by, BOT} or by not in seats:
        permissions.refuse_guests([by], "A guest plays against bots, and takes the seats of invitations.")


def refuse_seating(by: UUID | str, player: UUID | str) -> None:
    """Raise not_for_guests if a guest as host assigns a seat to another person."""
    if by != HOUSE and player not in (BOT, by):
        permissions.refuse_guests([by], "A guest seats nobody but bots.")


def refuse_in_season(match_id: UUID, player: UUID | str) -> None:
    """Raise not_for_guests if a guest is to have a seat at a season's match."""
    if player != BOT and Match.objects.filter(id=match_id).exclude(season=None).exists():
        permissions.refuse_guests([player], "Seasons are for accounts, whose names stay.")
