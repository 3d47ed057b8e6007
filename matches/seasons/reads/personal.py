"""The acts of a season as each account is informed of them, in the sentences of the season's pages. Webhooks and calls
send them."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import groupby, pairwise
from uuid import UUID

from msgspec import Struct

from matches.domain.bidi import apart
from matches.seasons import repository
from matches.seasons.domain.concerns import ActEvent, Concern, Concerned, concerns, undated
from matches.seasons.domain.events import ClaimAnswered, ClaimMade, GarnetsMoved, GarnetsShort, PlayerEliminated
from matches.seasons.domain.scheduling import SCHEDULED
from matches.seasons.domain.state import Season
from matches.seasons.domain.steps import PendingStep
from matches.seasons.reads.event_documents import calling
from matches.seasons.reads.feed import names_in
from matches.seasons.reads.sentences import Name, sentence
from matches.seasons.reads.timing_sentences import DECISIONS, instant_in_words, instants_in_words
from matches.seasons.repository import SeasonRevision

_NOT_ABOUT_THE_MATCH = (ClaimMade, ClaimAnswered, GarnetsMoved, GarnetsShort, PlayerEliminated)
"""Events that may have a `match`, though their sentence isn't about it."""


class Act(Struct, frozen=True):
    """An act of a season: its last version, instant, actor and number of events (`length`); whom it concerns; the
    decision without a deadline that it leaves to players (`waits`); and the season after it."""

    version: int
    at: datetime
    actor: str
    concerns: list[Concerned]
    waits: PendingStep | None
    after: Season
    length: int

    def version_of(self, it: Concerned) -> int:
        return self.version - self.length + 1 + it.place


class Meaning(Struct, frozen=True):
    """An account that an act concerns, the reason, and the sentences for it."""

    account: UUID
    concern: Concern
    text: str


class AddressedAct(Struct, frozen=True):
    """An act's last version and instant, and its meaning for each account except the actor's."""

    version: int
    at: datetime
    meanings: list[Meaning]

    def by_account(self) -> dict[UUID, list[Meaning]]:
        return {account: [it for it in self.meanings if it.account == account] for account in self._accounts}

    @property
    def _accounts(self) -> set[UUID]:
        return {it.account for it in self.meanings}


def acts(revisions: Sequence[SeasonRevision]) -> Iterator[Act]:
    """Yield each act of a season except its opening. `revisions` are all of the season's."""
    # The events of an act have the same actor and instant.
    revisions_by_act = [list(act) for _, act in groupby(revisions, key=lambda it: (it.row.actor, it.row.at))]
    for before, act in pairwise(revisions_by_act):
        seasons = [before[-1].season, *(it.season for it in act)]
        # There is one season more than events: the last one is the season after the act.
        steps = [ActEvent(season, it.event) for season, it in zip(seasons, act, strict=False)]
        last = act[-1]
        yield Act(
            last.row.version, last.row.at, last.row.actor, list(concerns(steps)), undated(steps, last.season),
            last.season, len(act),
        )  # fmt: skip


def addressed_to(season_id: UUID, accounts: Collection[UUID]) -> list[AddressedAct]:
    """Return each act of the season with its meaning for these accounts; raise BrokenRecord."""
    revisions = list(repository.revisions(season_id))
    if not revisions:
        return []
    name = calling(names_in(revisions[-1].season))
    return [AddressedAct(act.version, act.at, list(_meanings(act, accounts, name))) for act in acts(revisions)]


def _meanings(act: Act, accounts: Collection[UUID], name: Name) -> Iterator[Meaning]:
    wanted = {str(it) for it in accounts} - {act.actor}
    lines: dict[tuple[str, Concern], list[str]] = {}
    for it in act.concerns:
        for account in sorted(it.accounts & wanted):
            lines.setdefault((account, it.concern), []).append(_line(it, name))
    if waits := act.waits:
        line = f"{instants_in_words(waits.players, name)} can decide {DECISIONS[waits.kind]}."
        for account in sorted({*waits.players} & wanted):
            lines.setdefault((account, "decision_awaited"), []).append(line)
    for (account, concern), sentences in lines.items():
        yield Meaning(UUID(account), concern, f"{apart(act.after.title)}: {' '.join(sentences)}")


def _line(it: Concerned, name: Name) -> str:
    """Return the event's sentence, with the match that it is about."""
    event, season = it.event, it.season
    if isinstance(event, SCHEDULED):
        return f"{sentence(event, name)}{f' It opens on {instant_in_words(event.opens_at)}.' if event.opens_at else ''}"
    match = None if isinstance(event, _NOT_ABOUT_THE_MATCH) else season.matches.get(getattr(event, "match", None) or "")
    if match is None:
        return sentence(event, name)
    return f"{match.title} ({instants_in_words(match.players, name)}): {sentence(event, name)}"
