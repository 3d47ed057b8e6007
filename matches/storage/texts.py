"""Texts that a match's log names by commitments (`games.kernel.texts`): stored with their act, and deletable.

A text is a part like those of sealed options: canonical JSON with a random salt, so that nobody who sees the commitment
can guess the text, not even with the seed. It is encrypted like the seed and checked against its commitment wherever it
is decrypted. It is read for each view: nothing keeps it in memory, in a snapshot or in a stored response, so a deleted
text is shown nowhere.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, TypeVar
from uuid import UUID

import msgspec

from events.chain import ChainBroken
from events.pipeline import Statement, array, roundtrip
from events.store import raw_connection
from games import catalogue
from games.kernel import Chance, Game, Parts, SealedPart, texts_in, with_texts
from matches.domain.lifecycle import Lifecycle
from matches.models import StoredText
from matches.storage import seeds
from matches.storage.repository import BrokenRecord

_STORE = "INSERT INTO matches_text (stream, commitment, author_id, sealed) VALUES ($1, $2, $3, $4)"
_DELETE = "DELETE FROM matches_text WHERE stream = $1 AND commitment = $2"
_FETCH = "SELECT commitment, sealed FROM matches_text WHERE stream = $1 AND commitment = ANY($2::bytea[])"
_FETCH_ALL = "SELECT stream, commitment, sealed FROM matches_text WHERE stream = ANY($1::uuid[])"

T = TypeVar("T")


def storing(stream: UUID, actor: str, parts: Parts) -> list[Statement]:
    """Return the statements that store the texts of an act, for its transaction. An account that acts is their
    author."""
    author = _account(actor)
    return [(_STORE, (stream, bytes.fromhex(it), author, seeds.encrypted(part))) for it, part in parts.items()]


def finding(stream: UUID, commitment: str) -> Statement:
    """Return the statement that returns a text's row, if it is stored."""
    return _FETCH, (stream, array([bytes.fromhex(commitment)]))


def deleting(stream: UUID, commitment: str) -> Statement:
    """Return the statement that deletes a text."""
    return _DELETE, (stream, bytes.fromhex(commitment))


def forget(account_id: UUID) -> None:
    """Delete the texts of an author."""
    StoredText.objects.filter(author_id=account_id).delete()


def chance_of(match_id: UUID, state: Lifecycle, version: int) -> Chance:
    """Return the match's chance as `seeds.chance_of` does; for a game that keeps texts, with the stored texts beside
    the seed and salts for new ones. No draw depends on the salts."""
    chance = seeds.chance_of(match_id, state, version)
    if not catalogue[state.opened.game].keeps_texts:
        return chance
    return chance.keeping(_Beside(match_id, chance.parts)).salted(Chance(seeds.new_seed()))


def readable(game: Game, stream: UUID, value: T) -> T:
    """Return a state or an event of a stream, as one witness sees it, with the texts that it names. Only for display.
    Raises BrokenRecord."""
    return with_texts(value, named_by(game, stream, value)) if game.keeps_texts else value


def named_by(game: Game, stream: UUID, value: Any) -> dict[str, str]:
    """Return the stored texts that a value names, by commitment; the value is what one witness sees. No view
    gets texts in another way. Raises BrokenRecord."""
    commitments = {commitment for _, commitment in texts_in(value)} if game.keeps_texts else set()
    parts = parts_of(stream, commitments)
    return {it: msgspec.json.decode(part, type=SealedPart).value for it, part in parts.items()}


def parts_of(stream: UUID, commitments: Collection[str]) -> dict[str, bytes]:
    """Return the parts of those of these texts that are stored, by commitment. Raises BrokenRecord."""
    if not commitments:
        return {}
    named = array(bytes.fromhex(it) for it in commitments)
    (rows,) = roundtrip(raw_connection(), [(_FETCH, (stream, named))])
    return dict(_checked(stream, commitment, sealed) for commitment, sealed in rows)


def faults(streams: Iterable[UUID]) -> dict[UUID, str]:
    """Return the fault of each of these streams that has an invalid text. No text is returned."""
    reasons = {}
    (rows,) = roundtrip(raw_connection(), [(_FETCH_ALL, (array(map(str, set(streams))),))])
    for stream, commitment, sealed in rows:
        try:
            _checked(stream, commitment, sealed)
        except BrokenRecord as broken:
            reasons[stream] = broken.broken.reason
    return reasons


def _checked(stream: UUID, commitment: bytes, sealed: bytes) -> tuple[str, bytes]:
    """Return a commitment and the text's part; raises BrokenRecord."""
    part = seeds.decrypted(stream, sealed)
    if sha256(part).digest() != bytes(commitment):
        raise BrokenRecord(ChainBroken(stream, 1, "a stored text is not the one that an event names"))
    return bytes(commitment).hex(), part


def _account(actor: str) -> UUID | None:
    try:
        return UUID(actor)
    except ValueError:
        return None


class _Beside(Mapping[str, bytes]):
    """The sealed parts of a match, and its texts, each of which is read when the rules ask for it."""

    def __init__(self, match_id: UUID, sealed: Parts) -> None:
        self._match_id = match_id
        self._sealed = sealed

    def __getitem__(self, commitment: str) -> bytes:
        if commitment in self._sealed:
            return self._sealed[commitment]
        return parts_of(self._match_id, [commitment])[commitment]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sealed)

    def __len__(self) -> int:
        return len(self._sealed)
