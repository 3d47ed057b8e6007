"""Talk at its HTTP entry points: what somebody may read and write at a match, on a season's board or in one of its
rooms, and why not."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from games.kernel import SPECTATOR
from matches.domain import talk
from matches.domain.bidi import apart
from matches.domain.guests import not_for_guests
from matches.domain.lifecycle import Lifecycle
from matches.domain.talk import SPECTATORS, TABLE, Rights, TalkFor
from matches.http import limits
from matches.http.addresses import network
from matches.http.match_access import is_host
from matches.http.problems import Problem
from matches.models import Account, Match
from matches.models.talk import Mute, Remark
from matches.reads import feed, permissions
from matches.seasons import talk_calls
from matches.seasons.models import Season
from matches.seasons.reads import board
from matches.seasons.reads.rooms import THREAD as ROOM
from matches.seasons.reads.rooms import KnownRoom, Visitor
from matches.storage import repository
from matches.talk import hiding, muting, reading, reporting, saying, settings
from matches.talk.muting import Span
from matches.talk.reading import Ears
from matches.talk.saying import Said

MATCH_THREADS = (TABLE, SPECTATORS)


@dataclass(frozen=True)
class Talk:
    """The talk of a match, of a season's board, or of a room of it, for an account (None for an anonymous caller).

    `season` is the one that it belongs to; for a board it is the board's own. `version` returns the version of the
    match or season that the account may see. `room` is the room, if it is the talk of one.
    """

    about: UUID
    season: UUID | None
    account: Account | None
    open_to: TalkFor
    rights: Rights
    ears: Ears
    at_table: bool
    version: Callable[[], int]
    room: KnownRoom | None = None

    @property
    def is_board(self) -> bool:
        return self.about == self.season

    def reads(self, thread: str) -> bool:
        """True if the account may read this thread."""
        return self._kind(thread) in self.rights.reads

    def writes(self, thread: str) -> bool:
        """True if the account may write in this thread."""
        return self._kind(thread) in self.rights.writes

    def moderates(self, thread: str) -> bool:
        """True if the account may hide remarks in this thread."""
        return self._kind(thread) in self.rights.moderates

    @property
    def mute(self) -> Mute | None:
        """The mute that prevents the account from writing now, or None."""
        return muting.mute_of(self.account.id, self.about, self.season) if self.account else None

    def _kind(self, thread: str) -> str:
        return board.KIND if self.is_board else thread


def at_match(account: Account | None, match: Match, lifecycle: Lifecycle) -> Talk:
    """Return the talk of a match, for an account with this view of its lifecycle."""
    open_to = settings.open_to(match.id, match.season_id)
    season = match.season_id
    is_member = account is not None and season is not None and board.belongs(account, season)
    rights = talk.rights(
        lifecycle,
        str(account.id) if account else None,
        open_to=open_to,
        hosts=account is not None and is_host(account, match),
        is_member=is_member,
        is_guest=account is not None and account.is_guest,
    )
    at_table = account is not None and talk.sits_or_sat(lifecycle, str(account.id))
    return Talk(
        match.id,
        season,
        account,
        open_to,
        rights,
        Ears(rights.late),
        at_table,
        lambda: _version(match.id, lifecycle, rights),
    )


def on_board(account: Account | None, season: Season) -> Talk:
    """Return the talk of a season's board."""
    open_to = settings.open_to(season.id)
    rights, ears = board.rights(account, season.id, open_to)
    return Talk(season.id, season.id, account, open_to, rights, ears, ears.until is not None, lambda: season.version)


def in_room(it: Visitor, entry: KnownRoom) -> Talk:
    """Return the talk of a room that the visitor knows."""
    rights = Rights(
        (ROOM,) if entry.reads else (),
        (ROOM,) if entry.rights.writes else (),
        (ROOM,) if entry.rights.moderates else (),
    )
    season, room = it.season, entry.room
    return Talk(
        room.id, season.id, it.account, it.open_to, rights, entry.ears, entry.is_walled, lambda: season.version, entry
    )


def _version(match_id: UUID, lifecycle: Lifecycle, rights: Rights) -> int:
    """Return the version that the author may see: a delayed spectator's remark must not reveal the real one."""
    if lifecycle.opened.spectator_delay and not rights.late:
        return repository.version_of(match_id)
    return feed.visible_version(match_id, SPECTATOR)


def refuse_deaf(it: Talk, thread: str) -> None:
    """Raise Problem if the account may not read this thread."""
    if it.account is None:
        raise Problem("not_authenticated", _("Sign in to read the talk."))
    if not it.reads(thread):
        raise Problem("forbidden", _why_deaf(it))


def _why_deaf(it: Talk) -> str:
    if it.open_to == "off":
        return _("There is no talk here: it is switched off.")
    if it.is_board:
        return _("The board is for the season's players and staff.")
    if it.room is not None and it.room.rights.looks:
        return _("Hosts read a private room after a look that is on record for its members.")
    if it.room is not None:
        return _("The season is over, and nobody reads this room any more.")
    if it.at_table and it.rights.reads:
        return _("You read what spectators said once the match is over.")
    return _("The talk is for the people of this match and its season.")


