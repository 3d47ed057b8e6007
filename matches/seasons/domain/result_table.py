"""Pure rules of a main match that is entered as a table with a row for each player: the faults of cells, the winners
and losers of its matches, and the record of all of it in one act."""

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
"""Beginning of the reason of spent garnets. Their cause is `fine`, as they leave the season."""
Column = Literal["player", "match", "place", "points", "tokens", "garnets"]


class ResultRow(Struct, frozen=True, kw_only=True):
    """A player's result in the main match. `match` names the match that they played if there are several. `place` (1 is
    the best, equal players share it) or `points` (more are better) rank them; both are None for a player who took no
    part, and places count if there are both. `tokens` are their tokens of life afterwards, None for those of the
    rules; `garnets` is what they won, negative for what they spent. `number` is the line in the table."""

    number: int
    player: str
    match: str = ""
    place: int | None = None
    points: int | None = None
    tokens: int | None = None
    garnets: int = 0

    @property
    def took_part(self) -> bool:
        """True if the row has a place or points."""
        return self.place is not None or self.points is not None


class CellFault(Struct, frozen=True):
    """A fault of a cell: its line, its column (empty for the table as a whole), a code and a sentence."""

    number: int
    column: Column | Literal[""]
    code: str
    fault: str

    @property
    def sentence(self) -> str:
        """Return the sentence, after the line and column that it is about."""
        return f"Line {self.number}, {self.column}: {self.fault}" if self.column else self.fault


class TableFaulty(Illegal):
    """Refusal of a table with faults; nothing of it is entered."""

    def __init__(self, faults: Sequence[CellFault]) -> None:
        count = f"{len(faults)} cells have" if len(faults) > 1 else "One cell has"
        sentences = " ".join(it.sentence for it in faults)
        super().__init__("table_faulty", f"{count} a fault, so nothing was entered. {sentences}")
        self.cells = list(faults)


class Outcome(Struct, frozen=True):
    """The content of a table: winners, losers, places, the receiver of the second token of life, and garnets."""

    winners: tuple[str, ...]
    candidates: tuple[str, ...]
    places: tuple[Placed, ...]
    receiver: str | None
    rewards: dict[str, int]
    spent: dict[str, int]


def enter(season: Season, by: Caller, name: str, rows: Sequence[ResultRow]) -> Sequence[Event]:
    """Record the main match's result, rewards and the second token of life in one act. Raise forbidden, season_over,
    no_episode, already_recorded, table_faulty, and what `episodes.record_main_match` raises."""
    refuse_unenterable(season, by)
    faults = faults_in(season, rows)
    if faults:
        raise TableFaulty(faults)
    result = outcome(season, rows)
    batch = Batch(season)
    batch.add(
        *episodes.record_main_match(season, by, name, result.winners, result.candidates, result.rewards, result.places)
    )
    if result.receiver:
        batch.add(*episodes.give_token(batch.season, by, result.receiver))
    reason = f"{SPENT}{name}."
    for player, amount in result.spent.items():
        batch.add(GarnetsMoved(source=player, target=None, amount=amount, cause="fine", reason=reason))
    return batch.events


def refuse_unenterable(season: Season, by: Caller) -> None:
    """Raise forbidden, season_over, no_episode, already_recorded: what is in the table doesn't matter then."""
    refuse_unless_organiser(by)
    if open_episode_of(season).recorded:
        raise Illegal("already_recorded", "The main match of this episode has been recorded.")


def faults_in(season: Season, rows: Sequence[ResultRow]) -> list[CellFault]:
    """Return the faults of a table, cell by cell; none if it can be entered."""
    faults = [*_of_players(season, rows), *_of_cells(rows), *_of_matches(rows), *_of_balances(season, rows)]
    if faults:
        return faults
    if not any(row.took_part for row in rows):
        return [CellFault(0, "", "no_result", "No line has a place or points.")]
    result = outcome(season, rows)
    faults = list(_of_tokens(season, result, rows))
    if not result.candidates:
        faults.append(CellFault(0, "", "no_loser", "All who took part are winners: somebody has to have lost."))
    if len(season.living) - len(result.winners) < DUEL:
        faults.append(CellFault(0, "", "too_many_winners", "At least two players must stay without a token of life."))
    return faults


