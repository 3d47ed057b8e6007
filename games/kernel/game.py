"""What every game is: the parts that the kernel, the host and the boards call, by one name in every game."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Union

import msgspec

from games.kernel.aids import Aid, Aids, nothing_to_forget
from games.kernel.board import BoardOf
from games.kernel.chance import Chance, Draws
from games.kernel.drawn import Drawn
from games.kernel.due import ClockSpec, Due, Outcome
from games.kernel.generator import Generator
from games.kernel.guide import GuideOf
from games.kernel.illegal import Illegal
from games.kernel.lesson import Lesson
from games.kernel.messages import Command, Event, FlagFallen, Options, Resign, Resigned, Template, type_name
from games.kernel.messages import State as KernelState
from games.kernel.motion import Motion, Step, flag_falls, still
from games.kernel.origin import Origin
from games.kernel.secrecy import secrecy_of
from games.kernel.wire import canonical, from_json, read_strictly
from games.kernel.witnesses import Witness


@dataclass(frozen=True)
class Seats:
    """How many may sit at the table."""

    min: int
    max: int

    def __contains__(self, count: object) -> bool:
        return isinstance(count, int) and self.min <= count <= self.max


@dataclass(frozen=True)
class Notation:
    """A game's short text form, both ways.

    `parse(state, seat, text)` reads a command from that seat's witness, raises Illegal("malformed", ...) with
    examples; `form(command)` writes it; `sentence(event, names)` tells a (redacted) event in English, with the
    seats' names.
    """

    parse: Callable[[Any, int, str], Command]
    form: Callable[[Any], str]
    sentence: Callable[[Any, Sequence[str]], str]


@dataclass(frozen=True)
class Game:
    """One game. The functions are pure: time and chance are handed in. `folder` holds the game's README.

    `bound(options, seats)` is the most commands, replacements and withdrawals not counted, that a match can take.
    `text_board(state, witness)` draws a witness's view in characters, `board` as a picture; `bot(state, seat, rng)`
    picks a command from that seat's witness alone, and nothing but the state, the seat and what it draws decides which:
    no set's order, no clock, no last place of a sum. `bot_version` is raised by a change after which `bot` or `sample`
    would choose otherwise somewhere; the moves of an earlier version can't be computed again. `draws` are all the
    purposes that the rules ask chance for; where one event tells several, in the order of asking. The standalone
    verifier is made from them. `unlisted` are the commands of which `legal` leaves some out, as there are too many
    ways; `templates` tell of each of those, and of each that a long list may be cut at, what a seat's own may hold,
    from what lies open and what that seat holds. `motion` says of each event what is seen to move; `lesson` is a first
    match that teaches, `guide` what the page of its rules shows. `aids` are, by name, what is shown beyond what lies
    open and what a seat holds, and `forget(state)` leaves out of a witness's state what those of the kind `memory`
    show, so that `legal` gives the same as before. `state_version` is raised by whoever changes the state's shape or
    what `evolve` makes of events, so that snapshots made before are folded anew.
    `tools` says in a sentence or two which tools players may use beside the page, as the source has it; empty where
    nothing is said. `unscheduled` is for a game whose set-up takes hours: a sentence on what follows
    where a match with clocks has no agreed time to open at. `origin` names the designers of a game that was published
    before; None for one that is the author's own.
    """

    slug: str
    title: str
    seats: Seats
    Options: type[Any]
    commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]
    State: type[Any]
    opening: Callable[[Any, int, int], Any]
    decide: Callable[[Any, int, Any, Chance], Iterable[Event]]
    deal: Callable[[Any, Chance], Iterable[Event]]
    expire: Callable[[Any, int, Chance], Iterable[Event]]
    evolve: Callable[[Any, Any], Any]
    due: Callable[[Any], Due]
    legal: Callable[[Any, int], Iterator[Command]]
    sample: Callable[[Any, int, Random], Command]
    outcome: Callable[[Any], Outcome | None]
    clocks: Mapping[str, ClockSpec]
    notation: Notation
    text_board: Callable[[Any, Witness], str]
    board: BoardOf
    bot: Callable[[Any, int, Random], Command]
    bound: Callable[[Any, int], int]
    folder: Path
    draws: tuple[Drawn, ...] = ()
    unlisted: frozenset[str] = frozenset()
    templates: Mapping[type[Any], Callable[[Any, int], Template]] = field(default_factory=dict)
    motion: Mapping[type[Event], Motion] = field(default_factory=dict)
    lesson: Lesson | None = None
    aids: Mapping[str, Aid] = field(default_factory=dict)
    forget: Callable[[Any], Any] = nothing_to_forget
    guide: GuideOf | None = None
    bot_version: int = 1
    state_version: int = 1
    tools: str = ""
    unscheduled: str = ""
    origin: Origin | None = None

    def __post_init__(self) -> None:
        for event_class in self.events:
            secrecy_of(event_class)

    @cached_property
    def command_types(self) -> Mapping[str, type[Command]]:
        """Every command a seat may send, `resign` included, by its type's name."""
        kinds: tuple[type[Command], ...] = (*self.commands, Resign)
        return {type_name(kind): kind for kind in kinds}

    @cached_property
    def event_types(self) -> Mapping[str, type[Event]]:
        """Every event that can stand in a log of this game, by its type's name."""
        kinds: tuple[type[Event], ...] = (*self.events, Resigned, FlagFallen)
        return {type_name(kind): kind for kind in kinds}

    @cached_property
    def any_event(self) -> Any:
        """The union of the events, for a decoder."""
        return Union[tuple(self.event_types.values())]  # noqa: UP007

    def template(self, state: Any, seat: int, names: Iterable[str]) -> Template | None:
        """What the command among these names may hold that has too many ways to list; None where none has."""
        made = {type_name(kind): make for kind, make in self.templates.items()}
        return next((made[name](state, seat) for name in names if name in made), None)

    def steps(self, event: Event) -> Sequence[Step]:
        """What is seen to move when this event, as a witness was told it, has happened."""
        if isinstance(event, FlagFallen):
            return flag_falls(event)
        return self.motion.get(type(event), still)(event)

    def aided(self, level: Aids) -> frozenset[str]:
        """The names of the aids that a match at this level has."""
        return frozenset(name for name, aid in self.aids.items() if aid.stands_at(level))

    @property
    def readme(self) -> str:
        """The rules and rulings, as markdown."""
        return (self.folder / "README.md").read_text(encoding="utf-8")

    def read_options(self, options: object) -> Any:
        """Options from a dict (or the object itself); raises Illegal("bad_options")."""
        if isinstance(options, self.Options):
            return options
        return read_strictly(options, self.Options, "bad_options")

    def open(self, options: object, seats: int, priority: int) -> Any:
        """The state before the first event; raises Illegal("bad_options")."""
        checked: Options = self.read_options(options)
        if type(seats) is not int or seats not in self.seats:
            raise Illegal("bad_options", f"{self.title} seats {_span(self.seats)}, not {seats}.")
        if type(priority) is not int or not 0 <= priority < seats:
            raise Illegal("bad_options", f"The priority seat is one of 0 to {seats - 1}, not {priority}.")
        return self.opening(checked, seats, priority)

    def read_command(self, command: object) -> Command:
        """A command from a dict (or the object itself); raises unknown_command or malformed."""
        if isinstance(command, tuple(self.command_types.values())):
            return command  # type: ignore[return-value]
        if not isinstance(command, Mapping) or not isinstance(command.get("type"), str):
            raise Illegal("malformed", "A command is an object with its name in `type`.")
        kind = self.command_types.get(command["type"])
        if kind is None:
            known = ", ".join(sorted(self.command_types))
            raise Illegal("unknown_command", f"{self.title} knows the commands {known}.")
        return read_strictly(dict(command), kind, "malformed")

    def read_event(self, event: object) -> Event:
        """An event from a recorded dict (or the object itself); unknown extra fields are passed over."""
        if isinstance(event, Event):
            return event
        read: Event = from_json(event, self.any_event)
        return read

    def choose(self, known: KernelState, seat: int, draws: Draws, *, dealer: bool = False) -> Command:
        """What the house plays for a seat that knows this state: the bot's move, or with `dealer` any one.

        The same state, seat and draws give the same move in every process.
        """
        # Two processes may have put equal mappings together in another order, by events or from a snapshot.
        same = self.read_state(msgspec.json.decode(canonical(known)))
        return (self.sample if dealer else self.bot)(same, seat, Generator(draws))

    def read_state(self, data: object) -> KernelState:
        """A state from its recorded JSON."""
        read: KernelState = from_json(data, self.State)
        return read


def _span(seats: Seats) -> str:
    return f"{seats.min}" if seats.min == seats.max else f"{seats.min} to {seats.max}"


def json_schema(kind: type[Any]) -> dict[str, Any]:
    """The JSON schema of a command, event or options class."""
    return msgspec.json.schema(kind)
