"""Rooms of a season, where some of its people talk: who knows of a room, reads and writes in it. Pure."""

from typing import Literal, get_args

from msgspec import Struct

from matches.domain.talk import TalkFor
from matches.seasons.domain.options import RoomsAtEnd, SeasonOptions

RoomKind = Literal["private", "confessional", "lounge", "staff"]
KINDS: tuple[RoomKind, ...] = get_args(RoomKind)
"""`private` is for the members that whoever opened it has chosen, `confessional` for one player and the staff,
`lounge` for everybody who may see the season, `staff` for its staff."""
RoomReader = Literal["members", "staff", "hosts_on_record", "everybody"]

LONGEST_TITLE = 80
FEWEST_MEMBERS = 2
OF_PLAYERS = ("private", "confessional")
"""The kinds that end with the season."""


class Part(Struct, frozen=True):
    """The part that an account has in a season: it `plays` there, or did; it `runs` the season, as one of its staff or
    an organiser of the installation, and `moderates` its talk, as those of them who aren't auditors."""

    plays: bool = False
    runs: bool = False
    moderates: bool = False
    is_guest: bool = False


class RoomRights(Struct, frozen=True):
    """The rights of an account in a room. For an account that doesn't know of a room it doesn't exist. One that `looks`
    reads up to its last look, which is on record."""

    knows: bool = False
    reads: bool = False
    writes: bool = False
    moderates: bool = False
    looks: bool = False


def rights(
    kind: RoomKind, part: Part, options: SeasonOptions, *, is_member: bool = False, is_closed: bool = False,
    is_over: bool = False, is_walled: bool = False, open_to: TalkFor = "all",
) -> RoomRights:  # fmt: skip
    """Return the rights of an account in a room of this kind. `is_member` says that the account is one of a private
    room's members, or the player of a confessional; `is_over` that the season is; `is_walled` that the account reads
    only what was said before a match at which it sits; `open_to` for whom the season's talk is open."""
    belongs = _belongs(kind, part, is_member, open_to)
    end = at_end(kind, options) if is_over else "members"
    may_look = kind == "private" and options.hosts_read_rooms and part.moderates and end == "members"
    if not (belongs or may_look or end == "everybody"):
        return RoomRights()
    if end == "nobody" or (open_to == "off" and not part.moderates):
        return RoomRights(knows=True)
    reads = belongs or end == "everybody"
    is_ended = is_closed or (is_over and kind in OF_PLAYERS)
    is_silent = part.is_guest or is_walled or open_to == "off"
    return RoomRights(
        knows=True,
        reads=reads,
        writes=belongs and not is_ended and not is_silent,
        moderates=reads and part.moderates,
        looks=may_look and not reads,
    )


def at_end(kind: RoomKind, options: SeasonOptions) -> RoomsAtEnd:
    """Return who reads a room once the season is over; `members` are those who read it before."""
    return options.rooms_at_end if kind in OF_PLAYERS else "members"


def readers(kind: RoomKind, options: SeasonOptions) -> tuple[RoomReader, ...]:
    """Return who may read a room while the season runs."""
    match kind:
        case "private":
            return ("members", "hosts_on_record") if options.hosts_read_rooms else ("members",)
        case "confessional":
            return ("members", "staff")
        case "lounge":
            return ("everybody",)
        case "staff":
            return ("staff",)


def may_open(kind: RoomKind, part: Part, options: SeasonOptions) -> bool:
    """True if the account may open a room of this kind. A confessional is opened by its player or the staff, the lounge
    and the staff's room by those who moderate."""
    if part.is_guest:
        return False
    match kind:
        case "private":
            openers = {"nobody": False, "staff": part.moderates, "players": part.moderates or part.plays}
            return openers[options.private_rooms]
        case "confessional":
            return part.plays or part.runs
        case _:
            return part.moderates


def _belongs(kind: RoomKind, part: Part, is_member: bool, open_to: TalkFor) -> bool:
    match kind:
        case "private":
            return is_member
        case "confessional":
            return is_member or part.runs
        case "lounge":
            return open_to == "all" or part.plays or part.runs
        case "staff":
            return part.runs
