"""Stored responses to commands, for a repeated request."""

from uuid import UUID

import msgspec

from events import store
from games import catalogue
from games.kernel import SPECTATOR, Witness
from matches.domain import aids
from matches.reads import feed
from matches.reads.documents.match import AcceptedDocument
from matches.reads.visible import shown_events
from matches.storage import repository


def visible_answer(match_id: UUID, player: str, answer: bytes) -> bytes:
    """Return a stored response as its player may see it now: unchanged, except at a match without aids that goes on,
    and for a game that keeps texts.

    There the events of an act that isn't the latest are redacted as for spectators; texts are put in here.
    """
    now = repository.load(match_id, SPECTATOR).lifecycle
    seat = now.seat_of(player)
    witness: Witness = SPECTATOR if seat is None else seat
    if aids.remembers(now, witness) and not catalogue[now.opened.game].keeps_texts:
        return answer
    versions = [event["version"] for event in msgspec.json.decode(answer)["events"]]
    rows = store.read(match_id, after=versions[0] - 1, upto=versions[-1])
    match_state = repository.load(match_id, witness)
    events = shown_events(match_state, match_id, witness, rows)
    return msgspec.json.encode(
        AcceptedDocument(
            version=versions[-1],
            events=feed.serialized_events(match_state, match_id, events, rows),
        )
    )
