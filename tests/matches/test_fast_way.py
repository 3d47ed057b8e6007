"""The fast way stores what the stream transaction would have stored, and leaves to it whatever isn't a usual move."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import connections
from django.utils import timezone

from events import estimated_clock, store, verifying
from games import catalogue
from matches.domain.clocks import ClockTimes
from matches.http.authentication import Credential, SignedOut, refuse_signed_out
from matches.models import AccessToken, Account, Match
from matches.reads.permissions import may_see
from matches.realtime import access
from matches.seasons.models import Member, Season
from matches.services import fast_way, hosting, offering, pace, playing, preparing
from matches.services.fast_way import FellBack, submit_at_once
from matches.storage import outages, repository, seeds
from matches.storage.batch import Sender, password_fingerprint
from tests.events.staging import locked
from tests.matches.quick import on_a_loop, send, sender_of, usual
from tests.matches.test_scheduled import set_up
from tests.table_setting import new_account, play_on, running_match

LEAVE_NOW_AND_THEN = (
    fast_way.NOT_IN_MEMORY, fast_way.SLOW, fast_way.NOT_STORED, fast_way.NOT_TAKEN,
)  # fmt: skip
"""Reasons for which a usual move may leave the fast way: the first move of a match in a process, a game that decides
slowly, and on a busy machine a command that took longer than the database believes.
"""


@pytest.fixture
def table() -> Match:
    """Two people at a pyramid, who have both moved."""
    match = running_match("pyramid_poker", new_account(), new_account())
    play_on(match, 4)
    return match


def row(match: Match) -> dict[str, Any]:
    """The match's row as it stands, but for what no move changes."""
    return Match.objects.filter(id=match.id).values("version", "status", "needs", "wake", "changed_at", "finished_at")[
        0
    ]


