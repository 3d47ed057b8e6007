"""The choices of a game's bots and dealers in a match with a fixed seed.

python -m tests.games.programs               prints them, in a process of its own
python -m tests.games.programs --pin SLUG    pins them in tests/games/SLUG/programs.json
"""

import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from games.kernel import Chance, Table, canonical, to_json
from tests.games.every import EVERY

SEED = sha256(b"a match of programs").digest()
MOST = 120
"""Maximum number of compared moves of each match."""


def choices(slug: str) -> list[str]:
    """The moves of a match in which bot and dealer take turns, a line each."""
    game, chance = EVERY[slug], Chance(SEED)
    table = Table(game, seats=game.seats.min, chance=chance)
    moves: list[str] = []
    while table.outcome is None and len(moves) < MOST:
        if table.due.dealer:
            table.deal()
            continue
        seat = table.due.prompts[0].seat
        dealer, drawn, view = len(moves) % 4 == 3, chance.at(table.version), table.witness(seat)
        command = game.choose(view, seat, drawn.draws(f"bot {seat}"), dealer=dealer)
        read = game.read_state(json.loads(canonical(view)))
        again = game.choose(read, seat, drawn.draws(f"bot {seat}"), dealer=dealer)
        assert command == again, f"{slug} at {table.version}: a view that was read chooses {again}, not {command}"
        moves.append(f"{seat} {game.notation.form(command)} {to_json(command)}")
        table.act(seat, command)
    return moves


def pinned_in(slug: str) -> Path:
    """Return the file that pins the moves of a game."""
    return Path(__file__).with_name(slug) / "programs.json"


def pin_of(slug: str) -> list[Any]:
    """The version of a game's programs, and a hash of what they choose."""
    return [EVERY[slug].bot_version, sha256("\n".join(choices(slug)).encode()).hexdigest()]


if __name__ == "__main__":
    if sys.argv[1:2] == ["--pin"]:
        for name in sys.argv[2:]:
            pinned_in(name).write_text(f"{json.dumps(pin_of(name))}\n", encoding="utf-8")
    else:
        print(json.dumps({slug: choices(slug) for slug in sorted(EVERY)}))
