"""A program's look at its match, and the events it was told, from what this process remembers of the match.

The database is asked in one statement for all that look meanwhile: whether the token is still good, whether its account
may see the match, where the log ends, and what is new. What can't be told so is for Django's views.
"""

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl
from uuid import UUID

import msgspec

from events import chain
from events.records import Point, Recorded
from games.kernel import HOST, Witness
from matches.domain.match_state import MatchState
from matches.http import preparing
from matches.http.program_requests import ProgramRequest
from matches.http.responses import encode
from matches.models import AccessToken
from matches.reads import feed
from matches.storage import looks, repository
from matches.storage.looks import Look, Range
from matches.storage.repository import BrokenRecord

_ANY = ("", "*/*", "application/json")
_MOST_DIGITS = 9


class Wanted(NamedTuple):
    """Which events are asked for: `limit` of them after a version. None of both for a view."""

    after: int | None = None
    limit: int = 0


def wanted(asked: ProgramRequest) -> Wanted | None:
    """What a request asks for; None where it is more than the newest view, or a page of events."""
    is_plain = asked.headers.get("accept", "") in _ANY and asked.headers.get("content-length", "0") == "0"
    if not is_plain or asked.about not in ("view", "events") or "if-none-match" in asked.headers:
        return None
    if asked.about == "view":
        return None if asked.query else Wanted()
    given = parse_qsl(asked.query, keep_blank_values=True)
    numbers = {name: int(text) for name, text in given if _is_plain(text)}
    if len(numbers) < len(given) or not numbers.keys() <= {"after", "limit"}:
        return None
    page = Wanted(numbers.get("after", 0), numbers.get("limit", 100))
    return page if 1 <= page.limit <= looks.MOST_EVENTS else None


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS and (text == "0" or text[0] != "0")


async def read_at_once(match_id: UUID, page: Wanted, token: AccessToken) -> bytes | None:
    """The answer's body; None where Django is to be asked."""
    account = token.account_id
    witness = await _witness_at(match_id, account)
    if witness is None:
        return None
    known = [it for whom in (witness, HOST) if (it := repository.last_seen(match_id, whom)) is not None]
    if len(known) < 2:
        return None
    season, since = known[0].lifecycle.opened.season, min(it.version for it in known)
    ranges = _ranges(page, since)
    look = Look(match_id, ranges, account, token.id, UUID(season) if season else None)
    seen = await looks.of_this_loop().look(look)
    if seen is None or [row.version for row in seen.rows] != _versions(ranges, seen.head):
        return None
    match_state = _newest(match_id, witness, [row for row in seen.rows if row.version > since], seen.head)
    if match_state is None or feed.witness_of(match_state.lifecycle, str(account)) != witness:
        return None
    if page.after is None:
        return encode(feed.view_of(match_state, match_id, witness))
    if page.after > match_state.version:
        return None
    rows = [row for row in seen.rows if row.version > page.after][: page.limit]
    return msgspec.json.encode(feed.events_of(match_state, witness, rows))


async def _witness_at(match_id: UUID, account: UUID) -> Witness | None:
    """Whom an account looks as at a match, which this process remembers from then on; None where that can't be told."""
    host = repository.last_seen(match_id) if await preparing.remember(match_id) else None
    if host is None or host.lifecycle.opened.spectator_delay:
        return None
    witness = feed.witness_of(host.lifecycle, str(account))
    return witness if await preparing.remember(match_id, witness) else None


def _ranges(page: Wanted, known: int) -> list[Range]:
    """Return the ranges to read: all events after the known version, and the part of the page before them."""
    news = Range(known)
    if page.after is None or page.after >= known:
        return [news]
    return [Range(page.after, min(page.after + page.limit, known)), news]


def _versions(ranges: Sequence[Range], head: Point) -> list[int]:
    """The versions in these ranges of a log that ends at this head."""
    return [version for it in ranges for version in range(it.after + 1, min(it.upto, head.version) + 1)]


def _newest(match_id: UUID, witness: Witness, rows: list[Recorded], head: Point) -> MatchState | None:
    """The match at its head as this witness knows it; the house remembers it too, for the next command. None where it
    has to be read anew."""
    newest = None
    for whom in (HOST, witness):
        known = repository.last_seen(match_id, whom)
        if known is None:
            return None
        new, stands = [row for row in rows if row.version > known.version], Point(known.version, known.hash)
        *_, broken = chain.check(match_id, new, *stands)
        if broken is not None:
            return None
        try:
            newest = repository.advance(match_id, whom, stands, new) if new else known
        except BrokenRecord:
            return None
    return newest if newest is not None and (newest.version, newest.hash) == head else None
