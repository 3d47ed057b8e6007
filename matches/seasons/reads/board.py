"""A season's board, the talk of its people: threads by episode. Who sits at one of its matches under way hears nothing
of what is said meanwhile."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from events.models import LoggedEvent
from games.kernel import Illegal
from matches.domain.talk import NONE, Rights, TalkFor
from matches.models import Account, Match
from matches.models.talk import Remark
from matches.reads import permissions
from matches.reads.documents.talk import BoardThread
from matches.seasons import repository
from matches.seasons.models import Member
from matches.seasons.reads import selectors
from matches.seasons.reads.sentences import episode_label
from matches.talk.reading import Ears

KIND = "board"
"""The kind of a board's threads in `Rights`."""

AT_LARGE = 0
"""The thread of the season at large, beside those of its episodes."""

UNDER_WAY = (Match.Status.RUNNING, Match.Status.PAUSED)


def thread_of(season_id: UUID, episode: int) -> str:
    """Return the name of an episode's thread; raise Illegal("no_such_episode")."""
    if episode != AT_LARGE and episode > len(repository.load(season_id).episodes):
        raise Illegal(
            "no_such_episode", _("The board has a thread for each episode of the season, and 0 for the season itself.")
        )
    return str(episode)


def threads(season_id: UUID, ears: Ears) -> list[BoardThread]:
    """Return the threads of the board, the season's own first, then those of its episodes."""
    episodes = repository.load(season_id).episodes
    titles = [_("The season"), *(episode_label(it.number, it.title) for it in episodes)]
    remarks = Remark.objects.filter(thread__about=season_id)
    if ears.until is not None:
        remarks = remarks.filter(said_at__lt=ears.until)
    last = dict(remarks.values_list("thread__name").annotate(Max("number")))
    return [BoardThread(number, title, last.get(str(number), 0)) for number, title in enumerate(titles)]


def belongs(account: Account, season_id: UUID) -> bool:
    """True for a season's players and staff, and the installation's organisers."""
    return account.is_organiser or selectors.role_in(account, season_id) is not None


def rights(account: Account | None, season_id: UUID, open_to: TalkFor) -> tuple[Rights, Ears]:
    """Return what an account may read and write on the board, and the instant up to which it may read.

    Spectators could inform a seated player through the board. So a player of a running match of the season reads what
    was written before its start, and writes again after its end.
    """
    if account is None or not belongs(account, season_id):
        return NONE, Ears()
    runs = moderates(account, season_id)
    if open_to == "off" and not runs:
        return NONE, Ears()
    since = seated_since(account.id, season_id)
    speaks = open_to != "off" and not account.is_guest and since is None
    granted = Rights((KIND,), (KIND,) if speaks else (), (KIND,) if runs else ())
    return granted, Ears(until=since)


def moderates(account: Account, season_id: UUID) -> bool:
    """True if the account may hide remarks and mute on the board: organisers and hosts of the season and organisers of
    the installation may, unless they play in it."""
    role = selectors.role_in(account, season_id)
    is_host = account.is_organiser or role in (Member.Role.ORGANISER, Member.Role.HOST)
    return is_host and not permissions.plays_in(season_id, account.id)


def seated_since(account_id: UUID, season_id: UUID) -> datetime | None:
    """Return when the first running match of the season began at which the account sits, or None."""
    starts = LoggedEvent.objects.filter(stream__in=matches_at(account_id, season_id), type="match_started")
    return starts.order_by("at").values_list("at", flat=True).first()


def matches_at(account_id: UUID, season_id: UUID) -> QuerySet[Any]:
    """Return the ids of the season's running matches at which the account sits."""
    seated = Match.objects.filter(season=season_id, status__in=UNDER_WAY, seats__account=account_id)
    return seated.values_list("id", flat=True)
