"""One talk hub per match or season and process: it reads what is new once for all listeners with the same rights."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from uuid import UUID

import msgspec
import structlog

from matches.http import renderers
from matches.http.database_threads import reading_talk
from matches.models.talk import Remark
from matches.reads.documents.talk import TalkFrame
from matches.realtime.connections import UNSEEN, Connection
from matches.realtime.talk_access import Hearing, hearing
from matches.talk import reading
from matches.talk.reading import Ears

log = structlog.get_logger(__name__)

Audience = tuple[str, Ears]
"""A thread, and how its listeners may read it."""

REST_SECONDS = 0.25
"""Remarks within this time are sent together, so that many listeners read a busy thread in few frames."""
_LISTENERS_A_SECOND = 500
_LONGEST_REST = 2.0
_WOKEN_AT_ONCE = 50
_BREATH_SECONDS = 0.005
_DELAYED_LOOK_SECONDS = 0.5
_MOST_PENDING = 20
_BEATS_BETWEEN_REFRESHES = 15


class Listener:
    """A connection that receives a talk: all threads that its account may read, or `only` one."""

    def __init__(self, connection: Connection, *, only: str = "") -> None:
        self.connection = connection
        self.only = only
        self.ears_by_thread: dict[str, Ears] = {}
        self._texts: list[tuple[str, str]] = []

    def put(self, thread: str, texts: Collection[str]) -> None:
        """Queue frames. A client that reads too slowly gets the thread's latest remarks instead of all frames."""
        self._texts += [(thread, text) for text in texts]
        if len(self._texts) > _MOST_PENDING:
            self.reset()

    def reset(self) -> None:
        """Drop the queue; all threads are sent anew."""
        self._texts.clear()
        self.ears_by_thread.clear()

    def drop_thread(self, thread: str) -> None:
        """Remove a thread that the account may no longer read."""
        del self.ears_by_thread[thread]
        self._texts = [it for it in self._texts if it[0] != thread]

    def take(self) -> list[str]:
        """Return and clear the queued frames."""
        texts, self._texts = self._texts, []
        return [text for _, text in texts]


@dataclass
class Track:
    """The position of an audience in a thread. `frames` are its newest remarks by form, `whole` its latest page."""

    revision: int = -1
    erased: int = 0
    more: bool = False
    is_reset: bool = False
    frames: dict[str, list[str]] = field(default_factory=dict)
    whole: dict[str, str] = field(default_factory=dict)


