"""The database was set back under a process that goes on: it tells what the database holds, and nothing of before."""

from random import Random
from typing import Any
from uuid import UUID

import pytest

from events import snapshot_writer, snapshots, store, verifying
from events.records import NOWHERE
from games.kernel import HOST, SPECTATOR, Witness
from matches import services
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.reads import feed
from matches.storage import repository, seeds
from matches.storage.repository import NoSuchMatch
from tests.lost import another_process, backup, restore
from tests.table_setting import new_account, play_on, running_match, send, waiting_match

WITNESSES: tuple[Witness, ...] = (HOST, SPECTATOR, 0, 1)


def known_here(match_id: UUID) -> dict[Witness, MatchState]:
    """The match as everybody at it is told it by this process."""
    return {witness: repository.load(match_id, witness) for witness in WITNESSES}


def in_truth(match_id: UUID, monkeypatch: pytest.MonkeyPatch) -> dict[Witness, MatchState]:
    """Return the states that a newly started process loads."""
    with another_process(monkeypatch):
        return known_here(match_id)


def moved_on(commands: int) -> Match:
    """A match between two people, so many commands old."""
    match = running_match("pyramid_poker", new_account(), new_account())
    play_on(match, commands)
    return match


def with_another_history(monkeypatch: pytest.MonkeyPatch, length: int = 3) -> tuple[Match, dict[Witness, MatchState]]:
    """A match that was set back and has gone on elsewhere by as many other commands; and what is known of it here."""
    match = moved_on(4)
    saved = backup(match.id)
    play_on(match, length, Random(1))
    cached = known_here(match.id)
    restore(match.id, saved)
    with another_process(monkeypatch):
        play_on(match, length, Random(2))
    assert match.version == cached[HOST].version, "The two histories are alike in nothing but their length."
    return match, cached


def test_reader_of_lost_events_is_served_the_restored_log(monkeypatch: pytest.MonkeyPatch) -> None:
    match = moved_on(4)
    saved, left = backup(match.id), match.version
    play_on(match, 5)
    known_here(match.id)
    restore(match.id, saved)
    assert known_here(match.id) == in_truth(match.id, monkeypatch)
    assert feed.view(match.id, 0, upto=match.version).version == left
    play_on(match, 3)
    assert known_here(match.id) == in_truth(match.id, monkeypatch)
    assert verifying.verify(match.id) is None


