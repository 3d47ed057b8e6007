"""The lifecycle's events in English."""

from games.kernel import Event
from matches.lifecycle import (
    BOT,
    MatchFinished,
    MatchOpened,
    MatchPaused,
    MatchResumed,
    MatchStarted,
    NonceAdded,
    SeatTaken,
    SeedRevealed,
    TimeCredited,
    TimeGiven,
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
        case MatchFinished(winners=winners, reason=reason):
            return f"The match is over: {_seats(winners)} won ({_REASONS[reason]})."
        case SeedRevealed():
            return "The seed was revealed."
        case _:
            return "Something happened that this version can't tell."


_REASONS = {"played": "played to the end", "resigned": "by resignation", "flag": "on time"}


def _seats(seats: tuple[int, ...]) -> str:
    return ("seat " if len(seats) == 1 else "seats ") + ", ".join(map(str, seats))
