"""The acts on a match, and the only callers of append: each one transaction at the match's door."""

from matches.services.opening import Opened, SeatAsked, add_nonce, join, open_match, start
from matches.services.playing import (
    DEALER,
    Accepted,
    KeyReused,
    NotAllowed,
    Typed,
    VersionMoved,
    attend,
    deal,
    play_bot,
    submit,
    try_out,
)

__all__ = [
    "DEALER", "Accepted", "KeyReused", "NotAllowed", "Opened", "SeatAsked", "Typed", "VersionMoved", "add_nonce",
    "attend", "deal", "join", "open_match", "play_bot", "start", "submit", "try_out",
]  # fmt: skip
