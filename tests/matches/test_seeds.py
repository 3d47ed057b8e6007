"""The seed: promised at the opening, sealed while the match runs, revealed at the end."""

import hmac
import struct
from base64 import b64encode, urlsafe_b64encode
from hashlib import sha256
from itertools import groupby
from typing import Any

import psycopg
import pytest
import redis
from cryptography.fernet import InvalidToken
from django.conf import settings
from psycopg import sql

from events import store
from games import catalogue
from games.kernel import HOST, Chance, Event, Table, judge
from matches.domain import events as happenings
from matches.models import Match, Seed
from matches.services import hosting, opening, playing
from matches.storage import codec, repository, seeds
from matches.storage.repository import BrokenRecord
from tests.events.staging import owner
from tests.kernel.plain_chance import shuffled, words
from tests.table_setting import new_account, play_on, play_to_the_end, running_match, waiting_match

VECTOR = "245c0b32bd0f4f4b06bb3001749346c8b55f992f63366b8bb4abdd22636fe216"
TABLES = """
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p', 'v', 'm') ORDER BY 1
"""


def forms(secret: bytes) -> list[str]:
    """Return the forms of bytes in a column's text: as hex or base64, in a text or in the bytes of one."""
    texts = [secret.hex().encode(), b64encode(secret).rstrip(b"="), urlsafe_b64encode(secret).rstrip(b"=")]
    return [*(text.decode() for text in texts), *(text.hex() for text in texts)]


def tables_that_hold(hand: psycopg.Connection[Any], *secrets: bytes) -> set[str]:
    """The tables and views with a row in whose columns, whatever their types, one of these secrets stands open."""
    needles = [form for secret in secrets for form in forms(secret)]
    tables = set()
    for (name,) in hand.execute(TABLES).fetchall():
        holds = sql.SQL("SELECT EXISTS (SELECT 1 FROM {0} AS t WHERE t.*::text LIKE ANY (%s))")
        if hand.execute(holds.format(sql.Identifier(name)), [[f"%{needle}%" for needle in needles]]).fetchone()[0]:
            tables.add(name)
    return tables


def test_no_table_contains_the_seed_of_a_running_match() -> None:
    match = running_match("pyramid_poker")
    play_on(match, 6)
    seed = seeds.seed_of(match.id)
    key = seeds.mixed(seed, (None, None))
    with owner() as hand:
        assert tables_that_hold(hand, seed, key) == set()
        play_to_the_end(match)
        assert tables_that_hold(hand, seed) == {
            "events_event", "events_public", "events_key",
        }, "the search itself must find it"  # fmt: skip
        assert tables_that_hold(hand, key) == set()


def test_redis_contains_no_seed() -> None:
    match = running_match("pentagram")
    playing.attend(match_id=match.id, most=5)
    needles = [form.encode() for form in forms(seeds.seed_of(match.id))] + [seeds.seed_of(match.id)]
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        for key in client.scan_iter():
            kind = client.type(key)
            content = {b"string": client.get, b"hash": client.hgetall, b"set": client.smembers}.get(
                kind,
                lambda key: client.lrange(key, 0, -1) if kind == b"list" else client.zrange(key, 0, -1),  # noqa: B023
            )(key)
            assert not any(needle in repr((key, content)).encode() for needle in needles)


def test_seed_is_committed_stored_encrypted_and_revealed_at_the_end() -> None:
    match = running_match("pentagram")
    seed = seeds.seed_of(match.id)
    story = repository.load(match.id).lifecycle
    assert len(seed) == 32 and seed != seeds.seed_of(running_match("pentagram").id)
    assert story.opened.seed_commitment == sha256(seed).hexdigest()
    assert story.seed is None
    play_to_the_end(match)
    assert repository.load(match.id).lifecycle.seed == seed.hex()


def test_stored_seed_is_decrypted_with_the_seed_key_only(monkeypatch: pytest.MonkeyPatch) -> None:
    match = waiting_match("pentagram")
    sealed = bytes(Seed.objects.get(match_id=match.id).sealed)
    assert seeds._box().decrypt(sealed) == seeds.seed_of(match.id)
    monkeypatch.setattr(settings, "SEED_KEY", settings.SECRET_KEY)
    other = seeds._box.__wrapped__()
    with pytest.raises(InvalidToken):
        other.decrypt(sealed)


