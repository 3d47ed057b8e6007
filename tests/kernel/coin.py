"""A tiny game for the kernel's own tests: the dealer tosses a coin in secret, seat 0 calls it, seat 1 bows."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

from msgspec.structs import replace

from games.kernel import (
    HOST,
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
    Prompt,
    Public,
    Resign,
    Seats,
    Witness,
    evolve_kernel,
    known_to,
    two_seat_outcome,
)
from games.kernel import Options as KernelOptions
from games.kernel import State as KernelState

Side = Literal["heads", "tails"]


class Options(KernelOptions, frozen=True, kw_only=True):
    """`stake` is what is played for."""

    stake: int = 1

    def __post_init__(self) -> None:
        if self.stake < 1:
            raise ValueError("stake is at least 1.")


class State(KernelState, frozen=True, kw_only=True):
    """The coin, None where unknown; `turn` is 0 or 1, None before the toss and after the bow."""

    options: Options
    coin: Side | None = None
    called: Side | None = None
    turn: int | None = None
    bowed: bool = False


class Call(Command, frozen=True):
    """Say what the coin shows."""

    side: Side


class Bow(Command, frozen=True):
    """End the match."""

    times: int = 1


class CoinTossed(Event, frozen=True):
    """The coin lies under the dealer's hand."""

    coin: Annotated[Side | None, known_to(HOST)]


class Called(Event, frozen=True):
    """A seat has whispered its call to the dealer."""

    seat: Public[int]
    side: Annotated[Side | None, known_to("seat")]


class Bowed(Event, frozen=True):
    """A seat has bowed."""

    seat: Public[int]
    times: Public[int]


def evolve(state: State, event: Event) -> State:
    """The reducer."""
    match event:
        case CoinTossed(coin=coin):
            return replace(state, coin=coin, turn=0)
        case Called(side=side):
            return replace(state, called=side, turn=1)
        case Bowed():
            return replace(state, turn=None, bowed=True)
        case _:
            return evolve_kernel(state, event)


def due(state: State) -> Due:
    """The toss, the call, the bow."""
    if outcome(state) is not None:
        return Due()
    if state.turn is None:
        return Due(dealer=True)
    return Due(prompts=(Prompt(state.turn, (("call",), ("bow",))[state.turn], f"turn {state.turn}", "turn"),))


def decide(state: State, seat: int, command: Any, chance: Chance) -> Iterable[Event]:
    """Calls and bows; a bow of 13 is refused after its event was made."""
    match command:
        case Call(side=side):
            yield Called(seat, side)
        case Bow(times=times):
            yield Bowed(seat, times)
            if times == 13:
                raise Illegal("unlucky", "Bow any other number of times.")


def deal(state: State, chance: Chance) -> Iterable[Event]:
    """The toss."""
    sides: tuple[Side, ...] = ("heads", "tails")
    return (CoinTossed(chance.choice(sides, "coin")),)


def expire(state: State, seat: int, chance: Chance) -> Iterable[Event]:
    """The flag makes the seat bow or call heads."""
    return (Called(seat, "heads"),) if seat == 0 else (Bowed(seat, 1),)


def outcome(state: State) -> Outcome | None:
    """Seat 0 wins if it called the coin; nobody who can't see the coin can say, so the bow decides for seat 1."""
    if state.resigned:
        return two_seat_outcome(1 - state.resigned[0], "resigned", {0: 0, 1: 0})
    return two_seat_outcome(1, "played", {0: 0, 1: 1}) if state.bowed else None


def legal(state: State, seat: int) -> Iterator[Command]:
    """All calls, one bow."""
    yield from (Call("heads"), Call("tails")) if seat == 0 else (Bow(),)


def sample(state: State, seat: int, rng: Random) -> Command:
    """One of them."""
    return rng.choice(list(legal(state, seat)))


class CoinBoard:
    """The coin as a word."""

    def draw(self, view: Any, *, viewer: Witness, theme: Any, names: Any, targets: Any = (), last: Any = ()) -> str:
        """A picture without a drawing."""
        return f"<svg><title>{view.coin}</title></svg>"

    def tables(self, view: Any, *, viewer: Witness, names: Any) -> tuple[Any, ...]:
        """None."""
        return ()


GAME = Game(
    slug="coin",
    title="Coin",
    seats=Seats(2, 2),
    Options=Options,
    commands=(Call, Bow),
    events=(CoinTossed, Called, Bowed),
    State=State,
    opening=lambda options, seats, priority: State(seats=seats, priority=priority, options=options),
    decide=decide,
    deal=deal,
    expire=expire,
    evolve=evolve,
    due=due,
    legal=legal,
    sample=sample,
    outcome=outcome,
    clocks={"turn": ClockSpec(10, 0, 1, "You bow.")},
    notation=Notation(parse=lambda state, seat, text: Resign(), form=str, sentence=lambda event, names: f"{event}."),
    text_board=lambda state, witness: str(state.coin),
    board=CoinBoard(),
    bot=sample,
    bound=lambda options, seats: 2,
    folder=Path(__file__).parent,
)

__all__ = ["GAME", "Bow", "Bowed", "Call", "Called", "CoinTossed", "FlagFallen", "Options", "State"]
