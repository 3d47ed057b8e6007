"""Random matches with flags, resignations and hostile commands, held against the laws at every step."""

import json
import re
from dataclasses import dataclass, field
from functools import reduce
from itertools import islice
from random import Random
from typing import Any

from games.kernel import (
    HOST,
    SPECTATOR,
    Chance,
    Command,
    Game,
    Illegal,
    Table,
    canonical,
    fold,
    from_json,
    redact,
    to_json,
)
from tests.laws.hostile import hostile_commands, hostile_seat, hostile_texts
from tests.laws.truths import NAMES, Step, check_other_truth, perform

KERNEL_CODES = {
    "match_over", "no_such_seat", "unknown_command", "malformed", "dealer_due", "not_your_turn", "not_now",
}  # fmt: skip
LEGAL_AT_MOST = 3000


def error_codes(game: Game) -> set[str]:
    """The codes that a seat's command may be refused with: the kernel's, and those the game's README lists."""
    section = re.search(r"^#+ *Error codes.*?$(.*?)(?=^#|\Z)", game.readme, re.MULTILINE | re.DOTALL)
    assert section, f"{game.slug}: the README has no section of error codes."
    return KERNEL_CODES | set(re.findall(r"`([a-z_]+)`", section[1]))


def check_match(game: Game, options: dict[str, Any], seats: int, seed: int) -> None:
    """Play one random match and hold it against every law; raises AssertionError."""
    rng = Random(seed)
    play = _Match(game, options, seats, rng.randrange(seats), f"match {seed}".encode(), rng)
    while play.table.outcome is None:
        play.check_now()
        play.step()
        play.check_since()
    play.check_now()
    play.check_over()


