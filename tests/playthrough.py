"""Golden playthroughs: a match as a text that a person can check, replayed from its script lines.

A `.golden` text begins with a header (`game`, `options` as JSON, `seats`, `priority`, `seed` in hex). Lines that
begin with `>` are the script, lines that begin with `#` are remarks; all else is rendered:

    > 0 place C3        seat 0's command in the game's notation, or as JSON
    > deal              the dealer's duty that is due; `> settle` deals until none is
    > flag 1            seat 1's time runs out
    > board 0           the text board of seat 0, `spectator` or `host`

Each event stands as JSON with its sentence, first as the host sees it, then for the witnesses who are told less.

    python -m tests.playthrough --write tests/games/pyramid_poker/*.golden
    python -m tests.playthrough --record pyramid_poker --seed 00ff --flags > tests/games/pyramid_poker/flags.golden
"""

import argparse
import json
import sys
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from games.kernel import HOST, SPECTATOR, Chance, Event, FlagFallen, Illegal, Table, Witness, redact, to_json
from tests.games.every import EVERY

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")
HEADER = ("game", "options", "seats", "priority", "seed")


@dataclass(frozen=True)
class Script:
    """The source of a golden text."""

    header: dict[str, str]
    lines: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> "Script":
        """The header and the script lines of a golden text; what was rendered is passed over."""
        header: dict[str, str] = {}
        lines: list[str] = []
        for line in text.splitlines():
            name, _, value = line.partition(": ")
            if line.startswith((">", "#")):
                lines.append(line)
            elif name in HEADER and not any(line.startswith(">") for line in lines):
                header[name] = value
        return cls(header, tuple(lines))

    def table(self) -> Table:
        """A fresh table as the header sets it."""
        return Table(
            EVERY[self.header["game"]],
            options=json.loads(self.header["options"]),
            seats=int(self.header["seats"]),
            priority=int(self.header["priority"]),
            chance=Chance(seed=bytes.fromhex(self.header["seed"])),
        )

    def has(self, *commands: str) -> bool:
        """True if the script has a line for each of the commands, such as `flag` or `resign`."""
        return all(any(name in line.split() for line in self.lines if line.startswith(">")) for name in commands)


def performed(script: Script) -> Table:
    """The table once every line has been performed; refused ones change nothing."""
    table = script.table()
    for line in script.lines:
        if line.startswith(">"):
            _performed(table, line[1:].split())
    return table


def render(script: Script) -> str:
    """The whole golden text."""
    table = script.table()
    text = [f"{name}: {script.header[name]}" for name in HEADER]
    for line in script.lines:
        text += [line] if text[-1].startswith("#") else ["", line]
        if line.startswith(">"):
            text += _performed(table, line[1:].split())
    text += ["", *_outcome(table)]
    return "\n".join(text) + "\n"


def _performed(table: Table, words: list[str]) -> Iterable[str]:
    if words[0] == "board":
        return _board(table, words[1])
    try:
        events = _perform(table, words)
    except Illegal as refusal:
        return [f"refused {refusal.code}: {refusal.message}"]
    contexts = table.game.contexts(table.state, events)
    return [line for event, it in zip(events, contexts, strict=True) for line in _told(table, event, it)]


def _perform(table: Table, words: list[str]) -> Sequence[Event]:
    if words[0] == "deal":
        return table.deal()
    if words[0] == "settle":
        return table.settle()
    if words[0] == "flag":
        return table.flag(int(words[1]))
    seat, text = int(words[0]), " ".join(words[1:])
    if text.startswith("{"):
        return table.act(seat, json.loads(text))
    return table.act(seat, table.game.notation.parse(table.witness(seat), seat, text))


def _told(table: Table, event: Event, context: Hashable) -> Iterator[str]:
    whole = tuple(_lines(table, event, context))
    yield from whole
    witnesses_of: dict[tuple[str, ...], list[str]] = {}
    for witness in (*range(table.seats), SPECTATOR):
        witnesses_of.setdefault(tuple(_lines(table, redact(event, witness), context)), []).append(_name(witness))
    for lines, witnesses in witnesses_of.items():
        if lines != whole:
            yield from (f"    {', '.join(witnesses)} | {line}" for line in lines)


