"""What has happened in a season, event by event or act by act, in sentences with everybody's name."""

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
from matches.seasons.domain.events import GarnetsMoved, SeasonOpened, StaffAppointed, StaffDismissed
from matches.seasons.reads import documents as shapes
from matches.seasons.reads.sentences import Name, sentence
from matches.seasons.repository import SeasonRevision

NOBODY = "somebody"
"""What an account is called that is there no more."""
_QUIET = (SeasonOpened, StaffAppointed, StaffDismissed)
_NAMING = ("account", "opened_by", "player", "newcomer", "by")


def events(season_id: UUID, after: int, limit: int) -> shapes.SeasonEvents:
    """Events after a version; `next` is the `after` of the next page, or None."""
    revisions = list(repository.revisions(season_id))
    names = names_of(_everybody(revisions))
    page = revisions[after : after + limit]
    more = bool(page) and page[-1].row.version < len(revisions)
    return shapes.SeasonEvents(
        results=[told(revision.event, revision.row, names) for revision in page],
        next=page[-1].row.version if more else None,
        version=len(revisions),
    )


def acts(season_id: UUID, after: int) -> list[shapes.SeasonAct]:
    """What happened after a version, an act at a time."""
    revisions = list(repository.revisions(season_id))
    if len(revisions) <= after:
        return []
    names = names_of(_everybody(revisions))
    batches = groupby(revisions[after:], key=lambda revision: (revision.row.actor, revision.row.at))
    return [_act(list(batch), names) for _, batch in batches]


def people(season_id: UUID) -> dict[str, str]:
    """What everybody who ever had a part in the season is called, by their ids."""
    return names_of(_everybody(list(repository.revisions(season_id))))


def told(event: Event, row: Recorded, names: Mapping[str, str]) -> dict[str, Any]:
    """An event as it is told, with its place in the chain."""
    return {
        **to_json(event),
        "version": row.version,
        "at": instant(row.at),
        "actor": row.actor,
        "text": _sentence(event, names),
        "hash": row.hash.hex(),
    }


def names_of(accounts: Iterable[str]) -> dict[str, str]:
    """What these accounts are called."""
    found = Account.objects.filter(id__in=list(accounts)).values_list("id", "username")
    return {str(account_id): username for account_id, username in found}


def players_of(accounts: Iterable[str]) -> dict[str, PlayerDocument]:
    """These accounts as documents tell them."""
    found = Account.objects.filter(id__in=list(accounts)).only("username", "portrait_face", "portrait_picture")
    return {str(it.id): PlayerDocument(it.id, it.username, it.portrait) for it in found}


def calling(names: Mapping[str, str]) -> Name:
    """What to call an account in a sentence, by these names."""
    return lambda account: apart(names.get(account, NOBODY))


def accounts_in(events: Iterable[Event]) -> set[str]:
    """The accounts that these events bring into the season, or that acted in them."""
    named = (getattr(event, name, None) for event in events for name in _NAMING)
    return {account for account in named if account is not None}


def _everybody(revisions: Sequence[SeasonRevision]) -> Collection[str]:
    return accounts_in(revision.event for revision in revisions)


def _act(revisions: list[SeasonRevision], names: Mapping[str, str]) -> shapes.SeasonAct:
    text = " ".join(_sentence(revision.event, names) for revision in revisions if _is_news(revision.event))
    return shapes.SeasonAct(revisions[-1].row.version, revisions[0].row.at, text)


def _is_news(event: Event) -> bool:
    """Whether people want to be told; who helps to run the season, and the garnets of the start, are nothing new."""
    return not isinstance(event, _QUIET) and not (isinstance(event, GarnetsMoved) and event.cause == "start")


def _sentence(event: Event, names: Mapping[str, str]) -> str:
    return sentence(event, calling(names))
