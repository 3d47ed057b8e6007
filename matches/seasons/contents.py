"""The contests that organisers can choose for a main match, each with a reference: the name of a preset, or the id of a
contest in the library, alone or with a version as in `ID@3`."""

from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

from games.contest.content import Content
from games.contest.presets import PRESETS, load
from games.contest.reading import Faulty, read_content
from games.kernel import Illegal
from matches.contests.models import Version
from matches.contests.reads import visible
from matches.contests.reads.visible import NoSuchContest
from matches.models import Account
from matches.seasons.domain.contests import PlayedContest

_MOST_LISTED = 50
"""The contests of the library that are listed, those changed last; any other is chosen by its reference."""


class OfferedContest(NamedTuple):
    """A contest that can be chosen. `summary` is the first paragraph of its rules, `rounds` counts repetitions."""

    reference: str
    title: str
    summary: str
    least_seats: int
    most_seats: int
    rounds: int


def look_up(reference: str, account: Account) -> tuple[Content, PlayedContest]:
    """Return the content of a contest that the account may read, and how the record names it. Raise bad_options for an
    unknown reference, or a content with faults."""
    if reference in PRESETS:
        return load(reference), PlayedContest(title=load(reference).title, preset=reference)
    named, _, number = reference.partition("@")
    try:
        contest = visible.contest_for(account, UUID(named))
        version = visible.version_for(account, contest, int(number) if number else None)
        content = read_content(version.data)
    except Faulty as faulty:
        raise Illegal("bad_options", f"That version of the contest has faults. {faulty.faults[0].sentence}") from None
    except (NoSuchContest, ValueError):
        presets = f"The presets are {', '.join(PRESETS)}"
        raise Illegal("bad_options", f"There is no such contest, or you may not read it. {presets}.") from None
    return content, PlayedContest(title=content.title, library=str(contest.id), version=version.number)


def offered_contests(account: Account) -> list[OfferedContest]:
    """Return the contests that the account can choose: the presets, then those of the library."""
    return [_offered(it, load(it)) for it in PRESETS] + list(_of_library(account))


def _of_library(account: Account) -> Iterator[OfferedContest]:
    """Yield the contests of the library without faults that were changed last."""
    rows = visible.contests_for(account).filter(preset=None).order_by("-changed_at")[:_MOST_LISTED]
    newest = {it.id: it.version if it.author_id == account.id else it.published for it in rows}
    for version in Version.objects.filter(contest__in=newest, faults=0).order_by("-contest__changed_at"):
        if newest[version.contest_id] == version.number:
            yield _offered(f"{version.contest_id}@{version.number}", read_content(version.data))


def _offered(reference: str, content: Content) -> OfferedContest:
    summary = " ".join(content.rules.strip().partition("\n\n")[0].split())
    rounds = sum(it.repeat for it in content.rounds)
    return OfferedContest(reference, content.title, summary, content.least_seats, content.most_seats, rounds)
