"""Web push, through a push service of the test's own: only the browser reads it, and only the house sends it."""

import json
from collections.abc import Iterator
from threading import Barrier
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client, override_settings

from events import store
from matches.accounts import erasure
from matches.models import Account, Call, PushSubscription
from matches.notifications import call_delivery, calls, push_encryption, pushes, webhooks
from matches.notifications.calls import Cause
from tests.api.guests import Guest, guest
from tests.matches.push_service import Browser, claims, read, written
from tests.matches.test_notices import Receiver, receiving
from tests.table_setting import new_account
from tests.waiting import PATIENCE


@pytest.fixture
def service() -> Iterator[Receiver]:
    Call.objects.all().delete()
    with receiving() as it, override_settings(WEBHOOK_PRIVATE=True):
        yield it
    Call.objects.all().delete()


def told_in(service: Receiver, name: str = "one") -> tuple[Guest, Browser]:
    """Somebody who is told in a browser."""
    me, browser = guest(), Browser(f"{service.url}/{name}")
    assert me.post("/me/pushes", {**browser.subscription, "label": "At home"}).status == 201
    return me, browser


def tell(me: Guest, kind: str = "result", **about: Any) -> None:
    calls.queue([Cause(Account.objects.get(id=me.id).id, kind, f"{kind} {store.clock()}", **about)])


def test_push_is_encrypted_as_in_the_example_of_rfc_8291() -> None:
    key = ec.derive_private_key(int.from_bytes(read("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")), ec.SECP256R1())
    message = push_encryption.encrypted(
        b"When I grow up, I want to be a watermelon",
        read("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
        read("BTBZMqHH6r4Tts7J_aSIgg"),
        key=key,
        salt=read("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert written(message) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7"
        "A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_slow_push_service_delays_no_other_account(service: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "TIMEOUT_SECONDS", PATIENCE)
    together = Barrier(3)
    service.before = lambda: together.wait(PATIENCE)
    for name in ("one", "two", "three"):
        tell(told_in(service, name)[0])
    assert call_delivery.send_pending() == 3, "each is answered once all three are there"


def test_browser_decrypts_a_push_that_its_service_cannot_read(service: Receiver) -> None:
    me, browser = told_in(service)
    tell(me)
    assert call_delivery.send_pending() == 1
    (request,) = service.got
    assert browser.read(request.body) == {
        "title": "Results", "body": "A match of yours is over.", "page": "/account/calls", "tag": "result",
    }  # fmt: skip
    key = me.get("/me/pushes").json["key"]
    vapid_claims = claims(request.headers["Authorization"], key)
    assert vapid_claims["aud"] == service.url.removesuffix("/hook") and vapid_claims["sub"].startswith("mailto:")
    assert 0 < vapid_claims["exp"] - store.clock().timestamp() <= 24 * 3600
    assert (request.headers["Content-Encoding"], request.headers["TTL"], request.headers["Urgency"]) == (
        "aes128gcm", "86400", "normal",
    )  # fmt: skip
    assert b"match" not in request.body and len(request.headers["Topic"]) == 32
    with override_settings(PUSH_KEY="another house's key, which nobody knows"), pytest.raises(InvalidSignature):
        claims(request.headers["Authorization"].replace(key, pushes.application_key()), pushes.application_key())


def test_all_pushes_have_the_same_length(service: Receiver) -> None:
    me, _ = told_in(service)
    for kind in ("result", "reminder", "check_in", "correction"):
        tell(me, kind)
    call_delivery.send_pending()
    assert len({len(request.body) for request in service.got}) == 1


@pytest.mark.parametrize("status", [404, 410])
def test_expired_subscription_is_deleted_and_others_are_sent_to(service: Receiver, status: int) -> None:
    me, _ = told_in(service)
    second = Browser(f"{service.url}/two")
    me.post("/me/pushes", second.subscription)
    tell(me)
    service.statuses = [status]
    call_delivery.send_pending()
    assert len(service.got) == 2 and len(me.get("/me/pushes").json["results"]) == 1
    assert not Call.objects.filter(way="push", state="waiting").exists()


def test_push_is_retried_after_a_temporary_refusal(service: Receiver) -> None:
    me, browser = told_in(service)
    tell(me)
    service.statuses = [503, 302]
    for _ in range(3):
        call_delivery.send_pending()
        Call.objects.filter(state="waiting").update(next_try_at=store.clock())
    assert [browser.read(request.body)["title"] for request in service.got] == ["Results"] * 3
    assert Call.objects.get(way="push").state == "sent"


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "http://push.example/x"}, {"endpoint": "https://127.0.0.1/x"}, {"endpoint": "https://[::1]/x"},
        {"endpoint": "https://169.254.169.254/latest"}, {"endpoint": "file:///etc/passwd"},
        {"endpoint": "https://a:b@push.example/x"}, {"keys": {"p256dh": "AAAA", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}},
        {"keys": {"p256dh": written(b"\x04" + bytes(64)), "auth": "BTBZMqHH6r4Tts7J_aSIgg"}},
    ],
)  # fmt: skip
def test_subscription_with_a_private_address_or_bad_keys_is_refused(wrong: dict[str, Any]) -> None:
    me = guest()
    subscription = {**Browser("https://push.example/x").subscription, **wrong}
    assert me.post("/me/pushes", subscription).refusal == (422, "bad_push")
    short = {"endpoint": "https://push.example/x", "keys": {**Browser("").subscription["keys"], "auth": "AAAA"}}
    assert me.post("/me/pushes", short).refusal == (422, "bad_push")


