"""Sentences on the secrets that a match's end has opened, for whoever considers reopening it."""

from collections import Counter
from uuid import UUID

from events import store
from games.drawing.themes import SEAT_LETTERS
from games.kernel import SPECTATOR
from matches.storage import codec, repository


def opened(match_id: UUID, to_version: int) -> list[str]:
    """Return sentences on what everybody may know of a match that has ended: its seed, and for each audience the
    secrets that it saw, separately those that a rewind to this version keeps in the game."""
    if not repository.load(match_id, SPECTATOR).lifecycle.is_open:
        return ["Known since the end: nothing, as its secrets open with the end of the season."]
    kept: dict[str, Counter[str]] = {}
    dropped: dict[str, Counter[str]] = {}
    for row in store.read(match_id):
        if row.audience is not None:
            secrets = kept if row.version <= to_version else dropped
            secrets.setdefault(row.audience, Counter())[row.type.replace("_", " ")] += 1
    lines = ["Known since the end: the seed, and so every draw until then."]
    lines += [f"Known, and still in the game: {_named(who, kept[who])}" for who in sorted(kept)]
    return lines + [f"Known, and taken back: {_named(who, dropped[who])}" for who in sorted(dropped)]


def _named(audience: str, secrets: Counter[str]) -> str:
    letters = [SEAT_LETTERS[seat] for seat in codec.seats_of(audience)]
    whose = "what no seat was told:"
    if letters:
        whose = f"seat {letters[0]}'s" if len(letters) == 1 else f"what the seats {', '.join(letters)} were told:"
    return f"{whose} {', '.join(f'{kind} ({count})' for kind, count in sorted(secrets.items()))}."
