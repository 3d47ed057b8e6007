"""Arrival of players in a season, for every entry point: a list is tried or entered, a joining link is followed."""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from msgspec import Struct

from events import store
from events.pipeline import Statement
from games.kernel import Event, Illegal
from matches.models import Account
from matches.seasons import joining, repository, rosters, services
from matches.seasons.domain.deciding import Caller, refuse_unless_organiser
from matches.seasons.domain.intake_acts import EnrolList
from matches.seasons.domain.state import Season
from matches.seasons.reads import arrivals, selectors
from matches.seasons.rosters import Reading, ReadLine
from matches.services.playing import Accepted


class Listed(NamedTuple):
    """A list as it was pasted. Its invitations are valid until `closes_at`. With `skip_faulty` the lines with a fault
    are left out; without it, one such line refuses the whole list."""

    season_id: UUID
    text: str
    closes_at: str | None = None
    skip_faulty: bool = False


class ListRead(Struct, frozen=True):
    """Effects of a list at this version: `lines` has them person by person, `text` the sentences that the record would
    get, `notes` the columns that aren't read."""

    version: int
    players: int
    invitations: int
    faulty: int
    lines: list[ReadLine]
    text: list[str]
    notes: list[str]


class ListFaulty(Illegal):
    """Refusal of a list that has lines with a fault: nothing of it was entered."""

    def __init__(self, faulty: Sequence[ReadLine]) -> None:
        faults = rosters.faults_of(faulty)
        lines = f"{len(faults)} lines have" if len(faults) > 1 else "One line has"
        super().__init__("list_faulty", f"{lines} a fault, so nothing was entered. {' '.join(faults)}")
        self.lines = list(faulty)


def try_list(account: Account, listed: Listed, expected: int | None = None) -> ListRead:
    """Return the effects that the list would have; store nothing. Raise Illegal or SeasonMoved if none is allowed."""
    season = repository.load(listed.season_id)
    if expected is not None and season.version != expected:
        raise services.SeasonMoved(season.version)
    by = services.caller(listed.season_id, season, account)
    refuse_unless_organiser(by)
    reading = rosters.read(season, by, listed.text)
    sentences: list[str] = []
    if reading.players or reading.labels:
        without_faulty = listed._replace(skip_faulty=True)
        foreseen = services.preview(season_id=listed.season_id, by=account, decide=_Entry(without_faulty).decide)
        sentences = [event.text for event in foreseen.events]
    return ListRead(
        version=season.version,
        players=len(reading.players),
        invitations=len(reading.labels),
        faulty=len(reading.faulty),
        lines=reading.lines,
        text=sentences,
        notes=reading.notes,
    )


def enter_list(account: Account, listed: Listed, key: str, fingerprint: bytes, expected: int | None = None) -> Accepted:
    """Enrol and invite everybody of the list in one act; raise Illegal, ListFaulty, SeasonMoved or KeyReused."""
    entry = _Entry(listed)
    return services.act(
        season_id=listed.season_id,
        by=account,
        decide=entry.decide,
        key=key,
        fingerprint=fingerprint,
        expected=expected,
        beside=entry.beside,
    )


def joining_document(account: Account, link: joining.Joining) -> arrivals.JoiningDocument:
    """Return the document for an account that follows a link; one that isn't signed in reads it as a stranger."""
    name, role, visible = "", None, link.season.options.public
    if account is not None and account.is_authenticated:
        name = str(account.id)
        role = services.caller(link.row.id, link.season, account).role
        visible = selectors.season_for(account, link.row.id) is not None
    return arrivals.joining(link.row.id, link.season, link.link, name, role, visible, store.clock())


class _Entry:
    """Act of entering a list, read against the season that the transaction has locked."""

    def __init__(self, listed: Listed) -> None:
        self.listed = listed
        self.reading = Reading([])

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        """Return the events of all lines as one act; raise Illegal or ListFaulty."""
        refuse_unless_organiser(by)
        self.reading = rosters.read(season, by, self.listed.text)
        if self.reading.faulty and not self.listed.skip_faulty:
            raise ListFaulty(self.reading.faulty)
        players, invited = tuple(self.reading.players), len(self.reading.labels)
        return EnrolList(players, invited, self.listed.closes_at).decide(season, by)

    def beside(self, events: Sequence[Event]) -> list[Statement]:
        """Return the statements that store the label of each invitation."""
        return joining.keeping(self.listed.season_id, list(events), self.reading.labels)
