"""The library of contests over REST: a whole life of a contest, its refusals, and everybody's rights."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from matches.contests.domain.drafts import MOST_BYTES
from matches.contests.models import ContestTrial
from matches.contests.services import presets, trials
from matches.models import Account
from tests.api.document import OF_CONTESTS, OPERATIONS
from tests.api.guests import Answer, Guest, guest
from tests.contests.contents import content
from tests.table_setting import new_token

TOML = {"Content_Type": "application/toml"}


def key() -> dict[str, str]:
    return {"Idempotency_Key": str(uuid4())}


def send(who: Guest, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    return who.ask(method, path, data, **headers)


def new(who: Guest, **parts: Any) -> str:
    made = send(who, "POST", "/contests", {"content": content(**parts)}, **key())
    assert made.status == 201
    return f"/contests/{made.json['id']}"


def published(who: Guest, **parts: Any) -> str:
    address = new(who, **parts)
    assert send(who, "POST", f"{address}/publish").status == 200
    return address


@pytest.fixture(scope="module")
def ada() -> Guest:
    return guest()


def test_contest_is_made_saved_published_retired(ada: Guest) -> None:
    made = send(ada, "POST", "/contests", {"content": content(title="")}, **key())
    assert (made.json["version"], [it["place"] for it in made.json["faults"]]) == (1, ["title"])
    address = made.headers["Location"].removeprefix("/api/v1")
    refused = send(ada, "POST", f"{address}/publish")
    assert (refused.status, refused.json["code"]) == (422, "content_faulty")
    assert refused.json["faults"] == made.json["faults"]
    saved = send(ada, "PUT", address, {"content": content()}, If_Match='"v1"')
    assert (saved.status, saved.json["number"], saved.json["faults"], saved.headers["ETag"]) == (200, 2, [], '"v2"')
    card = send(ada, "POST", f"{address}/publish", If_Match=saved.headers["ETag"]).json
    assert (card["status"], card["published"], card["is_mine"]) == ("published", 2, True)
    versions = send(ada, "GET", f"{address}/versions").json["results"]
    assert [(it["number"], it["faults"], it["published_at"] is None) for it in versions] == [
        (2, 0, False), (1, 1, True),
    ]  # fmt: skip
    assert send(ada, "GET", f"{address}/versions/1").json["content"] == content(title="")
    assert send(ada, "DELETE", address).json["code"] == "is_published"
    assert send(ada, "POST", f"{address}/retire").json["status"] == "retired"


def test_request_sent_again_makes_no_second_contest_and_gets_the_same_bytes(ada: Guest) -> None:
    once = key()
    first, again = (send(ada, "POST", "/contests", {"content": content(title="")}, **once) for _ in range(2))
    assert first.body == again.body
    assert (first.headers.get("Idempotent-Replayed"), again.headers["Idempotent-Replayed"]) == (None, "true")
    other = send(ada, "POST", "/contests", {"content": content()}, **once)
    assert (other.status, other.json["code"]) == (422, "idempotency_key_reused")
    assert send(ada, "POST", "/contests", {"content": content()}).status == 428


def test_save_needs_the_version_that_was_changed(ada: Guest) -> None:
    address = new(ada)
    missing = send(ada, "PUT", address, {"content": content(title="Second")})
    assert (missing.status, missing.json["code"]) == (428, "version_missing")
    tag = send(ada, "GET", address).headers["ETag"]
    saves = [send(ada, "PUT", address, {"content": content(title="Second")}, If_Match=tag) for _ in range(2)]
    assert [it.json["number"] for it in saves] == [2, 2]
    late = send(ada, "PUT", address, {"content": content(title="Third")}, If_Match=tag)
    assert (late.status, late.json["code"], late.json["version"]) == (412, "version_behind", 2)
    assert late.json["detail"] == "Version 2 was saved meanwhile. Load it, and make your changes again."


def test_unchanged_contest_is_304_until_it_is_published(ada: Guest) -> None:
    address = new(ada)
    tag = send(ada, "GET", address).headers["ETag"]
    assert send(ada, "GET", address, If_None_Match=tag).status == 304
    send(ada, "POST", f"{address}/publish")
    assert send(ada, "GET", address, If_None_Match=tag).status == 200


def test_check_lists_all_faults_or_sums_up(ada: Guest) -> None:
    faulty = content(title="", least_seats=40, end={"points": None, "survivors": 0}, colour="red")
    checked = send(ada, "POST", "/contests/check", {"content": faulty}).json
    assert {it["place"] for it in checked["faults"]} == {"title", "least_seats", "end.survivors", "colour"}
    assert checked["summary"] is None
    summary = send(ada, "POST", "/contests/check", {"content": content(most_seats=9)}).json["summary"]
    assert summary == {"title": "The Fork", "least_seats": 2, "most_seats": 9, "rounds": 1, "most_seconds": 86400}
    assert send(ada, "POST", "/contests/check", {"content": {}}).json["faults"]


def test_list_has_pages_and_a_search(ada: Guest) -> None:
    word = uuid4().hex[:10]
    addresses = [published(ada, title=f"{word} {number}") for number in range(3)]
    reader = guest()
    titles, cursor = [], ""
    while True:
        page = send(reader, "GET", f"/contests?text={word}&limit=2{cursor}").json
        titles += [it["title"] for it in page["results"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert titles == [f"{word} {number}" for number in (2, 1, 0)]
    assert send(reader, "GET", f"/contests?text={word}&mine=1").json["results"] == []
    assert send(ada, "POST", f"{addresses[0]}/retire").status == 200
    assert len(send(reader, "GET", f"/contests?text={word}").json["results"]) == 2


def test_preset_is_listed_and_copied(ada: Guest) -> None:
    (card,) = [it for it in send(ada, "GET", "/contests?text=Salt Road").json["results"] if it["author"] is None]
    copied = send(ada, "POST", f"/contests/{card['id']}/copy", **key())
    assert (card["id"], copied.status, copied.json["faults"]) == (str(presets.preset_id("salt_road")), 201, [])
    shown = send(ada, "GET", copied.headers["Location"].removeprefix("/api/v1")).json
    assert (shown["contest"]["after"], shown["contest"]["status"]) == ("Croupier", "private")


@pytest.mark.parametrize("form", ["toml", "json"])
def test_exported_file_is_imported_as_the_same_content(ada: Guest, form: str) -> None:
    address = published(ada, rules='Say "yes".\n\nC:\\new\n')
    file = send(guest(), "GET", f"{address}/export?form={form}")
    assert file.headers["Content-Type"] == f"application/{form}"
    assert file.headers["Content-Disposition"].endswith(f'.{form}"')
    other = guest()
    imported = send(other, "POST", "/contests/import", file.body, Content_Type=f"application/{form}", **key())
    assert (imported.status, imported.json["faults"]) == (201, [])
    mine = imported.headers["Location"].removeprefix("/api/v1")
    assert send(other, "GET", mine).json["content"] == send(ada, "GET", address).json["content"]


def test_import_stores_faults_and_refuses_what_no_content_has(ada: Guest) -> None:
    imported = send(ada, "POST", "/contests/import", b'title = ""\nleast_seats = 99\n', **TOML, **key())
    assert {it["place"] for it in imported.json["faults"]} == {"title", "least_seats", "rounds"}
    for body, places in (
        (b"title = 1.5\nrules = 2030-01-01\n", ["title", "rules"]),
        (b"title = ", ["file"]),
        (b"\xff\xfe", ["file"]),
        (b'{"title": 1.5}', ["file"]),
    ):
        refused = send(ada, "POST", "/contests/import", body, **TOML, **key())
        assert (refused.status, refused.json["code"]) == (422, "content_faulty")
        assert [it["place"] for it in refused.json["faults"]] == places


def test_content_of_more_than_its_bytes_is_refused(ada: Guest) -> None:
    large = content(notes="a" * MOST_BYTES)
    for answer in (
        send(ada, "POST", "/contests", {"content": large}, **key()),
        send(ada, "POST", "/contests/check", {"content": large}),
        send(ada, "POST", "/contests/import", json.dumps(large).encode(), **TOML, **key()),
        send(ada, "POST", "/contests/check", b" " * 2**20 + b"{}"),
        send(ada, "POST", "/contests/import", b"#" * (2**20 + 1), **TOML, **key()),
    ):
        assert (answer.status, answer.json["code"]) == (413, "too_large")
    fitting = send(ada, "POST", "/contests/check", {"content": content(rules="\u00fc" * 40_000)})
    assert fitting.json["faults"] == []


def test_one_contest_of_bots_is_answered_at_once(ada: Guest) -> None:
    tried = send(ada, "POST", "/contests/trial", {"content": content(), "seats": 13, "runs": 1})
    assert (tried.status, tried.json["id"], tried.json["is_whole"]) == (200, None, True)
    assert tried.json["course"][0].startswith("Round 1 of ")
    again = send(ada, "POST", f"{new(ada)}/trials", {"seats": 3})
    assert again.json["course"][-1].startswith("The contest is over")


@pytest.mark.in_process
def test_many_contests_of_bots_are_followed_and_cancelled() -> None:
    ContestTrial.objects.all().delete()
    ada = guest()
    address = new(ada)
    begun = send(ada, "POST", f"{address}/trials", {"seats": 3, "runs": 5})
    assert (begun.status, begun.json["status"], begun.json["done"]) == (202, "running", 0)
    other = send(ada, "POST", f"{address}/trials", {"seats": 4, "runs": 5})
    assert (other.status, other.json["code"]) == (409, "trial_running")
    trial = f"/contests/trial/{begun.json['id']}"
    trials.play_slice(0)
    assert send(ada, "GET", trial).json["done"] == 1
    trials.play_slice(60)
    finished = send(ada, "GET", trial).json
    assert (finished["status"], finished["result"]["contests"], finished["result"]["values"][0]["field"]) == (
        "finished", 5, "side",
    )  # fmt: skip
    assert send(ada, "GET", f"{address}/trials").json["results"] == [finished]
    assert send(ada, "POST", f"{address}/trials", {"seats": 3, "runs": 5}).status == 200
    assert send(guest(), "GET", trial).status == 404
    assert send(ada, "DELETE", trial).status == 204
    assert send(ada, "GET", f"{address}/trials").json["results"] == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"seats": 31}, 422, "bad_seats"),
        ({"seats": 3, "runs": 1001}, 400, "malformed"),
        ({"seats": 3, "runs": 0}, 400, "malformed"),
        ({"seats": 3, "content": {}}, 422, "content_faulty"),
    ],
)
def test_trial_that_cannot_be_played_is_refused(ada: Guest, body: dict[str, Any], status: int, code: str) -> None:
    refused = send(ada, "POST", "/contests/trial", {"content": content(), **body})
    assert (refused.status, refused.json["code"]) == (status, code)


# author other guest staff reader anonymous: of a private contest, a published one and a preset
EXPECTED = {
    "listContests":        ("200 200 403 200 200 401", "200 200 403 200 200 401", "200 200 403 200 200 401"),
    "createContest":       ("201 201 403 201 403 401", "201 201 403 201 403 401", "201 201 403 201 403 401"),
    "checkContest":        ("200 200 200 200 200 401", "200 200 200 200 200 401", "200 200 200 200 200 401"),
    "importContest":       ("201 201 403 201 403 401", "201 201 403 201 403 401", "201 201 403 201 403 401"),
    "tryContent":          ("200 200 403 200 403 401", "200 200 403 200 403 401", "200 200 403 200 403 401"),
    "readContestTrial":    ("404 404 404 404 404 401", "404 404 404 404 404 401", "404 404 404 404 404 401"),
    "cancelContestTrial":  ("404 404 404 404 403 401", "404 404 404 404 403 401", "404 404 404 404 403 401"),
    "readContest":         ("200 404 403 404 200 401", "200 200 403 200 200 401", "200 200 403 200 200 401"),
    "listContestVersions": ("200 404 403 404 200 401", "200 200 403 200 200 401", "200 200 403 200 200 401"),
    "readContestVersion":  ("200 404 403 404 200 401", "200 200 403 200 200 401", "200 200 403 200 200 401"),
    "exportContest":       ("200 404 403 404 200 401", "200 200 403 200 200 401", "200 200 403 200 200 401"),
    "listContestTrials":   ("200 404 403 404 200 401", "200 200 403 200 200 401", "200 200 403 200 200 401"),
    "tryContest":          ("200 404 403 404 403 401", "200 200 403 200 403 401", "200 200 403 200 403 401"),
    "copyContest":         ("201 404 403 404 403 401", "201 201 403 201 403 401", "201 201 403 201 403 401"),
    "saveContest":         ("200 404 403 404 403 401", "200 403 403 403 403 401", "403 403 403 403 403 401"),
    "publishContest":      ("200 404 403 404 403 401", "200 403 403 403 403 401", "403 403 403 403 403 401"),
    "retireContest":       ("409 404 403 404 403 401", "200 403 403 200 403 401", "403 403 403 403 403 401"),
    "deleteContest":       ("204 404 403 404 403 401", "409 403 403 403 403 401", "403 403 403 403 403 401"),
}  # fmt: skip
IDENTITIES = ("author", "other", "guest", "staff", "reader", "anonymous")
"""The `reader` is a token of the author that may only read."""


@pytest.fixture
def cast() -> dict[str, Guest]:
    author, passing = guest(), guest()
    Account.objects.filter(id=passing.id).update(guest_until=timezone.now())
    return {
        "author": author,
        "other": guest(),
        "guest": passing,
        "staff": guest(is_organiser=True, is_staff=True),
        "reader": Guest(new_token(Account.objects.get(id=author.id), ["match:read"])),
        "anonymous": Guest(),
    }


def test_table_has_a_row_for_each_operation_on_contests() -> None:
    assert set(EXPECTED) == OF_CONTESTS


@pytest.mark.parametrize("operation", EXPECTED)
def test_each_identity_gets_its_expected_status(cast: dict[str, Guest], operation: str) -> None:
    makers: tuple[Callable[[], str], ...] = (
        lambda: new(cast["author"]).rpartition("/")[2],
        lambda: published(cast["author"]).rpartition("/")[2],
        lambda: str(presets.preset_id("rope_bridge")),
    )
    for make, expected in zip(makers, EXPECTED[operation], strict=True):
        statuses = [status_for(cast[identity], operation, make()) for identity in IDENTITIES]
        assert statuses == list(map(int, expected.split())), (operation, make)


def status_for(who: Guest, operation: str, contest: str) -> int:
    """Return the status of the response to an operation on a contest."""
    promised = OPERATIONS[operation]
    body = promised.example or (b"title = 'x'" if operation == "importContest" else None)
    kind = TOML if operation == "importContest" else {}
    path = promised.at(contest=contest, number="1", trial=contest)
    return send(who, promised.method, path, body, If_Match='"v1"', **kind, **key()).status
