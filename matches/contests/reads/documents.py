"""Documents about contests: cards in lists, whole versions, trials."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from games.contest.content import Content
from games.contest.trial import Trial
from games.kernel import Fault
from matches.contests.domain.drafts import Draft, read_draft
from matches.contests.models import Contest, ContestTrial, Version
from matches.contests.reads import visible
from matches.models import Account
from matches.reads.documents.match import PlayerDocument
from matches.reads.selectors import person

Status = Literal["private", "published", "retired"]
TrialStatus = Literal["running", "finished", "failed"]


class ContestCard(Struct, frozen=True):
    """A contest in a list. `author` is null for the installation's own contests; `after` is the name of the author of
    whom it is a copy. `version` is the newest version that you may read, `published` the one that others read."""

    id: UUID
    title: str
    author: PlayerDocument | None
    after: str | None
    status: Status
    version: int
    published: int | None
    is_mine: bool
    made_at: datetime
    changed_at: datetime


class ContestPage(Struct, frozen=True):
    """A page of contests."""

    results: list[ContestCard]
    next: str | None


class ContestDocument(Struct, frozen=True):
    """A version of a contest, with all its faults."""

    contest: ContestCard
    number: int
    content: dict[str, Any]
    faults: list[Fault]


class ContestMade(Struct, frozen=True):
    """A new private contest, and all faults of its first version."""

    id: UUID
    version: int
    faults: list[Fault]


class ContestSaved(Struct, frozen=True):
    """A saved contest, the number of its newest version, and all faults of that."""

    contest: ContestCard
    number: int
    faults: list[Fault]


class VersionCard(Struct, frozen=True):
    """A version of a contest, and the number of its faults."""

    number: int
    made_at: datetime
    published_at: datetime | None
    faults: int


class VersionList(Struct, frozen=True):
    """A contest's versions, the newest first."""

    results: list[VersionCard]
    next: str | None = None


class ContentSummary(Struct, frozen=True):
    """A faultless content in figures: its players, its rounds with their repetitions, and the most seconds that the
    players and the host may take."""

    title: str
    least_seats: int
    most_seats: int
    rounds: int
    most_seconds: int


class CheckDocument(Struct, frozen=True):
    """All faults of a content, and for a faultless one its summary."""

    faults: list[Fault]
    summary: ContentSummary | None


class TrialDocument(Struct, frozen=True):
    """A trial of a content by bots: `done` of `runs` contests were played. A finished one with fewer took too long.

    A trial of one contest isn't stored and has no `id`; it has the `course` in sentences, which `is_whole` unless it
    was too long.
    """

    id: UUID | None
    seats: int
    runs: int
    done: int
    status: TrialStatus
    begun_at: datetime | None = None
    result: Trial | None = None
    course: list[str] | None = None
    is_whole: bool = True


class TrialList(Struct, frozen=True):
    """The account's trials of a content, the newest first."""

    results: list[TrialDocument]
    next: str | None = None


def card(contest: Contest, account: Account) -> ContestCard:
    """Return a contest as this account sees it in a list."""
    is_mine = contest.author_id == account.id
    return ContestCard(
        id=contest.id,
        title=contest.title,
        author=person(contest.author) if contest.author else None,
        after=contest.after.username if contest.after else contest.after_name or None,
        status=contest.status,
        version=contest.version if is_mine or contest.published is None else contest.published,
        published=contest.published,
        is_mine=is_mine,
        made_at=contest.made_at,
        changed_at=contest.changed_at,
    )


def document(contest: Contest, account: Account, number: int | None = None) -> ContestDocument:
    """Return a version of a contest, by default the newest that the account may read; raise NoSuchContest."""
    version = visible.version_for(account, contest, number)
    draft = read_draft(version.data)
    return ContestDocument(card(contest, account), version.number, draft.data, list(draft.faults))


def version_card(version: Version) -> VersionCard:
    return VersionCard(version.number, version.made_at, version.published_at, version.faults)


def check(draft: Draft) -> CheckDocument:
    """Return the faults of a draft, or its summary."""
    content = draft.content
    if content is None:
        return CheckDocument(list(draft.faults), None)
    return CheckDocument([], summary_of(content))


def summary_of(content: Content) -> ContentSummary:
    """Return a content in figures."""
    judged = sum(of_round.repeat for of_round in content.rounds if of_round.scheme.__struct_config__.tag == "host")
    return ContentSummary(
        title=content.title,
        least_seats=content.least_seats,
        most_seats=content.most_seats,
        rounds=sum(of_round.repeat for of_round in content.rounds),
        most_seconds=sum(_seconds(it, content.most_seats) for it in content.rounds) + judged * content.host_seconds,
    )


def _seconds(of_round: Any, seats: int) -> int:
    """Return the most seconds that the players may take in a round, of whom each has its time if they play in turn."""
    times = of_round.repeat * (seats if of_round.who == "in_turn" else 1)
    return int(of_round.seconds * times)


def trial_document(trial: ContestTrial) -> TrialDocument:
    return TrialDocument(
        id=trial.id,
        seats=trial.seats,
        runs=trial.runs,
        done=trial.done,
        status=trial.status,
        begun_at=trial.begun_at,
        result=msgspec.json.decode(trial.result, type=Trial) if trial.result else None,
    )


def trials_of(account: Account, version: Version) -> list[TrialDocument]:
    """Return the account's trials of a version's content, the newest first."""
    trials = ContestTrial.objects.filter(account=account, digest=version.digest).order_by("-begun_at", "-id")
    return [trial_document(trial) for trial in trials]
