"""Acts of a host on a match, and appeals of its seats to the hosts: each act decided into events. Pure."""

from collections.abc import Collection
from hashlib import sha256

from games.kernel import Event, Illegal, canonical, quantity
from matches.domain.clocks import SECOND, Clocks
from matches.domain.events import (
    BOT,
    AppealAnswered,
    AppealKind,
    AppealOpened,
    Decision,
    MatchAdjudicated,
    MatchFinished,
    MatchPaused,
    MatchResumed,
    MatchRewound,
    MatchVoided,
    ResultApproved,
    SeatSubstituted,
    StandIn,
    StandInLeft,
    StandInSeated,
    TimeGiven,
)
from matches.domain.lifecycle import (
    Lifecycle,
    refuse_no_such_seat,
    refuse_over,
    refuse_unless_on,
    refuse_unless_running,
    revealed_at_the_end,
)
from matches.domain.match_state import MatchState

MOST_GIVEN_SECONDS = 3660 * 86400
"""Maximum of time that a turn may be given, pauses included; its deadline must be a valid date."""
MOST_OPEN_APPEALS = 10
"""Maximum of unanswered appeals per seat."""


def seats_and_status(state: Lifecycle) -> str:
    """Return a digest of the seats' players and the match's status: what a host's decision depends on and no move
    changes."""
    return sha256(canonical([list(state.players), state.status])).hexdigest()


def pause(state: Lifecycle, reason: str) -> Event:
    """Pause the match; raises not_started, match_over, match_paused."""
    refuse_unless_running(state)
    return MatchPaused(reason=reason)


def resume(state: Lifecycle, reason: str) -> Event:
    """Resume the match; raises match_over, not_paused."""
    refuse_over(state)
    if not state.paused:
        raise Illegal("not_paused", "The match isn't paused.")
    return MatchResumed(reason=reason)


def give_time(state: Lifecycle, seat: int, seconds: int, clocks: Clocks, reason: str) -> Event:
    """Give a seat's turn more time; raises not_started, match_over, no_prompt, too_much_time."""
    refuse_unless_on(state)
    stood = [run.stood for run in clocks.runs if run.seat == seat]
    if not stood:
        raise Illegal("no_prompt", f"Seat {seat} has no running clock.")
    if max(stood) + seconds * SECOND > MOST_GIVEN_SECONDS * SECOND:
        raise Illegal("too_much_time", "A turn can't be held up for more than ten years.")
    return TimeGiven(seat=seat, seconds=seconds, reason=reason)


def void(state: Lifecycle, reason: str, seed: bytes) -> tuple[Event, ...]:
    """Declare the match void, before or after its start; raises match_over."""
    refuse_over(state)
    return (MatchVoided(reason=reason), *revealed_at_the_end(state, seed))


def adjudicate(state: Lifecycle, winners: Collection[int], reason: str, seed: bytes) -> tuple[Event, ...]:
    """Name the winners and end the match; raises not_started, match_over, no_such_seat, no_winner."""
    refuse_unless_on(state)
    for seat in winners:
        refuse_no_such_seat(state, seat)
    if not winners:
        raise Illegal("no_winner", "Name a winner; a match without one is void.")
    first = tuple(sorted(set(winners)))
    others = tuple(seat for seat in range(len(state.players)) if seat not in first)
    ranking = (first, others) if others else (first,)
    return (
        MatchAdjudicated(winners=first, ranking=ranking, reason=reason),
        MatchFinished(winners=first, ranking=ranking, reason="adjudicated", score={}),
        *revealed_at_the_end(state, seed),
    )


def substitute(state: Lifecycle, seat: int, player: str, reason: str) -> Event:
    """Give a seat, also an open one, to another player; raises match_over, no_such_seat, already_seated, knows_secrets.

    An account that has looked at the truth or has left another seat knows secrets that this seat may not know.
    """
    refuse_over(state)
    refuse_no_such_seat(state, seat)
    held = seat if player == state.players[seat] else state.seat_of(player) if player != BOT else None
    if held is not None:
        raise Illegal("already_seated", f"That player already holds seat {held}.")
    left_another = any(leaver == player and left != seat for left, leaver in state.leavers)
    if player != BOT and (player in state.looked or left_another):
        raise Illegal("knows_secrets", "That player has seen secrets of this match that the seat mustn't know.")
    return SeatSubstituted(seat=seat, player=player, reason=reason)


def seat_stand_in(state: Lifecycle, seat: int, player: StandIn, reason: str) -> Event:
    """Seat a stand-in for an absent player; raises match_over, no_such_seat, nobody_absent, stand_in_seated."""
    refuse_over(state)
    refuse_no_such_seat(state, seat)
    if state.players[seat] in (None, BOT):
        raise Illegal("nobody_absent", f"Seat {seat} has no player who could be absent.")
    if seat in dict(state.stand_ins):
        raise Illegal("stand_in_seated", f"Somebody stands in for seat {seat} already.")
    return StandInSeated(seat=seat, player=player, reason=reason)


def end_stand_in(state: Lifecycle, seat: int, reason: str) -> Event:
    """Let the seat's player play again; raises match_over, no_such_seat, no_stand_in."""
    refuse_over(state)
    refuse_no_such_seat(state, seat)
    if seat not in dict(state.stand_ins):
        raise Illegal("no_stand_in", f"Nobody stands in for seat {seat}.")
    return StandInLeft(seat=seat, reason=reason)


