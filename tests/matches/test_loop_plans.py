"""Query plans of the event loop's statements: they use keys, however few rows there were when they were planned."""

import asyncio

import pytest

from events import following
from events.loop_connection import LoopConnection
from events.pipeline import BinaryStatement
from matches.storage import batch, range_reads

STATEMENTS = {
    "what a batch stores": batch.STATEMENT.statement,
    "what reads ask": range_reads._STATEMENT,
    "what is new of matches": following._NEW,
}


def planned(statement: BinaryStatement) -> list[str]:
    """The plan that is kept for a statement, line by line."""

    async def ask() -> list[str]:
        line = LoopConnection()
        try:
            explained = BinaryStatement(f"EXPLAIN {statement.sql}", statement.oids)
            return [plan for (plan,) in await line.run(explained, [None] * len(statement.oids))]
        finally:
            await line.close()

    return asyncio.run(ask())


@pytest.mark.parametrize("what", STATEMENTS)
def test_no_table_is_read_whole(what: str) -> None:
    plan = planned(STATEMENTS[what])
    places = [place for place, line in enumerate(plan) if "Index" in line and "Scan" in line and " on " in line]
    assert places, plan
    for place in places:
        assert "Index Cond" in plan[place + 1], "\n".join(plan)
    assert not [line for line in plan if "Seq Scan" in line], "\n".join(plan)
