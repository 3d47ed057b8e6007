"""Objects of a connection: they are freed when it closes, without a garbage collection."""

import asyncio
import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

from games.kernel import SPECTATOR
from matches.realtime.access import Credential
from matches.realtime.connections import Connection
from matches.realtime.hub import Hub
from matches.realtime.together import until_one_ends
from tests.live.bare import HANDSHAKE, bare_server
from tests.table_setting import running_match
from tests.waiting import PATIENCE


class Held:
    """An object that a connection holds."""


@pytest.fixture(autouse=True)
def no_search() -> Iterator[None]:
    """Nobody looks for garbage meanwhile."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


class Over(Exception):
    """A connection's end."""


async def raising(_: Held) -> None:
    """Raise Over, which ends the connection."""
    await asyncio.sleep(0)
    raise Over


async def waiting(_: Held) -> None:
    """Wait as long as the connection lasts."""
    await asyncio.Event().wait()


def test_objects_of_several_tasks_are_freed_with_the_first_that_ends() -> None:
    async def live() -> weakref.ref[Held]:
        held = Held()
        reference = weakref.ref(held)
        with pytest.raises(Over):
            await until_one_ends(raising(held), waiting(held))
        return reference

    assert asyncio.run(live())() is None


def test_first_task_that_ends_cancels_the_others() -> None:
    async def live() -> bool:
        cancelled: list[bool] = []

        async def other() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.append(True)

        await until_one_ends(asyncio.sleep(0.01), other())
        return bool(cancelled)

    assert asyncio.run(live())


def test_hub_is_freed_when_it_stops() -> None:
    match = running_match("pyramid_poker")

    async def live() -> weakref.ref[Hub]:
        hub = Hub(match.id)
        group = hub.join(connection := Connection(None, Credential()), SPECTATOR)
        await hub.refreshed()
        assert hub.remove(connection, group)
        hub.stop()
        await asyncio.sleep(0.01)
        return weakref.ref(hub)

    assert asyncio.run(live())() is None


def test_socket_is_freed_when_its_client_vanishes() -> None:
    async def app(_: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    async def live() -> int:
        references: list[weakref.ref[object]] = []
        async with bare_server(app) as bare:
            for _ in range(3):
                reader, writer = await bare.connect(HANDSHAKE)
                await reader.readuntil(b"\r\n\r\n")
                (socket,), (line,) = bare.sockets, bare.lines
                references.extend(weakref.ref(it) for it in (socket, socket.conn, line))
                del socket, line
                bare.sockets.clear()
                bare.lines.clear()
                writer.transport.abort()
            async with asyncio.timeout(PATIENCE):
                while any(it() for it in references):
                    await asyncio.sleep(0.01)
        return len(references)

    assert asyncio.run(live()) == 3 * 3
