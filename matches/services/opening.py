"""Setting a table: opening a match, taking seats, adding nonces, starting."""

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from msgspec import Struct

from events.roundtrip import Statement
from events.store import Door
from games import catalogue
from games.kernel import ALGORITHM, Event, Illegal, to_json
from matches import codec, lifecycle, seeds
from matches.clocks import ClockTimes
from matches.happenings import BOT, MatchOpened, SeatTaken
from matches.models import Seat
from matches.services.appending import append, at_door

_CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE_LENGTH = 8

_INSERT_MATCH = """
INSERT INTO matches_match (id, code, game, status, version, opened_by_id, opened_at, changed_at, needs, wake)
VALUES ($1, $2, $3, 'waiting', $4, $5, clock_timestamp(), clock_timestamp(), '{}', false)
"""
_INSERT_SEAT = """
INSERT INTO matches_seat (match_id, number, account_id, is_bot, role, invitation) VALUES ($1, $2, $3, $4, $5, $6)
"""
_TAKE_SEAT = "UPDATE matches_seat SET account_id = $3, invitation = NULL WHERE match_id = $1 AND number = $2"

class SeatAsked(Struct, frozen=True):
    """A seat as its opener wants it: `player` is an account, `bot`, or None for an invitation."""

    player: UUID | str | None = None
    role: str = ""


class Opened(NamedTuple):
    """A new match, and the invitation of each open seat."""

    match_id: UUID
    code: str
    invitations: dict[int, str]


def open_match(
    *,
    opener: UUID,
    game: str,
    options: object,
    seats: Sequence[SeatAsked],
    priority: int = 0,
    clocks: dict[str, ClockTimes] | None = None,
    approval: bool = False,
) -> Opened:
    """Set a table; without `clocks` no clock runs, with `approval` the result counts once a host has approved it.

    Raises Illegal("bad_options") where it can't be played.
    """
    rules = catalogue[game]
    checked = rules.read_options(options)
    rules.open(checked, len(seats), priority)
    _refuse_doubles(seats)
    seed = seeds.new_seed()
    opened = MatchOpened(
        game=game,
        options=to_json(checked),
        seats=len(seats),
        priority=priority,
        opened_by=str(opener),
        seed_commitment=seeds.commitment(seed),
        chance=ALGORITHM,
        clocks=clocks,
        approval=approval,
    )
    taken = [
        SeatTaken(seat=number, player=str(asked.player))
        for number, asked in enumerate(seats)
        if asked.player is not None
    ]
    return _set_table(opener, opened, taken, seats, seed)


def join(*, match_id: UUID, player: UUID, invitation: str) -> int:
    """Take the seat that an invitation is for; gives its number. Joining again answers the same."""
    seat = _seat_invited(match_id, invitation)
    with Door(match_id, actor=str(player)) as door:
        folded = at_door(door)
        held = folded.lifecycle.seat_of(str(player))
        if held is not None and (seat is None or held == seat):
            return held
        if seat is None:
            raise Illegal("no_such_invitation", "The invitation is not valid, or its seat is taken.")
        event = lifecycle.take_seat(folded.lifecycle, seat, str(player))
        append(door, folded, [event], also=[(_TAKE_SEAT, (match_id, seat, player))])
    return seat


def add_nonce(*, match_id: UUID, player: UUID, seat: int, nonce: str) -> None:
    """Mix a player's own randomness into the seed, before the start."""
    with Door(match_id, actor=str(player)) as door:
        folded = at_door(door)
        append(door, folded, [lifecycle.add_nonce(folded.lifecycle, seat, nonce)])


def start(*, match_id: UUID, by: UUID, reason: str) -> None:
    """Begin play; every seat must be taken."""
    with Door(match_id, actor=str(by)) as door:
        folded = at_door(door)
        append(door, folded, [lifecycle.start(folded.lifecycle, reason)])


def _set_table(
    opener: UUID, opened: MatchOpened, taken: Sequence[Event], seats: Sequence[SeatAsked], seed: bytes
) -> Opened:
    match_id = uuid4()
    code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    invitations = {
        number: secrets.token_urlsafe(18) for number, asked in enumerate(seats) if asked.player is None
    }
    events = [opened, *taken]
    also: list[Statement] = [
        (_INSERT_MATCH, (match_id, code, opened.game, len(events), opener)),
        seeds.storing(match_id, seed),
        *(
            (_INSERT_SEAT, _seat_values(match_id, number, asked, invitations.get(number)))
            for number, asked in enumerate(seats)
        ),
    ]
    with Door(match_id, actor=str(opener)) as door:
        door.append([codec.pack(event) for event in events], expected=0, also=also)
    return Opened(match_id, code, invitations)


def _seat_values(match_id: UUID, number: int, asked: SeatAsked, invitation: str | None) -> tuple[Any, ...]:
    account = asked.player if isinstance(asked.player, UUID) else None
    return match_id, number, account, asked.player == BOT, asked.role, _hashed(invitation)


def _hashed(invitation: str | None) -> bytes | None:
    return sha256(invitation.encode()).digest() if invitation else None


def _seat_invited(match_id: UUID, invitation: str) -> int | None:
    open_seats = Seat.objects.filter(match_id=match_id, invitation=_hashed(invitation))
    return open_seats.values_list("number", flat=True).first() if invitation else None


def _refuse_doubles(seats: Sequence[SeatAsked]) -> None:
    people = [asked.player for asked in seats if isinstance(asked.player, UUID)]
    if len(people) != len(set(people)):
        raise Illegal("already_seated", "One account holds one seat at a table.")
