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
_ERASED = "erased"
_GUEST = "Guest "
_OF_THE_HOUSE = ("bot", "host", "spectator", "dealer", "system")


def name_key(name: str) -> str:
    """What two ways to type a name have in common; unique among accounts. Names that look alike share a skeleton."""
    return unicodedata.normalize("NFKC", name).casefold()


def name_fault(name: str) -> str | None:
    """Why a name can't be used, in a sentence; None where it can."""
    plain = unicodedata.normalize("NFKC", name)
    if any(unicodedata.category(letter) in _HIDDEN for letter in name) or _BLANK & set(plain):
        return "A name holds no invisible or control characters."
    if not 1 <= len(plain) <= MAX_LENGTH or len(name) > MAX_LENGTH or len(name_key(name)) > 4 * MAX_LENGTH:
        return f"A name is 1 to {MAX_LENGTH} characters long."
    if not _ALLOWED.fullmatch(plain):
        return "A name is made of letters, digits, single spaces and . _ + -"
    look = skeleton(plain)
    if look in map(skeleton, _OF_THE_HOUSE):
        return "That name is taken by the house."
    if look.startswith(skeleton(_ERASED)):
        return "A name doesn't begin with erased: erased accounts are called so."
    if look.startswith(skeleton(_GUEST)):
        return "A name doesn't begin with the word guest: guests are called so."
    return None


def erased_name(account_id: UUID) -> str:
    """What an erased account is called: a name that nobody can sign up with."""
    return f"{_ERASED} {account_id.hex}"


def guest_name(number: int) -> str:
    """What a guest is called: a name that nobody can sign up with."""
    return f"{_GUEST}{number}"


@cache
def time_zones() -> tuple[str, ...]:
    """The zones of the IANA time zone database, in the order of the alphabet, UTC first."""
    others = ("Etc/", "posix/", "right/")
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith(others)))


def is_time_zone(name: str) -> bool:
    """Whether this is a zone that an account may have."""
    return name in time_zones()
