"""Names people sign in with: one spelling each, however it is typed."""

import re
import unicodedata
from functools import cache
from uuid import UUID
from zoneinfo import available_timezones

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_ALLOWED = re.compile(r"[\w.+-]+(?: [\w.+-]+)*")
MAX_LENGTH = 40
_ERASED = "erased"


def name_key(name: str) -> str:
    """What two names that look alike have in common; unique among accounts."""
    return unicodedata.normalize("NFKC", name).casefold()


def name_fault(name: str) -> str | None:
    """Why a name can't be used, in a sentence; None where it can."""
    if any(unicodedata.category(letter) in _HIDDEN for letter in name):
        return "A name holds no invisible or control characters."
    if not 1 <= len(name) <= MAX_LENGTH or len(name_key(name)) > 4 * MAX_LENGTH:
        return f"A name is 1 to {MAX_LENGTH} characters long."
    if not _ALLOWED.fullmatch(unicodedata.normalize("NFKC", name)):
        return "A name is made of letters, digits, single spaces and . _ + -"
    if name_key(name) in ("bot", "host", "spectator", "dealer", "system"):
        return "That name is taken by the house."
    if name_key(name).startswith(_ERASED):
        return "A name doesn't begin with erased: erased accounts are called so."
    return None


def erased_name(account_id: UUID) -> str:
    """What an erased account is called: a name that nobody can sign up with."""
    return f"{_ERASED} {account_id.hex}"


@cache
def time_zones() -> tuple[str, ...]:
    """The zones of the IANA time zone database, in the order of the alphabet, UTC first."""
    others = ("Etc/", "posix/", "right/")
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith(others)))


def is_time_zone(name: str) -> bool:
    """Whether this is a zone that an account may have."""
    return name in time_zones()