@pytest.mark.parametrize("seed", [b"x" * 32, None])
def test_nothing_is_drawn_from_a_seed_that_differs_from_its_commitment(seed: bytes | None) -> None:
    """Whoever may write to the database can't choose the deal: the match stands still until somebody has looked."""
    match = running_match("pentagram")
    with owner() as hand:
        sealed = seeds._box().encrypt(seed) if seed else b"none"
        hand.execute("UPDATE matches_seed SET sealed = %s WHERE match_id = %s", [sealed, match.id])
    version = repository.version_of(match.id)
    seeds._unsealed.cache_clear()
    with pytest.raises(BrokenRecord, match="its sealed seed"):
        playing.deal(match_id=match.id, expected=version)
    with pytest.raises(BrokenRecord):
        hosting.void(match_id=match.id, by=match.opened_by_id, reason="To see the seed.")
    assert repository.version_of(match.id) == version


def test_the_key_of_the_draws_is_the_published_formula_and_never_changes() -> None:
    seed = bytes(range(32))
    plain = b"croupier-nonces-v1\n" + b"".join(struct.pack(">I", len(n)) + n for n in ("Zoë".encode(), b"", b"7"))
    assert seeds.mixed(seed, ("Zoë", None, "7")) == hmac.new(seed, plain, sha256).digest()
    assert seeds.mixed(seed, ("Zoë", None, "7")).hex() == VECTOR
    assert seeds.commitment(seed) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_every_nonce_changes_every_draw() -> None:
    seed = bytes(32)
    keys = {seeds.mixed(seed, nonces) for nonces in ((None, None), ("a", None), (None, "a"), ("ab", "c"), ("a", "bc"))}
    assert len(keys) == 5


def test_nonces_of_the_seats_are_mixed_in() -> None:
    mira, tobias = new_account(), new_account()
    match = waiting_match("pentagram", mira, tobias)
    opening.add_nonce(match_id=match.id, player=tobias.id, seat=1, nonce="my dice")
    opening.start(match_id=match.id, by=match.opened_by_id, reason="")
    playing.deal(match_id=match.id, expected=repository.version_of(match.id))
    dealt = acts_of(match)[-1][1][0]
    seed, nothing = seeds.seed_of(match.id), struct.pack(">BI", 0, 0)
    assert list(dealt.order) == deck_by_hand(match, mixed_by_hand(seed, nothing, struct.pack(">BI", 1, 7) + b"my dice"))
    assert list(dealt.order) != deck_by_hand(match, mixed_by_hand(seed, nothing, nothing))


def mixed_by_hand(seed: bytes, *parts: bytes) -> bytes:
    """The key of the draws as the documentation of chance mixes it."""
    return hmac.new(seed, b"croupier-nonces-v2\n" + b"".join(parts), sha256).digest()


def deck_by_hand(match: Match, key: bytes) -> list[Any]:
    """Pentagram's deck as the documentation of chance deals it."""
    shuffles: list[tuple[list[Any], str]] = []

    class Noted(Chance):
        """Notes what is shuffled, and for which purpose."""

        def shuffled(self, items: Any, purpose: str) -> Any:
            """The items in another order."""
            shuffles.append((list(items), purpose))
            return super().shuffled(items, purpose)

    judge.deal(catalogue[match.game], repository.load(match.id, upto=3).state, Noted(key))
    items, purpose = shuffles[0]
    return shuffled(words(key, 0, purpose), items)


def acts_of(match: Match) -> list[tuple[str, list[Event]]]:
    """The game's own events as the host knows them, act by act, each with its actor."""
    game, rows = catalogue[match.game], store.read(match.id)
    acts = [(actor, list(batch)) for (actor, _), batch in groupby(rows, key=lambda row: (row.actor, row.at))]
    unpacked = [(actor, [codec.unpack(game, row, HOST) for row in batch]) for actor, batch in acts]
    return [(actor, [it for it in events if not isinstance(it, happenings.EVENTS)]) for actor, events in unpacked]


WITHOUT_DEALS = {"pyramid_poker", "reality_benders"}
"""Games in which a player's command causes the draw, or nothing is drawn."""


@pytest.mark.parametrize("slug", sorted(catalogue.keys() - WITHOUT_DEALS))
def test_revealed_seed_reproduces_every_deal(slug: str) -> None:
    match = running_match(slug)
    play_to_the_end(match)
    story, deals = repository.load(match.id).lifecycle, 0
    chance = Chance(seeds.key_of(bytes.fromhex(story.seed), story))
    played = Table(catalogue[slug], story.opened.options, story.opened.seats, story.opened.priority)
    for actor, events in acts_of(match):
        if actor == playing.DEALER:
            dealt = judge.deal(played.game, played.state, chance.at(played.version))
            assert list(dealt) == events[: len(dealt)]
            deals += 1
        for event in events:
            played.record(event)
    assert deals > 0
