"""A match in memory, without a database: for tests, bots, simulation and offline verification."""

from collections.abc import Iterable, Iterator
from functools import reduce
from random import Random
from typing import Any, TypeVar

from games.kernel import judge
from games.kernel.chance import Chance
from games.kernel.due import Due, Outcome
from games.kernel.game import Game
from games.kernel.illegal import Illegal
from games.kernel.judge import Batch
from games.kernel.messages import Command, Event
from games.kernel.sealing import Parts, read_part
from games.kernel.secrecy import redact
from games.kernel.texts import texts_in, with_texts
from games.kernel.wire import to_json
from games.kernel.witnesses import HOST, SPECTATOR, Witness

T = TypeVar("T")


class Table:
    """A match in memory. `act`, `deal`, `settle`, `flag` and `record` change it; a refusal changes nothing."""

    def __init__(
        self,
        game: Game,
        options: object = None,
        seats: int = 2,
        priority: int = 0,
        chance: Chance | None = None,
    ) -> None:
        self.game = game
        self.seats = seats
        self.priority = priority
        chance = chance or Chance(seed=None)
        self.options, parts = game.seal(game.read_options({} if options is None else options), chance)
        self._chance = chance.keeping({**chance.parts, **parts})
        self._opening = game.open(self.options, seats, priority)
        self._log: list[Event] = []
        self._states: dict[Witness, tuple[int, Any]] = {HOST: (0, self._opening)}
        self._due: tuple[int, Due] | None = None

    @classmethod
    def replay(cls, game: Game, options: object, seats: int, priority: int, events: Iterable[object]) -> "Table":
        """Return a table at the end of a recorded log; it can't draw."""
        table = cls(game, options, seats, priority)
        for event in events:
            table.record(event)
        return table

    def record(self, event: object) -> None:
        """Append a recorded event (an object or a dict) without checking it."""
        self._record((self.game.read_event(event),))

    @property
    def log(self) -> Batch:
        """The events from the first on, with all secrets."""
        return tuple(self._log)

    @property
    def parts(self) -> Parts:
        """The sealed parts of the options and the texts, kept beside the seed."""
        return self._chance.parts

    @property
    def version(self) -> int:
        """The number of events in the log."""
        return len(self._log)

    @property
    def state(self) -> Any:
        """The current state with all secrets."""
        return self._states[HOST][1]

    @property
    def due(self) -> Due:
        """The seats that must act, or the dealer's duty; empty once there is an outcome."""
        if self._due is None or self._due[0] != self.version:
            self._due = self.version, self.game.due(self.state)
        return self._due[1]

    @property
    def outcome(self) -> Outcome | None:
        """The result of the match, or None while it runs."""
        return self.game.outcome(self.state)

    def act(self, seat: Witness, command: object) -> Batch:
        """Execute a command (a dict or a Command) of a seat or of HOST and return its events; raise Illegal."""
        chance = self._chance_now()
        return self._keep(judge.act(self.game, self.state, seat, command, chance), chance)

    def deal(self) -> Batch:
        """Perform the dealer's due duty and return its events; raise Illegal("nothing_due")."""
        chance = self._chance_now()
        return self._keep(judge.deal(self.game, self.state, chance), chance)

    def settle(self) -> Batch:
        """Call `deal` until no duty is due; return the events."""
        since = self.version
        while self.due.dealer:
            self.deal()
        return tuple(self._log[since:])

    def flag(self, seat: Witness) -> Batch:
        """Apply the end of the seat's or HOST's time and return the events; raise Illegal("no_prompt")."""
        chance = self._chance_now()
        return self._keep(judge.flag(self.game, self.state, seat, chance), chance)

    def legal(self, seat: Witness) -> Iterator[Command]:
        """Iterate over a seat's legal commands, computed from its witness state; HOST's, from the spectators' one."""
        witnessed = self._view_of(seat)
        if not self.game.due(witnessed).commands_of(seat):
            return iter(())
        return iter(self.game.legal(witnessed, seat))

    def sample(self, seat: Witness, rng: Random) -> Command:
        """Return one random legal command; raise Illegal("no_prompt") if the seat or HOST has nothing to decide."""
        witnessed = self._view_of(seat)
        if self.game.due(witnessed).prompt_of(seat) is None:
            whose = f"Seat {seat}" if isinstance(seat, int) else "The host"
            raise Illegal("no_prompt", f"{whose} has nothing to decide.")
        return self.game.sample(witnessed, seat, rng)

    def _view_of(self, seat: Witness) -> Any:
        return self.witness(SPECTATOR if seat is HOST else seat)

    def witness(self, witness: Witness) -> Any:
        """Return the state folded from the log as redacted for this witness."""
        version, state = self._states.get(witness, (0, self._opening))
        if version < self.version:
            redacted = (redact(event, witness) for event in self._log[version:])
            state = reduce(self.game.evolve, redacted, state)
            self._states[witness] = (self.version, state)
        return state

    def events(self, witness: Witness, after: int = 0) -> list[dict[str, Any]]:
        """Return the log as redacted for this witness, as JSON-ready dicts, from version `after` + 1 on."""
        return [to_json(redact(event, witness)) for event in self._log[after:]]

    def readable(self, value: T) -> T:
        """Return a state or an event with the texts that it names; only for display."""
        named = (commitment for _, commitment in texts_in(value))
        return with_texts(value, {it: read_part(it, self._chance).value for it in named})

    def _chance_now(self) -> Chance:
        return self._chance.at(self.version)

    def _keep(self, events: Batch, chance: Chance) -> Batch:
        """Record the events of an act, and keep its texts."""
        if chance.kept:
            self._chance = self._chance.keeping({**self.parts, **chance.kept})
        return self._record(events)

    def _record(self, events: Batch) -> Batch:
        state = reduce(self.game.evolve, events, self.state)
        self._log.extend(events)
        self._states[HOST] = (self.version, state)
        return events
