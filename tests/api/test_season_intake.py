"""Intake of a season over REST: pasted lists, joining links, late and returning players; changing options."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from django.test import Client

from events import store
from matches.accounts import erasure
from matches.models import Account
from matches.seasons.models import Invitation, Member, Season
from tests.api.guests import Answer, Guest, guest
from tests.api.seasons import Cup
from tests.table_setting import new_account

WHY = "It was agreed."


def names_of(count: int) -> list[str]:
    return [new_account().username for _ in range(count)]


def version(cup: Cup) -> int:
    head = store.head(UUID(cup.id))
    assert head
    return head.version


def linked(cup: Cup, **more: Any) -> str:
    """A new link's path below /api/v1."""
    cup.did("/joining-links", more)
    return f"/seasons/joining/{urlsplit(cup.read('/joining-links')['results'][-1]['url']).path.rpartition('/')[2]}"


def asks(who: Guest, link: str, more: str = "") -> Answer:
    return who.post(f"{link}{more}", Idempotency_Key=str(uuid4()))


def test_list_of_100_names_with_7_faults_is_entered_only_once_corrected() -> None:
    cup = Cup(1, most_players=100)
    good = names_of(93)
    closed = new_account()
    Account.objects.filter(id=closed.id).update(is_active=False)
    enrolled = Account.objects.get(id=cup.players[0].id).username
    host = Account.objects.get(id=cup.host.id).username
    faulty = {
        10: ("nobody.is.called.so", "unknown"),
        20: (good[3].upper(), "twice"),
        30: (enrolled, "already_enrolled"),
        40: (host, "runs_the_season"),
        50: ("x" * 41, "too_long"),
        60: (closed.username, "closed_account"),
        70: ("ann, bo, ann@example.org", "unreadable"),
    }
    names = iter(good)
    lines = [faulty[number][0] if number in faulty else next(names) for number in range(1, 101)]
    text, before = "\r\n".join(lines), version(cup)
    dry = cup.ask("/players/list?dry_run=1", {"text": text})
    assert dry.status == 200 and (dry.json["players"], dry.json["faulty"]) == (93, 7)
    assert {it["number"]: it["code"] for it in dry.json["lines"] if it["code"]} == {
        number: code for number, (_, code) in faulty.items()
    }
    assert all(it["fault"].endswith(".") for it in dry.json["lines"] if it["code"])
    refused = cup.ask("/players/list", {"text": text})
    assert refused.refusal == (422, "list_faulty")
    assert [it["number"] for it in refused.json["lines"]] == list(faulty)
    assert "Line 10: " in refused.json["detail"] and version(cup) == before
    key = str(uuid4())
    first, again = (
        cup.ask("/players/list", {"text": text, "skip_faulty": True}, Idempotency_Key=key) for _ in range(2)
    )
    assert (first.status, again.status, again.headers["Idempotent-Replayed"]) == (201, 201, "true")
    assert len(cup.read("/standings")["results"]) == 94
    assert Member.objects.filter(season_id=cup.id, role="player").count() == 94
    assert len({it["at"] for it in first.json["events"]}) == 1, "one act"


def test_full_season_and_guest_are_named_line_by_line() -> None:
    cup = Cup(2, most_players=3)
    one, two = names_of(2)
    visitor = new_account()
    Account.objects.filter(id=visitor.id).update(guest_until=store.clock() + timedelta(days=1))
    organiser = Account.objects.get(id=cup.organiser.id).username
    text = f"name\n\n{visitor.username}\n{organiser}\n{one}\n{two}\n"
    lines = cup.ask("/players/list?dry_run=1", {"text": text}).json["lines"]
    assert [(it["number"], it["code"]) for it in lines] == [
        (3, "not_for_guests"), (4, "runs_the_season"), (5, ""), (6, "season_full")
    ]  # fmt: skip


def test_addresses_get_single_use_links_and_are_in_no_event() -> None:
    cup = Cup(1)
    (named,) = names_of(1)
    text = f'{named}\n"Diallo, Amara",amara@example.org\nbruno@example.org\ncara@example\nBruno,BRUNO@example.org'
    dry = cup.ask("/players/list?dry_run=1", {"text": text}).json
    assert [it["code"] for it in dry["lines"]] == ["", "", "", "bad_address", "twice"]
    events = cup.did("/players/list", {"text": text, "skip_faulty": True})
    assert [it["type"] for it in events] == ["player_enrolled", "garnets_moved", "joining_opened", "joining_opened"]
    assert b"example.org" not in b"".join(row.public for row in store.read(UUID(cup.id)))
    links = cup.read("/joining-links")["results"]
    assert [it["invites"] for it in links] == ["Diallo, Amara, amara@example.org", "bruno@example.org"]
    path = f"/seasons/joining/{urlsplit(links[0]['url']).path.rpartition('/')[2]}"
    amara, other = guest(), guest()
    assert [it["type"] for it in asks(amara, path).json["events"]] == [
        "player_applied", "player_enrolled", "garnets_moved"
    ]  # fmt: skip
    assert asks(other, path).refusal == (409, "link_used_up")
    assert [it.number for it in Invitation.objects.filter(season_id=cup.id)] == [2], "who came needs no label"