class TalkHub:
    """The talk of a match or season with its listeners in this process."""

    def __init__(self, about: UUID) -> None:
        self.about = about
        self.listeners: set[Listener] = set()
        self._tracks: dict[Audience, Track] = {}
        self._sign: str | None = None
        self._wanted = asyncio.Event()
        self._delayed_refresh = asyncio.get_running_loop().call_soon(lambda: None)
        self._task = asyncio.create_task(self._run(), name=f"talk {about}")

    def request_refresh(self) -> None:
        """Request a refresh: remarks may be new or changed, or a listener's rights."""
        self._wanted.set()

    def check_sign(self, sign: str | None, beat: int) -> None:
        """Request a refresh if the sign (a summary of what affects the talk) has changed or is None, and at some beats
        of the pulse regardless, because rights may change without it."""
        if sign is None or sign != self._sign or (self.about.int + beat) % _BEATS_BETWEEN_REFRESHES == 0:
            self._sign = sign
            self.request_refresh()

    def stop(self) -> None:
        """Stop refreshing."""
        self._delayed_refresh.cancel()
        self._task.cancel()
        # The finished task would refer to this hub, and the cycle would keep both in memory.
        del self._task

    async def _run(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            try:
                await self._refresh()
            except Exception as error:  # the next hint or the pulse tries again
                log.warning("talk_unheard", about=str(self.about), error=type(error).__name__)
            await asyncio.sleep(min(REST_SECONDS + len(self.listeners) / _LISTENERS_A_SECOND, _LONGEST_REST))

    async def _refresh(self) -> None:
        """Load the listeners' rights anew each time, so that no thread is read for somebody who may not read it now."""
        listeners = list(self.listeners)
        accounts = {account for it in listeners if (account := it.connection.account)}
        hearings = await reading_talk(hearing)(self.about, accounts, {it.only for it in listeners})
        forms: dict[Audience, set[str]] = {}
        newcomers: dict[Audience, set[str]] = {}
        for it in listeners:
            for audience in _audiences(it, hearings):
                forms.setdefault(audience, set()).add(it.connection.form)
                if it.ears_by_thread.get(audience[0]) != audience[1]:
                    newcomers.setdefault(audience, set()).add(it.connection.form)
        reads = {
            audience: (self._tracks.get(audience, Track()), forms[audience], newcomers.get(audience, set()))
            for audience in forms
        }
        self._tracks = await reading_talk(_read)(self.about, reads)
        await self._send_news(listeners, hearings)
        if any(track.more for track in self._tracks.values()):
            self._delayed_refresh.cancel()
            self._delayed_refresh = asyncio.get_running_loop().call_later(_DELAYED_LOOK_SECONDS, self._wanted.set)

    async def _send_news(self, listeners: list[Listener], hearings: Mapping[UUID, Hearing]) -> None:
        for number, listener in enumerate(listeners, 1):
            self._queue_news(listener, _audiences(listener, hearings))
            if number % _WOKEN_AT_ONCE == 0:
                # Let a match's frames go out between those of its talk.
                await asyncio.sleep(_BREATH_SECONDS)

    def _queue_news(self, listener: Listener, audiences: list[Audience]) -> None:
        connection, form = listener.connection, listener.connection.form
        if listener.only and not audiences:
            connection.end(UNSEEN)
        for thread in listener.ears_by_thread.keys() - dict(audiences).keys():
            listener.drop_thread(thread)
            listener.put(thread, [_closed(thread)])
            connection.wake()
        for audience in audiences:
            (thread, ears), track = audience, self._tracks[audience]
            is_new = listener.ears_by_thread.get(thread) != ears or track.is_reset
            texts = [track.whole[form]] if is_new else track.frames.get(form, [])
            listener.ears_by_thread[thread] = ears
            if texts:
                listener.put(thread, texts)
                connection.wake()


def _audiences(listener: Listener, hearings: Mapping[UUID, Hearing]) -> list[Audience]:
    hearing_of_account = hearings.get(listener.connection.account, {}) if listener.connection.account else {}
    return [(thread, ears) for thread, ears in hearing_of_account.items() if listener.only in ("", thread)]


def _read(about: UUID, reads: Mapping[Audience, tuple[Track, set[str], set[str]]]) -> dict[Audience, Track]:
    """Read each audience's thread: new remarks in the given forms, and the latest page in the forms of newcomers."""
    return {audience: _next_track(about, audience, *read) for audience, read in reads.items()}


def _next_track(about: UUID, audience: Audience, track: Track, forms: set[str], newcomers: set[str]) -> Track:
    thread, ears = audience
    # Read as many as possible: with fewer than are written between two refreshes, the hub would fall further behind.
    news = reading.news(about, thread, ears, max(0, track.revision), reading.MOST)
    is_begun = track.revision >= 0
    # Clients still show what was erased, or lost by a failover.
    is_reset = is_begun and (news.erased != track.erased or news.revision < track.revision)
    remarks = news.remarks if is_begun else []
    whole = {}
    if forms_of_page := forms if is_reset else newcomers:
        latest, _ = reading.page(about, thread, ears)
        whole = {form: _frame(form, about, thread, latest, whole=True) for form in forms_of_page}
    parts = [remarks[begin : begin + reading.USUAL] for begin in range(0, len(remarks), reading.USUAL)]
    frames = {form: [_frame(form, about, thread, part) for part in parts] for form in forms} if remarks else {}
    return Track(news.revision, news.erased, news.more, is_reset, frames, whole)


def _frame(form: str, about: UUID, thread: str, remarks: list[Remark], *, whole: bool = False) -> str:
    if form:
        return renderers.talk(form, about, thread, remarks, whole=whole)
    return msgspec.json.encode(TalkFrame(thread, whole, reading.documents(remarks))).decode()


def _closed(thread: str) -> str:
    """Return the frame that says that a thread can no longer be read."""
    return msgspec.json.encode(TalkFrame(thread, True, [], closed=True)).decode()
