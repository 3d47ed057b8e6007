"""What guests may not do at a table: have seats given to other people, or play in a season."""

from collections.abc import Iterable
from uuid import UUID

from matches.domain.events import BOT, HOUSE
from matches.models import Match
from matches.reads import permissions

Seated = UUID | str | None


def refuse_inviting(by: UUID | str, seated: Iterable[Seated]) -> None:
    """Raise not_for_guests where a guest gives seats to others than bots, or opens a match without sitting there."""
    seats = set(seated)
    if seats - {by, BOT} or by not in seats:
        permissions.refuse_guests([by], "A guest plays against bots, and takes the seats of invitations.")


def refuse_seating(by: UUID | str, player: UUID | str) -> None:
    """Raise not_for_guests where a guest as host lets another person hold a seat."""
    if by != HOUSE and player not in (BOT, by):
        permissions.refuse_guests([by], "A guest seats nobody but bots.")


def refuse_in_season(match_id: UUID, player: UUID | str) -> None:
    """Raise not_for_guests for a seat at a season's match given to a guest."""
    if player != BOT and Match.objects.filter(id=match_id).exclude(season=None).exists():
        permissions.refuse_guests([player], "Seasons are for accounts, whose names stay.")
