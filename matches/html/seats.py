"""The seats as the page shows them: players, turns and clocks."""

from dataclasses import dataclass

from games.drawing.themes import SEAT_LETTERS
from games.kernel import Witness
from matches.domain import clocks
from matches.domain.clocks import SECOND, Deadline, Run
from matches.domain.events import BOT
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.reads.sentences import names_of as names_of
from matches.reads.sentences import portrait_of

MOST_BLOCKS = 12
"""Up to this many blocks of reserve are drawn; a longer reserve is shown only in figures."""


@dataclass(frozen=True)
class ClockFace:
    """A seat's clock. `deadline` is in milliseconds since 1970, None while it is stopped; times are in seconds."""

    name: str
    base: int
    reserve: int
    increment: int
    left: int
    deadline: int | None
    grace: int
    at_flag: str

    @property
    def turn_left(self) -> int:
        """The rest of the turn's own time, before the reserve."""
        return self.left - self.reserve_left

    @property
    def reserve_left(self) -> int:
        return min(self.reserve, self.left)

    @property
    def blocks(self) -> range:
        """One entry for each whole increment of reserve; empty if they are too many to draw."""
        count = self.reserve // self.increment
        return range(count if count <= MOST_BLOCKS and self.increment > 1 else 0)


@dataclass(frozen=True)
class SeatStrip:
    """A seat; `does` says what it is doing, in a word or two. Only people connect and disconnect, not bots."""

    number: int
    letter: str
    name: str
    portrait: str
    role: str
    is_you: bool
    is_person: bool
    on_turn: bool
    does: str
    clock: ClockFace | None

    @property
    def has_time_running(self) -> bool:
        """True if the match waits for the seat and its clock is running."""
        return self.on_turn and self.clock is not None and self.clock.deadline is not None


def strips(match: Match, match_state: MatchState, witness: Witness) -> list[SeatStrip]:
    sitting = {seat.number: seat for seat in match.seats.all()}
    deadlines = {(d.seat, d.turn): d for d in clocks.deadlines(match_state.clocks)}
    return [
        SeatStrip(
            number=seat,
            letter=SEAT_LETTERS[seat],
            name=name,
            portrait=portrait_of(sitting[seat]) if seat in sitting else "",
            role=sitting[seat].role if seat in sitting else "",
            is_you=seat == witness,
            is_person=match_state.lifecycle.players[seat] not in (None, BOT),
            on_turn=match_state.due.prompt_of(seat) is not None,
            does=_does(match_state, seat),
            clock=_face(match_state, seat, deadlines),
        )
        for seat, name in enumerate(names_of(match))
    ]


def _does(match_state: MatchState, seat: int) -> str:
    doing = _doing(match_state, seat)
    if any(absent == seat for absent, _ in match_state.lifecycle.stand_ins):
        return f"{doing}, a stand-in plays" if doing else "a stand-in plays"
    return doing


def _doing(match_state: MatchState, seat: int) -> str:
    if match_state.lifecycle.players[seat] is None:
        return "open"
    if any(prompt.seat == seat for prompt in match_state.due.amendable):
        return "has locked in"
    if match_state.due.prompt_of(seat) is None:
        return ""
    return "to choose" if len(match_state.due.prompts) > 1 or match_state.due.amendable else "to move"


def _face(match_state: MatchState, seat: int, deadlines: dict[tuple[int, str], Deadline]) -> ClockFace | None:
    """Return the seat's running clock, else the one that its turns use; None without one."""
    state = match_state.clocks
    if not state.times or match_state.lifecycle.over:
        return None
    run = next((run for run in state.runs if run.seat == seat), None)
    name = run.clock if run else _idle_clock(match_state, seat)
    if name is None:
        return None
    times = state.times[name]
    reserve = clocks.reserve_left(state, seat, name) // times.increment * times.increment
    falls = deadlines.get((seat, run.turn)) if run else None
    return ClockFace(
        name=name,
        base=times.base,
        reserve=reserve,
        increment=times.increment,
        left=_left(run, times.base + reserve, match_state.at),
        deadline=falls.falls_at // 1000 if falls else None,
        grace=state.grace // 1000,
        at_flag=match_state.clock_specs[name].at_flag,
    )


def _idle_clock(match_state: MatchState, seat: int) -> str | None:
    """Return the name of the clock that a seat's turns use while none runs. In a game with a clock of the host, it is
    the one of what the seat has submitted, if it may change that."""
    times = match_state.clocks.times
    if match_state.game.host_commands:
        amendable = match_state.due.amendable
        return next((it.clock for it in amendable if it.seat == seat and it.clock in times), None)
    return "turn" if "turn" in times else min(times)


def _left(run: Run | None, seconds: int, at: int) -> int:
    """Return the rest of base and reserve at the instant of the last event."""
    return max(0, seconds - (run.spent(at) // SECOND if run else 0))
