"""A season's board as a page: for its people, live, and closed to what is said while one sits at its match."""

from playwright.sync_api import expect

from matches.models import Account
from tests.api.guests import guest
from tests.api.seasons import Cup
from tests.table_setting import new_account
from tests.web.match_setting import client_of
from tests.web.site import Visitors


def test_board_is_for_members_of_the_season_and_marks_hidden_remarks() -> None:
    cup = Cup(2)
    player, organiser = (client_of(Account.objects.get(id=it.id)) for it in (cup.players[0], cup.organiser))
    stranger = client_of(new_account())
    path = f"/seasons/{cup.id}/board/0"
    assert player.post(path, {"text": "Who plays at eight? <b>", "key": "k"}).status_code == 302
    assert player.post(path, {"text": "Who plays at eight? <b>", "key": "k"}).status_code == 302
    text = organiser.get(path).content.decode()
    assert text.count("Who plays at eight? &lt;b&gt;") == 1
    assert stranger.get(path).status_code == stranger.post(path, {"text": "x"}).status_code == 403
    assert "board" not in stranger.get(f"/seasons/{cup.id}").content.decode().lower()
    assert f"/seasons/{cup.id}/board" in player.get(f"/seasons/{cup.id}").content.decode()
    hide = {"act": "hide", "number": "1", "account": cup.players[0].id, "reason": "It belongs elsewhere."}
    player.post(f"{path}/moderate", hide)
    assert "plays at eight" in organiser.get(path).content.decode()
    organiser.post(f"{path}/moderate", hide)
    text = player.get(path).content.decode()
    assert "It belongs elsewhere." in text and "plays at eight" not in text
    assert player.get(f"/seasons/{cup.id}/board/1").status_code == 404


def test_new_remark_is_shown_on_an_open_board(visitors: Visitors) -> None:
    cup = Cup(2)
    page = visitors.page(Account.objects.get(id=cup.players[0].id))
    page.goto(f"/seasons/{cup.id}/board")
    expect(page.locator(".nothing")).to_be_visible()
    response = cup.players[1].post(f"/seasons/{cup.id}/board/0", {"text": "Is anybody there?"})
    assert response.status == 201
    expect(page.locator("#board-remarks")).to_contain_text("Is anybody there?")
    page.locator("#remark").fill("I am.")
    page.keyboard.press("Enter")
    expect(page.locator("#board-remarks")).to_contain_text("I am.")


def test_a_mute_for_the_season_reaches_the_board_and_every_match() -> None:
    cup = Cup(2)
    loud = cup.players[0]
    body = {"account": loud.id, "span": "season", "reason": "Again, after a warning."}
    assert loud.post(f"/seasons/{cup.id}/mutes", body).status == 403
    assert cup.organiser.post(f"/seasons/{cup.id}/mutes", {**body, "account": cup.organiser.id}).status == 403
    assert cup.organiser.post(f"/seasons/{cup.id}/mutes", body).status == 201
    refused = loud.post(f"/seasons/{cup.id}/board/0", {"text": "But."})
    assert refused.refusal == (403, "muted") and "whole season" in refused.json["detail"]
    assert guest().post(f"/seasons/{cup.id}/board/0", {"text": "Hm."}).refusal == (403, "forbidden")
