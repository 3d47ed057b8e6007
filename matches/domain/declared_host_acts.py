"""The acts of a match's host, each declared once (declared.py). host_acts.py decides them. Pure."""

from collections.abc import Iterable
from typing import Annotated, ClassVar

from msgspec import Meta

from games import catalogue
from games.kernel import MOST_SEATS, Event
from matches.domain.declared import REWIND, Act, Ask, Body, Dialog, Reason, Remark, Rest, Statement, Version
from matches.domain.events import (
    AppealAnswered,
    Decision,
    MatchAdjudicated,
    MatchFinished,
    MatchPaused,
    MatchResumed,
    MatchRewound,
    MatchStarted,
    MatchVoided,
    ResultApproved,
    RulingPosted,
    SeatSubstituted,
    SeedRevealed,
    StandIn,
    StandInLeft,
    StandInSeated,
    TextWithdrawn,
    TimeGiven,
)
from matches.domain.lifecycle import Lifecycle

MOST_SECONDS = 86400 * 30
"""The longest time that one act gives to a turn."""
AppealNumber = Annotated[int, Meta(extra={"kind": "appeal"})]
TurnSeat = Annotated[int, Meta(extra={"kind": "seat"})]
"""The seat of a running turn; any other number has none."""
Seat = Annotated[int, Meta(ge=0, le=2**31 - 1, extra={"kind": "seat"})]
Seats = Annotated[
    list[Annotated[int, Meta(ge=0, le=2**31 - 1)]], Meta(min_length=1, max_length=MOST_SEATS, extra={"kind": "seats"})
]
TextCommitment = Annotated[str, Meta(extra={"kind": "text"})]
"""The commitment to a text, which stands for it in the log."""
SeatPlayer = Annotated[str, Meta(extra={"kind": "seat_player"})]
"""An account's id, or `bot`."""
_REASON = Body("HostBody", "The host's reason; it is part of the record.")
_SECRETS_OPEN = "Its secrets open now, or when its season ends."


class HostAct(Act, frozen=True):
    """An act of a match's host; `name` is its service's name and its name in `matches.domain.impartiality`.

    It appends the events of `appends`, of which the first tells the act. `address` is the last part of its dialog's
    address, by default its name. One that `repeats` does more each time, so its form has a key. One that `needs_seats`
    depends on who holds which seat, so its form says what the host saw. An act without a `dialog` has a page of its own
    in the panel.
    """

    rest: ClassVar[Rest]
    appends: ClassVar[tuple[type[Event], ...]]
    address: ClassVar[str] = ""
    repeats: ClassVar[bool] = False
    needs_seats: ClassVar[bool] = False

    @classmethod
    def is_offered(cls, lifecycle: Lifecycle) -> bool:
        """True if a match that stands so allows it."""
        return not lifecycle.over

    @classmethod
    def seats(cls, lifecycle: Lifecycle) -> Iterable[int]:
        """Return the seats that it may be about."""
        return range(len(lifecycle.players))

    @property
    def own_seat(self) -> int | None:
        """The seat whose player may ask for it too; None if only hosts may."""
        return None


class Start(HostAct, frozen=True):
    """Begin play: an act of the match's opener or an organiser, once every seat is taken.

    Where promised nonces are still to be shown, play begins with the last of them, or 15 seconds later without.
    A scheduled match that a host who doesn't play starts early opens at once; to one who plays it is refused with
    the opening time.
    """

    name = "start"
    rest = Rest(
        "startMatch", "start", Body("ReasonBody", "The host's reason, which may be empty; it is part of the record."),
        ("already_started", "match_over", "seats_open", "nonces_called", "player_gone", "not_open_yet"),
    )  # fmt: skip
    dialog = Dialog("Start", "play_arrow")
    appends = (MatchStarted,)
    example = {"reason": "All are here."}

    reason: Remark = ""

    @classmethod
    def is_offered(cls, lifecycle: Lifecycle) -> bool:
        return lifecycle.may_start and lifecycle.called is None and not lifecycle.over


class Pause(HostAct, frozen=True):
    """Stop all clocks; nobody may move until the match is resumed."""

    name = "pause"
    rest = Rest("pauseMatch", "pause", _REASON, ("not_started", "match_paused", "match_over"))
    dialog = Dialog("Pause", "pause")
    appends = (MatchPaused,)
    example = {"reason": "Tea."}

    reason: Reason

    @classmethod
    def is_offered(cls, lifecycle: Lifecycle) -> bool:
        return lifecycle.status == "running"


class Resume(HostAct, frozen=True):
    """Let a paused match go on; the clocks go on from where they stood."""

    name = "resume"
    rest = Rest("resumeMatch", "resume", _REASON, ("match_over", "not_paused"))
    dialog = Dialog("Resume", "resume")
    appends = (MatchResumed,)
    example = {"reason": "Tea is over."}

    reason: Reason

    @classmethod
    def is_offered(cls, lifecycle: Lifecycle) -> bool:
        return lifecycle.status == "paused"


