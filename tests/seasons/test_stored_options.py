"""A season's match that was scheduled before a game had an option is played as it was meant."""

import json

import msgspec
import pytest

from events import chain
from events.records import Recorded
from matches.seasons import codec
from matches.seasons.domain.events import DeathMatchScheduled, MainMatchScheduled
from matches.seasons.domain.scheduling import SCHEDULED


@pytest.mark.parametrize("kind", SCHEDULED)
def test_reality_benders_scheduled_before_rules_were_made_one_by_one_has_two(kind: type[DeathMatchScheduled]) -> None:
    event = kind(
        match="m",
        episode=1,
        game="reality_benders",
        players=("a", "b"),
        priority=0,
        options={"max_bouts": 3},
        clocks=None,
        opens_at=None,
    )
    packed = codec.pack(event)
    assert packed.schema == 3
    row = Recorded(1, packed.type, 3, packed.public, None, None, None, "a", chain.instant(0), b"")
    assert codec.unpack(row) == codec.unpack(row._replace(schema=2)) == event
    assert codec.unpack(row._replace(schema=1)) == msgspec.structs.replace(
        event, options={"max_bouts": 3, "rules_each": 2}
    )


@pytest.mark.parametrize("kind", SCHEDULED)
def test_a_banana_match_scheduled_before_the_option_reshuffles_an_empty_deck(kind: type[DeathMatchScheduled]) -> None:
    scheduled = kind(
        match="m",
        episode=1,
        game="peeling_the_banana",
        players=("a", "b"),
        priority=0,
        options={"turns": 9},
        clocks=None,
        opens_at=None,
    )
    packed = codec.pack(scheduled)
    row = Recorded(1, packed.type, packed.schema, packed.public, None, None, None, "a", chain.instant(0), b"")
    earlier = msgspec.structs.replace(scheduled, options={"turns": 9, "reshuffle": "empty"})
    assert [codec.unpack(row._replace(schema=schema)) for schema in (1, 2, 3)] == [earlier, earlier, scheduled]


def test_match_scheduled_before_the_setup_closes_option_closes_it_an_hour_before() -> None:
    event = MainMatchScheduled(
        match="m", episode=1, game="pentagram", players=("a", "b"), priority=0, options={}, clocks=None, opens_at=None,
        setup_closes=60,
    )  # fmt: skip
    fields = json.loads(codec.pack(event).public)
    del fields["setup_closes"]
    row = Recorded(
        1, "main_match_scheduled", 3, msgspec.json.encode(fields), None, None, None, "a", chain.instant(0), b""
    )
    assert codec.unpack(row) == msgspec.structs.replace(event, setup_closes=3600)
