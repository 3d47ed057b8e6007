"""Bodies and queries about talk: remarks, hosts' acts on them, and pages of a thread."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from matches.domain.talk import MatchThread, TalkFor
from matches.http.bodies import Reason
from matches.http.body_texts import LINES
from matches.seasons.domain.options import MOST_ROOM_MEMBERS
from matches.seasons.domain.rooms import LONGEST_TITLE, RoomKind
from matches.talk.muting import Span
from matches.talk.reading import MOST, USUAL

Number = Annotated[int, Meta(ge=1, le=2**31 - 1)]


class RemarkBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A remark, in one line, and its thread: `table` is for the players and hosts of the match."""

    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S"), LINES]
    thread: MatchThread = "spectators"


class BoardRemarkBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A remark, in one line."""

    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S"), LINES]


class RoomBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A room to open. `members` are the accounts that share a private room with you, or the player of a confessional
    that staff opens; other rooms have none."""

    kind: RoomKind
    title: Annotated[str, Meta(max_length=LONGEST_TITLE)] = ""
    members: Annotated[list[UUID], Meta(max_length=MOST_ROOM_MEMBERS)] = []


class ReadBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The number of the last remark that you have read."""

    number: Annotated[int, Meta(ge=0, le=2**31 - 1)]


class ReportBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The reason for which a remark is reported, for the officials who read the report."""

    reason: Reason


class AnswerReportBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a report, on record; `hide` hides the remark for this reason."""

    reason: Reason
    hide: bool = False


class HideBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The reason for hiding or restoring a remark, for all readers of the thread."""

    reason: Reason


class MuteBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An account to mute, for how long, and why; the muted account sees all of it. `season` covers
    all its matches and its
    board."""

    account: UUID
    span: Span
    reason: Reason


class TalkBody(Struct, frozen=True, forbid_unknown_fields=True):
    """For whom the talk is open: nobody (`off`), the people of the match or season (`members`), whoever may see it
    (`all`)."""

    open_to: TalkFor


class RemarksQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The latest remarks, those `before` a number, or those `after` one."""

    before: Number | None = None
    after: Annotated[int, Meta(ge=0, le=2**31 - 1)] | None = None
    limit: Annotated[int, Meta(ge=1, le=MOST)] = USUAL


class ThreadQuery(RemarksQuery, frozen=True):
    """The latest remarks of a thread, those `before` a number, or those `after` one."""

    thread: MatchThread = "spectators"


class PagesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """One page of a list; `cursor` continues after another one."""

    cursor: Annotated[str, Meta(max_length=500)] | None = None
    limit: Annotated[int, Meta(ge=1, le=MOST)] = USUAL
