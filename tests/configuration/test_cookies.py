"""Cookies are bound to their host wherever browsers reach the service over HTTPS."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
COOKIES = {"sessionid", "csrftoken", "messages", "croupier_device"}
VISIT = """
import json, uuid
import django
django.setup()
from django.conf import settings
from django.test import Client
secure = settings.HTTPS
client = Client(headers={"host": "localhost"}, enforce_csrf_checks=True)
seen = {}
def note(answer):
    assert answer.status_code < 400, answer.content
    for name, it in answer.cookies.items():
        if it.value:
            seen[name] = {key: it[key] for key in ("secure", "path", "domain", "httponly", "samesite")}
def post(path, **form):
    token = client.cookies[settings.CSRF_COOKIE_NAME].value
    note(client.post(path, {**form, "csrfmiddlewaretoken": token}, secure=secure, headers={"origin": origin}))
origin = "https://localhost" if secure else "http://localhost"
page = client.get("/sign-up", secure=secure)
note(page)
named = f'name="csrf-cookie" content="{settings.CSRF_COOKIE_NAME}"' in page.content.decode()
docs = client.get("/api/docs", secure=secure).content.decode()
named = named and f'data-csrf-cookie="{settings.CSRF_COOKIE_NAME}"' in docs
post("/sign-up", username=f"n{uuid.uuid4().hex[:16]}", password="a long walk home")
note(client.get("/account", secure=secure))
post("/sign-out")
print(json.dumps([seen, named]))
"""


def cookies(https: str) -> dict[str, dict[str, Any]]:
    """Return the cookies that a visit with sign-up and sign-out sets, each with its attributes."""
    env = os.environ | {"CROUPIER_HTTPS": https}
    done = subprocess.run([sys.executable, "-c", VISIT], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    attributes, named = json.loads(done.stdout.splitlines()[-1])
    assert named, "Scripts find the token by the name that pages tell."
    return dict(attributes)


def test_every_cookie_has_the_host_prefix_and_what_it_requires_over_https() -> None:
    cookies_set = cookies("1")
    assert set(cookies_set) == {f"__Host-{name}" for name in COOKIES}
    for attributes in cookies_set.values():
        assert attributes["secure"] and attributes["path"] == "/" and not attributes["domain"]
        assert attributes["samesite"] == "Lax"


@pytest.mark.slow
def test_cookies_have_no_prefix_over_http_where_browsers_would_take_none() -> None:
    cookies_set = cookies("0")
    assert set(cookies_set) == COOKIES
    assert not any(it["secure"] for it in cookies_set.values())
