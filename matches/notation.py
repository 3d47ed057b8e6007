"""The lifecycle's events in English."""

from games.kernel import Event
from matches.happenings import (
    BOT,
    AppealAnswered,
    AppealOpened,
    MatchAdjudicated,
    MatchFinished,
    MatchOpened,
    MatchPaused,
    MatchResumed,
    MatchRewound,
    MatchStarted,
    MatchVoided,
    NonceAdded,
    ResultApproved,
    RulingPosted,
    SeatSubstituted,
    SeatTaken,
    SeedRevealed,
    StandInLeft,
    StandInSeated,
    TimeCredited,
    TimeGiven,
    TruthViewed,
)


def lifecycle_sentence(event: Event) -> str:
    """What happened around the game."""
    match event:
        case MatchOpened(game=game, seats=seats):
            return f"A match of {game.replace('_', ' ')} for {seats} was opened."
        case SeatTaken(seat=seat, player=player):
            return f"{'A bot' if player == BOT else 'A player'} took seat {seat}."
        case NonceAdded(seat=seat):
            return f"Seat {seat} added a nonce to the seed."
        case MatchStarted(reason=reason):
            return f"The match began: {reason}" if reason else "The match began."
        case MatchPaused(reason=reason):
            return f"The match was paused: {reason}"
        case MatchResumed(reason=reason):
            return f"The match goes on: {reason}"
        case TimeGiven(seat=seat, seconds=seconds, reason=reason):
            return f"Seat {seat} was given {seconds} seconds: {reason}"
        case TimeCredited(seconds=seconds, reason=reason):
            return f"All running turns got {seconds} seconds back: {reason}"
        case MatchVoided(reason=reason):
            return f"The match is void: {reason}"
        case MatchAdjudicated(winners=winners, reason=reason):
            return f"The host decided the match for {_seats(winners)}: {reason}"
        case SeatSubstituted(seat=seat, player=player, reason=reason):
            return f"{'A bot' if player == BOT else 'Another player'} took over seat {seat}: {reason}"
        case StandInSeated(seat=seat, player=player, reason=reason):
            return f"{'A bot' if player == BOT else 'The dealer'} stands in for seat {seat}: {reason}"
        case StandInLeft(seat=seat, reason=reason):
            return f"Seat {seat}'s player is back: {reason}"
        case MatchRewound(to_version=to_version, reason=reason):
            return f"The match goes on from version {to_version}: {reason}"
        case RulingPosted(text=text):
            return f"The host ruled: {text}"
        case AppealOpened(number=number, seat=seat, kind=kind, text=text):
            return f"Seat {seat} appealed ({_KINDS[kind]}, appeal {number}): {text}"
        case AppealAnswered(number=number, decision=decision, reason=reason):
            return f"Appeal {number} was {decision}: {reason}"
        case ResultApproved(reason=reason):
            return f"The result was approved: {reason}"
        case TruthViewed():
            return "A host looked at every seat's secrets."
        case MatchFinished(winners=winners, reason=reason):
            return f"The match is over: {_seats(winners)} won ({_REASONS[reason]})."
        case SeedRevealed():
            return "The seed was revealed."
        case _:
            return "Something happened that this version can't tell."


_REASONS = {
    "played": "played to the end",
    "resigned": "by resignation",
    "flag": "on time",
    "adjudicated": "by the host's decision",
}
_KINDS = {"move": "a move", "clock": "the clock", "conduct": "conduct", "other": "something else"}


def _seats(seats: tuple[int, ...]) -> str:
    return ("seat " if len(seats) == 1 else "seats ") + ", ".join(map(str, seats))
