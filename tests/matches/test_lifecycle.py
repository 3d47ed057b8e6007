"""A match's own story: given what has happened, when somebody asks, then this happens or is refused."""

from functools import reduce

import pytest

from games import catalogue
from games.kernel import DefaultedEvent, Event, Outcome, to_json
from games.kernel.messages import Resigned, type_name
from matches.domain import events as happenings
from matches.domain import lifecycle
from matches.domain.declared_host_acts import HOST_ACTS
from matches.domain.events import (
    BOT,
    RESERVED,
    MatchFinished,
    MatchOpened,
    MatchPaused,
    MatchResumed,
    MatchStarted,
    NonceAdded,
    NoncesCalled,
    SeatSubstituted,
    SeatTaken,
    SeedRevealed,
    StandInSeated,
    TimeCredited,
    TimeGiven,
)
from matches.domain.host_acts import substitute
from matches.domain.lifecycle import Lifecycle
from tests.table_setting import refusal_of

OPENED = MatchOpened("pyramid_poker", {}, 2, 0, "mira", "c0ffee", "croupier-chance-v1")
MIRA, TOBIAS = SeatTaken(0, "mira"), SeatTaken(1, "tobias")
STARTED = MatchStarted("Go.")
PAUSED, RESUMED = MatchPaused("Tea."), MatchResumed("Back.")
OUTCOME = Outcome(winners=(1,), ranking=((1,), (0,)), reason="played", score={0: 2, 1: 3})
FINISHED = MatchFinished((1,), ((1,), (0,)), "played", {0: 2, 1: 3})

RUNNING = (MIRA, TOBIAS, STARTED)


def match_after(*events: Event) -> Lifecycle:
    """Return a match after these events since it was opened."""
    return reduce(lifecycle.evolve, events, lifecycle.opening(OPENED))


def test_match_opens_with_every_seat_free() -> None:
    story = match_after()
    assert story.players == story.nonces == (None, None)
    assert (story.status, story.may_start, story.outcome, story.seed) == ("waiting", False, None, None)


def test_player_takes_an_open_seat() -> None:
    assert lifecycle.take_seat(match_after(MIRA), 1, "tobias") == TOBIAS
    story = match_after(MIRA, TOBIAS)
    assert story.players == ("mira", "tobias") and story.may_start
    assert (story.seat_of("tobias"), story.seat_of("nobody")) == (1, None)


def test_bots_may_hold_every_seat() -> None:
    assert lifecycle.take_seat(match_after(SeatTaken(0, BOT)), 1, BOT) == SeatTaken(1, BOT)


def test_bot_replaces_a_player_beside_another_bot() -> None:
    assert substitute(match_after(MIRA, SeatTaken(1, BOT)), 0, BOT, "Away.") == SeatSubstituted(0, BOT, "Away.")


@pytest.mark.parametrize(
    ("story", "seat", "player", "code"),
    [
        (match_after(MIRA), 0, "tobias", "seat_taken"),
        (match_after(MIRA), 1, "mira", "already_seated"),
        (match_after(MIRA), 2, "tobias", "no_such_seat"),
        (match_after(MIRA), -1, "tobias", "no_such_seat"),
        (match_after(*RUNNING), 1, "zoe", "already_started"),
        (match_after(*RUNNING, FINISHED), 1, "zoe", "already_started"),
    ],
)
def test_a_seat_is_refused(story: Lifecycle, seat: int, player: str, code: str) -> None:
    assert refusal_of(lambda: lifecycle.take_seat(story, seat, player)) == code


def test_seat_gives_one_nonce_before_the_start() -> None:
    added = lifecycle.add_nonce(match_after(MIRA, TOBIAS), 1, "dice")
    assert added == NonceAdded(1, "dice")
    story = match_after(MIRA, TOBIAS, NonceAdded(1, "dice"))
    assert story.nonces == (None, "dice")
    assert refusal_of(lambda: lifecycle.add_nonce(story, 1, "other")) == "nonce_given"
    assert lifecycle.add_nonce(story, 0, "dice") == NonceAdded(0, "dice")
    assert refusal_of(lambda: lifecycle.add_nonce(match_after(*RUNNING), 0, "late")) == "already_started"