def rewind(state: Lifecycle, version: int, to_version: int, reason: str) -> Event:
    """Continue from an earlier version; raises not_started, match_over, no_such_version.

    The caller, who has the earlier version, checks with `refuse_rewinding` that it may be rewound to.
    """
    if state.outcome is not None and state.opened.season is not None:
        raise Illegal(
            "match_over", "The match is over. While its result doesn't count, it is rewound from its season's room."
        )
    refuse_unless_on(state)
    _refuse_unless_before(version, to_version)
    return MatchRewound(to_version=to_version, reason=reason)


def reopen(state: Lifecycle, version: int, to_version: int, reason: str) -> tuple[Event, ...]:
    """Continue a season's finished match from an earlier version, with the next seed if the end has revealed this one.
    It is paused, because its players may be away. Raises match_over, not_finished, no_such_version.

    The caller checks that the season still waits for the result, and the rest as for `rewind`.
    """
    if state.voided or state.opened.season is None:
        raise Illegal("match_over", "Only a season's match that has a result is rewound after its end.")
    if state.outcome is None:
        raise Illegal("not_finished", "The match hasn't finished yet.")
    _refuse_unless_before(version, to_version)
    rewound = MatchRewound(to_version=to_version, reason=reason, seed_commitment=state.seed)
    return (rewound,) if state.paused else (rewound, MatchPaused(reason=reason))


def _refuse_unless_before(version: int, to_version: int) -> None:
    if not 1 <= to_version < version:
        raise Illegal("no_such_version", f"The match is at version {version}; rewind to one before it.")


def refuse_rewinding(now: MatchState, earlier: MatchState, *, amid_an_act: bool) -> None:
    """Raise what `refuse_rewinding_into` and `refuse_opened_submissions` raise."""
    refuse_rewinding_into(earlier.lifecycle, earlier.version, amid_an_act=amid_an_act)
    refuse_opened_submissions(now, earlier, earlier.version)


def is_rewindable_into(now: MatchState, earlier: MatchState) -> bool:
    """True if the match may be rewound to the end of an act at an earlier version."""
    try:
        refuse_rewinding(now, earlier, amid_an_act=False)
    except Illegal:
        return False
    return True


def refuse_rewinding_into(earlier: Lifecycle, to_version: int, *, amid_an_act: bool) -> None:
    """Raise no_such_version for a version before the start or after an end, amid_an_act for one within an act."""
    if not earlier.started:
        raise Illegal("no_such_version", f"At version {to_version} the match hadn't started.")
    if earlier.over:
        raise Illegal("no_such_version", f"At version {to_version} the match was over.")
    if amid_an_act:
        raise Illegal(
            "amid_an_act", f"Version {to_version} lies amid what one act brought; rewind to before or after that act."
        )


def refuse_opened_submissions(now: MatchState, earlier: MatchState, to_version: int) -> None:
    """Raise no_such_version if a rewind would go on beside sealed submissions that have been opened since: whoever has
    seen them could tell the others. Before anything is sealed again, players submit anew."""
    if not earlier.game.is_sealed(earlier.state) or not any(isinstance(it.seat, int) for it in earlier.due.amendable):
        return
    is_sealed_still = (
        not now.lifecycle.is_open
        and now.game.is_sealed(now.state)
        and (now.lifecycle.rewinds, _turns(now)) == (earlier.lifecycle.rewinds, _turns(earlier))
    )
    if not is_sealed_still:
        raise Illegal(
            "no_such_version",
            f"What was submitted at version {to_version} in secret has been opened since. Rewind to a version before "
            "its first submission, so that everybody submits again.",
        )


def _turns(match_state: MatchState) -> set[str]:
    due = match_state.game.due(match_state.state)
    return {it.turn for it in (*due.prompts, *due.amendable)}


def appeal(state: Lifecycle, seat: int, kind: AppealKind, text: str) -> Event:
    """Appeal to the hosts; raises too_many_appeals."""
    own = [it for it in state.appeals if (it.seat, it.player) == (seat, state.players[seat])]
    waiting = sum(it.decision is None for it in own)
    if waiting >= MOST_OPEN_APPEALS:
        raise Illegal("too_many_appeals", f"{quantity(waiting, 'appeal')} of yours must be answered first.")
    return AppealOpened(number=len(state.appeals) + 1, seat=seat, kind=kind, text=text)


def answer_appeal(state: Lifecycle, number: int, decision: Decision, reason: str) -> Event:
    """Answer an appeal; raises no_such_appeal, appeal_closed."""
    if not 1 <= number <= len(state.appeals):
        raise Illegal("no_such_appeal", f"There is no appeal {number}.")
    if state.appeals[number - 1].decision is not None:
        raise Illegal("appeal_closed", f"Appeal {number} has been answered.")
    return AppealAnswered(number=number, decision=decision, reason=reason)


def approve(state: Lifecycle, reason: str) -> Event:
    """Approve the result; raises nothing_to_approve, not_finished, already_approved."""
    if not state.opened.approval or state.voided:
        raise Illegal("nothing_to_approve", "The result of this match needs no approval.")
    if state.outcome is None:
        raise Illegal("not_finished", "The match hasn't finished yet.")
    if state.approved:
        raise Illegal("already_approved", "The result has been approved.")
    return ResultApproved(reason=reason)
