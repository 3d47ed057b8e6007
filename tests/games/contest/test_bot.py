"""Tests of the bot: what it submits by scheme, and that the rules accept it under every content."""

from random import Random
from typing import Any

import pytest

from games.contest import GAME
from games.contest.bot import bot, lone_weights
from games.contest.commands import Submit
from games.kernel import HOST, Chance, Resign, Table
from tests.games.contest.contents import content_of


def table_of(seats: int = 5, **parts: Any) -> Table:
    table = Table(GAME, {"content": {"title": "x"} | parts}, seats=seats, chance=Chance(seed=b"x"))
    table.settle()
    return table


def round_of(field: dict[str, Any], scheme: dict[str, Any], **parts: Any) -> dict[str, Any]:
    return {"name": "one", "repeat": 9, "fields": [field | {"name": "x"}], "scheme": scheme | {"field": "x"}} | parts


def submit(table: Table, values: list[Any]) -> None:
    """Submit a value of the field x for each seat, and go on to the next round."""
    for seat, value in enumerate(values):
        table.act(seat, Submit(table.state.number, value if isinstance(value, dict) else {"x": value}))
    table.settle()


def choices(table: Table, seat: int, count: int = 40) -> list[Any]:
    """Return what the bot submits for the field x with different draws."""
    commands = [bot(table.witness(seat), seat, Random(number)) for number in range(count)]
    return [command.values["x"] for command in commands if isinstance(command, Submit)]


@pytest.mark.parametrize("number", range(40))
def test_bot_plays_every_content_to_its_end(number: int) -> None:
    rng = Random(number)
    seats = rng.randint(2, 9)
    table = Table(GAME, {"content": content_of(rng)}, seats=seats, chance=Chance(seed=bytes([number])))
    while table.outcome is None:
        if table.due.dealer:
            table.deal()
        elif not table.due.seats:
            table.act(HOST, table.sample(HOST, rng))
        else:
            seat = table.due.seats[0]
            table.act(seat, bot(table.witness(seat), seat, rng))


def test_bot_chooses_by_its_own_draws_alone() -> None:
    table = table_of(rounds=[round_of({"kind": "number", "least": 1, "most": 9}, {"kind": "unique_lowest"})])
    assert choices(table, 0) == choices(table, 0) and len(set(choices(table, 0))) > 2


def test_lone_number_is_rarer_the_higher_it_is() -> None:
    weights = lone_weights(7, 15)
    assert list(weights) == sorted(weights, reverse=True)
    assert weights[0] > 20 * weights[9]


def test_bot_names_less_than_the_last_mean_for_two_thirds_of_it() -> None:
    table = table_of(rounds=[round_of({"kind": "number"}, {"kind": "closest", "percent": 67})])
    first = choices(table, 0)
    submit(table, [20, 20, 20, 20, 20])
    later = choices(table, 0)
    assert sum(first) / len(first) > 20 > sum(later) / len(later) > 5


@pytest.mark.parametrize("kind", ["first_price", "second_price", "all_pay"])
def test_bot_bids_less_than_the_prize_and_what_it_holds(kind: str) -> None:
    balances = [{"name": "gold", "start": 50, "pays": True, "weight": 1}]
    lot = round_of({"kind": "number", "balance": "gold"}, {"kind": kind, "prizes": [20]}, repeat=1)
    bids = choices(table_of(balances=balances, rounds=[lot]), 0)
    assert max(bids) <= 20 and len(set(bids)) > 3


def test_bot_answers_a_partner_as_that_partner_chose_last() -> None:
    payoffs = [
        {"own": own, "other": other, "points": points}
        for own, other, points in (("C", "C", 3), ("C", "D", 0), ("D", "C", 5), ("D", "D", 1))
    ]
    scheme = {"kind": "matrix", "payoffs": payoffs, "pairing": "round_robin"}
    table = table_of(seats=2, rounds=[round_of({"kind": "choice", "options": ["C", "D"]}, scheme)])
    assert choices(table, 0).count("C") > 30
    submit(table, ["C", "D"])
    assert choices(table, 0).count("D") > 30
    submit(table, ["D", "C"])
    assert choices(table, 0).count("C") > 30


def test_bot_names_who_named_it_where_pairs_need_both() -> None:
    scheme = {
        "kind": "matrix",
        "payoffs": [{"own": "a", "other": "b", "points": 2}],
        "pairing": "mutual",
        "partner": "p",
    }
    of_round = round_of({"kind": "choice", "options": ["a", "b"]}, scheme)
    of_round["fields"] = [*of_round["fields"], {"kind": "player", "name": "p"}]
    table = table_of(rounds=[of_round])
    submit(table, [{"x": "a", "p": p} for p in (1, 2, 0, 0, 3)])
    named = [bot(table.witness(0), 0, Random(number)).values["p"] for number in range(20)]  # type: ignore[attr-defined]
    assert set(named) == {2, 3}


def test_bot_of_a_role_that_is_to_keep_gives_less() -> None:
    table = table_of(
        balances=[{"name": "gold", "start": 50, "pays": True}],
        roles=[{"name": "thief", "text": "Keep your gold."}],
        rounds=[round_of({"kind": "number", "most": 10, "balance": "gold"}, {"kind": "public_good"}, reveal="totals")],
    )
    thief = table.state.roles.index("thief")
    honest = choices(table, (thief + 1) % 5)
    assert sum(choices(table, thief)) < 0.7 * sum(honest)


def test_bot_names_who_named_it_and_never_its_companion() -> None:
    table = table_of(
        roles=[{"name": "spy", "count": 2, "acquainted": True}],
        rounds=[round_of({"kind": "player"}, {"kind": "named_most", "points": -1})],
        score={"show": "end"},
    )
    spy, companion = (seat for seat, role in enumerate(table.state.roles) if role == "spy")
    accuser, *rest = (seat for seat in range(5) if seat not in (spy, companion))
    assert set(choices(table, spy)) == {accuser, *rest}
    submit(table, [spy if seat in (accuser, companion) else accuser for seat in range(5)])
    assert set(choices(table, spy)) == {accuser}


def test_bot_splits_most_for_whoever_gave_it_votes() -> None:
    table = table_of(rounds=[round_of({"kind": "split", "budget": 10}, {"kind": "named_most"})], score={"show": "end"})
    assert all(sum(split.values()) == 10 and "0" not in split for split in choices(table, 0))
    submit(table, [{"x": {str(to): 10}} for to in (1, 2, 0, 4, 3)])
    assert all(split["2"] == 6 for split in choices(table, 0))


def test_bot_splits_nothing_for_a_companion_who_has_left() -> None:
    table = table_of(
        roles=[{"name": "spy", "count": 2, "acquainted": True}],
        rounds=[round_of({"kind": "split", "budget": 10}, {"kind": "named_most"})],
        score={"show": "end"},
    )
    spy, companion = (seat for seat, role in enumerate(table.state.roles) if role == "spy")
    assert all(str(companion) in split for split in choices(table, spy))
    table.act(companion, Resign())
    assert all(split and str(companion) not in split for split in choices(table, spy))


def test_bot_lays_its_best_cards_for_their_sum() -> None:
    deck = {"name": "cards", "cards": [f"{number % 9} of cups" for number in range(200)], "hand": 5}
    of_round = round_of({"kind": "cards", "deck": "cards", "least": 2, "most": 2}, {"kind": "sum"})
    table = table_of(decks=[deck], rounds=[of_round])
    hand = sorted(table.witness(0).cards_of(0, "cards"))
    assert set(choices(table, 0)) == {tuple(hand[-2:])}
