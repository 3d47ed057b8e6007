"""A program's view of its match, and its events, from this process's cache and one query.

One statement serves all that read meanwhile: it checks that the token is still valid and that its account may see the
match, and returns the end of the log and what is new. Django's views handle all other cases.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import parse_qs
from uuid import UUID

import msgspec

from events import chain
from events.records import Point, Recorded
from games.kernel import HOST, Witness
from matches.domain.match_state import MatchState
from matches.http import preparing
from matches.http.bodies import EventsQuery
from matches.http.parsing import parse_query
from matches.http.problems import Problem
from matches.http.program_requests import ProgramRequest
from matches.http.responses import encode
from matches.models import AccessToken
from matches.reads import entitlements, feed
from matches.reads.visible import names_texts
from matches.storage import codec, range_reads, repository
from matches.storage.range_reads import Range, RangeQuery
from matches.storage.repository import BrokenRecord

_ANY = ("", "*/*", "application/json")


class Wanted(NamedTuple):
    """The requested page: `limit` events after a version. A view has neither."""

    after: int | None = None
    limit: int = 0


_VIEW = Wanted()


def wanted(program_request: ProgramRequest) -> Wanted | None:
    """Return the page that a request asks for; None if it is more than the newest view, or a page of events."""
    is_plain = (
        program_request.headers.get("accept", "") in _ANY and program_request.headers.get("content-length", "0") == "0"
    )
    if not is_plain or program_request.about not in ("view", "events") or "if-none-match" in program_request.headers:
        return None
    if program_request.about == "view":
        return None if program_request.query else _VIEW
    return _page_in(program_request.query)


@lru_cache(maxsize=256)
def _page_in(query: str) -> Wanted | None:
    """Return the page of events that the parameters ask for; None if they ask for more, or must be refused."""
    try:
        given = parse_query(parse_qs(query, keep_blank_values=True).items(), EventsQuery)
    except Problem:
        return None
    is_page = given == EventsQuery(given.after, limit=given.limit)
    return Wanted(given.after, given.limit) if is_page else None


async def read_at_once(match_id: UUID, page: Wanted, token: AccessToken) -> bytes | None:
    """Return the body of the response; None if Django must handle the request."""
    account = token.account_id
    witness = await _witness_at(match_id, account)
    if witness is None:
        return None
    cached = [it for whom in (witness, HOST) if (it := repository.cached_state(match_id, whom)) is not None]
    if len(cached) < 2:
        return None
    season, since = cached[0].lifecycle.opened.season, min(it.version for it in cached)
    ranges = _ranges(page, since)
    query = RangeQuery(match_id, ranges, account, token.id, UUID(season) if season else None)
    stored = await range_reads.of_this_loop().read(query)
    if stored is None:
        return None
    match_state = None
    if [row.version for row in stored.rows] == _versions(ranges, stored.head):
        match_state = _newest(match_id, witness, [row for row in stored.rows if row.version > since], stored.head)
    if match_state is None:
        if stored.head.version > since:
            # Django's views may not cache it as its newest version, and the next request would read as much in vain.
            for whom in (HOST, witness):
                await preparing.catch_up(match_id, whom)
        return None
    if entitlements.witness_of(match_state.lifecycle, str(account)) != witness:
        return None
    if names_texts(match_state, stored.rows):
        return None
    if page.after is None:
        return encode(feed.view_of(match_state, match_id, witness))
    if page.after > match_state.version:
        return None
    rows = [row for row in stored.rows if row.version > page.after][: page.limit]
    if match_state.game.with_names and not _leads_to(match_state, rows):
        return None
    return msgspec.json.encode(feed.events_of(match_state, witness, rows))


def _leads_to(match_state: MatchState, rows: Sequence[Recorded]) -> bool:
    """True if the last of these rows is the match's newest and none rewinds it, so that it says where each happened."""
    is_end = not rows or rows[-1].version == match_state.version
    return is_end and all(codec.rewinds_to(row) is None for row in rows)


async def _witness_at(match_id: UUID, account: UUID) -> Witness | None:
    """Return the account's witness at a match, and load the match into the cache; None if memory doesn't tell."""
    host = repository.cached_state(match_id) if await preparing.warm_cache(match_id) else None
    if host is None or host.lifecycle.opened.spectator_delay:
        return None
    witness = entitlements.witness_of(host.lifecycle, str(account))
    return witness if await preparing.warm_cache(match_id, witness) else None


def _ranges(page: Wanted, cached_version: int) -> list[Range]:
    """Return the ranges to read: all events after the cached version, and the part of the page before them."""
    news = Range(cached_version)
    if page.after is None or page.after >= cached_version:
        return [news]
    return [Range(page.after, min(page.after + page.limit, cached_version)), news]


def _versions(ranges: Sequence[Range], head: Point) -> list[int]:
    """Return the versions in these ranges of a log that ends at this head."""
    return [version for it in ranges for version in range(it.after + 1, min(it.upto, head.version) + 1)]


def _newest(match_id: UUID, witness: Witness, rows: list[Recorded], head: Point) -> MatchState | None:
    """Return the match at its head as this witness knows it, and cache it for HOST too, for the next command; None if
    it must be loaded."""
    newest = None
    for whom in (HOST, witness):
        cached = repository.cached_state(match_id, whom)
        if cached is None:
            return None
        new, stands = [row for row in rows if row.version > cached.version], Point(cached.version, cached.hash)
        *_, broken = chain.check(match_id, new, *stands)
        if broken is not None:
            return None
        try:
            newest = repository.advance(match_id, whom, stands, new) if new else cached
        except BrokenRecord:
            return None
    return newest if newest is not None and (newest.version, newest.hash) == head else None
