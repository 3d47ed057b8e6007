"""Nonces that are committed to before they are revealed, and the start that waits for them. Pure.

Before the start a seat commits to a nonce of 32 bytes by `SHA-256("croupier-nonce-commitment-v1\\n" || match id (16
bytes) || seat (4 bytes, big-endian) || nonce)`. Committed nonces may be revealed once every seat has given or committed
to one, or once the start is called; from then on no other nonce is accepted. If nothing is left to reveal, the start
begins play at once. Otherwise it is called, and nonces that aren't revealed within `REVEAL_SECONDS` are left out.
"""

import hmac
import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Literal
from uuid import UUID

from events import chain
from games.kernel import Event, Illegal
from matches.domain import lifecycle
from matches.domain.clocks import SECOND
from matches.domain.events import BOT, MatchStarted, NonceCommitted, NonceLeftOut, NonceRevealed, NoncesCalled
from matches.domain.lifecycle import Lifecycle

REVEAL_SECONDS = 15
"""The seconds for which a called start waits for committed nonces, by the database's clock."""

_COMMITMENT = b"croupier-nonce-commitment-v1\n"
_HEX = re.compile("[0-9a-f]{64}")


def commitment_of(match_id: UUID, seat: int, nonce: str) -> str:
    """Return the commitment to a seat's nonce (64 hex digits)."""
    return sha256(_COMMITMENT + match_id.bytes + seat.to_bytes(4, "big") + bytes.fromhex(nonce)).hexdigest()


def commit(state: Lifecycle, seat: int, commitment: str) -> Event:
    """Return a seat's commitment to a nonce; raise already_started, match_over, nonce_given, nonces_closed."""
    lifecycle.refuse_nonce(state, seat)
    if state.opened.nonces is None:
        raise Illegal("nonces_closed", "This match was opened before nonces could be promised; give a plain one.")
    return NonceCommitted(seat=seat, commitment=commitment)


def reveal(state: Lifecycle, match_id: UUID, seat: int, nonce: str) -> tuple[Event, ...]:
    """Return the revelation of a committed nonce. If it is the last that a called start waits for, play begins too.

    Raise already_started, match_over, nonce_given, nonce_too_early, nonce_mismatch.
    """
    lifecycle.refuse_started(state)
    if state.nonces[seat] is not None:
        raise Illegal("nonce_given", "You have shown your nonce already.")
    if not can_reveal(state):
        raise Illegal("nonce_too_early", "Show your nonce once every player has given one, or the start is called.")
    commitment = commitment_of(match_id, seat, nonce) if _HEX.fullmatch(nonce) else ""
    if not hmac.compare_digest(commitment, state.commitments[seat] or ""):
        raise Illegal("nonce_mismatch", "That is not the nonce that your commitment promised.")
    revealed = NonceRevealed(seat=seat, nonce=nonce)
    if state.called is None or unrevealed(state) != (seat,):
        return (revealed,)
    return revealed, MatchStarted(reason=state.called.reason)


def can_reveal(state: Lifecycle) -> bool:
    """True if committed nonces may be revealed, because nobody can give another nonce chosen to suit them."""
    if state.shows_nonces:
        return True
    given = zip(state.players, state.nonces, state.commitments, strict=True)
    return all(player == BOT or (player and (nonce or commitment)) for player, nonce, commitment in given)


def unrevealed(state: Lifecycle) -> tuple[int, ...]:
    """Return the seats that have committed to a nonce and not revealed it."""
    return tuple(seat for seat, it in enumerate(state.commitments) if it is not None and state.nonces[seat] is None)


def is_called(state: Lifecycle) -> bool:
    """True if a start waits for nonces."""
    return state.called is not None and not state.started and not state.over


