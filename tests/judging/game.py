"""A judged game for tests: two seats hand in a word each in secret, then the host names the winner.

The dealer has a topic that nobody at the table sees. While words are handed in, the match is sealed from its host too,
and the host may close the round. The options say how long the host has.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Annotated, Any

from msgspec.structs import replace

from games.kernel import (
    HOST,
    Chance,
    ClockSpec,
    Command,
    Drawn,
    Due,
    Event,
    FlagFallen,
    Game,
    HostFlagFallen,
    Illegal,
    Notation,
    Outcome,
    Prompt,
    Public,
    Resign,
    Resigned,
    Seats,
    evolve_kernel,
    known_to,
    two_seat_outcome,
)
from games.kernel import Options as KernelOptions
from games.kernel import State as KernelState

TOPICS = ("gravel", "thimble")
SEATS = (0, 1)


class Options(KernelOptions, frozen=True, kw_only=True):
    """`judging` is how many seconds the host has; a match that isn't `sealed` may be looked at at any time."""

    judging: int = 600
    sealed: bool = True


class State(KernelState, frozen=True, kw_only=True):
    """The words by seat: None before one is handed in, `hidden` where it is secret."""

    options: Options
    topic: str | None = None
    is_dealt: bool = False
    words: tuple[str | None, ...] = (None, None)
    is_open: bool = False
    winner: int | None = None


class HandIn(Command, frozen=True):
    """Hand a word in."""

    word: str


class Close(Command, frozen=True):
    """Open the words that there are."""


class Judge(Command, frozen=True):
    """Name the winner."""

    winner: int


class TopicDrawn(Event, frozen=True):
    """The dealer has a topic."""

    topic: Annotated[str | None, known_to(HOST)]


class HandedIn(Event, frozen=True):
    """A seat has handed a word in."""

    seat: Public[int]
    word: Annotated[str | None, known_to("seat")]


class Opened(Event, frozen=True):
    """The words are open."""

    words: Public[tuple[str, ...]]


class Judged(Event, frozen=True):
    """The host has named the winner."""

    winner: Public[int]


def evolve(state: State, event: Event) -> State:
    match event:
        case TopicDrawn(topic=topic):
            return replace(state, topic=topic, is_dealt=True)
        case HandedIn(seat=seat, word=word):
            return replace(state, words=_with(state, seat, word or "hidden"))
        case Opened(words=words):
            return replace(state, words=words, is_open=True)
        case Judged(winner=winner):
            return replace(state, winner=winner)
        case _:
            return evolve_kernel(state, event)


def _with(state: State, seat: int, word: str) -> tuple[str | None, ...]:
    return tuple(word if number == seat else it for number, it in enumerate(state.words))


def due(state: State) -> Due:
    if outcome(state):
        return Due()
    if not state.is_dealt:
        return Due(dealer=True)
    if state.is_open:
        return Due(prompts=(Prompt(HOST, ("judge",), "judging", "judging"),))
    missing = (seat for seat in range(state.seats) if state.words[seat] is None)
    return Due(
        prompts=tuple(Prompt(seat, ("hand_in",), "writing", "writing") for seat in missing),
        amendable=(Prompt(HOST, ("close",), "writing", "writing"),),
    )


def decide(state: State, seat: Any, command: Any, chance: Chance) -> Iterable[Event]:
    match command:
        case HandIn(word=word):
            yield HandedIn(seat, word)
            words = _with(state, seat, word)
            if None not in words:
                yield _opened(words)
        case Close():
            yield _opened(state.words)
        case Judge(winner=winner):
            if winner not in range(state.seats):
                raise Illegal("illegal_move", "The winner is one of the seats.")
            yield Judged(winner)


def _opened(words: Sequence[str | None]) -> Opened:
    return Opened(tuple(word or "" for word in words))


