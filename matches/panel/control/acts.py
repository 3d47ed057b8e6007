"""What a host may do to a match, as dialogs: when each is offered, what it asks, what it appends."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from matches import services
from matches.domain.lifecycle import Lifecycle
from matches.panel.control import forms
from matches.panel.entry import ControlRoom


@dataclass(frozen=True)
class Act:
    """An act of `matches.services`. `appends` are the events that it brings, `call` the act with a form's values."""

    name: str
    title: str
    icon: str
    appends: str
    offered: Callable[[Lifecycle], bool]
    call: Callable[..., None]
    form: type[forms.ActForm] = forms.ActForm
    warning: str = ""

    @property
    def service(self) -> str:
        """What `matches.services` calls it, where players may do it at all."""
        return self.name.replace("-", "_")

    def carry_out(self, room: ControlRoom, values: dict[str, Any]) -> None:
        """Do it as the room's host; raises what the service refuses it with."""
        self.call(match_id=room.match.id, by=room.host.id, **values)


def _is_on(story: Lifecycle) -> bool:
    return story.started and not story.over


def _may_start(story: Lifecycle) -> bool:
    return story.may_start and story.called is None and not story.over


def _rule(*, reason: str, **whose: Any) -> None:
    services.rule(text=reason, **whose)


def _void(*, code: str, **asked: Any) -> None:
    services.void(**asked)


_ALL = (
    Act("start", "Start", "play_arrow", "match_started", _may_start, services.start),
    Act("pause", "Pause", "pause", "match_paused", lambda it: it.status == "running", services.pause),
    Act("resume", "Resume", "resume", "match_resumed", lambda it: it.status == "paused", services.resume),
    Act("time", "Give time", "more_time", "time_given", _is_on, services.extend, forms.TimeForm),
    Act("rule", "Rule", "gavel", "ruling_posted", lambda it: True, _rule, forms.RulingForm),
    Act(
        "answer", "Answer an appeal", "balance", "appeal_answered",
        lambda it: any(appeal.decision is None for appeal in it.appeals), services.answer_appeal, forms.AnswerForm,
    ),
    Act(
        "stand-in", "Stand-in", "smart_toy", "stand_in_seated", lambda it: not it.over,
        services.seat_stand_in, forms.StandInForm,
    ),
    Act(
        "end-stand-in", "End stand-in", "undo", "stand_in_left", lambda it: bool(it.stand_ins) and not it.over,
        services.end_stand_in, forms.EndStandInForm,
    ),
    Act(
        "substitute", "Substitute", "swap_horiz", "seat_substituted", lambda it: not it.over,
        services.substitute, forms.SubstituteForm,
        "The new player sees what the seat sees, from now on; who leaves becomes a spectator.",
    ),
    Act(
        "approve", "Approve the result", "verified", "result_approved",
        lambda it: it.opened.approval and it.outcome is not None and not it.voided and not it.approved,
        services.approve,
    ),
    Act(
        "adjudicate", "Decide the match", "emoji_events", "match_adjudicated, match_finished, seed_revealed", _is_on,
        services.adjudicate, forms.WinnersForm, "The match is over at once, and every secret opens.",
    ),
    Act(
        "void", "Void", "block", "match_voided, seed_revealed", lambda it: not it.over, _void, forms.VoidForm,
        "Nobody has won, the match doesn't count, and every secret opens.",
    ),
)  # fmt: skip
ACTS = {act.name: act for act in _ALL}
"""All acts by the name in their address, in the order in which a room offers them. Rewinding has a page of its own."""


def offered(room: ControlRoom) -> list[Act]:
    """The acts that the match as it stands allows its host."""
    return [act for act in _ALL if act.offered(room.story) and room.may(act.service)]
