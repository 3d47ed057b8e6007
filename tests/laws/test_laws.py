"""The laws of a game, over every game, with random matches; `bin/bench laws` plays thousands."""

import time
from collections.abc import Sequence
from itertools import count, islice
from random import Random
from typing import Any

import pytest

from games.kernel import Game, Illegal, Table, secrecy_of, to_json
from tests.cases import some_slow
from tests.games.every import EVERY
from tests.laws.hostile import LONG_TEXTS
from tests.laws.resampling import resampler_of
from tests.laws.runs import check_match, check_seed
from tests.laws.settings import options_of

MATCHES = 3


def seat_counts(game: Game) -> Sequence[int]:
    """Return the numbers of seats that are tried: all, or some of many."""
    every = range(game.seats.min, game.seats.max + 1)
    return every if len(every) < 5 else (game.seats.min, game.seats.min + 1, 7, game.seats.max)


@pytest.mark.parametrize("slug", EVERY)
def test_every_game_declares_options_for_the_laws(slug: str) -> None:
    options = options_of(EVERY[slug])(Random(0))
    assert EVERY[slug].read_options(options)


@pytest.mark.parametrize("slug", EVERY)
def test_every_game_with_secrets_can_resample_them(slug: str) -> None:
    assert resampler_of(EVERY[slug])


@pytest.mark.parametrize(
    ("slug", "seats"),
    [(slug, n) for slug, game in EVERY.items() for n in seat_counts(game)],
)
def test_random_matches_keep_the_laws(slug: str, seats: int) -> None:
    game = EVERY[slug]
    for seed in islice(count(seats - game.seats.min, game.seats.max - game.seats.min + 1), MATCHES):
        check_seed(game, seed)


@pytest.mark.parametrize("slug", some_slow(EVERY, always=("pyramid_poker", "pentagram", "peeling_the_banana")))
def test_the_first_matches_at_default_options_keep_the_laws(slug: str) -> None:
    for seed in range(2):
        check_match(EVERY[slug], {}, EVERY[slug].seats.min, seed)


@pytest.mark.parametrize("slug", EVERY)
@pytest.mark.parametrize("text", LONG_TEXTS, ids=range(len(LONG_TEXTS)))
def test_a_long_text_is_refused_in_no_time(slug: str, text: str) -> None:
    table = Table(EVERY[slug], seats=EVERY[slug].seats.min)
    # Of this thread's work, which no neighbour makes longer; what grows with the square of the text takes seconds.
    begun = time.thread_time()
    with pytest.raises(Illegal):
        table.game.notation.parse(table.witness(0), 0, text)
    assert time.thread_time() - begun < 0.5


@pytest.mark.parametrize("slug", EVERY)
def test_a_table_for_too_many_is_refused(slug: str) -> None:
    game = EVERY[slug]
    for seats, priority in ((game.seats.max + 1, 0), (0, 0), (True, 0), (game.seats.min, -1), (game.seats.min, 99)):
        with pytest.raises(Illegal) as refusal:
            Table(game, seats=seats, priority=priority)
        assert refusal.value.code == "bad_options"


@pytest.mark.parametrize("slug", EVERY)
@pytest.mark.parametrize("options", [[], "", 7, {"no such option": 1}, {1: 2}])
def test_invalid_options_are_refused(slug: str, options: Any) -> None:
    with pytest.raises(Illegal) as refusal:
        Table(EVERY[slug], options=options, seats=EVERY[slug].seats.min)
    assert refusal.value.code == "bad_options"


@pytest.mark.parametrize("slug", EVERY)
@pytest.mark.parametrize("number", [10**999, "9" * 999, -(10**999), "-" + "9" * 999], ids=range(4))
def test_options_refuse_numbers_beyond_all_bounds(slug: str, number: int | str) -> None:
    game = EVERY[slug]
    for name in to_json(game.read_options({})):
        with pytest.raises(Illegal) as refusal:
            game.read_options({name: number})
        assert refusal.value.code == "bad_options"


@pytest.mark.parametrize("slug", EVERY)
def test_secret_fields_name_a_seat_or_the_host(slug: str) -> None:
    for kind in EVERY[slug].events:
        secrecy = secrecy_of(kind)
        assert bool(secrecy.fields) == (secrecy.audience is not None)