def flag(match: Match) -> Any:
    """Return the time at which the next flag falls."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT falls_at FROM matches_deadline WHERE match_id = %s", [match.id])
        return cursor.fetchone()


@pytest.mark.parametrize("game", sorted(catalogue))
def test_fast_path_stores_what_a_fresh_load_folds(game: str) -> None:
    times = {name: ClockTimes(base=600) for name in catalogue[game].clocks}
    match, moves, stored = running_match(game, new_account(), new_account(), clocks=times), 0, 0
    while moves < 12 and (before := repository.load(match.id)).outcome is None:
        if before.due.dealer:
            playing.deal(match_id=match.id, expected=before.version)
            continue
        result, moves = send(match), moves + 1
        if isinstance(result, FellBack):
            assert result.why in LEAVE_NOW_AND_THEN
            play_on(match, 1)
            continue
        stored += 1
        thought = repository.cached_state(match.id)
        repository._cache.clear()
        assert repository.load(match.id) == thought and verifying.verify(match.id) is None
        assert playing.stored_answer(
            match_id=match.id, player=store.read(match.id)[-1].actor, key=f"at {before.version}"
        ) == result._replace(replayed=True)
    assert stored
    by_hand, armed = row(match), flag(match)
    state = repository.load(match.id)
    assert by_hand["version"] == state.version and by_hand["status"] == state.lifecycle.status
    hosting.rule(match_id=match.id, by=match.opened_by_id, text="What a transaction writes is the same.")
    after = row(match)
    for column in ("status", "needs", "wake", "finished_at"):
        assert after[column] == by_hand[column]
    assert flag(match) == armed


def test_first_move_of_a_seat_accepts_the_match() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    preparing.prepare(match.id)
    mover = repository.load(match.id).due.prompts[0].seat
    assert awaited(match) == repository.load(match.id).lifecycle.awaited == (0, 1)
    assert not isinstance(send(match), FellBack)
    assert awaited(match) == repository.load(match.id).lifecycle.awaited == (1 - mover,)


def awaited(match: Match) -> tuple[int, ...]:
    """The seats whose rows say that they have yet to accept."""
    return tuple(match.seats.filter(awaited=True).order_by("number").values_list("number", flat=True))


def test_last_move_is_stored_with_the_end_of_the_match() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    while not isinstance(result := send_on(match), type(None)):
        assert not isinstance(result, FellBack) or result.why in LEAVE_NOW_AND_THEN
    state = repository.load(match.id)
    assert state.lifecycle.seed is not None and verifying.verify(match.id) is None
    listed = row(match)
    assert (listed["status"], listed["needs"]) == ("finished", []) and listed["finished_at"] == listed["changed_at"]


def send_on(match: Match) -> playing.Accepted | FellBack | None:
    """One more move, by the other way where the fast one is left; None at the end."""
    if repository.load(match.id).outcome is not None:
        return None
    result = send(match)
    if isinstance(result, FellBack):
        play_on(match, 1)
    return result


def forget(match: Match) -> None:
    repository._cache.clear()
    repository.load(match.id, 0)
    repository.load(match.id, 1)


def pause(match: Match) -> None:
    hosting.pause(match_id=match.id, by=match.opened_by_id, reason="Tea.")


def stand_in(match: Match) -> None:
    seat = repository.load(match.id).due.prompts[0].seat
    hosting.seat_stand_in(
        match_id=match.id, by=match.opened_by_id, seat=1 - seat, player="bot", reason="The train is late."
    )


def offer(match: Match) -> None:
    seat = repository.load(match.id).due.prompts[0].seat
    player = repository.load(match.id).lifecycle.players[1 - seat]
    offering.make_offer(match_id=match.id, player=player, kind="pause")


LEAVES: dict[str, tuple[Callable[[Match], None] | None, dict[str, Any]]] = {
    fast_way.OTHER_VERSION: (None, {"expected": 3}),
    fast_way.NOTATION: (None, {"command": playing.Typed("first 1")}),
    fast_way.NOT_RUNNING: (pause, {}),
    fast_way.STAND_INS: (stand_in, {}),
    fast_way.REFUSED: (None, {"command": {"type": "nonsense"}}),
}


@pytest.mark.parametrize("why", LEAVES)
def test_unusual_move_falls_back_with_its_reason_and_stores_nothing(table: Match, why: str) -> None:
    before_it, other = LEAVES[why]
    if before_it:
        before_it(table)
    submission = usual(table, **other) if why != fast_way.NOT_RUNNING else _of_seat_0(table)
    before = store.head(table.id)
    sender = sender_of(Account.objects.get(id=submission.player))
    assert on_a_loop(lambda: submit_at_once(submission, sender)) == FellBack(why)
    assert store.head(table.id) == before


def _of_seat_0(match: Match) -> Any:
    """A command while the match stands still."""
    hosting.resume(match_id=match.id, by=match.opened_by_id, reason="Tea is over.")
    submission = usual(match)
    pause(match)
    seen = repository.cached_state(match.id)
    assert seen is not None
    return submission._replace(expected=seen.version)


def test_open_offer_falls_back(table: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(table)
    assert send(table) == FellBack(fast_way.OFFERS)


def test_uncached_match_falls_back(table: Match) -> None:
    submission = usual(table)
    forget(table)
    assert on_a_loop(
        lambda: submit_at_once(submission, sender_of(Account.objects.get(id=submission.player)))
    ) == FellBack(fast_way.NOT_CACHED)


def test_uncached_seed_falls_back() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    play_on(match, 4)
    submission = usual(match)
    seeds._chance.cache_clear()
    seeds._unsealed.cache_clear()
    sender = sender_of(Account.objects.get(id=submission.player))
    assert on_a_loop(lambda: submit_at_once(submission, sender)) == FellBack(fast_way.NOT_IN_MEMORY)


def test_slow_game_falls_back_until_its_decisions_are_fast_again(table: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_long", {"pyramid_poker": 2.0})
    assert send(table) == FellBack(fast_way.SLOW)
    for _ in range(50):
        with pace.measured("pyramid_poker"):
            pass
    assert isinstance(send(table), playing.Accepted)


def test_game_is_slow_after_two_long_decisions_and_not_after_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_long", {})
    thread_time = 0.0
    monkeypatch.setattr(pace.time, "thread_time", lambda: thread_time)

    def decide(seconds: float) -> bool:
        nonlocal thread_time
        with pace.measured("pentagram"):
            thread_time += seconds
        return pace.is_slow("pentagram")

    is_slow = [decide(0.03), *(decide(0.001) for _ in range(30)), decide(0.006)]
    assert is_slow == [False] * 31 + [True]
    assert [decide(0.001) for _ in range(100)][-1] is False


def test_unknown_outage_state_falls_back(table: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "is_current", lambda: False)
    assert send(table) == FellBack(fast_way.OUTAGE)


def test_command_after_a_fallen_flag_is_not_stored() -> None:
    match = running_match("pyramid_poker", new_account(), new_account(), clocks={"turn": ClockTimes(base=1)})
    play_on(match, 4)
    late = repository.load(match.id).at + 3_000_000
    submission = usual(match)
    sender = sender_of(Account.objects.get(id=submission.player))
    before = store.head(match.id)

    async def later() -> Any:
        now = estimated_clock.now()
        assert now is not None
        # The database bears it out: the seconds pass.
        await asyncio.sleep(max(0.0, late / 1_000_000 - now.timestamp()))
        estimated_clock._reading = None
        return await submit_at_once(submission, sender)

    assert on_a_loop(later) in (FellBack(fast_way.NOT_TAKEN), FellBack(fast_way.NOT_STORED))
    assert store.head(match.id) == before


def test_command_on_a_version_another_process_has_left_is_not_stored(table: Match) -> None:
    state = repository.load(table.id)
    submission = usual(table)
    play_on(table, 1)
    moved = store.head(table.id)
    repository._cache.clear()
    repository.remember(table.id, state)
    assert on_a_loop(
        lambda: submit_at_once(submission, sender_of(Account.objects.get(id=submission.player)))
    ) == FellBack(fast_way.NOT_STORED)
    assert store.head(table.id) == moved


def test_retry_gets_the_first_response_by_the_other_path(table: Match) -> None:
    state, submission = repository.load(table.id), usual(table)
    first = send(table)
    assert isinstance(first, playing.Accepted)
    repository._cache.clear()
    repository.remember(table.id, state)
    sender = sender_of(Account.objects.get(id=submission.player))
    assert on_a_loop(lambda: submit_at_once(submission, sender)) == FellBack(fast_way.NOT_STORED)
    again = playing.submit(**{**submission._asdict(), "command": submission.command})
    assert again == first._replace(replayed=True)


def test_match_locked_by_another_falls_back_without_waiting(table: Match) -> None:
    with locked(table.id):
        result = on_a_loop(lambda: submit_at_once(usual(table), _sender(table)))
    assert result == FellBack(fast_way.NOT_STORED)


def test_move_before_the_scheduled_opening_falls_back() -> None:
    match, _, _ = set_up(timezone.now() + timedelta(hours=2))
    preparing.prepare(match.id)
    head = store.head(match.id)
    assert send(match) in (FellBack(fast_way.NOT_TAKEN), FellBack(fast_way.NOT_STORED))
    assert store.head(match.id) == head


def _sender(match: Match) -> Sender:
    seat = repository.load(match.id).due.prompts[0].seat
    return sender_of(Account.objects.get(id=repository.load(match.id).lifecycle.players[seat]))


def revoked(sender: Sender) -> Sender:
    AccessToken.objects.filter(id=sender.token).update(revoked_at=timezone.now())
    return sender


def expired(sender: Sender) -> Sender:
    AccessToken.objects.filter(id=sender.token).update(expires_at=timezone.now())
    return sender


def inactive(sender: Sender) -> Sender:
    Account.objects.filter(id=sender.account).update(is_active=False)
    return sender


def of_somebody_else(sender: Sender) -> Sender:
    return sender._replace(token=sender_of(new_account()).token)


def by_nothing(sender: Sender) -> Sender:
    return sender._replace(token=None)


def by_session(sender: Sender) -> Sender:
    session = SessionStore()
    session.create()
    password = Account.objects.get(id=sender.account).password
    return sender._replace(token=None, session=session.session_key, password=password_fingerprint(password))


def signed_out(sender: Sender) -> Sender:
    signed_in = by_session(sender)
    SessionStore(signed_in.session).delete()
    return signed_in


def by_an_expired_session(sender: Sender) -> Sender:
    signed_in = by_session(sender)
    Session.objects.filter(session_key=signed_in.session).update(expire_date=timezone.now())
    return signed_in


def with_another_password(sender: Sender) -> Sender:
    signed_in = by_session(sender)
    Account.objects.filter(id=sender.account).update(password="another")
    return signed_in


def _season(public: bool) -> Season:
    """A season's row alone, so long ago that no list begins with it."""
    long_ago = timezone.now() - timedelta(days=3650)
    return Season.objects.create(
        id=uuid4(), title="A cup", status="finished", version=1, public=public, opened_by=new_account(),
        opened_at=long_ago, changed_at=long_ago,
    )  # fmt: skip


