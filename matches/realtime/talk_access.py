"""Rights of listeners: which threads of a match's or season's talk, or of a room's, each account may read now, for all
connections at once."""

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q

from events.pipeline import array, roundtrip
from events.store import raw_connection
from matches.domain import talk as rules
from matches.domain.lifecycle import Lifecycle
from matches.http import talk
from matches.models import Account, Match
from matches.reads import entitlements
from matches.realtime import access
from matches.seasons.models import Room, Season
from matches.seasons.reads import board, rooms, selectors
from matches.talk import settings
from matches.talk.reading import Ears

Hearing = dict[str, Ears]
"""The threads that an account may read, and how."""

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
    """Return, for the matches among these, a text that changes when the talk or the rights of its readers change."""
    (rows,) = roundtrip(raw_connection(), [(_SIGNS, (array(map(str, abouts)),))])
    return dict(rows)


def hearing(about: UUID, accounts: Collection[UUID], threads: Collection[str]) -> dict[UUID, Hearing]:
    """Return what each of these accounts may read; accounts that may not see the match or season are left out.
    `threads` are the requested ones of a season's board."""
    match = Match.objects.filter(id=about).first()
    if match is None:
        return _on_board(about, accounts, threads)
    unseen = {account for account, _ in access.unseen({(account, about) for account in accounts})}
    permitted = set(accounts) - unseen
    now, then = entitlements.lifecycles(about)
    open_to = settings.open_to(about, match.season_id)
    if open_to == "all":
        # Hosting makes no difference here, so no accounts are loaded.
        rights_of = {
            it: rules.rights(_lifecycle_for(it, now, then), str(it), open_to="all", hosts=False) for it in permitted
        }
    else:
        sitting = [it for it in permitted if rules.sits_or_sat(now, str(it))]
        rights_of = {
            it.id: talk.at_match(it, match, _lifecycle_for(it.id, now, then)).rights
            for it in _people(match, permitted, sitting)
        }
    return {
        account: dict.fromkeys(rights.reads, Ears(rights.late)) for account, rights in rights_of.items() if rights.reads
    }


def _lifecycle_for(account: UUID, now: Lifecycle, then: Lifecycle) -> Lifecycle:
    """Return the match's lifecycle as this account may know it."""
    return then if now.seat_of(str(account)) is None else now


def _people(match: Match, accounts: Collection[UUID], sitting: Collection[UUID]) -> Collection[Account]:
    """Return those of these accounts that are involved in the match: seats, members of its season, its opener, and
    organisers."""
    is_involved = Q(is_organiser=True) | Q(id=match.opened_by_id) | Q(id__in=sitting)
    if match.season_id is not None:
        is_involved |= Q(memberships__season=match.season_id)
    return Account.objects.filter(is_involved, id__in=accounts).distinct()


def _on_board(about: UUID, accounts: Collection[UUID], threads: Collection[str]) -> dict[UUID, Hearing]:
    season = Season.objects.filter(id=about).first()
    if season is None:
        return _in_room(about, accounts)
    hearings = {}
    for account in Account.objects.filter(id__in=accounts):
        if selectors.season_for(account, about) is not None:
            access_to_board = talk.on_board(account, season)
            hearings[account.id] = dict.fromkeys(
                threads if access_to_board.reads(board.KIND) else (), access_to_board.ears
            )
    return hearings


def _in_room(about: UUID, accounts: Collection[UUID]) -> dict[UUID, Hearing]:
    room = Room.objects.select_related("season").filter(id=about).first()
    if room is None:
        return {}
    ears = rooms.ears_in(room, list(Account.objects.filter(id__in=accounts)))
    return {account: {rooms.THREAD: of_account} for account, of_account in ears.items()}
