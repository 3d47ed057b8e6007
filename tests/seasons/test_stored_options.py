"""A season's match that was scheduled before a game had an option is played as it was meant."""

import msgspec
import pytest

from events import chain
from events.records import Recorded
from matches.seasons import codec
from matches.seasons.domain.events import DeathMatchScheduled
from matches.seasons.domain.scheduling import SCHEDULED


@pytest.mark.parametrize("kind", SCHEDULED)
def test_reality_benders_scheduled_before_rules_were_made_one_by_one_has_two(kind: type[DeathMatchScheduled]) -> None:
    asked = kind(
        match="m",
        episode=1,
        game="reality_benders",
        players=("a", "b"),
        priority=0,
        options={"max_bouts": 3},
        clocks=None,
        opens_at=None,
    )
    packed = codec.pack(asked)
    assert packed.schema == 2
    row = Recorded(1, packed.type, 2, packed.public, None, None, None, "a", chain.instant(0), b"")
    assert codec.unpack(row) == asked
    assert codec.unpack(row._replace(schema=1)) == msgspec.structs.replace(
        asked, options={"max_bouts": 3, "rules_each": 2}
    )
