"""A main match entered as a table, every player a row: who won and lost each of its matches, what each cell has wrong
with it, and all of it recorded at once. Pure."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from msgspec import Struct

from games.kernel import Event, Illegal
from matches.seasons.domain import episodes
from matches.seasons.domain.deciding import Batch, Caller, open_episode_of, refuse_unless_organiser
from matches.seasons.domain.events import GarnetsMoved, Placed
from matches.seasons.domain.options import DUEL, MOST_GARNETS
from matches.seasons.domain.state import Season

MOST_PLACES = 100
MOST_POINTS = 10**9
LONGEST_MATCH = 60
SPENT = "Spent in the main match: "
"""How the reason of garnets begins that are spent; their cause is `fine`, as they leave the season."""
Column = Literal["player", "match", "place", "points", "tokens", "garnets"]


class ResultRow(Struct, frozen=True, kw_only=True):
    """What one player got in the main match. `match` names the one they played where there are several; `place` (1 is
    the best, equal ones share it) or `points` (more are better), neither for who took no part; with both, places count.
    `tokens` are the tokens of life that they have then, None for what the rules say; `garnets` what they won, or spent
    where it is negative. `number` is the table's line."""

    number: int
    player: str
    match: str = ""
    place: int | None = None
    points: int | None = None
    tokens: int | None = None
    garnets: int = 0

    @property
    def took_part(self) -> bool:
        """Whether the row has a result."""
        return self.place is not None or self.points is not None


class CellFault(Struct, frozen=True):
    """What is wrong with a cell: its line, its column (empty: the table as a whole), a code and a sentence."""

    number: int
    column: Column | Literal[""]
    code: str
    fault: str

    @property
    def sentence(self) -> str:
        """The sentence, and where it is about."""
        return f"Line {self.number}, {self.column}: {self.fault}" if self.column else self.fault


class TableFaulty(Illegal):
    """A table that can't be entered, so that nothing of it is."""

    def __init__(self, faults: Sequence[CellFault]) -> None:
        count = f"{len(faults)} cells have" if len(faults) > 1 else "One cell has"
        told = " ".join(it.sentence for it in faults)
        super().__init__("table_faulty", f"{count} a fault, so nothing was entered. {told}")
        self.cells = list(faults)


class Outcome(Struct, frozen=True):
    """The content of a table: who won and lost, everybody's place, who got the second token of life, garnets."""

    winners: tuple[str, ...]
    candidates: tuple[str, ...]
    places: tuple[Placed, ...]
    receiver: str | None
    rewards: dict[str, int]
    spent: dict[str, int]


def enter(season: Season, by: Caller, name: str, rows: Sequence[ResultRow]) -> Sequence[Event]:
    """The main match's result, rewards and the second token of life, all at once. Raises forbidden, season_over,
    no_episode, already_recorded, table_faulty, and what `episodes.record_main_match` does."""
    refuse_unenterable(season, by)
    faults = faults_in(season, rows)
    if faults:
        raise TableFaulty(faults)
    found = outcome(season, rows)
    batch = Batch(season)
    batch.add(
        *episodes.record_main_match(season, by, name, found.winners, found.candidates, found.rewards, found.places)
    )
    if found.receiver:
        batch.add(*episodes.give_token(batch.season, by, found.receiver))
    reason = f"{SPENT}{name}."
    for player, amount in found.spent.items():
        batch.add(GarnetsMoved(source=player, target=None, amount=amount, cause="fine", reason=reason))
    return batch.events


def refuse_unenterable(season: Season, by: Caller) -> None:
    """Raise forbidden, season_over, no_episode, already_recorded: what is in the table doesn't matter then."""
    refuse_unless_organiser(by)
    if open_episode_of(season).recorded:
        raise Illegal("already_recorded", "The main match of this episode has been recorded.")


def faults_in(season: Season, rows: Sequence[ResultRow]) -> list[CellFault]:
    """Everything that is wrong with a table, cell by cell; none where it can be entered."""
    faults = [*_of_players(season, rows), *_of_cells(rows), *_of_matches(rows), *_of_balances(season, rows)]
    if faults:
        return faults
    if not any(row.took_part for row in rows):
        return [CellFault(0, "", "no_result", "No line has a place or points.")]
    found = outcome(season, rows)
    faults = list(_of_tokens(season, found, rows))
    if not found.candidates:
        faults.append(CellFault(0, "", "no_loser", "All who took part are winners: somebody has to have lost."))
    if len(season.living) - len(found.winners) < DUEL:
        faults.append(CellFault(0, "", "too_many_winners", "At least two players must stay without a token of life."))
    return faults


def outcome(season: Season, rows: Sequence[ResultRow]) -> Outcome:
    """What a table without a fault in its players, places and points says."""
    matches = list(_matches(rows).values())
    places = tuple(placed for match in matches for placed in _places(match))
    winners = tuple(it.player for it in places if it.place == 1)
    last = {it.match: it.place for it in places}
    losers = tuple(it.player for it in places if it.place > 1 and it.place == last[it.match])
    gets = [row.player for row in rows if row.tokens and row.player not in winners]
    return Outcome(
        winners=winners,
        candidates=losers,
        places=places,
        receiver=gets[0] if gets else None,
        rewards={row.player: row.garnets for row in rows if row.garnets > 0},
        spent={row.player: -row.garnets for row in rows if row.garnets < 0},
    )


