"""Talk beside a match or a season: who may read and write in which thread. Pure."""

from typing import Literal

from msgspec import Struct

from games.kernel import Illegal
from matches.domain import impartiality
from matches.domain.lifecycle import Lifecycle
from matches.domain.texts import clean_lines

TalkFor = Literal["off", "members", "all"]
"""The people who may talk: nobody; those of the match or season; whoever may see it."""

MatchThread = Literal["table", "spectators"]
TABLE: MatchThread = "table"
SPECTATORS: MatchThread = "spectators"

LONGEST = 500
"""Maximum characters of a remark."""


class Rights(Struct, frozen=True):
    """The threads that an account may read, write in and moderate. `late` is the delay in seconds after which it reads
    the remarks of those who know more of the match."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    moderates: tuple[str, ...] = ()
    late: int = 0


NONE = Rights()


def cleaned(text: str) -> str:
    """Return a remark as it is stored, in one line; raise BadText."""
    return " ".join(clean_lines(text).split())


def rights(
    lifecycle: Lifecycle, account: str | None, *, open_to: TalkFor, hosts: bool, is_member: bool = False,
    is_guest: bool = False,
) -> Rights:  # fmt: skip
    """Return the rights of an account (None for a stranger) at a match, given the lifecycle that this account may see.

    `hosts` and `is_member` describe the account's role at the match and in its season. Present and former seats neither
    read the spectators' thread before the end nor ever write in it. With a spectators' delay, accounts that have seen
    more than the spectators write only in the table's thread.
    """
    if account is None:
        return NONE
    seat, at_table = lifecycle.seat_of(account), sits_or_sat(lifecycle, account)
    runs = hosts and impartiality.is_open_to(lifecycle, account, "moderate")
    is_walled = at_table and not lifecycle.over
    is_involved = is_member or hosts or at_table
    has_access = open_to == "all" or (open_to == "members" and is_involved) or (open_to == "off" and runs)
    if not has_access:
        return NONE
    delay = lifecycle.opened.spectator_delay
    knows_now = seat is not None or account in lifecycle.looked
    reads = (TABLE,) if is_walled else (TABLE, SPECTATORS)
    among_spectators = not at_table and not (delay and knows_now)
    writes: list[str] = []
    if open_to != "off" and not is_guest:
        writes += [TABLE] if seat is not None or runs else []
        writes += [SPECTATORS] if among_spectators else []
    return Rights(reads, tuple(writes), reads if runs else (), 0 if knows_now else delay)


def sits_or_sat(lifecycle: Lifecycle, account: str) -> bool:
    """True if the account holds or has held a seat of the match; a substituted player may come back."""
    return lifecycle.seat_of(account) is not None or account in lifecycle.sitters


def no_such_remark() -> Illegal:
    """Return the refusal for a remark that doesn't exist, or that the caller may not see."""
    return Illegal("no_such_remark", "There is no remark of this number.")
