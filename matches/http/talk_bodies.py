"""What is sent about talk: remarks, what hosts do about them, and how a thread is asked for."""

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
    """What is said, kept in one line, and in which thread: `table` is for who sits at the match and who hosts it."""

    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S"), LINES]
    thread: MatchThread = "spectators"


class BoardRemarkBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What is said, kept in one line."""

    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S"), LINES]


class HideBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why a remark is hidden or shown again: for all who read the thread."""

    reason: Reason


class MuteBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is muted, for how long, and why; they are told all of it. `season` reaches every match of it and its
    board."""

    account: UUID
    span: Span
    reason: Reason


class TalkBody(Struct, frozen=True, forbid_unknown_fields=True):
    """For whom there is talk: nobody (`off`), the people of the match or season (`members`), whoever may see it
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
