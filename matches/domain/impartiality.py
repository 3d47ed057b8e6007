"""Whoever plays doesn't host: which of a host's acts are open to one who plays at the match. Pure."""

from collections.abc import Callable, Mapping

from games.kernel import Illegal
from matches.domain.events import BOT
from matches.domain.lifecycle import Lifecycle

ActRequest = tuple[Lifecycle, str, int | None]
"""The match, the account that asks, and the seat that the act is about."""


def plays(story: Lifecycle, account: str) -> bool:
    """Whether the account holds a seat of the match, or has held one, and another person does or did: a rewind and a
    substitution undo neither, and a bot is no person. Who has declined a seat before the start never held it."""
    return account in story.sitters and len(story.sitters) > 1


def is_open_to(story: Lifecycle, account: str, act: str, seat: int | None = None) -> bool:
    """Whether this account, a host of the match, may do an act, named as `matches.services` names it; at a seat where
    it is about one, at any without."""
    if not plays(story, account):
        return True
    may = _OPEN_TO_PLAYERS.get(act)
    return may is not None and may((story, account, seat))


def refuse_player(story: Lifecycle, account: str, act: str, seat: int | None = None) -> None:
    """Raise plays_here where `is_open_to` says no."""
    if not is_open_to(story, account, act, seat):
        raise Illegal(
            "plays_here",
            "You hold, or have held, a seat at this match, and so does another person: another of its hosts, or an "
            "organiser of the house who doesn't play at it, has to do this.",
        )


def _may_cancel(request: ActRequest) -> bool:
    """Before the start, and later until everybody has accepted: until then nothing counts anyway. A substitute who has
    yet to accept doesn't give a losing player a way out of a match that both had accepted, and neither does one who has
    taken over from a bot."""
    story, account, _ = request
    others = set(story.accepted) - {account}
    taken_over = {seat for seat, leaver in story.leavers if leaver in story.accepted or (leaver == BOT and others)}
    return not story.started or any(seat not in taken_over for seat in story.awaited)


def _may_seat(request: ActRequest) -> bool:
    """On an open seat before the start, which is what an invitation does too; nobody is put out of a seat."""
    story, _, seat = request
    if story.started:
        return False
    return None in story.players if seat is None else seat < len(story.players) and story.players[seat] is None


def _is_back(request: ActRequest) -> bool:
    """For one's own seat: that is the player's own word, not a host's."""
    story, account, seat = request
    own = story.seat_of(account)
    return own in dict(story.stand_ins) if seat is None else own == seat


# What the seats have agreed on is no host's act: see `matches.domain.offers`.
_OPEN_TO_PLAYERS: Mapping[str, Callable[[ActRequest], bool]] = {
    "start": lambda _: True,
    "void": _may_cancel,
    "substitute": _may_seat,
    "end_stand_in": _is_back,
}
"""The acts of a host that are open to players, and when; all others aren't."""
