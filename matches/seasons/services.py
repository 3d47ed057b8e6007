"""Acts on a season: each is one transaction on the season's stream, decided by the pure rules."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType
from uuid import UUID, uuid5

import msgspec
from msgspec.structs import replace

from events import store
from events.pipeline import Statement
from events.records import Recorded
from events.store import StreamTransaction
from games.kernel import Event, canonical, to_json
from matches.domain.events import HOUSE
from matches.models import Account
from matches.publishing import publisher
from matches.reads import permissions
from matches.reads.opened_secrets import opened
from matches.seasons import chance, codec, repository, sealing
from matches.seasons.contents import secrets_warnings
from matches.seasons.domain import deadlines, roster, tables
from matches.seasons.domain.announcing import announced, refuse_untimely
from matches.seasons.domain.chance import commitment
from matches.seasons.domain.deciding import Batch, Caller
from matches.seasons.domain.events import (
    JoiningRevoked,
    MatchReopened,
    OptionsChanged,
    PlayerApplied,
    PlayerEnrolled,
    PlayerJoinedLate,
    PlayerSubstituted,
    PlayerWithdrew,
    SeasonFinished,
    SeatingAsked,
    StaffAppointed,
    StaffDismissed,
)
from matches.seasons.domain.evolution import opening
from matches.seasons.domain.occasions import next_at
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.state import Season
from matches.seasons.reads import feed
from matches.seasons.reads.availability import advice
from matches.seasons.reads.documents import Foresight
from matches.seasons.reads.falling_due import falling_due
from matches.seasons.repository import NoSuchSeason
from matches.seasons.seating import (
    refuse_begun,
    refuse_guests,
    refuse_missing,
    refuse_played,
    refuse_seated,
    refuse_unplayable,
    refuse_unseatable,
)
from matches.services.playing import Accepted, KeyReused, VersionMoved


class SeasonMoved(VersionMoved):
    """The season is no longer at the version that the caller expected."""

    def __str__(self) -> str:
        return f"The season is at version {self.current}."


Decide = Callable[[Season, Caller], Sequence[Event]]

_INSERT_SEASON = """
INSERT INTO seasons_season (id, title, status, version, public, opened_by_id, opened_at, changed_at)
VALUES ($1, $2, 'enrolling', 1, $3, $4, clock_timestamp(), clock_timestamp())
"""
_MOVE_SEASON = """
UPDATE seasons_season SET version = $2, status = $3, changed_at = now(), wakes_at = $4 WHERE id = $1
"""
_JOIN = """
INSERT INTO seasons_member (season_id, account_id, role) VALUES ($1, $2, $3)
ON CONFLICT (season_id, account_id) DO UPDATE SET role = excluded.role
"""
_SHOW = "UPDATE seasons_season SET public = $2 WHERE id = $1"
_FORGET = "DELETE FROM seasons_invitation WHERE season_id = $1 AND number = $2"
_FORGET_ALL = "DELETE FROM seasons_invitation WHERE season_id = $1"
_LEAVE = "DELETE FROM seasons_member WHERE season_id = $1 AND account_id = $2"
_SAID_NO_MORE = "DELETE FROM seasons_availability WHERE season_id = $1 AND account_id = $2"
_SAID_BY_NOBODY = "DELETE FROM seasons_availability WHERE season_id = $1"
_OF_KEYS = UUID("5c1d2c0a-7d38-4a43-9a55-0d2f6d1d8f11")


def open_season(
    *,
    by: Account,
    title: str,
    options: Callable[[], SeasonOptions],
    key: str,
    fingerprint: bytes,
    template: UUID | None = None,
) -> tuple[UUID, Accepted]:
    """Open a season; return its id and the answer. The id is derived from the opener and the key, so a retry opens no
    second one.

    `options` is called only if the key is new, because on a retry their source may be gone.
    Raise Illegal or KeyReused.
    """
    season_id = uuid5(_OF_KEYS, f"{by.id} {key}")
    with StreamTransaction(season_id, actor=str(by.id), key=key) as transaction:
        if transaction.stored_outcome is not None:
            return season_id, _replayed(transaction, fingerprint)
        root = chance.new_root()
        opened = roster.open_season(
            _in_the_house(by), title, options(), str(template) if template else None, commitment(root)
        )
        answers: list[bytes] = []
        transaction.append(
            [codec.pack(opened)],
            expected=0,
            fingerprint=fingerprint,
            response=_answering(season_id, [opened], opening(opened), answers),
            also=[
                (_INSERT_SEASON, (season_id, title, opened.options.public, by.id)),
                (_JOIN, (season_id, by.id, "organiser")),
                chance.storing(season_id, root),
            ],
        )
    return season_id, Accepted(1, answers[0], replayed=False)


def act(
    *,
    season_id: UUID,
    by: Account,
    decide: Decide,
    key: str,
    fingerprint: bytes,
    expected: int | None = None,
    beside: Callable[[Sequence[Event]], list[Statement]] = lambda events: [],
    called: Mapping[str, str] | None = None,
) -> Accepted:
    """Append an account's act on a season in one transaction. Raise Illegal, SeasonMoved or KeyReused, and then store
    nothing.

    A retry with the same key and fingerprint returns the first answer. `expected` is the version that the caller has
    read. `beside` returns further statements for the transaction, and `called` has the display names that they store,
    by id.
    """
    with StreamTransaction(season_id, actor=str(by.id), key=key) as transaction:
        if transaction.stored_outcome is not None:
            return _replayed(transaction, fingerprint)
        season = _season_at_head(transaction)
        if expected is not None and season.version != expected:
            raise SeasonMoved(season.version)
        events = _decided(season_id, season, by, decide, transaction.arrived_at)
        events = [*events, *_drawn(season_id, season, by, events)]
        answers: list[bytes] = []
        rows = _append(transaction, season, events, fingerprint, answers, beside(events), called or {})
        return Accepted(rows[-1].version, answers[0], replayed=False)


def preview(
    *,
    season_id: UUID,
    by: Account,
    decide: Decide,
    expected: int | None = None,
    called: Mapping[str, str] | None = None,
) -> Foresight:
    """Return the effects that an act would have now; store nothing. Raise Illegal or SeasonMoved like the act."""
    season = repository.load(season_id)
    if expected is not None and season.version != expected:
        raise SeasonMoved(season.version)
    return foresee(season_id=season_id, season=season, by=by, decide=decide, called=called)


def foresee(
    *, season_id: UUID, season: Season, by: Account, decide: Decide, called: Mapping[str, str] | None = None
) -> Foresight:
    """Return the effects that an act would have on this season; store nothing. Raise Illegal like the act."""
    now = store.clock()
    events = _decided(season_id, season, by, decide, now)
    lines = [line for it in events if isinstance(it, MatchReopened) for line in opened(UUID(it.match), it.to_version)]
    foreseen = feed.foreseen(events, season, lines, called)
    said = advice(season_id, season, caller(season_id, season, by), events)
    due, warnings = falling_due(season, events, now), secrets_warnings(events)
    return replace(foreseen, due=due, advice=said, warnings=warnings)


def match_id_of(season_id: UUID, by: Account, key: str) -> UUID:
    """Return the id of the match that a request schedules; a retry has the same id."""
    return uuid5(season_id, f"{by.id} {key}")


def match_ids_of(match_id: str, count: int) -> list[str]:
    """Return the ids of `count` matches that one request schedules, derived from its id for a single match."""
    return [str(uuid5(UUID(match_id), str(number))) for number in range(count)]


def record_system_event(*, season_id: UUID, key: str, decide: Callable[[Season], Sequence[Event]]) -> bool:
    """Append the events that the house decides, once for each key. Return False if the key was used or there are none.
    Raise NoSuchSeason or BrokenRecord."""
    with StreamTransaction(season_id, actor=HOUSE, key=key) as transaction:
        if transaction.stored_outcome is not None:
            return False
        season = _season_at_head(transaction)
        events = decide(season)
        if not events:
            return False
        events = [*events, *announced(season, events, transaction.arrived_at)]
        _append(transaction, season, events, b"", [])
        return True


def caller(season_id: UUID, season: Season, account: Account) -> Caller:
    """Return the account with its role in the season or as an organiser of the house. A present or former player has
    no role."""
    name = str(account.id)
    role = "organiser" if account.is_organiser else season.staff.get(name)
    if role is None:
        return Caller(name)
    if name in season.players or permissions.plays_in(season_id, name):
        return Caller(name, plays=True)
    return Caller(name, role)


def fingerprint_of(what: str, *details: object) -> bytes:
    """Return the hash of a request, by which another request with the same key is refused."""
    return sha256(canonical([what, *map(to_json, details)])).digest()


def _in_the_house(account: Account) -> Caller:
    return Caller(str(account.id), "organiser" if account.is_organiser else None)


def _decided(season_id: UUID, season: Season, account: Account, decide: Decide, now: datetime) -> Sequence[Event]:
    """Return the events of the act by the pure rules; raise Illegal if they, the times or the matches refuse it."""
    by = caller(season_id, season, account)
    # Refused first: who may not do this learns nothing of whether there is such an account.
    events = decide(season, by)
    refuse_missing(events)
    deadlines.refuse_late(season, by, events, now)
    refuse_untimely(season, events, now)
    refuse_begun(events)
    refuse_unplayable(events)
    refuse_guests(events)
    refuse_seated(season_id, events)
    refuse_unseatable(season, events)
    refuse_played(season, by, events)
    return [*events, *announced(season, events, now)]


def _drawn(season_id: UUID, season: Season, account: Account, events: Sequence[Event]) -> Sequence[Event]:
    """Return the events that the season's chance adds to a requested draw. A preview doesn't call it."""
    request = next((event for event in events if isinstance(event, SeatingAsked)), None)
    if request is None:
        return []
    batch = Batch(season)
    batch.add(*events)
    link = chance.next_link(season_id, batch.season)
    if link is None:
        raise tables.no_chance()
    return tables.draw(batch.season, caller(season_id, season, account), request, link)


def _season_at_head(transaction: StreamTransaction) -> Season:
    """Return the season at the head that the transaction has locked; raise NoSuchSeason or BrokenRecord."""
    if transaction.head is None:
        raise NoSuchSeason(str(transaction.stream))
    return repository.load(transaction.stream, upto=transaction.head.version)


def _append(
    transaction: StreamTransaction,
    season: Season,
    events: Sequence[Event],
    fingerprint: bytes,
    answers: list[bytes],
    beside: Sequence[Statement] = (),
    called: Mapping[str, str] = MappingProxyType({}),
) -> list[Recorded]:
    events, storing_parts = sealing.sealed(transaction.stream, events)
    batch = Batch(season)
    batch.add(*events)
    after = batch.season
    rows = transaction.append(
        [codec.pack(event) for event in events],
        expected=season.version,
        fingerprint=fingerprint,
        response=_answering(transaction.stream, events, season, answers, called),
        also=[
            (_MOVE_SEASON, (transaction.stream, after.version, after.status, next_at(after))),
            *(move for event in events for move in _moves(transaction.stream, event)),
            *storing_parts,
            *beside,
        ],
    )
    publisher.announce_season(transaction.stream, after.version)
    return rows


def _answering(
    season_id: UUID,
    events: Sequence[Event],
    before: Season,
    answers: list[bytes],
    called: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[Sequence[Recorded]], bytes]:
    def answer(rows: Sequence[Recorded]) -> bytes:
        answers.append(msgspec.json.encode(feed.accepted(season_id, events, rows, before, called)))
        return answers[0]

    return answer


def _moves(season_id: UUID, event: Event) -> list[Statement]:
    """Return the statements that update the tables of seasons for an event."""
    match event:
        case StaffAppointed(account=account, role=role):
            return [(_JOIN, (season_id, UUID(account), role))]
        case StaffDismissed(account=account):
            return [(_LEAVE, (season_id, UUID(account)))]
        case PlayerEnrolled(player=player) | PlayerJoinedLate(player=player):
            return [(_JOIN, (season_id, UUID(player), "player"))]
        case PlayerSubstituted(leaver=leaver, newcomer=player):
            return [(_JOIN, (season_id, UUID(player), "player")), (_SAID_NO_MORE, (season_id, UUID(leaver)))]
        case OptionsChanged(changes={"public": public}):
            return [(_SHOW, (season_id, public))]
        case JoiningRevoked(link=link) | PlayerApplied(link=link):
            return [(_FORGET, (season_id, link))]
        case PlayerWithdrew(player=player):
            return [(_SAID_NO_MORE, (season_id, UUID(player)))]
        case SeasonFinished():
            return [(_FORGET_ALL, (season_id,)), (_SAID_BY_NOBODY, (season_id,))]
    return []


def _replayed(transaction: StreamTransaction, fingerprint: bytes) -> Accepted:
    stored = transaction.stored_outcome
    if stored is None or stored.fingerprint != fingerprint:
        raise KeyReused
    return Accepted(stored.version, stored.response, replayed=True)
