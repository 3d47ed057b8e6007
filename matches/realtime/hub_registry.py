"""All hubs, talks and turn alerts of this process, and the pulse that makes up for lost hints."""

import asyncio
from collections.abc import Awaitable, Collection, Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

import structlog

from events.records import Point, Recorded
from games.kernel import Witness
from matches.http import metrics
from matches.http.authentication import Credential
from matches.http.database_threads import acting, reading
from matches.http.open_connections import connection_slots
from matches.publishing import presence, publisher
from matches.publishing.presence import Present
from matches.realtime import access, connections, turn_alerts
from matches.realtime.arrivals import Arrivals
from matches.realtime.attendance import Attendance
from matches.realtime.connections import CloseReason, Connection
from matches.realtime.follower import Follower
from matches.realtime.hub import Hub
from matches.realtime.pulse import OpenState, Share, Shared, load_changes, shares_of
from matches.realtime.season_changes import SeasonChanges
from matches.realtime.subscriber import Subscriber
from matches.realtime.talk_hub import Listener, TalkHub
from matches.realtime.turn_alerts import TurnAlerts
from matches.realtime.watching import Watch
from matches.services import fast_way, timing

log = structlog.get_logger(__name__)

PULSE_SECONDS = 4.0
"""The period in which all that hints announce is read and every credential checked, one share at a time."""
_ARRIVALS = 12
"""Limit of connections that are let in, and so looked up, at once. Moves wait behind these only."""
_NOTHING: frozenset[tuple[UUID, int]] = frozenset()


