"""The interface of a game: the parts that the kernel and the host call, with the same names in every game."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
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
from games.kernel.due import ClockSpec, Due, Outcome, Progress
from games.kernel.generator import Generator
from games.kernel.guide import GuideOf
from games.kernel.illegal import Fault, Illegal
from games.kernel.lesson import Lesson
from games.kernel.messages import (
    Command,
    Event,
    FlagFallen,
    HostFlagFallen,
    Options,
    Resign,
    Resigned,
    Template,
    type_name,
)
from games.kernel.messages import State as KernelState
from games.kernel.motion import Motion, Step, flag_falls, still
from games.kernel.origin import Origin
from games.kernel.sealing import Parts
from games.kernel.secrecy import secrecy_of
from games.kernel.wire import canonical, from_json, read_strictly
from games.kernel.witnesses import HOST, Witness

MOST_SEATS = 30
"""The greatest number of seats of any game: pages and pictures have letters for so many."""


@dataclass(frozen=True)
class Seats:
    """The least and greatest number of seats."""

    min: int
    max: int

    def __post_init__(self) -> None:
        if not 1 <= self.min <= self.max <= MOST_SEATS:
            raise ValueError(f"A match has 1 to {MOST_SEATS} seats.")

    def __contains__(self, count: object) -> bool:
        return isinstance(count, int) and self.min <= count <= self.max


@dataclass(frozen=True)
class Notation:
    """A game's short text form, for reading and writing.

    `parse(state, seat, text)` reads a command, given that seat's witness state (for HOST the spectators'), and raises
    Illegal("malformed", ...) with examples; `form(command)` writes it; `sentence(event, names)` describes a (redacted)
    event in English, with the seats' names.
    """

    parse: Callable[[Any, Any, str], Command]
    form: Callable[[Any], str]
    sentence: Callable[[Any, Sequence[str]], str]


@dataclass(frozen=True)
class NotationWithNames:
    """The notation and the text board of a game in which the position says what a value of a command or event means,
    such as a number or a seat. Players' names stand for seats.

    `contexts(state, events)` returns, for each of consecutive events of which the last leads to `state` without a
    rewind between, what `sentence` needs beside the event. It uses only what is public. `parse` reads seats' numbers
    as well. `examples(state, seat)` yields at most one legal command of each kind that is awaited, made of the first
    values in the order of the form, so that it is no advice.
    """

    contexts: Callable[[Any, Sequence[Event]], Sequence[Hashable]]
    sentence: Callable[[Any, Sequence[str], Any], str]
    parse: Callable[[Any, Any, str, Sequence[str]], Command]
    form: Callable[[Any, Any, Sequence[str]], str]
    text_board: Callable[[Any, Witness, Sequence[str]], str]
    examples: Callable[[Any, int], Iterator[Command]]


def _nothing_to_seal(options: Any, chance: Chance) -> tuple[Any, Parts]:
    return options, {}


def _no_causes(state: Any, seat: Witness, events: Sequence[Event]) -> Iterator[Command]:
    return iter(())


def _no_faults(options: object) -> tuple[Fault, ...]:
    return ()


def _not_sealed(state: Any) -> bool:
    return False


def _no_progress(state: Any) -> None:
    return None


@dataclass(frozen=True)
class Game:
    """One game. All functions are pure; time and chance are arguments.

    - `folder` contains the game's README.
    - `bound(options, seats)` is the greatest number of commands in a match, without replacements and withdrawals.
    - `text_board(state, witness)` draws a witness's view as text, `board` as a picture.
    - `bot(state, seat, rng)` chooses a command from that seat's witness state. The choice depends only on its
      arguments: not on the order of a set, on a clock, or on the last digit of a floating-point sum.
    - `bot_version` must be raised by a change after which `bot` or `sample` chooses another command in any state; the
      moves of an earlier version can't be computed again.
    - `draws` are all purposes for which the rules draw; if one event records several, in the order of drawing. The
      standalone verifier is generated from them.
    - `unlisted` are the commands that `legal` doesn't list completely, as there are too many. `templates` describe
      them, and those at which a long list may be cut, from what is public and what the seat holds.
    - `motion` gives the animation steps of each event.
    - `lesson` is a first match that teaches the game; `guide` is the content of its rules page.
    - `aids` by name: information beyond what is public or held by the seat. `forget(state)` removes from a witness
      state what aids of the kind `memory` show; `legal` is the same for the result.
    - `state_version` must be raised by a change of the state's fields or of `evolve`, so that older snapshots are
      folded again.
    - `tools` says in one or two sentences which tools players may use beside the page; empty if the source doesn't say.
    - `unscheduled` says what happens if a match with clocks has no agreed opening time, for a game whose set-up takes
      hours.
    - `origin` names the designers of a game that was published before; None for the author's own game.
    - `host_commands` are the commands of the host. `decide`, `expire`, `legal` and `sample` then get HOST as the seat;
      `legal` and `sample` with the spectators' witness state.
    - `seal(options, chance)` returns the options as everybody may see them, and the parts that they commit to. It
      returns options that are sealed already unchanged.
    - `is_sealed(state)` is True while the host may see no more than a spectator.
    - `progress(state)` is how far a match with rounds is, and what its seats have beside points; None without rounds.
    - `faults(options)` are all faults of refused options, each with its place, for options that somebody writes.
    - `command_faults(command)` are those of a command that can't be read, given as a dict.
    - `passages` are the names of texts in such options that may have several lines.
    - `clocks_of(options)` are the clocks of a match whose options define clocks of their own.
    - `causes(state, seat, events)` yields commands that may have caused recorded events, if they have fields that no
      event names; the record's verifier tries them.
    - `keeps_texts` says that the log holds commitments to texts (`texts.py`), which the host stores beside it.
    - `titled(options)` is the public title of a match in its recorded options, for a game whose matches have their own.
    - `with_names` is the notation with players' names, for a game whose `notation` and `text_board` can't have them.
      What people read comes from the methods `sentences`, `parse`, `written` and `in_text`, which use it.
    """

    slug: str
    title: str
    seats: Seats
    Options: type[Any]
    commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]
    State: type[Any]
    opening: Callable[[Any, int, int], Any]
    decide: Callable[[Any, Any, Any, Chance], Iterable[Event]]
    deal: Callable[[Any, Chance], Iterable[Event]]
    expire: Callable[[Any, Any, Chance], Iterable[Event]]
    evolve: Callable[[Any, Any], Any]
    due: Callable[[Any], Due]
    legal: Callable[[Any, Any], Iterator[Command]]
    sample: Callable[[Any, Any, Random], Command]
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
    templates: Mapping[type[Any], Callable[[Any, Any], Template]] = field(default_factory=dict)
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
    host_commands: tuple[type[Command], ...] = ()
    seal: Callable[[Any, Chance], tuple[Any, Parts]] = _nothing_to_seal
    is_sealed: Callable[[Any], bool] = _not_sealed
    progress: Callable[[Any], Progress | None] = _no_progress
    clocks_of: Callable[[Any], Mapping[str, ClockSpec]] | None = None
    causes: Callable[[Any, Any, Sequence[Any]], Iterator[Command]] = _no_causes
    keeps_texts: bool = False
    titled: Callable[[Mapping[str, Any]], str] | None = None
    with_names: NotationWithNames | None = None

    faults: Callable[[object], tuple[Fault, ...]] = _no_faults
    command_faults: Callable[[Mapping[str, Any]], tuple[Fault, ...]] = _no_faults
    passages: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for event_class in self.events:
            secrecy_of(event_class)

    @property
    def seals(self) -> bool:
        """True if options of this game can have sealed parts."""
        return self.seal is not _nothing_to_seal

    @cached_property
    def command_types(self) -> Mapping[str, type[Command]]:
        """The classes of all commands of a seat, `resign` included, by type name."""
        kinds: tuple[type[Command], ...] = (*self.commands, Resign)
        return {type_name(kind): kind for kind in kinds}

    @cached_property
    def host_command_types(self) -> Mapping[str, type[Command]]:
        """The classes of all commands of the host by type name."""
        return {type_name(kind): kind for kind in self.host_commands}

    @cached_property
    def event_types(self) -> Mapping[str, type[Event]]:
        """The classes of all events in this game's logs, by type name."""
        kinds: tuple[type[Event], ...] = (*self.events, Resigned, FlagFallen)
        if self.host_commands:
            kinds += (HostFlagFallen,)
        return {type_name(kind): kind for kind in kinds}

    @cached_property
    def any_event(self) -> Any:
        """The union of the events, for a decoder."""
        return Union[tuple(self.event_types.values())]  # noqa: UP007

    def template(self, state: Any, seat: Witness, names: Iterable[str]) -> Template | None:
        """Return the template of the first of these commands that has one, or None."""
        made = {type_name(kind): make for kind, make in self.templates.items()}
        return next((made[name](state, seat) for name in names if name in made), None)

    def steps(self, event: Event) -> Sequence[Step]:
        """Return the animation steps of an event, as redacted for a witness."""
        if isinstance(event, FlagFallen):
            return flag_falls(event)
        return self.motion.get(type(event), still)(event)

    def aided(self, level: Aids) -> frozenset[str]:
        """Return the names of the aids that a match at this level shows."""
        return frozenset(name for name, aid in self.aids.items() if aid.stands_at(level))

    def contexts(self, state: Any, events: Sequence[Event]) -> Sequence[Hashable]:
        """Return what `sentence` needs beside each of consecutive events, the last of which leads to `state`."""
        return self.with_names.contexts(state, events) if self.with_names else (None,) * len(events)

    def sentence(self, event: Event, names: Sequence[str], context: Hashable) -> str:
        """Return the sentence of an event, as redacted for a witness."""
        if self.with_names:
            return self.with_names.sentence(event, names, context)
        return self.notation.sentence(event, names)

    def parse(self, state: Any, seat: Witness, text: str, names: Sequence[str]) -> Command:
        """Parse a command with seats' numbers or names; raise Illegal."""
        if self.with_names:
            return self.with_names.parse(state, seat, text, names)
        return self.notation.parse(state, seat, text)

    def written(self, state: Any, command: Command, names: Sequence[str]) -> str:
        """Return a command of the position as `parse` reads it, with names."""
        return self.with_names.form(state, command, names) if self.with_names else self.notation.form(command)

    def in_text(self, state: Any, witness: Witness, names: Sequence[str]) -> str:
        """Return the text board, with names if the game can have them."""
        return self.with_names.text_board(state, witness, names) if self.with_names else self.text_board(state, witness)

    @property
    def readme(self) -> str:
        """The rules and rulings, as markdown."""
        return (self.folder / "README.md").read_text(encoding="utf-8")

    def read_options(self, options: object) -> Any:
        """Return options from a dict (or the object itself); raise Illegal("bad_options"), with the faults that the
        game lists."""
        if isinstance(options, self.Options):
            return options
        try:
            return read_strictly(options, self.Options, "bad_options")
        except Illegal as illegal:
            raise Illegal(illegal.code, illegal.message, self.faults(options)) from None

    def open(self, options: object, seats: int, priority: int) -> Any:
        """Return the state before the first event; raise Illegal("bad_options")."""
        checked: Options = self.read_options(options)
        if type(seats) is not int or seats not in self.seats:
            raise Illegal("bad_options", f"{self.title} seats {_span(self.seats)}, not {seats}.")
        if type(priority) is not int or not 0 <= priority < seats:
            raise Illegal("bad_options", f"The priority seat is one of 0 to {seats - 1}, not {priority}.")
        return self.opening(checked, seats, priority)

    def refuse_unplayable(self, options: object, seats: int, priority: int) -> None:
        """Raise Illegal("bad_options") if no match can be opened with these options, before they are sealed."""
        sealed, _ = self.seal(self.read_options(options), Chance(bytes(32)))
        self.open(sealed, seats, priority)

    def read_command(self, command: object, seat: Witness = 0) -> Command:
        """Return a command of a seat, or of HOST, from a dict (or the object itself).

        Raise Illegal("unknown_command") or ("malformed").
        """
        types = self.host_command_types if seat is HOST else self.command_types
        if isinstance(command, tuple(types.values())):
            return command  # type: ignore[return-value]
        if not isinstance(command, Mapping) or not isinstance(command.get("type"), str):
            raise Illegal("malformed", "A command is an object with its name in `type`.")
        kind = types.get(command["type"])
        if kind is None:
            whose = " of the host" if seat is HOST else ""
            raise Illegal("unknown_command", f"{self.title} knows the commands{whose} {', '.join(sorted(types))}.")
        try:
            return read_strictly(dict(command), kind, "malformed")
        except Illegal as illegal:
            raise Illegal(illegal.code, illegal.message, self.command_faults(command)) from None

    def read_event(self, event: object) -> Event:
        """Return an event from a recorded dict (or the object itself); ignore unknown fields."""
        if isinstance(event, Event):
            return event
        read: Event = from_json(event, self.any_event)
        return read

    def choose(self, witnessed: KernelState, seat: int, draws: Draws, *, dealer: bool = False) -> Command:
        """Return the command that the house plays for a seat, from that seat's witness state.

        The bot chooses it, or with `dealer` it is a random legal one. The same state, seat and draws give the same
        command in every process.
        """
        # Equal mappings may have another order in another process, after folding events or reading a snapshot.
        ordered = self.read_state(msgspec.json.decode(canonical(witnessed)))
        return (self.sample if dealer else self.bot)(ordered, seat, Generator(draws))

    def read_state(self, data: object) -> KernelState:
        """Return a state from its recorded JSON."""
        read: KernelState = from_json(data, self.State)
        return read


def _span(seats: Seats) -> str:
    return f"{seats.min}" if seats.min == seats.max else f"{seats.min} to {seats.max}"


def json_schema(kind: type[Any]) -> dict[str, Any]:
    """Return the JSON schema of a command, event or options class."""
    return msgspec.json.schema(kind)
