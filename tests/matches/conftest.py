"""A host, two players, and a match of theirs. Imports wait until the stage is set."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from uuid import UUID

    from matches.models import Account, Match


@pytest.fixture
def host() -> Account:
    from tests.table_setting import new_account

    return new_account()


@pytest.fixture
def players() -> list[Account]:
    from tests.table_setting import new_account

    return [new_account(), new_account()]


@pytest.fixture
def match(host: Account, players: list[Account]) -> Match:
    """A match some moves on."""
    from tests.table_setting import play_on, running_match

    running = running_match("pyramid_poker", *players, opener=host)
    play_on(running, 5, Random(1))
    return running


@pytest.fixture
def timed(host: Account, players: list[Account]) -> Match:
    """A match with clocks, dealt, in which seats have moved."""
    from matches.domain.clocks import ClockTimes
    from matches.models import Match
    from matches.services import opening
    from tests.table_setting import play_on

    opened = opening.open_match(
        opener=host.id, game="pyramid_poker", options={}, clocks={"turn": ClockTimes(base=600, reserve=60)},
        seats=[opening.SeatRequest(player.id) for player in players],
    )  # fmt: skip
    opening.start(match_id=opened.match_id, by=host.id, reason="So it is.")
    match = Match.objects.get(id=opened.match_id)
    play_on(match, 2, Random(1))
    return match


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The matches for which a worker was woken."""
    from matches.publishing import task_publisher

    matches: list[UUID] = []
    monkeypatch.setattr(task_publisher, "wake_the_house", matches.append)
    monkeypatch.setattr(task_publisher, "wake_for_bots", matches.append)
    return matches
