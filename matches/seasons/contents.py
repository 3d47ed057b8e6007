"""The contests that organisers can choose for a main match, each with a reference: the name of a preset, or the id of a
contest in the library, alone or with a version as in `ID@3`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple, get_args
from uuid import UUID

from games import catalogue
from games.contest.content import Content
from games.contest.places import place_in_words
from games.contest.presets import PRESETS, load
from games.contest.reading import Faulty, read_content
from games.kernel import Event, Illegal
from matches.contests.domain.drafts import read_draft
from matches.contests.models import Contest, Version
from matches.contests.reads import visible
from matches.contests.reads.visible import NoSuchContest
from matches.models import Account
from matches.reads.documents.catalogue import PresetCard
from matches.reads.presets import card, card_of
from matches.seasons.domain.contests import CONTEST, PlayedContest
from matches.seasons.domain.events import MainMatchScheduled
from matches.seasons.domain.seating_events import SeatingAsked

_PAGE = 24
Shelf = Literal["own", "library"]
"""The list of contests: the account's own, or those that others have published in the library."""


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


class OfferedContests(NamedTuple):
    """Contests under a heading, by their references; `next` is the number of the first of more on their `shelf`."""

    title: str
    cards: list[PresetCard]
    shelf: Shelf = "own"
    next: int | None = None


def offered_contests(account: Account, text: str = "") -> list[OfferedContests]:
    """Return the contests that the account can choose, with this text in the title or the author's name: its own, the
    presets, and those of others in the library."""
    presets = [it for it in map(card, PRESETS) if text.casefold() in f"{it.title} {it.author}".casefold()]
    own, others = (shelved(account, shelf, text) for shelf in get_args(Shelf))
    return [it for it in (own, OfferedContests("Complete contests", presets), others) if it.cards or it.next]


def with_chosen(groups: Sequence[OfferedContests], reference: str, account: Account) -> list[OfferedContests]:
    """Return the groups with the chosen contest before them, instead of in one of them."""
    with suppress(Illegal):
        content, _ = look_up(reference, account)
        others = [it._replace(cards=[card for card in it.cards if card.name != reference]) for it in groups]
        return [OfferedContests("Chosen", [card_of(reference, content)]), *(it for it in others if it.cards or it.next)]
    return list(groups)


def shelved(account: Account, shelf: Shelf, text: str = "", start: int = 0) -> OfferedContests:
    """Return a page of the account's own contests or of those of others, those changed last first."""
    rows = visible.contests_for(account, text, only_own=shelf == "own").filter(preset=None)
    rows = rows if shelf == "own" else rows.exclude(author=account)
    listed = rows.order_by("-changed_at", "-id")[start : start + _PAGE + 1]
    title = "Your contests" if shelf == "own" else "Contests of others in the library"
    following = start + _PAGE if len(listed) > _PAGE else None
    return OfferedContests(title, list(_cards(listed[:_PAGE], account)), shelf, following)


def of_library(account: Account, text: str, most: int) -> Iterator[PresetCard]:
    """Yield the contests of the library without faults that were changed last, with a text in the title or author."""
    rows = visible.contests_for(account, text).filter(preset=None).order_by("-changed_at", "-id")
    yield from _cards(rows[:most], account)


def secrets_warnings(events: Iterable[Event]) -> list[str]:
    """Return a warning for each contest that these events set although every account can read what is secret in it."""
    tables = (it for it in events if isinstance(it, MainMatchScheduled | SeatingAsked))
    played = {it.contest: it.options for it in tables if it.contest}
    return [
        visible.secrets_warning(contest.title)
        for contest, options in played.items()
        if _is_published(contest, options) and catalogue[CONTEST].read_options(options).content.has_secrets
    ]


def _is_published(contest: PlayedContest, options: Mapping[str, Any]) -> bool:
    if contest.library is None:
        return contest.preset is not None or visible.is_published(read_draft(options["content"]))
    versions = Version.objects.filter(contest=UUID(contest.library), number=contest.version)
    return versions.filter(published_at__isnull=False).exists()


def _cards(rows: Sequence[Contest], account: Account) -> Iterator[PresetCard]:
    """Yield the newest version that the account may read of each of these contests, if it has no faults."""
    newest = {it.id: it.version if it.author_id == account.id else it.published for it in rows}
    versions = {(it.contest_id, it.number): it for it in Version.objects.filter(contest__in=newest, faults=0)}
    for contest_id, number in newest.items():
        # A content that an earlier release has accepted may have faults in this one.
        with suppress(Faulty, KeyError):
            content = read_content(versions[contest_id, number or 0].data)
            yield card_of(f"{contest_id}@{number}", content)
