"""Sign-in names: one canonical spelling each, however it is typed."""

import re
import unicodedata
from functools import cache
from uuid import UUID
from zoneinfo import available_timezones

from matches.domain.skeletons import skeleton

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_ALLOWED = re.compile(r"[\w.+-]+(?: [\w.+-]+)*")
# Invisible characters whose category is letter: two Hangul fillers and two hieroglyph blanks.
_BLANK = set("\u115f\u1160\U00013441\U00013442")
MAX_LENGTH = 40
_LETTER = re.compile("LATIN (?:SMALL LETTER|CAPITAL LETTER|LETTER SMALL CAPITAL) ([A-Z])(?: WITH .+)?")
_ERASED = "erased"
_GUEST = "guest"
_ACTORS = ("bot", "clock", "dealer", "erased", "guest", "host", "house", "program", "season", "spectator", "worker")
_ROLES = (
    "admin", "administrator", "auditor", "croupier", "helpdesk", "judge", "mod", "moderator", "official", "operator",
    "organiser", "organizer", "referee", "root", "security", "server", "service", "staff", "superuser", "support",
    "system", "sysadmin", "webmaster",
)  # fmt: skip
_NOBODY = ("all", "anonymous", "anybody", "everybody", "everyone", "me", "nobody", "none", "null", "player", "you")
RESERVED = (*_ACTORS, *_ROLES, *_NOBODY)
"""Names that readers would mistake for the service, for an official, or for no account."""


def name_key(name: str) -> str:
    """Return the canonical form of a name; unique among accounts. Names that look alike share a skeleton instead."""
    return unicodedata.normalize("NFKC", name).casefold()


def name_fault(name: str, *, by_operator: bool = False) -> str | None:
    """Return why a name can't be used, in a sentence; None if it can. An operator may take the names of roles."""
    plain = unicodedata.normalize("NFKC", name)
    if any(unicodedata.category(letter) in _HIDDEN for letter in name) or _BLANK & set(plain):
        return "A name holds no invisible or control characters."
    if not 1 <= len(plain) <= MAX_LENGTH or len(name) > MAX_LENGTH or len(name_key(name)) > 4 * MAX_LENGTH:
        return f"A name is 1 to {MAX_LENGTH} characters long."
    if not _ALLOWED.fullmatch(plain):
        return "A name is made of letters, digits, single spaces and . _ + -"
    # Both as shown and in lower case: a capital i looks like a lower-case L, yet ADMIN reads as admin.
    skeletons = {skeleton(plain), skeleton(name_key(name))}
    if not any(letter.isalnum() for letter in plain):
        # Browsers resolve . and .. in an address as folders.
        return "A name has at least one letter or digit."
    if any(it.startswith(skeleton(_ERASED)) for it in skeletons):
        return "A name doesn't begin with erased: erased accounts are called so."
    if any(_begins_with_word(it, skeleton(_GUEST)) for it in skeletons):
        return "A name doesn't begin with the word guest: guests are called so."
    if (skeletons | _respelled(name)) & _skeletons_of((*_ACTORS, *_NOBODY) if by_operator else RESERVED):
        return "That name is reserved for the installation. Choose another one, or add to it."
    return None


def _respelled(name: str) -> set[str]:
    """Return skeletons of the names that a reader may mistake a name for: with plain letters for small capitals and
    struck ones, i or l for 1, and without punctuation around it. Only reserved names are compared in this way."""
    letters = unicodedata.normalize("NFD", name_key(name))
    plain = "".join(map(_plain_letter, letters)).replace("i\u0307", "i").strip("._+- ")
    return {skeleton(plain.replace("1", letter)) for letter in "1il"}


def _plain_letter(letter: str) -> str:
    latin = _LETTER.fullmatch(unicodedata.name(letter, ""))
    if latin:
        return latin[1].lower()
    return "" if unicodedata.category(letter) == "Lm" else letter


def _begins_with_word(name: str, word: str) -> bool:
    return name.startswith(word) and not name[len(word) :][:1].isalpha()


@cache
def _skeletons_of(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(skeleton, names))


def erased_name(account_id: UUID) -> str:
    """Return the name of an erased account; nobody can sign up with it."""
    return f"{_ERASED} {account_id.hex}"


def guest_name(number: int) -> str:
    """Return the name of a guest; nobody can sign up with it."""
    return f"{_GUEST.capitalize()} {number}"


@cache
def time_zones() -> tuple[str, ...]:
    """Return the zones of the IANA time zone database, in alphabetical order, UTC first."""
    others = ("Etc/", "posix/", "right/")
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith(others)))


def is_time_zone(name: str) -> bool:
    """True if an account may have this time zone."""
    return name in time_zones()