def of_a_private_season(sender: Sender) -> Sender:
    return sender._replace(season=_season(public=False).id)


def of_a_public_season(sender: Sender) -> Sender:
    return sender._replace(season=_season(public=True).id)


def of_their_own_season(sender: Sender) -> Sender:
    season = _season(public=False)
    Member.objects.create(season=season, account_id=sender.account, role="player")
    return sender._replace(season=season.id)


def as_an_organiser(sender: Sender) -> Sender:
    Account.objects.filter(id=sender.account).update(is_organiser=True)
    return of_a_private_season(sender)


who = pytest.mark.parametrize(
    ("become", "may"),
    [
        (revoked, False), (expired, False), (inactive, False), (of_somebody_else, False), (by_nothing, False),
        (by_session, True), (signed_out, False), (by_an_expired_session, False), (with_another_password, False),
        (of_a_private_season, False), (of_a_public_season, True), (of_their_own_season, True), (as_an_organiser, True),
    ],
    ids=lambda it: it.__name__ if callable(it) else "",
)  # fmt: skip


@who
def test_sender_who_lost_the_right_to_play_is_refused_in_the_same_transaction(
    table: Match, become: Callable[[Sender], Sender], may: bool
) -> None:
    before, submission, sender = store.head(table.id), usual(table), become(_sender(table))
    result = on_a_loop(lambda: submit_at_once(submission, sender))
    assert (result == FellBack(fast_way.NOT_STORED)) is not may
    assert (store.head(table.id) == before) is not may


