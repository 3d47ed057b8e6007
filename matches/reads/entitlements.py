"""The witness as which an account may look at a match, and the version up to which it may."""

from typing import NamedTuple
from uuid import UUID

from msgspec.structs import replace

from events.models import LoggedEvent
from events.records import Point
from games.kernel import HOST, SPECTATOR, Illegal, Witness
from matches.domain import clocks
from matches.domain.clocks import HOST_NUMBER, in_utc
from matches.domain.lifecycle import Lifecycle
from matches.domain.match_state import MatchState
from matches.reads import permissions
from matches.reads.visible import visible_state
from matches.storage import repository


class NotEntitled(Exception):
    """The caller may not look as the requested witness."""


class Entitlement(NamedTuple):
    """The witness as which a caller may look, up to the version at which that was checked.

    `is_watched`: it is the truth of a match under way, and each look is an event that must be recorded first.
    """

    witness: Witness
    upto: int
    is_watched: bool

    def until(self, at: int | None) -> int:
        """Return the version to show: `at` if given, and at most `upto`."""
        return self.upto if at is None else min(at, self.upto)


def lifecycle_for(match_id: UUID, player: str | None, newest: Point | None = None) -> Lifecycle:
    """Return the match's lifecycle as this account may know it: without a seat the end is seen with the spectators'
    delay.

    `newest` is the end of the log if the caller has just read it. Raise NotEntitled if the account may not know of the
    match.
    """
    return _visible_lifecycle(match_id, player, newest)[0]


def entitled(match_id: UUID, player: str | None, requested: str | None = None, hosts: bool = False) -> Entitlement:
    """Return the witness as which a caller looks (see `witness_of`), and up to which version; raise NotEntitled, and
    sealed for a host who may not look now."""
    lifecycle, version = _visible_lifecycle(match_id, player)
    if hosts:
        refuse_host_while_sealed(match_id, lifecycle, player, requested)
    return Entitlement(witness_of(lifecycle, player, requested, hosts), version, is_watched(lifecycle, requested))


def lifecycles(match_id: UUID) -> tuple[Lifecycle, Lifecycle]:
    """Return the match's lifecycle as seats know it, and as everybody else does, who sees the end with the spectators'
    delay. The caller checks who may know of the match at all."""
    now = repository.load(match_id, SPECTATOR).lifecycle
    return now, _delayed_lifecycle(match_id, now) if now.opened.spectator_delay else now


def _visible_lifecycle(match_id: UUID, player: str | None, newest: Point | None = None) -> tuple[Lifecycle, int]:
    match_state = repository.at_point(match_id, SPECTATOR, newest) if newest else repository.load(match_id, SPECTATOR)
    now = match_state.lifecycle
    if (now.opened.season or now.opened.spectator_delay) and not permissions.may_see(match_id, player):
        raise NotEntitled(str(match_id))
    if not now.opened.spectator_delay or (player and now.seat_of(player) is not None):
        return now, match_state.version
    return _delayed_lifecycle(match_id, now), match_state.version


def _delayed_lifecycle(match_id: UUID, now: Lifecycle) -> Lifecycle:
    then = visible_state(match_id, SPECTATOR).lifecycle
    # The end that spectators have seen may be one before the match was reopened: that opens nothing.
    if then.rewinds != now.rewinds:
        return replace(now, voided=False, outcome=None, seed=None)
    return replace(now, voided=then.voided, outcome=then.outcome, seed=then.seed)


def witness_of(lifecycle: Lifecycle, player: str | None, requested: str | None = None, hosts: bool = False) -> Witness:
    """Return the witness as which a caller looks: their own seat or SPECTATOR; any once secrets are open.

    `requested` is `seat:N`, `spectator` or `host`; raise NotEntitled. A caller who `hosts` the match and holds no seat
    may look at the truth before; that look must be recorded before the response (`is_watched`).
    """
    seat = lifecycle.seat_of(player) if player else None
    own: Witness = SPECTATOR if seat is None else seat
    if requested is None:
        return own
    wanted = _named(requested, len(lifecycle.players))
    may_look = (
        lifecycle.is_open or wanted in (own, SPECTATOR) or (hosts and seat is None and is_watched(lifecycle, requested))
    )
    if wanted is None or not may_look:
        raise NotEntitled(requested)
    return wanted


def is_watched(lifecycle: Lifecycle, requested: str | None) -> bool:
    """True if the request is for the truth of a match whose secrets aren't open, so that the look is an event."""
    return requested == HOST.value and lifecycle.started and not lifecycle.is_open


def is_sealed(match_id: UUID) -> bool:
    """True while the rules of a match show its officials no more than a spectator sees."""
    return _is_sealed(repository.load(match_id))


def refuse_sealed(match: UUID | MatchState) -> None:
    """Raise sealed while `is_sealed`. Every look of an official at more than spectators see passes here: when it is
    recorded, and when the truth is shown up to a look on record."""
    match_state = match if isinstance(match, MatchState) else repository.load(match)
    if _is_sealed(match_state):
        raise Illegal("sealed", f"What the seats have submitted is sealed, for officials too. {_opens(match_state)}")


def refuse_host_while_sealed(match_id: UUID, lifecycle: Lifecycle, player: str | None, requested: str | None) -> None:
    """Raise sealed, while the match is, for a host without a seat who requests more than a spectator sees."""
    if requested not in (None, SPECTATOR.value) and witness_of(lifecycle, player) is SPECTATOR:
        refuse_sealed(match_id)


def looked_at(match_id: UUID, account: UUID) -> int:
    """Return the version up to which a host may see the truth of a match under way: that of their last look on record;
    0 before the first. Raise sealed."""
    refuse_sealed(match_id)
    looks = LoggedEvent.objects.filter(stream=match_id, type="truth_viewed", actor=str(account))
    return looks.order_by("-version").values_list("version", flat=True).first() or 0


def _is_sealed(match_state: MatchState) -> bool:
    lifecycle = match_state.lifecycle
    return lifecycle.started and not lifecycle.is_open and match_state.game.is_sealed(match_state.state)


def _opens(match_state: MatchState) -> str:
    """Return a sentence that says when what is sealed opens at the earliest."""
    if match_state.lifecycle.over:
        return "It opens with the end of the season."
    if not match_state.due.seats:
        return "It opens by the rules, as the match goes on."
    falls = [it.falls_at for it in clocks.deadlines(match_state.clocks) if it.seat != HOST_NUMBER]
    latest = f" (by {in_utc(max(falls))})" if falls else ""
    return (
        f"It opens by the rules, at the earliest when every seat that is awaited has acted or has no time left{latest}."
    )


def _named(name: str, seats: int) -> Witness | None:
    names: dict[str, Witness] = {"spectator": SPECTATOR, "host": HOST}
    names.update({f"seat:{seat}": seat for seat in range(seats)})
    return names.get(name)


def witness_name(witness: Witness) -> str:
    """Return `seat:0`, `spectator` or `host`."""
    return f"seat:{witness}" if isinstance(witness, int) else witness.value
