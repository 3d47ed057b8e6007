"""Bodies and queries about talk: remarks, hosts' acts on them, and pages of a thread."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from matches.domain.talk import MatchThread, TalkFor
from matches.http.bodies import Reason
from matches.http.body_texts import LINES
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