class Extend(HostAct, frozen=True):
    """Give a seat's running turn more time."""

    name = "extend"
    address = "time"
    rest = Rest(
        "extendTurn", "extend", Body("ExtendBody", "Time for a seat's running turn, in seconds, and the reason."),
        ("not_started", "match_over", "no_prompt", "too_much_time"),
    )  # fmt: skip
    dialog = Dialog("Give time", "more_time", asks={"seat": Ask(), "seconds": Ask(initial=60)})
    appends = (TimeGiven,)
    repeats = True
    example = {"seat": 0, "seconds": 60, "reason": "A knock at the door."}

    seat: TurnSeat
    seconds: Annotated[int, Meta(ge=1, le=MOST_SECONDS)]
    reason: Reason

    @classmethod
    def is_offered(cls, lifecycle: Lifecycle) -> bool:
        return lifecycle.started and not lifecycle.over


class Rule(HostAct, frozen=True):
    """Say for all to read how a rule is meant, also after the end."""

    name = "rule"
    rest = Rest("postRuling", "rule", Body("RulingBody", "The text of the ruling."), ())
    dialog = Dialog(
        "Rule", "gavel", asks={"reason": Ask("Ruling", "How the rule is meant; stands in the record, for all to read.")}
    )
    appends = (RulingPosted,)
    repeats = True
    example = {"reason": "Bricks may be looked at again."}

    reason: Statement

    @classmethod
    def is_offered(cls, lifecycle: Lifecycle) -> bool:
        return True


class AnswerAppeal(HostAct, frozen=True):
    """Approve or reject an appeal, with a reason; it is closed then."""

    name = "answer_appeal"
    address = "answer"
    rest = Rest(
        "answerAppeal", "appeals/<int:number>/answer",
        Body("AnswerBody", "A host's answer to an appeal, and the reason."), ("no_such_appeal", "appeal_closed"),
    )  # fmt: skip
    dialog = Dialog(
        "Answer an appeal", "balance",
        asks={"number": Ask("Appeal"), "decision": Ask(words={"approved": "Approve", "rejected": "Reject"})},
    )  # fmt: skip
    appends = (AppealAnswered,)
    example = {"decision": "rejected", "reason": "It stands."}

    number: AppealNumber
    decision: Decision
    reason: Reason

    @classmethod
    def is_offered(cls, lifecycle: Lifecycle) -> bool:
        return any(appeal.decision is None for appeal in lifecycle.appeals)


class WithdrawText(HostAct, frozen=True):
    """Delete a text that an event of the match names, such as a player's answer, also after the end. The log keeps the
    commitment to it; everybody is shown that the text was withdrawn, with the reason."""

    name = "withdraw_text"
    address = "withdraw-text"
    rest = Rest(
        "withdrawText", "texts/withdraw",
        Body("WithdrawTextBody", "The commitment to the text, from `texts` of an event that names it, and the reason."),
        ("no_such_text",),
    )  # fmt: skip
    dialog = Dialog(
        "Withdraw a text", "visibility_off", "The text is deleted, and nobody can bring it back.",
        {"commitment": Ask("Text")},
    )  # fmt: skip
    appends = (TextWithdrawn,)
    example = {"commitment": "0" * 64, "reason": "It names somebody's address."}

    commitment: TextCommitment
    reason: Reason

    @classmethod
    def is_offered(cls, lifecycle: Lifecycle) -> bool:
        return catalogue[lifecycle.opened.game].keeps_texts


class SeatStandIn(HostAct, frozen=True):
    """Let a bot, or the dealer at random, play for an absent player. The seat stays theirs, and so does what it
    sees."""

    name = "seat_stand_in"
    address = "stand-in"
    rest = Rest(
        "seatStandIn", "stand-in",
        Body("StandInBody", "The seat, the stand-in until its player is back, and the reason."),
        ("match_over", "no_such_seat", "nobody_absent", "stand_in_seated", "too_many_bot_matches"),
    )  # fmt: skip
    dialog = Dialog(
        "Stand-in", "smart_toy",
        asks={"seat": Ask(), "player": Ask(words={"bot": "The game's bot", "dealer": "The dealer, at random"})},
    )  # fmt: skip
    appends = (StandInSeated,)
    example = {"seat": 1, "player": "bot", "reason": "Nobody has heard of them."}

    seat: Seat
    player: StandIn
    reason: Reason


