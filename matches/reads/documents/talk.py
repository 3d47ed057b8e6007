"""Documents of talk at a match or in a season."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType

from matches.reads.documents.match import PlayerDocument

TalkFor = Literal["off", "members", "all"]


class HiddenDocument(Struct, frozen=True):
    """The official who has hidden a remark, the reason, and when."""

    by: PlayerDocument
    reason: str
    at: datetime


class RemarkDocument(Struct, frozen=True):
    """A remark, made when its author saw `at_version` of the match or season; `number` is its place in its thread, from
    1; numbers are missing if their authors were erased. The text of a `hidden` one is empty."""

    number: int
    account: PlayerDocument
    at_version: int
    text: str
    said_at: datetime
    hidden: HiddenDocument | UnsetType = UNSET


class RemarkList(Struct, frozen=True):
    """Remarks, oldest first. `next` is the `before` of the page before this one (with `after`, the `after` of the
    following page), null if there is none."""

    results: list[RemarkDocument]
    next: int | None


class TalkFrame(Struct, frozen=True, tag_field="kind", tag="talk"):
    """News of a thread: new and changed remarks, by their numbers. With `whole` they are its latest ones, and earlier
    ones are to be forgotten; a `closed` thread may no longer be read by the caller."""

    thread: str
    whole: bool
    remarks: list[RemarkDocument]
    closed: bool | UnsetType = UNSET


class MuteDocument(Struct, frozen=True):
    """A mute: its account, official and reason, since and `until` when; null is for as long as the match or season
    lasts."""

    number: int
    account: PlayerDocument
    by: PlayerDocument
    reason: str
    at: datetime
    until: datetime | None
    lifted_by: PlayerDocument | None
    lifted_reason: str
    lifted_at: datetime | None


class MuteList(Struct, frozen=True):
    """The mutes of a match or season, newest first."""

    results: list[MuteDocument]
    next: None


class TalkDocument(Struct, frozen=True):
    """The audience of the talk, and the threads that the caller may read, write in, and moderate. `muted` is the
    caller's mute, or null."""

    open_to: TalkFor
    reads: list[str]
    writes: list[str]
    moderates: list[str]
    muted: MuteDocument | None


class BoardThread(Struct, frozen=True):
    """A thread of a season's board: that of an episode, or of the season at large (0)."""

    episode: int
    title: str
    last: int


class BoardDocument(TalkDocument, frozen=True):
    """A season's board; `last` is the number of a thread's latest remark, 0 without one."""

    threads: list[BoardThread]


class ReportDocument(Struct, frozen=True):
    """A report of a remark in a `room`, or on the board in the thread of an `episode` (0 for the season at large); the
    text of a hidden remark is here, too. `answered_at` is null while nobody has answered it."""

    id: UUID
    room: UUID | None
    episode: int | None
    remark: RemarkDocument
    by: PlayerDocument
    reason: str
    at: datetime
    answered_by: PlayerDocument | None
    answer: str
    answered_at: datetime | None


class ReportList(Struct, frozen=True):
    """Reports, newest first."""

    results: list[ReportDocument]
    next: str | None


class BlockList(Struct, frozen=True):
    """The accounts whose remarks are folded away for the caller."""

    results: list[PlayerDocument]
    next: None
