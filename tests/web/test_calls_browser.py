"""A real service worker shows a call that came through a push service of the test's own, and leads to its page."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import override_settings
from playwright.sync_api import Worker

from matches.models import Account, Call, PushSubscription
from matches.notifications import call_delivery, calls, pushes
from matches.notifications.calls import Cause
from tests.matches.push_service import Browser
from tests.matches.test_notices import receiving
from tests.web.site import Visitors, member

PROMISED = """
Object.defineProperty(PushManager.prototype, "subscribe", { value: async () => ({ toJSON: () => (%s) }) });
Object.defineProperty(Notification, "requestPermission", { value: async () => "granted" });
"""
"""A browser without a network has no push service: the page gets the subscription of the test's own."""

NOTED = """() => {
  self.shown = [];
  self.registration.showNotification = async (title, { body, tag, data }) => {
    self.shown.push({ title, body, page: data.page, tag });
  };
}"""
"""A Chromium without a screen shows nothing and takes nobody's permission, so what is to be shown is noted."""


def send() -> None:
    """Send pending calls as a worker does; Chromium's event loop runs in this thread, so a POST needs another one."""
    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(call_delivery.send_pending).result()
        elsewhere.submit(connections.close_all).result()


@pytest.mark.slow
def test_push_is_shown_by_the_service_worker_without_an_open_page(visitors: Visitors, site: str) -> None:
    Call.objects.all().delete()
    with receiving() as service, override_settings(WEBHOOK_PRIVATE=True):
        reader = Browser("https://1.1.1.1/send/1")
        me = member()
        page = visitors.page(me)
        context = page.context
        context.grant_permissions(["notifications"], origin=site)
        page.add_init_script(PROMISED % json.dumps(reader.subscription))
        page.goto(f"{site}/account/calls")
        with page.expect_navigation():
            page.get_by_role("button", name="Notify me in this browser").click()
        assert page.get_by_role("button", name=re.compile("Remove")).count() == 1
        reader.endpoint = service.url
        _lead_here(me, reader)
        calls.queue([Cause(me.id, "answer", "one")])
        send()
        (request,) = service.got
        push = reader.read(request.body)
        cdp = context.new_cdp_session(page)
        registered = []
        cdp.on("ServiceWorker.workerRegistrationUpdated", lambda event: registered.extend(event["registrations"]))
        cdp.send("ServiceWorker.enable")
        page.wait_for_function("navigator.serviceWorker.ready")
        number = next(it["registrationId"] for it in registered)
        page.goto(f"{site}/games")
        (worker,) = context.service_workers
        worker.evaluate(NOTED)
        cdp.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": site, "registrationId": number, "data": json.dumps(push)},
        )
        assert _shown(worker) == [push]
        assert page.evaluate("caches.keys()") == [], "nothing is kept"


def _shown(worker: Worker) -> list[dict[str, str]]:
    """Return what the worker has shown, waiting until there is something."""
    waited = """async () => {
      for (let turn = 0; turn < 200 && !self.shown.length; turn++) await new Promise((go) => setTimeout(go, 20));
      return self.shown;
    }"""
    return worker.evaluate(waited)


def _lead_here(me: Account, reader: Browser) -> None:
    """Let the browser's address be the test's own service, which isn't open to the world."""
    PushSubscription.objects.filter(account=me).delete()
    keys = reader.subscription["keys"]
    pushes.subscribe(me, pushes.Subscription(reader.endpoint, keys["p256dh"], keys["auth"]), "Chromium")
