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
    Due,
    Game,
    Illegal,
    Table,
    canonical,
    fold,
    from_json,
    redact,
    secrecy_of,
    to_json,
)
from tests.laws.hostile import hostile_commands, hostile_seat, hostile_texts
from tests.laws.law import law
from tests.laws.settings import setting_of
from tests.laws.truths import NAMES, Step, check_other_truth, perform

KERNEL_CODES = {
    "match_over", "no_such_seat", "unknown_command", "malformed", "dealer_due", "not_your_turn", "not_now",
}  # fmt: skip
LEGAL_AT_MOST = 3000
RESIGN = {"type": "resign"}


def error_codes(game: Game) -> set[str]:
    """The codes that a seat's command may be refused with: the kernel's, and those the game's README lists."""
    section = re.search(r"^#+ *Error codes.*?$(.*?)(?=^#|\Z)", game.readme, re.MULTILINE | re.DOTALL)
    assert section, f"{game.slug}: the README has no section of error codes."
    return KERNEL_CODES | set(re.findall(r"`([a-z_]+)`", section[1]))


@dataclass
class Tally:
    """Counts of a check of the laws: commands played, pairs of truths, and values compared between two truths."""

    commands: int = 0
    pairs: int = 0
    comparisons: int = 0


def check_seed(game: Game, seed: int) -> Tally:
    """The random match with this seed, options and seats drawn from it; raises LawBroken."""
    return check_match(game, *setting_of(game, seed), seed)