def say(it: Talk, thread: str, text: str, key: str | None, request: Request | HttpRequest) -> Said:
    """Write a remark; raise Problem and Illegal."""
    account = it.account
    if account is None:
        raise Problem("not_authenticated", _("Sign in to say something."))
    if account.is_guest:
        raise not_for_guests(_("Talk is for accounts alone."))
    if not it.writes(thread):
        raise Problem("forbidden", _why_mute(it, thread))
    spend(account, request)
    said = saying.say(
        about=it.about, season=it.season, thread=thread, account=account, text=text, at_version=it.version(), key=key
    )
    if it.room is not None:
        talk_calls.call_readers(it.room.room, said.remark)
    return said


def spend(account: Account, request: Request | HttpRequest) -> None:
    """Count one more act of talk of this account; raise Problem."""
    limits.spend("talk", account.id, network(request.META.get("REMOTE_ADDR", "")), request)


def _why_mute(it: Talk, thread: str) -> str:
    """Return why somebody may not write in a thread."""
    if not it.rights.reads or it.open_to == "off":
        return _why_deaf(it)
    if it.is_board:
        return _("You sit at a match of the season that is under way. The board waits for you until its end.")
    if it.room is not None:
        return _why_silent(it.room)
    if thread == TABLE:
        return _("Who sits at the table speaks there, and who hosts the match.")
    if it.at_table:
        return _("This talk is the spectators'; you hold a seat, or have held one.")
    return _("You have been told more of the match than its spectators. Speak at the table.")


def _why_silent(entry: KnownRoom) -> str:
    """Return why somebody who reads a room may not write in it."""
    if entry.is_walled:
        return _("You sit at a match of the season that is under way. This room waits for you until its end.")
    if entry.closed_at is not None:
        return _("The room is closed.")
    if entry.room.kind == "lounge":
        return _("You may know more of a match than its spectators see. Write here once they have seen its end.")
    return _("You may read this room, but write nothing in it.")


def report(it: Talk, thread: str, number: int, reason: str, request: Request | HttpRequest) -> None:
    """Report a remark of a room or board to the officials of the season; raise Problem, Illegal."""
    remark = reading.one(it.about, thread, it.ears, number) if it.reads(thread) else None
    if it.account is None:
        raise Problem("not_authenticated")
    if remark is None or it.season is None or not (it.is_board or it.room):
        raise talk.no_such_remark()
    spend(it.account, request)
    stored = reporting.report(season=it.season, remark=remark, by=it.account, reason=cleaned_reason(reason))
    talk_calls.call_officials(stored)


def moderated(it: Talk, thread: str, number: int) -> Remark:
    """Return a remark that the account may hide and restore; raise Problem, Illegal. A remark that it may not read
    doesn't exist for it."""
    remark = reading.one(it.about, thread, it.ears, number) if it.reads(thread) else None
    if remark is None:
        raise talk.no_such_remark()
    if not it.moderates(thread):
        raise _moderates_nothing(it)
    return remark


def hide(it: Talk, thread: str, number: int, reason: str, *, hidden: bool) -> Remark:
    """Hide a remark, or restore it; raise Problem, Illegal."""
    moderated(it, thread, number)
    act = hiding.hide if hidden else hiding.restore
    return act(about=it.about, thread=thread, number=number, by=_moderator(it), reason=cleaned_reason(reason))


def mute(it: Talk, account: UUID, span: Span, reason: str, *, runs: Callable[[Account], bool]) -> Mute:
    """Mute an account; `runs` returns True for accounts that can't be muted, as they run the match or season. Raise
    Problem."""
    by = _moderator(it)
    if span == "season" and it.season is None:
        raise Problem("malformed", _("This match belongs to no season."))
    if span == "match" and (it.is_board or it.room is not None):
        raise Problem("malformed", _("A board has no match; mute for ten minutes or the season."))
    target = Account.objects.filter(id=account, is_active=True).first()
    if target is None:
        raise Problem("no_such_player", _("There is no account with this id."))
    if target.id == by.id or runs(target):
        parameters = {"name": apart(target.username)}
        raise Problem("forbidden", _("%(name)s runs this as you do, and can't be muted.") % parameters)
    about = it.season if it.season and (span == "season" or it.room is not None) else it.about
    return muting.mute(about=about, account=target, by=by, reason=cleaned_reason(reason), span=span)


def lift(it: Talk, number: int, reason: str) -> Mute:
    """End a mute of this match or season early; raise Problem, Illegal."""
    return muting.lift(about=it.about, number=number, by=_moderator(it), reason=cleaned_reason(reason))


def set_open_to(it: Talk, wanted: TalkFor) -> None:
    """Set for whom the talk is open; raise Problem."""
    settings.set_open_to(about=it.about, wanted=wanted, by=_moderator(it).id)


def cleaned_reason(reason: str) -> str:
    """Return a reason in normal form; raise Problem if it is empty."""
    if not (words := talk.cleaned(reason)):
        raise Problem("malformed", _("Say why."))
    return words


def refuse_unless_moderator(it: Talk) -> None:
    """Raise Problem if the account moderates nothing here."""
    _moderator(it)


def _moderator(it: Talk) -> Account:
    if it.account is None:
        raise Problem("not_authenticated")
    if not it.rights.moderates:
        raise _moderates_nothing(it)
    return it.account


def _moderates_nothing(it: Talk) -> Problem:
    if it.season and it.account and permissions.plays_in(it.season, it.account.id):
        return Problem("plays_here", _("You play in this season, or did, so you don't moderate its talk."))
    return Problem("forbidden", _("That is for who hosts the match or runs the season, and doesn't play."))
