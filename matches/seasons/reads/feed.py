"""Documents of a season for all interfaces, from its folded events.

A season has no secrets: everybody who may see it sees all of it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from events.records import Recorded
from games.kernel import Event
from games.kernel.messages import type_name
from matches.domain.portraits import nobody_address
from matches.reads.documents.match import PlayerDocument
from matches.seasons import repository
from matches.seasons.domain.deciding import Batch
from matches.seasons.domain.events import GarnetsMoved, RulingPosted, SeasonOpened
from matches.seasons.domain.result_table import SPENT
from matches.seasons.domain.scheduling import games_left
from matches.seasons.domain.state import Episode, Player, Season
from matches.seasons.domain.steps import choices_for, pending_steps
from matches.seasons.models import Season as SeasonRow
from matches.seasons.reads import documents as shapes
from matches.seasons.reads import event_documents
from matches.seasons.reads.event_documents import NOBODY, calling, display_names, names_of, players_of
from matches.seasons.reads.headline import headline
from matches.seasons.reads.sentences import sentence
from matches.seasons.reads.timetable import awaited_document, match_document


def season(row: SeasonRow, role: shapes.SeasonRole | None, upto: int | None = None) -> shapes.SeasonDocument:
    return season_and_state(row, role, upto)[0]


def season_and_state(
    row: SeasonRow, role: shapes.SeasonRole | None, upto: int | None = None
) -> tuple[shapes.SeasonDocument, Season]:
    """Return the season's document and state at a version (its newest without one); raises NoSuchSeason."""
    revisions = list(repository.revisions(row.id, upto=upto))
    if not revisions or not isinstance(revisions[0].event, SeasonOpened):
        raise repository.NoSuchSeason(str(row.id))
    opened, state = revisions[0].event, revisions[-1].season
    people = players_of([*state.players, *state.staff])
    names = {account: it.username for account, it in people.items()} | display_names(state)
    document = shapes.SeasonDocument(
        id=row.id,
        title=state.title,
        status=state.status,
        headline=headline(state, calling(names)),
        version=state.version,
        role=role,
        options=state.options,
        template=_id(opened.template),
        staff=_staff(state, people),
        standings=_standings(state, people),
        episodes=[_episode(state, it) for it in state.episodes],
        final=_final(state),
        awaited=awaited_document(state),
        champion=_id(state.champion),
        garnets=state.issued,
        opened_at=row.opened_at,
    )
    return document, state


def staff(state: Season) -> shapes.StaffList:
    return shapes.StaffList(state.version, _staff(state, players_of(state.staff)))


def standings(state: Season) -> shapes.Standings:
    """Return the living by garnets, then those who have left."""
    return shapes.Standings(state.version, _standings(state, players_of(state.players)))


def episodes(state: Season) -> shapes.EpisodeList:
    return shapes.EpisodeList(state.version, [_episode(state, it) for it in state.episodes])


def final(state: Season) -> shapes.FinalDocument:
    return _final(state)


def matches(state: Season, *kinds: str) -> shapes.MatchList:
    """Return the season's matches of these kinds, or all."""
    wanted = [it for it in state.matches.values() if not kinds or it.kind in kinds]
    return shapes.MatchList(state.version, [match_document(state, it) for it in wanted])


def ledger(season_id: UUID, upto: int | None = None) -> shapes.Ledger:
    """Return the movements of garnets up to a version, with the balances after each."""
    entries, state = [], None
    for revision in repository.revisions(season_id, upto=upto):
        state = revision.season
        if isinstance(revision.event, GarnetsMoved):
            entries.append(_entry(revision.event, revision.row, state))
    if state is None:
        raise repository.NoSuchSeason(str(season_id))
    balances = {player.id: player.garnets for player in state.players.values()}
    return shapes.Ledger(state.version, entries, balances, state.issued)


def main_match_garnets(season_id: UUID, upto: int | None = None) -> dict[int, dict[str, int]]:
    """Return what players have won, or spent where it is negative, in the main match of each episode, by number and
    player."""
    episodes: Sequence[Episode] = ()
    moved: dict[int, Counter[str]] = defaultdict(Counter)
    for revision in repository.revisions(season_id, upto=upto):
        event, episodes = revision.event, revision.season.episodes
        if isinstance(event, GarnetsMoved) and event.source and event.reason.startswith(SPENT) and episodes:
            moved[episodes[-1].number][event.source] -= event.amount
    for episode in episodes:
        for gained in (episode.rewards, episode.changes):
            for player, amount in gained.items():
                moved[episode.number][player] += amount
    return {number: dict(changes) for number, changes in moved.items()}


def tenure(season_id: UUID, player: UUID, upto: int | None = None) -> shapes.TenureDocument | None:
    """Return a player's tenure at a version; None if the account wasn't a player then."""
    state, moved = repository.load(season_id, upto=upto), ledger(season_id, upto)
    standing = next((it for it in _standings(state, players_of(state.players)) if it.player.id == player), None)
    if standing is None:
        return None
    return shapes.TenureDocument(
        version=state.version,
        standing=standing,
        matches=[
            match_document(state, it) for it in state.matches.values() if str(player) in (*it.players, *it.played_by)
        ],
        ledger=[it for it in moved.results if player in (it.source, it.target)],
    )


