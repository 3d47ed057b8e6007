"""One talk hub a match or season and process: it reads what is new once, for all who hear the same in the same way."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from uuid import UUID

import msgspec
import structlog

from matches.http import renderers
from matches.http.database_threads import listening
from matches.models.talk import Remark
from matches.reads.documents import TalkFrame
from matches.realtime.connections import UNSEEN, Connection
from matches.realtime.talk_access import Hearing, hearing
from matches.talk import reading
from matches.talk.reading import Ears

log = structlog.get_logger(__name__)

Way = tuple[str, Ears]
"""A thread, and how it is heard."""

REST_SECONDS = 0.25
"""What is said meanwhile is told together: so many listeners read a busy thread in few frames."""
_LISTENERS_A_SECOND = 500
_LONGEST_REST = 2.0
_WOKEN_AT_ONCE = 50
_BREATH_SECONDS = 0.005
_RIPENING_SECONDS = 0.5
_MOST_PENDING = 20
_BEATS_BETWEEN_LOOKS = 15


class Listener:
    """A connection that hears a talk: all threads that its account reads, or `only` one."""

    def __init__(self, connection: Connection, *, only: str = "") -> None:
        self.connection = connection
        self.only = only
        self.heard: dict[str, Ears] = {}
        self._texts: list[tuple[str, str]] = []

    def put(self, thread: str, texts: Collection[str]) -> None:
        """Frames to be sent next. Who reads too slowly is told the thread anew instead of all that was said."""
        self._texts += [(thread, text) for text in texts]
        if len(self._texts) > _MOST_PENDING:
            self.forget()

    def forget(self) -> None:
        """Nothing that was read for it is sent any more; what it hears is told anew."""
        self._texts.clear()
        self.heard.clear()

    def lose(self, thread: str) -> None:
        """The account doesn't read this thread any more."""
        del self.heard[thread]
        self._texts = [it for it in self._texts if it[0] != thread]

    def take(self) -> list[str]:
        """The frames to be sent now."""
        texts, self._texts = self._texts, []
        return [text for _, text in texts]


@dataclass
class Track:
    """How far a thread has been read in one way: `frames` are its latest news by form, `whole` its latest remarks."""

    revision: int = -1
    erased: int = 0
    more: bool = False
    is_reset: bool = False
    frames: dict[str, list[str]] = field(default_factory=dict)
    whole: dict[str, str] = field(default_factory=dict)


