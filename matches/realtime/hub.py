"""One hub per match and process: it reads what is new once, and sends all connections of a witness the same bytes."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec
import structlog
from msgspec.structs import replace

from events import estimated_clock, tracing
from events.records import NOWHERE, Point, Recorded
from games.kernel import SPECTATOR, Witness
from matches.domain import aids
from matches.http.database_threads import reading
from matches.publishing.presence import Present
from matches.reads.documents.news import EventsDocument, HelloDocument
from matches.realtime import connections, frames
from matches.realtime.connections import Connection
from matches.realtime.fanout import FanoutTimer
from matches.realtime.frames import Frame, LoadedFrames
from matches.storage import repository

log = structlog.get_logger(__name__)

_FRAMES_KEPT = 64
_MAX_CHARS_KEPT = 512 * 1024
"""Limit of characters in a witness's cached frames. The newest is always cached, because all connections need it."""
_SECONDS_BETWEEN_DELAYED_READS = 0.5


class Group:
    """The connections of a match with the same witness. `version` is the newest that was published, 0 before the first
    greeting.

    `history` counts how often the database no longer held what had been published.
    """

    def __init__(self, match_id: UUID, witness: Witness) -> None:
        self.match_id = match_id
        self.witness = witness
        self.members: set[Connection] = set()
        self.hello: HelloDocument | None = None
        self.pages: dict[str, Frame] = {}
        self.history = 0
        self.published = NOWHERE
        self._greeted_at = 0.0
        self._recent: OrderedDict[int, Frame] = OrderedDict()
        self._chars = 0
        self._missed: dict[int, asyncio.Future[Frame | None]] = {}

    @property
    def version(self) -> int:
        """The newest version that was published."""
        return self.hello.version if self.hello else 0

    @property
    def over(self) -> bool:
        """True if the match's end has been published."""
        return self.hello is not None and self.hello.status in ("finished", "void")

    def greet(self, hello: HelloDocument) -> None:
        """Set the greeting: the match as it is now."""
        self.hello, self._greeted_at = hello, time.monotonic()

    def greeting(self) -> HelloDocument:
        """Return the greeting with the current time."""
        if self.hello is None:
            raise LookupError("Nobody has looked yet.")
        since = timedelta(seconds=time.monotonic() - self._greeted_at)
        return replace(self.hello, server_now=self.hello.server_now + since)

    @property
    def point(self) -> Point:
        """The point from which the next read continues; NOWHERE if the group needs a greeting."""
        return self.published if self.hello else NOWHERE

    def reset(self) -> None:
        """Drop all cached frames, because they are no longer in the log."""
        self.history += 1
        self.pages.clear()
        self._recent.clear()
        self._chars = 0
        self._missed.clear()

    def push(self, document: EventsDocument, frame: Frame) -> None:
        """Add the next frame, and update the greeting for later connections."""
        if self.hello is None or isinstance(document.view, msgspec.UnsetType):
            self.hello = None
            return
        self.greet(
            replace(
                self.hello, version=document.to, status=document.status, due=document.due, clocks=document.clocks,
                offers=document.offers, outcome=document.outcome, view=document.view, server_now=document.server_now,
            )
        )  # fmt: skip
        self._keep(frame)
        self._missed.clear()

    def _keep(self, frame: Frame) -> None:
        if replaced := self._recent.pop(frame.since, None):
            self._chars -= len(replaced.text)
        self._recent[frame.since] = frame
        self._chars += len(frame.text)
        while len(self._recent) > 1 and (len(self._recent) > _FRAMES_KEPT or self._chars > _MAX_CHARS_KEPT):
            _, oldest = self._recent.popitem(last=False)
            self._chars -= len(oldest.text)

    def notify(self) -> list[Connection]:
        """Wake the connections that are behind, and return those that wait for news. New connections wait for the
        greeting instead."""
        behind = [it for it in self.members if it.version < self.version or it.history != self.history]
        for connection in behind:
            connection.wake()
        return [it for it in behind if it.version]

    def send_at_once(self, frame: Frame) -> int:
        """Send the newest frame to the connections that have all earlier ones and wait, and return their number. A
        match's end isn't sent here, because it closes the connections."""
        if self.over or frame.to != self.version:
            return 0
        return sum(
            it.history == self.history and it.send_at_once(frame.since, frame.to, frame.text) for it in self.members
        )

    async def after(self, version: int, *, again: bool = False) -> Frame | None:
        """Return the frame after a version, from the cache or read again, once for all connections. With `again` the
        connection may have received it before; then the frame contains what the match's aids show again."""
        frame = self._recent.get(version + 1)
        if frame is not None and (not again or frame.to == self.version or self._remembers()):
            return frame
        if version not in self._missed:
            read = reading(frames.missed)(self.match_id, self.witness, version, self.version)
            self._missed[version] = asyncio.ensure_future(read)
        pending = self._missed[version]
        try:
            return await asyncio.shield(pending)
        finally:
            if pending.done() and self._missed.get(version) is pending:
                del self._missed[version]

    def _remembers(self) -> bool:
        """True if this witness is shown again what it was shown before; False if the match isn't cached."""
        cached = repository.cached_state(self.match_id)
        return cached is not None and aids.remembers(cached.lifecycle, self.witness)


