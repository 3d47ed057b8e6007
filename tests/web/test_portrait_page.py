"""The page of one's portrait, and the portraits on pages."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from matches.models import Account
from tests.matches import uploads
from tests.table_setting import new_account, running_match
from tests.web.site import Visitors


@pytest.fixture
def account() -> Account:
    return new_account()


@pytest.fixture
def client(account: Account) -> Client:
    client = Client(headers={"host": "localhost"})
    client.force_login(account)
    return client


def upload(client: Client, data: bytes, name: str = "me.png") -> HttpResponse:
    return client.post("/account/portrait/picture", {"picture": SimpleUploadedFile(name, data, "image/png")})


def test_face_is_chosen_among_several(client: Client, account: Account) -> None:
    first, others = (client.get(f"/account/portrait{query}").content.decode() for query in ("", "?first=12"))
    assert re.search(r'value="0"\s+checked', first) and "?first=12#drawn" in first
    assert set(re.findall(r"/portraits/1-person-\w+", first)) & set(re.findall(r"/portraits/1-person-\w+", others)) == {
        account.portrait.removesuffix(".svg")
    }
    assert client.post("/account/portrait/face", {"face": "17"}).headers["Location"] == "/account/portrait"
    account.refresh_from_db()
    assert account.portrait_face == 17
    assert re.search(r'value="17"\s+checked', client.get("/account/portrait").content.decode())
    assert f'src="{account.portrait}"' in client.get("/account").content.decode()


@pytest.mark.parametrize("face", ["", "1000", "-1", "x", "9" * 400])
def test_unknown_face_is_refused(client: Client, account: Account, face: str) -> None:
    assert client.post("/account/portrait/face", {"face": face}).status_code == 422
    account.refresh_from_db()
    assert account.portrait_face == 0


@pytest.mark.parametrize("first", ["1000", "-1", "x", "٣", "9" * 400])
def test_invalid_face_number_shows_the_chosen_one(client: Client, first: str) -> None:
    assert re.search(r'value="0"\s+checked', client.get("/account/portrait", {"first": first}).content.decode())


def test_picture_is_uploaded_shown_and_removed(client: Client, account: Account) -> None:
    assert upload(client, uploads.picture()).status_code == 302
    account.refresh_from_db()
    page = client.get("/account/portrait").content.decode()
    assert f'src="{account.portrait}"' in page and account.portrait.endswith(".jpg") and "Remove my picture" in page
    assert client.post("/account/portrait/remove").status_code == 302
    account.refresh_from_db()
    assert account.portrait.endswith(".svg")


def test_refused_picture_has_its_reason_beside_the_field(client: Client, account: Account) -> None:
    answer = upload(client, b"GIF89a", "<b>me.png")
    page = answer.content.decode()
    assert answer.status_code == 422 and "no PNG, JPEG or WebP picture" in page and "<b>me" not in page
    assert client.post("/account/portrait/picture").status_code == 422
    account.refresh_from_db()
    assert not account.portrait_picture


def test_strangers_sign_in_first() -> None:
    for path in ("", "/face", "/picture", "/remove"):
        answer = Client(headers={"host": "localhost"}).post(f"/account/portrait{path}")
        assert answer.status_code in (302, 405) and not answer.headers.get("Location", "").startswith("/account")


def test_match_shows_portraits_of_players_and_bot(client: Client, account: Account) -> None:
    match = running_match("pentagram", account, "bot")
    page = client.get(f"/m/{match.code}/").content.decode()
    assert f'src="{account.portrait}"' in page and len(re.findall(r'src="/portraits/1-bot-\w{16}.svg"', page)) == 1
    lobby = client.get("/").content.decode()
    assert "/portraits/1-bot-" in lobby, "A tile shows whom one plays against."
    assert f'src="{account.portrait}"' in client.get(f"/players/{account.username}").content.decode()


def test_a_face_is_chosen_by_keys_alone(account: Account, visitors: Visitors) -> None:
    page = visitors.page(account, narrow=True)
    page.goto("/account/portrait")
    assert page.get_by_role("radio", name="Face 1", exact=True).is_checked()
    page.get_by_role("radio", name="Face 1", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.get_by_text("This is your portrait from now on.").wait_for()
    assert page.get_by_role("radio", name="Face 3", exact=True).is_checked()
    account.refresh_from_db()
    assert account.portrait_face == 2
    picture = page.locator(f'img[src="{account.portrait}"]').first
    assert picture.evaluate("(it) => it.complete && it.naturalWidth > 0")


@pytest.mark.slow
def test_oversized_file_is_not_sent_and_a_large_one_is_accepted(account: Account, visitors: Visitors) -> None:
    page = visitors.page(account)
    page.goto("/account/portrait")
    field, button = page.get_by_label("A picture from this device"), page.get_by_role("button", name="Upload")
    field.set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": bytes(2 * 1024 * 1024 + 1)})
    button.click()
    assert "larger than 2 MB" in field.evaluate("(it) => it.validationMessage")
    field.set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": uploads.noisy()})
    button.click()
    page.get_by_text("Your picture is your portrait from now on.").wait_for()
