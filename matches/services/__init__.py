"""The acts on a match, and the only callers of append: each one transaction at the match's door."""

from matches.services.hosting import extend, pause, resume
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
from matches.services.timing import CLOCK, catch_up_clock, let_flag_fall

__all__ = [
    "CLOCK", "DEALER", "Accepted", "KeyReused", "NotAllowed", "Opened", "SeatAsked", "Typed", "VersionMoved",
    "add_nonce", "attend", "catch_up_clock", "deal", "extend", "join", "let_flag_fall", "open_match", "pause",
    "play_bot", "resume", "start", "submit", "try_out",
]  # fmt: skip
