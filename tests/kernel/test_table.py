"""A table is one reducer over many logs."""

import pytest

from games.kernel import HOST, SPECTATOR, Chance, Table, fold
from games.kernel.chance import NoSeed
from tests.kernel.coin import GAME, Bowed, Called, CoinTossed


@pytest.fixture
def table() -> Table:
    """A whole match."""
    table = Table(GAME, options={"stake": 5}, priority=1, chance=Chance(seed=b"coin"))
    table.settle()
    table.act(0, {"type": "call", "side": "tails"})
    table.act(1, {"type": "bow"})
    return table


def test_log_contains_the_secrets_and_the_version_is_its_length(table: Table) -> None:
    coin, called, bowed = table.log
    assert isinstance(coin, CoinTossed) and coin.coin in ("heads", "tails")
    assert (called, bowed) == (Called(0, "tails"), Bowed(1, 1))
    assert table.version == 3


def test_game_without_rounds_has_no_progress(table: Table) -> None:
    assert GAME.progress(table.state) is None


def test_witness_is_the_fold_of_its_redacted_events(table: Table) -> None:
    for witness in (0, 1, SPECTATOR, HOST):
        events = table.events(witness)
        assert fold(GAME, {"stake": 5}, 2, 1, events) == table.witness(witness)
    assert table.witness(HOST) is table.state
    assert (table.witness(0).called, table.witness(1).called) == ("tails", None)
    assert table.witness(0).coin is None


def test_witness_is_equal_whether_computed_early_or_late(table: Table) -> None:
    early = Table(GAME, {"stake": 5}, priority=1, chance=Chance(seed=b"coin"))
    early.settle()
    assert early.witness(1).turn == 0
    early.act(0, {"type": "call", "side": "tails"})
    early.act(1, {"type": "bow"})
    assert early.witness(1) == table.witness(1)


def test_events_hold_none_for_a_secret(table: Table) -> None:
    assert table.events(1, after=1) == [
        {"type": "called", "seat": 0, "side": None},
        {"type": "bowed", "seat": 1, "times": 1},
    ]


def test_replayed_table_is_at_the_end_and_cannot_draw(table: Table) -> None:
    for log in (table.log, table.events(HOST)):
        again = Table.replay(GAME, table.options, 2, 1, log)
        assert (again.log, again.state, again.outcome) == (table.log, table.state, table.outcome)
    with pytest.raises(NoSeed):
        Table.replay(GAME, {}, 2, 0, ()).deal()


def test_the_same_seed_deals_the_same(table: Table) -> None:
    again = Table(GAME, chance=Chance(seed=b"coin"))
    assert again.settle() == table.log[:1]


def test_draws_are_made_at_the_version_they_are_written_at() -> None:
    table = Table(GAME, chance=Chance(seed=b"coin"))
    (tossed,) = table.settle()
    assert tossed == CoinTossed(Chance(seed=b"coin", version=0).choice(("heads", "tails"), "coin"))
