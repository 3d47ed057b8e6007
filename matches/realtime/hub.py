"""One hub a match and process: it reads what is new once, and gives all connections of a witness the same bytes."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID

import msgspec
import structlog
from msgspec.structs import replace

from events import estimated_clock, tracing
from events.records import NOWHERE, Point, Recorded
from games.kernel import SPECTATOR, Witness
from matches.domain import aids
from matches.http.database_threads import looking
from matches.publishing.presence import Present
from matches.reads import feed
from matches.reads.documents import EventsDocument, HelloDocument, ResyncDocument
from matches.realtime import connections, frames
from matches.realtime.connections import Connection
from matches.realtime.frames import Frame, LookResult
from matches.realtime.tellings import Tellings
from matches.storage import repository

log = structlog.get_logger(__name__)

ANOTHER = -1
"""The history of a connection whose client has seen events, by another process, that the database doesn't hold."""
_FRAMES_KEPT = 64
_LETTERS_KEPT = 512 * 1024
"""What a witness's kept frames hold together. The newest is kept however long it is: everybody asks for it."""
_SECONDS_BETWEEN_LATE_LOOKS = 0.5


class Group:
    """A match's connections as one witness. `version` is the newest that was sent, 0 before the first greeting.

    `history` counts how often the database no longer held what had been sent.
    """

    def __init__(self, match_id: UUID, witness: Witness) -> None:
        self.match_id = match_id
        self.witness = witness
        self.members: set[Connection] = set()
        self.hello: HelloDocument | None = None
        self.pages: dict[str, Frame] = {}
        self.history = 0
        self.told = NOWHERE
        self._heard_at = 0.0
        self._recent: OrderedDict[int, Frame] = OrderedDict()
        self._letters = 0
        self._missed: dict[int, asyncio.Future[Frame | None]] = {}

    @property
    def version(self) -> int:
        """The newest version that was sent."""
        return self.hello.version if self.hello else 0

    @property
    def over(self) -> bool:
        """Whether the end of the match has been sent."""
        return self.hello is not None and self.hello.status in ("finished", "void")

    def greet(self, hello: HelloDocument) -> None:
        """The match as it stands when the first connection joins."""
        self.hello, self._heard_at = hello, time.monotonic()

    def greeting(self) -> HelloDocument:
        """The match as it stands, with the present time."""
        if self.hello is None:
            raise LookupError("Nobody has looked yet.")
        since = timedelta(seconds=time.monotonic() - self._heard_at)
        return replace(self.hello, server_now=self.hello.server_now + since)

    @property
    def point(self) -> Point:
        """Where the next look goes on; NOWHERE for a group that is to be greeted."""
        return self.told if self.hello else NOWHERE

    def lose(self) -> None:
        """What was sent is no longer in the log."""
        self.history += 1
        self.pages.clear()
        self._recent.clear()
        self._letters = 0
        self._missed.clear()

    def push(self, document: EventsDocument, frame: Frame) -> None:
        """The next frame; the greeting for those who come later moves along with it."""
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
        if known := self._recent.pop(frame.since, None):
            self._letters -= len(known.text)
        self._recent[frame.since] = frame
        self._letters += len(frame.text)
        while len(self._recent) > 1 and (len(self._recent) > _FRAMES_KEPT or self._letters > _LETTERS_KEPT):
            _, oldest = self._recent.popitem(last=False)
            self._letters -= len(oldest.text)

    def wake(self) -> list[Connection]:
        """Wake those connections that haven't been sent all of it; gives those who wait for news. Who has just come
        waits for the whole match."""
        behind = [it for it in self.members if it.version < self.version or it.history != self.history]
        for connection in behind:
            connection.wake()
        return [it for it in behind if it.version]

    def send_at_once(self, frame: Frame) -> int:
        """Send the newest frame to those connections that were sent all before it and wait; gives to how many. The end
        of a match is left to those who close the connections, too."""
        if self.over or frame.to != self.version:
            return 0
        return sum(
            it.history == self.history and it.send_at_once(frame.since, frame.to, frame.text) for it in self.members
        )

    async def after(self, version: int, *, again: bool = False) -> Frame | None:
        """The frame that follows a version: one that is kept, else read again, once for all connections. Whoever may
        have been told it before, and asks `again`, is told what is remembered for them."""
        frame = self._recent.get(version + 1)
        if frame is not None and (not again or frame.to == self.version or self._remembers()):
            return frame
        if version not in self._missed:
            asked = looking(frames.missed)(self.match_id, self.witness, version, self.version)
            self._missed[version] = asyncio.ensure_future(asked)
        waiting = self._missed[version]
        try:
            return await asyncio.shield(waiting)
        finally:
            if waiting.done() and self._missed.get(version) is waiting:
                del self._missed[version]

    def _remembers(self) -> bool:
        """Whether this witness is shown what it was told before; False where nobody can tell from memory."""
        known = repository.last_seen(self.match_id)
        return known is not None and aids.remembers(known.lifecycle, self.witness)


