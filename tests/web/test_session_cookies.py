"""The cookie of a session is deleted by signing out, and by no answer to a request that came with an older one."""

from django.contrib.sessions.backends.db import SessionStore
from django.test import Client

from tests.web.site import member


def signed_in() -> Client:
    client = Client(headers={"host": "localhost"})
    client.force_login(member())
    return client


def test_session_cookie_stays_if_its_session_ended_elsewhere() -> None:
    client = signed_in()
    SessionStore().delete(client.cookies["sessionid"].value)
    answer = client.get("/")
    assert answer.status_code == 200
    assert "sessionid" not in answer.cookies


def test_session_cookie_is_deleted_by_signing_out() -> None:
    answer = signed_in().post("/sign-out")
    assert answer.cookies["sessionid"]["max-age"] == 0
