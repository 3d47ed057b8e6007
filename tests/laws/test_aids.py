"""The guarantees without memory aids: a seat can play, see and read as well as with them."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from games.drawing.themes import LIGHT
from games.kernel import HOST, SPECTATOR, Chance, Table, to_json
from tests.games.every import EVERY
from tests.laws.settings import options_of
from tests.laws.truths import NAMES

LOOKED_AT = 400


def match_of(slug: str, seed: int = 1) -> Iterator[Table]:
    """A match played by the game's bots, as it stands before each command."""
    game, rng = EVERY[slug], Random(seed)
    table = Table(game, options=options_of(game)(rng), seats=game.seats.min, chance=Chance(bytes([seed])))
    while table.outcome is None:
        if table.due.dealer:
            table.settle()
            continue
        yield table
        seat = table.due.prompts[0].seat
        is_host = seat is HOST
        table.act(seat, table.sample(seat, rng) if is_host else game.bot(table.witness(seat), seat, rng))


@pytest.mark.parametrize("slug", EVERY)
def test_forgotten_state_does_not_change_what_a_seat_may_do(slug: str) -> None:
    game = EVERY[slug]
    for table in match_of(slug):
        for seat in range(table.seats):
            view = table.witness(seat)
            forgetful = game.forget(view)
            assert list(islice(game.legal(forgetful, seat), LOOKED_AT)) == list(
                islice(game.legal(view, seat), LOOKED_AT)
            )
            assert game.due(forgetful) == game.due(view)
            assert game.outcome(forgetful) == game.outcome(view)
            assert game.forget(forgetful) == forgetful


@pytest.mark.parametrize("slug", EVERY)
def test_remaining_state_is_rendered(slug: str) -> None:
    game = EVERY[slug]
    for table in islice(match_of(slug), 0, None, 12):
        for witness in (*range(table.seats), SPECTATOR):
            left = game.read_state(to_json(game.forget(table.witness(witness))))
            assert game.text_board(left, witness)
            assert game.board.draw(left, viewer=witness, theme=LIGHT, names=NAMES[: table.seats]).startswith("<svg")
            assert game.board.tables(left, viewer=witness, names=NAMES[: table.seats])


@pytest.mark.parametrize("slug", [slug for slug in EVERY if "memory" in {it.kind for it in EVERY[slug].aids.values()}])
def test_game_with_memory_forgets_something(slug: str) -> None:
    game = EVERY[slug]
    states = (table.witness(seat) for table in match_of(slug) for seat in range(table.seats))
    assert any(game.forget(state) != state for state in states)


@pytest.mark.parametrize("slug", EVERY)
def test_the_levels_hold_one_another(slug: str) -> None:
    game = EVERY[slug]
    assert game.aided("none") == frozenset()
    assert game.aided("none") <= game.aided("memory") <= game.aided("all") == frozenset(game.aids)
