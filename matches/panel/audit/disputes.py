"""A dispute as the record shows it: claims, looks, rulings, rewinds and corrections in order of time, and when each
person was shown the disputed events."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

import msgspec
from django.urls import reverse

from events import access
from events.records import Recorded
from games.drawing.themes import SEAT_LETTERS
from games.kernel import HOST, SPECTATOR
from matches.audit import history, knowledge
from matches.audit.knowledge import EventDisclosure, Knower
from matches.domain.events import BOT
from matches.domain.lifecycle import Appeal
from matches.models import Match
from matches.panel.audit.listed_events import actor_name, match_sentence, states_after
from matches.reads.sentences import names_of
from matches.seasons import repository as seasons
from matches.seasons.reads.event_documents import people as people_of_season
from matches.seasons.reads.sentences import sentence as season_sentence

BEFORE = 10
"""The number of moves before a claim that are disputed by default."""
MOST = 200
"""The most disputed events of a page; later ones are left out."""
_KINDS = {
    "truth_viewed": "look", "match_rewound": "rewind", "ruling_posted": "ruling", "match_adjudicated": "ruling",
    "match_voided": "ruling", "text_withdrawn": "ruling", "result_approved": "ruling", "result_corrected": "correction",
    "match_annulled": "correction", "player_reinstated": "correction", "match_finished": "end",
    "match_started": "start", "appeal_opened": "another appeal", "appeal_answered": "another appeal",
}  # fmt: skip
_EXPORTS = {"exported": "Exported the record.", "archived": "Exported the record in an archive."}


class TimelineEntry(NamedTuple):
    """A step of the dispute; `way` links to the match or the season as it was then."""

    at: datetime
    kind: str
    who: str
    text: str
    where: str
    version: int | None
    way: str


class Disputed(NamedTuple):
    """A disputed event: its sentence as far as the reader may see it, True if it was taken back, who saw it when."""

    at: datetime
    text: str
    dropped: bool
    way: str
    knowledge: EventDisclosure


class Case(NamedTuple):
    """An appeal with the data of the page; `truth` is the version up to which secrets may be shown."""

    match: Match
    appeal: Appeal
    rows: Sequence[Recorded]
    people: Mapping[str, str]
    truth: int

    @property
    def claimed(self) -> Recorded:
        """Return the event that opened the appeal."""
        return next(it for it in self.rows if it.type == "appeal_opened" and self._concerns_appeal(it))

    def _concerns_appeal(self, row: Recorded) -> bool:
        return bool(msgspec.json.decode(row.public)["number"] == self.appeal.number)

    def kind_of(self, row: Recorded) -> str:
        if row.type in ("appeal_opened", "appeal_answered") and self._concerns_appeal(row):
            return "claim" if row.type == "appeal_opened" else "answer"
        return _KINDS.get(row.type, "host's act")

    def replay(self, version: int) -> str:
        """Return the URL of the match at a version, as the host sees it if the reader may see its secrets."""
        way = reverse("web:match-replay-at", args=[self.match.code, version])
        return f"{way}?as=host" if version <= self.truth else way


def timeline(case: Case) -> list[TimelineEntry]:
    """Return all steps, oldest first."""
    all_steps = [*_of_match(case), *_exports(case)]
    if case.match.season_id:
        all_steps += _of_season(case.match.season_id, str(case.match.id))
    return sorted(all_steps, key=lambda it: it.at)


def _of_match(case: Case) -> Iterator[TimelineEntry]:
    names = names_of(case.match)
    for row in case.rows:
        if row.type in history.HOST_ACTS | history.RULINGS | {"match_finished"}:
            text = match_sentence(case.match, row, SPECTATOR, names)
            who = actor_name(row.actor, case.people)
            yield TimelineEntry(
                row.at, case.kind_of(row), who, text, case.match.code, row.version, case.replay(row.version)
            )


def _exports(case: Case) -> Iterator[TimelineEntry]:
    for it in access.of(case.match.id):
        if text := _EXPORTS.get(it.kind):
            name = actor_name(it.actor, case.people)
            yield TimelineEntry(it.at, "record taken", name, text, case.match.code, None, "")


def _of_season(season_id: UUID, match: str) -> Iterator[TimelineEntry]:
    """Yield the events of the season's acts on the match; an act is shown as a whole."""
    people, revisions = people_of_season(season_id), list(seasons.revisions(season_id))
    way = reverse("web:season", args=[season_id])
    for _, batch in groupby(revisions, key=lambda it: (it.row.actor, it.row.at)):
        act = list(batch)
        if not any(getattr(it.event, "match", None) == match for it in act):
            continue
        for row, event, _ in act:
            text = season_sentence(event, lambda account: actor_name(account, people))
            kind = _KINDS.get(row.type, "season")
            who = actor_name(row.actor, people)
            yield TimelineEntry(row.at, kind, who, text, act[0].season.title, row.version, f"{way}?at={row.version}")


def versions(case: Case, first: int | None, last: int | None) -> list[int]:
    """Return the disputed moves, at most `MOST`: those from version `first` to `last`; by default the last `BEFORE`
    moves before the claim, and those that were taken back after it."""
    moves = [row.version for row in case.rows if row.type not in history.LIFECYCLE]
    if first is not None or last is not None:
        wanted = [it for it in moves if (first or 1) <= it <= (last or case.rows[-1].version)]
    else:
        claimed = case.claimed.version
        dropped = knowledge.dropped(case.rows, claimed)
        before = [it for it in moves if it < claimed][-BEFORE:]
        wanted = [it for it in moves if it in dropped or it in before]
    return wanted[:MOST]


def disputed(case: Case, wanted: Sequence[int], among: Sequence[Knower]) -> list[Disputed]:
    """Return these events, each with the time at which each knower was shown it."""
    names, dropped = names_of(case.match), knowledge.dropped(case.rows)
    after, events = states_after(case.match, [case.rows[version - 1] for version in wanted]), []
    for event in knowledge.disclosures(case.rows, set(wanted), among):
        row = case.rows[event.version - 1]
        witness = HOST if row.version <= case.truth else SPECTATOR
        text = match_sentence(case.match, row, witness, names, after.get(row.version))
        way = case.replay(row.version)
        events.append(Disputed(row.at, text or row.type, row.version in dropped, way, event))
    return events


def column_heading(knower: Knower, people: Mapping[str, str], delay: int) -> str:
    """Return the heading of a knower's column."""
    if knower.who == knowledge.SPECTATORS:
        return f"Spectators, {delay} s late" if delay else "Spectators"
    name = "A bot" if knower.who == BOT else actor_name(knower.who, people)
    return f"Host {name}" if knower.seat is None else f"Seat {SEAT_LETTERS[knower.seat]}, {name}"
