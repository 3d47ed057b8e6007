"""The result of a main match as the rules that were set with its tables give it, before it counts. Pure."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct

from games.kernel import Event, Illegal
from matches.seasons.domain import episodes
from matches.seasons.domain.deciding import open_episode_of
from matches.seasons.domain.events import Placed
from matches.seasons.domain.options import MOST_GARNETS
from matches.seasons.domain.result_rules import ResultRules, Score
from matches.seasons.domain.state import Season, SeasonMatch


class _Standing(Struct, frozen=True):
    """A player of a table who is still in the season, with their place."""

    player: str
    table: int
    place: int
    score: Score


def recorded(season: Season) -> Sequence[Event]:
    """Return the events that record the main match as its rules say. Raises season_over, no_episode,
    nothing_to_approve, already_recorded, tables_running, bad_result."""
    tables = _tables(season)
    rules = tables[0].results if tables else None
    if rules is None:
        raise Illegal("nothing_to_approve", "A main match takes effect when its result is recorded.")
    if any(table.status == "scheduled" for table in tables):
        raise Illegal("tables_running", "A table of the main match isn't over. Start it, wait for it, or annul it.")
    groups = _groups(season, tables, rules)
    winners = list(dict.fromkeys(it.player for group in groups for it in _winners(group, rules)))
    losers = [it.player for group in groups for it in _losers(group, rules) if it.player not in winners]
    paid = {it.player: _garnets(it, rules) for group in groups for it in group}
    called = ", ".join(dict.fromkeys(table.contest.title if table.contest else table.title for table in tables))
    return episodes.recorded(
        season, called, winners, losers, {player: amount for player, amount in paid.items() if amount},
        [_placed(it, len(tables) if not rules.across else 1) for group in groups for it in group],
    )  # fmt: skip


def is_prepared(season: Season) -> bool:
    """True if the open episode's main match has a result by its rules, which can take effect."""
    try:
        return bool(recorded(season))
    except Illegal:
        return False


def counts_at_once(season: Season) -> bool:
    """True if a prepared result needs no approval and no further table: everybody in the season sits at one."""
    if season.options.approval or not is_prepared(season):
        return False
    seated = {player for table in _tables(season) for player in table.players}
    return seated.issuperset(season.living)


def _tables(season: Season) -> list[SeasonMatch]:
    episode = open_episode_of(season)
    return [it for it in season.of_episode(episode.number, "main") if it.status != "annulled"]


def _groups(season: Season, tables: Sequence[SeasonMatch], rules: ResultRules) -> list[list[_Standing]]:
    """Return those who compete with each other, from the best on: each table's players, or all of them."""
    if not rules.across or len(tables) == 1:
        return [list(_standings(season, table, number)) for number, table in enumerate(tables, start=1)]
    everybody = [it for number, table in enumerate(tables, start=1) for it in _standings(season, table, number)]
    if any(it.score.points is None for it in everybody):
        raise Illegal("bad_result", "A table has no points to compare with those of others; type the result in.")
    worth = {it.player: (it.score.out != "resigned", it.score.points or 0) for it in everybody}
    ranked = sorted(everybody, key=lambda it: worth[it.player], reverse=True)
    places = {it.player: 1 + sum(other > worth[it.player] for other in worth.values()) for it in ranked}
    return [[_Standing(it.player, it.table, places[it.player], it.score) for it in ranked]]


def _standings(season: Season, table: SeasonMatch, number: int) -> Iterable[_Standing]:
    """Yield a table's players who are still in the season; their places leave out the others."""
    scores = dict(zip(table.players, table.scores, strict=False))
    better = 0
    for group in table.ranking:
        living = [it for it in group if season.players[it].living]
        for player in living:
            yield _Standing(player, number, better + 1, scores.get(player, Score()))
        better += len(living)


def _winners(group: Sequence[_Standing], rules: ResultRules) -> list[_Standing]:
    match rules.winners:
        case "points":
            return [it for it in group if it.score.points is not None and it.score.points >= rules.points]
        case "team":
            means = {team: _mean(group, team) for it in group if (team := _team(it))}
            best = {team for team, mean in means.items() if mean == max(means.values())}
            return [it for it in group if _team(it) in best]
    return [it for it in group if it.place <= rules.best]


def _team(it: _Standing) -> tuple[int, int] | None:
    return None if it.score.team is None else (it.table, it.score.team)


def _mean(group: Sequence[_Standing], team: tuple[int, int]) -> Fraction:
    """Return a team's points by player, as teams differ in size."""
    points = [it.score.points or 0 for it in group if _team(it) == team]
    return Fraction(sum(points), len(points))


def _losers(group: Sequence[_Standing], rules: ResultRules) -> list[_Standing]:
    left = [it for it in group if it.score.out is not None] if rules.losers == "left" else []
    return left or [it for it in group if sum(other.place > it.place for other in group) < rules.worst]


def _garnets(it: _Standing, rules: ResultRules) -> int:
    by_place = rules.by_place[it.place - 1] if it.place <= len(rules.by_place) else 0
    by_points = max(0, it.score.points or 0) // rules.points_per_garnet if rules.points_per_garnet else 0
    return min(by_place + by_points, MOST_GARNETS)


def _placed(it: _Standing, tables: int) -> Placed:
    return Placed(it.player, f"Table {it.table}" if tables > 1 else "", it.place, it.score.points)
