"""The tables of a main match, several at once: set by hand, or drawn from the season's chance. Pure.

Nobody sees a draw before it is recorded: the decider only requests it, and the service adds the season's next link in
the same transaction.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from games import catalogue
from games.kernel import Chance, Event, Illegal, to_json
from matches.seasons.domain import chance, scheduling
from matches.seasons.domain.deciding import Batch, Caller, open_episode_of
from matches.seasons.domain.events import SeatingAsked, SeatingDrawn
from matches.seasons.domain.scheduling import MatchSettings
from matches.seasons.domain.state import Season

MOST_TABLES = 50
_PURPOSE = "season seating"
Seating = tuple[tuple[str, ...], ...]


def set_tables(
    season: Season, by: Caller, settings: MatchSettings, matches: Sequence[str], seating: Sequence[Sequence[str]]
) -> Sequence[Event]:
    """Schedule tables of the main match with the same settings. `matches` are their ids, `seating` each table's players
    by seat, the first with the priority. Raise bad_seating, and what `scheduling.schedule_table` raises."""
    _refuse_count(matches, seating)
    batch = Batch(season)
    for match, players in zip(matches, seating, strict=True):
        one = replace(settings, match=match)
        batch.add(*scheduling.schedule_table(batch.season, by, one, players))
    return batch.events


def request_seating(
    season: Season,
    by: Caller,
    settings: MatchSettings,
    matches: Sequence[str],
    seated: Sequence[Sequence[str]],
    sizes: Sequence[int] | None = None,
) -> Sequence[Event]:
    """Request a draw of the players without a seat to the free places of tables with these sizes, by default as equal
    as possible. Raise no_chance, bad_seating, and what `set_tables` raises for any seating that could be drawn."""
    _refuse_count(matches, seated)
    episode = open_episode_of(season)
    if season.timing.link is None or season.timing.draws >= chance.LINKS:
        raise no_chance()
    taken = {
        player for it in season.of_episode(episode.number, "main") if it.status != "annulled" for player in it.players
    }
    taken |= {player for table in seated for player in table}
    players = tuple(it for it in season.living if it not in taken)
    full = tuple(map(tuple, seated))
    fitting = even_sizes(full, len(players)) if sizes is None else tuple(sizes)
    _refuse_misfit(full, fitting, len(players))
    # The rules of the game know no names, so one seating is as good as another.
    set_tables(season, by, settings, matches, _filled(players, full, fitting))
    return [
        SeatingAsked(
            matches=tuple(matches),
            game=settings.game,
            players=players,
            seated=full,
            sizes=fitting,
            options=to_json(catalogue[settings.game].read_options(settings.options)),
            clocks=settings.clocks,
            opens_at=settings.opens_at,
            setup_closes=settings.setup_closes,
            contest=settings.contest,
            results=settings.results,
        )
    ]


def draw(season: Season, by: Caller, request: SeatingAsked, link: str) -> Sequence[Event]:
    """Return the seating that follows from this link, and the events that set its tables."""
    number = season.timing.draws + 1
    seating = drawn(link, number, request.players, request.seated, request.sizes)
    batch = Batch(season)
    batch.add(
        SeatingDrawn(
            number=number,
            link=link,
            players=request.players,
            seated=request.seated,
            sizes=request.sizes,
            seating=seating,
        )
    )
    settings = MatchSettings(
        match="",
        game=request.game,
        options=request.options,
        clocks=request.clocks,
        opens_at=request.opens_at,
        setup_closes=request.setup_closes,
        contest=request.contest,
        results=request.results,
    )
    batch.add(*set_tables(batch.season, by, settings, request.matches, seating))
    return batch.events


def drawn(link: str, number: int, players: Sequence[str], seated: Seating, sizes: Sequence[int]) -> Seating:
    """Return the seating of the draw with this number."""
    return _filled(Chance(bytes.fromhex(link), number).shuffled(players, _PURPOSE), seated, sizes)


def fault_in(season: Season, event: Event) -> str:
    """Return the fault of a drawn seating as the season's next event; empty if it has none, or is another event."""
    if not isinstance(event, SeatingDrawn):
        return ""
    try:
        if season.timing.link is None or not chance.follows(event.link, season.timing.link):
            return "the draw's link is not the one that the season's opening promised"
        given = drawn(event.link, event.number, event.players, event.seated, event.sizes)
    except ValueError:
        return "the draw's link is none"
    if event.number != season.timing.draws + 1 or given != event.seating:
        return "the draw's link gives another seating"
    return ""


def no_chance() -> Illegal:
    """Return the refusal of a draw in an older season without chance, or in one without draws left."""
    return Illegal("no_chance", "The season has no chance to draw from: seat the players by hand.")


def even_sizes(seated: Seating, waiting: int) -> tuple[int, ...]:
    """Return each table's size after so many more players have each joined the first of the smallest tables."""
    sizes = [len(table) for table in seated]
    for _ in range(waiting):
        sizes[sizes.index(min(sizes))] += 1
    return tuple(sizes)


def _filled(players: Sequence[str], seated: Seating, sizes: Sequence[int]) -> Seating:
    waiting, tables = iter(players), []
    for there, size in zip(seated, sizes, strict=True):
        tables.append((*there, *(next(waiting) for _ in range(size - len(there)))))
    return tuple(tables)


def _refuse_count(matches: Sequence[str], tables: Sequence[Sequence[str]]) -> None:
    if not 0 < len(tables) <= MOST_TABLES or len(matches) != len(tables):
        raise Illegal("bad_seating", f"A main match is set at 1 to {MOST_TABLES} tables at once.")


def _refuse_misfit(seated: Seating, sizes: tuple[int, ...], waiting: int) -> None:
    if not waiting:
        raise Illegal("bad_seating", "Everybody sits at a table already: nobody is left to be drawn.")
    if len(sizes) != len(seated) or any(size < len(it) or size < 1 for it, size in zip(seated, sizes, strict=False)):
        raise Illegal("bad_seating", "Each table has its size, and no more sit there already.")
    room = sum(sizes) - sum(map(len, seated))
    if room != waiting:
        raise Illegal(
            "bad_seating", f"{waiting} players sit at no table yet, and the tables have room for {room} of them."
        )
