"""Officials take down uploaded portraits, with a reason and on record."""

import pytest

from matches.accounts import access_log, portraits
from matches.models import AccessEntry, Account
from tests.matches import uploads
from tests.panel.office import Desk
from tests.table_setting import new_account


@pytest.fixture
def pictured_account() -> Account:
    """An account with a picture of its own."""
    account = new_account()
    portraits.upload(account.id, uploads.picture())
    account.refresh_from_db()
    return account


def address(account: Account) -> str:
    return f"/admin/matches/account/{account.id}/portrait/"


@pytest.mark.parametrize("right", ["is_staff", "is_organiser"])
def test_official_takes_down_a_picture_and_its_owner_reads_the_reason(pictured_account: Account, right: str) -> None:
    desk, before = Desk(official := new_account(**{right: True})), pictured_account.portrait
    assert before in desk.read(address(pictured_account))
    assert desk.post(address(pictured_account), reason="It isn't <b>you</b>.").status_code == 302
    pictured_account.refresh_from_db()
    assert pictured_account.portrait.endswith(".svg") and desk.get(before).status_code == 404
    assert "nothing to take down" in desk.read(address(pictured_account))
    entry = access_log.unseen(pictured_account.id)[0]
    assert (entry.kind, entry.by, entry.door) == ("portrait_removed", official.id, "panel")
    page = Desk(pictured_account).get("/account/access-log").content.decode()
    assert "It isn&#x27;t &lt;b&gt;you&lt;/b&gt;." in page


def test_taking_down_a_picture_requires_a_reason(pictured_account: Account) -> None:
    desk = Desk(new_account(is_staff=True))
    for reason in ("", "   ", "x" * 501):
        assert desk.post(address(pictured_account), reason=reason).status_code == 422
    pictured_account.refresh_from_db()
    assert pictured_account.portrait_picture and not AccessEntry.objects.filter(account=pictured_account.id).exists()


def test_others_cannot_take_down_a_picture(pictured_account: Account) -> None:
    for desk in (Desk(), Desk(new_account()), Desk(pictured_account)):
        assert desk.post(address(pictured_account), reason="Why not.").status_code in (302, 403)
    pictured_account.refresh_from_db()
    assert pictured_account.portrait_picture


def test_only_officials_are_led_to_it_from_the_players_page(pictured_account: Account) -> None:
    for reader, led in ((new_account(is_staff=True), True), (new_account(), False), (pictured_account, False)):
        page = Desk(reader).get(f"/players/{pictured_account.username}").content.decode()
        assert (address(pictured_account) in page) is led


def test_account_entry_links_to_its_portrait(pictured_account: Account) -> None:
    page = (
        Desk(new_account(is_organiser=True))
        .get(f"/admin/matches/account/{pictured_account.id}/change/")
        .content.decode()
    )
    assert address(pictured_account) in page
