"""The basis of all pages: the policy, the vendored files, the colours, the refusals."""

import re
from hashlib import sha256
from pathlib import Path

import pytest
from django.test import Client

from games.drawing.css import css
from games.drawing.themes import DARK, LIGHT
from matches.models import Match
from matches.web.stylesheet import DIGEST
from tests.api.seasons import Cup
from tests.table_setting import new_account, running_match

WEB = Path(__file__).resolve().parents[2] / "matches" / "web"
VENDOR = WEB / "static" / "web" / "vendor"
OPEN = ["/", "/sign-in", "/sign-up", "/games", "/games/pyramid_poker", "/problems/", "/problems/not_found", "/nowhere"]
CLOSED = ["/account", "/matches", "/open/pyramid_poker"]


@pytest.fixture
def client() -> Client:
    return Client(headers={"host": "localhost"})


@pytest.fixture
def insider() -> Client:
    client = Client(headers={"host": "localhost"})
    client.force_login(new_account())
    return client


def test_every_vendored_file_has_the_recorded_checksum() -> None:
    listed = dict(reversed(line.split()) for line in (VENDOR / "SHA256SUMS").read_text().splitlines())
    checksums = {
        path.name: sha256(path.read_bytes()).hexdigest() for path in VENDOR.iterdir() if path.name != "SHA256SUMS"
    }
    assert checksums == listed


def test_every_vendored_file_has_its_licence() -> None:
    licensed = {path.stem for path in VENDOR.glob("*.LICENSE")}
    others = [path.name for path in VENDOR.iterdir() if path.suffix not in (".LICENSE", "")]
    assert others
    for name in others:
        assert any(name.startswith(work) for work in licensed), name


@pytest.mark.parametrize("path", OPEN)
def test_public_page_loads_only_files_of_the_site(client: Client, path: str) -> None:
    is_strict(client.get(path))


@pytest.mark.parametrize("path", CLOSED)
def test_private_page_loads_only_files_of_the_site(insider: Client, path: str) -> None:
    is_strict(insider.get(path))


def is_strict(page) -> None:
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert page.headers["Cache-Control"] == "private, no-store"
    text = page.content.decode()
    assert not re.search(r'<script(?![^>]*\bsrc=| id="[\w-]+" type="application/json">)', text)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", text)
    for address in re.findall(r'(?:src|href|action)="([^"]*)"', text):
        assert re.match(r"/(?!/)|#", address), address


@pytest.mark.parametrize("path", OPEN)
def test_every_asset_of_a_page_is_served(client: Client, path: str) -> None:
    text = client.get(path).content.decode()
    wanted = set(re.findall(r'<(?:link|script)[^>]*(?:src|href)="([^"]+)"', text))
    assert len(wanted) >= 4
    for address in wanted:
        answer = client.get(address)
        assert answer.status_code == 200 and b"".join(answer), address


def test_pages_and_boards_have_one_source_of_colours(client: Client) -> None:
    sheet = client.get(f"/colours-{DIGEST}.css")
    assert sheet.headers["Content-Type"] == "text/css"
    assert "immutable" in sheet.headers["Cache-Control"]
    text = sheet.content.decode()
    assert text.count(css(LIGHT)) == 1 and text.count(css(DARK)) == 2
    assert "immutable" not in client.get("/colours-0.css").headers["Cache-Control"]


def test_every_colour_of_the_stylesheet_is_in_the_theme() -> None:
    sheet = (WEB / "static" / "web" / "croupier.css").read_text()
    own = set(re.findall(r"(--[a-z0-9-]+):", sheet))
    of_theme = set(re.findall(r"(--[a-z0-9-]+):", css(LIGHT)))
    assert set(re.findall(r"var\((--[a-z0-9-]+)", sheet)) <= own | of_theme
    assert not re.search(r"#[0-9a-f]{3,8}\b", sheet)


def test_an_unknown_address_is_a_page_for_people_and_a_document_for_programs(client: Client) -> None:
    page, document = client.get("/nowhere"), client.get("/api/v1/nowhere")
    assert (page.status_code, document.status_code) == (404, 404)
    assert "<h1>Not found</h1>" in page.content.decode()
    assert document.json()["code"] == "not_found"


def test_a_refusal_on_a_page_is_a_document_for_its_scripts(insider: Client) -> None:
    response = insider.get("/m/NOSUCHXX/seats", headers={"hx-request": "true"})
    assert (response.status_code, response.headers["Content-Type"]) == (404, "application/problem+json")
    page = insider.get("/m/NOSUCHXX/seats")
    assert page.status_code == 404 and "no match with this id or code" in page.content.decode()


def test_anonymous_script_gets_401_with_a_remedy(client: Client) -> None:
    answer = client.get("/account", headers={"accept": "application/problem+json"})
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert answer.json()["detail"] == "You are signed out; load the page and sign in."


@pytest.mark.parametrize(
    "path",
    ["/m/%00/seats", "/players/%00", "/games/pyramid_poker?match=%00", "/matches?player=%00", "/j/%00/%00",
     "/matches?cursor=nonsense", "/matches?cursor=%00", "/matches?game=chess", "/matches?status=odd",
     "/games/chess", "/open/chess", f"/players/{'x' * 3000}", "/games/pyramid_poker?match=" + "9" * 500],
)  # fmt: skip
def test_nonsense_in_an_address_is_refused_with_a_page(insider: Client, path: str) -> None:
    answer = insider.get(path)
    assert answer.status_code in (400, 404)
    assert "<h1>" in answer.content.decode()


def test_reading_public_pages_opens_no_session(client: Client) -> None:
    client.get("/")
    client.get("/games")
    assert "sessionid" not in client.cookies


def test_rules_of_a_match_are_shown_to_those_who_may_watch_it(client: Client) -> None:
    match = running_match("pyramid_poker", options={"base": 9})
    address = f"/games/pyramid_poker?match={match.code}"
    assert match.code in client.get(address).content.decode()
    hidden = Match.objects.get(id=Cup(4, public=False).death_match())
    assert client.get(f"/games/{hidden.game}?match={hidden.code}").status_code == 404
