"""Documents of a season's events and acts, in sentences with everybody's name."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from events.records import Recorded
from games.kernel import Event, to_json
from matches.domain.bidi import apart
from matches.domain.clocks import instant
from matches.models import Account
from matches.reads.documents import PlayerDocument
from matches.seasons import repository
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
    revisions = list(repository.revisions(season_id))
    names = _Names(revisions)
    page = revisions[after : after + limit]
    more = bool(page) and page[-1].row.version < len(revisions)
    return shapes.SeasonEvents(
        results=[told(revision.event, revision.row, names.at(revision)) for revision in page],
        next=page[-1].row.version if more else None,
        version=len(revisions),
    )


def acts(season_id: UUID, after: int) -> list[shapes.SeasonAct]:
    """Return the acts after a version."""
    revisions = list(repository.revisions(season_id))
    if len(revisions) <= after:
        return []
    names = _Names(revisions)
    batches = groupby(revisions[after:], key=lambda revision: (revision.row.actor, revision.row.at))
    return [_act(list(batch), names) for _, batch in batches]


def people(season_id: UUID) -> dict[str, str]:
    """Return the names of all who ever had a part in the season, by id."""
    return names_of(_everybody(list(repository.revisions(season_id))))


def told(event: Event, row: Recorded, names: Mapping[str, str]) -> dict[str, Any]:
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
    found = Account.objects.filter(id__in=list(accounts)).values_list("id", "username")
    return {str(account_id): username for account_id, username in found}


def display_names(*seasons: Season) -> dict[str, str]:
    """Return the names that players have in these seasons alone, by account, without those called as their account
    is."""
    ids = {it.called: it.id for season in seasons for it in season.players.values() if it.called}
    return {ids[name_id]: name for name_id, name in names_with(ids).items()} if ids else {}


def names_with(ids: Iterable[str]) -> dict[str, str]:
    """Return those of the display names that still exist, by id."""
    return {str(found): name for found, name in DisplayName.objects.filter(id__in=list(ids)).values_list("id", "name")}


def players_of(accounts: Iterable[str]) -> dict[str, PlayerDocument]:
    found = Account.objects.filter(id__in=list(accounts)).only("username", "portrait_face", "portrait_picture")
    return {str(it.id): PlayerDocument(it.id, it.username, it.portrait) for it in found}


def calling(names: Mapping[str, str]) -> Name:
    """Return a function that gives an account's name for a sentence."""
    return lambda account: apart(names.get(account, NOBODY))


def accounts_in(events: Iterable[Event]) -> set[str]:
    """Return the accounts that come into the season by these events, or acted in them."""
    named = (getattr(event, name, None) for event in events for name in _NAMING)
    return {account for account in named if account is not None}


def _everybody(revisions: Sequence[SeasonRevision]) -> Collection[str]:
    return accounts_in(revision.event for revision in revisions)


class _Names:
    """The names that accounts had at each event of a season."""

    def __init__(self, revisions: Sequence[SeasonRevision]) -> None:
        self.accounts = names_of(_everybody(revisions))
        renamed = [it.event for it in revisions if isinstance(it.event, PlayerRenamed) and it.event.name]
        known = names_with(it.name for it in renamed if it.name)
        # Of a name that is gone its account's is told.
        self.new = {str(it.name): known.get(str(it.name)) or self.accounts.get(it.player, NOBODY) for it in renamed}
        self.before = dict(zip((it.row.version for it in revisions[1:]), revisions, strict=False)) if renamed else {}

    def at(self, revision: SeasonRevision) -> Mapping[str, str]:
        """Return the names just before this event."""
        before = self.before.get(revision.row.version)
        if before is None:
            return self.accounts
        players = before.season.players.values()
        return self.accounts | self.new | {it.id: self.new[it.called] for it in players if it.called}


def _act(revisions: list[SeasonRevision], names: _Names) -> shapes.SeasonAct:
    text = " ".join(_sentence(it.event, names.at(it)) for it in revisions if _is_news(it.event))
    return shapes.SeasonAct(revisions[-1].row.version, revisions[0].row.at, text)


def _is_news(event: Event) -> bool:
    """True if an event is news; staff, and the garnets of the start, aren't."""
    return not isinstance(event, _QUIET) and not (isinstance(event, GarnetsMoved) and event.cause == "start")


def _sentence(event: Event, names: Mapping[str, str]) -> str:
    return sentence(event, calling(names))