class Hub:
    """A match with its connections in this process, by witness."""

    def __init__(self, match_id: UUID) -> None:
        self.match_id = match_id
        self.groups: dict[Witness, Group] = {}
        self.newest = NOWHERE
        self.present = Present()
        self.has_delay = False
        self.fanout_timer = FanoutTimer(match_id)
        self._wanted = asyncio.Event()
        self._waiting: list[asyncio.Future[None]] = []
        self._delayed_refresh = asyncio.get_running_loop().call_soon(lambda: None)
        self._task = asyncio.create_task(self._run(), name=f"hub {match_id}")

    @property
    def version(self) -> int:
        """The match's newest version seen by this hub, 0 before the first refresh and after a failed one."""
        return self.newest.version

    def request_refresh(self, version: int = 0, traceparent: str = "") -> None:
        """Request a refresh, after a hint with this `traceparent`. A version already seen is ignored."""
        if not version or version > self.version:
            self.fanout_timer.notified(traceparent)
            self._wanted.set()

    def publish(self, before: Point, rows: Sequence[Recorded]) -> None:
        """Publish rows stored directly after a point: each group at that point gets them from memory. Request a refresh
        for everything else, such as pages or groups at other points."""
        self.newest = max(self.newest, Point(rows[-1].version, rows[-1].hash))
        now = estimated_clock.now() or rows[-1].at
        self.fanout_timer.notified(tracing.traceparent())
        news, behind, sent = self.fanout_timer.reading(), list[Connection](), 0
        for witness, group in self.groups.items():
            news_frame = self._at_once(witness, group, before, rows, now)
            if news_frame is None or any(connection.form for connection in group.members):
                self._wanted.set()
            if news_frame is not None:
                group.push(*news_frame)
                group.published = Point(rows[-1].version, rows[-1].hash)
                sent += group.send_at_once(news_frame[1])
                behind += group.notify()
        self.fanout_timer.dispatched(news, behind, sent)

    def _at_once(
        self, witness: Witness, group: Group, before: Point, rows: Sequence[Recorded], now: datetime
    ) -> tuple[EventsDocument, Frame] | None:
        if group.point != before:
            return None
        try:
            return frames.at_once(self.match_id, witness, before, rows, now)
        except Exception as error:  # the following refresh reads it, or raises
            log.warning("not_told_at_once", match=str(self.match_id), error=type(error).__name__)
            return None

    def check_head(self, newest: Point) -> None:
        """Request a refresh if the match's newest point in the database is earlier or later than the hub's."""
        if newest != self.newest:
            self._wanted.set()

    async def refreshed(self) -> None:
        """Wait for a refresh that begins after now; raises its exception."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(done)
        self._wanted.set()
        await done

    @property
    def members(self) -> list[Connection]:
        """All connections at the match in this process."""
        return [connection for group in self.groups.values() for connection in group.members]

    def show_present(self, present: Present) -> None:
        """Set who is present, and wake the connections that have sent something else."""
        self.present = present
        for connection in self.members:
            if connection.sent_present != present:
                connection.wake()

    def join(self, connection: Connection, witness: Witness) -> Group:
        """Add a connection."""
        group = self.groups.setdefault(witness, Group(self.match_id, witness))
        group.members.add(connection)
        connection.history = group.history
        return group

    def remove(self, connection: Connection, group: Group) -> bool:
        """Remove a connection; True if it was the last one."""
        self.fanout_timer.delivered(connection)
        group.members.discard(connection)
        if not group.members:
            self.groups.pop(group.witness, None)
        return not self.groups

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
            waiting, self._waiting = self._waiting, []
            try:
                await self._refresh()
            except Exception as error:  # the next hint or the pulse tries again
                self.newest = NOWHERE
                log.warning("hub_blind", match=str(self.match_id), error=type(error).__name__)
                for done in waiting:
                    if not done.done():
                        done.set_exception(error)
            else:
                for done in waiting:
                    if not done.done():
                        done.set_result(None)

    async def _refresh(self) -> None:
        groups, news = dict(self.groups), self.fanout_timer.reading()
        if not groups:
            return
        pages = {
            (witness, connection.form): group.pages[connection.form].to if connection.form in group.pages else 0
            for witness, group in groups.items() for connection in group.members if connection.form
        }  # fmt: skip
        since = {witness: group.point for witness, group in groups.items()}
        newest_before = self.newest
        result = await reading(frames.load_frames)(self.match_id, since, pages)
        if result.newest != NOWHERE:
            # Rows published during the read may be newer than its result.
            self.newest = result.newest if self.newest == newest_before else max(self.newest, result.newest)
        self.has_delay = result.has_delay
        self._close_reseated(result)
        behind: list[Connection] = []
        for witness, group in groups.items():
            if group.point == since[witness]:
                behind += self._apply(group, witness, result)
            elif result.reached[witness] > group.point or witness in result.lost:
                # Rows were published from memory during the read, but fewer than it returned: read again from there.
                self._wanted.set()
        self.fanout_timer.dispatched(news, behind)
        late = groups.get(SPECTATOR)
        if late is not None and late.version < self.version:
            # With a spectators' delay there is no hint when the delay ends.
            self._delayed_refresh.cancel()
            self._delayed_refresh = asyncio.get_running_loop().call_later(
                _SECONDS_BETWEEN_DELAYED_READS, self._wanted.set
            )

    def _close_reseated(self, result: LoadedFrames) -> None:
        """Close the connections whose account now holds another seat than when they were opened."""
        seats = {player: seat for seat, player in enumerate(result.players) if player}
        for witness, group in self.groups.items():
            for connection in group.members:
                if seats.get(connection.name, SPECTATOR) != witness:
                    lost = isinstance(witness, int) and connection.name not in seats
                    connection.end(connections.SEAT_LOST if lost else connections.SEAT_TAKEN)

    def _apply(self, group: Group, witness: Witness, result: LoadedFrames) -> list[Connection]:
        """Update a group from the result of a read; returns the connections that are to send news."""
        if witness in result.lost:
            group.reset()
        if witness in result.hellos:
            group.greet(result.hellos[witness])
        if witness in result.events:
            group.push(*result.events[witness])
        for (page_witness, form), page in result.pages.items():
            if page_witness == witness:
                group.pages[form] = page
        group.published = result.reached[witness]
        return group.notify()
