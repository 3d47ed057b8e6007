"""Acts before play: open a match, take seats, add nonces, start."""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from msgspec import Struct
from msgspec.structs import replace

from events import chain
from events.pipeline import Statement, array
from events.store import StreamTransaction
from games import catalogue
from games.kernel import ALGORITHM, Aids, Event, Illegal, Parts, commitments, to_json
from matches.domain import aids as match_aids
from matches.domain import lifecycle, openings, programs
from matches.domain.clocks import SETUP_CLOSES_BEFORE, ClockTimes
from matches.domain.events import BOT, MatchOpened, SeatTaken, SecretsOpen
from matches.domain.match_state import MatchState
from matches.models import Seat
from matches.publishing import publisher
from matches.services import caps, guests
from matches.services.appending import append, match_at_head, open_transaction
from matches.services.nonces import leave_out_late_nonces, reveal_nonce, waited_long_enough
from matches.services.season_players import not_by_players
from matches.storage import codec, codes, seeds

FOREIGN_COMMITMENT = (
    "These options contain the commitment to a sealed part of another match. Give the part itself instead."
)
_FARTHEST_OPENING = timedelta(days=366)
_CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_CODE_LENGTH = 8

_INSERT_MATCH = """
INSERT INTO matches_match (id, code, game, season_id, status, version, opened_by_id, opened_at, changed_at, needs, wake,
    opens_at, starts_at, spectator_delay, rematch_of, awaits_check_in)
VALUES ($1, $2, $3, $4, 'waiting', $5, $6, clock_timestamp(), clock_timestamp(), $10, false, $7, $8, $9, $11, $12)
"""
_INSERT_SEAT = """
INSERT INTO matches_seat (match_id, number, account_id, is_bot, role, invitation, open_to, awaited)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
_TAKE_SEAT = """
UPDATE matches_seat SET account_id = $3, invitation = NULL, open_to = NULL WHERE match_id = $1 AND number = $2
"""
_MOVE_OPENING = "UPDATE matches_match SET opens_at = $2, starts_at = $3 WHERE id = $1"
# Locks the accounts, so that none is erased while its match starts.
_SEATED = """
SELECT s.number, a.is_active FROM matches_seat s JOIN matches_account a ON a.id = s.account_id
WHERE s.match_id = $1 ORDER BY s.number FOR SHARE OF a
"""


class SeatRequest(Struct, frozen=True):
    """A seat as the opener requests it. `player` is an account, `bot`, or None for an invitation.

    The accounts in `open_to`, or anybody if it is empty, may take an open seat without its invitation; None: nobody
    may.
    """

    player: UUID | str | None = None
    role: str = ""
    open_to: tuple[UUID, ...] | None = None


class Opened(NamedTuple):
    """A new match, with the invitation of each open seat by its number."""

    match_id: UUID
    code: str
    invitations: dict[int, str]


def open_match(
    *,
    opener: UUID,
    game: str,
    options: object,
    seats: Sequence[SeatRequest],
    priority: int = 0,
    clocks: dict[str, ClockTimes] | None = None,
    approval: bool = False,
    opens_at: datetime | None = None,
    spectator_delay: int = 0,
    aids: Aids | None = None,
    setup_closes: int = SETUP_CLOSES_BEFORE,
    season: UUID | None = None,
    match_id: UUID | None = None,
    rematch_of: UUID | None = None,
    awaits_check_in: bool = False,
    secrets_open: SecretsOpen = "match",
) -> Opened:
    r"""Open a match.

    clocks: None for a match without clocks.
    approval: the result counts only once a host has approved it.
    opens_at: the match starts by itself; its set-up begins earlier and closes `setup_closes` seconds before this time.
    spectator_delay: after so many seconds spectators see what has happened.
    aids: None for the usual ones (`matches.domain.aids`).
    season, rematch_of: `match_id` is derived from them, so that the match is opened only once.
    awaits_check_in: the match starts only when its season says so.
    secrets_open: `season` for a season's match whose seed is revealed with the season's end.

    A friendly counts once every person to whom the opener has assigned a seat has accepted it.

    Raises Illegal: bad_options for a match that can't be played; bad_opening_time for an instant in the past or more
    than a year ahead; too_many_matches or too_many_bot_matches for a friendly above the opener's limit; not_for_guests
    for a guest's match with other people. Raises StreamConflict if the match exists.
    """
    rules, root = catalogue[game], seeds.new_seed()
    sealed, parts = rules.seal(rules.read_options(options), seeds.chance_of_opening(root))
    rules.open(sealed, len(seats), priority)
    public = to_json(sealed)
    parts = _parts_of(public, parts, season)
    _refuse_duplicates(seats)
    if season is None and rematch_of is None:
        guests.refuse_inviting(opener, [request.player for request in seats])
    opened = MatchOpened(
        game=game,
        options=public,
        seats=len(seats),
        priority=priority,
        opened_by=str(opener),
        seed_commitment=seeds.commitment(seeds.seed_from(root, 0)),
        chance=ALGORITHM,
        clocks=clocks,
        approval=approval,
        opens_at=chain.microseconds(opens_at) if opens_at else None,
        spectator_delay=spectator_delay,
        season=str(season) if season else None,
        nonces=seeds.NONCES,
        bots=programs.scheme(rules),
        acceptance=season is None,
        aids=aids or match_aids.usual(str(opener), [_player_of(request) for request in seats]),
        setup_closes=setup_closes,
        shared_setup=bool(openings.setup_shares(game, public)),
        secrets_open=secrets_open,
    )
    taken = [
        SeatTaken(seat=number, player=str(request.player))
        for number, request in enumerate(seats)
        if request.player is not None
    ]
    match_id = match_id or uuid4()
    storing = [seeds.storing_root(match_id, root), *seeds.storing_parts(match_id, parts)]
    return _store_match(match_id, opener, opened, taken, seats, storing, rematch_of, awaits_check_in)


def join(*, match_id: UUID, player: UUID, invitation: str) -> int:
    """Take the seat of an invitation and return its number; repeating it returns the same number. Raises
    no_such_invitation, and not_for_guests for a guest at a season's match."""
    seat = invited_seat(match_id, invitation)
    guests.refuse_in_season(match_id, player)
    with open_transaction(match_id, actor=str(player)) as transaction:
        match_state = match_at_head(transaction)
        held = match_state.lifecycle.seat_of(str(player))
        if held is not None and (seat is None or held == seat):
            return held
        if seat is None:
            raise Illegal("no_such_invitation", "The invitation is not valid, or its seat is taken.")
        event = lifecycle.take_seat(match_state.lifecycle, seat, str(player))
        append(transaction, match_state, [event], also=[seat_update(match_id, seat, player)])
    return seat


