"""Names people sign in with: one spelling each, however it is typed."""

import re
import unicodedata
from functools import cache
from uuid import UUID
from zoneinfo import available_timezones

from matches.domain.skeletons import skeleton

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_ALLOWED = re.compile(r"[\w.+-]+(?: [\w.+-]+)*")
# Letters by their category, of which nothing is to be seen: two fillers of Hangul and two blanks of hieroglyphs.
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
"""Names that a reader would take for the service, for somebody with rights in it, or for no account at all."""


def name_key(name: str) -> str:
    """What two ways to type a name have in common; unique among accounts. Names that look alike share a skeleton."""
    return unicodedata.normalize("NFKC", name).casefold()


def name_fault(name: str, *, by_operator: bool = False) -> str | None:
    """Why a name can't be used, in a sentence; None where it can. An operator may take the names of roles."""
    plain = unicodedata.normalize("NFKC", name)
    if any(unicodedata.category(letter) in _HIDDEN for letter in name) or _BLANK & set(plain):
        return "A name holds no invisible or control characters."
    if not 1 <= len(plain) <= MAX_LENGTH or len(name) > MAX_LENGTH or len(name_key(name)) > 4 * MAX_LENGTH:
        return f"A name is 1 to {MAX_LENGTH} characters long."
    if not _ALLOWED.fullmatch(plain):
        return "A name is made of letters, digits, single spaces and . _ + -"
    # As it is shown and in small letters: a capital i looks like a small el, yet ADMIN is read as admin.
    looks = {skeleton(plain), skeleton(name_key(name))}
    if not any(letter.isalnum() for letter in plain):
        # A browser takes . and .. in an address for folders.
        return "A name has at least one letter or digit."
    if any(look.startswith(skeleton(_ERASED)) for look in looks):
        return "A name doesn't begin with erased: erased accounts are called so."
    if any(_begins_with_word(look, skeleton(_GUEST)) for look in looks):
        return "A name doesn't begin with the word guest: guests are called so."
    if (looks | _respelled(name)) & _skeletons_of((*_ACTORS, *_NOBODY) if by_operator else RESERVED):
        return "That name is reserved for the installation. Choose another one, or add to it."
    return None


def _respelled(name: str) -> set[str]:
    """Return skeletons of what a reader may take a name for: with plain letters for small capitals and struck ones, an
    i or l for a 1, and without signs around it. Only reserved names are compared so."""
    letters = unicodedata.normalize("NFD", name_key(name))
    plain = "".join(map(_plain_letter, letters)).replace("i\u0307", "i").strip("._+- ")
    return {skeleton(plain.replace("1", letter)) for letter in "1il"}


def _plain_letter(letter: str) -> str:
    found = _LETTER.fullmatch(unicodedata.name(letter, ""))
    if found:
        return found[1].lower()
    return "" if unicodedata.category(letter) == "Lm" else letter


def _begins_with_word(look: str, word: str) -> bool:
    return look.startswith(word) and not look[len(word) :][:1].isalpha()


@cache
def _skeletons_of(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(skeleton, names))


def erased_name(account_id: UUID) -> str:
    """What an erased account is called: a name that nobody can sign up with."""
    return f"{_ERASED} {account_id.hex}"


def guest_name(number: int) -> str:
    """What a guest is called: a name that nobody can sign up with."""
    return f"{_GUEST.capitalize()} {number}"


@cache
def time_zones() -> tuple[str, ...]:
    """The zones of the IANA time zone database, in the order of the alphabet, UTC first."""
    others = ("Etc/", "posix/", "right/")
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith(others)))


def is_time_zone(name: str) -> bool:
    """Whether this is a zone that an account may have."""
    return name in time_zones()
