"""The contests that organisers can choose for a main match, each with a reference: the name of a preset, or the id of a
contest in the library, alone or with a version as in `ID@3`."""

from collections.abc import Iterator
from contextlib import suppress
from uuid import UUID

from games.contest.content import Content
from games.contest.places import place_in_words
from games.contest.presets import PRESETS, load
from games.contest.reading import Faulty, read_content
from games.kernel import Illegal
from matches.contests.models import Version
from matches.contests.reads import visible
from matches.contests.reads.visible import NoSuchContest
from matches.models import Account
from matches.reads.documents.catalogue import PresetCard
from matches.reads.presets import card, card_of
from matches.seasons.domain.contests import PlayedContest

_MOST_LISTED = 50
"""The contests of the library that are listed, those changed last; any other is chosen by its reference."""


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
        fault = faulty.faults[0]
        sentence = f"That version of the contest has faults. {place_in_words(fault.place)}: {fault.sentence}"
        raise Illegal("bad_options", sentence) from None
    except (NoSuchContest, ValueError):
        presets = f"The presets are {', '.join(PRESETS)}"
        raise Illegal("bad_options", f"There is no such contest, or you may not read it. {presets}.") from None
    return content, PlayedContest(title=content.title, library=str(contest.id), version=version.number)


def offered_contests(account: Account) -> list[PresetCard]:
    """Return the contests that the account can choose, by their references: the presets, then those of the library."""
    return [*map(card, PRESETS), *of_library(account)]


def of_library(account: Account, text: str = "", most: int = _MOST_LISTED) -> Iterator[PresetCard]:
    """Yield the contests of the library without faults that were changed last, with a text in the title or author."""
    rows = visible.contests_for(account, text).filter(preset=None).order_by("-changed_at")[:most]
    newest = {it.id: it.version if it.author_id == account.id else it.published for it in rows}
    for version in Version.objects.filter(contest__in=newest, faults=0).order_by("-contest__changed_at"):
        if newest[version.contest_id] == version.number:
            # A content that an earlier release has accepted may have faults in this one.
            with suppress(Faulty):
                yield card_of(f"{version.contest_id}@{version.number}", read_content(version.data))
