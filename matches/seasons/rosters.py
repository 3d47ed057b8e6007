"""A pasted list of those who are to play, read line by line: names of accounts, who are enrolled, and addresses, who
are invited by a link of their own. Reading changes nothing."""

import csv
from collections.abc import Iterator, Sequence
from typing import Literal

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from msgspec import Struct

from games.kernel import Illegal
from matches.domain.bidi import apart
from matches.domain.names import MAX_LENGTH, name_key
from matches.models import Account
from matches.seasons.domain import roster
from matches.seasons.domain.deciding import Batch, Caller
from matches.seasons.domain.state import Season

MOST_LINES = 500
LONGEST_TEXT = 50_000
LONGEST_LABEL = 200
_HEADINGS = frozenset({"name", "player", "username", "account", "e-mail", "email", "address", "mail"})
_CELLS = 2
Does = Literal["enrol", "invite", "nothing"]


class ReadLine(Struct, frozen=True, kw_only=True):
    """A line that isn't empty: what would be done by it, or what is wrong with it (`code`, and `fault` as a sentence).

    `number` counts the list's lines from 1. `label` is for whom an invitation is.
    """

    number: int
    text: str
    does: Does = "nothing"
    account: str | None = None
    label: str = ""
    code: str = ""
    fault: str = ""


class Reading(Struct, frozen=True):
    """The lines of a list in their order."""

    lines: list[ReadLine]

    @property
    def faulty(self) -> list[ReadLine]:
        """The lines with a fault."""
        return [line for line in self.lines if line.code]

    @property
    def players(self) -> list[str]:
        """Who would be enrolled."""
        return [line.account for line in self.lines if line.account and line.does == "enrol"]

    @property
    def labels(self) -> list[str]:
        """Who would be invited."""
        return [line.label for line in self.lines if line.does == "invite"]


class _Faulty(Exception):
    """A line's fault: its code and sentence."""


class _Reader:
    """The lines read so far: who stands in which, and the season with them in it."""

    def __init__(self, season: Season, by: Caller, accounts: dict[str, Account]) -> None:
        self.by = by
        self.accounts = accounts
        self.batch = Batch(season)
        self.seen: dict[str, int] = {}

    def read(self, number: int, text: str) -> ReadLine:
        """One more line."""
        try:
            name, address = _cells(text)
            before = self.seen.setdefault(name_key(address or name), number)
            if before != number:
                raise _Faulty("twice", f"{apart(address or name)} stands in line {before} already.")
            if address:
                label = f"{name}, {address}" if name else address
                return ReadLine(number=number, text=text, does="invite", label=label)
            return ReadLine(number=number, text=text, does="enrol", account=self._enrolled(name))
        except _Faulty as fault:
            code, told = fault.args
            return ReadLine(number=number, text=text, code=code, fault=told)

    def _enrolled(self, name: str) -> str:
        found = self.accounts.get(name_key(name))
        if found is None:
            raise _Faulty("unknown", f"There is no account {apart(name)}: add an address to invite them by a link.")
        if not found.is_active:
            raise _Faulty("closed_account", f"The account {apart(name)} is closed.")
        if found.is_guest:
            raise _Faulty("not_for_guests", f"{apart(name)} is a guest: seasons are for accounts, whose names stay.")
        player = str(found.id)
        season = self.batch.season
        if player in season.players:
            status = season.players[player].status
            told = "is in the season already" if status == "living" else f"was in the season, and is {status}"
            raise _Faulty("already_enrolled", f"{apart(name)} {told}.")
        if player in season.staff:
            raise _Faulty("runs_the_season", f"{apart(name)} is {season.staff[player]} of the season, so doesn't play.")
        try:
            self.batch.add(*roster.enrol(season, self.by, player))
        except Illegal as refused:
            raise _Faulty(refused.code, refused.message) from None
        return player


def read(season: Season, by: Caller, text: str) -> Reading:
    """What a list would bring to the season, line by line; raises Illegal `bad_list` for one that is too long."""
    if len(text) > LONGEST_TEXT:
        raise Illegal("bad_list", f"A list has at most {LONGEST_TEXT} characters.")
    lines = list(_lines(text))
    if len(lines) > MOST_LINES:
        raise Illegal("bad_list", f"A list has at most {MOST_LINES} lines with names.")
    keys = {name_key(cell) for _, line in lines for cell in _split(line)[:1] if len(cell) <= MAX_LENGTH}
    accounts = {it.name_key: it for it in Account.objects.filter(name_key__in=keys)}
    reader = _Reader(season, by, accounts)
    return Reading([reader.read(number, line) for number, line in lines])


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines with something in them, and their numbers, without a heading."""
    lines = ((number, line.strip()) for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1))
    found = [(number, line) for number, line in lines if line.strip(",\t ")]
    if found and {cell.casefold() for cell in _split(found[0][1])} <= _HEADINGS:
        found = found[1:]
    yield from found


def _cells(text: str) -> tuple[str, str]:
    """The name and the address of a line, one of them empty perhaps; raises _Faulty."""
    if any(not it.isprintable() and it != "\t" for it in text):
        raise _Faulty("unreadable", "The line holds signs that can't be printed: type it anew.")
    if ";" in text:
        raise _Faulty("unreadable", "Put a comma, not a semicolon, between name and address.")
    if text.count('"') % 2:
        raise _Faulty("unreadable", "A quotation mark is opened and not closed.")
    cells = _split(text)
    if len(cells) > _CELLS:
        raise _Faulty("unreadable", "A line is a name, an address, or a name, a comma and an address.")
    name, address = (cells[0], "") if len(cells) < _CELLS else (cells[0], cells[1])
    if "@" in name and not address:
        name, address = "", name
    if len(name) > MAX_LENGTH or len(address) > LONGEST_LABEL - MAX_LENGTH - len(", "):
        raise _Faulty("too_long", f"A name has at most {MAX_LENGTH} characters.")
    if address:
        try:
            validate_email(address)
        except ValidationError:
            raise _Faulty("bad_address", f"{apart(address)} is no e-mail address.") from None
    return name, address


def _split(line: str) -> list[str]:
    """The parts of a line, by commas or tabs, those at the end that are empty left out."""
    cells = next(csv.reader([line], delimiter="\t" if "\t" in line else ",", skipinitialspace=True), [])
    cells = [cell.strip() for cell in cells]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def faults_of(lines: Sequence[ReadLine]) -> list[str]:
    """Each line's fault, with its number."""
    return [f"Line {line.number}: {line.fault}" for line in lines]
