"""Opening a contest by form: a preset, a file, or a text, with all faults of it."""

import html
import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.contest.options import EXAMPLE
from games.contest.presets import PRESETS, load, text_of
from games.kernel import to_json
from matches.models import Account, Match
from matches.web.opening import opening_views
from tests.contests.contents import new_contest, published
from tests.table_setting import new_account
from tests.web.test_opening import at_home, me, opened_by, options_of

__all__ = ["me"]

PATH = "/open/contest"
SEATS = {"seat-0": "me", **{f"seat-{number}": "bot" for number in range(1, 5)}}
FAULTY = 'title = ""\n[[rounds]]\nname = "One <1>"\nrepeat = 0\n'


@pytest.fixture
def client(me: Account) -> Client:
    return at_home(me)


def content_of(account: Account) -> Any:
    return options_of(opened_by(account))["content"]


def faults_in(page: str) -> list[str]:
    return [html.unescape(it) for it in re.findall(r"<li>([^<]*)</li>", page.partition('id="fault-option-content"')[2])]


def test_form_offers_each_preset_with_players_and_rounds(client: Client) -> None:
    page = " ".join(client.get(PATH).content.decode().split())
    for name in ("example", *PRESETS, "own"):
        assert f'name="option-content-choice" value="{name}"' in page
    assert "A lake village sleeps in two camps. 5 to 30 players, 9 rounds." in page
    assert page.count('class="field seat"') == 30 and "<summary> 24 more seats" in page


@pytest.mark.parametrize("name", ["example", "salt_road", "sealed_almanac"])
def test_chosen_contest_is_opened_whatever_else_is_written(client: Client, me: Account, name: str) -> None:
    sent = SEATS | {"option-content-choice": name, "option-content": "not used"}
    assert client.post(PATH, sent).status_code == 302
    content = content_of(me)
    assert content["title"] == (EXAMPLE if name == "example" else load(name)).title
    assert opened_by(me).status == "running"


def test_contest_of_the_library_is_found_and_opened(client: Client, me: Account) -> None:
    word = uuid4().hex
    contest, hidden = published(new_account(), title=word), new_contest(new_account())
    found = client.post(PATH, SEATS | {"do": "find", "find": word})
    page = " ".join(found.content.decode().split())
    assert found.status_code == 200 and f'value="{contest.id}@1"' in page and f'value="{word}"' in page
    assert 'value="bot" selected' in page, "what was filled in is kept"
    assert "No contest fits." in client.post(PATH, {"do": "find", "find": f"\0nothing{word}"}).content.decode()
    chosen = SEATS | {"option-content-choice": f"{contest.id}@1", "find": word}
    refused = client.post(PATH, chosen | {"seat-0": "player", "seat-0-name": "nobody at all"})
    assert f'value="{contest.id}@1" checked' in " ".join(refused.content.decode().split())
    for reference in (f"{hidden.id}@1", f"{contest.id}@7", f"{contest.id}@{9**40}", "x@1", "@"):
        assert client.post(PATH, SEATS | {"option-content-choice": reference}).status_code == 422
    assert client.post(PATH, chosen).status_code == 302
    assert content_of(me)["title"] == word


def test_form_lists_a_bounded_number_of_contests(client: Client, me: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_views, "_MOST_LISTED", 2)
    first, *_ = [new_contest(me, title=f"No. {number}") for number in range(3)]
    page = client.get(PATH).content.decode()
    assert page.count(">No. ") == 2
    page = client.get(f"{PATH}?contest={first.id}").content.decode()
    assert page.count(">No. ") == 3


@pytest.mark.parametrize("text", [text_of("salt_road"), json.dumps(to_json(load("salt_road")))], ids=["toml", "json"])
@pytest.mark.parametrize("way", ["written", "uploaded"])
def test_contest_of_ones_own_is_opened(client: Client, me: Account, text: str, way: str) -> None:
    sent: dict[str, Any] = SEATS | {"option-content-choice": "own"}
    if way == "written":
        sent["option-content"] = text
    else:
        sent |= {"option-content": "not used", "option-content-choice": "example"}
        sent["option-content-file"] = SimpleUploadedFile("own.toml", text.encode())
    assert client.post(PATH, sent).status_code == 302
    assert content_of(me) == to_json(load("salt_road"))


def test_all_faults_are_listed_with_their_places_and_the_text_is_kept(client: Client, me: Account) -> None:
    sent = SEATS | {"option-content-choice": "own", "option-content": FAULTY, "clocks": "none"}
    answer = client.post(PATH, sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert [it.partition(":")[0] for it in faults_in(page)] == [
        "Title", "Round 1, Short name", "Round 1, Times it is played",
    ]  # fmt: skip
    assert html.escape(FAULTY) in page and 'value="own" checked' in " ".join(page.split())
    assert 'value="none" checked' in " ".join(page.split())
    verdict = client.post(f"{PATH}/check", sent).content.decode()
    assert len(faults_in(verdict)) == 3 and "hx-swap-oob" in verdict
    assert not Match.objects.filter(opened_by=me).exists()


def test_uploaded_file_with_faults_is_shown_as_text(client: Client) -> None:
    file = SimpleUploadedFile("own.toml", FAULTY.encode())
    page = client.post(PATH, SEATS | {"option-content-file": file}).content.decode()
    assert len(faults_in(page)) == 3 and html.escape(FAULTY) in page


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"option-content-choice": "no_such"}, "Choose one of these contests."),
        ({"option-content-choice": "own", "option-content": ""}, "It is missing."),
        ({"option-content-choice": "own", "option-content": "title ="}, "It isn't TOML"),
        ({"option-content-choice": "own", "option-content": "{"}, "not JSON"),
        ({"option-content-choice": "own", "option-content": "a = " + "[" * 20_000}, "It isn't TOML"),
        (
            {"option-content-choice": "own", "option-content": "title = 2026-01-01"},
            "Title: No contest has such a value.",
        ),
        ({"option-content-choice": "own", "option-content": "least_seats = nan"}, "Fewest players: "),
        ({"option-content-file": SimpleUploadedFile("x.toml", b'title = "\xff"')}, "The file isn't UTF-8: byte 9"),
    ],
)
def test_text_that_is_no_contest_is_refused_with_a_sentence(client: Client, sent: dict[str, Any], words: str) -> None:
    answer = client.post(PATH, SEATS | sent)
    assert answer.status_code == 422
    place = html.unescape(answer.content.decode().partition('id="fault-option-content"')[2].partition("</div>")[0])
    assert words in place


def test_contest_for_more_players_than_seats_is_refused(client: Client) -> None:
    sent = {"seat-0": "me", "seat-1": "bot", "option-content-choice": "salt_road"}
    answer = client.post(PATH, sent)
    assert answer.status_code == 422
    notice = re.findall(r"role=\"alert\">\s*<p>([^<]*)", answer.content.decode())
    assert notice == ["This contest is for 5 to 13 players, not for 2."]
