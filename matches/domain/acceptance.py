"""What a person to whom somebody has given a seat says to it. Pure."""

from games.kernel import Event, Illegal
from matches.domain.events import MatchVoided, SeatAccepted, SeatDeclined, SeedRevealed
from matches.domain.lifecycle import Lifecycle, refuse_over

VOID = "A player declined the seat that they had been given."
"""Why a match is void whose player has declined."""
NOT_AGAIN = "A player doesn't play again."
"""Why a rematch is void that didn't begin."""


def accept(state: Lifecycle, seat: int) -> tuple[Event, ...]:
    """The person plays; nothing where they have accepted already, or needn't. Raises match_over."""
    if seat not in state.awaited:
        return ()
    refuse_over(state)
    return (SeatAccepted(seat=seat),)


def decline(state: Lifecycle, seat: int, reason: str, seed: bytes) -> tuple[Event, ...]:
    """The person doesn't play: before the start the seat is open again, afterwards the match is void. Raises
    match_over, already_accepted, nonces_called."""
    refuse_over(state)
    if seat not in state.awaited:
        raise Illegal(
            "already_accepted",
            "Your seat needs no acceptance, or you have accepted it. Resign once the match runs, or ask its host to "
            "substitute you.",
        )
    if state.called is not None and not state.started:
        # A start that waits for nonces begins with whoever sits there.
        raise Illegal("nonces_called", "The start is called; play begins within seconds. Decline then.")
    declined = SeatDeclined(seat=seat, reason=reason)
    return (declined, MatchVoided(reason=VOID), SeedRevealed(seed.hex())) if state.started else (declined,)


def call_off(reason: str, seed: bytes) -> tuple[Event, ...]:
    """A rematch that hasn't begun doesn't take place."""
    return MatchVoided(reason=reason or NOT_AGAIN), SeedRevealed(seed.hex())