class Hub:
    """One match with its connections in this process, by witness."""

    def __init__(self, match_id: UUID) -> None:
        self.match_id = match_id
        self.groups: dict[Witness, Group] = {}
        self.newest = NOWHERE
        self.present = Present()
        self.tells_late = False
        self.tellings = Tellings(match_id)
        self._wanted = asyncio.Event()
        self._waiting: list[asyncio.Future[None]] = []
        self._ripening = asyncio.get_running_loop().call_soon(lambda: None)
        self._task = asyncio.create_task(self._run(), name=f"hub {match_id}")

    @property
    def version(self) -> int:
        """The match's newest version that was seen here, 0 before the first look and after one that failed."""
        return self.newest.version

    def nudge(self, version: int = 0, traceparent: str = "") -> None:
        """The match may have moved, by what has this `traceparent`; a hint at a version already seen is no news."""
        if not version or version > self.version:
            self.tellings.heard(traceparent)
            self._wanted.set()

    def tell(self, before: Point, rows: Sequence[Recorded]) -> None:
        """Rows that were stored right after a point: each group that stands there is told of them from memory. For all
        that can't be, as pages or groups that stand elsewhere, look."""
        self.newest = max(self.newest, Point(rows[-1].version, rows[-1].hash))
        now = estimated_clock.now() or rows[-1].at
        self.tellings.heard(tracing.traceparent())
        news, behind, sent = self.tellings.looking(), list[Connection](), 0
        for witness, group in self.groups.items():
            told = self._at_once(witness, group, before, rows, now)
            if told is None or any(connection.form for connection in group.members):
                self._wanted.set()
            if told is not None:
                group.push(*told)
                group.told = Point(rows[-1].version, rows[-1].hash)
                sent += group.send_at_once(told[1])
                behind += group.wake()
        self.tellings.found(news, behind, sent)

    def _at_once(
        self, witness: Witness, group: Group, before: Point, rows: Sequence[Recorded], now: datetime
    ) -> tuple[EventsDocument, Frame] | None:
        if group.point != before:
            return None
        try:
            return frames.at_once(self.match_id, witness, before, rows, now)
        except Exception as error:  # the look that follows tells it, or what is wrong
            log.warning("not_told_at_once", match=str(self.match_id), error=type(error).__name__)
            return None

    def compare(self, newest: Point) -> None:
        """The match stands here in the database; where something else was seen, an earlier version too, look."""
        if newest != self.newest:
            self._wanted.set()

    async def refreshed(self) -> None:
        """Wait for a look that begins after now; raises what it raises."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(done)
        self._wanted.set()
        await done

    @property
    def members(self) -> list[Connection]:
        """All connections at the match in this process."""
        return [connection for group in self.groups.values() for connection in group.members]

    def show_present(self, present: Present) -> None:
        """These are present; connections that were sent otherwise are woken."""
        self.present = present
        for connection in self.members:
            if connection.told_present != present:
                connection.wake()

    def join(self, connection: Connection, witness: Witness) -> Group:
        """Add a connection."""
        group = self.groups.setdefault(witness, Group(self.match_id, witness))
        group.members.add(connection)
        connection.history = group.history
        return group

    def leave(self, connection: Connection, group: Group) -> bool:
        """Remove a connection; True where it was the last one."""
        self.tellings.sent(connection)
        group.members.discard(connection)
        if not group.members:
            self.groups.pop(group.witness, None)
        return not self.groups

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
            waiting, self._waiting = self._waiting, []
            try:
                await self._look()
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

    async def _look(self) -> None:
        groups, news = dict(self.groups), self.tellings.looking()
        if not groups:
            return
        pages = {
            (witness, connection.form): group.pages[connection.form].to if connection.form in group.pages else 0
            for witness, group in groups.items() for connection in group.members if connection.form
        }  # fmt: skip
        since = {witness: group.point for witness, group in groups.items()}
        seen = self.newest
        found = await looking(frames.look)(self.match_id, since, pages)
        if found.newest != NOWHERE:
            # What was told meanwhile is newer than what the look has read.
            self.newest = found.newest if self.newest == seen else max(self.newest, found.newest)
        self.tells_late = found.tells_late
        self._show_out(found)
        behind: list[Connection] = []
        for witness, group in groups.items():
            if group.point == since[witness]:
                behind += self._bring(group, witness, found)
            elif found.reached[witness] > group.point or witness in found.lost:
                # It was told something from memory meanwhile, which doesn't reach as far: look again from there.
                self._wanted.set()
        self.tellings.found(news, behind)
        late = groups.get(SPECTATOR)
        if late is not None and late.version < self.version:
            # With a spectators' delay, what they may not see yet comes without a hint.
            self._ripening.cancel()
            self._ripening = asyncio.get_running_loop().call_later(_SECONDS_BETWEEN_LATE_LOOKS, self._wanted.set)

    def _show_out(self, found: LookResult) -> None:
        """Close the connections whose account holds another seat than they were opened for."""
        seats = {player: seat for seat, player in enumerate(found.players) if player}
        for witness, group in self.groups.items():
            for connection in group.members:
                if seats.get(connection.name, SPECTATOR) != witness:
                    lost = isinstance(witness, int) and connection.name not in seats
                    connection.end(connections.SEAT_LOST if lost else connections.SEAT_TAKEN)

    def _bring(self, group: Group, witness: Witness, found: LookResult) -> list[Connection]:
        """Give a group what was found for it; gives the connections that are to be sent it as news."""
        if witness in found.lost:
            group.lose()
        if witness in found.hellos:
            group.greet(found.hellos[witness])
        if witness in found.events:
            group.push(*found.events[witness])
        for (whose, form), page in found.pages.items():
            if whose == witness:
                group.pages[form] = page
        group.told = found.reached[witness]
        return group.wake()


class Watch:
    """A connection at a match: what is sent over it, one text after the other."""

    def __init__(self, hub: Hub, group: Group, connection: Connection) -> None:
        self.hub, self.group, self.connection = hub, group, connection

    def greeting(self) -> str:
        """The whole match; what follows goes on from there."""
        hello = self.group.greeting()
        self.connection.version, self.connection.history = hello.version, self.group.history
        return msgspec.json.encode(hello).decode()

    async def holds(self, version: int, hash: str = "") -> bool:
        """Whether the match still holds a version that the client has seen, with this hash if it names one."""
        if version > self.group.version:
            return self.group.hello is None
        return not hash or not version or await looking(feed.holds)(self.hub.match_id, version, hash)

    def go_on_from(self, version: int, *, lost: bool = False) -> None:
        """The client has seen everything up to a version already; `lost` where the match no longer holds it."""
        self.connection.version = version if lost else min(version, self.group.version)
        self.connection.asks_again_until = self.group.version
        if lost:
            self.connection.history = ANOTHER

    async def news(self) -> AsyncIterator[str]:
        """All that hasn't been sent yet; closes the connection where the match is over."""
        connection = self.connection
        if (
            connection.history != self.group.history
            and self.group.hello is not None
            and connection.close_reason is None
        ):
            yield await self._resync()
            if not connection.form:
                yield self.greeting()
        if connection.form:
            async for text in self._page():
                yield text
        while not connection.form and connection.close_reason is None and connection.version < self.group.version:
            asked = connection.version
            frame = await self.group.after(asked, again=asked < connection.asks_again_until)
            if connection.version != asked:
                # It has asked for an earlier one meanwhile.
                continue
            if frame is None or connection.close_reason is not None:
                break
            connection.version = frame.to
            yield frame.text
        present = self._present()
        if connection.close_reason is None and connection.told_present != present:
            connection.told_present = present
            yield presence_frame(present)
        self.hub.tellings.sent(connection)
        if self.group.over and connection.version >= self.group.version:
            connection.end(connections.MATCH_OVER)

    def _present(self) -> Present:
        """Who is here, as this one may know it: players leave when the match is over, which late spectators learn
        later."""
        is_late = self.hub.tells_late and self.group.witness is SPECTATOR
        return self.hub.present._replace(seats=()) if is_late else self.hub.present

    async def _resync(self) -> str:
        """That the client has seen what is no longer in the log. The whole match follows."""
        connection, told = self.connection, self.connection.version
        connection.version, connection.history = 0, self.group.history
        never = await looking(frames.never_happened)(self.hub.match_id, connection.account, list(connection.accepted))
        return msgspec.json.encode(ResyncDocument(version=self.group.version, told=told, never_happened=never)).decode()

    async def _page(self) -> AsyncIterator[str]:
        page = self.group.pages.get(self.connection.form)
        if page is not None and page.to > self.connection.version and self.connection.close_reason is None:
            self.connection.version = page.to
            yield page.text


def presence_frame(present: Present) -> str:
    """Which seats are connected, and how many watch."""
    told = {"kind": "presence", "seats": list(present.seats), "watchers": present.watchers}
    return msgspec.json.encode(told).decode()
