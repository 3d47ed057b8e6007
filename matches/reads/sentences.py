"""The names of seats, and the lifecycle's events in English."""

from collections.abc import Sequence

from games.drawing.themes import SEAT_LETTERS
from games.kernel import Event, quantity
from matches.domain.bidi import apart
from matches.domain.clocks import in_utc
from matches.domain.events import (
    BOT,
    AppealAnswered,
    AppealOpened,
    MatchAdjudicated,
    MatchFinished,
    MatchOpened,
    MatchPaused,
    MatchRescheduled,
    MatchResumed,
    MatchRewound,
    MatchStarted,
    MatchVoided,
    NonceAdded,
    NonceCommitted,
    NonceLeftOut,
    NonceRevealed,
    NoncesCalled,
    OfferAccepted,
    OfferDeclined,
    OfferKind,
    OfferMade,
    OfferWithdrawn,
    ResultApproved,
    RulingPosted,
    SeatAccepted,
    SeatDeclined,
    SeatSubstituted,
    SeatTaken,
    SeedRevealed,
    StandInLeft,
    StandInSeated,
    TextWithdrawn,
    TimeCredited,
    TimeGiven,
    TruthViewed,
)
from matches.domain.nonces import REVEAL_SECONDS
from matches.domain.openings import title_in
from matches.domain.portraits import bot_address
from matches.models import Match, Seat

_OFFERED: dict[OfferKind, str] = {
    "takeback": "{seat} offered to take their last move back, to version {version}.",
    "pause": "{seat} offered a pause of {span}.",
    "resume": "{seat} offered to go on.",
    "time": "{seat} gave the others more time.",
}
_OF_KIND: dict[OfferKind, str] = {
    "takeback": "the takeback",
    "pause": "the pause",
    "resume": "the offer to go on",
    "time": "the gift",
}

LONGEST_NAME = 24
"""A name beside others is cut to so many letters."""


def names_of(match: Match) -> list[str]:
    """Return the seats' display names by number; all are different."""
    return [apart(name) for name in plain_names_of(match)]


def short_names_of(match: Match) -> list[str]:
    """Return the seats' names for boards and sentences, where a long name is cut."""
    names = plain_names_of(match)
    cut = [name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}…" for name in names]
    distinct = [name if cut.count(name) == 1 else f"{name} {SEAT_LETTERS[seat]}" for seat, name in enumerate(cut)]
    return [apart(name) for name in distinct]


def portrait_of(seat: Seat) -> str:
    """Return the URL of the portrait of a seat's player; empty without one."""
    if seat.is_bot:
        return bot_address(seat.match_id, seat.number)
    return seat.account.portrait if seat.account else ""


def plain_names_of(match: Match) -> list[str]:
    """Return the seats' names by number as they are stored, not set apart for sentences."""
    seats = sorted(match.seats.all(), key=lambda seat: seat.number)
    bots = sum(seat.is_bot for seat in seats)
    return [_name(seat, alone=bots == 1) for seat in seats]


def _name(seat: Seat, *, alone: bool) -> str:
    letter = SEAT_LETTERS[seat.number]
    if seat.is_bot:
        return "Bot" if alone else f"Bot {letter}"
    return seat.account.username if seat.account else f"Seat {letter}"


