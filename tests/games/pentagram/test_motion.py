"""The motion of a paying row: coins are counted and workers walk, all of a space at once."""

from games.kernel import Step
from games.pentagram import GAME
from games.pentagram.events import SpacePaid, WorkerPlaced, WorkersReturned
from games.pentagram.pieces import Card


def test_a_paying_space_counts_what_changes_and_sends_its_workers_on_together() -> None:
    paid = SpacePaid(colour="black", space=2, card=Card("orange>blue-"), coins={0: (5, 2), 1: (1, 1)})
    assert list(GAME.steps(paid)) == [
        Step("count", "0 blue"),
        Step("travel", "K1 foot", "K2 foot", looks="hand 0", joined=True),
        Step("travel", "K1 foot", "K2 foot", looks="hand 1", joined=True),
    ]


def test_a_space_without_workers_moves_nothing() -> None:
    assert list(GAME.steps(SpacePaid(colour="black", space=0, card=Card("orange>blue+"), coins={}))) == []


def test_a_worker_that_costs_nothing_counts_no_coins() -> None:
    walk = Step("travel", "Y0 foot", "hand 1", looks="hand 1")
    assert list(GAME.steps(WorkerPlaced(seat=1, colour="yellow", space=0, price=0))) == [walk]
    assert list(GAME.steps(WorkerPlaced(seat=1, colour="yellow", space=3, price=3)))[1:] == [
        Step("count", "1 yellow", joined=True)
    ]


def test_two_workers_of_a_seat_come_home_as_one() -> None:
    steps = GAME.steps(WorkersReturned(colour="blue", seats=(1, 1)))
    assert list(steps) == [Step("travel", "hand 1", "B0 foot", looks="hand 1")]
