"""Conflicts of interest: which acts of a host are open to one who plays at the match. Pure."""

from collections.abc import Callable, Mapping

from games.kernel import Illegal
from matches.domain.events import BOT
from matches.domain.lifecycle import Lifecycle

ActRequest = tuple[Lifecycle, str, int | None]
"""The match's lifecycle, the requesting account, and the seat concerned."""


def plays(lifecycle: Lifecycle, account: str) -> bool:
    """True if the account holds or has held a seat of the match and another person does or did. A rewind or a
    substitution doesn't change that, and bots don't count. Who declines a seat before the start has never held it."""
    return account in lifecycle.sitters and len(lifecycle.sitters) > 1


def is_open_to(lifecycle: Lifecycle, account: str, act: str, seat: int | None = None) -> bool:
    """True if this account, a host of the match, may do an act, named as in
    `matches.domain.declared_host_acts`: at this seat, or at any seat if None."""
    if not plays(lifecycle, account):
        return True
    may = _OPEN_TO_PLAYERS.get(act)
    return may is not None and may((lifecycle, account, seat))


def refuse_player(lifecycle: Lifecycle, account: str, act: str, seat: int | None = None) -> None:
    """Raise plays_here if `is_open_to` is False."""
    if not is_open_to(lifecycle, account, act, seat):
        raise Illegal(
            "plays_here",
            "You hold, or have held, a seat at this match, and so does another person: another of its hosts, or an "
            "organiser of the house who doesn't play at it, has to do this.",
        )


def _may_cancel(request: ActRequest) -> bool:
    """Allow it before the start, and afterwards until everybody has accepted, because nothing counts until then. A
    substitute who hasn't accepted doesn't give a losing player a way out: not in a match that both had accepted, and
    not after taking over from a bot."""
    lifecycle, account, _ = request
    others = set(lifecycle.accepted) - {account}
    seats_taken_over = {
        seat for seat, leaver in lifecycle.leavers if leaver in lifecycle.accepted or (leaver == BOT and others)
    }
    return not lifecycle.started or any(seat not in seats_taken_over for seat in lifecycle.awaited)


def _may_seat(request: ActRequest) -> bool:
    """Allow it for an open seat before the start, as with an invitation; nobody may be removed from a seat."""
    lifecycle, _, seat = request
    if lifecycle.started:
        return False
    return (
        None in lifecycle.players if seat is None else seat < len(lifecycle.players) and lifecycle.players[seat] is None
    )


def _is_back(request: ActRequest) -> bool:
    """Allow it for one's own seat: its player says so, not a host."""
    lifecycle, account, seat = request
    own = lifecycle.seat_of(account)
    return own in dict(lifecycle.stand_ins) if seat is None else own == seat


# Agreements between the seats are not acts of a host: see `matches.domain.offers`.
_OPEN_TO_PLAYERS: Mapping[str, Callable[[ActRequest], bool]] = {
    "start": lambda _: True,
    "void": _may_cancel,
    "substitute": _may_seat,
    "end_stand_in": _is_back,
}
"""The acts of a host that are open to players, with the condition; no others are."""
