"""The players of an episode as its page shows them: their portraits, points and garnets."""

from collections.abc import Callable, Iterable
from uuid import UUID

from django.utils.translation import gettext as _
from msgspec import Struct

from matches.domain.bidi import apart
from matches.domain.portraits import nobody_address
from matches.seasons.reads.documents import SeasonDocument, SeasonMatchDocument
from matches.seasons.reads.recap import Garnets, Moved
from matches.web.seasons.decisive import points

_MOST_GEMS = 10


class Person(Struct, frozen=True):
    id: UUID
    name: str
    portrait: str


Who = Callable[[UUID], Person]


class Row(Struct, frozen=True):
    """A player at a table of the main match: `points` is None if there are none, `part` is the length of their bar in
    percent; equal players have the same `place`."""

    person: Person
    place: int
    points: int | None
    part: int
    is_first: bool
    is_last: bool


class Move(Struct, frozen=True):
    """A player's garnets before and after: `kept`, `new` and `gone` are the numbers to draw of each; all 0 if they are
    too many to draw."""

    person: Person
    moved: Moved
    kept: int
    new: int
    gone: int

    @property
    def why(self) -> str:
        return "; ".join(apart(it.rstrip(".")) for it in self.moved.reasons)


def people(season: SeasonDocument) -> Who:
    """Return a function that returns a player by id; other accounts are `somebody`, without a face."""
    players = {it.player.id: Person(it.player.id, apart(it.called), it.player.portrait) for it in season.standings}
    return lambda account: players.get(account) or Person(account, _("somebody"), nobody_address())


def main_tables(tables: Iterable[SeasonMatchDocument], who: Who) -> list[list[Row]]:
    """Return the finished tables of the main match, the best player first."""
    return [_rows(it, who) for it in tables if it.ranking]


def shown_moves(garnets: Garnets, who: Who) -> list[Move]:
    """Return the players whose garnets have changed, the largest gain first."""
    return [_move(it, who) for it in garnets.moved]


def _rows(table: SeasonMatchDocument, who: Who) -> list[Row]:
    scored = points(table)
    least = min(0, *scored.values()) if scored else 0
    span = max(1, max(scored.values()) - least) if scored else 1
    rows, place = [], 1
    for group in table.ranking:
        for player in group:
            score = scored.get(player)
            part = round(100 * (score - least) / span) if score is not None else 0
            rows.append(Row(who(player), place, score, part, place == 1, group == table.ranking[-1] and place != 1))
        place += len(group)
    return rows


def _move(moved: Moved, who: Who) -> Move:
    kept = min(moved.before, moved.after)
    drawn = max(moved.before, moved.after) <= _MOST_GEMS
    new, gone = max(0, moved.change), max(0, -moved.change)
    return Move(who(moved.player), moved, *((kept, new, gone) if drawn else (0, 0, 0)))
