"""The page of an account's notices: where they go, a test, what was told."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client, override_settings

from matches.models import Account, Notice, Webhook
from matches.notifications import notices, receivers
from matches.notifications.webhooks import Sent
from tests.matches.test_notices import receiving
from tests.pages import as_read
from tests.table_setting import new_account

PAGE = "/account/notices"
URL = "https://receiver.example.org/hooks/1"


@pytest.fixture
def me() -> Iterator[Account]:
    me = new_account()
    yield me
    Webhook.objects.filter(account=me).delete()


@pytest.fixture
def client(me: Account) -> Client:
    client = Client(SERVER_NAME="localhost", raise_request_exception=False)
    client.force_login(me)
    return client


def test_page_explains_notices_and_that_there_are_none(client: Client) -> None:
    page = client.get(PAGE).content.decode()
    assert "Nothing yet." in page and "Send a test" not in page
    assert f'href="{PAGE}"' in client.get("/account").content.decode()


def test_webhook_is_set_and_its_secret_shown_once(client: Client, me: Account) -> None:
    page = client.post(f"{PAGE}/webhook", {"url": URL}).content.decode()
    (secret,) = re.findall(r'id="new-secret"[^>]*value="([^"]+)"', page)
    later = client.get(PAGE).content.decode()
    assert URL in later and secret not in later
    assert Webhook.objects.get(account=me)


@pytest.mark.parametrize(
    "url", ["", "ftp://receiver.example", "http://127.0.0.1/x", "https://a:b@receiver.example", "x" * 501]
)
def test_forbidden_address_is_refused_in_words(client: Client, me: Account, url: str) -> None:
    answer = client.post(f"{PAGE}/webhook", {"url": url})
    assert answer.status_code == 422 and 'class="fault"' in answer.content.decode()
    assert not Webhook.objects.filter(account=me).exists()


def test_test_notice_is_sent_and_its_result_shown(client: Client, me: Account) -> None:
    with receiving() as it, override_settings(WEBHOOK_PRIVATE=True):
        client.post(f"{PAGE}/webhook", {"url": it.url})
        assert "A test is on its way" in client.post(f"{PAGE}/webhook/test", follow=True).content.decode()
        assert "On its way" in client.get(PAGE).content.decode()
        # The event loop of a browser may be running in this thread; to send a notice takes one of its own.
        with ThreadPoolExecutor(1) as elsewhere:
            elsewhere.submit(notices.send_pending).result()
            elsewhere.submit(connections.close_all)
        page = client.get(PAGE).content.decode()
    assert "Croupier can reach you here." in page and "Sent" in page


def test_failure_of_a_notice_is_shown(client: Client, me: Account) -> None:
    client.post(f"{PAGE}/webhook", {"url": URL})
    client.post(f"{PAGE}/webhook/test")
    Notice.objects.filter(webhook__account=me).update(attempts=1, last_failure="The receiver answered 500.")
    page = as_read(client.get(PAGE))
    assert "To be tried again" in page and "The receiver answered 500." in page


def test_removed_webhook_gets_no_notices(client: Client, me: Account) -> None:
    client.post(f"{PAGE}/webhook", {"url": URL})
    assert "told nothing any more" in client.post(f"{PAGE}/webhook/remove", follow=True).content.decode()
    assert not Webhook.objects.filter(account=me).exists()
    assert "Say first where" in client.post(f"{PAGE}/webhook/test", follow=True).content.decode()


def test_switched_off_webhook_is_shown_with_its_reason(client: Client, me: Account) -> None:
    client.post(f"{PAGE}/webhook", {"url": URL})
    receivers.switch_off(Webhook.objects.get(account=me), "The receiver answered 410.", notices.now())
    page = as_read(client.get(PAGE))
    assert "Your webhook was switched off." in page and "The receiver answered 410. Nothing is sent until" in page


def test_failures_in_a_row_are_shown_with_the_next_call(client: Client, me: Account) -> None:
    client.post(f"{PAGE}/webhook", {"url": URL})
    receivers.note_failure(Webhook.objects.get(account=me), Sent("No.", 500), notices.now())
    assert "The last call failed." in as_read(client.get(PAGE))


def test_webhook_sealed_with_another_key_is_to_be_set_again(client: Client, me: Account) -> None:
    client.post(f"{PAGE}/webhook", {"url": URL})
    Webhook.objects.filter(account=me).update(sealed_url=b"sealed with another key")
    assert "Set it anew." in client.get(PAGE).content.decode()


def test_refused_url_is_reloaded_as_the_page(client: Client) -> None:
    assert client.post(f"{PAGE}/webhook", {"url": "nonsense"}).status_code == 422
    assert client.get(f"{PAGE}/webhook").headers["Location"] == PAGE


def test_page_is_not_shown_to_others(client: Client, me: Account) -> None:
    client.post(f"{PAGE}/webhook", {"url": URL})
    stranger = Client(SERVER_NAME="localhost")
    assert stranger.get(PAGE).status_code == 302
    stranger.force_login(new_account())
    assert URL not in stranger.get(PAGE).content.decode()