def test_list_invites_several_addresses_per_line_and_names_unread_columns() -> None:
    cup = Cup(1)
    (named,) = names_of(1)
    addresses = cup.ask("/players/list?dry_run=1", {"text": "jo@example.org, jun@example.org"}).json
    assert (addresses["invitations"], addresses["faulty"]) == (2, 0)
    assert [it["label"] for it in addresses["lines"]] == ["jo@example.org", "jun@example.org"]
    headed = f"name;team;email\n{named};Red;\nJo;Blue;jo@example.org\n"
    preview = cup.ask("/players/list?dry_run=1", {"text": headed}).json
    assert (preview["players"], preview["invitations"], preview["faulty"]) == (1, 1, 0)
    assert preview["notes"] == ["The column team isn't read."]
    events = cup.did("/players/list", {"text": "Park, Jo <jo@example.org>; jun@example.org, jun@example.com"})
    assert [it["type"] for it in events] == ["joining_opened"] * 3
    invited = [it["invites"] for it in cup.read("/joining-links")["results"]]
    assert invited == ["Park, Jo, jo@example.org", "jun@example.org", "jun@example.com"]


def test_the_same_address_twice_on_a_line_is_a_fault() -> None:
    lines = Cup(1).ask("/players/list?dry_run=1", {"text": "jo@example.org, JO@example.org"}).json["lines"]
    assert [it["code"] for it in lines] == ["", "twice"]


def test_account_whose_name_looks_like_a_list_number_is_enrolled() -> None:
    account = new_account()
    Account.objects.filter(id=account.id).update(username="1. jo", name_key="1. jo")
    lines = Cup(1).ask("/players/list?dry_run=1", {"text": "1. jo"}).json["lines"]
    Account.objects.filter(id=account.id).update(username=account.username, name_key=account.name_key)
    assert [it["account"] for it in lines] == [str(account.id)]


def test_thirteen_are_seated_in_a_private_season_by_one_link() -> None:
    cup = Cup(0, public=False)
    link = linked(cup, approval=False)
    people = [guest() for _ in range(13)]
    assert people[0].get(cup.path).status == 404
    joining = people[0].get(link).json
    assert (joining["title"], joining["standing"], joining["status"], joining["season_visible"]) == (
        "A cup",
        "none",
        "good",
        False,
    )
    for person in people:
        assert asks(person, link).status == 201
    assert people[0].get(cup.path).status == 200 and people[0].get(link).json["standing"] == "in"
    assert [it["status"] for it in cup.read()["standings"]] == ["living"] * 13
    late = guest()
    assert [it["type"] for it in asks(late, link).json["events"]] == ["player_applied"]
    assert (late.get(link).json["standing"], late.get(link).json["ahead"]) == ("waiting", 0)


def test_applicant_sees_their_position_and_an_organiser_answers() -> None:
    cup = Cup(1)
    link = linked(cup, approval=True)
    first, second, third = guest(), guest(), guest()
    for person in (first, second, third):
        assert asks(person, link).status == 201
    assert asks(first, link).refusal == (409, "already_applied")
    assert [it["ahead"] for it in (who.get(link).json for who in (first, second, third))] == [0, 1, 2]
    assert [it["player"]["id"] for it in cup.read("/applications")["results"]] == [first.id, second.id, third.id]
    assert cup.ask(f"/applications/{first.id}/admit", by=first).refusal == (403, "forbidden")
    cup.did(f"/applications/{first.id}/admit")
    cup.did(f"/applications/{second.id}/decline", {"reason": "You asked for another season."})
    assert asks(third, link, "/withdraw").status == 201
    views = [who.get(link).json for who in (first, second, third)]
    assert [it["standing"] for it in views] == ["in", "declined", "none"]
    assert views[1]["reason"] == "You asked for another season."
    assert asks(second, link).refusal == (409, "application_declined")
    assert cup.ask(f"/applications/{third.id}/admit").refusal == (409, "not_applied")


