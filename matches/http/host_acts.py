"""The acts of a match's host: one table for REST's routes and the panel's dialogs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from msgspec import Struct

from matches import services
from matches.domain.lifecycle import Lifecycle
from matches.http.bodies import (
    AdjudicateBody,
    AnswerBody,
    ExtendBody,
    HostBody,
    ReasonBody,
    RewindBody,
    RulingBody,
    StandInBody,
    StandInEndBody,
    SubstituteBody,
)
from matches.http.new_matches import account_or_bot
from matches.reads.documents import AppealDocument, MatchDocument


class Dialog(NamedTuple):
    """An act in a control room: its name there, title and icon, the events that it appends, the matches in which it is
    offered, and a warning."""

    name: str
    title: str
    icon: str
    appends: str
    offered: Callable[[Lifecycle], bool]
    warning: str = ""


@dataclass(frozen=True)
class HostAct:
    """An act of a host; `name` is its name in `matches.services` and `matches.domain.impartiality`.

    In REST it is the `operation` at `path` below its match, takes a `body` and `answers` with a document; `promise`
    describes it, and `problems` lists its refusals besides `forbidden` and `plays_here`. If it is `for_seat`, the
    player of the seat may request it too. An act without a `dialog` has a page of its own in the panel. A `repeatable`
    act does more each time, so its form has a key.
    """

    name: str
    path: str
    operation: str
    promise: str
    problems: tuple[str, ...]
    dialog: Dialog | None
    body: type[Struct] = HostBody
    may_be_empty: bool = False
    answers: type[Struct] = MatchDocument
    for_seat: bool = False
    repeatable: bool = False
    call: Callable[..., None] | None = None

    def carry_out(self, match_id: UUID, by: UUID, values: dict[str, Any]) -> None:
        """Call the service with the values of a body or form; raise as it does."""
        call = self.call or getattr(services, self.name)
        call(match_id=match_id, by=by, **values)


def _substitute(*, player: UUID | str, **arguments: Any) -> None:
    services.substitute(player=account_or_bot(player) if isinstance(player, str) else player, **arguments)


def _rule(*, reason: str, **arguments: Any) -> None:
    services.rule(text=reason, **arguments)


def _is_on(story: Lifecycle) -> bool:
    return story.started and not story.over


def _is_not_over(story: Lifecycle) -> bool:
    return not story.over


def _may_start(story: Lifecycle) -> bool:
    return story.may_start and story.called is None and not story.over


def _waits_for_approval(story: Lifecycle) -> bool:
    return story.opened.approval and story.outcome is not None and not story.voided and not story.approved


HOST_ACTS = (
    HostAct(
        "start", "start", "startMatch",
        """Begin play: an act of the match's opener or an organiser, once every seat is taken.

        Where promised nonces are still to be shown, play begins with the last of them, or 15 seconds later without.
        A scheduled match that a host who doesn't play starts early opens at once; to one who plays it is refused with
        the opening time.
        """,
        ("already_started", "match_over", "seats_open", "nonces_called", "player_gone", "not_open_yet"),
        Dialog("start", "Start", "play_arrow", "match_started", _may_start),
        ReasonBody, may_be_empty=True,
    ),
    HostAct(
        "pause", "pause", "pauseMatch",
        "Stop all clocks; nobody may move until the match is resumed.",
        ("not_started", "match_paused", "match_over"),
        Dialog("pause", "Pause", "pause", "match_paused", lambda it: it.status == "running"),
    ),
    HostAct(
        "resume", "resume", "resumeMatch",
        "Let a paused match go on; the clocks go on from where they stood.",
        ("match_over", "not_paused"),
        Dialog("resume", "Resume", "resume", "match_resumed", lambda it: it.status == "paused"),
    ),
    HostAct(
        "extend", "extend", "extendTurn",
        "Give a seat's running turn more time.",
        ("not_started", "match_over", "no_prompt", "too_much_time"),
        Dialog("time", "Give time", "more_time", "time_given", _is_on),
        ExtendBody, repeatable=True,
    ),
    HostAct(
        "rule", "rule", "postRuling",
        "Say for all to read how a rule is meant, also after the end.",
        (),
        Dialog("rule", "Rule", "gavel", "ruling_posted", lambda it: True),
        RulingBody, call=_rule, repeatable=True,
    ),
    HostAct(
        "answer_appeal", "appeals/<int:number>/answer", "answerAppeal",
        "Approve or reject an appeal, with a reason; it is closed then.",
        ("no_such_appeal", "appeal_closed"),
        Dialog(
            "answer", "Answer an appeal", "balance", "appeal_answered",
            lambda it: any(appeal.decision is None for appeal in it.appeals),
        ),
        AnswerBody, answers=AppealDocument,
    ),
    HostAct(
        "seat_stand_in", "stand-in", "seatStandIn",
        """Let a bot, or the dealer at random, play for an absent player. The seat stays theirs, and so does what it
        sees.""",
        ("match_over", "no_such_seat", "nobody_absent", "stand_in_seated", "too_many_bot_matches"),
        Dialog("stand-in", "Stand-in", "smart_toy", "stand_in_seated", _is_not_over),
        StandInBody,
    ),
    HostAct(
        "end_stand_in", "stand-in/end", "endStandIn",
        "Let a seat's player play again; the player may say so, or a host.",
        ("match_over", "no_such_seat", "no_stand_in"),
        Dialog(
            "end-stand-in", "End stand-in", "undo", "stand_in_left",
            lambda it: bool(it.stand_ins) and not it.over,
        ),
        StandInEndBody, for_seat=True,
    ),
    HostAct(
        "substitute", "substitute", "substitutePlayer",
        """Let another account, or `bot`, hold a seat from now on. It sees what the seat sees; who leaves becomes a
        spectator. In a season's match it is none that runs the season; in a private one's it is an account that may
        see it.""",
        (
            "match_over", "no_such_seat", "no_such_player", "not_enrolled", "runs_the_season", "already_seated",
            "knows_secrets", "too_many_bot_matches", "not_for_guests",
        ),
        Dialog(
            "substitute", "Substitute", "swap_horiz", "seat_substituted", _is_not_over,
            "The new player sees what the seat sees, from now on; who leaves becomes a spectator.",
        ),
        SubstituteBody, call=_substitute,
    ),
    HostAct(
        "approve", "approve", "approveResult",
        "Let the result of a match that was opened with `approval` count.",
        ("nothing_to_approve", "not_finished", "already_approved"),
        Dialog("approve", "Approve the result", "verified", "result_approved", _waits_for_approval),
    ),
    HostAct(
        "adjudicate", "adjudicate", "adjudicateMatch",
        "Name the winners and end the match; its outcome's reason is `adjudicated`.",
        ("not_started", "match_over", "no_such_seat", "no_winner"),
        Dialog(
            "adjudicate", "Decide the match", "emoji_events", "match_adjudicated, match_finished, seed_revealed",
            _is_on, "The match is over at once, and every secret opens.",
        ),
        AdjudicateBody,
    ),
    HostAct(
        "void", "void", "voidMatch",
        """Declare the match void: it is over, nobody has won, and every secret opens. A host who plays against a person
        may do so before the start, and later until everybody has accepted.""",
        ("match_over",),
        Dialog(
            "void", "Void", "block", "match_voided, seed_revealed", _is_not_over,
            "Nobody has won, the match doesn't count, and every secret opens.",
        ),
    ),
    HostAct(
        "rewind", "rewind", "rewindMatch",
        """Go on from the state and the clocks of an earlier version, with new draws. Nothing is deleted; players,
        pauses, rulings and appeals stay as they are. A season's match that is over is rewound by its season:
        `rewindSeasonMatch`.""",
        ("not_started", "match_over", "no_such_version", "amid_an_act"),
        None,
        RewindBody,
    ),
)  # fmt: skip
"""In the order in which a control room offers them."""