def test_match_starts_once_every_seat_is_taken() -> None:
    assert lifecycle.start(match_after(MIRA, TOBIAS), "Go.") == STARTED
    assert match_after(*RUNNING).status == "running"
    assert refusal_of(lambda: lifecycle.start(match_after(), "Go.")) == "seats_open"
    assert refusal_of(lambda: lifecycle.start(match_after(MIRA), "Go.")) == "seats_open"
    assert refusal_of(lambda: lifecycle.start(match_after(*RUNNING), "Go.")) == "already_started"
    assert refusal_of(lambda: lifecycle.start(match_after(*RUNNING, FINISHED), "Go.")) == "already_started"


def test_match_ends_with_its_outcome_and_then_its_seed() -> None:
    seed = bytes(range(32))
    assert lifecycle.finish(match_after(*RUNNING), OUTCOME, seed) == (FINISHED, SeedRevealed(seed.hex()))
    story = match_after(*RUNNING, FINISHED)
    assert (story.status, story.over, story.seed) == ("finished", True, None)
    assert to_json(story.outcome) == to_json(OUTCOME)
    assert match_after(*RUNNING, FINISHED, SeedRevealed(seed.hex())).seed == seed.hex()


def test_pause_lasts_until_the_match_is_resumed() -> None:
    assert match_after(*RUNNING, PAUSED).status == "paused"
    assert match_after(*RUNNING, PAUSED, RESUMED).status == "running"


@pytest.mark.parametrize(
    ("story", "code"),
    [
        (match_after(MIRA, TOBIAS), "not_started"),
        (match_after(*RUNNING, PAUSED), "match_paused"),
        (match_after(*RUNNING, FINISHED), "match_over"),
    ],
)
def test_match_that_is_not_running_refuses_moves(story: Lifecycle, code: str) -> None:
    assert refusal_of(lambda: lifecycle.refuse_unless_running(story)) == code


def test_running_match_accepts_moves() -> None:
    for story in (match_after(*RUNNING), match_after(*RUNNING, PAUSED, RESUMED)):
        lifecycle.refuse_unless_running(story)


ON_ANY_OPEN_MATCH = {"rule", "seat_stand_in", "substitute", "void"}
ONCE_STARTED = ON_ANY_OPEN_MATCH | {"extend", "adjudicate", "rewind"}


@pytest.mark.parametrize(
    ("story", "names"),
    [
        pytest.param(match_after(MIRA), ON_ANY_OPEN_MATCH, id="seats open"),
        pytest.param(match_after(MIRA, TOBIAS), ON_ANY_OPEN_MATCH | {"start"}, id="seats taken"),
        pytest.param(match_after(MIRA, TOBIAS, NoncesCalled(1, "Go.")), ON_ANY_OPEN_MATCH, id="nonces called"),
        pytest.param(match_after(*RUNNING), ONCE_STARTED | {"pause"}, id="running"),
        pytest.param(match_after(*RUNNING, PAUSED), ONCE_STARTED | {"resume"}, id="paused"),
        pytest.param(
            match_after(*RUNNING, StandInSeated(0, "bot", "Away.")),
            ONCE_STARTED | {"pause", "end_stand_in"},
            id="stand-in",
        ),
        pytest.param(match_after(*RUNNING, FINISHED), {"rule"}, id="finished"),
    ],
)
def test_host_is_offered_the_acts_that_the_state_allows(story: Lifecycle, names: set[str]) -> None:
    assert {act.name for act in HOST_ACTS if act.is_offered(story)} == names


def test_game_and_clock_events_do_not_change_the_lifecycle() -> None:
    story = match_after(*RUNNING)
    for event in (Resigned(seat=0), TimeGiven(0, 60, ""), TimeCredited(60, "")):
        assert lifecycle.evolve(story, event) is story


def test_every_lifecycle_event_is_listed_once() -> None:
    declared = {kind for kind in vars(happenings).values() if isinstance(kind, type) and issubclass(kind, Event)}
    assert declared - {Event, DefaultedEvent} == set(happenings.EVENTS)
    assert len(set(map(type_name, happenings.EVENTS))) == len(happenings.EVENTS)


@pytest.mark.parametrize("slug", catalogue)
def test_no_game_uses_a_reserved_event_or_field_name(slug: str) -> None:
    game = catalogue[slug]
    assert not {type_name(kind) for kind in happenings.EVENTS} & game.event_types.keys()
    for kind in (*game.event_types.values(), *happenings.EVENTS):
        assert not RESERVED & set(kind.__struct_encode_fields__), kind
