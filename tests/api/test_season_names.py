"""A player is called otherwise in one season: its pages and documents say so, its log the name of each time."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from events import store
from events.records import Recorded
from matches.accounts import erasure
from matches.models import Account
from matches.seasons.models import DisplayName
from matches.seasons.reads import event_documents
from matches.storage.repository import BrokenRecord
from tests.api.guests import Guest
from tests.api.seasons import Cup
from tests.events.staging import tamper
from tests.panel.seasons import Bureau, account_of
from tests.web.test_seasons import page

WHY = "As she is known on the show."


def fresh() -> str:
    return f"Annie {uuid4().hex[:8]}"


def rename(cup: Cup, player: Guest, name: str | None, key: str = "") -> object:
    return cup.ask(f"/players/{player.id}/name", {"name": name, "reason": WHY}, Idempotency_Key=key or str(uuid4()))


def texts(cup: Cup) -> list[str]:
    return [it["text"] for it in cup.read("/events", limit=500)["results"]]


def test_new_name_is_shown_everywhere_and_the_log_keeps_earlier_ones() -> None:
    cup, first, second = Cup(4), fresh(), fresh()
    ann = cup.players[0]
    old = account_of(ann).username
    foreseen = cup.ask(f"/players/{ann.id}/name?dry_run=1", {"name": first, "reason": WHY}).json["text"]
    cup.did(f"/players/{ann.id}/name", {"name": first, "reason": WHY})
    cup.did("/garnets", {"to": ann.id, "amount": 1, "reason": "For the film."})
    assert foreseen == [f"{old} is called {first} from now on: {WHY}"]
    Bureau(cup.id, account_of(cup.organiser)).did("rename", player=ann.id, name=second, reason=WHY)
    assert f"{old} joined the season." in texts(cup)
    assert texts(cup)[-3:] == [
        f"{old} is called {first} from now on: {WHY}",
        texts(cup)[-2],
        f"{first} is called {second} from now on: {WHY}",
    ]
    assert first in texts(cup)[-2] and old not in texts(cup)[-2]

    standing = next(it for it in cup.read("/standings")["results"] if it["player"]["id"] == ann.id)
    assert (standing["called"], standing["player"]["username"]) == (second, old)
    for path in (f"/seasons/{cup.id}", f"/seasons/{cup.id}/players/{ann.id}"):
        assert second in page(path)[1]
    assert f"Account <bdi>{old}</bdi>" in page(f"/seasons/{cup.id}/players/{ann.id}")[1]
    before = page(f"/seasons/{cup.id}?at={cup.read()['version'] - 1}")[1]
    assert first in before and second not in before
    cup.did(f"/players/{ann.id}/name", {"name": None, "reason": WHY})
    assert texts(cup)[-1] == f"{second} is called as their account from now on: {WHY}"
    assert next(it["called"] for it in cup.read("/standings")["results"] if it["player"]["id"] == ann.id) == old


def test_stage_name_is_not_in_the_record_and_is_removed_by_erasure() -> None:
    cup, name, key = Cup(4), fresh(), str(uuid4())
    ann = cup.players[0]
    first = rename(cup, ann, name, key)
    assert first.status == 201 and name.encode() in first.body
    assert not any(name.encode() in row.public for row in store.read(UUID(cup.id)))
    cup.did(f"/players/{ann.id}/withdraw", {"reason": "Off to sea."})
    assert any(name in it.text for it in event_documents.acts(UUID(cup.id), 0))
    erased = erasure.erase(UUID(ann.id))
    assert not DisplayName.objects.filter(account_id=ann.id).exists()
    assert not any(name in text for text in texts(cup))
    again = rename(cup, ann, name, key)
    assert again.headers["Idempotent-Replayed"] == "true" and name.encode() not in again.body
    assert f"{erased} withdrew: Off to sea." in texts(cup)


@pytest.mark.parametrize("name", ["host", "erased 12", "a\u202eb", "x" * 41, "Guest 7", "\u0000"])
def test_invalid_stage_name_is_refused(name: str) -> None:
    cup = Cup(3)
    assert rename(cup, cup.players[0], name).refusal in ((422, "bad_name"), (400, "malformed"))


def test_taken_or_unchanged_stage_name_is_refused() -> None:
    cup, name = Cup(3), fresh()
    ann, ben, _ = cup.players
    other = Account.objects.get(id=ben.id).username
    assert rename(cup, ann, other.upper()).refusal == (409, "name_taken")
    assert rename(cup, ann, name).status == 201
    assert rename(cup, ben, name.upper()).refusal == (409, "name_taken")
    assert rename(cup, ben, name.replace("A", "\u0410")).refusal == (409, "name_taken"), "It looks alike."
    assert rename(cup, ann, name).refusal[1] == "nothing_to_change"
    assert rename(cup, ben, None).refusal[1] == "nothing_to_change"
    assert cup.ask(f"/players/{uuid4()}/name", {"name": fresh(), "reason": WHY}).refusal[1] == "not_enrolled"
    assert cup.ask(f"/players/{ann.id}/name", {"name": fresh(), "reason": WHY}, by=ann).refusal[1] == "forbidden"


@pytest.mark.in_process
@pytest.mark.parametrize("renamed", [False, True])
def test_pages_of_events_tell_what_the_whole_tells_and_read_no_other_rows(
    renamed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup = Cup(4)
    if renamed:
        cup.did(f"/players/{cup.players[0].id}/name", {"name": fresh(), "reason": WHY})
    cup.main_match()
    cup.did("/garnets", {"to": cup.players[0].id, "amount": 1, "reason": "For the film."})
    everything = cup.read("/events", limit=500)["results"]
    read, rows_read = store._rows, list[int]()

    def counted(*details: Any) -> list[Recorded]:
        rows = read(*details)
        rows_read.append(len(rows))
        return rows

    monkeypatch.setattr(store, "_rows", counted)
    for reader in (cup.organiser, cup.players[1], cup.auditor):
        for limit in (1, 3):
            pages, after = [], 0
            while after is not None:
                rows_read.clear()
                page = cup.read("/events", by=reader, after=after, limit=limit)
                # Besides the page, the event before it is read for its hash, or all before it for the season's names.
                others = after if renamed else min(after, 1)
                assert rows_read == [others + len(page["results"])]
                pages, after = [*pages, *page["results"]], page["next"]
            assert pages == everything
    assert cup.read("/events", after=len(everything))["results"] == []


@pytest.mark.in_process
def test_a_page_with_a_changed_event_is_refused_and_one_before_it_is_not() -> None:
    cup = Cup(4)
    version = cup.read()["version"]
    forged = "UPDATE events_event SET actor = 'mallory' WHERE stream = %s AND version = %s"
    tamper(lambda owner: owner.execute(forged, (cup.id, version)))
    with pytest.raises(BrokenRecord):
        event_documents.events(UUID(cup.id), version - 1, 1)
    assert len(event_documents.events(UUID(cup.id), 0, version - 1).results) == version - 1
