"""Export of a season: its record, and an archive with the records of all its matches.

A record is lines of JSON like a match's: a header, every event with its hash, and the newest signed checkpoint that
covers it. A season has no secrets, so nothing in its record is sealed.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import msgspec

from events import access, store
from events.checkpoints import signing
from games.kernel import HOST, SPECTATOR, Illegal, Witness, from_json
from matches.audit import archive
from matches.audit import export as audit
from matches.audit.archive import Chapter
from matches.audit.croupier_verify import Bad
from matches.models import Account, Match
from matches.seasons import repository, services
from matches.seasons.domain import tables
from matches.seasons.domain.evolution import evolve, opening
from matches.seasons.domain.fairness import fault_in
from matches.seasons.domain.features import EVENTS
from matches.seasons.models import Season
from matches.seasons.reads import event_documents

FORMAT = "croupier-season-v1"
_ALL = 1_000_000


def export(season_id: UUID) -> Iterator[bytes]:
    """Yield the lines of the season's record; raise NoSuchSeason or BrokenRecord."""
    season = repository.load(season_id)
    proof = signing.prove(season_id, upto=season.version)
    rows = store.read(season_id, upto=season.version)
    yield audit.as_line(
        {
            "format": FORMAT,
            "season": str(season_id),
            "title": season.title,
            "version": season.version,
            "hash": rows[-1].hash.hex(),
            "finished": season.champion is not None,
            "champion": season.champion,
            "checkpoint": proof is not None,
        }
    )
    yield from (audit.as_line(audit.recorded(row, opens=False)) for row in rows)
    if proof is not None:
        yield audit.as_line(audit.serialized_checkpoint(proof))


def chapter(season: Season) -> Chapter:
    """Return the season's chapter of an archive, with the names of its people: the record holds only their ids."""
    return Chapter(
        record=f"seasons/{season.id}.ndjson",
        text_file="stories/season.txt",
        lines=lambda: export(season.id),
        sentences=lambda upto: _sentences(season.id, upto),
        entry={"season": str(season.id), "title": season.title, "people": event_documents.people(season.id)},
    )


def witness_for(account: Account | None, season_id: UUID) -> Witness | None:
    """Return the witness for whom an account exports the season's matches, or None if it may not export them.

    The staff of the season export as hosts, who learn of a match's end at once. Everybody else, also without an account
    (None), exports as a spectator, once there is a champion. Raise NoSuchSeason or BrokenRecord.
    """
    season = repository.load(season_id)
    if account is not None and services.caller(season_id, season, account).role is not None:
        return HOST
    return SPECTATOR if season.champion else None


def pieces(season: Season, by: str | None, witness: Witness) -> Iterator[bytes]:
    """Yield the pieces of a zip of the season and its matches, with the matches as `witness` may read them. Record the
    account `by` in the access log, if it isn't None."""
    if by is not None:
        access.note(season.id, by, "archived")
    # Listed beforehand: no cursor stays open while somebody downloads.
    matches = list(Match.objects.filter(season_id=season.id).order_by("opened_at", "id"))
    yield from archive.pieces(f"{season.id}.zip", matches, by, witness=witness, seasons=[chapter(season)])


def _sentences(season_id: UUID, upto: int) -> Iterator[bytes]:
    events: list[dict[str, Any]] = event_documents.events(season_id, 0, _ALL).results
    for event in events[:upto]:
        yield archive.sentence(event["version"], event["at"], event["text"])


def replay(lines: Sequence[str]) -> None:
    """Fold the lines of a verified record again. Raise croupier_verify.Bad if an event can't be read, if a draw or a
    seating doesn't follow from the season's chance, or if the champion is another than the header's."""
    header, season = json.loads(lines[0]), None
    for version, line in enumerate(lines[1 : header["version"] + 1], start=1):
        record = json.loads(line)
        try:
            event = from_json(record["public"], EVENTS[record["type"]])
            if season and (fault := fault_in(season, event) or tables.fault_in(season, event)):
                raise Bad(version, fault)
            season = evolve(season, event) if season else opening(event)
        except (Illegal, msgspec.ValidationError, KeyError, IndexError, AttributeError, TypeError) as error:
            raise Bad(version, f"the rules can't read it: {error!r}") from None
    if season is None or season.champion != header["champion"]:
        raise Bad(header["version"], "the rules give another champion than the recorded one")
