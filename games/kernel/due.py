"""Prompts and duties that a match waits for, its outcome, and its clocks."""

from typing import Literal

from msgspec import Struct

from games.kernel.messages import Event, type_name
from games.kernel.witnesses import Witness


class Prompt(Struct, frozen=True):
    """Seat `seat`, or the host where it is HOST, must choose one of `commands`.

    Prompts of one seat with an equal `turn` share one run of the clock named `clock`.
    """

    seat: Witness
    commands: tuple[str, ...]
    turn: str
    clock: str


class Due(Struct, frozen=True):
    """The seats that must act, or the dealer's duty.

    `amendable` are prompts of seats that have submitted in a simultaneous phase: nothing waits for them and their
    clock is stopped, but they may replace their submission while another seat's prompt is open. A prompt of HOST there
    names what the host may do unasked.
    """

    prompts: tuple[Prompt, ...] = ()
    dealer: bool = False
    amendable: tuple[Prompt, ...] = ()

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that must act, in the order of their prompts; HOST isn't one."""
        return tuple(prompt.seat for prompt in self.prompts if isinstance(prompt.seat, int))

    def prompt_of(self, seat: Witness) -> Prompt | None:
        """Return the prompt that this seat (or HOST) must answer, or None."""
        return next((prompt for prompt in self.prompts if prompt.seat == seat), None)

    def commands_of(self, seat: Witness) -> tuple[str, ...]:
        """Return the types of command that this seat (or HOST) may send now, replacements included."""
        return tuple(
            name for prompt in (*self.prompts, *self.amendable) if prompt.seat == seat for name in prompt.commands
        )


class Outcome(Struct, frozen=True):
    """The result of a match: `ranking` lists groups of equal seats, best first; `score` is by seat."""

    winners: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    reason: Literal["played", "resigned", "flag"]
    score: dict[int, int]


class Progress(Struct, frozen=True):
    """Progress of a match with rounds, and the teams, stakes and leavers among its seats.

    `round` is the number of the round that is open, that its host judges if `is_judged`, or that opens next; `rounds`
    is the number of all, so far as it is known. `teams` and `stakes` are by seat, empty without any: the number of its
    team, and the gain or loss of what was at stake. `left` are the seats that have left the match by its rules.
    """

    round: int
    rounds: int
    is_judged: bool = False
    teams: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    stakes: tuple[int, ...] = ()


class Grant(Struct, frozen=True):
    """Reserve that every seat gains when an event of type `event` has one of `values` in `field`."""

    event: str
    field: str
    values: tuple[int, ...]
    seconds: int


class SetupShare(Struct, frozen=True):
    """The share of a scheduled match's set-up that is reserved for a step that the others wait for.

    The step ends `ends_before` seconds before play. If that leaves it less than one of `parts` equal parts of the
    set-up, it ends with the first part.
    """

    ends_before: int
    parts: int


class ClockSpec(Struct, frozen=True):
    """A clock's default times in seconds: `base` per turn, `reserve` per match, used in steps of `increment`.

    `at_flag` says what happens when the flag falls, as text for people; `grants` add reserve during the match.
    `setup` marks the clock of the steps before play: in a scheduled match it ends before the match opens, or with its
    `share` of the set-up.
    """

    base: int
    reserve: int
    increment: int
    at_flag: str
    grants: tuple[Grant, ...] = ()
    setup: bool = False
    share: SetupShare | None = None

    def granted_by(self, event: Event) -> int:
        """Return the seconds of reserve that an event adds for every seat on this clock."""
        name = type_name(type(event)) if self.grants else ""
        return sum(
            grant.seconds
            for grant in self.grants
            if grant.event == name and getattr(event, grant.field) in grant.values
        )


def two_seat_outcome(winner: int, reason: Literal["played", "resigned", "flag"], score: dict[int, int]) -> Outcome:
    """Return the outcome of a match of two seats that `winner` has won."""
    return Outcome(winners=(winner,), ranking=((winner,), (1 - winner,)), reason=reason, score=score)
