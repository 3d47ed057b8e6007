"""Pruning of rows: each kind has a rule, and rows that may still be needed stay."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from uuid import UUID, uuid4

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command

from events import snapshots, store
from events.snapshots import Snapshot
from events.store import StreamTransaction
from matches.domain.clocks import ClockTimes
from matches.models import AccessToken, Account, Deadline, Match, Notice, Webhook
from matches.storage import repository
from matches.workers import pruning
from tests.events.staging import counted, keys, new_stream, owner
from tests.table_setting import new_account, new_token, play_on, play_to_the_end, running_match


def set_back(stream: UUID) -> None:
    """Let the stream's keys be more than two days old."""
    with owner() as hand:
        hand.execute("UPDATE events_key SET at = at - interval '49 hours' WHERE stream = %s", [stream])


def test_keys_of_finished_matches_are_pruned_after_two_days() -> None:
    old, young, running = (running_match("pyramid_poker") for _ in range(3))
    for match in (old, young):
        play_to_the_end(match)
    play_on(running, 3)
    other = new_stream(length=1)
    with StreamTransaction(other, actor="mira", key="once for all") as it:
        it.append([counted(2)], expected=1, fingerprint=b"", response=lambda _: b"{}")
    for stream in (old.id, other, running.id):
        set_back(stream)
    young_keys = keys(young.id)
    assert keys(old.id) and young_keys
    pruning.prune()
    assert (keys(old.id), keys(young.id), keys(other)) == (0, young_keys, 1)
    assert keys(running.id)


def has_deadline(match: Match) -> bool:
    """True if the match has a row for the time of its next flag, even an empty one."""
    return Deadline.objects.filter(match_id=match.id).exists()


def test_empty_deadline_rows_are_pruned_two_days_after_the_end() -> None:
    clocks = {"turn": ClockTimes(base=300)}
    old, young, running = (running_match("pyramid_poker", clocks=clocks) for _ in range(3))
    for match in (old, young):
        play_to_the_end(match)
    play_on(running, 3)
    matches = (old, young, running)
    assert all(map(has_deadline, matches))
    Match.objects.filter(id__in=[old.id, running.id]).update(changed_at=store.clock() - timedelta(hours=49))
    pruning.prune()
    assert [*map(has_deadline, matches)] == [False, True, True]
    Deadline.objects.filter(match_id=running.id).delete()
    play_on(running, 1)
    assert has_deadline(running), "a match that goes on has one, whether it had one before or not"


def test_snapshots_of_other_state_versions_are_pruned() -> None:
    stream = new_stream(length=2)
    snapshot = Snapshot(2, store.read(stream)[-1].hash, b"state")
    today, before = repository._reducer(0), "match/0/1/pyramid_poker-0"
    for reducer in (today, before, "counter/1"):
        snapshots.save(stream, reducer, snapshot)
    pruning.prune()
    left = [reducer for reducer in (today, before, "counter/1") if snapshots.load(stream, reducer, 2)]
    assert left == [today, "counter/1"]


def notice(account: Account, sent_days_ago: float | None) -> UUID:
    """A notice of a webhook's, sent so long ago, or not yet."""
    at = store.clock()
    webhook, _ = Webhook.objects.get_or_create(
        account=account, defaults={"sealed_url": b"x", "secret": b"x", "made_at": at, "looked_at": at}
    )
    sent_at = None if sent_days_ago is None else at - timedelta(days=sent_days_ago)
    long_ago = at - timedelta(days=200)
    row = Notice.objects.create(
        webhook=webhook, kind="test", about=str(uuid4()), text="", version=0, made_at=long_ago,
        next_try_at=long_ago, sent_at=sent_at,
    )  # fmt: skip
    return row.id


def test_notices_are_pruned_long_after_delivery() -> None:
    account = new_account()
    old, young, waiting = notice(account, 91), notice(account, 80), notice(account, None)
    pruning.prune()
    left = set(Notice.objects.filter(webhook__account=account).values_list("id", flat=True))
    assert (old in left, young in left, waiting in left) == (False, True, True)


def session(days: float) -> Callable[[], bool]:
    """A session that ends in so many days; whether it is still there."""
    row = Session.objects.create(
        session_key=uuid4().hex, session_data="", expire_date=store.clock() + timedelta(days=days)
    )
    return Session.objects.filter(session_key=row.session_key).exists


def token(account: Account, **ended: float) -> Callable[[], bool]:
    """A token that expired, or was revoked, so many days ago; whether it is still there."""
    new_token(account)
    row = AccessToken.objects.filter(account=account).latest("made_at")
    at = {f"{what}_at": store.clock() - timedelta(days=days) for what, days in ended.items()}
    AccessToken.objects.filter(id=row.id).update(**at)
    return AccessToken.objects.filter(id=row.id).exists


def test_expired_sessions_and_tokens_are_pruned() -> None:
    account = new_account()
    ended = [session(-0.1), token(account, expires=31), token(account, revoked=31)]
    valid = [session(1), token(account), token(account, expires=29), token(account, revoked=1)]
    pruning.prune()
    assert [it() for it in ended] == [False] * len(ended) and [it() for it in valid] == [True] * len(valid)


def test_pruning_continues_beyond_one_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "_BATCH", 2)
    ended = [session(-1) for _ in range(5)]
    assert pruning.prune()["sessions"] >= 5
    assert not any(it() for it in ended)


def test_dry_run_lists_every_rule_and_prunes_nothing() -> None:
    ended, out = session(-1), StringIO()
    call_command("prune", "--dry-run", stdout=out)
    output = out.getvalue()
    assert all(f"\n{rule.name} " in f"\n{output}" and rule.why in output for rule in pruning.RULES)
    assert ended() and "Pruned" not in output
    call_command("prune", stdout=out)
    assert not ended() and "Pruned: " in out.getvalue()
