"""Responses of a person to a seat assigned by somebody else. Pure."""

from games.kernel import Event, Illegal
from matches.domain.events import MatchVoided, SeatAccepted, SeatDeclined, SeedRevealed
from matches.domain.lifecycle import Lifecycle, refuse_over

VOID = "A player declined the seat that they had been given."
"""The reason why a match is void after a player has declined."""
NOT_AGAIN = "A player doesn't play again."
"""The reason why a rematch that hasn't started is void."""


def accept(state: Lifecycle, seat: int) -> tuple[Event, ...]:
    """Accept a seat; no event if the person has accepted already or needn't. Raises match_over."""
    if seat not in state.awaited:
        return ()
    refuse_over(state)
    return (SeatAccepted(seat=seat),)


def decline(state: Lifecycle, seat: int, reason: str, seed: bytes) -> tuple[Event, ...]:
    """Decline a seat: before the start it becomes open again, afterwards the match is void. Raises match_over,
    already_accepted, nonces_called."""
    refuse_over(state)
    if seat not in state.awaited:
        raise Illegal(
            "already_accepted",
            "Your seat needs no acceptance, or you have accepted it. Resign once the match runs, or ask its host to "
            "substitute you.",
        )
    if state.called is not None and not state.started:
        # A called start begins with the current players.
        raise Illegal("nonces_called", "The start is called; play begins within seconds. Decline then.")
    declined = SeatDeclined(seat=seat, reason=reason)
    return (declined, MatchVoided(reason=VOID), SeedRevealed(seed.hex())) if state.started else (declined,)


def call_off(reason: str, seed: bytes) -> tuple[Event, ...]:
    """Cancel a rematch that hasn't started."""
    return MatchVoided(reason=reason or NOT_AGAIN), SeedRevealed(seed.hex())
