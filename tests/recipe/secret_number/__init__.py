"""Secret Number: 2 to 30 seats guess a number that the options have sealed; the nearest guess wins."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import (
    BoardOf,
    Chance,
    ClockSpec,
    Command,
    Due,
    Event,
    FlagFallen,
    Game,
    Illegal,
    Notation,
    Outcome,
    Parts,
    Prompt,
    Public,
    Resign,
    Resigned,
    SealedPart,
    Seats,
    Witness,
    evolve_kernel,
    known_to,
    read_part,
    seal,
)
from games.kernel import Options as KernelOptions
from games.kernel import State as KernelState

__all__ = ["GAME"]

GREATEST = 40
_GUESS = re.compile(r"(?:guess +)?([0-9]{1,3})", re.ASCII)


class Sealed(Struct, frozen=True, forbid_unknown_fields=True):
    """The commitment to a number."""

    sealed: str


class Options(KernelOptions, frozen=True, kw_only=True):
    """The options; `number` is the secret."""

    number: int | Sealed = 7


class Guess(Command, frozen=True):
    """Guess a number, in secret."""

    number: int


class GuessSubmitted(Event, frozen=True):
    """A seat has guessed. `number` is None for witnesses who may not see it."""

    seat: Public[int]
    number: Annotated[int | None, known_to("seat")]


class NumberOpened(Event, frozen=True):
    """The number is published with its salt, and with all guesses."""

    part: Public[SealedPart]
    guesses: Public[tuple[int | None, ...]]


class State(KernelState, frozen=True, kw_only=True):
    """The state; a guess is None before it is submitted, "hidden" if this witness may not see it."""

    options: Options
    guesses: tuple[int | Literal["hidden"] | None, ...]
    number: int | None = None


def opening(options: Options, seats: int, priority: int) -> State:
    return State(seats=seats, priority=priority, options=options, guesses=(None,) * seats)


def evolve(state: State, event: Event) -> State:
    match event:
        case GuessSubmitted(seat=seat, number=number):
            guess = "hidden" if number is None else number
            return replace(state, guesses=(*state.guesses[:seat], guess, *state.guesses[seat + 1 :]))
        case NumberOpened(part=part, guesses=guesses):
            return replace(state, number=part.value, guesses=guesses)
        case _:
            return evolve_kernel(state, event)


def due(state: State) -> Due:
    if state.number is not None:
        return Due()
    prompts = tuple(
        Prompt(seat, ("guess",), "guess", "guess")
        for seat, guess in enumerate(state.guesses)
        if guess is None and seat not in state.resigned
    )
    return Due(prompts=prompts, dealer=not prompts)


def decide(state: State, seat: int, command: Command, chance: Chance) -> Iterable[Event]:
    if not isinstance(command, Guess) or not 1 <= command.number <= GREATEST:
        raise Illegal("no_such_number", f"Guess a number from 1 to {GREATEST}.")
    return (GuessSubmitted(seat, command.number),)


def deal(state: State, chance: Chance) -> Iterable[Event]:
    assert isinstance(state.options.number, Sealed)
    guesses = tuple(guess if isinstance(guess, int) else None for guess in state.guesses)
    return (NumberOpened(read_part(state.options.number.sealed, chance), guesses),)


def expire(state: State, seat: int, chance: Chance) -> Iterable[Event]:
    return (GuessSubmitted(seat, 1),)


def legal(state: State, seat: int) -> Iterator[Command]:
    if due(state).commands_of(seat):
        yield from map(Guess, range(1, GREATEST + 1))


def choose(state: State, seat: int, rng: Random) -> Command:
    return Guess(rng.randrange(1, GREATEST + 1))


def outcome(state: State) -> Outcome | None:
    if state.number is None:
        return None
    misses = {
        seat: abs(guess - state.number) if isinstance(guess, int) and seat not in state.resigned else GREATEST
        for seat, guess in enumerate(state.guesses)
    }
    groups = [tuple(seat for seat in misses if misses[seat] == miss) for miss in sorted(set(misses.values()))]
    return Outcome(groups[0], tuple(groups), "played", {seat: -miss for seat, miss in misses.items()})


def seal_number(options: Options, chance: Chance) -> tuple[Options, Parts]:
    if isinstance(options.number, Sealed):
        return options, {}
    commitment, part = seal(options.number, "number", chance)
    return Options(number=Sealed(commitment)), {commitment: part}


def parse(state: State, seat: int, text: str) -> Command:
    if text == "resign":
        return Resign()
    guess = _GUESS.fullmatch(text)
    if guess is None:
        raise Illegal("malformed", "Write `guess 5`, or `resign`.")
    return Guess(int(guess[1]))


def form(command: Any) -> str:
    return f"guess {command.number}" if isinstance(command, Guess) else "resign"


def sentence(event: Event, names: Sequence[str]) -> str:
    match event:
        case GuessSubmitted(seat=seat):
            return f"{names[seat]} has guessed."
        case NumberOpened(part=part):
            return f"The number is {part.value}."
        case Resigned(seat=seat):
            return f"{names[seat]} resigns."
        case FlagFallen(seat=seat):
            return f"{names[seat]} has run out of time."
    raise TypeError(f"{event!r} is no event of this game.")


def text_board(state: State, witness: Witness) -> str:
    return "\n".join(f"Seat {seat}: {'-' if guess is None else guess}" for seat, guess in enumerate(state.guesses))


GAME = Game(
    slug="secret_number",
    title="Secret Number",
    seats=Seats(min=2, max=30),
    Options=Options,
    commands=(Guess,),
    events=(GuessSubmitted, NumberOpened),
    State=State,
    opening=opening,
    decide=decide,
    deal=deal,
    expire=expire,
    evolve=evolve,
    due=due,
    legal=legal,
    sample=choose,
    outcome=outcome,
    clocks={"guess": ClockSpec(base=60, reserve=0, increment=1, at_flag="You guess 1.")},
    notation=Notation(parse=parse, form=form, sentence=sentence),
    text_board=text_board,
    board=BoardOf(f"{__name__}.board"),
    bot=choose,
    bound=lambda options, seats: seats,
    folder=Path(__file__).parent,
    seal=seal_number,
)