def outcome(season: Season, rows: Sequence[ResultRow]) -> Outcome:
    """Return the outcome of a table without faults in its players, places and points."""
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
    """Return the rows of players who took part, by match, in the order of each match's first row."""
    by_match: dict[str, list[ResultRow]] = {}
    for row in rows:
        if row.took_part:
            by_match.setdefault(row.match.casefold(), []).append(row)
    return by_match


def _places(rows: list[ResultRow]) -> Iterator[Placed]:
    """Yield the places of one match, the best first. Equal players share a place, and the next place is skipped for
    each of them."""
    worth = {row.player: row.place if row.place is not None else -(row.points or 0) for row in rows}
    for row in sorted(rows, key=lambda it: worth[it.player]):
        place = 1 + sum(it < worth[row.player] for it in worth.values())
        yield Placed(row.player, rows[0].match, place, row.points)


def _of_players(season: Season, rows: Sequence[ResultRow]) -> Iterator[CellFault]:
    first_lines: dict[str, int] = {}
    for row in rows:
        if row.player not in season.players:
            yield CellFault(row.number, "player", "not_enrolled", "No such player is in this season.")
        elif not season.players[row.player].living:
            yield CellFault(row.number, "player", "not_living", "That player is out of the season.")
        elif row.player in first_lines:
            fault = f"That player stands in line {first_lines[row.player]} already: one line a player."
            yield CellFault(row.number, "player", "twice", fault)
        first_lines.setdefault(row.player, row.number)


def _of_balances(season: Season, rows: Sequence[ResultRow]) -> Iterator[CellFault]:
    """Yield a fault for each player who spends more garnets than they have."""
    for row in rows:
        held = season.free(row.player) if row.player in season.players else 0
        if -MOST_GARNETS <= row.garnets < -held:
            fault = f"The player has {held} garnet{'' if held == 1 else 's'} to spend."
            yield CellFault(row.number, "garnets", "too_few_garnets", fault)


def _of_cells(rows: Sequence[ResultRow]) -> Iterator[CellFault]:
    """Yield the faults of single rows, which don't depend on other rows."""
    for row in rows:
        if len(row.match) > LONGEST_MATCH or not row.match.isprintable():
            fault = f"A match's name has at most {LONGEST_MATCH} characters, all of which can be printed."
            yield CellFault(row.number, "match", "bad_name", fault)
        if row.match and not row.took_part:
            fault = "Give the place or the points that the player got in that match, or leave the match empty."
            yield CellFault(row.number, "place", "no_result", fault)
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
    """Yield the faults of the places within each match."""
    for match in _matches(rows).values():
        called = f"the match {match[0].match}" if match[0].match else "the match"
        if len(match) < DUEL:
            yield CellFault(match[0].number, "match", "alone", f"Nobody else has played {called}.")
            continue
        by_place = match[0].place is not None
        for row in match:
            if (row.place is not None) != by_place:
                fault = f"Line {match[0].number} of {called} has {'a place' if by_place else 'points alone'}: "
                fault += "give this one a place too." if by_place else "give a place to all of its lines, or to none."
                yield CellFault(row.number, "place", "mixed", fault)
        places = [(row.place, row) for row in match if row.place is not None]
        for place, row in places:
            better = sum(other < place for other, _ in places)
            if place > 1 + better:
                fault = f"In {called} {better} of the players are better, so this is place {1 + better}."
                yield CellFault(row.number, "place", "gap", fault)


def _of_tokens(season: Season, result: Outcome, rows: Sequence[ResultRow]) -> Iterator[CellFault]:
    """Yield the faults of tokens. Each winner has one; a sole winner has a second, or has given it to someone."""
    sole = len(result.winners) == 1 and len(season.living) > 1 + DUEL
    for row in rows:
        if row.tokens is None:
            continue
        if row.player not in result.winners:
            if row.tokens and not sole:
                fault = "Only winners have a token of life, as there is no second one to be given away."
                yield CellFault(row.number, "tokens", "no_token_to_give", fault)
            elif row.tokens > 1 or (row.tokens and row.player != result.receiver):
                yield CellFault(row.number, "tokens", "one_token_to_give", "One other player gets one token of life.")
            continue
        right = 1 if not sole or result.receiver else 2
        if row.tokens != right:
            fault = f"A winner: {right} {'is' if right == 1 else 'are'} theirs by this table."
            yield CellFault(row.number, "tokens", "wrong_tokens", fault)