def test_push_host_that_resolves_to_a_private_address_is_not_called(service: Receiver) -> None:
    me, _ = told_in(service)
    tell(me)
    with override_settings(WEBHOOK_PRIVATE=False):
        assert call_delivery.send_pending() == 0
    assert not service.got and "public" in Call.objects.get(way="push").last_failure


def test_browser_subscribed_by_another_account_gets_nothing_for_the_former(service: Receiver) -> None:
    former, browser = told_in(service)
    tell(former)
    heir = guest()
    assert heir.post("/me/pushes", browser.subscription).status == 201
    assert call_delivery.send_pending() == 0
    assert former.get("/me/pushes").json["results"] == []
    (mine,) = heir.get("/me/pushes").json["results"]
    assert former.ask("DELETE", f"/me/pushes/{mine['id']}").status == 404
    assert heir.ask("DELETE", f"/me/pushes/{mine['id']}").status == 204


def test_page_subscribes_only_with_its_session_and_csrf_token(service: Receiver) -> None:
    """The check used to read the body, so that nobody could read it afterwards."""
    page = Client(SERVER_NAME="localhost", enforce_csrf_checks=True)
    page.force_login(new_account())
    page.get("/account/calls")
    body = json.dumps(Browser(f"{service.url}/page").subscription)
    proof = {"X-CSRFToken": page.cookies["csrftoken"].value}
    how = {"data": body, "content_type": "application/json"}
    assert page.post("/api/v1/me/pushes", **how).status_code == 403
    assert page.post("/api/v1/me/pushes", **how, headers=proof).status_code == 201
    form = page.post("/api/v1/me/pushes", {"endpoint": "x"}, headers=proof)
    assert form.status_code == 415


def test_eleventh_browser_replaces_the_oldest(service: Receiver) -> None:
    me, _ = told_in(service)
    for number in range(10):
        me.post("/me/pushes", {**Browser(f"{service.url}/{number}").subscription, "label": str(number)})
    assert [it["label"] for it in me.get("/me/pushes").json["results"]] == [str(number) for number in range(10)]


def test_stored_subscription_is_encrypted_and_deleted_by_erasure(service: Receiver) -> None:
    me, browser = told_in(service)
    row = PushSubscription.objects.get(account=me.id)
    assert browser.endpoint.encode() not in bytes(row.sealed)
    assert json.loads(webhooks.unsealed(row.sealed))[0] == browser.endpoint
    erasure.erase(Account.objects.get(id=me.id).id)
    assert not PushSubscription.objects.filter(account=me.id).exists()


def test_page_is_installable_and_its_service_worker_caches_nothing() -> None:
    client = Client(SERVER_NAME="localhost")
    client.force_login(new_account())
    response = client.get("/manifest.webmanifest")
    assert response.headers["Content-Type"] == "application/manifest+json"
    assert {"name", "start_url", "icons", "display"} <= response.json().keys()
    assert 'rel="manifest"' in client.get("/account/calls").content.decode()
    worker = client.get("/service-worker.js")
    assert worker.headers["Content-Type"].startswith("text/javascript")
    text = worker.content.decode()
    assert "caches" not in text and '"fetch"' not in text and "indexedDB" not in text