def seat_update(match_id: UUID, seat: int, player: UUID) -> Statement:
    """Return the statement that stores who has taken an open seat."""
    return _TAKE_SEAT, (match_id, seat, player)


def invited_seat(match_id: UUID, invitation: str) -> int | None:
    """Return the open seat of an invitation; None if the invitation isn't or is no longer valid."""
    open_seats = Seat.objects.filter(match_id=match_id, invitation=_hashed(invitation))
    return open_seats.values_list("number", flat=True).first() if invitation else None


def add_nonce(*, match_id: UUID, player: UUID, seat: int, nonce: str) -> None:
    """Mix a player's nonce into the seed before the start: add it in plain, or reveal it if it was committed."""
    with open_transaction(match_id, actor=str(player)) as transaction:
        match_state = match_at_head(transaction)
        if match_state.lifecycle.commitments[seat] is None:
            append(transaction, match_state, [lifecycle.add_nonce(match_state.lifecycle, seat, nonce)])
            return
    reveal_nonce(match_id=match_id, player=player, seat=seat, nonce=nonce)


@not_by_players
def start(*, match_id: UUID, by: UUID, reason: str) -> None:
    """Begin play, or call the start if committed nonces are still to be revealed. Every seat must be taken."""
    begin(match_id=match_id, actor=str(by), reason=reason)


def begin(*, match_id: UUID, actor: str, reason: str) -> None:
    """Begin play, or call the start. A scheduled match that is started early opens with it.

    Raises already_started, match_over, seats_open, nonces_called, not_open_yet for an early start by a player, and
    player_gone if a seat's account is disabled or erased: the host substitutes it or declares the match void.
    """
    with open_transaction(match_id, actor=actor) as transaction:
        match_state = match_at_head(transaction)
        at = chain.microseconds(transaction.arrived_at)
        if not waited_long_enough(match_id, match_state, at):
            events = openings.start(match_state.lifecycle, actor, reason, at)
            refuse_gone(transaction)
            append(
                transaction, match_state, events, also=[opening_update(match_id, None, None)] if len(events) > 1 else []
            )
            return
    leave_out_late_nonces(match_id=match_id)


def reschedule(*, match_id: UUID, by: str, opens_at: datetime | None, reason: str) -> None:
    """Let a match that hasn't started open at another instant; None means when its host starts it. Raises
    already_started, match_over, nonces_called, bad_opening_time."""
    with open_transaction(match_id, actor=by) as transaction:
        _reschedule(transaction, match_at_head(transaction), opens_at, reason)


def reschedule_if_unchanged(
    *, match_id: UUID, by: str, previous: datetime | None, opens_at: datetime | None, reason: str
) -> None:
    """Reschedule a match only if its opening time is still `previous`. So only one of several concurrent calls applies
    the season's time, and none that has read an outdated one."""
    with open_transaction(match_id, actor=by) as transaction:
        match_state = match_at_head(transaction)
        if match_state.lifecycle.opened.opens_at == _microseconds(previous):
            _reschedule(transaction, match_state, opens_at, reason)


