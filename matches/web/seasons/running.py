"""What an official has to run: the panel, seasons, and the way to open another one."""

from collections.abc import Sequence

from msgspec import Struct

from matches.models import Account
from matches.seasons.models import Season
from matches.seasons.reads import selectors

_MOST = 6


class Run(Struct, frozen=True):
    """The seasons under way that an account runs or audits, and whether it may open one."""

    may_open: bool
    seasons: Sequence[Season]


def run_by(account: Account) -> Run | None:
    """Return None for accounts that are no official of the installation or a season under way."""
    seasons = list(selectors.officiated_by(account).exclude(status=Season.Status.FINISHED)[:_MOST])
    if not (seasons or account.is_organiser or account.is_staff):
        return None
    return Run(account.is_organiser, seasons)
