"""Talk as it is told live: over a match's socket where it is asked for, and as streams of its own."""

import json
from contextlib import ExitStack
from typing import Any
from uuid import UUID

from django.db import connection

from matches.accounts import erasure
from matches.models import Account
from matches.models.talk import Remark, Thread
from matches.realtime import talk_hub
from matches.talk import reading
from tests.api.guests import Guest, guest, started
from tests.live.test_streams import SSE, frames, stream
from tests.live.watching import House, Watcher
from tests.table_setting import new_token


def say(who: Guest, match: str, text: str, thread: str = "spectators") -> None:
    assert who.post(f"/matches/{match}/remarks", {"text": text, "thread": thread}).status == 201


def read_until_remark(watcher: Watcher, thread: str, text: str) -> None:
    """Read frames until a thread has a remark with this text."""

    def is_told(frame: dict[str, Any]) -> bool:
        return frame.get("thread") == thread and text in [it["text"] for it in frame["remarks"]]

    if not any(map(is_told, watcher.frames)):
        watcher.until(is_told)


def test_seat_gets_table_talk_and_the_spectators_after_the_end(web: House) -> None:
    player, other, spectator = guest(), guest(), guest()
    match = started("pyramid_poker", player, other)
    say(spectator, match, "Before you came.")
    with ExitStack() as held:
        seat = held.enter_context(web.watch(player, match, "?talk=1"))
        watcher = held.enter_context(web.watch(spectator, match, "?talk=1"))
        deaf = held.enter_context(web.watch(spectator, match))
        read_until_remark(watcher, "spectators", "Before you came.")
        say(spectator, match, "The nine is next.")
        say(other, match, "Good luck.", "table")
        read_until_remark(watcher, "spectators", "The nine is next.")
        read_until_remark(watcher, "table", "Good luck.")
        read_until_remark(seat, "table", "Good luck.")
        say(other, match, "And again.", "table")
        read_until_remark(seat, "table", "And again.")
        assert "nine" not in "".join(seat.raw) and '"spectators"' not in "".join(seat.raw)
        deaf.say(kind="resync", after=0)
        deaf.follow("events")
        assert not any(it["kind"] == "talk" for it in deaf.frames)


def test_talk_stream_opens_to_a_seat_after_the_end_and_sends_hidden_remarks(web: House) -> None:
    host, player, other, spectator = guest(), guest(), guest(), guest()
    match = started("pyramid_poker", player, other, opener=host)
    say(spectator, match, "He holds the nine.")
    path = f"/matches/{match}/remarks?thread=spectators"
    with stream(web, player, path) as refused:
        assert refused.status_code == 403
    player.send(match, {"type": "resign"})
    with stream(web, player, path) as response:
        frames_read = frames(response)
        assert next(frames_read)["remarks"][0]["text"] == "He holds the nine."
        assert next(frames_read)["whole"] is True
        host.post(f"/matches/{match}/remarks/spectators/1/hide", {"reason": "Named a brick."})
        hidden = next(frames_read)
        assert (hidden["whole"], hidden["remarks"][0]["text"]) == (False, "")
        assert hidden["remarks"][0]["hidden"]["reason"] == "Named a brick."
        erasure.erase(UUID(spectator.id))
        assert next(frames_read) == {"kind": "talk", "thread": "spectators", "whole": True, "remarks": []}


def test_one_read_of_a_talk_takes_all_new_remarks() -> None:
    """Otherwise who listens to a busy thread falls ever further behind; no frame is longer for it."""
    spectator = guest()
    match = started("pyramid_poker", guest(), guest())
    say(spectator, match, "One.")
    about, way = UUID(match), ("spectators", reading.Ears())
    track = talk_hub._next_track(about, way, talk_hub.Track(), {""}, {""})
    thread = Thread.objects.get(about=match, name="spectators")
    lines = [f"Line {number}." for number in range(3 * reading.USUAL + 1)]
    for text in lines:
        Remark.objects.create(thread=thread, account_id=spectator.id, text=text, at_version=1, match_id=match)
    next_track = talk_hub._next_track(about, way, track, {""}, set())
    lists = [json.loads(frame)["remarks"] for frame in next_track.frames[""]]
    assert [len(it) for it in lists] == [reading.USUAL] * 3 + [1] and not next_track.more
    assert [it["text"] for part in lists for it in part] == lines