class TalkHub:
    """The talk of one match or season, with those in this process who hear it."""

    def __init__(self, about: UUID) -> None:
        self.about = about
        self.listeners: set[Listener] = set()
        self._tracks: dict[Way, Track] = {}
        self._sign: str | None = None
        self._wanted = asyncio.Event()
        self._ripening = asyncio.get_running_loop().call_soon(lambda: None)
        self._task = asyncio.create_task(self._run(), name=f"talk {about}")

    def nudge(self) -> None:
        """Something may have been said or changed, or somebody may hear more or less than before."""
        self._wanted.set()

    def compare(self, sign: str | None, beat: int) -> None:
        """What tells of news is this now, at a beat of the pulse; None where nothing does. Who may hear more or less
        though it hasn't changed is told so with one of the next beats."""
        if sign is None or sign != self._sign or (self.about.int + beat) % _BEATS_BETWEEN_LOOKS == 0:
            self._sign = sign
            self.nudge()

    def stop(self) -> None:
        """Stop looking."""
        self._ripening.cancel()
        self._task.cancel()
        # Its end refers to this hub, and neither would be freed by itself.
        del self._task

    async def _run(self) -> None:
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            try:
                await self._look()
            except Exception as error:  # the next hint or the pulse tries again
                log.warning("talk_unheard", about=str(self.about), error=type(error).__name__)
            await asyncio.sleep(min(REST_SECONDS + len(self.listeners) / _LISTENERS_A_SECOND, _LONGEST_REST))

    async def _look(self) -> None:
        """Who hears what is asked anew each time: nothing is read for a thread that its readers may not read now."""
        listeners = list(self.listeners)
        accounts = {account for it in listeners if (account := it.connection.account)}
        told = await listening(hearing)(self.about, accounts, {it.only for it in listeners})
        forms: dict[Way, set[str]] = {}
        newcomers: dict[Way, set[str]] = {}
        for it in listeners:
            for way in _ways(it, told):
                forms.setdefault(way, set()).add(it.connection.form)
                if it.heard.get(way[0]) != way[1]:
                    newcomers.setdefault(way, set()).add(it.connection.form)
        asked = {way: (self._tracks.get(way, Track()), forms[way], newcomers.get(way, set())) for way in forms}
        self._tracks = await listening(_read)(self.about, asked)
        await self._tell(listeners, told)
        if any(track.more for track in self._tracks.values()):
            self._ripening.cancel()
            self._ripening = asyncio.get_running_loop().call_later(_RIPENING_SECONDS, self._wanted.set)

    async def _tell(self, listeners: list[Listener], told: Mapping[UUID, Hearing]) -> None:
        for number, listener in enumerate(listeners, 1):
            self._hand_over(listener, _ways(listener, told))
            if number % _WOKEN_AT_ONCE == 0:
                # A match's frames go between those of its talk.
                await asyncio.sleep(_BREATH_SECONDS)

    def _hand_over(self, listener: Listener, ways: list[Way]) -> None:
        connection, form = listener.connection, listener.connection.form
        if listener.only and not ways:
            connection.end(UNSEEN)
        for thread in listener.heard.keys() - dict(ways).keys():
            listener.lose(thread)
            listener.put(thread, [_closed(thread)])
            connection.wake()
        for way in ways:
            (thread, ears), track = way, self._tracks[way]
            is_new = listener.heard.get(thread) != ears or track.is_reset
            texts = [track.whole[form]] if is_new else track.frames.get(form, [])
            listener.heard[thread] = ears
            if texts:
                listener.put(thread, texts)
                connection.wake()


def _ways(listener: Listener, told: Mapping[UUID, Hearing]) -> list[Way]:
    heard = told.get(listener.connection.account, {}) if listener.connection.account else {}
    return [(thread, ears) for thread, ears in heard.items() if listener.only in ("", thread)]


def _read(about: UUID, asked: Mapping[Way, tuple[Track, set[str], set[str]]]) -> dict[Way, Track]:
    """Each of these ways as far as it can be heard now: in these forms, and in those of newcomers whole."""
    return {way: _followed(about, way, *told) for way, told in asked.items()}


def _followed(about: UUID, way: Way, track: Track, forms: set[str], newcomers: set[str]) -> Track:
    thread, ears = way
    # A look that took fewer than are said until the next one would fall ever further behind.
    news = reading.news(about, thread, ears, max(0, track.revision), reading.MOST)
    is_begun = track.revision >= 0
    # What was erased, or was lost by a failover, is still held by who has heard it.
    is_reset = is_begun and (news.erased != track.erased or news.revision < track.revision)
    told = news.remarks if is_begun else []
    whole = {}
    if wanted := forms if is_reset else newcomers:
        latest, _ = reading.page(about, thread, ears)
        whole = {form: _frame(form, about, thread, latest, whole=True) for form in wanted}
    parts = [told[begin : begin + reading.USUAL] for begin in range(0, len(told), reading.USUAL)]
    frames = {form: [_frame(form, about, thread, part) for part in parts] for form in forms} if told else {}
    return Track(news.revision, news.erased, news.more, is_reset, frames, whole)


def _frame(form: str, about: UUID, thread: str, remarks: list[Remark], *, whole: bool = False) -> str:
    if form:
        return renderers.talk(form, about, thread, remarks, whole=whole)
    return msgspec.json.encode(TalkFrame(thread, whole, reading.documents(remarks))).decode()


def _closed(thread: str) -> str:
    """That a thread isn't read any more."""
    return msgspec.json.encode(TalkFrame(thread, True, [], closed=True)).decode()
