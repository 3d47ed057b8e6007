"""Erasure of an account in a season: sent and pending notices, and answers stored for a retry."""

from collections.abc import Iterator
from types import SimpleNamespace
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command

from matches.accounts import erasure
from matches.models import Account, Match, Notice
from matches.notifications import notices
from matches.seasons import erasure as season_erasure
from matches.seasons import notices as season_notices
from matches.seasons.models import Season
from matches.seasons.reads import event_documents
from matches.storage.repository import BrokenRecord
from tests.api.guests import Answer, Guest
from tests.api.seasons import Cup
from tests.matches.test_notices import Receiver, listening
from tests.table_setting import play_on


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with listening() as it:
        yield it


def called(player: Guest, name: str) -> Guest:
    Account.objects.filter(id=player.id).update(username=name, name_key=name)
    return player


def lost(cup: Cup, loser: Guest) -> None:
    """A death match in which everybody was to move, and the loser gives up."""
    match = Match.objects.get(id=cup.death_match())
    while len(set(movers(cup))) < 2:
        play_on(match, 1)
        season_notices.queue_new_notices()
    cup.loses(str(match.id), loser)
    cup.did(f"/matches/{match.id}/approve")
    season_notices.queue_new_notices()


def movers(cup: Cup) -> list[UUID]:
    rows = Notice.objects.filter(webhook__season_id=cup.id, kind="your_turn")
    return list(rows.values_list("account_id", flat=True))


def notice_texts(cup: Cup) -> list[str]:
    rows = Notice.objects.filter(webhook__season_id=cup.id).order_by("made_at")
    return list(rows.values_list("text", flat=True))


def test_notices_name_an_erased_account_by_its_new_name(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = Cup(4)
    # The word is in the answers of all seasons, some of which other tests break meanwhile.
    monkeypatch.setattr(season_erasure, "Season", SimpleNamespace(objects=Season.objects.filter(id=cup.id)))
    loser, winner = called(cup.players[3], "match"), called(cup.players[2], "match winner")
    notices.set_season_webhook(UUID(cup.id), receiver.url)
    lost(cup, loser)
    before = notice_texts(cup)
    assert any(": match is to move" in text for text in before)
    assert any("match winner won the death match against match." in text for text in before)
    sent = notices.send_pending()
    cup.did("/rulings", {"text": "A match is a match."})
    cup.did(f"/players/{winner.id}/withdraw", {"reason": "No match for match."})
    season_notices.queue_new_notices()
    erased = erasure.erase(UUID(loser.id))
    now = notice_texts(cup)
    assert any(f": {erased} is to move" in text for text in now)
    assert any(f"match winner won the death match against {erased}." in text for text in now)
    assert now[-2] == "Ruling: A match is a match."
    assert now[-1].startswith("match winner withdrew: No match for match.")
    assert [text.replace(erased, "match") for text in now[: len(before)]] == before
    assert notices.send_pending() == 2 and len(receiver.got) == sent + 2


def test_cut_off_name_in_a_notice_is_erased_too(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = Cup(4)
    leaver = called(cup.players[0], "mirabella")
    notices.set_season_webhook(UUID(cup.id), receiver.url)
    cup.did(f"/players/{leaver.id}/withdraw", {"reason": "Off to sea."})
    monkeypatch.setattr(season_notices, "_LONGEST", 6)
    season_notices.queue_new_notices()
    assert notice_texts(cup) == ["mirab…"]
    erasure.erase(UUID(leaver.id))
    assert notice_texts(cup) == ["erase…"]


def test_retry_is_answered_with_the_erased_name() -> None:
    cup, key = Cup(4), str(uuid4())
    leaver = called(cup.players[0], "withdrew")

    def withdraw() -> Answer:
        path = f"/players/{leaver.id}/withdraw"
        return cup.ask(path, {"reason": "It is said that somebody withdrew."}, Idempotency_Key=key)

    first = withdraw()
    assert first.json["events"][0]["text"] == "withdrew withdrew: It is said that somebody withdrew."
    erased = erasure.erase(UUID(leaver.id))
    again = withdraw()
    assert again.headers["Idempotent-Replayed"] == "true"
    as_first = first.body.replace(b'"withdrew withdrew:', f'"{erased} withdrew:'.encode())
    assert again.body == as_first.replace(b"from withdrew:", f"from {erased}:".encode())


def test_account_named_by_a_frozen_season_is_not_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = Cup(4)
    leaver = cup.players[0]
    cup.did(f"/players/{leaver.id}/withdraw", {"reason": "Off to sea."})

    def broken(*_: object, **__: object) -> None:
        raise BrokenRecord(None)

    monkeypatch.setattr(event_documents, "events", broken)
    with pytest.raises(BrokenRecord):
        erasure.erase(UUID(leaver.id))
    with pytest.raises(CommandError, match="Nothing was erased"):
        call_command("erase_account", leaver.name, yes=True)
    assert Account.objects.get(id=leaver.id).username == leaver.name
