"""A connection that watches a match: what it is sent, in order."""

from collections.abc import AsyncIterator

import msgspec

from games.kernel import SPECTATOR
from matches.http.database_threads import reading
from matches.publishing.presence import Present
from matches.reads import feed
from matches.reads.documents.news import ResyncDocument
from matches.realtime import connections, frames
from matches.realtime.connections import Connection
from matches.realtime.hub import Group, Hub

UNKNOWN_HISTORY = -1
"""The history of a connection whose client has received, from another process, events that the database doesn't
hold."""


class Watch:
    """A connection at a match: yields the texts to be sent over it."""

    def __init__(self, hub: Hub, group: Group, connection: Connection) -> None:
        self.hub, self.group, self.connection = hub, group, connection

    def greeting(self) -> str:
        """Return the greeting; later frames continue from there."""
        hello = self.group.greeting()
        self.connection.version, self.connection.history = hello.version, self.group.history
        return msgspec.json.encode(hello).decode()

    async def holds(self, version: int, hash: str = "") -> bool:
        """True if the match still has the version that the client has received, with this hash if given."""
        if version > self.group.version:
            return self.group.hello is None
        return not hash or not version or await reading(feed.holds)(self.hub.match_id, version, hash)

    def continue_from(self, version: int, *, lost: bool = False) -> None:
        """Continue after a version that the client has received; `lost` if the log no longer has it."""
        self.connection.version = version if lost else min(version, self.group.version)
        self.connection.resend_until = self.group.version
        if lost:
            self.connection.history = UNKNOWN_HISTORY

    async def news(self) -> AsyncIterator[str]:
        """Yield all texts that haven't been sent yet; end the connection if the match is over."""
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
            version_before = connection.version
            frame = await self.group.after(version_before, again=version_before < connection.resend_until)
            if connection.version != version_before:
                # The client has requested an earlier version meanwhile.
                continue
            if frame is None or connection.close_reason is not None:
                break
            connection.version = frame.to
            yield frame.text
        present = self._present()
        if connection.close_reason is None and connection.sent_present != present:
            connection.sent_present = present
            yield presence_frame(present)
        self.hub.fanout_timer.delivered(connection)
        if self.group.over and connection.version >= self.group.version:
            connection.end(connections.MATCH_OVER)

    def _present(self) -> Present:
        """Return who is present, as far as this connection may know: players leave when the match ends, so seats are
        omitted for delayed spectators."""
        is_late = self.hub.has_delay and self.group.witness is SPECTATOR
        return self.hub.present._replace(seats=()) if is_late else self.hub.present

    async def _resync(self) -> str:
        """Return the message that the client has received what is no longer in the log. The greeting follows."""
        connection, version_before = self.connection, self.connection.version
        connection.version, connection.history = 0, self.group.history
        never_happened = await reading(frames.never_happened)(
            self.hub.match_id, connection.account, list(connection.accepted)
        )
        return msgspec.json.encode(
            ResyncDocument(version=self.group.version, last_received=version_before, never_happened=never_happened)
        ).decode()

    async def _page(self) -> AsyncIterator[str]:
        page = self.group.pages.get(self.connection.form)
        if page is not None and page.to > self.connection.version and self.connection.close_reason is None:
            self.connection.version = page.to
            yield page.text


def presence_frame(present: Present) -> str:
    """Return the frame that says which seats are connected and how many people watch."""
    document = {"kind": "presence", "seats": list(present.seats), "watchers": present.watchers}
    return msgspec.json.encode(document).decode()
