"""Making, saving, copying, publishing, retiring and deleting contests.

A save names the version that its author has changed. Of two saves of one version the second is refused: the contest's
row is locked, and each number of a version exists once.
"""

from hashlib import sha256
from typing import Final, NamedTuple
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext as _

from games.kernel import Fault, Illegal
from matches.contests.domain.drafts import Draft, read_draft
from matches.contests.models import DATABASE_CLOCK, Contest, Version
from matches.contests.reads import visible
from matches.models import Account
from matches.reads import permissions
from matches.services.playing import KeyReused, NotAllowed

MOST_CONTESTS: Final = 200
"""Contests of an account."""
MOST_VERSIONS: Final = 100
"""Versions of a contest that are kept, besides those that were published."""

_OF_KEYS: Final = UUID("6a2c0f60-6f0f-4a55-9d2c-6b1c0d9c3f11")
"""Ids of contests follow from their author and the key of the request that made them."""


class ContestMoved(Exception):
    """Another version of the contest was saved since the one that the caller has changed."""

    def __init__(self, current: int) -> None:
        sentence = _("Version %(version)s was saved meanwhile. Load it, and make your changes again.")
        super().__init__(sentence % {"version": current})
        self.current = current


class Made(NamedTuple):
    """A new contest with the faults of its first version; `replayed` is True if the same request made it before."""

    contest: Contest
    faults: tuple[Fault, ...]
    replayed: bool


def create(*, author: Account, draft: Draft, key: str) -> Made:
    """Store a private contest. Raise Illegal (not_for_guests, too_many_contests), and KeyReused for a key of another
    request."""
    return _create(Contest(author=author), draft, key, b"create" + draft.digest)


def copy(*, account: Account, contest_id: UUID, key: str) -> Made:
    """Store a private copy of a contest that the account may read. Of one of somebody else the content has the account
    as author, and credits the original. Raise NoSuchContest, and what `create` raises."""
    source = visible.contest_for(account, contest_id)
    contest = Contest(author=account, after=source.after, after_name=source.after_name)
    data = visible.version_for(account, source).data
    if source.author_id is None:
        contest.after_name = data.get("author", "")
    elif source.author_id != account.id and not (source.after_id or source.after_name):
        contest.after_id = source.author_id
    if source.author_id != account.id:
        name = source.author.username if source.author else data.get("author", "")
        data |= {"author": account.username, "after": data.get("after") or f"{data['title']} by {name}"}
    return _create(contest, read_draft(data), key, b"copy" + source.id.bytes)


@transaction.atomic
def _create(contest: Contest, draft: Draft, key: str, request: bytes) -> Made:
    author = contest.author
    assert author is not None  # noqa: S101  only the installation's contests have none
    permissions.refuse_guests([author.id], _("A guest has no contests."))
    # Locked, so that two requests count each other.
    Account.objects.select_for_update(no_key=True).get(id=author.id)
    contest.id, contest.fingerprint = uuid5(_OF_KEYS, f"{author.id} {key}"), sha256(request).digest()
    before = Contest.objects.filter(id=contest.id).first()
    if before is not None:
        if bytes(before.fingerprint) != contest.fingerprint:
            raise KeyReused
        first = before.versions.order_by("number").first()
        return Made(before, read_draft(first.data).faults if first else (), replayed=True)
    if Contest.objects.filter(author=author).count() >= MOST_CONTESTS:
        sentence = _("You have %(count)s contests, and may have no more. Delete one first.")
        raise Illegal("too_many_contests", sentence % {"count": MOST_CONTESTS})
    contest.title = draft.title
    contest.save(force_insert=True)
    _add_version(contest, draft)
    return Made(contest, draft.faults, replayed=False)


@transaction.atomic
def save(*, account: Account, contest_id: UUID, draft: Draft, base: int) -> Contest:
    """Store the next version of an own contest; the same content makes none. Raise NoSuchContest, NotAllowed,
    ContestMoved.

    Sending a save again changes nothing.
    """
    contest = _own(account, contest_id)
    newest = contest.versions.get(number=contest.version)
    is_same = bytes(newest.digest) == draft.digest
    if base not in ((contest.version - 1, contest.version) if is_same else (contest.version,)):
        raise ContestMoved(contest.version)
    if not is_same:
        contest.version += 1
        contest.title = draft.title
        _add_version(contest, draft)
        _store(contest)
        stale = contest.versions.filter(number__lte=contest.version - MOST_VERSIONS, published_at=None)
        stale.delete()
    return contest


@transaction.atomic
def publish(*, account: Account, contest_id: UUID, base: int | None = None) -> Contest:
    """Let all accounts read the newest version of an own contest, with its answers and secret rounds. Raise
    NoSuchContest, NotAllowed, ContestMoved, and Faulty with the faults of the content."""
    contest = _own(account, contest_id)
    if base not in (None, contest.version):
        raise ContestMoved(contest.version)
    version = contest.versions.get(number=contest.version)
    read_draft(version.data).required()
    if (contest.status, contest.published) != (Contest.Status.PUBLISHED, contest.version):
        contest.versions.filter(number=contest.version, published_at=None).update(published_at=DATABASE_CLOCK)
        contest.status, contest.published = Contest.Status.PUBLISHED, contest.version
        _store(contest)
    return contest


@transaction.atomic
def retire(*, account: Account, contest_id: UUID) -> Contest:
    """Take a published contest off the lists: for its author and the organisers of the house. It stays readable by its
    address. Raise NoSuchContest, NotAllowed, and Illegal for one that isn't published."""
    contest = visible.contest_for(account, contest_id, lock=True)
    if contest.author_id != account.id and not (account.is_organiser and contest.author_id):
        raise NotAllowed(_("Only its author, or an organiser of the house, can retire a contest."))
    if contest.published is None:
        raise Illegal("not_published", _("Only a published contest can be retired; delete a private one."))
    if contest.status != Contest.Status.RETIRED:
        contest.status = Contest.Status.RETIRED
        _store(contest)
    return contest


@transaction.atomic
def delete(*, account: Account, contest_id: UUID) -> None:
    """Delete an own contest that was never published. Raise NoSuchContest, NotAllowed, Illegal."""
    contest = _own(account, contest_id)
    if contest.published is not None:
        raise Illegal("is_published", _("Others may use a contest that was published. Retire it instead."))
    contest.delete()


def _own(account: Account, contest_id: UUID) -> Contest:
    """Return the locked contest; raise NoSuchContest, and NotAllowed for one of somebody else."""
    contest = visible.contest_for(account, contest_id, lock=True)
    if contest.author_id != account.id:
        raise NotAllowed(_("This is somebody else's contest. Copy it, and change your copy."))
    return contest


def _add_version(contest: Contest, draft: Draft) -> None:
    Version.objects.create(
        contest=contest,
        number=contest.version,
        content=draft.json.decode(),
        digest=draft.digest,
        faults=len(draft.faults),
    )


def _store(contest: Contest) -> None:
    contest.changed_at = DATABASE_CLOCK
    contest.save(update_fields=("version", "title", "status", "published", "changed_at"))
    contest.refresh_from_db(fields=("changed_at",))
