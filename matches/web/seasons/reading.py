"""A season as a reader sees it on a page, at a version."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from msgspec import Struct

from matches.http.problems import Problem
from matches.models import Account
from matches.seasons.domain.steps import PendingStep, pending_steps
from matches.seasons.reads import disputes, event_documents, feed, selectors
from matches.seasons.reads.beginnings import with_beginnings
from matches.seasons.reads.documents import SeasonDocument
from matches.web.seasons.ladder import names_in
from matches.web.seasons.ledger import Names

_ALL = 1_000_000


class Reading(Struct, frozen=True):
    """A season as a reader opened it. `at` is the requested version, None for the newest; `reads_claims` is true if
    they may read claims; `pending` are the steps that the season waits for."""

    reader: Account | None
    document: SeasonDocument
    newest: int
    at: int | None
    reads_claims: bool
    pending: list[PendingStep]

    @property
    def call(self) -> Names:
        return names_in(self.document)

    @property
    def is_past(self) -> bool:
        """True if the season has moved on since."""
        return self.at is not None and self.at < self.newest

    def readable(self, events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the events without those that the reader may not read."""
        return [it for it in events if self.reads_claims or it["type"] not in disputes.CLAIM_TYPES]

    def events(self) -> list[dict[str, Any]]:
        """Return the events up to the version that the reader may read, oldest first."""
        events = event_documents.events(self.document.id, 0, _ALL).results
        return self.readable(it for it in events if it["version"] <= self.document.version)

    def context(self, **more: object) -> dict[str, Any]:
        """Return the context that all pages of a season share, and `more`."""
        return {
            "season": self.document,
            "newest": self.newest,
            "is_past": self.is_past,
            "at": f"?at={self.at}" if self.at is not None else "",
            **more,
        }


def opened(request: HttpRequest, season_id: UUID) -> Reading:
    """Return the season at the version in `?at=`; raise Problem if it doesn't exist or the reader may not see it."""
    reader = reader_of(request)
    row = selectors.season_for(reader, season_id)
    if row is None:
        raise Problem("not_found", _("There is no season with this id, or it isn't public."))
    at = _version(request)
    if at is not None and at > row.version:
        raise Problem(
            "not_found", _("The season has no such version; its newest is %(version)s.") % {"version": row.version}
        )
    role = selectors.role_in(reader, row.id) if reader else None
    document, state = feed.season_and_state(row, role, at)
    if at is None or at == row.version:
        document = with_beginnings(document, reader.id if reader else None)
    return Reading(reader, document, row.version, at, disputes.may_read(reader, row), pending_steps(state))


def reader_of(request: HttpRequest) -> Account | None:
    """Return the account that reads; None if nobody is signed in."""
    return request.user if isinstance(request.user, Account) else None


def _version(request: HttpRequest) -> int | None:
    given = request.GET.get("at", "")
    if not given:
        return None
    if not given.isascii() or not given.isdecimal() or not 1 <= int(given[:12]) < 2**31:
        raise Problem("malformed", _("A version is a whole number, at least 1."))
    return int(given)
