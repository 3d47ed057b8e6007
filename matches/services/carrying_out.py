"""Carrying out the acts of a match's host that are declared in `matches.domain.declared_host_acts`."""

from typing import NamedTuple
from uuid import UUID

from games.kernel import Illegal
from matches.domain.declared_host_acts import (
    Adjudicate,
    AnswerAppeal,
    Approve,
    EndStandIn,
    Extend,
    HostAct,
    Pause,
    Resume,
    Rewind,
    Rule,
    SeatStandIn,
    Start,
    Substitute,
    Void,
    WithdrawText,
)
from matches.domain.events import BOT
from matches.reads import selectors
from matches.services import hosting, opening

_NOBODY = "There is no such account: name one by its id, or seat a bot."


class HostRequest(NamedTuple):
    """A host's request for an act on a match. An act that repeats is done once per `key`; one that needs the seats is
    refused unless `host_acts.seats_and_status` is as `expected`."""

    match_id: UUID
    by: UUID
    key: str | None = None
    expected: str | None = None


def carry_out(act: HostAct, request: HostRequest) -> None:
    """Do the act; raise as its service does, and no_such_player."""
    match_id, by, key, expected = request
    match act:
        case Start(reason=reason):
            opening.start(match_id=match_id, by=by, reason=reason)
        case Pause(reason=reason):
            hosting.pause(match_id=match_id, by=by, reason=reason)
        case Resume(reason=reason):
            hosting.resume(match_id=match_id, by=by, reason=reason)
        case Extend(seat=seat, seconds=seconds, reason=reason):
            hosting.extend(match_id=match_id, by=by, seat=seat, seconds=seconds, reason=reason, key=key)
        case Rule(reason=text):
            hosting.rule(match_id=match_id, by=by, text=text, key=key)
        case AnswerAppeal(number=number, decision=decision, reason=reason):
            hosting.answer_appeal(match_id=match_id, by=by, number=number, decision=decision, reason=reason)
        case WithdrawText(commitment=commitment, reason=reason):
            hosting.withdraw_text(match_id=match_id, by=by, commitment=commitment, reason=reason)
        case SeatStandIn(seat=seat, player=stand_in, reason=reason):
            hosting.seat_stand_in(match_id=match_id, by=by, seat=seat, player=stand_in, reason=reason)
        case EndStandIn(seat=seat, reason=reason):
            hosting.end_stand_in(match_id=match_id, by=by, seat=seat, reason=reason)
        case Substitute(seat=seat, player=named, reason=reason):
            newcomer = _account_or_bot(named)
            hosting.substitute(match_id=match_id, by=by, seat=seat, player=newcomer, reason=reason, expected=expected)
        case Approve(reason=reason):
            hosting.approve(match_id=match_id, by=by, reason=reason)
        case Adjudicate(winners=winners, reason=reason):
            hosting.adjudicate(match_id=match_id, by=by, winners=winners, reason=reason, expected=expected)
        case Void(reason=reason):
            hosting.void(match_id=match_id, by=by, reason=reason, expected=expected)
        case Rewind(to_version=to_version, reason=reason):
            hosting.rewind(match_id=match_id, by=by, to_version=to_version, reason=reason)
        case _:
            raise NotImplementedError(f"No service carries out the act `{act.name}`.")


def _account_or_bot(named: str) -> UUID | str:
    """Return a player's id, or BOT; raise no_such_player."""
    if named == BOT:
        return BOT
    try:
        player = UUID(named)
    except ValueError:
        raise Illegal("no_such_player", _NOBODY) from None
    if not selectors.accounts_exist({player}):
        raise Illegal("no_such_player", _NOBODY)
    return player