def rulings(season_id: UUID, upto: int | None = None) -> shapes.RulingList:
    """Return the season's rulings, oldest first."""
    revisions = list(repository.revisions(season_id, upto=upto))
    documents = [
        shapes.RulingDocument(
            revision.row.version, revision.row.at, revision.row.actor, revision.event.text, _id(revision.event.match)
        )
        for revision in revisions
        if isinstance(revision.event, RulingPosted)
    ]
    return shapes.RulingList(len(revisions), documents)


def accepted(
    season_id: UUID, events: Sequence[Event], rows: Sequence[Recorded], before: Season, called: Mapping[str, str]
) -> shapes.SeasonAccepted:
    """Return what an act brought to the season `before` it; `called` are the names that it brings, by their ids."""
    names = names_of(event_documents.accounts_in(events) | before.players.keys()) | display_names(before) | dict(called)
    return shapes.SeasonAccepted(
        season=season_id,
        version=rows[-1].version,
        events=[event_documents.event_document(event, row, names) for event, row in zip(events, rows, strict=True)],
        id=season_id,
    )


def foreseen(
    events: Sequence[Event], season: Season, opened: Sequence[str] = (), called: Mapping[str, str] | None = None
) -> shapes.Foresight:
    """Return the effects of an act; store nothing. `opened` are sentences on what a match's end has opened of a match
    that would be played on, `called` the display names that the act would add, by their ids."""
    batch = Batch(season)
    batch.add(*events)
    names = names_of(event_documents.accounts_in(events) | batch.season.players.keys() | batch.season.staff.keys())
    names |= display_names(season) | dict(called or {})
    effects = [shapes.Foreseen(type_name(type(event)), sentence(event, calling(names))) for event in events]
    return shapes.Foresight(season.version, effects, known=list(opened))


def names_in(season: Season) -> dict[str, str]:
    """Return the names of the season's players, staff and applicants, by account."""
    return names_of([*season.players, *season.staff, *season.intake.applications]) | display_names(season)


def person(account: str, people: dict[str, PlayerDocument]) -> PlayerDocument:
    """Return one of these people by their account's id, or a stand-in for an erased account."""
    return people.get(account) or PlayerDocument(UUID(account), NOBODY, nobody_address())


def _staff(state: Season, people: dict[str, PlayerDocument]) -> list[shapes.StaffDocument]:
    return [shapes.StaffDocument(person(account, people), role) for account, role in state.staff.items()]


def _standings(state: Season, people: dict[str, PlayerDocument]) -> list[shapes.StandingDocument]:
    tokens = state.episode.tokens if state.episode else {}
    called = display_names(state)
    return [
        shapes.StandingDocument(
            player=person(player.id, people),
            called=called.get(player.id) or person(player.id, people).username,
            status=player.status,
            place=player.place,
            garnets=player.garnets,
            tokens=tokens.get(player.id, 0),
            main_wins=player.main_wins,
            duels_won=player.duels_won,
            duels_lost=player.duels_lost,
            succeeds=_id(player.succeeds),
            succeeded_by=_id(player.succeeded_by),
            since=player.since,
            left=player.left,
        )
        for player in sorted(state.players.values(), key=_rank)
    ]


def _rank(player: Player) -> tuple[bool, int, int]:
    return not player.living, player.place or (0 if player.living else 10**6), -player.garnets


def _episode(state: Season, it: Episode) -> shapes.EpisodeDocument:
    return shapes.EpisodeDocument(
        number=it.number,
        title=it.title,
        closed=it.closed,
        recorded=it.recorded,
        name=it.name,
        winners=_ids(it.winners),
        candidates=_ids(it.candidates),
        tokens=it.tokens,
        giving=_id(it.giving),
        candidate=_id(it.candidate),
        opponent=_id(it.opponent),
        eligible=_ids(_eligible(state, it)),
        bans=[shapes.BanDocument(UUID(player), game) for player, game in it.bans],
        games=games_left(state, it),
        matches=[match_document(state, match) for match in state.matches.values() if match.episode == it.number],
        eliminated=_id(it.eliminated),
        deeds=[
            shapes.DeedDocument(deed.part, UUID(deed.player), UUID(deed.acted), _id(deed.by), deed.game)
            for deed in it.deeds
        ],
        places=[shapes.PlaceDocument(UUID(had.player), had.match, had.place, had.points) for had in it.places],
    )


def _eligible(state: Season, it: Episode) -> list[str]:
    """Return who may be named next, as EC or as DMO."""
    stages = () if it.closed else {step.course_kind for step in pending_steps(state)} & {"candidate", "opponent"}
    return [player for kind in stages for player in choices_for(state, kind)]


def _final(state: Season) -> shapes.FinalDocument:
    return shapes.FinalDocument(
        version=state.version,
        players=_ids(state.final.players) if state.final else None,
        best_of=state.options.best_of,
        games=games_left(state, None),
        matches=[match_document(state, match) for match in state.of_episode(0, "final")],
        champion=_id(state.champion),
    )


def _entry(event: GarnetsMoved, row: Recorded, after: Season) -> shapes.LedgerEntry:
    at: datetime = row.at
    balances = [after.players[it].garnets if it else None for it in (event.source, event.target)]
    return shapes.LedgerEntry(
        row.version, at, _id(event.source), _id(event.target), event.amount, event.cause, event.reason,
        _id(event.match), *balances,
    )  # fmt: skip


def _id(account: str | None) -> UUID | None:
    return UUID(account) if account else None


def _ids(accounts: Iterable[str]) -> list[UUID]:
    return [UUID(account) for account in accounts]
