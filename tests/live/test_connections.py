"""A member who leaves in the very moment in which something happens leaves."""

import asyncio

import pytest

from matches.realtime.access import Credential
from matches.realtime.connections import Connection


@pytest.mark.parametrize("ticks", range(6))
def test_connection_woken_and_cancelled_at_once_is_cancelled(ticks: int) -> None:
    async def moment() -> None:
        connection = Connection(None, Credential())
        telling = asyncio.create_task(_tell(connection))
        await _pass(3)
        connection.wake()
        await _pass(ticks)
        telling.cancel()
        await _pass(10)
        assert telling.cancelled()

    asyncio.run(moment())


def test_wait_ends_after_its_timeout() -> None:
    async def moment() -> bool:
        return await Connection(None, Credential()).wait(0.01)

    assert asyncio.run(moment()) is False


async def _tell(connection: Connection) -> None:
    while await connection.wait(60):
        pass


async def _pass(ticks: int) -> None:
    for _ in range(ticks):
        await asyncio.sleep(0)
