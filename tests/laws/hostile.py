"""Commands that no friend would send: fields missing, of the wrong type, or for the wrong seat."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from games.kernel import Game

SEATS: tuple[object, ...] = (-1, 99, 2**70, True, False, None, "0", 0.0, "spectator")
VALUES: tuple[object, ...] = (
    None, True, False, -1, 0, 1, 4, 99, 2**70, -(2**70), 1.5, float("nan"), "", "A", "Z9", "A1", "resign", "1",
    "\ud800", "\0", "x" * 5000, b"A1", (), [], [[]], [1, 2], ["A1", "A1"], [None], {}, {"": None}, {1: 2},
    {"row": 1, "col": "b"}, {"row": -1, "col": 99, "rotation": 45, "flip": 0}, object(),
)  # fmt: skip
NO_COMMANDS: tuple[object, ...] = (
    None, 0, "", "resign", [], (), {}, {"type": None}, {"type": 7}, {"type": []}, {"type": ""}, {"type": "TYPE"},
    {"type": "resign", "seat": 1}, {"type": "deal"}, {"type": "flag_fallen", "seat": 0, "clock": "turn"}, {1: 2},
    {"type": "resign", 1: 2},
)  # fmt: skip

TEXTS = (
    "", " ", "\t", "{}", "null", "resign now", "-1", "0", "²", "٣", "\ud800", "\0", "ſ1", "place", "A1 A1 A1", "A", ",",
    ">", "9" * 5000, "A" * 5000,
)  # fmt: skip

LONG_TEXTS = (
    " " * 20_000, " " * 20_000 + "!", "place" + " " * 20_000 + "!", "a " * 10_000 + "!", "A>" * 10_000, "a," * 10_000,
    "1" * 20_000, "assign A straight" + " a1" * 6_000 + " !",
)  # fmt: skip
"""Ten times as long as the doors let in."""


def hostile_commands(game: Game, command: Mapping[str, Any], rng: Random, count: int) -> Iterator[object]:
    """Commands spoilt from one that is legal; now and then one of them is legal still."""
    fields = sorted({field for kind in game.commands for field in kind.__struct_encode_fields__})
    for _ in range(count):
        match rng.randrange(5):
            case 0:
                yield rng.choice(NO_COMMANDS)
            case 1:
                yield {name: value for name, value in command.items() if rng.random() < 0.7}
            case 2:
                yield {**command, rng.choice([*fields, "seat", "extra", ""]): rng.choice(VALUES)}
            case 3:
                names = rng.sample(fields, rng.randint(0, len(fields)))
                kind = rng.choice(sorted(game.command_types))
                yield {"type": kind, **{name: rng.choice(VALUES) for name in names}}
            case _:
                yield {**command, "type": rng.choice(sorted(game.command_types))}


def hostile_texts(text: str, rng: Random, count: int) -> Iterator[str]:
    """Texts that nobody should type, and slips of one that reads well."""
    for _ in range(count):
        at = rng.randrange(len(text) + 1)
        yield rng.choice((*TEXTS, text[:at], text[:at] + text[at + 1 :], text[:at] + rng.choice(TEXTS) + text[at:]))


def hostile_seat(seats: int, rng: Random) -> Any:
    """A seat that is at the table or isn't one at all."""
    return rng.choice((*range(seats), *SEATS))