@dataclass
class _Match:
    game: Game
    options: dict[str, Any]
    seats: int
    priority: int
    seed: bytes
    rng: Random
    steps: list[Step] = field(default_factory=list)
    commands: int = 0

    def __post_init__(self) -> None:
        self.table = self.fresh_table()
        self.codes = error_codes(self.game)
        self.bound = self.game.bound(self.table.options, self.seats)
        self.stops = self.rng.random() < 0.5
        self.folded = self.game.open(self.options, self.seats, self.priority)
        self.folded_to = 0
        assert from_json(json.loads(canonical(self.table.options)), self.game.Options) == self.table.options

    def fresh_table(self) -> Table:
        return Table(self.game, self.options, self.seats, self.priority, Chance(seed=self.seed))

    @property
    def witnesses(self) -> tuple[Any, ...]:
        return (*range(self.seats), SPECTATOR)

    def step(self) -> None:
        """One thing that can happen at a table, mostly a legal command."""
        step = self.choose()
        self.steps.append(step)
        if step.what == "deal":
            self.table.deal()
        elif step.what == "flag":
            self.table.flag(step.seat)
        else:
            self.table.act(step.seat, step.command)
        assert self.table.version > step.version, f"{step} brought no event."
        assert len(self.steps) <= 4 * self.bound + 1000, "The match doesn't end."
        assert self.commands <= self.bound, f"More than {self.bound} commands."  # law 5

    def choose(self) -> Step:
        due, version, rng = self.table.due, self.table.version, self.rng
        if self.stops and rng.random() < 0.004:
            return self.resignation(rng)
        if due.dealer:
            return Step(version, "deal")
        if self.stops and rng.random() < 0.01:
            self.commands += 1
            return Step(version, "flag", rng.choice(due.prompts).seat)
        if due.amendable and rng.random() < 0.3:
            seat = rng.choice(due.amendable).seat
            legal = list(islice(self.table.legal(seat), LEGAL_AT_MOST))
            if legal:
                return Step(version, "act", seat, to_json(rng.choice(legal)))
        seat = rng.choice(due.prompts).seat
        command = to_json(self.table.sample(seat, rng))
        assert command["type"] != "resign"
        self.commands += -1 if command["type"].startswith("withdraw") else 1
        return Step(version, "act", seat, command)

    def resignation(self, rng: Random) -> Step:
        seat = rng.choice([seat for seat in range(self.seats) if seat not in self.table.state.resigned])
        return Step(self.table.version, "act", seat, {"type": "resign"})

    def check_now(self) -> None:
        """The laws of a standing table."""
        self.check_due()
        for witness in self.witnesses:
            known = self.table.witness(witness)
            assert self.game.due(known) == self.table.due, f"due differs for {witness}"
            assert self.game.outcome(known) == self.table.outcome, f"outcome differs for {witness}"
        assert self.table.witness(HOST) is self.table.state  # law 8
        if self.rng.random() < 0.1 or self.table.outcome is not None:
            self.check_closely()
        if self.rng.random() < 0.03 or self.table.outcome is not None:
            for witness in self.witnesses:
                check_other_truth(self.table, self.steps, witness, self.rng)  # law 4

    def check_due(self) -> None:
        """Law 7, and that the prompts make sense."""
        due, table = self.table.due, self.table
        if table.outcome is not None:
            assert due == type(due)(), "Something is due after the end."
            return
        assert bool(due.prompts) != due.dealer, "Either seats are asked or the dealer is due."
        asked = [prompt.seat for prompt in (*due.prompts, *due.amendable)]
        assert len(set(asked)) == len(asked) and set(asked) <= set(range(self.seats)) - set(table.state.resigned)
        for prompt in (*due.prompts, *due.amendable):
            assert prompt.clock in self.game.clocks and prompt.turn
            assert prompt.commands and set(prompt.commands) <= set(self.game.command_types) - {"resign"}

    def check_closely(self) -> None:
        """The dearer laws: legal commands are legal, others change nothing, all values survive JSON."""
        before = canonical(self.table.state)
        for witness in (*self.witnesses, HOST):
            known = self.table.witness(witness)
            assert self.game.read_state(json.loads(canonical(known))) == known, f"state of {witness}"
            board = self.game.text_board(known, witness)
            assert max(map(len, board.splitlines())) <= 100, board
        for seat in range(self.seats):
            self.check_legal(seat)
        for _ in range(3):
            self.check_hostile()
        assert canonical(self.table.state) == before

    def check_legal(self, seat: int) -> None:
        """Law 3: what `legal` and `sample` yield is accepted, and told in words that read back."""
        legal = list(islice(self.table.legal(seat), LEGAL_AT_MOST))
        if not self.table.due.commands_of(seat):
            assert legal == []
        assert len({canonical(command) for command in legal}) == len(legal), "legal repeats itself"
        chosen = self.rng.sample(legal, min(6, len(legal)))
        if self.table.due.prompt_of(seat):
            chosen.append(self.table.sample(seat, self.rng))
        else:
            _refused("no_prompt", lambda: self.table.sample(seat, self.rng))
        for command in chosen:
            assert to_json(command)["type"] != "resign"
            assert self.game.read_command(json.loads(canonical(command))) == command
            step = Step(self.table.version, "act", seat, command)
            assert perform(self.game, self.table.state, step, Chance(b"any", self.table.version))
            known, notation = self.table.witness(seat), self.game.notation
            assert notation.parse(known, seat, notation.form(command)) == command

    def check_hostile(self) -> None:
        """Law 3: a refused command is refused with a known code and changes nothing."""
        turns = [prompt.seat for prompt in self.table.due.prompts]
        known = to_json(self.table.sample(turns[0], self.rng)) if turns else {"type": "resign"}
        for command in hostile_commands(self.game, known, self.rng, 4):
            seat = turns[0] if turns and self.rng.random() < 0.6 else hostile_seat(self.seats, self.rng)
            state, version = self.table.state, self.table.version
            step = Step(version, "act", seat, command)
            try:
                perform(self.game, state, step, Chance(b"any", version))
            except Illegal as refusal:
                assert refusal.code in self.codes, f"{refusal.code} is not in the README; {command!r}"
                assert refusal.message.endswith((".", "?", "!")), refusal.message
                refusal.message.encode()
                _refused(refusal.code, lambda step=step: self.table.act(step.seat, step.command))
            assert self.table.state is state and self.table.version == version
        if turns:
            self.check_texts(turns[0], self.game.notation.form(self.game.read_command(known)))

    def check_texts(self, seat: int, text: str) -> None:
        """Whatever is typed reads as a command of the game or is refused."""
        for typed in hostile_texts(text, self.rng, 8):
            try:
                command = self.game.notation.parse(self.table.witness(seat), seat, typed)
            except Illegal as refusal:
                assert refusal.code in self.codes, f"{refusal.code} is not in the README; {typed!r}"
            else:
                assert isinstance(command, Command), typed

    def check_since(self) -> None:
        """Laws 2, 6 and 8 of the events since the last check."""
        for event in self.table.log[self.folded_to :]:
            told = json.loads(canonical(event))
            assert self.game.read_event(told) == event
            self.folded = self.game.evolve(self.folded, self.game.read_event(told))
            for witness in (*self.witnesses, HOST):
                blanked = redact(event, witness)
                assert redact(blanked, witness) == blanked and (witness is not HOST or blanked is event)
                assert self.game.read_event(to_json(blanked)) == blanked
                assert self.game.notation.sentence(blanked, NAMES[: self.seats])
        self.folded_to = self.table.version
        assert self.folded == self.table.state

    def check_over(self) -> None:
        """The laws of a whole match."""
        table = self.table
        _refused("match_over", lambda: table.act(0, {"type": "resign"}))
        _refused("match_over", lambda: table.flag(0))
        _refused("nothing_due", table.deal)
        self.check_outcome()
        for witness in (*self.witnesses, HOST):
            told = table.events(witness)
            assert fold(self.game, self.options, self.seats, self.priority, told) == table.witness(witness)
        self.check_again()

    def check_outcome(self) -> None:
        """Every seat is ranked once, and the winners come first."""
        outcome = self.table.outcome
        assert outcome is not None
        assert sorted(seat for group in outcome.ranking for seat in group) == list(range(self.seats))
        assert outcome.winners and outcome.ranking[0] == outcome.winners
        assert sorted(outcome.score) == list(range(self.seats))

    def check_again(self) -> None:
        """Law 1: the same seed and commands give the same log, byte for byte."""
        state, log = self.game.open(self.options, self.seats, self.priority), []
        chance = Chance(seed=self.seed)
        for step in self.steps:
            assert len(log) == step.version
            events = perform(self.game, state, step, chance.at(step.version))
            state = reduce(self.game.evolve, events, state)
            log.extend(events)
        assert b"".join(map(canonical, log)) == b"".join(map(canonical, self.table.log))


def _refused(code: str, ask: Any) -> None:
    try:
        ask()
    except Illegal as refusal:
        assert refusal.code == code, f"{refusal.code}, not {code}"
    else:
        raise AssertionError(f"Accepted instead of {code}.")