def against_points(rows: Sequence[ResultRow]) -> list[ResultRow]:
    """Return the rows whose points contradict their places, whether most or fewest points are best in their match."""
    return [row for match in _matches(rows).values() for row in _out_of_order(match)]


def _out_of_order(match: Sequence[ResultRow]) -> list[ResultRow]:
    """Return the rows that break the order of points; none where points only fall, or only grow, with the places."""
    scored = sorted((row.place, row.points, row.number, row) for row in match if row.place and row.points is not None)
    steps = [(now[1] - before[1], now[3]) for before, now in pairwise(scored) if now[0] > before[0]]
    grown, fallen = [row for step, row in steps if step > 0], [row for step, row in steps if step < 0]
    return min(grown, fallen, key=len)


def _matches(rows: Sequence[ResultRow]) -> dict[str, list[ResultRow]]:
    """The rows of those who took part, by the match, in the order of the first row of each."""
    found: dict[str, list[ResultRow]] = {}
    for row in rows:
        if row.took_part:
            found.setdefault(row.match.casefold(), []).append(row)
    return found


def _places(rows: list[ResultRow]) -> Iterator[Placed]:
    """Those of one match from the best on; equal ones share the place, and the next are one further for each."""
    worth = {row.player: row.place if row.place is not None else -(row.points or 0) for row in rows}
    for row in sorted(rows, key=lambda it: worth[it.player]):
        place = 1 + sum(it < worth[row.player] for it in worth.values())
        yield Placed(row.player, rows[0].match, place, row.points)


def _of_players(season: Season, rows: Sequence[ResultRow]) -> Iterator[CellFault]:
    seen: dict[str, int] = {}
    for row in rows:
        if row.player not in season.players:
            yield CellFault(row.number, "player", "not_enrolled", "No such player is in this season.")
        elif not season.players[row.player].living:
            yield CellFault(row.number, "player", "not_living", "That player is out of the season.")
        elif row.player in seen:
            told = f"That player stands in line {seen[row.player]} already: one line a player."
            yield CellFault(row.number, "player", "twice", told)
        seen.setdefault(row.player, row.number)


def _of_balances(season: Season, rows: Sequence[ResultRow]) -> Iterator[CellFault]:
    """Nobody spends more garnets than they have."""
    for row in rows:
        held = season.free(row.player) if row.player in season.players else 0
        if -MOST_GARNETS <= row.garnets < -held:
            told = f"The player has {held} garnet{'' if held == 1 else 's'} to spend."
            yield CellFault(row.number, "garnets", "too_few_garnets", told)


def _of_cells(rows: Sequence[ResultRow]) -> Iterator[CellFault]:
    """What is wrong with a cell whatever the others say."""
    for row in rows:
        if len(row.match) > LONGEST_MATCH or not row.match.isprintable():
            told = f"A match's name has at most {LONGEST_MATCH} characters, all of which can be printed."
            yield CellFault(row.number, "match", "bad_name", told)
        if row.match and not row.took_part:
            told = "Give the place or the points that the player got in that match, or leave the match empty."
            yield CellFault(row.number, "place", "no_result", told)
        amounts: tuple[tuple[Column, int | None, int, int], ...] = (
            ("place", row.place, 1, MOST_PLACES),
            ("points", row.points, -MOST_POINTS, MOST_POINTS),
            ("tokens", row.tokens, 0, 2),
            ("garnets", row.garnets, -MOST_GARNETS, MOST_GARNETS),
        )
        for column, value, least, most in amounts:
            if value is not None and not least <= value <= most:
                yield CellFault(row.number, column, "out_of_range", f"From {least} to {most}.")


def _of_matches(rows: Sequence[ResultRow]) -> Iterator[CellFault]:
    """What doesn't fit in the places of those who played together."""
    for match in _matches(rows).values():
        called = f"the match {match[0].match}" if match[0].match else "the match"
        if len(match) < DUEL:
            yield CellFault(match[0].number, "match", "alone", f"Nobody else has played {called}.")
            continue
        by_place = match[0].place is not None
        for row in match:
            if (row.place is not None) != by_place:
                told = f"Line {match[0].number} of {called} has {'a place' if by_place else 'points alone'}: "
                told += "give this one a place too." if by_place else "give a place to all of its lines, or to none."
                yield CellFault(row.number, "place", "mixed", told)
        places = [(row.place, row) for row in match if row.place is not None]
        for place, row in places:
            better = sum(other < place for other, _ in places)
            if place > 1 + better:
                told = f"In {called} {better} of the players are better, so this is place {1 + better}."
                yield CellFault(row.number, "place", "gap", told)


def _of_tokens(season: Season, found: Outcome, rows: Sequence[ResultRow]) -> Iterator[CellFault]:
    """Every winner has a token of life; a sole one a second, which may have been given to one other already."""
    sole = len(found.winners) == 1 and len(season.living) > 1 + DUEL
    for row in rows:
        if row.tokens is None:
            continue
        if row.player not in found.winners:
            if row.tokens and not sole:
                told = "Only winners have a token of life, as there is no second one to be given away."
                yield CellFault(row.number, "tokens", "no_token_to_give", told)
            elif row.tokens > 1 or (row.tokens and row.player != found.receiver):
                yield CellFault(row.number, "tokens", "one_token_to_give", "One other player gets one token of life.")
            continue
        right = 1 if not sole or found.receiver else 2
        if row.tokens != right:
            told = f"A winner: {right} {'is' if right == 1 else 'are'} theirs by this table."
            yield CellFault(row.number, "tokens", "wrong_tokens", told)
