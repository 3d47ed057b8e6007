"""Who hears what of a match's or season's talk now, for all connections of a process at once."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q

from events.pipeline import array, roundtrip
from events.store import raw_connection
from matches.domain import talk as rules
from matches.domain.lifecycle import Lifecycle
from matches.http import talk
from matches.models import Account, Match
from matches.reads import feed
from matches.realtime import access
from matches.seasons.models import Season
from matches.seasons.reads import board, selectors
from matches.talk import settings
from matches.talk.reading import Ears

Hearing = dict[str, Ears]
"""The threads that an account reads, and how it hears them."""

_SIGNS = """
SELECT m.id, concat_ws(
    ' ', m.status,
    (SELECT string_agg(t.name || ':' || t.revision || ':' || t.erased, ' ' ORDER BY t.name)
     FROM web_thread t WHERE t.about = m.id),
    (SELECT string_agg(w.about || ':' || w.open_to, ' ' ORDER BY w.about)
     FROM web_talksetting w WHERE w.about IN (m.id, m.season_id)),
    (SELECT string_agg(s.number || ':' || s.account_id, ' ' ORDER BY s.number)
     FROM matches_seat s WHERE s.match_id = m.id)
) FROM matches_match m WHERE m.id = ANY($1::uuid[])
"""


def signs(abouts: Collection[UUID]) -> dict[UUID, str]:
    """What tells, for the matches among these, that something was said or changed, or that others may hear it."""
    (rows,) = roundtrip(raw_connection(), [(_SIGNS, (array(map(str, abouts)),))])
    return dict(rows)


def hearing(about: UUID, accounts: Collection[UUID], threads: Collection[str]) -> dict[UUID, Hearing]:
    """What each of these accounts hears; nothing for who may not see the match or season. `threads` are those that are
    asked for on a season's board."""
    match = Match.objects.filter(id=about).first()
    if match is None:
        return _on_board(about, accounts, threads)
    unseen = {account for account, _ in access.unseen({(account, about) for account in accounts})}
    seeing = set(accounts) - unseen
    now, then = feed.stories(about)
    open_to = settings.open_to(about, match.season_id)
    if open_to == "all":
        # Who hosts the match makes no difference here, so nobody is looked up.
        told = {it: rules.rights(_story(it, now, then), str(it), open_to="all", hosts=False) for it in seeing}
    else:
        sitting = [it for it in seeing if rules.sits_or_sat(now, str(it))]
        told = {
            it.id: talk.at_match(it, match, _story(it.id, now, then)).rights for it in _people(match, seeing, sitting)
        }
    return {account: dict.fromkeys(rights.reads, Ears(rights.late)) for account, rights in told.items() if rights.reads}


def _story(account: UUID, now: Lifecycle, then: Lifecycle) -> Lifecycle:
    """The match as this account knows it."""
    return then if now.seat_of(str(account)) is None else now


def _people(match: Match, accounts: Collection[UUID], sitting: Collection[UUID]) -> Collection[Account]:
    """Those of these accounts that have to do with the match: who sits there, its season's people, its opener, and the
    house's organisers."""
    belongs = Q(is_organiser=True) | Q(id=match.opened_by_id) | Q(id__in=sitting)
    if match.season_id is not None:
        belongs |= Q(memberships__season=match.season_id)
    return Account.objects.filter(belongs, id__in=accounts).distinct()


def _on_board(about: UUID, accounts: Collection[UUID], threads: Collection[str]) -> dict[UUID, Hearing]:
    season = Season.objects.filter(id=about).first()
    if season is None:
        return {}
    found = {}
    for account in Account.objects.filter(id__in=accounts):
        if selectors.season_for(account, about) is not None:
            it = talk.on_board(account, season)
            found[account.id] = dict.fromkeys(threads if it.reads(board.KIND) else (), it.ears)
    return found