class EndStandIn(HostAct, frozen=True):
    """Let a seat's player play again; the player may say so, or a host."""

    name = "end_stand_in"
    address = "end-stand-in"
    rest = Rest(
        "endStandIn", "stand-in/end", Body("StandInEndBody", "The seat whose player is back, and the reason."),
        ("match_over", "no_such_seat", "no_stand_in"),
    )  # fmt: skip
    dialog = Dialog("End stand-in", "undo")
    appends = (StandInLeft,)
    example = {"seat": 1, "reason": "There they are."}

    seat: Seat
    reason: Reason

    @classmethod
    def is_offered(cls, lifecycle: Lifecycle) -> bool:
        return bool(lifecycle.stand_ins) and not lifecycle.over

    @classmethod
    def seats(cls, lifecycle: Lifecycle) -> Iterable[int]:
        return dict(lifecycle.stand_ins)

    @property
    def own_seat(self) -> int | None:
        return self.seat


class Substitute(HostAct, frozen=True):
    """Let another account, or `bot`, hold a seat from now on. It sees what the seat sees; who leaves becomes a
    spectator. In a season's match it is none that runs the season; in a private one's it is an account that may
    see it."""

    name = "substitute"
    rest = Rest(
        "substitutePlayer", "substitute",
        Body("SubstituteBody", "The seat, its new player (an account's id, or `bot`), and the reason."),
        (
            "match_over", "no_such_seat", "no_such_player", "not_enrolled", "runs_the_season", "already_seated",
            "knows_secrets", "too_many_bot_matches", "not_for_guests",
        ),
    )  # fmt: skip
    dialog = Dialog(
        "Substitute", "swap_horiz",
        "The new player sees what the seat sees, from now on; who leaves becomes a spectator.",
        {
            "seat": Ask(),
            "player": Ask(help="The account's name, or bot. Who has seen secrets of this match can't take a seat."),
        },
    )  # fmt: skip
    appends = (SeatSubstituted,)
    needs_seats = True
    example = {"seat": 1, "player": "bot", "reason": "The train is late."}

    seat: Seat
    player: SeatPlayer
    reason: Reason


class Approve(HostAct, frozen=True):
    """Let the result of a match that was opened with `approval` count."""

    name = "approve"
    rest = Rest("approveResult", "approve", _REASON, ("nothing_to_approve", "not_finished", "already_approved"))
    dialog = Dialog("Approve the result", "verified")
    appends = (ResultApproved,)
    example = {"reason": "Well played."}

    reason: Reason

    @classmethod
    def is_offered(cls, lifecycle: Lifecycle) -> bool:
        waits = lifecycle.outcome is not None and not lifecycle.voided and not lifecycle.approved
        return lifecycle.opened.approval and waits


class Adjudicate(HostAct, frozen=True):
    """Name the winners and end the match; its outcome's reason is `adjudicated`."""

    name = "adjudicate"
    rest = Rest(
        "adjudicateMatch", "adjudicate", Body("AdjudicateBody", "The seats that have won, and the reason."),
        ("not_started", "match_over", "no_such_seat", "no_winner"),
    )  # fmt: skip
    dialog = Dialog("Decide the match", "emoji_events", f"The match is over at once. {_SECRETS_OPEN}")
    appends = (MatchAdjudicated, MatchFinished, SeedRevealed)
    needs_seats = True
    example = {"winners": [0], "reason": "The other one left."}

    winners: Seats
    reason: Reason

    @classmethod
    def is_offered(cls, lifecycle: Lifecycle) -> bool:
        return lifecycle.started and not lifecycle.over


class Void(HostAct, frozen=True):
    """Declare the match void: it is over, nobody has won, and its secrets open, at once or when its season ends. A host
    who plays against a person may do so before the start, and later until everybody has accepted."""

    name = "void"
    rest = Rest("voidMatch", "void", _REASON, ("match_over",))
    dialog = Dialog("Void", "block", f"Nobody has won, and the match doesn't count. {_SECRETS_OPEN}")
    appends = (MatchVoided, SeedRevealed)
    needs_seats = True
    example = {"reason": "The wrong table."}

    reason: Reason


class Rewind(HostAct, frozen=True):
    """Go on from the state and the clocks of an earlier version, with new draws. Nothing is deleted; players,
    pauses, rulings and appeals stay as they are. A season's match that is over is rewound by its season:
    `rewindSeasonMatch`."""

    name = "rewind"
    rest = Rest("rewindMatch", "rewind", REWIND, ("not_started", "match_over", "no_such_version", "amid_an_act"))
    appends = (MatchRewound,)
    example = {"to_version": 4, "reason": "A slip."}

    to_version: Version
    reason: Reason

    @classmethod
    def is_offered(cls, lifecycle: Lifecycle) -> bool:
        return lifecycle.started and not lifecycle.over


HOST_ACTS: tuple[type[HostAct], ...] = (
    Start, Pause, Resume, Extend, Rule, AnswerAppeal, WithdrawText, SeatStandIn, EndStandIn, Substitute, Approve,
    Adjudicate, Void, Rewind,
)  # fmt: skip
"""In the order in which a control room offers them."""
