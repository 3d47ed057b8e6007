"""The view of a match that a host is shown: a witness, and the newest version."""

from dataclasses import dataclass

from games.kernel import HOST, SPECTATOR, Witness
from matches.domain import impartiality
from matches.panel.entry import ControlRoom
from matches.reads import entitlements


@dataclass(frozen=True)
class PermittedView:
    """A witness. `version` is the newest one that may be seen, None for no limit; `watched` is true for the truth of a
    match under way."""

    witness: Witness
    version: int | None
    watched: bool


def permitted_view(room: ControlRoom, requested: str | None) -> PermittedView | None:
    """Return the requested view, SPECTATOR's by default. Return None if the truth of a match under way is requested and
    the record has no look of this host.

    The truth is shown as of the host's last recorded look. Raise NotEntitled; raise plays_here for a host who has
    played at the match, and sealed.
    """
    if requested in (None, SPECTATOR.value):
        return PermittedView(SPECTATOR, None, False)
    entitlements.refuse_host_while_sealed(room.match.id, room.lifecycle, str(room.host.id), requested)
    if entitlements.is_watched(room.lifecycle, requested) and room.seat is None:
        impartiality.refuse_player(room.lifecycle, str(room.host.id), "look")
        looked_at = entitlements.looked_at(room.match.id, room.host.id)
        return PermittedView(HOST, looked_at, True) if looked_at else None
    return PermittedView(entitlements.witness_of(room.lifecycle, str(room.host.id), requested), None, False)
