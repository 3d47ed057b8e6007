"""Reading a season on a page: who reads, whether they may, and at which version."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from msgspec import Struct

from matches.http.problems import Problem
from matches.models import Account
from matches.seasons.reads import disputes, feed, selectors
from matches.seasons.reads.beginnings import with_beginnings
from matches.seasons.reads.documents import SeasonDocument
from matches.web.seasons.ladder import names_in
from matches.web.seasons.ledger import Names

_ALL = 1_000_000


class Reading(Struct, frozen=True):
    """A season as it was opened by a reader. `at` is the version asked for, None for the newest; claims may be told to
    who `reads_claims`."""

    reader: Account | None
    document: SeasonDocument
    newest: int
    at: int | None
    reads_claims: bool

    @property
    def call(self) -> Names:
        """What to call an account."""
        return names_in(self.document)

    @property
    def is_past(self) -> bool:
        """Whether it is not the season as it stands now."""
        return self.at is not None and self.at < self.newest

    def readable(self, events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Of these events those that the reader may read."""
        return [it for it in events if self.reads_claims or it["type"] not in disputes.CLAIM_TYPES]

    def events(self) -> list[dict[str, Any]]:
        """All that had happened at the version, oldest first, as far as the reader may read it."""
        told = feed.events(self.document.id, 0, _ALL).results
        return self.readable(it for it in told if it["version"] <= self.document.version)

    def told(self, **more: object) -> dict[str, Any]:
        """What every page of a season says, and more."""
        return {
            "season": self.document,
            "newest": self.newest,
            "is_past": self.is_past,
            "at": f"?at={self.at}" if self.at is not None else "",
            **more,
        }


def opened(request: HttpRequest, season_id: UUID) -> Reading:
    """The season if its reader may see it, with `?at=` as it stood at that version; raises Problem."""
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
    document = feed.season(row, role, at)
    if at is None or at == row.version:
        document = with_beginnings(document, reader.id if reader else None)
    return Reading(reader, document, row.version, at, disputes.may_read(reader, row))


def reader_of(request: HttpRequest) -> Account | None:
    """Who reads; None for a passer-by."""
    return request.user if isinstance(request.user, Account) else None


def _version(request: HttpRequest) -> int | None:
    given = request.GET.get("at", "")
    if not given:
        return None
    if not given.isascii() or not given.isdecimal() or not 1 <= int(given[:12]) < 2**31:
        raise Problem("malformed", _("`at` is a version: a whole number from 1 on."))
    return int(given)
