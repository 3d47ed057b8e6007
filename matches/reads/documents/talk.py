"""Talk beside a match or a season, as it is told."""

from datetime import datetime
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from matches.reads.documents.match import PlayerDocument

TalkFor = Literal["off", "members", "all"]


class HiddenDocument(Struct, frozen=True):
    """Who has hidden a remark, why, and when."""

    by: PlayerDocument
    reason: str
    at: datetime


class RemarkDocument(Struct, frozen=True):
    """What somebody said, when the match or season stood at `at_version` for them; `number` is its place in its thread,
    from 1, where some are missing whose writers were erased. The text of a `hidden` one is empty."""

    number: int
    account: PlayerDocument
    at_version: int
    text: str
    said_at: datetime
    hidden: HiddenDocument | UnsetType = UNSET


class RemarkList(Struct, frozen=True):
    """Remarks, oldest first. `next` is the `before` of the page before this one (the `after` of the one that follows,
    where `after` was asked for), null where there is none."""

    results: list[RemarkDocument]
    next: int | None


class TalkFrame(Struct, frozen=True, tag_field="kind", tag="talk"):
    """What is new in a thread: remarks that were said or have changed, by their numbers. With `whole` they are its
    latest ones, and whatever was told of the thread before is to be forgotten; one that is `closed` isn't the caller's
    to read any more."""

    thread: str
    whole: bool
    remarks: list[RemarkDocument]
    closed: bool | UnsetType = UNSET


class MuteDocument(Struct, frozen=True):
    """A mute: whose, by whom, why, since and `until` when; null is for as long as the match or season lasts."""

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
    """For whom there is talk, and the threads that the caller reads, may speak in, and moderates. `muted` is why the
    caller may say nothing now, and until when."""

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


class BlockList(Struct, frozen=True):
    """Whose remarks fold away for the caller."""

    results: list[PlayerDocument]
    next: None
