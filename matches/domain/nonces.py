"""Nonces that are promised before they are shown, and the start that waits for them. Pure.

Before the start a seat commits to a nonce of 32 bytes by `SHA-256("croupier-nonce-commitment-v1\\n" || match id (16
bytes) || seat (4 bytes, big-endian) || nonce)`. Promised nonces are shown once nobody's promise is missing any more, or
once the start is called; from then on none is taken. The start begins play at once where nothing is left to be shown,
else it is called: what isn't shown within `REVEAL_SECONDS` is left out.
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
"""How long a start that was called waits for the nonces that were promised, by the database's clock."""

_COMMITMENT = b"croupier-nonce-commitment-v1\n"
_HEX = re.compile("[0-9a-f]{64}")


def commitment_of(match_id: UUID, seat: int, nonce: str) -> str:
    """What a seat promises its nonce (64 hex digits) by."""
    return sha256(_COMMITMENT + match_id.bytes + seat.to_bytes(4, "big") + bytes.fromhex(nonce)).hexdigest()


def commit(state: Lifecycle, seat: int, commitment: str) -> Event:
    """A seat promises its nonce; raises already_started, match_over, nonce_given, nonces_closed."""
    lifecycle.refuse_nonce(state, seat)
    if state.opened.nonces is None:
        raise Illegal("nonces_closed", "This match was opened before nonces could be promised; give a plain one.")
    return NonceCommitted(seat=seat, commitment=commitment)


def reveal(state: Lifecycle, match_id: UUID, seat: int, nonce: str) -> tuple[Event, ...]:
    """A seat shows the nonce that it has promised, and a start that waited for nothing else begins play.

    Raises already_started, match_over, nonce_given, nonce_too_early, nonce_mismatch.
    """
    lifecycle.refuse_started(state)
    if state.nonces[seat] is not None:
        raise Illegal("nonce_given", "You have shown your nonce already.")
    if not may_show(state):
        raise Illegal("nonce_too_early", "Show your nonce once every player has given one, or the start is called.")
    told = commitment_of(match_id, seat, nonce) if _HEX.fullmatch(nonce) else ""
    if not hmac.compare_digest(told, state.commitments[seat] or ""):
        raise Illegal("nonce_mismatch", "That is not the nonce that your commitment promised.")
    shown = NonceRevealed(seat=seat, nonce=nonce)
    if state.called is None or unshown(state) != (seat,):
        return (shown,)
    return shown, MatchStarted(reason=state.called.reason)


def may_show(state: Lifecycle) -> bool:
    """Whether promised nonces can be shown: no other can be given any more that could be chosen to suit them."""
    if state.shows_nonces:
        return True
    given = zip(state.players, state.nonces, state.commitments, strict=True)
    return all(player == BOT or (player and (nonce or commitment)) for player, nonce, commitment in given)


def unshown(state: Lifecycle) -> tuple[int, ...]:
    """The seats that have promised a nonce and not shown it."""
    return tuple(seat for seat, it in enumerate(state.commitments) if it is not None and state.nonces[seat] is None)


def is_called(state: Lifecycle) -> bool:
    """Whether a start waits for nonces."""
    return state.called is not None and not state.started and not state.over


def start(state: Lifecycle, reason: str, at: int) -> Event:
    """Play begins, or waits for promised nonces from the instant `at` on; raises already_started, match_over,
    seats_open, nonces_called."""
    started = lifecycle.start(state, reason)
    if state.called is not None:
        raise Illegal("nonces_called", f"The start was called; play begins within {REVEAL_SECONDS} seconds of that.")
    return NoncesCalled(until=at + REVEAL_SECONDS * SECOND, reason=reason) if unshown(state) else started


def leave_out(state: Lifecycle) -> tuple[Event, ...]:
    """A start that was called begins play without the nonces that weren't shown; raises already_started, match_over."""
    lifecycle.refuse_started(state)
    if state.called is None:
        raise ValueError("Nobody has called the start.")
    return *(NonceLeftOut(seat=seat) for seat in unshown(state)), MatchStarted(reason=state.called.reason)


def parts(state: Lifecycle) -> list[tuple[int, bytes]]:
    """What each seat of a match that has begun gave to the key of the draws: 0 and nothing, 1 and a plain nonce, 2 and
    a promised one, 3 and a promise that wasn't kept."""
    return [_part(nonce, promise) for nonce, promise in zip(state.nonces, state.commitments, strict=True)]


def _part(nonce: str | None, promise: str | None) -> tuple[int, bytes]:
    if promise is not None:
        return (3, bytes.fromhex(promise)) if nonce is None else (2, bytes.fromhex(nonce))
    return (0, b"") if nonce is None else (1, nonce.encode())


def step(state: Lifecycle) -> Literal["give", "show", "done"]:
    """What is taken now: nonces and commitments, the nonces that were promised, or nothing any more."""
    if state.started or state.over:
        return "done"
    return "show" if unshown(state) and may_show(state) else "done" if state.shows_nonces else "give"


def asked_of(state: Lifecycle, seat: int) -> Literal["promise", "show", ""]:
    """What a seat's page should do by itself."""
    now, has_given = step(state), state.nonces[seat] is not None or state.commitments[seat] is not None
    if now == "give" and not has_given and state.opened.nonces is not None:
        return "promise"
    return "show" if now == "show" and seat in unshown(state) else ""


def told(state: Lifecycle, names: Sequence[str] | None = None) -> str:
    """Who could have chosen the draws of a match that has begun; before, what is to come."""
    if state.started:
        return told_of([kind for kind, _ in parts(state)], names)
    if state.over:
        return "Play never began, so nothing was drawn."
    if state.called is not None:
        until = chain.instant(state.called.until)
        return f"The start is called: what was promised is taken until {until:%H:%M:%S} UTC, or left out."
    return "Each player's page promises a nonce before the start. Without any the house alone could choose the draws."


def told_of(kinds: Sequence[int], names: Sequence[str] | None = None) -> str:
    """Who could have chosen the draws of a match that has begun, by the kinds of `parts`.

    The standalone verifier imports nothing of the house, so it says the same in its own `nonces_told`; a test holds the
    two to each other.
    """
    called = names or [f"seat {seat}" for seat in range(len(kinds))]
    plain, promised, left = (
        ", ".join(called[seat] for seat, it in enumerate(kinds) if it == kind) for kind in (1, 2, 3)
    )
    if promised:
        sentence = (
            f"Nonces promised before any was shown: {promised}. Whoever trusts one of these knows that neither the "
            "house nor others chose the draws: the most they could do was to leave out a promised one, by name."
        )
    elif plain:
        sentence = f"Nonces in plain: {plain}. The house with the last of them to give one could have chosen the draws."
    else:
        sentence = "No nonce is in the draws: the house alone could have chosen a seed for them."
    if not left:
        return sentence
    return (
        f"{sentence} Left out, as not shown in time: {left}. Each was a choice between two deals, for the house with "
        "that seat, or for the house alone if it turned the nonce away."
    )