def expire(state: State, seat: Any, chance: Chance) -> Iterable[Event]:
    if seat is HOST:
        return (Judged(chance.choice(SEATS, "winner")),)
    return decide(state, seat, HandIn("nothing"), chance)


def outcome(state: State) -> Outcome | None:
    if state.resigned:
        return two_seat_outcome(1 - state.resigned[0], "resigned", {0: 0, 1: 0})
    return None if state.winner is None else two_seat_outcome(state.winner, "played", {0: 0, 1: 0})


def legal(state: State, seat: Any) -> Iterator[Command]:
    """Yield also a command that names the topic if it is seen, so that a test notices it."""
    if seat is not HOST:
        yield HandIn("plain")
    elif not state.is_open:
        yield Close()
    else:
        yield from (Judge(0), Judge(1))
        if state.topic is not None:
            yield Judge(TOPICS.index(state.topic) + 100)


def sample(state: State, seat: Any, rng: Random) -> Command:
    return rng.choice(list(legal(state, seat)))


def parse(state: State, seat: Any, text: str) -> Command:
    match text.split():
        case ["judge", winner]:
            return Judge(int(winner))
        case ["close"]:
            return Close()
        case ["resign"]:
            return Resign()
    return HandIn(text)


def sentence(event: Event, names: Sequence[str]) -> str:
    match event:
        case TopicDrawn():
            return f"The topic is {event.topic}." if event.topic else "The dealer has a topic."
        case HandedIn(seat=seat, word=word):
            return f"{names[seat]} hands in {word or 'a word'}."
        case Opened(words=words):
            return f"The words are {', '.join(words)}."
        case Judged(winner=winner):
            return f"{names[winner]} wins."
        case HostFlagFallen():
            return "The host has run out of time."
        case Resigned(seat=seat) | FlagFallen(seat=seat):
            return f"{names[seat]} has gone or has no time left."
    raise TypeError(f"{event!r} is no event of this game.")


class Board:
    def draw(self, view: State, **_: Any) -> str:
        return f"<svg><title>{view.words}</title></svg>"

    def parts(self, view: State, **_: Any) -> tuple[Any, ...]:
        return ()

    def tables(self, view: State, **_: Any) -> tuple[Any, ...]:
        return ()

    def headline(self, view: State, **_: Any) -> str:
        return "Words"

    def score(self, view: State, outcome: Outcome) -> str:
        return ""

    def finale(self, view: State, **_: Any) -> None:
        return None


def clocks_of(options: Options) -> dict[str, ClockSpec]:
    return {
        "writing": ClockSpec(60, 0, 1, "The house hands in a word."),
        "judging": ClockSpec(options.judging, 0, 1, "Chance names the winner."),
    }


GAME = Game(
    slug="judged",
    title="Judged",
    seats=Seats(2, 2),
    Options=Options,
    commands=(HandIn,),
    host_commands=(Judge, Close),
    events=(TopicDrawn, HandedIn, Opened, Judged),
    State=State,
    opening=lambda options, seats, priority: State(seats=seats, priority=priority, options=options),
    decide=decide,
    deal=lambda state, chance: (TopicDrawn(chance.choice(TOPICS, "topic")),),
    expire=expire,
    evolve=evolve,
    due=due,
    legal=legal,
    sample=sample,
    outcome=outcome,
    clocks={"writing": ClockSpec(60, 0, 1, "The house hands in a word.")},
    clocks_of=clocks_of,
    is_sealed=lambda state: state.options.sealed and not state.is_open and outcome(state) is None,
    notation=Notation(parse=parse, form=str, sentence=sentence),
    text_board=lambda state, witness: f"{state.words}",
    board=Board(),  # type: ignore[arg-type]
    bot=sample,
    bound=lambda options, seats: 4,
    folder=Path(__file__).parent,
    draws=(
        Drawn("topic", "choice", "topic_drawn", ("topic",), items=TOPICS),
        Drawn("winner", "choice", "judged", ("winner",), for_seat=True, items=SEATS),
    ),
)