def check_match(game: Game, options: dict[str, Any], seats: int, seed: int) -> Tally:
    """Play one random match and hold it against every law; raises LawBroken."""
    rng = Random(seed)
    play = _Match(game, options, seats, rng.randrange(seats), f"match {seed}".encode(), rng)
    while play.table.outcome is None:
        play.check_now()
        play.step()
        play.check_since()
    play.check_now()
    play.check_over()
    return play.tally


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
    tally: Tally = field(default_factory=Tally)

    def __post_init__(self) -> None:
        self.table = self.fresh_table()
        self.codes = error_codes(self.game)
        self.bound = self.game.bound(self.table.options, self.seats)
        self.stops = self.rng.random() < 0.5
        self.folded = self.game.open(self.options, self.seats, self.priority)
        self.folded_to = 0
        with law(6):
            assert from_json(json.loads(canonical(self.table.options)), self.game.Options) == self.table.options

    def fresh_table(self) -> Table:
        return Table(self.game, self.options, self.seats, self.priority, Chance(seed=self.seed))

    @property
    def witnesses(self) -> tuple[Any, ...]:
        return (*range(self.seats), SPECTATOR)

    def step(self) -> None:
        """One thing that can happen at a table, mostly a legal command."""
        before = self.table.due
        with law(3):
            step = self.choose()
            self.steps.append(step)
            self.take(step)
        with law(5):
            assert self.table.version > step.version, f"{step} brought no event."
            assert len(self.steps) <= 4 * self.bound + 1000, "The match doesn't end."
            assert self.commands <= self.bound, f"More than {self.bound} commands."
            self.check_stopped(step, before)

    def check_stopped(self, step: Step, before: Due) -> None:
        """A flag ends the turn it falls in, else it would fall again at once; the seat that is left alone wins."""
        after, outcome = self.table.due.prompt_of(step.seat), self.table.outcome
        if step.what == "flag":
            fallen = before.prompt_of(step.seat)
            assert fallen and (after is None or after.turn != fallen.turn), f"{fallen} stands after its flag."
        if step.command == RESIGN:
            assert step.seat in self.table.state.resigned, "evolve passes over `resigned`."
            left = [seat for seat in range(self.seats) if seat not in self.table.state.resigned]
            if len(left) == 1:
                assert outcome and outcome.winners == tuple(left) and outcome.reason == "resigned", (
                    f"{left} hasn't won."
                )

    def take(self, step: Step) -> None:
        """Let it happen."""
        if step.what == "deal":
            self.table.deal()
        elif step.what == "flag":
            self.table.flag(step.seat)
        else:
            self.table.act(step.seat, step.command)
            self.tally.commands += 1

    def choose(self) -> Step:
        due, version, rng = self.table.due, self.table.version, self.rng
        if self.stops and rng.random() < max(0.004, 0.2 / self.bound):
            return self.resignation(rng)
        if due.dealer:
            return Step(version, "deal")
        if self.stops and rng.random() < max(0.01, 0.5 / self.bound):
            self.commands += 1
            return Step(version, "flag", rng.choice(due.prompts).seat)
        if due.amendable and rng.random() < 0.3:
            seat = rng.choice(due.amendable).seat
            legal = list(islice(self.table.legal(seat), LEGAL_AT_MOST))
            if legal:
                return Step(version, "act", seat, to_json(rng.choice(legal)))
        seat = rng.choice(due.prompts).seat
        command = to_json(self.table.sample(seat, rng))
        assert command["type"] != "resign", "sample resigns."
        self.commands += -1 if command["type"].startswith("withdraw") else 1
        return Step(version, "act", seat, command)

    def resignation(self, rng: Random) -> Step:
        seat = rng.choice([seat for seat in range(self.seats) if seat not in self.table.state.resigned])
        return Step(self.table.version, "act", seat, RESIGN)

    def check_now(self) -> None:
        """The laws of a standing table."""
        with law(7):
            self.check_due()
        with law(8):
            assert self.table.witness(HOST) is self.table.state
        if self.rng.random() < 0.1 or self.table.outcome is not None:
            self.check_closely()
        if self.rng.random() < 0.03 or self.table.outcome is not None:
            with law(4):
                self.check_other_truths()

    def check_other_truths(self) -> None:
        """Law 4 for every witness; where nothing is secret each of them sees the truth."""
        for witness in self.witnesses:
            if not any(secrecy_of(kind).fields for kind in self.game.events):
                assert self.table.witness(witness) == self.table.state
                self.tally.comparisons += 1
                continue
            compared = check_other_truth(self.table, self.steps, witness, self.rng)
            self.tally.pairs += compared > 0
            self.tally.comparisons += compared

    def check_due(self) -> None:
        """Law 7, and that the prompts make sense."""
        due, table = self.table.due, self.table
        for witness in self.witnesses:
            view = table.witness(witness)
            assert self.game.due(view) == due, f"due differs for {witness}"
            assert self.game.outcome(view) == table.outcome, f"outcome differs for {witness}"
        if table.outcome is not None:
            assert due == Due(), "Something is due after the end."
            return
        assert bool(due.prompts) != due.dealer, "Either seats are asked or the dealer is due."
        seats = [prompt.seat for prompt in (*due.prompts, *due.amendable)]
        assert len(set(seats)) == len(seats), f"A seat is asked twice: {seats}."
        assert set(seats) <= set(range(self.seats)) - set(table.state.resigned), f"Who has left is asked: {seats}."
        for prompt in (*due.prompts, *due.amendable):
            commands = set(self.game.command_types) - {"resign"}
            assert prompt.clock in self.game.clocks, f"The game has no clock {prompt.clock!r}."
            assert prompt.turn, f"{prompt} has no turn key."
            assert prompt.commands and set(prompt.commands) <= commands, (
                f"{prompt} asks for what the game doesn't know."
            )

    def check_closely(self) -> None:
        """The dearer laws: legal commands are legal, others change nothing, all values survive JSON."""
        before = canonical(self.table.state)
        for witness in (*self.witnesses, HOST):
            view = self.table.witness(witness)
            with law(6):
                assert self.game.read_state(json.loads(canonical(view))) == view, f"state of {witness}"
            with law(9):
                board = self.game.text_board(view, witness)
                assert max(map(len, board.splitlines())) <= 100, f"too wide for a terminal:\n{board}"
        with law(3):
            for seat in range(self.seats):
                self.check_legal(seat)
            for _ in range(3):
                self.check_hostile()
            assert canonical(self.table.state) == before

    def check_legal(self, seat: int) -> None:
        """Law 3: what `legal`, `sample` and the bot give is accepted, and told in words that read back."""
        legal = list(islice(self.table.legal(seat), LEGAL_AT_MOST))
        if not self.table.due.commands_of(seat):
            assert legal == [], "legal gives commands to a seat that isn't asked"
        assert len({canonical(command) for command in legal}) == len(legal), "legal repeats itself"
        chosen = self.rng.sample(legal, min(6, len(legal)))
        view = self.table.witness(seat)
        if self.table.due.prompt_of(seat):
            chosen += [self.table.sample(seat, self.rng), self.game.bot(view, seat, self.rng)]
        else:
            _refused("no_prompt", lambda: self.table.sample(seat, self.rng))
        listed = {to_json(command)["type"] for command in legal}
        for command in chosen:
            kind = to_json(command)["type"]
            assert kind != "resign", "the players resign by themselves"
            assert kind in listed | self.game.unlisted, f"legal lists no {kind}, and the game doesn't say so"
            step = Step(self.table.version, "act", seat, command)
            assert perform(self.game, self.table.state, step, Chance(b"any", self.table.version)), "It brings no event."
            with law(6):
                assert self.game.read_command(json.loads(canonical(command))) == command
            with law(9):
                notation = self.game.notation
                read = notation.parse(view, seat, notation.form(command))
                assert read == command, f"{notation.form(command)!r} reads as {read}, not {command}."

    def check_hostile(self) -> None:
        """Law 3: a refused command is refused with a known code and changes nothing."""
        turns = [prompt.seat for prompt in self.table.due.prompts]
        typed = to_json(self.table.sample(turns[0], self.rng)) if turns else {"type": "resign"}
        for command in hostile_commands(self.game, typed, self.rng, 4):
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
            with law(9):
                self.check_texts(turns[0], self.game.notation.form(self.game.read_command(typed)))

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
            with law(6):
                encoded = json.loads(canonical(event))
                assert self.game.read_event(encoded) == event
            with law(2):
                self.folded = self.game.evolve(self.folded, self.game.read_event(encoded))
            for witness in (*self.witnesses, HOST):
                with law(8):
                    blanked = redact(event, witness)
                    assert redact(blanked, witness) == blanked and (witness is not HOST or blanked is event)
                with law(6):
                    assert self.game.read_event(to_json(blanked)) == blanked
                with law(9):
                    assert self.game.notation.sentence(blanked, NAMES[: self.seats]), f"no sentence for {blanked}"
        self.folded_to = self.table.version
        with law(2):
            assert self.folded == self.table.state

    def check_over(self) -> None:
        """The laws of a whole match."""
        table = self.table
        with law(3):
            _refused("match_over", lambda: table.act(0, {"type": "resign"}))
            _refused("match_over", lambda: table.flag(0))
            _refused("nothing_due", table.deal)
        with law(5):
            self.check_outcome()
        with law(2):
            for witness in (*self.witnesses, HOST):
                events = table.events(witness)
                assert fold(self.game, self.options, self.seats, self.priority, events) == table.witness(witness)
        with law(1):
            self.check_again()

    def check_outcome(self) -> None:
        """Every seat is ranked once, and the winners come first."""
        outcome = self.table.outcome
        assert outcome is not None
        ranked = sorted(seat for group in outcome.ranking for seat in group)
        assert ranked == list(range(self.seats)), f"Not every seat is ranked once: {outcome}."
        assert outcome.winners and outcome.ranking[0] == outcome.winners, f"The winners don't come first: {outcome}."
        assert sorted(outcome.score) == list(range(self.seats)), f"Not every seat has a score: {outcome}."

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
