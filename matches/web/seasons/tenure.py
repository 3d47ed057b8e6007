"""A player's tenure on their page of a season: garnets over the episodes, decisions, matches to come. Pure; reads only
documents."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from matches.seasons.reads.documents import LedgerEntry, SeasonMatchDocument

_DECISIONS = ("token_granted", "candidate_named", "opponent_named")
_CHAPTERS = ("episode_opened", "final_opened")


class Bar(Struct, frozen=True):
    """The garnets that a player held at the end of a chapter of the season, or now in the last one; `height` is a
    percentage of the highest bar."""

    label: str
    count: int
    height: int


def bars(
    player: UUID, ledger: Sequence[LedgerEntry], events: Sequence[dict[str, Any]], since: int, left: int | None
) -> list[Bar]:
    """Return a bar before the first episode, one for each episode of the tenure, and one for the final."""
    held = [("start", _held(player, ledger, _first(events)))]
    chapters = [it for it in events if it["type"] in _CHAPTERS]
    ends: list[int | None] = [*(it["version"] for it in chapters[1:]), None]
    for chapter, end in zip(chapters, ends, strict=False):
        number = chapter.get("number")
        is_theirs = number >= since and (left is None or number <= left) if number else left in (None, 0)
        if is_theirs:
            held.append((str(number or "final"), _held(player, ledger, end)))
    most = max((count for _, count in held), default=0)
    return [Bar(label, count, round(100 * count / most) if most else 0) for label, count in held]


def decisions(player: UUID, events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the events of the player's decisions, the newest first: tokens given, EC named, DMO chosen, games
    struck."""
    me = str(player)
    return [it for it in reversed(events) if _decides(it, me)]


def to_come(matches: Sequence[SeasonMatchDocument]) -> list[SeasonMatchDocument]:
    return [it for it in matches if it.status == "scheduled"]


def proposed(match: SeasonMatchDocument) -> list[datetime]:
    times = {time for made in match.proposals for time in made.times}
    return [datetime.fromisoformat(it) for it in sorted(times)]


def _decides(event: dict[str, Any], player: str) -> bool:
    if event["type"] == "game_banned":
        return bool(event["player"] == player)
    return event["type"] in _DECISIONS and event.get("by") == player


def _first(events: Sequence[dict[str, Any]]) -> int | None:
    return next((it["version"] for it in events if it["type"] in _CHAPTERS), None)


def _held(player: UUID, ledger: Sequence[LedgerEntry], before: int | None) -> int:
    """Return the garnets that the player held before a version, or holds now."""
    moved = [it for it in ledger if before is None or it.version < before]
    if not moved:
        return 0
    balance = moved[-1].source_balance if moved[-1].source == player else moved[-1].target_balance
    return balance or 0
