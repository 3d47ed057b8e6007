"""A joining link's page: who follows it asks to play, before or after signing up, and sees where that stands."""

from html import unescape
from typing import Any
from urllib.parse import quote, urlsplit
from uuid import UUID, uuid4

from django.http import HttpResponse
from django.test import Client

from matches.models import Account, Call, Notice, Webhook
from matches.notifications import call_delivery, notices
from matches.seasons import repository
from tests.api.guests import PASSWORD
from tests.api.seasons import Cup
from tests.pages import as_read
from tests.table_setting import new_account


def page_of(cup: Cup, **link: Any) -> str:
    cup.did("/joining-links", link)
    return urlsplit(cup.read("/joining-links")["results"][-1]["url"]).path


def at_home(account: Account | None = None) -> Client:
    client = Client(headers={"host": "localhost"})
    if account is not None:
        client.force_login(account)
    return client


def text_of(answer: HttpResponse) -> str:
    return " ".join(unescape(as_read(answer)).split())


def test_visitor_signs_up_and_returns_to_the_link() -> None:
    cup = Cup(1, public=False)
    way, stranger = page_of(cup, approval=False), at_home()
    page = text_of(stranger.get(way))
    assert "A cup" in page and f"/sign-up?next={quote(way, safe='')}" in page and "Apply to play" not in page
    assert "The season's page" not in page, "it is private"
    name = f"j{new_account().username[1:12]}"
    signed = stranger.post(f"/sign-up?next={way}", {"username": name, "password": PASSWORD, "next": way})
    assert signed.headers["Location"] == way
    assert "You are enrolled at once." in text_of(stranger.get(way))
    assert stranger.post(way, {"key": "one"}).headers["Location"] == way
    assert "You are enrolled" in text_of(stranger.get(way)) and "Your desk" in text_of(stranger.get(way))
    assert str(Account.objects.get(username=name).id) in repository.load(UUID(cup.id)).players


def test_form_sent_signed_out_returns_to_the_link_without_a_referrer() -> None:
    way, stranger = page_of(Cup(1)), at_home()
    headers = {"referer": "http://localhost/"}
    for posted in (way, f"{way}/withdraw"):
        answer = stranger.post(posted, {"key": "one"}, headers=headers)
        assert answer.headers["Location"] == f"/sign-in?next={posted}"


def test_applicant_waits_withdraws_applies_again_and_reads_the_reason() -> None:
    cup = Cup(1)
    way, me = page_of(cup), new_account()
    client = at_home(me)
    assert "Apply to play" in text_of(client.get(way))
    client.post(way, {"key": "one"})
    assert "No earlier application is waiting." in text_of(client.get(way))
    assert client.post(way, {"key": "two"}).status_code == 409
    assert client.get(f"{way}/withdraw").headers["Location"] == way
    client.post(f"{way}/withdraw", {"key": "three"})
    assert "Apply to play" in text_of(client.get(way))
    client.post(way, {"key": "four"})
    cup.did(f"/applications/{me.id}/decline", {"reason": "You <b>asked</b> twice."})
    page = text_of(client.get(way))
    assert "Your application was declined" in page and "You <b>asked</b> twice." in page
    assert "<b>asked" not in as_read(client.get(way))
    again = client.post(way, {"key": "five"})
    assert again.status_code == 409 and "only an organiser can enrol you" in text_of(again)


def test_notice_of_an_answer_links_to_it_after_admission_and_decline() -> None:
    cup = Cup(1, public=False)
    way = page_of(cup)
    for act, body, words in (
        ("admit", {}, "You play in this season."),
        ("decline", {"reason": "No room."}, "No room."),
    ):
        me = new_account()
        client = at_home(me)
        client.post(way, {"key": "one"})
        cup.did(f"/applications/{me.id}/{act}", body)
        call = Call(account=me, kind="answer", season_id=UUID(cup.id))
        notice = Notice(webhook=Webhook(account=me), kind="application", season_id=UUID(cup.id))
        page = call_delivery.message(call, details=False).page
        assert notices.page_of(notice) == page
        assert words in text_of(client.get(page, follow=True))
    for season in (uuid4(), Cup(1, public=False).id):
        path = f"/seasons/{season}/answer"
        assert client.get(path).headers["Location"] == f"/seasons/{season}"
        assert client.get(path, follow=True).status_code == 404
    assert at_home().get(page).headers["Location"].startswith("/sign-in?next=")


def test_revoked_link_says_so_and_an_unknown_one_gets_404() -> None:
    cup = Cup(1)
    way = page_of(cup)
    cup.did("/joining-links/1/revoke", {"reason": "Posted in public."})
    client = at_home(new_account())
    assert "This link has been revoked" in text_of(client.get(way))
    assert client.post(way, {"key": "one"}).status_code == 409
    assert client.post(way).status_code == 428
    for wrong in ("/join/none", f"{way}AA", f"/join/{'A' * 43}", "/join/%F0%9F%8E%B2"):
        assert at_home().get(wrong).status_code == 404, wrong
    assert "You run this season" in text_of(at_home(Account.objects.get(id=cup.organiser.id)).get(way))


def test_guest_is_asked_to_sign_up() -> None:
    cup = Cup(1)
    way, visitor = page_of(cup, approval=False), new_account()
    Account.objects.filter(id=visitor.id).update(guest_until="2999-01-01T00:00:00Z")
    client = at_home(Account.objects.get(id=visitor.id))
    assert "Sign up" in text_of(client.get(way))
    assert client.post(way, {"key": "one"}).status_code == 403
