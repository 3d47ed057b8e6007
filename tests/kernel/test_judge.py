"""The kernel's refusals, their order, and that they change nothing."""

from random import Random
from typing import Any

import pytest

from games.kernel import Chance, Illegal, Table
from tests.kernel.coin import GAME, Bow, Call, Called, FlagFallen


@pytest.fixture
def table() -> Table:
    """A table where the toss is due."""
    return Table(GAME, chance=Chance(seed=b"coin"))


def refusal(table: Table, seat: Any, command: Any) -> str:
    """The code that a command is refused with; nothing has changed."""
    state, log = table.state, table.log
    with pytest.raises(Illegal) as refused:
        table.act(seat, command)
    assert table.state is state and table.log == log
    return refused.value.code


CALL, BOW, NONSENSE = {"type": "call", "side": "heads"}, {"type": "bow"}, {"type": "juggle"}


def test_match_over_is_refused_first(table: Table) -> None:
    table.act(0, {"type": "resign"})
    assert refusal(table, 99, NONSENSE) == "match_over"


@pytest.mark.parametrize("seat", [2, -1, True, None, "0", 0.0])
def test_no_such_seat_is_refused_before_the_command_is_read(table: Table, seat: Any) -> None:
    assert refusal(table, seat, NONSENSE) == "no_such_seat"


def test_unknown_and_malformed_are_refused_before_dealer_due(table: Table) -> None:
    assert refusal(table, 1, NONSENSE) == "unknown_command"
    assert refusal(table, 1, {"type": "call", "side": "edge"}) == "malformed"
    assert refusal(table, 1, CALL) == "dealer_due"


def test_not_your_turn_is_refused_before_not_now_and_the_games_codes(table: Table) -> None:
    table.settle()
    assert refusal(table, 1, {"type": "bow", "times": 13}) == "not_your_turn"
    assert refusal(table, 1, CALL) == "not_your_turn"
    assert refusal(table, 0, {"type": "bow", "times": 13}) == "not_now"
    table.act(0, CALL)
    assert refusal(table, 1, {"type": "bow", "times": 13}) == "unlucky"


@pytest.mark.parametrize(
    "command",
    [
        None, 7, "call", [], {}, {"type": None}, {"type": ["call"]}, {"type": "call"},
        {"type": "call", "side": "heads", "more": 1}, {"type": "call", "side": None},
        {"type": "call", "side": b"heads"},
        {"type": "call", "side": "\ud800"}, {"type": "call", "\ud800": "heads"}, {"type": "call", 1: 2},
        {"type": "bow", "times": True}, {"type": "bow", "times": "1"}, {"type": "bow", "times": 1.0},
        {"type": "bow", "times": float("nan")}, {"type": "bow", "times": [[[]]]}, {"type": "resign", "why": "bored"},
    ],
)  # fmt: skip
def test_value_that_is_no_command_is_malformed(table: Table, command: Any) -> None:
    assert refusal(table, 0, command) == "malformed"


def test_a_bottomless_command_is_malformed(table: Table) -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    assert refusal(table, 0, {"type": "bow", "times": nested}) == "malformed"


def test_a_seat_may_resign_while_the_dealer_is_due(table: Table) -> None:
    assert table.due.dealer
    (resigned,) = table.act(1, {"type": "resign"})
    assert resigned.seat == 1 and table.outcome is not None and table.outcome.reason == "resigned"


def test_fallen_flag_precedes_its_consequence(table: Table) -> None:
    table.settle()
    assert table.flag(0) == (FlagFallen(seat=0, clock="turn"), Called(0, "heads"))


def test_only_a_prompted_seat_has_a_flag_or_a_sample(table: Table) -> None:
    for ask in (lambda: table.flag(0), lambda: table.sample(0, Random(1))):
        with pytest.raises(Illegal) as refused:
            ask()
        assert refused.value.code == "no_prompt"
    table.settle()
    assert table.sample(0, Random(1)) in (Call("heads"), Call("tails"))
    with pytest.raises(Illegal) as refused:
        table.flag(7)
    assert refused.value.code == "no_such_seat"


def test_legal_is_empty_for_a_seat_without_a_prompt(table: Table) -> None:
    assert list(table.legal(0)) == list(table.legal(1)) == []
    table.settle()
    assert list(table.legal(0)) == [Call("heads"), Call("tails")] and list(table.legal(1)) == []


def test_nothing_is_due_of_the_dealer_twice(table: Table) -> None:
    table.deal()
    with pytest.raises(Illegal) as refused:
        table.deal()
    assert refused.value.code == "nothing_due"
    assert table.settle() == ()


def test_commands_may_be_objects(table: Table) -> None:
    table.settle()
    table.act(0, Call("tails"))
    assert [event.seat for event in table.act(1, Bow(times=2))] == [1]


@pytest.mark.parametrize("options", [{"stake": 0}, {"stake": "1"}, {"steak": 1}, [], "stake", {"\ud800": 1}])
def test_bad_options_are_refused(options: Any) -> None:
    with pytest.raises(Illegal) as refused:
        Table(GAME, options=options)
    assert refused.value.code == "bad_options"
    assert refused.value.message.endswith(".")


@pytest.mark.parametrize(("seats", "priority"), [(1, 0), (3, 0), (2, 2), (2, -1), (True, 0), (2, False), ("2", 0)])
def test_bad_seats_are_bad_options(seats: Any, priority: Any) -> None:
    with pytest.raises(Illegal) as refused:
        Table(GAME, seats=seats, priority=priority)
    assert refused.value.code == "bad_options"
