"""Portraits over the API, and the pictures at their own addresses."""

from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client, override_settings

from matches.models import Account, UploadedPicture
from tests.matches import uploads
from tests.table_setting import api, new_account, new_token, waiting_match

nobody = Client(headers={"host": "localhost"})


@pytest.fixture
def ada() -> Account:
    return new_account()


def put(account: Account, path: str, body: bytes, kind: str, **more: Any) -> HttpResponse:
    headers = {"authorization": f"Bearer {new_token(account, **more)}"}
    return nobody.put(f"/api/v1/me/portrait{path}", body, content_type=kind, headers=headers)


def choose(account: Account, body: bytes) -> HttpResponse:
    return put(account, "", body, "application/json")


def send(account: Account, body: bytes, kind: str = "image/png", **more: Any) -> HttpResponse:
    return put(account, "/picture", body, kind, **more)


def test_chosen_face_is_shown_at_every_match(ada: Account) -> None:
    portrait = api(ada).get("me/portrait").json()
    assert (portrait["face"], portrait["uploaded"], portrait["next"], len(portrait["faces"])) == (0, False, 12, 12)
    assert portrait["portrait"] == portrait["faces"][0]["portrait"]
    more = api(ada).get("me/portrait?first=996").json()
    assert [face["number"] for face in more["faces"]] == [996, 997, 998, 999] and more["next"] is None
    chosen = choose(ada, b'{"face": 998}').json()
    assert (chosen["portrait"], chosen["face"]) == (more["faces"][2]["portrait"], 998)
    match = waiting_match("pentagram", ada, "bot", opener=ada)
    seat = api(ada).get(f"matches/{match.code}").json()["seats"][0]
    assert seat["player"] == {"id": str(ada.id), "username": ada.username, "portrait": chosen["portrait"]}


@pytest.mark.parametrize(
    ("body", "code"),
    [(b'{"face": 1000}', "no_such_face"), (b'{"face": -1}', "no_such_face"), (b'{"face": 99999999999}', "no_such_face"),
     (b'{"face": "1-person-0000000000000000"}', "malformed"), (b'{"face": 1, "seed": 2}', "malformed")],
)  # fmt: skip
def test_face_of_another_account_is_refused(ada: Account, body: bytes, code: str) -> None:
    before = ada.portrait
    assert choose(ada, body).json()["code"] == code
    ada.refresh_from_db()
    assert ada.portrait == before


def test_uploaded_picture_is_served_as_a_sandboxed_jpeg(ada: Account) -> None:
    portrait = send(ada, uploads.located(), "image/jpeg").json()
    assert portrait["uploaded"] and portrait["portrait"].endswith(".jpg")
    picture = nobody.get(portrait["portrait"])
    assert (picture.status_code, picture.headers["Content-Type"]) == (200, "image/jpeg")
    assert picture.headers["X-Content-Type-Options"] == "nosniff"
    assert picture.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert picture.headers["Cache-Control"] == "public, max-age=3600" and "Vary" not in picture.headers
    assert nobody.get(portrait["portrait"], headers={"if-none-match": picture.headers["ETag"]}).status_code == 304
    assert picture.content.startswith(b"\xff\xd8") and b"Camera" not in picture.content


def test_removed_picture_gets_404_and_the_chosen_face_is_shown(ada: Account) -> None:
    choose(ada, b'{"face": 5}')
    portrait = send(ada, uploads.picture()).json()
    back = api(ada).delete("me/portrait")
    assert (back.json()["face"], back.json()["uploaded"]) == (5, False)
    assert nobody.get(portrait["portrait"]).status_code == 404
    assert api(ada).delete("me/portrait").json()["code"] == "no_picture"


def test_choosing_a_face_removes_the_picture(ada: Account) -> None:
    send(ada, uploads.picture())
    assert not choose(ada, b'{"face": 3}').json()["uploaded"]
    assert not UploadedPicture.objects.filter(account=ada).exists()


@pytest.mark.parametrize(
    ("body", "kind", "status", "code"),
    [
        (uploads.picture(), "image/gif", 415, "unsupported_media_type"),
        (uploads.picture(), "text/html", 415, "unsupported_media_type"),
        (b"", "image/png", 400, "malformed"),
        (b"<svg onload='alert(1)'/>", "image/png", 422, "bad_picture"),
        (uploads.bomb(40_000, 40_000), "image/webp", 422, "bad_picture"),
        (uploads.picture() + bytes(2 * 1024 * 1024), "image/png", 422, "bad_picture"),
    ],
    ids=["type", "html", "empty", "svg", "bomb", "bytes"],
)
def test_a_refused_upload_changes_nothing(ada: Account, body: bytes, kind: str, status: int, code: str) -> None:
    first = send(ada, uploads.picture()).json()
    answer = send(ada, body, kind)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert api(ada).get("me/portrait").json()["portrait"] == first["portrait"]


def test_upload_as_octet_stream_is_accepted(ada: Account) -> None:
    assert send(ada, uploads.picture(), "application/octet-stream").status_code == 200
    assert send(ada, b"no picture", "application/octet-stream").json()["code"] == "bad_picture"


def test_uploads_have_one_limit_for_all_interfaces(ada: Account) -> None:
    with override_settings(LIMITS=True, LIMIT_RATES=settings.LIMIT_RATES | {"pictures": "2/minute"}):
        assert [send(ada, b"no picture").status_code for _ in range(3)] == [422, 422, 429]
        page = Client(headers={"host": "localhost"})
        page.force_login(ada)
        file = SimpleUploadedFile("me.png", uploads.picture(), "image/png")
        assert page.post("/account/portrait/picture", {"picture": file}).status_code == 429
        assert choose(ada, b'{"face": 2}').status_code == 200
    ada.refresh_from_db()
    assert not ada.portrait_picture


def test_read_only_token_cannot_change_the_portrait(ada: Account) -> None:
    assert send(ada, uploads.picture(), scopes=["match:read"]).json()["code"] == "missing_scope"
    assert nobody.put("/api/v1/me/portrait/picture", b"x", content_type="image/png").status_code == 401


def test_a_drawn_face_is_cached_for_ever_and_runs_nothing(ada: Account) -> None:
    picture = nobody.get(ada.portrait)
    assert (picture.status_code, picture.headers["Content-Type"]) == (200, "image/svg+xml")
    assert picture.headers["Cache-Control"] == "public, max-age=31536000, immutable" and "Vary" not in picture.headers
    assert picture.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert picture.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "wrong", ["x.svg", "2-person-0000000000000000.svg", "0.jpg", "%00.jpg", "..%2f.jpg", "%00.svg"]
)
def test_unknown_portrait_address_gets_404(wrong: str) -> None:
    assert nobody.get(f"/portraits/{wrong}").status_code == 404