def lifecycle_sentence(event: Event, names: Sequence[str] = ()) -> str:
    """Return the sentence of a lifecycle event; seats are named if `names` are given, else numbered."""

    def seat_of(seat: int) -> str:
        return names[seat] if names else f"Seat {seat}"

    def place(seat: int) -> str:
        return f"seat {SEAT_LETTERS[seat] if names else seat}"

    def together(seats: Sequence[int]) -> str:
        if names:
            return " and ".join(names[seat] for seat in seats)
        return ("seat " if len(seats) == 1 else "seats ") + ", ".join(map(str, seats))

    match event:
        case MatchOpened(game=game, seats=seats, options=options):
            return f"A match of {title_in(game, options)} for {seats} was opened."
        case SeatTaken(seat=seat, player=player):
            return f"{'A bot' if player == BOT else 'A player'} took {place(seat)}."
        case SeatAccepted(seat=seat):
            return f"{seat_of(seat)} accepted the match."
        case SeatDeclined(seat=seat, reason=reason):
            # The former player's name is no longer in the seat.
            sentence = f"The player in {place(seat)} declined the match"
            return f"{sentence}: {apart(reason)}" if reason else f"{sentence}."
        case NonceAdded(seat=seat):
            return f"{seat_of(seat)} added a nonce to the seed."
        case NonceCommitted(seat=seat):
            return f"{seat_of(seat)} promised a nonce."
        case NonceRevealed(seat=seat):
            return f"{seat_of(seat)} showed the promised nonce."
        case NoncesCalled(reason=reason):
            waits = f"The start was called, and waits {REVEAL_SECONDS} seconds for the promised nonces"
            return f"{waits}: {apart(reason)}" if reason else f"{waits}."
        case NonceLeftOut(seat=seat):
            return f"{seat_of(seat)} didn't show the promised nonce in time; the draws go without it."
        case MatchStarted(reason=reason):
            return f"The match began: {apart(reason)}" if reason else "The match began."
        case MatchRescheduled(opens_at=opens_at, reason=reason):
            when = f"opens at {in_utc(opens_at)}" if opens_at else "is not held to its time"
            return f"The match {when}: {apart(reason)}" if reason else f"The match {when}."
        case MatchPaused(reason=reason):
            return f"The match was paused: {apart(reason)}"
        case MatchResumed(reason=reason):
            return f"The match goes on: {apart(reason)}"
        case TimeGiven(seat=seat, seconds=seconds, reason=reason):
            return f"{seat_of(seat)} was given {quantity(seconds, 'second')}: {apart(reason)}"
        case TimeCredited(seconds=seconds, reason=reason):
            return f"All running turns got {quantity(seconds, 'second')} back: {apart(reason)}"
        case MatchVoided(reason=reason):
            return f"The match is void: {apart(reason)}"
        case MatchAdjudicated(winners=winners, reason=reason):
            return f"The match was decided for {together(winners)}: {apart(reason)}"
        case SeatSubstituted(seat=seat, player=player, reason=reason):
            return f"{'A bot' if player == BOT else 'Another player'} took over {place(seat)}: {apart(reason)}"
        case StandInSeated(seat=seat, player=player, reason=reason):
            return f"{'A bot' if player == BOT else 'The dealer'} stands in for {place(seat)}: {apart(reason)}"
        case StandInLeft(seat=seat, reason=reason):
            who = seat_of(seat) if names else f"Seat {seat}'s player"
            return f"{who} is back: {apart(reason)}"
        case MatchRewound(to_version=to_version, reason=reason, seed_commitment=promise) if promise:
            return (
                f"The match goes on after its end, from version {to_version} and with draws from another seed; what "
                f"its end has opened is known: {apart(reason)}"
            )
        case MatchRewound(to_version=to_version, reason=reason):
            return f"The match goes on from version {to_version}: {apart(reason)}"
        case RulingPosted(text=text):
            return f"The host ruled: {apart(text)}"
        case TextWithdrawn(reason=reason):
            return f"The host withdrew a text: {apart(reason)}"
        case AppealOpened(number=number, seat=seat, kind=kind, text=text):
            return f"{seat_of(seat)} appealed ({_KINDS[kind]}, appeal {number}): {apart(text)}"
        case AppealAnswered(number=number, decision=decision, reason=reason):
            return f"Appeal {number} was {decision}: {apart(reason)}"
        case OfferMade(kind=kind, to_version=to_version, minutes=minutes):
            span = quantity(minutes or 0, "minute")
            return _OFFERED[kind].format(seat=seat_of(event.seat), version=to_version, span=span)
        case OfferAccepted(kind=kind):
            return f"{seat_of(event.seat)} accepted {_OF_KIND[kind]}."
        case OfferDeclined(kind=kind):
            return f"{seat_of(event.seat)} declined {_OF_KIND[kind]}."
        case OfferWithdrawn(kind=kind):
            return f"{seat_of(event.seat)} withdrew {_OF_KIND[kind]}."
        case ResultApproved(reason=reason):
            return f"The result was approved: {apart(reason)}"
        case TruthViewed():
            return "A host looked at every seat's secrets."
        case MatchFinished(winners=winners, reason=reason):
            return f"The match is over: {together(winners)} won ({_REASONS[reason]})."
        case SeedRevealed():
            return "The seed was revealed."
        case _:
            return "Something happened that this version can't tell."


_REASONS = {
    "played": "played to the end",
    "resigned": "by resignation",
    "flag": "on time",
    "adjudicated": "by decision",
}
_KINDS = {"move": "a move", "clock": "the clock", "conduct": "conduct", "other": "something else"}