@who
def test_other_checks_of_a_sender_agree_with_those_in_the_statement(
    table: Match, become: Callable[[Sender], Sender], may: bool
) -> None:
    sender = _sender(table)
    proof = Account.objects.get(id=sender.account).get_session_auth_hash()
    sender = become(sender)
    Match.objects.filter(id=table.id).update(season=sender.season)
    credential = Credential(sender.token, sender.session or "", proof)
    held, watched = {(sender.account, credential)}, {(sender.account, table.id)}
    assert (not access.refused(held) and not access.unseen(watched)) is may
    try:
        refuse_signed_out(sender.account, credential)
    except SignedOut:
        assert not may
    else:
        assert may_see(table.id, sender.account) is may


def test_command_is_answered_although_its_listener_fails(table: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(fast_way, "listeners", [fail])
    assert isinstance(send(table), playing.Accepted)


def test_commands_of_many_matches_are_stored_together_and_published_after_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    matches = [running_match("pyramid_poker", new_account(), new_account()) for _ in range(5)]
    for match in matches:
        play_on(match, 4)
    pairs = [(usual(match), _sender(match)) for match in matches]
    published = list[Any]()

    def tell(match_id: Any, before: Any, rows: Any) -> None:
        published.append((match_id, before.version, rows))

    accepted = set[Any]()

    async def together() -> list[Any]:
        answers = await asyncio.gather(*(submit_at_once(submission, sender) for submission, sender in pairs))
        accepted.update(
            it.match_id for (it, _), answer in zip(pairs, answers, strict=True) if not isinstance(answer, FellBack)
        )
        return answers

    monkeypatch.setattr(fast_way, "listeners", [tell])
    on_a_loop(together)
    assert {it[0] for it in published} == accepted == {match.id for match in matches}
    for match_id, before, rows in published:
        assert store.read(match_id, after=before) == rows