@pytest.mark.parametrize("witness", WITNESSES, ids=str)
def test_another_history_of_the_same_length_replaces_every_cached_fold(
    witness: Witness, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, cached = with_another_history(monkeypatch)
    assert repository.load(match.id, witness).hash != cached[HOST].hash
    assert known_here(match.id) == in_truth(match.id, monkeypatch)


def test_earlier_version_is_read_from_the_restored_log(monkeypatch: pytest.MonkeyPatch) -> None:
    match = moved_on(4)
    saved = backup(match.id)
    play_on(match, 3, Random(1))
    at = match.version
    play_on(match, 3, Random(1))
    view = repository.load(match.id, 0, upto=at)
    restore(match.id, saved)
    with another_process(monkeypatch):
        play_on(match, 6, Random(2))
    assert (
        repository.load(match.id, 0, upto=at).hash == store.read(match.id, after=at - 1, upto=at)[0].hash != view.hash
    )


def test_a_move_decided_on_a_lost_history_never_breaks_the_chain_of_the_other_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match, cached = with_another_history(monkeypatch)
    assert repository.last_seen(match.id) == cached[HOST], "So the move is stored at once, on what is known here."
    seat = in_truth(match.id, monkeypatch)[HOST].due.prompts[0].seat
    with another_process(monkeypatch):
        command = repository.load(match.id, seat).game.bot(repository.load(match.id, seat).state, seat, Random(3))
    accepted = services.submit(
        match_id=match.id, seat=seat, player=str(cached[HOST].lifecycle.players[seat]), command=command,
        key="mine", fingerprint=b"", expected=match.version,
    )  # fmt: skip
    assert accepted.version > match.version
    assert verifying.verify(match.id) is None
    assert known_here(match.id) == in_truth(match.id, monkeypatch)


def test_command_with_the_hash_it_was_decided_on_is_accepted_after_a_restore(monkeypatch: pytest.MonkeyPatch) -> None:
    match, cached = with_another_history(monkeypatch)
    now = in_truth(match.id, monkeypatch)[HOST]
    seat = now.due.prompts[0].seat
    submission: dict[str, Any] = {
        "match_id": match.id, "seat": seat, "player": str(now.lifecycle.players[seat]),
        "command": next(iter(now.game.legal(repository.load(match.id, seat).state, seat))),
        "key": "k", "fingerprint": b"", "expected": now.version,
    }  # fmt: skip
    with pytest.raises(services.VersionMoved):
        services.submit(**submission, held=cached[HOST].hash)
    assert repository.version_of(match.id) == now.version
    assert services.submit(**submission, held=now.hash).version > now.version


def test_lost_command_is_repeated_once_under_the_same_key() -> None:
    match = moved_on(4)
    saved = backup(match.id)
    seat = repository.load(match.id).due.prompts[0].seat
    first = send(match.id, seat, Random(5))
    player, key = str(repository.load(match.id).lifecycle.players[seat]), f"key {match.version}"
    stored = services.stored_answer(match_id=match.id, player=player, key=key)
    assert stored is not None and (stored.response, stored.replayed) == (first.response, True)
    restore(match.id, saved)
    assert services.stored_answer(match_id=match.id, player=player, key=key) is None
    again = send(match.id, seat, Random(5))
    assert (again.replayed, again.version) == (False, first.version)
    assert services.stored_answer(match_id=match.id, player=player, key=key) is not None


def test_match_opened_after_the_backup_does_not_exist() -> None:
    match = moved_on(2)
    known_here(match.id)
    restore(match.id, None)
    act = {"by": match.opened_by_id, "reason": "?"}
    for ask in (repository.load, repository.version_of, lambda match_id: services.pause(match_id=match_id, **act)):
        with pytest.raises(NoSuchMatch):
            ask(match.id)
    assert repository.last_seen(match.id) is None


def test_match_opened_again_after_a_restore_draws_from_its_own_seed() -> None:
    match = waiting_match("pyramid_poker")
    first = seeds.seed_of(match.id)
    known_here(match.id)
    restore(match.id, None)
    with pytest.raises(NoSuchMatch):
        repository.load(match.id)
    services.open_match(
        opener=match.opened_by_id, game="pyramid_poker", options={}, match_id=match.id,
        seats=[services.SeatRequest("bot"), services.SeatRequest("bot")],
    )  # fmt: skip
    assert seeds.seed_of(match.id) != first
    assert seeds.commitment(seeds.seed_of(match.id)) == repository.load(match.id).lifecycle.opened.seed_commitment


def test_snapshot_of_lost_events_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    match = moved_on(4)
    saved = backup(match.id)
    play_on(match, 4, Random(1))
    late = repository._snapshot(repository.load(match.id))
    restore(match.id, saved)
    snapshots.save(match.id, repository._reducer(HOST), late)
    monkeypatch.setattr(snapshots, "EVERY", 2)
    with another_process(monkeypatch):
        now = repository.load(match.id)
    assert snapshot_writer.writer().wait()
    assert snapshots.load(match.id, repository._reducer(HOST), store.LAST_VERSION) == repository._snapshot(now)


def test_headline_in_a_list_contains_no_lost_move(monkeypatch: pytest.MonkeyPatch) -> None:
    match = moved_on(1)
    saved = backup(match.id)
    play_on(match, 12, Random(1))
    late = feed.headline(match, SPECTATOR, ["one", "two"])
    restore(match.id, saved)
    match.refresh_from_db()
    assert feed.headline(match, SPECTATOR, ["one", "two"]) != late
    assert repository.load(match.id, SPECTATOR).version == match.version


@pytest.mark.parametrize("goes_on", [True, False])
def test_newcomer_is_served_the_database_state_after_a_restore(goes_on: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if goes_on:
        match, _ = with_another_history(monkeypatch)
    else:
        match = moved_on(4)
        saved = backup(match.id)
        play_on(match, 3, Random(1))
        known_here(match.id)
        restore(match.id, saved)
    now = store.clock()
    with another_process(monkeypatch):
        whole = {witness: feed.hello(match.id, witness, now) for witness in WITNESSES}
    greeted = feed.news(match.id, dict.fromkeys(WITNESSES, NOWHERE), now)
    assert greeted.hellos == whole
    assert set(greeted.reached.values()) == {greeted.newest} and greeted.newest == repository.end_of(match.id)


def test_news_names_the_witnesses_whose_history_was_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    match, cached = with_another_history(monkeypatch)
    lost = {witness: feed.Point(it.version, it.hash) for witness, it in cached.items()}
    assert feed.news(match.id, lost, store.clock()) == feed.News(
        {}, {}, (), NOWHERE, {}, tells_late=False, lost=frozenset(WITNESSES)
    )
    points = dict.fromkeys(WITNESSES, repository.end_of(match.id))
    assert feed.news(match.id, points, store.clock()).lost == frozenset()
