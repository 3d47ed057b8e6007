"""Acts on a match. Each is one transaction on the match's stream; nothing else appends to it."""

from matches.domain.openings import CLOCK
from matches.services.accepting import accept, decline, let_lapse
from matches.services.appealing import appeal
from matches.services.hosting import (
    adjudicate,
    answer_appeal,
    approve,
    end_stand_in,
    extend,
    look,
    pause,
    resume,
    rewind,
    rewindable,
    rule,
    seat_stand_in,
    substitute,
    void,
)
from matches.services.nonces import commit_nonce, reveal_nonce
from matches.services.offering import accept_offer, decline_offer, make_offer
from matches.services.opening import (
    Opened,
    SeatRequest,
    add_nonce,
    invited_seat,
    join,
    open_match,
    reschedule,
    reschedule_if_unchanged,
    start,
)
from matches.services.playing import (
    DEALER,
    Accepted,
    FlagUndecided,
    KeyReused,
    NotAllowed,
    Typed,
    VersionMoved,
    attend,
    deal,
    play_bot,
    stored_answer,
    submit,
    try_out,
)
from matches.services.preparing import prepare
from matches.services.rematching import offer_rematch
from matches.services.reopening import refuse_reopening, reopen
from matches.services.season_players import refuse_season_player
from matches.services.seeking import open_seat, take_seat
from matches.services.timing import (
    Locked,
    catch_up_clock,
    catch_up_for_a_reader,
    let_flag_fall,
    start_scheduled,
)

__all__ = [
    "CLOCK", "DEALER", "Accepted", "FlagUndecided", "KeyReused", "Locked", "NotAllowed", "Opened",
    "SeatRequest", "Typed", "VersionMoved", "accept", "accept_offer", "add_nonce", "adjudicate",
    "answer_appeal", "appeal", "approve", "attend", "catch_up_clock", "catch_up_for_a_reader", "commit_nonce",
    "deal", "decline", "decline_offer", "end_stand_in", "extend", "invited_seat", "join",
    "let_flag_fall", "let_lapse", "look", "make_offer", "offer_rematch", "open_match", "open_seat", "pause",
    "play_bot", "prepare", "refuse_reopening", "refuse_season_player", "reopen", "reschedule",
    "reschedule_if_unchanged", "resume", "reveal_nonce", "rewind", "rewindable", "rule", "seat_stand_in", "start",
    "start_scheduled", "stored_answer", "submit", "substitute", "take_seat", "try_out", "void",
]  # fmt: skip
