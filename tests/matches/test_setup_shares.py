"""In Higher or Lower the colour is chosen early enough that both seats have the same time for assigning."""

from datetime import timedelta
from pathlib import Path
from random import Random
from uuid import uuid4

import msgspec
import pytest

from games import catalogue
from games.higher_or_lower.events import ColourChosen
from games.kernel import to_json
from matches.audit import export, replay
from matches.audit.croupier_verify import verify
from matches.domain import clocks, match_state
from matches.domain.clocks import SECOND, ClockTimes, Deadline
from matches.domain.events import MatchOpened, MatchRescheduled, MatchRewound, MatchStarted
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.services import accepting, opening, playing, timing
from matches.storage import repository
from tests.matches.test_audit import exported
from tests.matches.test_scheduled import now
from tests.table_setting import new_account

BEFORE = Path(__file__).with_name("before_shared_setup.ndjson")
"""A match of the release before: a third of its set-up is over when the colour is chosen."""
MINUTE, HOUR = 60, 3600
OPENS = 1_000_000_000 * SECOND
GAME = catalogue["higher_or_lower"]
CLOCKS = {name: ClockTimes(spec.base, spec.reserve, spec.increment) for name, spec in GAME.clocks.items()}


def opened(*, notice: float, closes: int = HOUR, shared_setup: bool = True) -> MatchState:
    """A match set so many seconds before it opens."""
    event = MatchOpened(
        game="higher_or_lower",
        options=to_json(GAME.Options()),
        seats=2,
        priority=0,
        opened_by="somebody",
        seed_commitment="",
        chance="",
        clocks=CLOCKS,
        opens_at=OPENS,
        setup_closes=closes,
        shared_setup=shared_setup,
        grace=0,
    )
    return match_state.opened(event, version=1, hash=b"", at=OPENS - int(notice * SECOND))


def then(before: MatchState, event: object, at: int, earlier: MatchState | None = None) -> MatchState:
    return match_state.evolve(
        before,
        event,  # type: ignore[arg-type]
        version=before.version + 1,
        hash=b"",
        at=at,
        actor="clock",
        earlier=earlier,
    )


def set_up(notice: float, closes: int = HOUR, *, shared_setup: bool = True) -> MatchState:
    """A match in its set-up, which begins at once, or 24 hours before it closes."""
    begins = OPENS - int(min(notice, 24 * HOUR + closes) * SECOND)
    return then(opened(notice=notice, closes=closes, shared_setup=shared_setup), MatchStarted(reason="Now."), begins)


def flags(state: MatchState) -> tuple[Deadline, ...]:
    return clocks.deadlines(state.clocks)


def before_play(at: int) -> float:
    return (OPENS - at) / SECOND / HOUR


@pytest.mark.parametrize(
    ("notice", "closes", "ends"),
    [
        pytest.param(9 * 24 * HOUR, HOUR, 24, id="an agreed time"),
        pytest.param(25 * HOUR, HOUR, 24, id="just enough notice"),
        pytest.param(9 * 24 * HOUR, 2 * HOUR, 24, id="a set-up that closes earlier"),
        pytest.param(13 * HOUR, HOUR, 12.5, id="shorter notice"),
        pytest.param(25 * MINUTE, HOUR, (25 - 25 / 24) / 60, id="set after the set-up would have closed"),
        pytest.param(24 * HOUR, 0, 23, id="a set-up that closes with play"),
        pytest.param(9 * 24 * HOUR, 30 * HOUR, 53, id="a set-up that closes more than a day before"),
    ],
)
def test_colour_is_due_a_day_before_play_or_after_its_part_of_the_set_up(
    notice: float, closes: int, ends: float
) -> None:
    (flag,) = flags(set_up(notice, closes))
    assert (flag.clock, before_play(flag.falls_at)) == ("choice", pytest.approx(ends))


def test_both_seats_have_equal_time_to_assign_whenever_the_colour_is_chosen() -> None:
    rng = Random(1)
    for _ in range(500):
        notice, closes = rng.choice([rng.uniform(5, 3 * HOUR), rng.uniform(HOUR, 40 * HOUR)]), rng.randrange(2 * HOUR)
        begun = set_up(notice, closes)
        (colour,) = flags(begun)
        chosen_at = rng.choice([begun.at, rng.randrange(begun.at, colour.falls_at), colour.falls_at])
        assigning = then(begun, ColourChosen(0, "cyan"), chosen_at)
        windows = {(run.began, flag.falls_at) for run in assigning.clocks.runs for flag in flags(assigning)}
        assert sorted(flag.seat for flag in flags(assigning)) == [0, 1]
        ((began, ends),) = windows
        assert began == chosen_at
        set_up_ends = OPENS - closes * SECOND if chosen_at < OPENS - closes * SECOND else OPENS
        assert ends == set_up_ends, "all the time that is left"
        assert ends - began >= (ends - begun.at) * 11 // 12, "late choices take an hour or a twenty-fourth"


def test_colour_of_a_match_set_anew_is_due_by_its_new_time() -> None:
    moved = then(opened(notice=30 * HOUR), MatchRescheduled(opens_at=OPENS + 10 * HOUR * SECOND, reason="Later."), 0)
    begun = then(moved, MatchStarted(reason="Now."), OPENS - 15 * HOUR * SECOND)
    assert before_play(flags(begun)[0].falls_at) == pytest.approx(14)


def test_rewind_to_the_colour_gives_it_its_share_of_the_remaining_time() -> None:
    begun = set_up(13 * HOUR)
    chosen = then(begun, ColourChosen(0, "cyan"), begun.at + SECOND)
    again = then(chosen, MatchRewound(to_version=2, reason="A slip."), OPENS - 7 * HOUR * SECOND, begun)
    assert before_play(flags(again)[0].falls_at) == pytest.approx(6.75)


def test_colour_of_an_older_match_closes_with_the_set_up() -> None:
    (flag,) = flags(set_up(13 * HOUR, shared_setup=False))
    assert before_play(flag.falls_at) == 1


def test_record_of_an_older_set_up_is_verified_and_judged() -> None:
    lines = BEFORE.read_text(encoding="utf-8").splitlines()
    assert verify(lines)["game"] == "higher_or_lower"
    assert "shared_setup" not in msgspec.json.decode(lines[1])["public"]
    export.replay(lines)
    replay.judged(lines)


def test_new_match_has_a_shared_set_up_and_a_verified_record() -> None:
    one, other = new_account(), new_account()
    match_id = opening.open_match(
        opener=one.id,
        game="higher_or_lower",
        options={},
        seats=[opening.SeatRequest(one.id), opening.SeatRequest(other.id)],
        clocks=CLOCKS,
        opens_at=now() + timedelta(hours=13),
    ).match_id
    accepting.accept(match_id=match_id, player=other.id)
    timing.start_scheduled(match_id=match_id)
    state = repository.load(match_id)
    (flag,) = flags(state)
    assert (flag.falls_at - SECOND - state.at) / SECOND == pytest.approx(HOUR / 2, abs=10)
    assert Match.objects.get(id=match_id).status == "running"
    playing.submit(
        match_id=match_id, seat=1, player=str(other.id), command={"type": "resign"}, key=str(uuid4()), fingerprint=b""
    )
    replay.judged(exported(match_id))