def _lines(table: Table, event: Event, context: Hashable) -> Iterator[str]:
    yield json.dumps(to_json(event), ensure_ascii=False)
    yield f"  {table.game.sentence(event, NAMES[: table.seats], context)}"


def _name(witness: Witness) -> str:
    return f"seat {witness}" if isinstance(witness, int) else witness.value


def _board(table: Table, whose: str) -> Iterator[str]:
    witness: Witness = {"spectator": SPECTATOR, "host": HOST}.get(whose) or int(whose)
    for line in table.game.text_board(table.witness(witness), witness).splitlines():
        yield f"    {line}".rstrip()


def _outcome(table: Table) -> Iterator[str]:
    yield f"version: {table.version}"
    yield f"due: {json.dumps(to_json(table.due))}" if table.outcome is None else "due: nothing"
    yield f"outcome: {json.dumps(to_json(table.outcome))}"


def record(header: dict[str, str], player: str, flags: bool) -> Script:
    """A first script: a match of the bots or of random play, with boards at a few moments.

    With `flags`, clocks run out where that doesn't end the match, and a seat resigns in the end.
    """
    lines: list[str] = []
    table = Script(header, ()).table()
    rng = Random(header["seed"])
    resigns_at = min(40, 2 * _length(record(header, player, flags=False)) // 3) if flags else -1
    for number in count():
        if table.outcome is not None:
            break
        if number in (2, 25, 60):
            lines += [f"> board {whose}" for whose in (0, 1, "spectator")]
        line = _interruption(table, number, resigns_at) if flags else None
        lines.append(line or _next_line(table, player, rng))
        _perform(table, lines[-1][1:].split())
    return Script(header, (*lines, "> board host"))


def _length(script: Script) -> int:
    return sum(not line.startswith("> board") for line in script.lines)


def _next_line(table: Table, player: str, rng: Random) -> str:
    if table.due.dealer:
        return "> deal"
    seat = rng.choice([prompt.seat for prompt in table.due.prompts])
    view = table.witness(seat)
    command: Any = table.sample(seat, rng) if player == "random" else table.game.bot(view, seat, rng)
    return f"> {seat} {table.game.notation.form(command)}"


def _interruption(table: Table, number: int, resigns_at: int) -> str | None:
    if number == resigns_at:
        return f"> {next(seat for seat in range(table.seats) if seat not in table.state.resigned)} resign"
    if not table.due.prompts or number not in (0, 1, 4, 31):
        return None
    prompt = table.due.prompts[0]
    fallen = table.game.evolve(table.state, FlagFallen(seat=prompt.seat, clock=prompt.clock))
    return f"> flag {prompt.seat}" if table.game.outcome(fallen) is None else None


def main() -> None:
    """Re-render golden texts in place, or print a first one."""
    ask = argparse.ArgumentParser(description="Golden playthroughs of the games.")
    ask.add_argument("--write", nargs="+", type=Path, metavar="GOLDEN", help="re-render from header and script")
    ask.add_argument("--record", metavar="SLUG", help="print a first playthrough")
    ask.add_argument("--seed", default="00", help="hex")
    ask.add_argument("--options", default="{}", help="JSON")
    ask.add_argument("--seats", default="2")
    ask.add_argument("--priority", default="0")
    ask.add_argument("--play", choices=("bots", "random"), default="bots")
    ask.add_argument("--flags", action="store_true", help="with fallen flags and a resignation")
    arguments = ask.parse_args()
    for path in arguments.write or ():
        path.write_text(render(Script.read(path.read_text(encoding="utf-8"))), encoding="utf-8")
    if arguments.record:
        header = {"game": arguments.record} | {name: getattr(arguments, name) for name in HEADER[1:]}
        sys.stdout.write(render(record(header, arguments.play, arguments.flags)))


if __name__ == "__main__":
    main()
