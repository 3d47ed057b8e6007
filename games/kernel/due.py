"""What a match waits for, how it ended, and the clocks its prompts run on."""

from typing import Literal

from msgspec import Struct

from games.kernel.messages import Event, type_name


class Prompt(Struct, frozen=True):
    """Seat `seat` must choose one of `commands`.

    Prompts of one seat with an equal `turn` share one run of the clock named `clock`.
    """

    seat: int
    commands: tuple[str, ...]
    turn: str
    clock: str


class Due(Struct, frozen=True):
    """Who must act, or that the dealer must.

    `amendable` are seats that have submitted in a simultaneous phase: nothing waits for them and their
    clock stands, but they may replace what they sent while another seat's prompt is open.
    """

    prompts: tuple[Prompt, ...] = ()
    dealer: bool = False
    amendable: tuple[Prompt, ...] = ()

    def prompt_of(self, seat: int) -> Prompt | None:
        """The prompt that this seat must answer, if there is one."""
        return next((prompt for prompt in self.prompts if prompt.seat == seat), None)

    def commands_of(self, seat: int) -> tuple[str, ...]:
        """The types of command that this seat may send now, replacements included."""
        return tuple(
            name for prompt in (*self.prompts, *self.amendable) if prompt.seat == seat for name in prompt.commands
        )


class Outcome(Struct, frozen=True):
    """How a match ended: `ranking` lists groups of equal seats, best first; `score` is by seat."""

    winners: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    reason: Literal["played", "resigned", "flag"]
    score: dict[int, int]


class Grant(Struct, frozen=True):
    """Reserve that every seat gains when an event of type `event` has one of `values` in `field`."""

    event: str
    field: str
    values: tuple[int, ...]
    seconds: int


class SetupShare(Struct, frozen=True):
    """How much of a scheduled match's set-up one step takes that the others wait for.

    It ends `ends_before` seconds before play. On shorter notice, when it would then have less than one of `parts` equal
    parts of the set-up, it ends with the first of them.
    """

    ends_before: int
    parts: int


class ClockSpec(Struct, frozen=True):
    """A clock's default times in seconds: `base` a turn, `reserve` a match, taken in steps of `increment`.

    `at_flag` says what the fallen flag does, for people to read on the clock; `grants` add reserve during the match.
    `setup` marks the clock of what is done before the match itself: in a scheduled match it closes before that opens,
    or ends with its `share` of the set-up.
    """

    base: int
    reserve: int
    increment: int
    at_flag: str
    grants: tuple[Grant, ...] = ()
    setup: bool = False
    share: SetupShare | None = None

    def granted_by(self, event: Event) -> int:
        """The seconds of reserve that an event brings every seat on this clock."""
        name = type_name(type(event)) if self.grants else ""
        return sum(
            grant.seconds
            for grant in self.grants
            if grant.event == name and getattr(event, grant.field) in grant.values
        )


def two_seat_outcome(winner: int, reason: Literal["played", "resigned", "flag"], score: dict[int, int]) -> Outcome:
    """The outcome of a match of two that `winner` has won."""
    return Outcome(winners=(winner,), ranking=((winner,), (1 - winner,)), reason=reason, score=score)
