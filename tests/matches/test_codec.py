"""Encoding of events in the store, and decoding for each witness."""

from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import FieldInfo, fields, replace

from events.records import NewEvent, Recorded
from events.upcasting import Fields, Upcasters
from games import catalogue
from games.kernel import HOST, SPECTATOR, Chance, Event, Table, canonical, redact, secrecy_of, to_json
from games.kernel.messages import type_name
from games.pyramid_poker.events import BrickDealt
from matches.domain import events
from matches.seasons.domain.features import EVENTS as season_events
from matches.storage import codec
from tests.matches.values import some

PYRAMID = catalogue["pyramid_poker"]
KINDS = [
    *((slug, kind) for slug, game in catalogue.items() for kind in game.event_types.values()),
    *(("pyramid_poker", kind) for kind in events.EVENTS),
]
RECORDED = [*(kind for _, kind in KINDS), *season_events.values()]


def _defaulted(kind: type[Event]) -> list[FieldInfo]:
    """The fields whose default is a value."""
    return [it for it in fields(kind) if it.default is not msgspec.NODEFAULT and it.default is not None]


def stored(packed: NewEvent) -> Recorded:
    """The packed event as the store gives it back."""
    at = datetime(2026, 11, 21, tzinfo=UTC)
    salt = None if packed.secret is None else b"salt"
    return Recorded(
        1, packed.type, packed.schema, packed.public, packed.secret, packed.audience, salt, "mira", at, b"hash"
    )


def events_of(kind: type[Event], rng: Random) -> Iterator[Event]:
    """Events of a class, each naming a seat that can sit somewhere."""
    for _ in range(40):
        event = some(kind, rng)
        if "seat" in kind.__struct_fields__:
            event = msgspec.structs.replace(event, seat=rng.randrange(3))
        yield event


@pytest.mark.parametrize(("slug", "kind"), KINDS)
def test_every_event_of_every_game_is_decoded_as_redacted_for_each_witness(slug: str, kind: type[Event]) -> None:
    game, rng = catalogue[slug], Random(f"{slug} {kind.__name__}")
    for event in events_of(kind, rng):
        packed = codec.pack(event)
        row = stored(packed)
        assert (packed.type, packed.schema) == (type_name(kind), 3 if kind is events.MatchOpened else 1)
        for witness in (HOST, SPECTATOR, 0, 1, 2):
            decoded = codec.unpack(game, row, witness)
            assert decoded == redact(event, witness), witness
            assert canonical(decoded) == canonical(redact(event, witness))


@pytest.mark.parametrize("kind", [it for it in RECORDED if _defaulted(it)])
def test_written_default_is_encoded_like_an_omitted_one(kind: type[Event]) -> None:
    """msgspec compares by identity, and an equal value may be another object."""
    written = {it.name: msgspec.json.decode(msgspec.json.encode(it.default), type=it.type) for it in _defaulted(kind)}
    event = replace(some(kind, Random(kind.__name__)), **written)
    assert written.keys().isdisjoint(to_json(event))


@pytest.mark.parametrize(("slug", "kind"), KINDS)
def test_public_part_contains_nothing_of_the_secret(slug: str, kind: type[Event]) -> None:
    rng, secret_names = Random(kind.__name__), set(secrecy_of(kind).wire_names)
    for event in events_of(kind, rng):
        packed = codec.pack(event)
        public = msgspec.json.decode(packed.public)
        assert packed.public == canonical(redact(event, SPECTATOR))
        assert all(public[name] is None for name in secret_names)
        if not secret_names:
            assert packed.secret is packed.audience is None
            continue
        assert set(msgspec.json.decode(packed.secret)) == secret_names
        whom = secrecy_of(kind).audience
        seats = () if whom is HOST else getattr(event, whom)
        audience = f"seat:{seats}" if isinstance(seats, int) else f"seats:{','.join(map(str, seats))}"
        assert packed.audience == ("host" if seats == () else audience)


@pytest.mark.parametrize("slug", catalogue)
def test_whole_logs_are_decoded_for_every_witness(slug: str) -> None:
    game, rng = catalogue[slug], Random(slug)
    table = Table(game, seats=game.seats.min, chance=Chance(seed=b"a log"))
    while table.outcome is None:
        if table.due.dealer:
            table.deal()
        else:
            seat = table.due.prompts[0].seat
            table.act(seat, table.sample(seat, rng))
    rows = [stored(codec.pack(event)) for event in table.log]
    for witness in (HOST, SPECTATOR, *range(table.seats)):
        assert [codec.unpack(game, row, witness) for row in rows] == [redact(event, witness) for event in table.log]


def test_secret_is_decoded_only_for_its_recorded_audience() -> None:
    packed = codec.pack(BrickDealt(seat=1, brick="10H"))
    assert (packed.public, packed.secret, packed.audience) == (
        b'{"brick":null,"seat":1,"type":"brick_dealt"}',
        b'{"brick":"10H"}',
        "seat:1",
    )
    bricks = {witness: codec.unpack(PYRAMID, stored(packed), witness).brick for witness in (0, 1, SPECTATOR, HOST)}
    assert bricks == {0: None, 1: "10H", SPECTATOR: None, HOST: "10H"}


def test_an_old_shape_is_read_in_todays_with_and_without_its_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once `brick` was called `stone`; new events carry the next number."""
    row = stored(NewEvent("brick_dealt", b'{"seat":1,"stone":null}', b'{"stone":"10H"}', "seat:1", 1))
    steps = Upcasters()

    @steps.step("brick_dealt", 1)
    def rename(fields: Fields) -> Fields:
        return {"type": "brick_dealt", "seat": fields["seat"], "brick": fields["stone"]}

    monkeypatch.setattr(codec, "upcasters", steps)
    decoded: dict[Any, Event] = {witness: codec.unpack(PYRAMID, row, witness) for witness in (0, 1, HOST)}
    assert decoded == {0: BrickDealt(1, None), 1: BrickDealt(1, "10H"), HOST: BrickDealt(1, "10H")}
    renewed = codec.pack(BrickDealt(1, "10H"))
    assert renewed.schema == 2
    assert codec.unpack(PYRAMID, stored(renewed), 1) == BrickDealt(1, "10H")


def test_match_opened_before_the_rules_each_option_has_two_rules_each() -> None:
    opening = {"game": "reality_benders", "options": {"max_bouts": 1}, "seats": 2, "priority": 0, "opened_by": "mira",
            "seed_commitment": "c0ffee", "chance": "croupier-chance-v1"}  # fmt: skip
    before = codec.unpack_opening(stored(NewEvent("match_opened", canonical(opening), schema=1)))
    assert before.options == {"max_bouts": 1, "rules_each": 2}
    other = codec.unpack_opening(
        stored(NewEvent("match_opened", canonical({**opening, "game": "pentagram"}), schema=1))
    )
    assert other.options == {"max_bouts": 1}
    now = codec.pack(before)
    assert (now.schema, codec.unpack_opening(stored(now))) == (3, before)


def test_opening_names_the_game_that_decodes_the_other_events() -> None:
    opened = events.MatchOpened("pentagram", {"workers": 2}, 2, 1, "mira", "c0ffee", "croupier-chance-v1")
    assert codec.unpack_opening(stored(codec.pack(opened))) == opened
    assert codec.kind_of(PYRAMID, "match_opened") is events.MatchOpened
    assert codec.kind_of(PYRAMID, "brick_dealt") is BrickDealt