def start(state: Lifecycle, reason: str, at: int) -> Event:
    """Return the start of play, or the call for committed nonces, which may be revealed for `REVEAL_SECONDS` from the
    instant `at` on. Raise already_started, match_over, seats_open, nonces_called."""
    started = lifecycle.start(state, reason)
    if state.called is not None:
        raise Illegal("nonces_called", f"The start was called; play begins within {REVEAL_SECONDS} seconds of that.")
    return NoncesCalled(until=at + REVEAL_SECONDS * SECOND, reason=reason) if unrevealed(state) else started


def leave_out(state: Lifecycle) -> tuple[Event, ...]:
    """Return the start of play without the nonces that weren't revealed. Raise already_started, match_over, and
    ValueError if the start wasn't called."""
    lifecycle.refuse_started(state)
    if state.called is None:
        raise ValueError("Nobody has called the start.")
    return *(NonceLeftOut(seat=seat) for seat in unrevealed(state)), MatchStarted(reason=state.called.reason)


def parts(state: Lifecycle) -> list[tuple[int, bytes]]:
    """Return the kind and value that each seat adds to the key of the draws, once play has begun: 0 and nothing, 1 and
    a plain nonce, 2 and a revealed nonce, 3 and the commitment to one that wasn't revealed."""
    return [_key_part(nonce, promise) for nonce, promise in zip(state.nonces, state.commitments, strict=True)]


def _key_part(nonce: str | None, promise: str | None) -> tuple[int, bytes]:
    if promise is not None:
        return (3, bytes.fromhex(promise)) if nonce is None else (2, bytes.fromhex(nonce))
    return (0, b"") if nonce is None else (1, nonce.encode())


def step(state: Lifecycle) -> Literal["give", "show", "done"]:
    """Return what is accepted now: nonces and commitments (`give`), committed nonces (`show`), or nothing (`done`)."""
    if state.started or state.over:
        return "done"
    if unrevealed(state) and can_reveal(state):
        return "show"
    return "done" if state.shows_nonces else "give"


def page_action(state: Lifecycle, seat: int) -> Literal["promise", "show", ""]:
    """Return what a seat's page does by itself: commit to a nonce (`promise`), reveal it (`show`), or nothing."""
    now, has_given = step(state), state.nonces[seat] is not None or state.commitments[seat] is not None
    if now == "give" and not has_given and state.opened.nonces is not None:
        return "promise"
    return "show" if now == "show" and seat in unrevealed(state) else ""


def fairness_sentence(state: Lifecycle, names: Sequence[str] | None = None) -> str:
    """Return a sentence about who could have chosen the draws; before the start of play, about what happens next."""
    if state.started:
        return fairness_sentence_of([kind for kind, _ in parts(state)], names)
    if state.over:
        return "Play never began, so nothing was drawn."
    if state.called is not None:
        until = chain.instant(state.called.until)
        return f"The start is called: what was promised is taken until {until:%H:%M:%S} UTC, or left out."
    return "Each player's page promises a nonce before the start. Without any the house alone could choose the draws."


def fairness_sentence_of(kinds: Sequence[int], names: Sequence[str] | None = None) -> str:
    """Return a sentence about who could have chosen the draws, by the kinds that `parts` returns.

    The standalone verifier imports nothing of the service, so its `nonces_sentences` is a copy; a test compares both.
    """
    seat_names = names or [f"seat {seat}" for seat in range(len(kinds))]
    plain, revealed, left_out = (
        ", ".join(seat_names[seat] for seat, it in enumerate(kinds) if it == kind) for kind in (1, 2, 3)
    )
    if revealed:
        sentence = (
            f"Nonces promised before any was shown: {revealed}. Whoever trusts one of these knows that neither the "
            "house nor others chose the draws: the most they could do was to leave out a promised one, by name."
        )
    elif plain:
        sentence = f"Nonces in plain: {plain}. The house with the last of them to give one could have chosen the draws."
    else:
        sentence = "No nonce is in the draws: the house alone could have chosen a seed for them."
    if not left_out:
        return sentence
    return (
        f"{sentence} Left out, as not shown in time: {left_out}. Each was a choice between two deals, for the house "
        "with that seat, or for the house alone if it turned the nonce away."
    )
