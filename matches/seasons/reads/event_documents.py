"""Documents of a season's events and acts, in sentences with everybody's name."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from events import store
from events.records import Recorded
from games.kernel import Event, to_json
from matches.domain.bidi import apart
from matches.domain.clocks import instant
from matches.models import Account
from matches.reads.documents.match import PlayerDocument
from matches.seasons import codec, repository
from matches.seasons.domain.events import GarnetsMoved, PlayerRenamed, SeasonOpened, StaffAppointed, StaffDismissed
from matches.seasons.domain.state import Season
from matches.seasons.models import DisplayName
from matches.seasons.reads import documents as shapes
from matches.seasons.reads.sentences import Name, sentence
from matches.seasons.repository import SeasonRevision

NOBODY = "somebody"
"""The name of an account that is gone."""
_QUIET = (SeasonOpened, StaffAppointed, StaffDismissed)
_NAMING = ("account", "opened_by", "player", "newcomer", "by")


def events(season_id: UUID, after: int, limit: int) -> shapes.SeasonEvents:
    """Return events after a version; `next` is the `after` of the next page, or None."""
    version = _version_of(season_id)
    page = _named(season_id, after, min(after + limit, version))
    more = bool(page) and page[-1].row.version < version
    return shapes.SeasonEvents(
        results=[event_document(it.event, it.row, it.names) for it in page],
        next=page[-1].row.version if more else None,
        version=version,
    )


def acts(season_id: UUID, after: int) -> list[shapes.SeasonAct]:
    """Return the acts after a version."""
    batches = groupby(
        _named(season_id, after, _version_of(season_id)), key=lambda named: (named.row.actor, named.row.at)
    )
    return [_act(list(batch)) for _, batch in batches]


def people(season_id: UUID) -> dict[str, str]:
    """Return the names of all who ever had a part in the season, by id."""
    return names_of(_everybody(list(repository.revisions(season_id))))


def event_document(event: Event, row: Recorded, names: Mapping[str, str]) -> dict[str, Any]:
    """Return an event's document, with its place in the chain."""
    return {
        **to_json(event),
        "version": row.version,
        "at": instant(row.at),
        "actor": row.actor,
        "text": _sentence(event, names),
        "hash": row.hash.hex(),
    }


def names_of(accounts: Iterable[str]) -> dict[str, str]:
    rows = Account.objects.filter(id__in=list(accounts)).values_list("id", "username")
    return {str(account_id): username for account_id, username in rows}


def display_names(*seasons: Season) -> dict[str, str]:
    """Return the names that players have in these seasons alone, by account, without those called as their account
    is."""
    ids = {it.display_name_id: it.id for season in seasons for it in season.players.values() if it.display_name_id}
    return {ids[name_id]: name for name_id, name in names_with(ids).items()} if ids else {}


def names_with(ids: Iterable[str]) -> dict[str, str]:
    """Return those of the display names that still exist, by id."""
    return {
        str(name_id): name for name_id, name in DisplayName.objects.filter(id__in=list(ids)).values_list("id", "name")
    }


def players_of(accounts: Iterable[str]) -> dict[str, PlayerDocument]:
    rows = Account.objects.filter(id__in=list(accounts)).only("username", "portrait_face", "portrait_picture")
    return {str(it.id): PlayerDocument(it.id, it.username, it.portrait) for it in rows}


def calling(names: Mapping[str, str]) -> Name:
    """Return a function that gives an account's name for a sentence."""
    return lambda account: apart(names.get(account, NOBODY))


def accounts_in(events: Iterable[Event]) -> set[str]:
    """Return the accounts that come into the season by these events, or acted in them."""
    named = (getattr(event, name, None) for event in events for name in _NAMING)
    return {account for account in named if account is not None}


def _everybody(revisions: Sequence[SeasonRevision]) -> Collection[str]:
    return accounts_in(revision.event for revision in revisions)


class _Named(NamedTuple):
    """A stored event, with the names for its sentence."""

    event: Event
    row: Recorded
    names: Mapping[str, str]


def _version_of(season_id: UUID) -> int:
    head = store.head(season_id)
    return head.version if head else 0


def _named(season_id: UUID, after: int, upto: int) -> list[_Named]:
    """Return the events after a version and up to another.

    Only their rows are read, unless players have names in this season alone: which one a player had depends on all
    events before.
    """
    if upto <= after:
        return []
    if DisplayName.objects.filter(season=season_id).exists():
        revisions = list(repository.revisions(season_id, upto=upto))
        names_then = _Names(revisions)
        return [_Named(it.event, it.row, names_then.at(it)) for it in revisions[after:]]
    page = [(codec.unpack(row), row) for row in repository.rows_after(season_id, after, upto)]
    accounts = names_of(_ids_named(event for event, _ in page))
    # Of a name that is gone its account's is told.
    gone = {it.name: accounts.get(it.player, NOBODY) for it, _ in page if isinstance(it, PlayerRenamed) and it.name}
    names = accounts | gone
    return [_Named(event, row, names) for event, row in page]


def _ids_named(events: Iterable[Event]) -> set[str]:
    """Return the ids whose names are in the sentences of these events."""
    ids = set[str]()

    def note(id: str) -> str:
        ids.add(id)
        return id

    for event in events:
        sentence(event, note)
    return ids - {""}


class _Names:
    """The names that accounts had at each event of a season."""

    def __init__(self, revisions: Sequence[SeasonRevision]) -> None:
        self.accounts = names_of(_everybody(revisions))
        renamed = [it.event for it in revisions if isinstance(it.event, PlayerRenamed) and it.event.name]
        current = names_with(it.name for it in renamed if it.name)
        # Of a name that is gone its account's is told.
        self.new = {str(it.name): current.get(str(it.name)) or self.accounts.get(it.player, NOBODY) for it in renamed}
        self.before = dict(zip((it.row.version for it in revisions[1:]), revisions, strict=False)) if renamed else {}

    def at(self, revision: SeasonRevision) -> Mapping[str, str]:
        """Return the names just before this event."""
        before = self.before.get(revision.row.version)
        if before is None:
            return self.accounts
        players = before.season.players.values()
        return self.accounts | self.new | {it.id: self.new[it.display_name_id] for it in players if it.display_name_id}


def _act(events: list[_Named]) -> shapes.SeasonAct:
    text = " ".join(_sentence(it.event, it.names) for it in events if _is_news(it.event))
    return shapes.SeasonAct(events[-1].row.version, events[0].row.at, text)


def _is_news(event: Event) -> bool:
    """True if an event is news; staff, and the garnets of the start, aren't."""
    return not isinstance(event, _QUIET) and not (isinstance(event, GarnetsMoved) and event.cause == "start")


def _sentence(event: Event, names: Mapping[str, str]) -> str:
    return sentence(event, calling(names))
