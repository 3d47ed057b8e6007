"""Opening a match by a request: its seats and clocks."""

from typing import Any
from uuid import UUID, uuid4

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from games import catalogue
from matches.domain.clocks import ClockTimes
from matches.domain.events import BOT
from matches.domain.openings import clock_specs
from matches.http.bodies import ClockBody, OpenBody, OpenTo, SeatBody
from matches.http.problems import Problem
from matches.reads import selectors
from matches.services import opening
from matches.talk import settings


def open_requested(opener: UUID, body: OpenBody, match_id: UUID | None = None) -> opening.Opened:
    """Open a match, with this id if given; raise Problem, Illegal, and StreamConflict if it exists."""
    if body.game not in catalogue:
        raise Problem("no_such_game", f"The games are {', '.join(sorted(catalogue))}.")
    if body.talk is not UNSET:
        # First, so that nobody finds the match with talk that its opener didn't want.
        match_id = match_id or uuid4()
        settings.set_open_to(about=match_id, wanted=body.talk, by=opener)
    return opening.open_match(
        opener=opener,
        game=body.game,
        options=body.options,
        seats=_seat_requests(body.seats),
        priority=body.priority,
        clocks=clock_times(body.game, body.options, body.clocks),
        approval=body.approval,
        opens_at=body.opens_at,
        setup_closes=body.setup_closes,
        spectator_delay=body.spectator_delay,
        aids=None if body.aids is UNSET else body.aids,
        match_id=match_id,
    )


def clock_times(
    game: str, options: dict[str, Any], changes: dict[str, ClockBody] | UnsetType | None
) -> dict[str, ClockTimes] | None:
    """Return the match's clocks: those by its rules, with the opener's changes; raise Problem, and Illegal for
    options that can't be played."""
    if changes is None:
        return None
    specs = clock_specs(game, options)
    changed = {} if changes is UNSET else changes
    if unknown := changed.keys() - specs.keys():
        raise Problem("bad_options", f"There is no clock {min(unknown)}; this game has {', '.join(sorted(specs))}.")
    try:
        return {
            name: ClockTimes(**(asdict(ClockBody(spec.base, spec.reserve, spec.increment)) | _given(changed.get(name))))
            for name, spec in specs.items()
        }
    except ValueError as error:
        raise Problem("bad_options", f"{str(error).capitalize()}.") from None


def _given(changed: ClockBody | None) -> dict[str, int]:
    return {name: value for name, value in asdict(changed).items() if value is not UNSET} if changed else {}


def _seat_requests(seats: list[SeatBody]) -> list[opening.SeatRequest]:
    """Return the seats for the service; raise Problem for a player who isn't an account."""
    requests = [opening.SeatRequest(_player(seat.player), seat.role, open_to(seat.open_to)) for seat in seats]
    if not selectors.accounts_exist({seat.player for seat in requests if isinstance(seat.player, UUID)}):
        raise Problem("no_such_player")
    return requests


def open_to(audience: OpenTo) -> tuple[UUID, ...] | None:
    """Return the accounts to which a seat is open: an empty tuple means anybody, None nobody. Raise Problem for one who
    isn't an account."""
    if audience is None or audience == "anybody":
        return None if audience is None else ()
    named = tuple(dict.fromkeys(audience))
    if not selectors.accounts_exist(set(named)):
        raise Problem("no_such_player")
    return named


def _player(named: str | None) -> UUID | str | None:
    if named in (None, BOT):
        return named
    try:
        return UUID(named)
    except ValueError:
        raise Problem("no_such_player") from None