def test_thread_that_was_set_back_is_sent_in_full_and_continues() -> None:
    """Simulate a failover to a standby without the last remarks: the same revisions come again with other texts."""
    player, other, spectator = guest(), guest(), guest()
    match = started("pyramid_poker", player, other)
    way = ("spectators", reading.Ears())
    for text in ("One.", "Two.", "Three."):
        say(spectator, match, text)
    first_track = talk_hub._next_track(UUID(match), way, talk_hub.Track(), {""}, {""})
    Remark.objects.filter(thread__about=match, text__in=("Two.", "Three.")).delete()
    Thread.objects.filter(about=match).update(revision=1, numbered=1)
    back = talk_hub._next_track(UUID(match), way, first_track, {""}, set())
    assert back.is_reset and back.revision == 1
    assert "One." in back.whole[""] and "Two." not in back.whole[""]
    say(spectator, match, "Another two.")
    (frame,) = talk_hub._next_track(UUID(match), way, back, {""}, set()).frames[""]
    assert "Another two." in frame


def test_talk_events_are_named_and_contain_no_internal_id(web: House) -> None:
    player, spectator = guest(), guest()
    match = started("pyramid_poker", player, guest())
    say(spectator, match, "One.")
    with stream(web, spectator, f"/matches/{match}/remarks", SSE) as response:
        lines = response.iter_lines()
        assert next(lines) == "event: talk"
        frame = json.loads(next(lines).removeprefix("data: "))
    assert frame["remarks"][0].keys() == {"number", "account", "at_version", "text", "said_at"}


def test_delayed_spectator_gets_table_talk_late_and_other_talk_at_once(web: House) -> None:
    player, spectator = guest(), guest()
    match = started("pyramid_poker", player, guest(), spectator_delay=300)
    say(player, match, "I place the nine next.", "table")
    say(spectator, match, "Who begins?")
    with web.watch(spectator, match, "?talk=1") as late, web.watch(player, match, "?talk=1") as seat:
        read_until_remark(seat, "table", "I place the nine next.")
        read_until_remark(late, "spectators", "Who begins?")
        say(spectator, match, "Well?")
        read_until_remark(late, "spectators", "Well?")
        assert "nine" not in "".join(late.raw)
        with connection.cursor() as cursor:
            age = "UPDATE web_remark SET said_at = said_at - interval '301 s' FROM web_thread t"
            cursor.execute(f"{age} WHERE t.id = thread_id AND t.about = %s AND t.name = 'table'", [match])
        read_until_remark(late, "table", "I place the nine next.")


def test_reader_who_loses_access_gets_only_the_closing_frame(web: House) -> None:
    host, spectator = guest(), guest()
    match = started("pyramid_poker", guest(), guest(), opener=host)
    say(spectator, match, "Hello.")
    with web.watch(spectator, match, "?talk=1") as watcher:
        read_until_remark(watcher, "spectators", "Hello.")
        host.ask("PUT", f"/matches/{match}/talk", b'{"open_to": "members"}')
        closed = {watcher.until(lambda it: it.get("closed") is True)["thread"] for _ in range(2)}
        assert closed == {"table", "spectators"}
        watcher.frames.clear()
        host.ask("PUT", f"/matches/{match}/talk", b'{"open_to": "all"}')
        read_until_remark(watcher, "spectators", "Hello.")


def test_token_gets_talk_only_with_its_scope(web: House) -> None:
    spectator = guest()
    match = started("pyramid_poker", guest(), guest())
    account = Account.objects.get(id=spectator.id)
    reader = Guest(new_token(account, scopes=["match:read"]), account)
    with web.socket(match, "?talk=1") as line:
        watcher = Watcher(line)
        watcher.say(kind="auth", token=reader.token)
        assert watcher.end()[0] == 4403
