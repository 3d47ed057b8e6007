"""Reading of a pasted list of players, person by person: accounts by name, who are enrolled, and addresses, who are
invited by a link of their own. Reading stores nothing."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from msgspec import Struct

from games.kernel import Illegal
from matches.domain.bidi import apart
from matches.domain.names import MAX_LENGTH, name_key
from matches.models import Account
from matches.seasons import pasted, pasted_people
from matches.seasons.domain import roster
from matches.seasons.domain.deciding import Batch, Caller
from matches.seasons.domain.state import Season
from matches.seasons.pasted import Row, Unreadable
from matches.seasons.pasted_people import Person

MOST_LINES = 500
LONGEST_TEXT = pasted.LONGEST_TEXT
LONGEST_LABEL = 200
Does = Literal["enrol", "invite", "nothing"]


class ReadLine(Struct, frozen=True, kw_only=True):
    """A person in a list with the effect of entering them, or with their fault as `code` and as a sentence.

    `number` is the line of the list, counted from 1; several people may share it. `label` names the
    person of an invitation.
    """

    number: int
    text: str
    does: Does = "nothing"
    account: str | None = None
    label: str = ""
    code: str = ""
    fault: str = ""


class Reading(Struct, frozen=True):
    """The people of a list in their order; `notes` are sentences about what isn't read."""

    lines: list[ReadLine]
    notes: list[str] = []

    @property
    def faulty(self) -> list[ReadLine]:
        """Return the lines with a fault."""
        return [line for line in self.lines if line.code]

    @property
    def players(self) -> list[str]:
        """Return the ids of the accounts to enrol."""
        return [line.account for line in self.lines if line.account and line.does == "enrol"]

    @property
    def labels(self) -> list[str]:
        """Return the labels of the invitations to create."""
        return [line.label for line in self.lines if line.does == "invite"]


class _Faulty(Exception):
    """Fault of a line: its code and sentence."""


class _Entry(Struct, frozen=True):
    """A row with a person in it, or with the reason why it can't be read."""

    row: Row
    person: Person = Person("", "")
    fault: str = ""


class _Reader:
    """State of reading a list: the line of each person so far, and the season after enrolling them."""

    def __init__(self, season: Season, by: Caller, accounts: dict[str, Account]) -> None:
        self.by = by
        self.accounts = accounts
        self.batch = Batch(season)
        self.lines: dict[str, int] = {}

    def read(self, entry: _Entry) -> ReadLine:
        """Return the line of one more person, and add them to the season that the next one is checked against."""
        number, text, person = entry.row.number, entry.row.text, entry.person
        try:
            if entry.fault:
                raise _Faulty("unreadable", entry.fault)
            _refuse_unusable(person)
            key = name_key(person.address or person.name)
            if key in self.lines:
                who = apart(person.address or person.name)
                raise _Faulty("twice", f"{who} stands in line {self.lines[key]} already.")
            self.lines[key] = number
            if person.address:
                return ReadLine(number=number, text=text, does="invite", label=", ".join(filter(None, person)))
            return ReadLine(number=number, text=text, does="enrol", account=self._enrolled(person.name))
        except _Faulty as fault:
            code, sentence = fault.args
            return ReadLine(number=number, text=text, code=code, fault=sentence)

    def _enrolled(self, name: str) -> str:
        account = self.accounts.get(name_key(name))
        if account is None:
            raise _Faulty("unknown", f"No account is called {apart(name)}: add an address to invite them by a link.")
        if not account.is_active:
            raise _Faulty("closed_account", f"The account {apart(name)} is closed.")
        if account.is_guest:
            raise _Faulty("not_for_guests", f"{apart(name)} is a guest: seasons are for accounts, whose names stay.")
        player = str(account.id)
        season = self.batch.season
        if player in season.players:
            status = season.players[player].status
            reason = "is in the season already" if status == "living" else f"was in the season, and is {status}"
            raise _Faulty("already_enrolled", f"{apart(name)} {reason}.")
        if player in season.staff:
            raise _Faulty("runs_the_season", f"{apart(name)} is {season.staff[player]} of the season, so doesn't play.")
        try:
            self.batch.add(*roster.enrol(season, self.by, player))
        except Illegal as refused:
            raise _Faulty(refused.code, refused.message) from None
        return player


def read(season: Season, by: Caller, text: str) -> Reading:
    """Return the people of a list, checked against the season; raise Illegal `bad_list` if it is too long."""
    if len(text) > LONGEST_TEXT:
        raise Illegal("bad_list", f"A list has at most {LONGEST_TEXT} characters.")
    rows = list(pasted.rows(text))
    notes, entries = _entries(rows)
    if max(len(rows), len(entries)) > MOST_LINES:
        raise Illegal("bad_list", f"A list has at most {MOST_LINES} lines with names.")
    # A name may look like a bullet or a number with more behind it: an account of the whole name comes first.
    whole = _accounts(row.text for row in rows)
    entries = [_Entry(it.row, Person(it.row.text, "")) if name_key(it.row.text) in whole else it for it in entries]
    reader = _Reader(season, by, whole | _accounts(it.person.name for it in entries))
    return Reading([reader.read(entry) for entry in entries], notes)


def faults_of(lines: Sequence[ReadLine]) -> list[str]:
    """Return each line's fault, with its number."""
    return [f"Line {line.number}: {line.fault}" for line in lines]


def _entries(rows: Sequence[Row]) -> tuple[list[str], list[_Entry]]:
    """Return sentences about the columns that aren't read, and the people of all rows below any headings."""
    try:
        columns = pasted_people.columns_of(rows[0]) if rows else None
    except Unreadable as unreadable:
        return [], [_Entry(rows[0], fault=str(unreadable)), *_listed(rows[1:])]
    if columns is None:
        return [], list(_listed(rows))
    unread = [f"The column {apart(it)} isn't read." for it in columns.unread]
    return unread, list(_below(rows[1:], columns))


def _below(rows: Iterable[Row], columns: pasted_people.Columns) -> Iterator[_Entry]:
    """Yield the people below headings."""
    for row in rows:
        try:
            yield _Entry(row, pasted_people.person_in(row, columns))
        except Unreadable as unreadable:
            yield _Entry(row, fault=str(unreadable))


def _listed(rows: Iterable[Row]) -> Iterator[_Entry]:
    """Yield the people of rows without headings."""
    for row in rows:
        try:
            yield from (_Entry(row, person) for person in pasted_people.people_in(row))
        except Unreadable as unreadable:
            yield _Entry(row, fault=str(unreadable))


def _accounts(names: Iterable[str]) -> dict[str, Account]:
    keys = {name_key(name) for name in names if 0 < len(name) <= MAX_LENGTH and name.isprintable()}
    return {it.name_key: it for it in Account.objects.filter(name_key__in=keys)}


def _refuse_unusable(person: Person) -> None:
    """Raise _Faulty for a name that is too long or an address that is none."""
    if len(person.name) > MAX_LENGTH or len(person.address) > LONGEST_LABEL - MAX_LENGTH - len(", "):
        raise _Faulty("too_long", f"A name has at most {MAX_LENGTH} characters.")
    if person.address:
        try:
            validate_email(person.address)
        except ValidationError:
            raise _Faulty("bad_address", f"{apart(person.address)} is no e-mail address.") from None
