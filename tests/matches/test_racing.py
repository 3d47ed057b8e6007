"""Many at one match at once: one is first, the others are told, and nothing is lost or doubled."""

from collections import Counter
from functools import partial
from random import Random
from typing import Any

import pytest

from events import chain, store
from events.records import StreamConflict
from games.kernel import Command
from games.kernel.messages import Resign
from matches import services
from matches.models import Match
from matches.services import Accepted, KeyReused, NotAllowed, VersionMoved
from matches.storage import repository
from tests.table_setting import (
    BOT,
    at_once,
    new_account,
    play_on,
    play_to_the_end,
    refusal_of,
    running_match,
    send,
    waiting_match,
)

ROUNDS, THREADS = 20, 32


def match_of_two() -> Match:
    """Two people at a pyramid, both bricks of the beginning dealt."""
    match = running_match("pyramid_poker", new_account(), new_account())
    play_on(match, 2)
    return match


def move(match: Match) -> dict[str, Any]:
    """A legal command of the seat whose turn it is, for `submit`."""
    match_state = repository.load(match.id)
    seat = match_state.due.prompts[0].seat
    command: Command = match_state.game.bot(repository.load(match.id, seat).state, seat, Random(1))
    player = str(match_state.lifecycle.players[seat])
    return {"match_id": match.id, "seat": seat, "player": player, "command": command, "fingerprint": b"f"}


def assert_unbroken(match: Match) -> None:
    """The log has every version once, and holds."""
    rows = store.read(match.id)
    assert [row.version for row in rows] == list(range(1, len(rows) + 1))
    assert chain.check(match.id, rows)[2] is None
    match.refresh_from_db()
    assert match.version == len(rows)


def test_one_of_32_commands_on_the_same_version_is_accepted() -> None:
    match = match_of_two()
    for number in range(ROUNDS):
        submission = move(match) | {"expected": repository.version_of(match.id)}
        keys = [f"{number} {n}" for n in range(THREADS)]
        results = at_once([partial(services.submit, **submission, key=key) for key in keys])
        kinds = Counter(type(result) for result in results)
        assert kinds[Accepted] == 1, kinds
        assert kinds[VersionMoved] + kinds[StreamConflict] == THREADS - 1, kinds
        assert {moved.current for moved in results if isinstance(moved, VersionMoved)} <= {
            repository.version_of(match.id)
        }
        play_on(match, 0)
    assert_unbroken(match)


def test_one_of_several_commands_without_a_version_is_accepted() -> None:
    match = match_of_two()
    submission = move(match)
    results = at_once([partial(services.submit, **submission, key=str(n)) for n in range(12)])
    assert sum(isinstance(result, Accepted) for result in results) == 1
    assert {getattr(result, "code", "") for result in results} <= {"", "dealer_due", "not_your_turn", "not_now"}
    assert_unbroken(match)


@pytest.mark.parametrize("number", range(5))
def test_one_key_sent_20_times_at_once_appends_one_event(number: int) -> None:
    match = match_of_two()
    submission, before = move(match), repository.version_of(match.id)
    results = at_once([lambda: services.submit(**submission, key="k", expected=before)] * 20)
    assert all(isinstance(result, Accepted) for result in results), results
    assert len({result.response for result in results}) == 1
    assert Counter(result.replayed for result in results) == {True: 19, False: 1}
    rows = store.read(match.id, after=before)
    assert {row.actor for row in rows} == {submission["player"]} and rows[-1].version == results[0].version
    assert_unbroken(match)


def test_retry_with_the_same_key_gets_equal_bytes_after_the_end_too() -> None:
    match = match_of_two()
    submission, version = move(match), repository.version_of(match.id)
    first = services.submit(**submission, key="k", expected=version)
    assert not first.replayed
    play_to_the_end(match)
    assert match.status == "finished"
    again = services.submit(**submission, key="k", expected=version)
    assert again == first._replace(replayed=True)


def test_key_with_another_body_is_refused() -> None:
    match = match_of_two()
    submission = move(match)
    services.submit(**submission, key="k")
    version = repository.version_of(match.id)
    with pytest.raises(KeyReused):
        services.submit(**submission | {"fingerprint": b"other"}, key="k")
    assert repository.version_of(match.id) == version


def test_key_belongs_to_its_player_and_match() -> None:
    match, other = match_of_two(), match_of_two()
    for place in (match, match, other):
        play_on(place, 0)
        assert not services.submit(**move(place), key="the same").replayed


def test_refused_command_stores_neither_event_nor_key() -> None:
    match = match_of_two()
    submission, before = move(match), repository.load(match.id)
    stranger = str(new_account().id)
    with pytest.raises(VersionMoved):
        services.submit(**submission, key="k", expected=before.version - 1)
    with pytest.raises(VersionMoved):
        services.submit(**submission, key="k", expected=before.version + 1)
    with pytest.raises(NotAllowed):
        services.submit(**submission | {"player": stranger}, key="k")
    wrong = submission | {"command": {"type": "place", "cell": "Z9"}}
    assert refusal_of(lambda: services.submit(**wrong, key="k")) == "no_such_cell"
    assert repository.load(match.id, upto=before.version + 9) == before
    assert not services.submit(**submission, key="k").replayed


def test_seat_may_play_only_its_own_turn() -> None:
    match = match_of_two()
    submission = move(match)
    other = 1 - submission["seat"]
    player = str(repository.load(match.id).lifecycle.players[other])
    assert (
        refusal_of(lambda: services.submit(**submission | {"seat": other, "player": player}, key="k"))
        == "not_your_turn"
    )


def test_move_before_the_start_or_after_the_end_is_refused() -> None:
    mira, tobias = new_account(), new_account()
    match = waiting_match("pyramid_poker", mira, tobias)
    resign = {"match_id": match.id, "seat": 0, "player": str(mira.id), "command": Resign(), "fingerprint": b""}
    assert refusal_of(lambda: services.submit(**resign, key="k")) == "not_started"
    services.start(match_id=match.id, by=match.opened_by_id, reason="")
    services.submit(**resign, key="k")
    play_to_the_end(match)
    again = resign | {"seat": 1, "player": str(tobias.id)}
    assert refusal_of(lambda: services.submit(**again, key="k")) == "match_over"


def test_match_row_equals_its_log_at_every_version() -> None:
    mira = new_account()
    match, rng = running_match("pyramid_poker", mira, BOT), Random(3)
    while match.status == "running":
        match_state = repository.load(match.id)
        prompts = [prompt.seat for prompt in match_state.due.prompts]
        assert (match.version, match.status) == (match_state.version, match_state.lifecycle.status)
        assert match.needs == [mira.id] * (0 in prompts)
        assert match.wake == (match_state.due.dealer or 1 in prompts)
        assert match.finished_at is None
        if match_state.due.dealer:
            services.deal(match_id=match.id, expected=match_state.version)
        else:
            send(match.id, prompts[0], rng)
        match.refresh_from_db()
    assert (match.needs, match.wake, match.status) == ([], False, "finished")
    assert match.finished_at == store.read(match.id)[-1].at
    assert_unbroken(match)