def test_a_link_is_revoked_expires_and_cannot_be_made_up() -> None:
    cup = Cup(1)
    link = linked(cup)
    assert cup.host.get(f"{cup.path}/joining-links").refusal == (403, "forbidden")
    cup.did("/joining-links/1/revoke", {"reason": WHY})
    assert asks(guest(), link).refusal == (409, "link_revoked")
    assert guest().get(link).json["status"] == "revoked"
    past = (store.clock() - timedelta(minutes=1)).isoformat()
    assert cup.ask("/joining-links", {"closes_at": past}).refusal == (422, "bad_closing_time")
    secret = link.rpartition("/")[2]
    for forged in ("none", secret[:-1], secret[:-2] + ("AA" if secret[-2:] != "AA" else "BA"), "A" * 43, "-"):
        assert guest().get(f"/seasons/joining/{forged}").refusal == (404, "no_such_link"), forged
    assert asks(cup.host, link).status == 409


def test_player_is_enrolled_late_and_another_reinstated() -> None:
    cup = Cup(4)
    newcomer = guest()
    body = {"player": newcomer.id, "amount": 2, "reason": WHY}
    assert cup.ask("/players/late", body).refusal == (409, "not_begun")
    leaver = cup.players[3]
    cup.did(f"/players/{leaver.id}/withdraw", {"reason": WHY})
    cup.did("/episodes", {"title": "First"})
    dry = cup.ask("/players/late?dry_run=1", body)
    assert dry.status == 200 and "joined the season late" in dry.json["text"][0]
    assert [it["type"] for it in cup.did("/players/late", body)] == ["player_joined_late", "garnets_moved"]
    assert newcomer.get(cup.path).json["role"] == "player"
    back = cup.did(f"/players/{leaver.id}/reinstate", {"amount": 0, "reason": WHY})
    assert [it["type"] for it in back] == ["player_returned"]
    standing = {it["player"]["id"]: it for it in cup.read("/standings")["results"]}
    assert (standing[leaver.id]["status"], standing[newcomer.id]["garnets"]) == ("living", 2)


def test_withdrawn_player_is_not_taken_back_once_their_account_is_erased() -> None:
    cup = Cup(3)
    leaver = cup.players[0]
    cup.did(f"/players/{leaver.id}/withdraw", {"reason": WHY}, by=leaver)
    erasure.erase(UUID(leaver.id))
    body = {"amount": 1, "reason": WHY}
    assert cup.ask(f"/players/{leaver.id}/reinstate", body).refusal == (422, "no_such_player")


@pytest.mark.parametrize("closes_at", ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"])
@pytest.mark.parametrize(("path", "more"), [("/joining-links", {}), ("/players/list", {"text": "ann@example.org"})])
def test_link_closes_at_no_instant_that_the_calendar_of_utc_lacks(path: str, more: Any, closes_at: str) -> None:
    assert Cup(1).ask(path, {"closes_at": closes_at, **more}).refusal == (422, "bad_closing_time")


def test_options_change_while_nothing_rests_on_them() -> None:
    cup = Cup(0)
    cup.did("/options", {"options": {"public": False, "reward": 7}, "reason": WHY})
    assert not Season.objects.get(id=cup.id).public and guest().get(cup.path).status == 404
    assert cup.read()["options"]["reward"] == 7
    assert cup.ask("/options", {"options": {"reward": "much"}, "reason": WHY}).refusal == (422, "bad_options")
    cup.did("/players", {"player": guest().id})
    refused = cup.ask("/options", {"options": {"starting_garnets": 4}, "reason": WHY})
    assert refused.refusal == (409, "option_stands") and "somebody has enrolled" in refused.json["detail"]


def test_revoked_link_reveals_nothing_of_a_private_season() -> None:
    cup = Cup(4, public=False)
    revoked, valid_link, outsider = linked(cup), linked(cup), guest()
    joining = outsider.get(valid_link).json
    assert (joining["players"], joining["season_status"]) == (4, "enrolling")
    cup.did("/joining-links/1/revoke", {"reason": WHY})
    cup.did("/episodes", {"title": "First"})
    cup.did(f"/players/{cup.players[3].id}/withdraw", {"reason": WHY})
    for link, status in ((revoked, "revoked"), (valid_link, "closed")):
        joining = outsider.get(link).json
        assert (joining["status"], joining["players"], joining["season_status"], joining["season_visible"]) == (
            status, None, None, False,
        )  # fmt: skip
        page = Client(headers={"host": "localhost"}).get(f"/join/{link.rpartition('/')[2]}").content.decode()
        assert "Players: " not in " ".join(page.split())
        assert cup.players[0].get(link).json["players"] == 3
