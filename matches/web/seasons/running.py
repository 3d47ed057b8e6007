"""The seasons that an official runs, and their right to open another one."""

from collections.abc import Sequence

from msgspec import Struct

from matches.models import Account
from matches.seasons.models import Season
from matches.seasons.reads import selectors

_MOST = 6


class Run(Struct, frozen=True):
    """The unfinished seasons that an account runs or audits; `may_open` is true if it may open another one."""

    may_open: bool
    seasons: Sequence[Season]


def run_by(account: Account) -> Run | None:
    """Return what the account runs; None if it is no official of the service or of an unfinished season."""
    seasons = list(selectors.officiated_by(account).exclude(status=Season.Status.FINISHED)[:_MOST])
    if not (seasons or account.is_organiser or account.is_staff):
        return None
    return Run(account.is_organiser, seasons)
