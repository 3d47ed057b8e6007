"""Visibility of contests: an author sees its own, every account those that were published; guests see none."""

from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from matches.contests.domain.drafts import Draft
from matches.contests.models import Contest, Version
from matches.domain.bidi import apart
from matches.domain.guests import not_for_guests
from matches.models import Account

LISTED = (Contest.Status.PUBLISHED,)


class NoSuchContest(Exception):
    """No such contest or version exists, or the account may not see it."""


def contests_for(account: Account, text: str = "", *, only_own: bool = False) -> QuerySet[Contest]:
    """Return the account's own contests and the published ones, with this text in the title or in the author's name.
    Raise Illegal for a guest."""
    _refuse_guest(account)
    own = Q(author=account)
    rows = Contest.objects.filter(own if only_own else own | Q(status__in=LISTED)).select_related("author", "after")
    return rows.filter(Q(title__icontains=text) | Q(author__username__icontains=text)) if text else rows


def contest_for(account: Account, contest_id: UUID, *, lock: bool = False) -> Contest:
    """Return a contest that the account may read, also a retired one, locked if so wanted. Raise NoSuchContest, and
    Illegal for a guest."""
    _refuse_guest(account)
    rows = Contest.objects.filter(Q(author=account) | Q(published__isnull=False), id=contest_id)
    rows = rows.select_for_update(of=("self",)) if lock else rows
    contest = rows.select_related("author", "after").first()
    if contest is None:
        raise NoSuchContest
    return contest


def versions_for(account: Account, contest: Contest) -> QuerySet[Version]:
    """Return the versions of a contest: all for its author, those that were published for others."""
    rows = contest.versions.order_by("-number")
    return rows if contest.author_id == account.id else rows.filter(published_at__isnull=False)


def version_for(account: Account, contest: Contest, number: int | None = None) -> Version:
    """Return a version; without a number the author's newest, or for others the published one. Raise NoSuchContest."""
    newest = contest.version if contest.author_id == account.id else contest.published
    version = versions_for(account, contest).filter(number=newest if number is None else number).first()
    if version is None:
        raise NoSuchContest
    return version


def is_published(draft: Draft) -> bool:
    """True if every account can read exactly this content, as a version that was published or a preset."""
    return Version.objects.filter(digest=draft.digest, published_at__isnull=False).exists()


def secrets_warning(title: str) -> str:
    """Return the warning to whoever is about to play a published contest with secrets."""
    sentence = _(
        "Every account can read the secret rounds and the answers of %(title)s in the library. Copy it, change what is "
        "secret, and play that copy without publishing it."
    )
    return sentence % {"title": apart(title)}


def _refuse_guest(account: Account) -> None:
    if account.is_guest:
        raise not_for_guests(_("A guest doesn't see the library of contests."))
