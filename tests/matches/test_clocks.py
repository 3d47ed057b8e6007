"""The clock's arithmetic: base, reserve in increments, turns shared by prompts, standing still, the order of flags."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel import Due, Prompt
from matches.domain import clocks
from matches.domain.clocks import SECOND, Clocks, ClockTimes

TIMES = {"turn": ClockTimes(base=60, reserve=30, increment=10)}
GRACE = SECOND


def table(times: dict[str, ClockTimes] = TIMES, seats: int = 2) -> Clocks:
    return clocks.opening(times, seats, priority=0, grace=GRACE)


def turn(seat: int, key: str = "t1", clock: str = "turn") -> Due:
    return Due(prompts=(Prompt(seat, ("move",), key, clock),))


def left(state: Clocks, seat: int) -> int:
    return clocks.reserve_left(state, seat, "turn")


def test_a_turn_within_its_base_costs_no_reserve() -> None:
    state = clocks.settle(table(), turn(0), at=0)
    state = clocks.settle(state, turn(1, "t2"), at=60 * SECOND)
    assert left(state, 0) == 30


def test_reserve_is_taken_in_whole_increments() -> None:
    state = clocks.settle(table(), turn(0), at=0)
    state = clocks.settle(state, turn(1, "t2"), at=60 * SECOND + 1)
    assert left(state, 0) == 20
    assert left(state, 1) == 30


def test_the_flag_falls_after_base_whole_increments_and_grace() -> None:
    (falls,) = clocks.deadlines(clocks.settle(table(), turn(0), at=5 * SECOND))
    assert falls.falls_at == (5 + 60 + 30 + 1) * SECOND


def test_deadlines_of_other_times_differ_for_equal_runs() -> None:
    minute, half = (clocks.settle(table({"turn": ClockTimes(base, 30)}), turn(0), at=0) for base in (60, 30))
    assert hash(minute) == hash(half)
    assert clocks.deadlines(minute)[0].falls_at - clocks.deadlines(half)[0].falls_at == 30 * SECOND


def test_incomplete_increment_of_reserve_does_not_delay_the_flag() -> None:
    times = {"turn": ClockTimes(base=60, reserve=25, increment=10)}
    (falls,) = clocks.deadlines(clocks.settle(table(times), turn(0), at=0))
    assert falls.falls_at == (60 + 20 + 1) * SECOND


def test_a_command_at_the_deadline_is_in_time_and_one_after_it_is_late() -> None:
    state = clocks.settle(table(), turn(0), at=0)
    assert clocks.overdue(state, 91 * SECOND) is None
    late = clocks.overdue(state, 91 * SECOND + 1)
    assert late is not None
    assert (late.seat, late.clock) == (0, "turn")


def test_prompts_with_one_turn_key_share_one_run() -> None:
    state = clocks.settle(table(), turn(0, "draw and assign"), at=0)
    state = clocks.settle(state, turn(0, "draw and assign"), at=40 * SECOND)
    assert [run.began for run in state.runs] == [0]


def test_submission_stops_only_the_clock_of_its_seat() -> None:
    both = Due(prompts=(Prompt(0, ("bid",), "r1", "turn"), Prompt(1, ("bid",), "r1", "turn")))
    state = clocks.settle(table(), both, at=0)
    state = clocks.settle(state, turn(1, "r1"), at=10 * SECOND)
    assert [(run.seat, run.began) for run in state.runs] == [(1, 0)]


def test_turn_clock_stops_while_the_dealer_is_due() -> None:
    state = clocks.settle(table(), turn(0), at=0)
    state = clocks.settle(state, Due(dealer=True), at=20 * SECOND)
    assert clocks.deadlines(state) == ()
    state = clocks.settle(state, turn(0), at=50 * SECOND)
    (falls,) = clocks.deadlines(state)
    assert falls.falls_at == (30 + 60 + 30 + 1) * SECOND


def test_turn_clock_stops_while_the_match_is_paused() -> None:
    state = clocks.settle(table(), turn(0), at=0)
    state = clocks.settle(state, turn(0), at=10 * SECOND, paused=True)
    assert clocks.overdue(state, 10**6 * SECOND) is None
    state = clocks.settle(state, turn(0), at=1000 * SECOND)
    assert state.runs[0].spent(1000 * SECOND) == 10 * SECOND


def test_given_time_is_for_one_seat_and_credited_time_for_all() -> None:
    both = Due(prompts=(Prompt(0, ("bid",), "r1", "turn"), Prompt(1, ("bid",), "r1", "turn")))
    state = clocks.settle(table(), both, at=0)
    given_to_one = clocks.deadlines(clocks.give(state, 30, seat=1))
    assert [(d.seat, d.falls_at) for d in given_to_one] == [(0, 91 * SECOND), (1, 121 * SECOND)]
    assert {d.falls_at for d in clocks.deadlines(clocks.credit(state, 30, at=SECOND))} == {121 * SECOND}


def test_flag_of_the_priority_seat_falls_later_at_the_same_instant() -> None:
    both = Due(prompts=(Prompt(0, ("bid",), "r1", "turn"), Prompt(1, ("bid",), "r1", "turn")))
    assert [d.seat for d in clocks.deadlines(clocks.settle(table(), both, at=0))] == [1, 0]


def test_reserve_may_grow_for_all_seats() -> None:
    state = clocks.add_reserve(table(), "turn", 300)
    assert (left(state, 0), left(state, 1)) == (330, 330)


def test_a_turn_and_a_growing_reserve_touch_no_other_clock_of_the_seat() -> None:
    state = table({"choice": TIMES["turn"], "turn": TIMES["turn"]})
    state = clocks.settle(clocks.add_reserve(state, "turn", 300), turn(0), at=0)
    state = clocks.settle(state, turn(1, "t2"), at=61 * SECOND)
    assert (left(state, 0), clocks.reserve_left(state, 0, "choice")) == (320, 30)


def clock_refused(**times: int) -> bool:
    try:
        ClockTimes(**{"base": 60, **times})
    except ValueError:
        return True
    return False


@pytest.mark.parametrize(
    ("name", "least", "most"), [("base", 1, 366 * 86400), ("reserve", 0, 366 * 86400), ("increment", 1, 86400)]
)
def test_a_clocks_times_have_bounds(name: str, least: int, most: int) -> None:
    taken = [not clock_refused(**{name: seconds}) for seconds in (least - 1, least, most, most + 1)]
    assert taken == [False, True, True, False]


def test_no_clock_runs_without_times() -> None:
    state = clocks.settle(table({}), turn(0), at=0)
    assert (state.runs, clocks.deadlines(state)) == ((), ())


@settings(derandomize=True, max_examples=300)
@given(
    st.lists(
        st.tuples(st.sampled_from(["move", "deal", "pause"]), st.integers(0, 300 * SECOND)), min_size=1, max_size=30
    )
)
def test_time_spent_and_time_stood_still_add_up_to_the_time_elapsed(steps: list[tuple[str, int]]) -> None:
    """One prompt at a time: what the turns spent, and what they stood still, is all the time there was."""
    at, seat, spent, stood = 0, 0, 0, 0
    state = clocks.settle(table(), turn(0, "0"), at=0)
    for number, (step, later) in enumerate(steps, start=1):
        (run,) = state.runs
        at += later
        if step == "move":
            spent += run.spent(at)
            stood += run.stood + (0 if run.standing_since is None else at - run.standing_since)
            seat = 1 - seat
            state = clocks.settle(state, turn(seat, str(number)), at=at)
        elif step == "deal":
            state = clocks.settle(state, Due(dealer=True), at=at)
        else:
            state = clocks.settle(state, turn(run.seat, run.turn), at=at, paused=True)
    (run,) = state.runs
    spent += run.spent(at)
    stood += run.stood + (0 if run.standing_since is None else at - run.standing_since)
    assert spent + stood == at
    assert all(reserve.left >= 0 for reserve in state.reserves)


def test_waiting_command_is_dated_when_it_is_stored_within_the_base() -> None:
    state = clocks.settle(table(), turn(0), at=0)
    assert clocks.latest_at(state, 0, 10 * SECOND, 12 * SECOND) == 12 * SECOND


@pytest.mark.parametrize(("arrived_at", "latest"), [(59, 60), (60, 60), (61, 70), (90, 90)])
def test_waiting_command_is_dated_as_late_as_costs_its_player_nothing(arrived_at: int, latest: int) -> None:
    state = clocks.settle(table(), turn(0), at=0)
    assert clocks.latest_at(state, 0, arrived_at * SECOND, 200 * SECOND) == latest * SECOND


def test_waiting_command_is_dated_before_the_flag_of_another_seat() -> None:
    both = Due(prompts=(Prompt(0, ("move",), "t1", "turn"), Prompt(1, ("move",), "t2", "turn")))
    state = clocks.settle(table({"turn": ClockTimes(base=60)}), both, at=0)
    assert clocks.latest_at(state, 0, 30 * SECOND, 90 * SECOND) == 60 * SECOND
    state = clocks.settle(clocks.settle(table(), turn(0), at=0), both, at=50 * SECOND)
    assert clocks.latest_at(state, 1, 60 * SECOND, 200 * SECOND) == clocks.deadlines(state)[0].falls_at


def test_waiting_command_is_dated_when_it_is_stored_where_no_clock_runs() -> None:
    state = clocks.settle(table({}), turn(0), at=0)
    assert clocks.latest_at(state, 0, 10, 20) == 20


@given(st.integers(0, 120), st.integers(0, 120), st.integers(1, 40))
@settings(deadline=None)
def test_waiting_command_costs_the_same_as_at_its_arrival(reserve: int, arrived_at: int, increment: int) -> None:
    state = clocks.settle(table({"turn": ClockTimes(30, reserve, increment)}), turn(0), at=0)
    arrival = arrived_at * SECOND
    if clocks.overdue(state, arrival) is None:
        at = clocks.latest_at(state, 0, arrival, arrival + 20 * SECOND)
        assert at >= arrival and clocks.overdue(state, at) is None
        assert left(clocks.settle(state, turn(1, "t2"), at=at), 0) == left(
            clocks.settle(state, turn(1, "t2"), at=arrival), 0
        )
