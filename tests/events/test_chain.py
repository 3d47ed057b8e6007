"""The chain: one true hash for every event, and no change that it doesn't show."""

import struct
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events import chain
from events.records import Recorded

PROFILE = settings(
    max_examples=80, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
STREAM = UUID("0190b4a0-0000-7000-8000-00000000002a")
AT = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=UTC)
PUBLIC = '{"brick":null,"seat":1,"who":"Zoë"}'.encode()
SALT, SECRET = bytes(range(16)), b'{"brick":"10H"}'

DIGEST = "76e3305b98937fe6881060d0ffbf52c3c7147c1997645b9d406af8cc2f847079"
FIRST = "f27414122c131664e5fa81991cdddda7067cfcf7ef42fee8168af89a1c33a7ae"
SECOND = "4fe0fc9220d6598545ff0c136b63e3417a810bf6a5e0f123562b1f855ab1332c"


def by_the_book(previous: bytes, stream: UUID, row: Recorded) -> bytes:
    """The hash as the documentation of `events.chain` words it, written again from those words."""
    fields = [previous, stream.bytes, struct.pack(">Q", row.version), row.type.encode(), struct.pack(">H", row.schema)]
    elapsed = row.at - datetime(1970, 1, 1, tzinfo=UTC)
    micros = (elapsed.days * 86_400 + elapsed.seconds) * 1_000_000 + elapsed.microseconds
    fields += [row.actor.encode(), struct.pack(">q", micros), row.public, (row.audience or "").encode()]
    fields += [b"" if row.secret is None else sha256(b"croupier-secret-v1\n" + row.salt + row.secret).digest()]
    text = b"croupier-event-v1\n" + b"".join(struct.pack(">I", len(field)) + field for field in fields)
    return sha256(text).digest()


def fixed_rows() -> list[Recorded]:
    """Two events that never change."""
    first = Recorded(1, "match_opened", 1, b'{"seats":2}', None, None, None, "mira", AT, b"")
    first = first._replace(hash=chain.relink(chain.GENESIS, STREAM, first))
    second = Recorded(2, "brick_dealt", 3, PUBLIC, SECRET, "seat:1", SALT, "dealer", AT + timedelta(seconds=1), b"")
    return [first, second._replace(hash=chain.relink(first.hash, STREAM, second))]


def test_the_hashes_of_a_fixed_example_never_change() -> None:
    first, second = fixed_rows()
    assert chain.digest(SALT, SECRET).hex() == DIGEST
    assert first.hash.hex() == FIRST
    assert second.hash.hex() == SECOND


def test_the_documentation_alone_gives_the_same_hashes() -> None:
    previous = b""
    for row in fixed_rows():
        assert by_the_book(previous, STREAM, row) == row.hash
        previous = row.hash


def test_an_instant_is_counted_in_whole_microseconds() -> None:
    assert chain.microseconds(datetime(1970, 1, 1, tzinfo=UTC)) == 0
    assert chain.microseconds(AT) == 1_795_262_400_123_456
    assert chain.microseconds(AT.astimezone(tz=None)) == chain.microseconds(AT)


def test_fields_cannot_be_shifted_into_each_other() -> None:
    row, _ = fixed_rows()
    shifted = row._replace(type=row.type + row.actor[0], actor=row.actor[1:])
    assert chain.relink(b"", STREAM, shifted) != chain.relink(b"", STREAM, row)


def test_the_digest_of_a_secret_depends_on_its_salt() -> None:
    assert chain.digest(SALT, SECRET) != chain.digest(bytes(16), SECRET)
    assert chain.digest(None, None) == b""


TEXTS = st.text(max_size=12).filter(str.isprintable)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "version": st.integers(1, 2**31 - 1),
    "type": TEXTS,
    "schema": st.integers(1, 32767),
    "public": st.binary(max_size=12),
    "actor": TEXTS,
    "at": st.integers(1, 10**16).map(lambda micros: AT + timedelta(microseconds=micros - 10**15)),
    "hash": st.binary(min_size=32, max_size=32),
}
HIDDEN: dict[str, st.SearchStrategy[Any]] = {
    "secret": st.binary(max_size=12),
    "audience": TEXTS.filter(bool),
    "salt": st.binary(min_size=16, max_size=16),
}
NOTHING = dict.fromkeys(HIDDEN)


