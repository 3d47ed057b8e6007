"""Tests of prompts that await the host: a judge gives points after both seats have shown their work."""

from collections.abc import Iterator
from dataclasses import replace as replace_game
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from games.kernel import (
    HOST,
    Chance,
    Command,
    Due,
    Event,
    HostFlagFallen,
    Illegal,
    Prompt,
    Public,
    Table,
    evolve_kernel,
    two_seat_outcome,
)
from tests.kernel.coin import GAME, State


class Judge(Command, frozen=True):
    """Name the winner."""

    winner: int


class Judged(Event, frozen=True):
    """The host has named the winner."""

    winner: Public[int]


def evolve(state: State, event: Event) -> State:
    if isinstance(event, Judged):
        return replace(state, bowed=True, turn=event.winner)
    return evolve_kernel(state, event)


def due(state: State) -> Due:
    if outcome(state):
        return Due()
    return Due(prompts=(Prompt(HOST, ("judge",), "judging", "turn"),))


def outcome(state: State) -> Any:
    return two_seat_outcome(state.turn or 0, "played", {0: 0, 1: 0}) if state.bowed else None


def legal(state: State, seat: Any) -> Iterator[Command]:
    if seat is HOST:
        yield from (Judge(0), Judge(1))


JUDGED = replace_game(
    GAME,
    events=(Judged,),
    host_commands=(Judge,),
    evolve=evolve,
    due=due,
    outcome=outcome,
    decide=lambda state, seat, command, chance: (Judged(command.winner),),
    expire=lambda state, seat, chance: (Judged(chance.below(2, "winner")),),
    legal=legal,
    sample=lambda state, seat, rng: rng.choice(list(legal(state, seat))),
)


@pytest.fixture
def table() -> Table:
    return Table(JUDGED, chance=Chance(seed=b"judged"))


def test_command_of_the_host_is_decided_and_recorded(table: Table) -> None:
    assert table.due.seats == () and table.due.commands_of(HOST) == ("judge",)
    assert list(table.legal(HOST)) == [Judge(0), Judge(1)] and table.sample(HOST, Random(0)) in (Judge(0), Judge(1))
    assert table.act(HOST, {"type": "judge", "winner": 1}) == (Judged(1),)
    assert table.outcome and table.outcome.winners == (1,)


def test_flag_of_the_host_is_an_event_of_its_own(table: Table) -> None:
    fallen, judged = table.flag(HOST)
    assert fallen == HostFlagFallen("turn") and isinstance(judged, Judged)
    assert Table.replay(JUDGED, {}, 2, 0, table.events(HOST)).log == table.log


@pytest.mark.parametrize(
    ("seat", "command", "code"),
    [(0, {"type": "judge", "winner": 0}, "unknown_command"), (HOST, {"type": "resign"}, "unknown_command"),
     (HOST, {"type": "call", "side": "heads"}, "unknown_command"),
     (0, {"type": "call", "side": "heads"}, "not_your_turn")],
)  # fmt: skip
def test_seat_and_host_have_separate_commands(table: Table, seat: Any, command: Any, code: str) -> None:
    with pytest.raises(Illegal) as refusal:
        table.act(seat, command)
    assert refusal.value.code == code and table.version == 0


def test_host_has_no_place_in_a_game_without_commands_for_it() -> None:
    plain = Table(GAME, chance=Chance(seed=b"plain"))
    plain.settle()
    for attempt in (lambda: plain.act(HOST, {"type": "bow"}), lambda: plain.flag(HOST)):
        with pytest.raises(Illegal) as refusal:
            attempt()
        assert refusal.value.code == "no_such_seat"
