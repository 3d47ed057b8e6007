"""The end of a match as a scene: whatever a game shows of it is a whole picture, and its score is told in words."""

import re
from functools import cache
from random import Random
from xml.etree.ElementTree import fromstring

import pytest

from games.drawing.themes import DARK, HOUSE
from games.kernel import SPECTATOR, Chance, Outcome, Table
from tests.games.every import EVERY
from tests.laws.settings import setting_of

NAMES = ("Ada", '<b>&"', "Cleo", "Dan", "Eve")


@cache
def played_out(slug: str, seed: int) -> tuple[Table, Outcome]:
    """A random match to its end."""
    game = EVERY[slug]
    options, seats = setting_of(game, seed)
    rng = Random(seed)
    table = Table(game, options, seats, priority=seed % seats, chance=Chance(seed=b"%d" % seed))
    while table.outcome is None:
        if table.due.dealer:
            table.deal()
        else:
            seat = rng.choice(table.due.prompts).seat
            table.act(seat, table.sample(seat, rng))
    return table, table.outcome


@pytest.mark.parametrize("slug", EVERY)
def test_every_end_is_rendered_for_every_witness(slug: str) -> None:
    table, outcome = played_out(slug, 1)
    for witness in (*range(table.seats), SPECTATOR):
        view, names = table.witness(witness), NAMES[: table.seats]
        drawn = table.game.board.finale(view, viewer=witness, theme=HOUSE, names=names)
        markup = drawn or table.game.board.parts(view, viewer=witness, theme=DARK, names=names)[0].drawn
        root = fromstring(markup)  # noqa: S314
        assert root.tag.endswith("svg") and root.attrib["aria-label"]
        assert re.fullmatch(r"[a-z0-9,+\- ]*", table.game.board.score(view, outcome))


def test_resignation_has_no_comparison_to_show() -> None:
    game = EVERY["pyramid_poker"]
    table = Table(game, {}, 2, priority=0, chance=Chance(seed=b"0"))
    table.act(0, {"type": "resign"})
    assert game.board.finale(table.state, viewer=0, theme=HOUSE, names=NAMES[:2]) is None


def test_points_are_worded_generically_for_a_game_without_words() -> None:
    board = EVERY["sealed_bids"].board
    for ranking, score, text in (
        (((1,), (0,)), {0: 9, 1: 12}, "12 to 9"),
        (((0,), (1,)), {0: 9, 1: 9}, ""),
        (((2,), (0, 1)), {0: 3, 1: 4, 2: 1200}, "with 1,200 points"),
        (((2,), (0, 1)), {0: 0, 1: 0, 2: 1}, "with 1 point"),
    ):
        assert board.score(None, Outcome(ranking[0], ranking, "played", score)) == text