def log(seed: int) -> list[Recorded]:
    """A stream of two to six events, some with secrets, chained."""
    rng = Random(seed)
    rows: list[Recorded] = []
    for version in range(1, rng.randint(2, 6) + 1):
        hidden = version == 2 or rng.random() < 0.5
        secret = (rng.randbytes(rng.randrange(12)), f"seat:{rng.randrange(2)}", rng.randbytes(16))
        row = Recorded(
            version, rng.choice(["opened", "dealt"]), rng.randint(1, 3), rng.randbytes(rng.randrange(12)),
            *(secret if hidden else (None, None, None)),
            rng.choice(["mira", "tobias"]), AT + timedelta(microseconds=rng.randrange(10**9)), b"",
        )  # fmt: skip
        rows.append(row._replace(hash=chain.relink(rows[-1].hash if rows else chain.GENESIS, STREAM, row)))
    return rows


LOGS = st.integers(0, 2**32).map(log)


@PROFILE
@given(rows=LOGS)
def test_an_untouched_stream_holds(rows: list[Recorded]) -> None:
    assert chain.check(STREAM, rows) == (len(rows), rows[-1].hash, None)
    middle = rows[len(rows) // 2]
    assert chain.check(STREAM, rows[middle.version :], middle.version, middle.hash)[2] is None


@pytest.mark.parametrize("field", FIELDS)
def test_any_change_of_any_field_is_found_where_it_is(field: str) -> None:
    @PROFILE
    @given(rows=LOGS, data=st.data())
    def check(rows: list[Recorded], data: st.DataObject) -> None:
        place = data.draw(st.integers(0, len(rows) - 1))
        value = data.draw(FIELDS[field].filter(lambda value: value != getattr(rows[place], field)))
        _assert_found(rows, place, rows[place]._replace(**{field: value}))

    check()


@pytest.mark.parametrize("field", HIDDEN)
def test_any_change_of_a_secret_its_audience_or_its_salt_is_found_where_it_is(field: str) -> None:
    @PROFILE
    @given(rows=LOGS, data=st.data())
    def check(rows: list[Recorded], data: st.DataObject) -> None:
        place = data.draw(st.sampled_from([n for n, row in enumerate(rows) if row.secret is not None]))
        value = data.draw(HIDDEN[field].filter(lambda value: value != getattr(rows[place], field)))
        _assert_found(rows, place, rows[place]._replace(**{field: value}))

    check()


@PROFILE
@given(rows=LOGS, data=st.data())
def test_a_secret_added_or_taken_away_is_found(rows: list[Recorded], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(rows) - 1))
    other = st.just(NOTHING) if rows[place].secret is not None else st.fixed_dictionaries(HIDDEN)
    _assert_found(rows, place, rows[place]._replace(**data.draw(other)))


@PROFILE
@given(rows=LOGS, data=st.data())
def test_a_row_lost_doubled_or_moved_is_found(rows: list[Recorded], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(rows) - 2))
    lost = rows[:place] + rows[place + 1 :]
    doubled = rows[: place + 1] + rows[place:]
    moved = [*rows[:place], rows[place + 1], rows[place], *rows[place + 2 :]]
    assert chain.check(STREAM, lost)[2].version == place + 1
    assert chain.check(STREAM, doubled)[2].version == place + 2
    assert chain.check(STREAM, moved)[2].version == place + 1


@PROFILE
@given(rows=LOGS, other=st.uuids().filter(lambda stream: stream != STREAM))
def test_events_do_not_fit_into_another_stream(rows: list[Recorded], other: UUID) -> None:
    assert chain.check(other, rows)[2].version == 1


def _assert_found(rows: list[Recorded], place: int, changed: Recorded) -> None:
    version, hash, broken = chain.check(STREAM, [*rows[:place], changed, *rows[place + 1 :]])
    assert broken is not None and broken.version == place + 1
    assert (version, hash) == (place, rows[place - 1].hash if place else chain.GENESIS)
