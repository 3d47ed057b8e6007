"""Talk beside a match or a season: what may be said, who reads which thread, and who speaks there. Pure."""

from typing import Literal

from msgspec import Struct

from games.kernel import Illegal
from matches.domain import impartiality
from matches.domain.lifecycle import Lifecycle
from matches.domain.texts import clean_lines

TalkFor = Literal["off", "members", "all"]
"""For whom there is talk: nobody; the people of the match or season; whoever may see it."""

MatchThread = Literal["table", "spectators"]
TABLE: MatchThread = "table"
SPECTATORS: MatchThread = "spectators"

LONGEST = 500
"""Characters of a remark at most."""


class Rights(Struct, frozen=True):
    """The threads that somebody reads, speaks in and moderates. `late` is how many seconds after they were said they
    read the remarks of those who know the match as it is."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    moderates: tuple[str, ...] = ()
    late: int = 0


NONE = Rights()


def cleaned(text: str) -> str:
    """Return a remark as it is kept, in one line; raise BadText."""
    return " ".join(clean_lines(text).split())


def rights(
    story: Lifecycle, account: str | None, *, open_to: TalkFor, hosts: bool, is_member: bool = False,
    is_guest: bool = False,
) -> Rights:  # fmt: skip
    """What an account (None for nobody) reads and says at a match whose story is told as that account knows it.

    `hosts` and `is_member` say what the account is to the match and to its season. Who sits at the table, or has sat
    there, neither reads what spectators say before the end nor ever says something among them. Where spectators are
    told late, who has seen more of the match than they have speaks at the table alone.
    """
    if account is None:
        return NONE
    seat, at_table = story.seat_of(account), sits_or_sat(story, account)
    runs = hosts and impartiality.is_open_to(story, account, "moderate")
    behind_the_wall = at_table and not story.over
    belongs = is_member or hosts or at_table
    has_access = open_to == "all" or (open_to == "members" and belongs) or (open_to == "off" and runs)
    if not has_access:
        return NONE
    delay = story.opened.spectator_delay
    knows_now = seat is not None or account in story.looked
    reads = (TABLE,) if behind_the_wall else (TABLE, SPECTATORS)
    among_spectators = not at_table and not (delay and knows_now)
    writes: list[str] = []
    if open_to != "off" and not is_guest:
        writes += [TABLE] if seat is not None or runs else []
        writes += [SPECTATORS] if among_spectators else []
    return Rights(reads, tuple(writes), reads if runs else (), 0 if knows_now else delay)


def sits_or_sat(story: Lifecycle, account: str) -> bool:
    """Whether the account holds a seat of the match, or has held one: who was substituted may come back."""
    return story.seat_of(account) is not None or account in story.sitters


def no_such_remark() -> Illegal:
    """The refusal of what is done to a remark that isn't there, for the caller at least."""
    return Illegal("no_such_remark", "There is no remark of this number.")
