"""All hubs, talks and turn alerts of this process, and the pulse that makes up for lost hints."""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from uuid import UUID

import structlog

from events.records import Point, Recorded
from games.kernel import Witness
from matches import services
from matches.http.open_connections import connection_slots
from matches.publishing import presence, publisher
from matches.reads import selectors
from matches.realtime import access, connections, turn_alerts
from matches.realtime.connections import Connection
from matches.realtime.database_threads import acting, looking
from matches.realtime.hub import Hub, Watch
from matches.realtime.subscriber import Subscriber
from matches.realtime.talk_hub import Listener, TalkHub
from matches.realtime.turn_alerts import TurnAlerts
from matches.services import fast_way

log = structlog.get_logger(__name__)

PULSE_SECONDS = 4.0
"""How often all that hints announce is read, and every credential is checked."""


class HubRegistry:
    """The hubs by match, the turn alerts by account, and all connections."""

    def __init__(self) -> None:
        self.slots = connection_slots()
        self._hubs: dict[UUID, Hub] = {}
        self._talks: dict[UUID, TalkHub] = {}
        self._alerts: dict[UUID, set[TurnAlerts]] = defaultdict(set)
        self._connections: set[Connection] = set()
        self._here: dict[UUID, Counter[str]] = defaultdict(Counter)
        # Redis may hang; it must hang nobody but presence itself.
        self._presence = ThreadPoolExecutor(1, thread_name_prefix="presence")
        self._subscriber = Subscriber(self._hear)
        self._subscriber.want(publisher.CREDENTIALS)
        self._subscriber.start()
        fast_way.listeners.append(self._tell)
        self._background: set[asyncio.Task[None]] = set()
        self._spawn(self._beat())

    @contextmanager
    def watching(self, connection: Connection, match_id: UUID, witness: Witness) -> Iterator[Watch]:
        """A connection at a match, from now until it leaves."""
        hub = self._hubs.get(match_id)
        if hub is None:
            hub = self._hubs[match_id] = Hub(match_id)
            self._subscriber.want(publisher.match_group(match_id))
        group = hub.join(connection, witness)
        self._connections.add(connection)
        name = presence.seat(witness) if isinstance(witness, int) else presence.watcher(connection.name)
        self._come(match_id, name)
        try:
            yield Watch(hub, group, connection)
        finally:
            self._connections.discard(connection)
            self._go(match_id, name)
            if hub.leave(connection, group):
                hub.stop()
                self._subscriber.drop(publisher.match_group(match_id))
                del self._hubs[match_id]

    @contextmanager
    def listening(self, listener: Listener, about: UUID) -> Iterator[None]:
        """A connection that hears the talk of a match or season, from now until it leaves."""
        hub = self._talks.get(about)
        if hub is None:
            hub = self._talks[about] = TalkHub(about)
            self._subscriber.want(publisher.talk_group(about))
        hub.listeners.add(listener)
        self._connections.add(listener.connection)
        hub.nudge()
        try:
            yield
        finally:
            self._connections.discard(listener.connection)
            hub.listeners.discard(listener)
            if not hub.listeners:
                hub.stop()
                self._subscriber.drop(publisher.talk_group(about))
                del self._talks[about]

    @contextmanager
    def waiting(self, alerts: TurnAlerts) -> Iterator[None]:
        """A stream of turn alerts, from now until it ends."""
        account = alerts.connection.account
        self._alerts[account].add(alerts)
        self._connections.add(alerts.connection)
        self._subscriber.want(publisher.account_group(account))
        try:
            yield
        finally:
            self._connections.discard(alerts.connection)
            self._alerts[account].discard(alerts)
            if not self._alerts[account]:
                del self._alerts[account]
                self._subscriber.drop(publisher.account_group(account))

    def _hear(self, hint: publisher.Hint) -> None:
        """A hint, from this process or another one."""
        if hint["type"] == "ended":
            self._spawn(self._check_credentials(UUID(hint["account"])))
            return
        match_id = UUID(hint["match"])
        match hint["type"]:
            case "moved" if match_id in self._hubs:
                self._hubs[match_id].nudge(hint["version"])
            case "said" if match_id in self._talks:
                self._talks[match_id].nudge()
            case "seen" if match_id in self._hubs:
                self._spawn(self._see([match_id]))
            case "needed":
                account = UUID(hint["account"])
                for alerts in self._alerts.get(account, ()):
                    alerts.called_again(match_id)
                self._spawn(self.update_alerts([account]))

    def _tell(self, match_id: UUID, before: Point, rows: Sequence[Recorded]) -> None:
        """Rows that this process has just stored from memory."""
        if match_id in self._hubs:
            self._hubs[match_id].tell(before, rows)

    def _spawn(self, act: object) -> None:
        task = asyncio.ensure_future(act)  # type: ignore[arg-type,type-var,var-annotated]
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    # The pulse

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(PULSE_SECONDS)
            for act in (self._check(), self._catch_up(), self.update_alerts(list(self._alerts)), self._see_all()):
                try:
                    await act
                except Exception as error:  # the next beat tries again
                    log.warning("pulse_missed", error=type(error).__name__)

    async def _check(self) -> None:
        """Close connections whose credential is no longer valid, or whose account may no longer see the match."""
        await self._check_credentials()
        watched = {(connection.account, hub.match_id) for hub in self._hubs.values() for connection in hub.members}
        unseen = await looking(access.unseen)(watched) if watched else set()
        for match_id in {match_id for _, match_id in unseen} & self._hubs.keys():
            for connection in self._hubs[match_id].members:
                if (connection.account, match_id) in unseen:
                    connection.end(connections.UNSEEN)

    async def _check_credentials(self, account: UUID | None = None) -> None:
        """Close connections whose credential is no longer valid; of one account, where it is given."""
        open_ones = [it for it in self._connections if it.account is not None and account in (None, it.account)]
        held = {(connection.account, connection.credential) for connection in open_ones}
        bad = await looking(access.refused)(held) if held else set()
        for connection in open_ones:
            if (connection.account, connection.credential) in bad:
                connection.end(connections.SIGNED_OUT)

    async def _catch_up(self) -> None:
        """One query for all matches: those that have moved, and those whose flag should have fallen. Every talk looks
        for itself."""
        for talk in self._talks.values():
            talk.nudge()
        if not self._hubs:
            return
        asked = list(self._hubs)
        found = await looking(selectors.standing_of)(asked)
        for match_id, newest, overdue in found:
            if overdue:
                self._spawn(acting(services.catch_up_for_a_reader)(match_id=match_id))
            if match_id in self._hubs:
                self._hubs[match_id].compare(newest)
        for match_id in set(asked).difference(standing.match_id for standing in found) & self._hubs.keys():
            for connection in self._hubs[match_id].members:
                connection.end(connections.LOST)

    async def update_alerts(self, accounts: Collection[UUID]) -> None:
        """Read which matches need these accounts, and hand them to their turn alerts."""
        if not accounts:
            return
        for account, lines in (await looking(turn_alerts.waiting_for)(accounts)).items():
            for alerts in self._alerts.get(account, ()):
                alerts.hear(lines)

    # Presence

    def _come(self, match_id: UUID, name: str) -> None:
        self._here[match_id][name] += 1
        if self._here[match_id][name] == 1:
            self._spawn(self._changed(match_id, name))

    def _go(self, match_id: UUID, name: str) -> None:
        here = self._here[match_id]
        here[name] -= 1
        if not here[name]:
            del here[name]
            if not here:
                del self._here[match_id]
            self._spawn(self._changed(match_id, name))

    async def _changed(self, match_id: UUID, name: str) -> None:
        """Note who has come or gone. A seat's presence is published at once, a spectator's with the next beat."""
        loop = asyncio.get_running_loop()
        if name in self._here.get(match_id, {}):
            await loop.run_in_executor(self._presence, presence.note, {match_id: [name]})
        else:
            await loop.run_in_executor(self._presence, presence.forget, match_id, name)
        if presence.is_seat(name):
            publisher.publish(publisher.match_group(match_id), {"type": "seen", "match": str(match_id)})

    async def _see_all(self) -> None:
        here = {match_id: list(names) for match_id, names in self._here.items()}
        await asyncio.get_running_loop().run_in_executor(self._presence, presence.note, here)
        await self._see(list(self._hubs))

    async def _see(self, match_ids: list[UUID]) -> None:
        found = await asyncio.get_running_loop().run_in_executor(self._presence, presence.among, match_ids)
        for match_id, present in found.items():
            if match_id in self._hubs:
                self._hubs[match_id].show_present(present)


_registries: dict[asyncio.AbstractEventLoop, HubRegistry] = {}


def hubs() -> HubRegistry:
    """The registry of this process, that is of its event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _registries:
        _registries[loop] = HubRegistry()
    return _registries[loop]
