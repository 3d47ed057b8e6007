"""Accounts in the panel: who may switch whom off, who signs in where, and how a lost password is replaced."""

import re
from datetime import timedelta
from uuid import UUID, uuid4

from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from events import access
from matches.models import Account
from matches.seasons.models import Season
from tests.api.seasons import Cup
from tests.panel.office import Desk, hosted_match, room
from tests.table_setting import new_account, new_token

PASSWORD = "a long walk home"


def change(account: Account) -> str:
    return f"/admin/matches/account/{account.id}/change/"


def test_an_organiser_switches_an_account_off_and_makes_an_organiser() -> None:
    desk, ada, bela = Desk(new_account(is_organiser=True)), new_account(), new_account()
    assert desk.post(change(ada), is_organiser="on").status_code == 302
    assert desk.post(change(bela), is_active="on", is_organiser="on").status_code == 302
    ada.refresh_from_db()
    bela.refresh_from_db()
    assert (ada.is_active, bela.is_active, bela.is_organiser) == (False, True, True)


def test_organiser_cannot_change_own_rights_a_superuser_or_staff_flags() -> None:
    me, root, ada = new_account(is_organiser=True), new_account(is_superuser=True, is_staff=True), new_account()
    desk = Desk(me)
    for account in (me, root):
        assert desk.post(change(account), is_active="").status_code == 403
        assert desk.post(change(account).replace("change", "reset")).status_code == 403
    desk.post(change(ada), is_active="on", is_staff="on", is_superuser="on", username="other")
    ada.refresh_from_db()
    assert not ada.is_staff and not ada.is_superuser and ada.username != "other"
    assert Account.objects.filter(id__in=(me.id, root.id), is_active=True).count() == 2


def test_no_page_of_an_account_shows_a_token_or_a_password() -> None:
    ada = new_account(PASSWORD)
    token = new_token(ada)
    page = Desk(new_account(is_organiser=True)).read(change(ada))
    digest = bytes(ada.tokens.get().digest).hex()
    assert ada.username in page
    assert not any(secret in page for secret in (token, digest, ada.password, ada.tokens.get().prefix))


def test_reset_link_is_made_by_post_and_works_once() -> None:
    ada, desk = new_account(PASSWORD), Desk(new_account(is_organiser=True))
    address = change(ada).replace("change", "reset")
    assert "/admin/password/" not in desk.read(address)
    link = re.search(r"http://localhost(/admin/password/[^<\s]+)", desk.post(address).content.decode())
    assert link

    browser = Desk()
    form = browser.get(link[1])
    assert form.status_code == 302, "The secret leaves the address."
    chosen = "another long walk home"
    answer = browser.post(form.headers["Location"], new_password1=chosen, new_password2=chosen)

    ada.refresh_from_db()
    assert answer.headers["Location"] == "/sign-in"
    assert ada.check_password(chosen)
    assert "used already" in Desk().read(link[1])


def test_host_without_organiser_rights_signs_out_of_the_panel() -> None:
    _, host = hosted_match(moves=0)
    desk = Desk(host)
    assert desk.get("/admin/password_change/").headers["Location"] == "/account"
    assert desk.get("/admin/logout/").status_code == 405
    assert desk.post("/admin/logout/").status_code == 302
    assert desk.get("/admin/hosting/").status_code == 302, "Nobody is signed in any more."


def test_access_log_names_who_looked_and_who_exported() -> None:
    match, host = hosted_match()
    Desk(host).post(room(match, "look/"))
    other = new_account()
    cup = Cup(0)
    Season.objects.filter(id=cup.id).update(title=f"Cup {cup.id[:8]}")
    access.note(match.id, str(other.id), "export")
    access.note(UUID(cup.id), str(other.id), "archived")
    page = Desk(new_account(is_organiser=True)).read("/admin/access-log/")
    taken = [row for row in page.split("<tr>") if f"Cup {cup.id[:8]}" in row]
    assert any(other.username in row and "archived" in row for row in taken)
    rows = [row for row in page.split("<tr>") if match.code in row]
    assert any(host.username in row and "looked at the truth" in row for row in rows)
    assert any(other.username in row and "export" in row for row in rows)


def test_host_sees_only_their_own_matches() -> None:
    match, host = hosted_match()
    other, _ = hosted_match(moves=0)
    page = Desk(host).read("/admin/hosting/")
    assert match.code in page and other.code not in page
    assert "/admin/events/" not in page and "/admin/matches/account/" not in page


def test_unknown_account_has_no_page() -> None:
    desk = Desk(new_account(is_organiser=True))
    assert desk.get(f"/admin/matches/account/{uuid4()}/reset/").status_code == 404


def test_an_official_sees_guests_apart_and_makes_no_link_for_one() -> None:
    official = new_account(is_organiser=True, is_staff=True)
    guest, member = new_account(guest_until=Now() + timedelta(days=9)), new_account()
    client = Client(headers={"host": "localhost"})
    client.force_login(official)
    lists = [
        client.get("/admin/matches/account/", {"guest_until__isempty": only, "q": name}).content.decode()
        for only, name in (("0", guest.username), ("1", guest.username), ("1", member.username))
    ]
    assert [str(it.id) in page for it, page in zip((guest, guest, member), lists, strict=True)] == [True, False, True]
    answer = client.post(reverse("admin:reset_link", args=[guest.id]))
    assert answer.status_code == 403 and "Not for guests" in answer.content.decode()
    assert client.post(change(guest), {"is_active": "on", "is_organiser": "on"}).status_code == 403
    guest.refresh_from_db()
    assert not guest.is_organiser
