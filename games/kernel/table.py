"""A whole match without a database: for tests, bots, simulation and offline verification."""

from collections.abc import Iterable, Iterator
from functools import reduce
from random import Random
from typing import Any

from games.kernel import judge
from games.kernel.chance import Chance
from games.kernel.due import Due, Outcome
from games.kernel.game import Game
from games.kernel.illegal import Illegal
from games.kernel.judge import Batch
from games.kernel.messages import Command, Event
from games.kernel.secrecy import redact
from games.kernel.wire import to_json
from games.kernel.witnesses import HOST, Witness


class Table:
    """A match in memory. Only `act`, `deal`, `settle` and `flag` change it, and a refusal never does."""

    def __init__(
        self,
        game: Game,
        options: object = None,
        seats: int = 2,
        priority: int = 0,
        chance: Chance | None = None,
    ) -> None:
        self.game = game
        self.options = game.read_options({} if options is None else options)
        self.seats = seats
        self.priority = priority
        self._chance = chance or Chance(seed=None)
        self._opening = game.open(self.options, seats, priority)
        self._log: list[Event] = []
        self._states: dict[Witness, tuple[int, Any]] = {HOST: (0, self._opening)}
        self._due: tuple[int, Due] | None = None

    @classmethod
    def replay(cls, game: Game, options: object, seats: int, priority: int, events: Iterable[object]) -> "Table":
        """A table that stands at the end of a recorded log; it can't draw."""
        table = cls(game, options, seats, priority)
        for event in events:
            table.record(event)
        return table

    def record(self, event: object) -> None:
        """An event that is known to have happened (an object, or a recorded dict)."""
        self._record((self.game.read_event(event),))

    @property
    def log(self) -> Batch:
        """The truth, from the first event on."""
        return tuple(self._log)

    @property
    def version(self) -> int:
        """How many events have happened."""
        return len(self._log)

    @property
    def state(self) -> Any:
        """The truth as it stands."""
        return self._states[HOST][1]

    @property
    def due(self) -> Due:
        """Who must act, or that the dealer must; empty once there is an outcome."""
        if self._due is None or self._due[0] != self.version:
            self._due = self.version, self.game.due(self.state)
        return self._due[1]

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended, or None while it runs."""
        return self.game.outcome(self.state)

    def act(self, seat: int, command: object) -> Batch:
        """A seat's command, as a dict or a Command; raises Illegal and then nothing has changed."""
        return self._record(judge.act(self.game, self.state, seat, command, self._chance_now()))

    def deal(self) -> Batch:
        """Perform the dealer's duty that is due; raises Illegal("nothing_due")."""
        return self._record(judge.deal(self.game, self.state, self._chance_now()))

    def settle(self) -> Batch:
        """Deal until no duty is due."""
        since = self.version
        while self.due.dealer:
            self.deal()
        return tuple(self._log[since:])

    def flag(self, seat: int) -> Batch:
        """The seat's time ran out; raises Illegal("no_prompt")."""
        return self._record(judge.flag(self.game, self.state, seat, self._chance_now()))

    def legal(self, seat: int) -> Iterator[Command]:
        """The legal commands of a seat, worked out from what that seat knows."""
        known = self.witness(seat)
        if not self.game.due(known).commands_of(seat):
            return iter(())
        return iter(self.game.legal(known, seat))

    def sample(self, seat: int, rng: Random) -> Command:
        """One random legal command; raises Illegal("no_prompt") for a seat that has nothing to decide."""
        known = self.witness(seat)
        if self.game.due(known).prompt_of(seat) is None:
            raise Illegal("no_prompt", f"Seat {seat} has nothing to decide.")
        return self.game.sample(known, seat, rng)

    def witness(self, witness: Witness) -> Any:
        """The state as this witness knows it: the reducer over the log as that witness was told it."""
        version, state = self._states.get(witness, (0, self._opening))
        if version < self.version:
            told = (redact(event, witness) for event in self._log[version:])
            state = reduce(self.game.evolve, told, state)
            self._states[witness] = (self.version, state)
        return state

    def events(self, witness: Witness, after: int = 0) -> list[dict[str, Any]]:
        """The log as this witness was told it, as JSON-ready dicts, from version `after` + 1 on."""
        return [to_json(redact(event, witness)) for event in self._log[after:]]

    def _chance_now(self) -> Chance:
        return self._chance.at(self.version)

    def _record(self, events: Batch) -> Batch:
        state = reduce(self.game.evolve, events, self.state)
        self._log.extend(events)
        self._states[HOST] = (self.version, state)
        return events
