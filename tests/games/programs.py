"""Prints what the bots and dealers of a game choose in a match on a known seed; run in processes of its own."""

import json
import sys
from hashlib import sha256

from games import catalogue
from games.kernel import Chance, Table, canonical, to_json

SEED = sha256(b"a match of programs").digest()
MOST = 120
"""So many moves of each match are looked at."""


def choices(slug: str) -> list[str]:
    """The moves of a match in which bot and dealer take turns, a line each."""
    game, chance = catalogue[slug], Chance(SEED)
    table = Table(game, seats=game.seats.min, chance=chance)
    made: list[str] = []
    while table.outcome is None and len(made) < MOST:
        if table.due.dealer:
            table.deal()
            continue
        seat = table.due.prompts[0].seat
        dealer, drawn, known = len(made) % 4 == 3, chance.at(table.version), table.witness(seat)
        command = game.choose(known, seat, drawn.draws(f"bot {seat}"), dealer=dealer)
        read = game.read_state(json.loads(canonical(known)))
        again = game.choose(read, seat, drawn.draws(f"bot {seat}"), dealer=dealer)
        assert command == again, f"{slug} at {table.version}: a view that was read chooses {again}, not {command}"
        made.append(f"{seat} {game.notation.form(command)} {to_json(command)}")
        table.act(seat, command)
    return made


if __name__ == "__main__":
    print(json.dumps({slug: choices(slug) for slug in sys.argv[1:] or sorted(catalogue)}))
