"""Matches that open at an agreed time, and what is set up before."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random
from threading import Event
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction

from events import chain, store
from games import catalogue
from games.kernel import Due, Illegal, Prompt, to_json
from matches import services, tasks
from matches.accounts import erasure
from matches.audit import export
from matches.audit.replay import judged
from matches.domain import clocks
from matches.domain.clocks import SECOND, ClockTimes
from matches.models import Account, Match
from matches.reads import selectors
from matches.storage import repository
from tests.events.staging import owner, waits_for_a_lock
from tests.matches.fault_scenarios import query
from tests.table_setting import at_once, new_account, play_to_the_end, refusal_of, send, wait_until, waiting_match
from tests.waiting import PATIENCE

HOUR, DAY = 3600, 86400
OPENS = 1_000_000 * SECOND
TIMES = {"choice": ClockTimes(base=DAY), "turn": ClockTimes(base=60, reserve=300)}


def scheduled(game: str, opens_at: datetime, *players: Account | None, times: Any = TIMES) -> Match:
    seats = [services.SeatRequest(player.id if player else None) for player in players]
    opened = services.open_match(
        opener=(players[0] or new_account()).id, game=game, options={}, seats=seats, clocks=times, opens_at=opens_at
    )
    return Match.objects.get(id=opened.match_id)


def now() -> datetime:
    return query("SELECT clock_timestamp()")[0][0]


# The clocks, by themselves


def prompted(clock: str, at: int) -> clocks.Clocks:
    opening = clocks.opening(TIMES, 2, 0, SECOND, opens_at=OPENS, setup=("choice",))
    return clocks.settle(opening, Due((Prompt(0, ("act",), "1", clock),)), at)


@pytest.mark.parametrize(
    ("clock", "began", "falls"),
    [
        pytest.param("choice", OPENS - 9 * HOUR * SECOND, OPENS - HOUR * SECOND, id="set-up closes an hour before"),
        pytest.param("choice", OPENS - 60 * SECOND, OPENS, id="a late step of it closes when the match opens"),
        pytest.param("choice", OPENS - HOUR * SECOND, OPENS, id="so does one that begins as the set-up closes"),
        pytest.param("choice", OPENS, OPENS + DAY * SECOND, id="from the opening on its own time counts"),
        pytest.param("choice", OPENS + 5 * SECOND, OPENS + (5 + DAY) * SECOND, id="and after it"),
        pytest.param("turn", OPENS - 60 * SECOND, OPENS + 360 * SECOND, id="no turn's clock runs before"),
        pytest.param("turn", OPENS + 7 * SECOND, OPENS + 367 * SECOND, id="then it runs as ever"),
    ],
)
def test_when_a_flag_of_a_scheduled_match_falls(clock: str, began: int, falls: int) -> None:
    (deadline,) = clocks.deadlines(prompted(clock, began))
    assert deadline.falls_at == falls + SECOND


def test_pause_moves_a_fixed_deadline() -> None:
    at = OPENS - 9 * HOUR * SECOND
    due = Due((Prompt(0, ("act",), "1", "choice"),))
    paused = clocks.settle(prompted("choice", at), due, at + SECOND, paused=True)
    assert clocks.deadlines(paused) == []
    (deadline,) = clocks.deadlines(clocks.settle(paused, due, at + 61 * SECOND))
    assert deadline.falls_at == OPENS - HOUR * SECOND + 61 * SECOND


def test_act_before_the_opening_costs_no_reserve() -> None:
    done = clocks.settle(prompted("turn", OPENS - 900 * SECOND), Due(), OPENS - SECOND)
    assert clocks.reserve_left(done, 0, "turn") == 300


def test_a_set_up_step_costs_no_reserve_however_long_it_took() -> None:
    times = {"choice": ClockTimes(base=60, reserve=300)}
    opening = clocks.opening(times, 2, 0, SECOND, opens_at=OPENS, setup=("choice",))
    began = clocks.settle(opening, Due((Prompt(0, ("act",), "1", "choice"),)), OPENS - 9 * HOUR * SECOND)
    done = clocks.settle(began, Due(), OPENS - 2 * HOUR * SECOND)
    assert clocks.reserve_left(done, 0, "choice") == 300


ACT = {clock: Due((Prompt(0, ("act",), "1", clock),)) for clock in TIMES}


def falls(state: clocks.Clocks) -> float:
    """Seconds from the opening to the one flag, grace left out."""
    (deadline,) = clocks.deadlines(state)
    return (deadline.falls_at - SECOND - OPENS) / SECOND


@pytest.mark.parametrize(
    ("paused", "resumed", "given_back"),
    [
        pytest.param(-2 * HOUR, -HOUR, 0, id="over before it opens"),
        pytest.param(-2 * HOUR, 0, 0, id="over as it opens"),
        pytest.param(-2 * HOUR, 40, 40, id="while it opens"),
        pytest.param(10, 40, 30, id="after it has opened"),
    ],
)
def test_pause_credits_a_first_turn_only_the_time_after_the_opening(paused: int, resumed: int, given_back: int) -> None:
    state = prompted("turn", OPENS - 3 * HOUR * SECOND)
    state = clocks.settle(state, ACT["turn"], OPENS + paused * SECOND, paused=True)
    assert falls(clocks.settle(state, ACT["turn"], OPENS + resumed * SECOND)) == 360 + given_back


def test_time_credited_before_the_opening_does_not_lengthen_the_first_turn() -> None:
    turn, choice = (prompted(clock, OPENS - 3 * HOUR * SECOND) for clock in ("turn", "choice"))
    for at, given_back in ((OPENS - HOUR * SECOND, 0), (OPENS, 0), (OPENS + 90 * SECOND, 60)):
        assert falls(clocks.credit(turn, 60, at)) == 360 + given_back
    assert falls(clocks.credit(choice, 60, OPENS - 2 * HOUR * SECOND)) == 60 - HOUR, "the set-up had lost it"


def test_time_given_by_a_host_before_the_opening_counts() -> None:
    assert falls(clocks.give(prompted("turn", OPENS - HOUR * SECOND), 60, seat=0)) == 420


@pytest.mark.parametrize(
    ("clock", "to", "at", "expected"),
    [
        pytest.param("turn", -7200, 30, 390, id="a turn that hadn't begun begins now"),
        pytest.param("turn", -7200, -60, 360, id="or still when the match opens"),
        pytest.param("turn", 10, 40, 390, id="one that had begun has spent what it had"),
        pytest.param("choice", -7200, -5400, -3600, id="the set-up still closes in time"),
        pytest.param("choice", -7200, -60, 0, id="or when the match opens"),
        pytest.param("choice", -7200, 0, 3600, id="from then on it has as long as it had"),
        pytest.param("choice", -7200, 100, 3700, id="and after that"),
    ],
)
def test_rewind_to_before_the_opening_gives_no_turn_extra_time(clock: str, to: int, at: int, expected: int) -> None:
    began = OPENS + min(to, 0) * SECOND
    earlier = clocks.settle(prompted(clock, began), ACT[clock], OPENS + to * SECOND)
    moved = clocks.moved(earlier, OPENS + to * SECOND, OPENS + at * SECOND)
    assert falls(clocks.settle(moved, ACT[clock], OPENS + at * SECOND)) == expected


def test_before_the_opening_a_turn_has_spent_nothing() -> None:
    (run,) = prompted("turn", OPENS - HOUR * SECOND).runs
    assert [run.spent(OPENS + seconds * SECOND) for seconds in (-60, 0, 60)] == [0, 0, 60 * SECOND]


# The host


def test_the_set_up_begins_in_time_for_its_longest_step() -> None:
    opens_at = datetime.now(UTC).replace(microsecond=0) + timedelta(days=9)
    match = scheduled("higher_or_lower", opens_at, new_account(), new_account(), times={
        "choice": ClockTimes(base=HOUR), "setup": ClockTimes(base=23 * HOUR), "turn": ClockTimes(base=30),
    })  # fmt: skip
    assert (match.opens_at, match.starts_at) == (opens_at, opens_at - timedelta(days=1))
    bare = scheduled("pentagram", opens_at, new_account(), new_account(), times={"turn": ClockTimes(base=60)})
    assert bare.starts_at == opens_at


def test_scheduled_match_starts_automatically_once_its_seats_are_taken() -> None:
    ready = scheduled("pyramid_poker", now() + timedelta(hours=2), new_account(), new_account())
    waiting = scheduled("pyramid_poker", now() + timedelta(hours=2), new_account(), None)
    assert ready.id in selectors.matches_to_start()
    assert waiting.id not in selectors.matches_to_start()
    tasks.catch_up()
    assert repository.load(ready.id).lifecycle.status == "running"
    assert repository.load(waiting.id).lifecycle.status == "waiting"
    assert refusal_of(lambda: services.start_scheduled(match_id=ready.id)) == "already_started"


def switch_off(account_id: UUID) -> None:
    Account.objects.filter(id=account_id).update(is_active=False)


@pytest.mark.parametrize("leave", [erasure.erase, switch_off])
def test_match_with_an_inactive_player_starts_after_a_substitution(
    leave: Callable[[UUID], object],
) -> None:
    host, leaver = new_account(), new_account()
    match = scheduled("pyramid_poker", now() + timedelta(hours=2), host, leaver)
    leave(leaver.id)
    assert match.id not in selectors.matches_to_start()
    assert refusal_of(lambda: services.start(match_id=match.id, by=host.id, reason="Now.")) == "player_gone"
    assert refusal_of(lambda: services.start_scheduled(match_id=match.id)) == "player_gone"
    services.substitute(match_id=match.id, by=new_account().id, seat=1, player=new_account().id, reason="Gone.")
    assert match.id in selectors.matches_to_start()
    services.start_scheduled(match_id=match.id)
    assert repository.load(match.id).lifecycle.status == "running"


def test_start_waits_for_a_concurrent_erasure_of_a_player() -> None:
    leaver, erased = new_account(), Event()
    match = waiting_match("pyramid_poker", new_account(), leaver)

    def erase() -> None:
        with transaction.atomic(), owner() as hand:
            erasure.erase(leaver.id)
            erased.set()
            wait_until(lambda: waits_for_a_lock(hand))

    def begin() -> str:
        erased.wait(timeout=PATIENCE)
        return refusal_of(lambda: services.start(match_id=match.id, by=match.opened_by_id, reason="Now."))

    assert at_once([erase, begin]) == [None, "player_gone"]


def set_up(opens_at: datetime) -> tuple[Match, Prompt, Random]:
    """A match whose set-up is over, and its next prompt."""
    match, rng = scheduled("pyramid_poker", opens_at, new_account(), new_account()), Random(1)
    services.start_scheduled(match_id=match.id)
    game = catalogue["pyramid_poker"]
    while game.clocks[(prompt := repository.load(match.id).due.prompts[0]).clock].setup:
        send(match.id, prompt.seat, rng)
        services.attend(match_id=match.id)
    return match, prompt, rng


def test_only_the_set_up_is_played_before_the_opening() -> None:
    opens_at = now() + timedelta(seconds=2)
    match, prompt, rng = set_up(opens_at)
    early = lambda: send(match.id, prompt.seat, rng)  # noqa: E731
    assert refusal_of(early) == "not_open_yet"
    view = repository.load(match.id, prompt.seat)
    player = view.lifecycle.players[prompt.seat]
    command = to_json(view.game.bot(view.state, prompt.seat, rng))
    dry = lambda: services.try_out(match_id=match.id, seat=prompt.seat, player=player, command=command)  # noqa: E731
    assert refusal_of(dry) == "not_open_yet"
    wait_until(lambda: now() > opens_at)
    early()
    (run, *_) = repository.load(match.id).clocks.runs
    assert run.began >= chain.microseconds(opens_at)


def test_the_instant_of_the_opening_is_early_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    opens_at = now() + timedelta(hours=2)
    match, _, _ = set_up(opens_at)
    state = repository.load(match.id)
    seat = state.due.prompts[0].seat
    submission = {
        "seat": seat,
        "player": state.lifecycle.players[seat],
        "command": to_json(state.game.bot(state.state, seat, Random(1))),
    }

    def tried(at: datetime) -> int:
        monkeypatch.setattr(store, "clock", lambda: at)
        return services.try_out(match_id=match.id, **submission)[0]

    assert refusal_of(lambda: tried(opens_at - timedelta(microseconds=1))) == "not_open_yet"
    assert tried(opens_at) == state.version


def test_bots_wait_until_the_match_opens() -> None:
    host = new_account()
    seats = [services.SeatRequest("bot"), services.SeatRequest("bot")]
    opens_at = now() + timedelta(hours=1)
    match_id = services.open_match(
        opener=host.id, game="pyramid_poker", options={}, seats=seats, clocks=TIMES, opens_at=opens_at,
    ).match_id  # fmt: skip
    services.start_scheduled(match_id=match_id)
    while services.attend(match_id=match_id):
        pass
    assert repository.load(match_id).due.prompts != ()
    assert services.attend(match_id=match_id) == 0


@pytest.mark.parametrize("away", [timedelta(seconds=-1), timedelta(days=400)])
def test_opening_time_in_the_past_or_too_far_ahead_is_refused(away: timedelta) -> None:
    host = new_account()
    assert refusal_of(lambda: scheduled("pyramid_poker", now() + away, host, None)) == "bad_opening_time"
    assert not Match.objects.filter(opened_by=host).exists()


# Another time


def test_early_start_by_a_host_opens_the_match() -> None:
    players, host = [new_account(), new_account()], new_account()
    match = scheduled("pentagram", now() + timedelta(hours=2), *players, times={"turn": TIMES["turn"]})
    services.start(match_id=match.id, by=host.id, reason="Both are here.")
    services.attend(match_id=match.id)
    send(match.id, repository.load(match.id).due.prompts[0].seat, Random(1))
    (run, *_) = repository.load(match.id).clocks.runs
    assert run.began <= chain.microseconds(now())
    match.refresh_from_db()
    assert (match.opens_at, match.starts_at) == (None, None)


def test_early_start_by_a_player_is_refused_with_the_opening_time() -> None:
    opens_at = now() + timedelta(hours=2)
    match = scheduled("pentagram", opens_at, new_account(), new_account(), times={"turn": TIMES["turn"]})
    with pytest.raises(Illegal, match=f"opens at {opens_at:%Y-%m-%d %H:%M:%S} UTC") as refused:
        services.start(match_id=match.id, by=match.opened_by_id, reason="Before they wake.")
    assert refused.value.code == "not_open_yet"
    assert repository.load(match.id).lifecycle.status == "waiting"


def test_scheduled_start_after_a_new_time_was_set_is_refused() -> None:
    match = scheduled("pentagram", now() + timedelta(hours=2), new_account(), new_account(), times=None)
    for opens_at in (now() + timedelta(hours=3), None):
        services.reschedule(match_id=match.id, by="house", opens_at=opens_at, reason="Agreed.")
        assert refusal_of(lambda: services.start_scheduled(match_id=match.id)) == "not_open_yet"
        match.refresh_from_db()
        assert match.opens_at == opens_at
    assert match.id not in selectors.matches_to_start()


def test_match_that_has_begun_cannot_be_rescheduled() -> None:
    match = scheduled("pyramid_poker", now() + timedelta(hours=2), new_account(), new_account())
    services.start_scheduled(match_id=match.id)
    late = lambda: services.reschedule(match_id=match.id, by="house", opens_at=None, reason="Late.")  # noqa: E731
    assert refusal_of(late) == "already_started"


def test_a_new_time_and_an_early_start_are_judged_again_from_the_record() -> None:
    match = scheduled("pentagram", now() + timedelta(hours=2), new_account(), new_account(), times=None)
    services.reschedule(match_id=match.id, by="house", opens_at=now() + timedelta(hours=4), reason="Agreed.")
    services.start(match_id=match.id, by=new_account().id, reason="Both are here.")
    play_to_the_end(match)
    judged(list(export.export(match.id)))
    types = [row.type for row in store.read(match.id)]
    assert types.count("match_rescheduled") == 2


def test_match_awaiting_a_check_in_is_not_started_automatically() -> None:
    match = scheduled("pyramid_poker", now() + timedelta(hours=2), new_account(), new_account())
    Match.objects.filter(id=match.id).update(awaits_check_in=True)
    assert match.id not in selectors.matches_to_start()
    Match.objects.filter(id=match.id).update(awaits_check_in=False)
    assert match.id in selectors.matches_to_start()


@pytest.mark.parametrize("closes", [0, 900, 2 * HOUR])
def test_set_up_closes_as_long_before_play_as_the_opener_chose(closes: int) -> None:
    opens_at = now().replace(microsecond=0) + timedelta(hours=20)
    players = new_account(), new_account()
    opened = services.open_match(
        opener=players[0].id, game="pyramid_poker", options={}, clocks=TIMES, opens_at=opens_at, setup_closes=closes,
        seats=[services.SeatRequest(player.id) for player in players],
    )  # fmt: skip
    assert Match.objects.get(id=opened.match_id).starts_at == opens_at - timedelta(seconds=DAY + closes)
    services.start(match_id=opened.match_id, by=players[0].id, reason="A trial.")
    (deadline,) = clocks.deadlines(repository.load(opened.match_id).clocks)
    assert deadline.falls_at == chain.microseconds(opens_at) - closes * SECOND + SECOND
