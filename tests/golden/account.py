"""An account from its sign-up to its erasure: tokens, settings, ways to be reached, portraits, calls; and the games."""

import json
import re
from typing import Any

from django.core import mail
from django.test import override_settings

from matches.models import Account, Call
from matches.notifications import call_delivery
from tests.api.guests import PASSWORD, Guest, opened
from tests.api.ordinary import ordinary
from tests.golden.steady import steady_seeds
from tests.golden.transcript import Transcript
from tests.matches import uploads

SCOPES = ["match:read", "match:play", "chat:read", "chat:write"]
HOOK = "https://hooks.example.org/croupier"


def play() -> Transcript:
    """The transcript of what an account does."""
    transcript = Transcript("account")
    with steady_seeds("account"), transcript.recording():
        me = _entered(transcript)
        _settings(me)
        _reached(me)
        me = _mail(transcript, me)
        _portrait(me)
        _called(transcript, me)
        _games(transcript)
        _gone(me)
    return transcript


def _asked(operation: str, by: Guest, body: dict[str, Any] | None = None, **names: str) -> Any:
    answer = ordinary(operation, body=body, **names).sent_by(by)
    return json.loads(answer.body) if answer.body else None


def _entered(transcript: Transcript) -> Guest:
    """Signed up, with a token that was asked for over REST."""
    nobody, name = Guest(), "somebody account"
    for password in ("short", PASSWORD, PASSWORD):
        answer = _asked("signUp", nobody, {"username": name, "password": password})
        if answer.get("id"):
            transcript.masks.name(answer["id"], "me")
    _asked("createToken", nobody, {"username": name, "password": "another one"})
    token = _asked("createToken", nobody, {"username": name, "scopes": SCOPES})
    me = transcript.call(Guest(token["token"]), "me")
    spare = _asked("createToken", nobody, {"username": name})
    reader = transcript.call(Guest(spare["token"]), "reader")
    reader.ask("PATCH", "/me", b'{"theme": "dark"}')
    me.get("/tokens")
    me.ask("DELETE", f"/tokens/{spare['id']}")
    reader.get("/me")
    nobody.get("/me")
    me.id, me.name = str(Account.objects.get(username=name).id), name
    return me


def _settings(me: Guest) -> None:
    _asked("changeMe", me)
    me.ask("PATCH", "/me", b'{"time_zone": "Middle/Earth"}')
    _asked("whoAmI", me)
    entries = _asked("readAccessLog", me)
    numbers = [it["id"] for it in entries["results"][:1] if "id" in it]
    _asked("markAccessSeen", me, {"entries": numbers})


def _reached(me: Guest) -> None:
    """Webhook, browser, calendar, choices."""
    me.ask("PUT", "/me/webhook", b'{"url": "http://127.0.0.1/x"}')
    me.ask("PUT", "/me/webhook", json.dumps({"url": HOOK, "form": "standard"}).encode())
    for operation in ("readWebhook", "testWebhook", "listNotices", "removeWebhook", "readWebhook"):
        _asked(operation, me)
    push = _asked("addPush", me, {"endpoint": "https://hooks.example.org/push/1"})
    _asked("listPushes", me)
    _asked("testCalls", me)
    _asked("listCalls", me)
    _asked("removePush", me, push_id=push["id"])
    for operation in ("readReach", "changeReach", "makeCalendar", "readCalendar", "revokeCalendar", "readCalendar"):
        _asked(operation, me)


def _mail(transcript: Transcript, me: Guest) -> Guest:
    """An address, and a password that is set anew by it. Calls of other tests would be sent along."""
    Call.objects.all().delete()
    _asked("setEmail", me)
    nobody, name = Guest(), me.name
    backend = "django.core.mail.backends.locmem.EmailBackend"
    with override_settings(EMAIL_HOST="127.0.0.1", EMAIL_BACKEND=backend, PUBLIC_URL="https://croupier.example"):
        for operation in ("setEmail", "readEmail", "changeEmail", "verifyEmail"):
            _asked(operation, me)
        _asked("verifyEmail", me, {"token": _letter()})
        _asked("askForPassword", nobody, {"name": name})
        _asked("resetPassword", nobody)
        _asked("resetPassword", nobody, {"token": _letter(), "password": PASSWORD})
        _asked("whoAmI", me)
        again = Guest(_asked("createToken", nobody, {"username": name, "scopes": SCOPES})["token"])
        again.id, again.name = me.id, name
        transcript.call(again, "me again")
        _asked("removeEmail", again)
    return again


def _letter() -> str:
    """The secret at the end of the link in the letter that was sent last."""
    call_delivery.send_pending()
    return re.findall(r"https://croupier.example/\S+", mail.outbox[-1].body)[0].rpartition("/")[2]


def _portrait(me: Guest) -> None:
    _asked("choosePortrait", me)
    me.ask("PUT", "/me/portrait/picture", uploads.picture(), "image/png")
    me.ask("PUT", "/me/portrait/picture", b"<svg/>", "image/png")
    _asked("readPortrait", me)
    _asked("removePortrait", me)
    _asked("removePortrait", me)


def _called(transcript: Transcript, me: Guest) -> None:
    """The beginning of the account's stream of calls."""
    other = transcript.person("other")
    match = opened(other, "pyramid_poker", me, other)
    me.post(f"/matches/{match}/accept")
    other.post(f"/matches/{match}/start")
    for accept in ("application/x-ndjson", "text/event-stream"):
        me.get("/me/stream", Accept=accept)
    me.get("/me/matches", {"needs_me": 1})
    me.send(match, {"type": "resign"})


def _games(transcript: Transcript) -> None:
    nobody = Guest()
    nobody.get("/games")
    nobody.get("/games/pyramid_poker")
    nobody.get("/games/no_such_game")
    nobody.get("/games/contest/presets")
    for path in ("salt_road", "salt_road?format=toml", "no_such_preset"):
        nobody.get(f"/games/contest/presets/{path}")
    nobody.get("/nowhere")
    nobody.ask("OPTIONS", "/games")


def _gone(me: Guest) -> None:
    _asked("eraseMe", me, {"password": "another one"})
    _asked("eraseMe", me)
    me.get("/me")
    me.get(f"/players/{me.id}")
