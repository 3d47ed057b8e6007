"""People in pasted text: names, addresses or both, as spreadsheets, mail programs and chats write them. No I/O."""

import re
from collections.abc import Iterator, Sequence
from email.utils import getaddresses
from typing import Literal, NamedTuple

from matches.seasons.pasted import Row, Unreadable, heading_key

NameColumn = Literal["name", "first", "last", "address"]
_WORDS: dict[str, NameColumn] = {
    "name": "name", "player": "name", "username": "name", "account": "name", "fullname": "name", "displayname": "name",
    "nickname": "name", "spieler": "name", "benutzername": "name", "konto": "name", "joueur": "name", "pseudo": "name",
    "nombre": "name", "jugador": "name", "yourname": "name", "whatisyourname": "name",
    "firstname": "first", "givenname": "first", "vorname": "first", "prenom": "first", "prénom": "first",
    "lastname": "last", "familyname": "last", "surname": "last", "nachname": "last", "nom": "last", "apellidos": "last",
    "email": "address", "mail": "address", "address": "address", "emailaddress": "address", "mailadresse": "address",
    "emailadresse": "address", "adressemail": "address", "adresseemail": "address", "courriel": "address",
    "correo": "address", "correoelectrónico": "address",
}  # fmt: skip
# A letter or digit has to follow: names may begin with a hyphen, a full stop or digits themselves.
_BULLET = re.compile(r"\s*(?:[-*+•‣◦▪●○–—·✓✔☐☑]|\(?\d{1,3}[.):]|\[[ xX]?\])\s+(?=\S)")
# Each part stops at the next @, so that no text makes a search take longer than in proportion to its length.
_ADDRESS = re.compile(r'(?<![^\s<>()\[\],;:"@])(?:mailto:)?([^\s<>()\[\],;:"@]+@[^\s<>()\[\],;:"@]+)', re.IGNORECASE)
_OUTLOOK = re.compile(r'"?([^<>";]+?)"?\s*<([^<>;,\s@]+@[^<>;,\s@]+)>')
_BETWEEN_SEMICOLONS = re.compile(r'(?:"[^"]*"|[^;])+')
_PAIR = 2
_UNPAIRED = (
    "Names and addresses don't pair up: write one person a line, as Jo Park <jo@example.org>, or name the columns in "
    "the first line."
)


class Person(NamedTuple):
    """A name, an address, or both."""

    name: str
    address: str


class Columns(NamedTuple):
    """Columns of the first line: the part of a name that each holds, or None; and the headings that aren't read."""

    parts: list[NameColumn | None]
    unread: list[str]
    delimiter: str


def columns_of(row: Row) -> Columns | None:
    """Return the columns that a row names, or None if it isn't a row of headings; raise Unreadable."""
    cells = row.cells()
    parts = [_WORDS.get(heading_key(cell)) for cell in cells]
    if not any(parts) or "@" in row.text:
        return None
    named = [it for it in parts if it]
    if len(set(named)) < len(named) or ("name" in named and {"first", "last"} & set(named)):
        raise Unreadable("The headings name the same thing twice: keep one column of names and one of addresses.")
    unread = [cell for cell, part in zip(cells, parts, strict=True) if cell and not part]
    return Columns(parts, unread, row.delimiter)


def person_in(row: Row, columns: Columns) -> Person:
    """Return the person in a row below headings; raise Unreadable."""
    cells = row.cells(columns.delimiter)
    if any(cells[len(columns.parts) :]):
        raise Unreadable("The line has more cells than there are headings: put quotation marks round its commas.")
    parts = {part: cell for part, cell in zip(columns.parts, cells, strict=False) if part}
    name = parts.get("name") or " ".join(filter(None, (parts.get("first"), parts.get("last"))))
    people = list(_in_cell(parts["address"])) if parts.get("address") else [Person("", "")]
    if len(people) > 1 or not (name or people[0].address):
        raise Unreadable("Write one name, one address or both on the line.")
    return Person(name or people[0].name, people[0].address or people[0].name)


def people_in(row: Row) -> list[Person]:
    """Return the people in a row without headings; raise Unreadable."""
    bullet = _BULLET.match(row.text)
    bare = Row(row.number, row.last, row.text[bullet.end() :] if bullet else row.text)
    if "<" in bare.text and "@" in bare.text:
        bare.refuse_unprintable()
        parts = filter(None, (it.strip(" ,\t\n") for it in _BETWEEN_SEMICOLONS.findall(bare.text)))
        return [person for part in parts for person in _recipients(part)]
    people = [person for cell in bare.cells() if cell for person in _in_cell(cell)]
    if all(bool(it.name) != bool(it.address) for it in people):
        return _paired(people)
    return people


def _paired(people: Sequence[Person]) -> list[Person]:
    """Join the names with the addresses beside them; raise Unreadable if it isn't clear which belong together."""
    has_address = [bool(it.address) for it in people]
    if len(set(has_address)) == 1:
        return list(people)
    if has_address == [True, False]:
        return [Person(people[1].name, people[0].address)]
    if has_address != [False, True] * (len(people) // _PAIR):
        raise Unreadable(_UNPAIRED)
    return [Person(name.name, it.address) for name, it in zip(people[::_PAIR], people[1::_PAIR], strict=True)]


def _recipients(part: str) -> list[Person]:
    """Return the people in a mail program's list of recipients; raise Unreadable."""
    people = [Person(*it) for it in getaddresses([part])]
    if all("@" in it.address for it in people) and _letters(part) == _letters("".join(map("".join, people))):
        return people
    # Outlook writes a family name, a comma and a given name without quotation marks.
    if outlook := _OUTLOOK.fullmatch(part):
        return [Person(" ".join(outlook[1].split()), outlook[2])]
    raise Unreadable(_UNPAIRED)


def _letters(text: str) -> list[str]:
    return sorted(filter(str.isalnum, text))


def _in_cell(cell: str) -> Iterator[Person]:
    """Yield the people in a cell: mentions, addresses with spaces between them, a name with an address, or a name."""
    words = cell.split()
    if cell.startswith("@"):
        yield from (Person(it.strip().removeprefix("@"), "") for it in re.split(r"\s+(?=@)", cell))
    elif len(words) > 1 and all("@" in word for word in words):
        yield from (Person("", word) for word in words)
    elif len(addresses := _ADDRESS.findall(cell)) == 1:
        yield Person(_ADDRESS.sub(" ", cell).strip(" <>()[]:–—-"), addresses[0])
    elif "@" in cell:
        yield Person("", cell)
    else:
        yield Person(cell, "")
