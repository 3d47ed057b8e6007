"""The open rounds of games with rounds that a season's tables play, as far as a reader may see them now."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from events import chain
from games.kernel import SPECTATOR
from matches.domain import clocks
from matches.models import Match
from matches.reads import feed
from matches.storage import repository
from matches.storage.repository import BrokenRecord


class OpenRound(NamedTuple):
    """A round, of so many, that closes by itself at an instant: players submit until then, or its host judges it.
    `version` is the match's, which grows with every change."""

    number: int
    total: int
    closes_at: datetime
    is_judged: bool
    version: int


def open_rounds(match_ids: Iterable[UUID], reader: UUID | None) -> dict[UUID, OpenRound]:
    """Return the open round of each of these matches that has one with a deadline."""
    rounds = {}
    for match_id in Match.objects.filter(id__in=list(match_ids), status=Match.Status.RUNNING).values_list(
        "id", flat=True
    ):
        # The match's own page says what is wrong with it.
        with suppress(BrokenRecord):
            if open_round := _open_round(match_id, reader):
                rounds[match_id] = open_round
    return rounds


def _open_round(match_id: UUID, reader: UUID | None) -> OpenRound | None:
    seat = repository.load(match_id, SPECTATOR).lifecycle.seat_of(str(reader)) if reader else None
    match = feed.visible_state(match_id, SPECTATOR if seat is None else seat)
    ends = clocks.deadlines(match.clocks)
    progress = match.game.progress(match.state) if ends else None
    if progress is None:
        return None
    ends_at = chain.instant(ends[-1].falls_at)
    return OpenRound(progress.round, progress.rounds, ends_at, progress.is_judged, match.version)