class HubRegistry:
    """The hubs by match, the turn alerts by account, and all connections."""

    def __init__(self) -> None:
        self.slots = connection_slots()
        self.arrivals = Arrivals(_ARRIVALS)
        self._hubs: Shared[Hub] = Shared()
        self._talks: Shared[TalkHub] = Shared()
        self._seasons = SeasonChanges()
        self._alerts: Shared[set[TurnAlerts]] = Shared()
        self._connections: Shared[set[Connection]] = Shared()
        self._needed: dict[UUID, frozenset[tuple[UUID, int]]] = {}
        self._beats = 0
        self._follower = Follower(self._hubs.get)
        self._subscriber = Subscriber(self._receive)
        self._subscriber.subscribe(publisher.CREDENTIALS)
        self._subscriber.start()
        fast_way.listeners.append(self._publish)
        self._background: set[asyncio.Task[None]] = set()
        self._attendance = Attendance(self._show, self._spawn)
        self._spawn(self._beat())

    @contextmanager
    def watching(self, connection: Connection, match_id: UUID, witness: Witness) -> Iterator[Watch]:
        """Add a connection to a match for the body's duration."""
        hub = self._hubs.get(match_id)
        if hub is None:
            hub = self._hubs[match_id] = Hub(match_id)
            metrics.HUBS.inc()
            self._subscriber.subscribe(publisher.match_group(match_id))
        group = hub.join(connection, witness)
        self._open(connection)
        name = presence.seat(witness) if isinstance(witness, int) else presence.watcher(connection.name)
        self._attendance.add(match_id, name)
        try:
            yield Watch(hub, group, connection)
        finally:
            self._close(connection)
            self._attendance.remove(match_id, name)
            if hub.remove(connection, group):
                hub.stop()
                self._subscriber.unsubscribe(publisher.match_group(match_id))
                del self._hubs[match_id]
                metrics.HUBS.dec()

    @contextmanager
    def listening(self, listener: Listener, about: UUID) -> Iterator[None]:
        """Add a listener to the talk of a match or season for the body's duration."""
        hub = self._talks.get(about)
        if hub is None:
            hub = self._talks[about] = TalkHub(about)
            self._subscriber.subscribe(publisher.talk_group(about))
        hub.listeners.add(listener)
        self._open(listener.connection)
        hub.request_refresh()
        try:
            yield
        finally:
            self._close(listener.connection)
            hub.listeners.discard(listener)
            if not hub.listeners:
                hub.stop()
                self._subscriber.unsubscribe(publisher.talk_group(about))
                del self._talks[about]

    @contextmanager
    def following(self, connection: Connection, season: UUID) -> Iterator[None]:
        """Add a follower to a season for the body's duration."""
        self._seasons.join(connection, season)
        self._open(connection)
        self._subscriber.subscribe(publisher.season_group(season))
        try:
            yield
        finally:
            self._close(connection)
            if self._seasons.remove(connection, season):
                self._subscriber.unsubscribe(publisher.season_group(season))

    @contextmanager
    def signed_in(self, connection: Connection) -> Iterator[None]:
        """Keep a connection that closes when its session ends, for the body's duration. It gets no other messages."""
        self._open(connection)
        try:
            yield
        finally:
            self._close(connection)

    @contextmanager
    def waiting(self, alerts: TurnAlerts) -> Iterator[None]:
        """Add a stream of turn alerts for the body's duration."""
        account = alerts.account
        streams = self._alerts.get(account) or set()
        self._alerts[account] = streams
        streams.add(alerts)
        self._open(alerts.connection)
        self._subscriber.subscribe(publisher.account_group(account))
        try:
            yield
        finally:
            self._close(alerts.connection)
            streams.discard(alerts)
            if not streams:
                del self._alerts[account]
                self._needed.pop(account, None)
                self._subscriber.unsubscribe(publisher.account_group(account))

    def _open(self, connection: Connection) -> None:
        """Register an account's connection, so that it closes with its credential."""
        if connection.account is not None:
            connections_here = self._connections.get(connection.account) or set()
            self._connections[connection.account] = connections_here
            connections_here.add(connection)

    def _close(self, connection: Connection) -> None:
        if connection.account is not None and (connections_here := self._connections.get(connection.account)):
            connections_here.discard(connection)
            if not connections_here:
                del self._connections[connection.account]

    def _receive(self, hint: publisher.Hint) -> None:
        """Handle a hint from this process or another one."""
        if hint["type"] == "ended":
            self._spawn(self._check_credentials(UUID(hint["account"])))
            return
        match_id = UUID(hint["match"])
        match hint["type"]:
            case "moved" if hub := self._hubs.get(match_id):
                self._follow(hub, hint["version"], hint.get("trace", ""))
            case "acted":
                self._seasons.moved(match_id, hint["version"])
            case "said" if talk := self._talks.get(match_id):
                talk.request_refresh()
            case "seen" if match_id in self._hubs:
                self._attendance.request_refresh(match_id)
            case "needed":
                account = UUID(hint["account"])
                for alerts in self._alerts.get(account) or ():
                    alerts.mark_unsent(match_id)
                self._spawn(self.update_alerts([account]))

    def _follow(self, hub: Hub, version: int, traceparent: str) -> None:
        """Refresh a match after a hint that it has reached this version; 0 if the version isn't known."""
        if not version:
            hub.request_refresh()
        elif version > hub.version:
            hub.fanout_timer.notified(traceparent)
            self._follower.request(hub.match_id, version)

    def _publish(self, match_id: UUID, before: Point, rows: Sequence[Recorded]) -> None:
        """Publish rows that this process has just stored from memory."""
        if hub := self._hubs.get(match_id):
            hub.publish(before, rows)

    def _spawn(self, act: Awaitable[None]) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(act)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    # The pulse

    async def _beat(self) -> None:
        while True:
            shares = shares_of(max(len(self._connections), len(self._hubs)))
            for number in range(shares):
                await asyncio.sleep(PULSE_SECONDS / shares)
                share = Share(number, shares)
                here = [match_id for match_id, _ in self._hubs.of(share)]
                # Seasons are few: one query per beat covers all of them.
                seasons = () if number else (self._seasons.refresh(),)
                for act in (self._check_share(share), self._attendance.beat(here), *seasons):
                    try:
                        await act
                    except Exception as error:  # the next beat tries again
                        log.warning("pulse_missed", error=type(error).__name__)
            self._beats += 1

    async def _check_share(self, share: Share) -> None:
        """Close connections with an invalid credential or whose account may no longer see the match; refresh matches
        that have moved, let overdue flags fall, and update turn alerts and talk."""
        state = self._open_state(share)
        changes = await reading(load_changes)(state)
        self._sign_out(changes.refused)
        for account, match_id in changes.unseen:
            self._end_at(match_id, connections.UNSEEN, account)
        for match_id in changes.lost:
            self._end_at(match_id, connections.LOST)
        for match_id, newest, overdue in changes.moved:
            if overdue:
                self._spawn(acting(timing.catch_up_for_a_reader)(match_id=match_id))
            if hub := self._hubs.get(match_id):
                hub.check_head(newest)
        for about in state.talks:
            if talk := self._talks.get(about):
                talk.check_sign(changes.signs.get(about), self._beats)
        accounts = [it for it in state.alerted if changes.needed.get(it, _NOTHING) != self._needed.get(it, _NOTHING)]
        await self.update_alerts(accounts)
        self._needed |= {it: changes.needed.get(it, _NOTHING) for it in accounts}

    def _open_state(self, share: Share) -> OpenState:
        hubs = self._hubs.of(share)
        return OpenState(
            held=[
                (account, it.credential)
                for account, connections_of_account in self._connections.of(share)
                for it in connections_of_account
            ],
            watched=[(connection.account, match_id) for match_id, hub in hubs for connection in hub.members],
            points={match_id: hub.newest for match_id, hub in hubs},
            alerted=[account for account, _ in self._alerts.of(share)],
            talks=[about for about, _ in self._talks.of(share)],
        )

    def _end_at(self, match_id: UUID, close_reason: CloseReason, account: UUID | None = None) -> None:
        """Close the connections at a match: all of them for LOST, otherwise those of an account (None for
        strangers)."""
        hub = self._hubs.get(match_id)
        for connection in hub.members if hub is not None else ():
            if close_reason is connections.LOST or connection.account == account:
                connection.end(close_reason)

    async def _check_credentials(self, account: UUID) -> None:
        """Close an account's connections whose credential is no longer valid."""
        held = {(account, it.credential) for it in self._connections.get(account) or ()}
        if held:
            self._sign_out(await reading(access.refused)(held))

    def _sign_out(self, refused: Collection[tuple[UUID, Credential]]) -> None:
        for account, credential in refused:
            for connection in self._connections.get(account) or ():
                if connection.credential == credential:
                    connection.end(connections.SIGNED_OUT)

    async def update_alerts(self, accounts: Collection[UUID]) -> None:
        """Load the matches that need these accounts, and pass them to their turn alerts."""
        if not accounts:
            return
        for account, lines in (await reading(turn_alerts.waiting_for)(accounts)).items():
            for alerts in self._alerts.get(account) or ():
                alerts.update(lines)

    def _show(self, match_id: UUID, present: Present) -> None:
        if hub := self._hubs.get(match_id):
            hub.show_present(present)


_registries: dict[asyncio.AbstractEventLoop, HubRegistry] = {}


def hubs() -> HubRegistry:
    """Return the registry of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _registries:
        _registries[loop] = HubRegistry()
    return _registries[loop]
