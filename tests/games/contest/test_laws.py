"""The laws of every game over random contents, and the conservation of balances."""

from random import Random

import pytest

from games.contest import GAME
from games.contest.events import BalanceChanged, RoleDealt, SecretBalanceChanged, SecretlyTransferred, Transferred
from games.kernel import Chance, Table
from tests.games.contest.contents import content_of
from tests.laws.runs import check_match

FEW, HUNDREDS = range(6), range(20)


def check(seed: int) -> None:
    """Play a random contest of 2 to 7 players, now and then of 30, and check every law."""
    rng = Random(f"contest {seed}")
    seats = 30 if seed % 100 == 99 else rng.randint(2, 7)
    check_match(GAME, {"content": content_of(rng)}, seats, seed)


@pytest.mark.parametrize("seed", FEW)
def test_random_contest_keeps_the_laws(seed: int) -> None:
    check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("hundred", HUNDREDS)
def test_hundred_random_contests_keep_the_laws(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * (hundred + 1)):
        check(seed)


@pytest.mark.parametrize("seed", range(20))
def test_balances_change_by_recorded_amounts_and_are_never_negative(seed: int) -> None:
    rng = Random(f"balances {seed}")
    table = Table(GAME, {"content": content_of(rng)}, 5, 0, Chance(b"%d" % seed))
    totals = {it.name: 5 * it.start for it in table.options.content.balances}
    while table.outcome is None:
        table.settle()
        if table.outcome is None:
            seat = rng.choice(table.due.prompts).seat
            table.act(seat, table.sample(seat, rng))
            assert all(amount >= 0 for amounts in table.state.balances.values() for amount in amounts)
    for event in table.log:
        match event:
            case BalanceChanged(balance=name, amounts=amounts):
                totals[name] += sum(amounts)
            case SecretBalanceChanged(balance=name, amount=amount):
                totals[name] += amount or 0
            case RoleDealt(role=role):
                gains = next((it.gains for it in table.options.content.roles if it.name == role), {})
                for name, amount in gains.items():
                    totals[name] += amount
            case Transferred() | SecretlyTransferred():
                assert event.amount and event.amount > 0
    assert totals == {name: sum(amounts) for name, amounts in table.state.balances.items()}