def _reschedule(
    transaction: StreamTransaction, match_state: MatchState, opens_at: datetime | None, reason: str
) -> None:
    at = _microseconds(opens_at)
    event = openings.reschedule(match_state.lifecycle, at, reason)
    _refuse_untimely(transaction, opens_at)
    moved = replace(match_state.lifecycle.opened, opens_at=at)
    append(transaction, match_state, [event], also=[opening_update(transaction.stream, *_beginning(moved))])


def _microseconds(at: datetime | None) -> int | None:
    return chain.microseconds(at) if at else None


def opening_update(match_id: UUID, opens_at: datetime | None, starts_at: datetime | None) -> Statement:
    """Return the statement that stores another opening and starting time."""
    return _MOVE_OPENING, (match_id, opens_at, starts_at)


def refuse_gone(transaction: StreamTransaction) -> None:
    """Raise player_gone if an account in a seat is disabled or erased."""
    (seated,) = transaction.run((_SEATED, (transaction.stream,)))
    if gone := ", ".join(str(number) for number, is_active in seated if not is_active):
        raise Illegal("player_gone", f"The account in seat {gone} is switched off or erased; substitute it first.")


def _store_match(
    match_id: UUID,
    opener: UUID,
    opened: MatchOpened,
    taken: Sequence[Event],
    seats: Sequence[SeatRequest],
    storing_secrets: Sequence[Statement],
    rematch_of: UUID | None,
    awaits_check_in: bool,
) -> Opened:
    code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    invitations = {number: secrets.token_urlsafe(18) for number, request in enumerate(seats) if request.player is None}
    events = [opened, *taken]
    season = UUID(opened.season) if opened.season else None
    opens_at, starts_at = _beginning(opened)
    invited = [str(it.player) for it in seats if _is_awaited(opened, it)]
    row = (
        match_id, code, opened.game, season, len(events), opener, opens_at, starts_at, opened.spectator_delay,
        array(invited), rematch_of, awaits_check_in,
    )  # fmt: skip
    also: list[Statement] = [
        (_INSERT_MATCH, row),
        *codes.noting(code, match_id),
        *storing_secrets,
        *(
            (
                _INSERT_SEAT,
                (*_seat_values(match_id, number, request, invitations.get(number)), _is_awaited(opened, request)),
            )
            for number, request in enumerate(seats)
        ),
    ]
    with StreamTransaction(match_id, actor=str(opener)) as transaction:
        _refuse_untimely(transaction, opens_at)
        if season is None:
            caps.refuse_one_more(transaction, opener, bots_alone=all(request.player == BOT for request in seats))
        transaction.append([codec.pack(event) for event in events], expected=0, also=also)
    publisher.announce(match_id, len(events), invited)
    return Opened(match_id, code, invitations)


def _refuse_untimely(transaction: StreamTransaction, opens_at: datetime | None) -> None:
    if opens_at and not transaction.arrived_at < opens_at < transaction.arrived_at + _FARTHEST_OPENING:
        raise _bad_opening_time()


def _beginning(opened: MatchOpened) -> tuple[datetime, datetime] | tuple[None, None]:
    """Return when a scheduled match opens and when its set-up begins; raises Illegal("bad_opening_time")."""
    if opened.opens_at is None:
        return None, None
    try:
        opens_at = chain.instant(opened.opens_at)
        return opens_at, opens_at - timedelta(
            seconds=openings.setup_seconds(opened.game, opened.options, opened.clocks, opened.setup_closes)
        )
    except OverflowError:
        raise _bad_opening_time() from None


def _bad_opening_time() -> Illegal:
    return Illegal("bad_opening_time", "A match is scheduled for an instant within the coming year.")


def _seat_values(match_id: UUID, number: int, request: SeatRequest, invitation: str | None) -> tuple[Any, ...]:
    account = request.player if isinstance(request.player, UUID) else None
    open_to = None if request.open_to is None else array(map(str, request.open_to))
    return match_id, number, account, request.player == BOT, request.role, _hashed(invitation), open_to


def _is_awaited(opened: MatchOpened, request: SeatRequest) -> bool:
    """True if a person still has to accept the seat. The opener's own seat is accepted."""
    return opened.acceptance and isinstance(request.player, UUID) and str(request.player) != opened.opened_by


def _hashed(invitation: str | None) -> bytes | None:
    return sha256(invitation.encode()).digest() if invitation else None


def _player_of(request: SeatRequest) -> str | None:
    return None if request.player is None else str(request.player)


def _parts_of(options: Any, new: Parts, season: UUID | None) -> Parts:
    """Return the part to each commitment in the options: new, or kept by the season. Raises bad_options."""
    promised = set(commitments(options))
    missing = promised - new.keys()
    kept = seeds.kept_parts(season, missing) if season else {}
    if missing - kept.keys():
        raise Illegal("bad_options", FOREIGN_COMMITMENT)
    return {**kept, **new}


def _refuse_duplicates(seats: Sequence[SeatRequest]) -> None:
    people = [request.player for request in seats if isinstance(request.player, UUID)]
    if len(people) != len(set(people)):
        raise Illegal("already_seated", "One account holds one seat at a table.")
