"""Static files: small on the wire, kept for ever, and never an old one under a new address; and what pages weigh so."""

import gzip
import re
from functools import cache
from pathlib import Path
from random import Random
from urllib.parse import urljoin

import pytest
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.test import Client

from games import catalogue
from matches.http import static_files
from tests.table_setting import new_account, play_on, running_match

BARE, WITH_BOARD = 250_000, 350_000
_FONTS = ("inter-latin-wght-normal.woff2", "jetbrains-mono-latin-wght-normal.woff2")
_LINKS = re.compile(
    r'<(?:script|img|link rel="(?:stylesheet|modulepreload|preload|icon)")[^>]* (?:src|href)="(/[^"]+)"'
)
_IMPORTS = re.compile(r'^(?:import|export) .*?from "([^"]+)";', re.MULTILINE)


def fetch(address: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Return the status, headers and body of the response to a browser that accepts compression."""
    answer = Client(headers={"Host": "localhost", "Accept-Encoding": "gzip, br", **headers}).get(address)
    return answer.status_code, dict(answer.items()), b"".join(answer)


def test_file_is_cached_forever_at_its_digest() -> None:
    address = static("web/croupier.css")
    assert re.fullmatch(r"/static/[0-9a-f]{16}/web/croupier\.css", address)
    status, headers, _ = fetch(address)
    assert (status, headers["Cache-Control"]) == (200, "public, max-age=31536000, immutable")
    status, headers, _ = fetch(address, **{"If-None-Match": headers["ETag"]})
    assert (status, headers["Cache-Control"]) == (304, "public, max-age=31536000, immutable")


@pytest.mark.parametrize("before", ["", "0123456789abcdef/"])
def test_file_without_the_current_digest_is_the_current_one_and_cached_shortly(before: str) -> None:
    status, headers, body = fetch(f"/static/{before}web/croupier.css")
    assert (status, headers["Cache-Control"]) == (200, "max-age=60, public")
    assert gzip.decompress(body) == Path(finders.find("web/croupier.css")).read_bytes()


def test_unknown_file_gets_404_under_the_digest_too() -> None:
    for name in ("web/nothing.css", "../settings.py", ""):
        status, headers, _ = fetch(f"/static/{static_files.digest()}/{name}")
        assert status == 404 and "immutable" not in headers.get("Cache-Control", "")


def test_every_change_of_a_file_changes_the_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    before, read = static_files.digest(), Path.read_bytes
    changed = Path(finders.find("web/vendor/idiomorph.esm.js"))
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"\n" * (path == changed))
    assert static_files.digest.__wrapped__() not in (before, "")


def test_file_is_compressed_only_for_clients_that_accept_it() -> None:
    whole = Path(finders.find("web/match/tray.js")).read_bytes()
    address = static("web/match/tray.js")
    status, headers, body = fetch(address)
    assert (status, headers["Content-Encoding"], headers["Vary"]) == (200, "gzip", "Accept-Encoding")
    assert int(headers["Content-Length"]) == len(body) < len(whole) / 2 and gzip.decompress(body) == whole
    status, headers, body = fetch(address, **{"Accept-Encoding": ""})
    assert (status, headers.get("Content-Encoding"), headers["Vary"], body) == (200, None, "Accept-Encoding", whole)
    status, headers, body = fetch(address, Range="bytes=0-9")
    assert (status, headers.get("Content-Encoding"), body) == (206, None, whole[:10])


def test_head_request_for_a_file_has_the_same_headers() -> None:
    response = Client(headers={"Host": "localhost", "Accept-Encoding": "gzip"}).head(static("web/match/tray.js"))
    _, headers, _ = fetch(static("web/match/tray.js"))
    assert dict(response.items()) | {"X-Request-ID": ""} == headers | {"X-Request-ID": ""} and b"".join(response) == b""


def test_a_font_is_packed_by_itself() -> None:
    _, headers, body = fetch(static(f"web/vendor/{_FONTS[0]}"))
    assert "Content-Encoding" not in headers and body[:4] == b"wOF2"


def test_no_page_of_a_reader_is_packed() -> None:
    """Check that pages are sent uncompressed: others' texts stand beside the reader's secrets, and the length would
    reveal them.
    """
    status, headers, _ = fetch("/")
    assert status == 200 and "Content-Encoding" not in headers


@cache
def weight_of(address: str) -> int:
    """Its bytes on the wire."""
    status, _, body = fetch(address)
    assert status == 200, address
    return len(body)


def weight(client: Client, page: str, *others: str) -> int:
    """A page with what it names, what its modules import, and both fonts; `others` are imported by the game."""
    answer = client.get(page, headers={"Host": "localhost", "Accept-Encoding": "gzip"})
    assert answer.status_code == 200
    text = answer.content
    waiting = {*_LINKS.findall(text.decode()), *(static(f"web/vendor/{font}") for font in _FONTS), *others}
    addresses: set[str] = set()
    while waiting:
        address = waiting.pop()
        addresses.add(address)
        if address.endswith(".js") and "/vendor/" not in address:
            text_of = Path(finders.find(address.split("/", 3)[3])).read_text()
            waiting |= {urljoin(address, name) for name in _IMPORTS.findall(text_of)} - addresses
    return len(text) + sum(map(weight_of, sorted(addresses)))


@pytest.mark.parametrize("page", ["/", "/games", "/games/pentagram", "/seasons", "/sign-up"])
def test_a_page_without_a_board_weighs_no_more_than_it_may(page: str) -> None:
    assert weight(Client(), page) < BARE


@pytest.mark.parametrize("game", sorted(catalogue))
def test_a_match_weighs_no_more_than_it_may(game: str) -> None:
    accounts = (new_account(), new_account())
    match = running_match(game, *accounts)
    play_on(match, 6, Random(1))
    client = Client()
    client.force_login(accounts[0])
    modules = dict(re.findall(r"(\w+): async \(\) => (.*)", Path(finders.find("web/match/modules.js")).read_text()))
    own = [static(f"web/match/{name}") for name in re.findall(r'import\("\./([^"]+)"\)', modules.get(game, ""))]
    assert bool(own) == (game != "pyramid_poker")
    assert 100_000 < weight(client, f"/m/{match.code}/", *own) < WITH_BOARD
