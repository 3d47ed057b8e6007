"""The page of a game's rules: what people see first, and what is looked up below."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from games import catalogue
from matches.web.stylesheet import COLOURS
from tests.pages import as_read
from tests.web.test_ground import is_strict
from tests.web.test_lobby import at_home

EVERY_GAME = pytest.mark.parametrize("slug", sorted(catalogue))
MOST_BYTES = 250_000
BESIDE = (
    "web/croupier.css", "web/guide.css", "web/page.js", "web/session.js", "web/icon.svg",
    "web/vendor/inter-latin-wght-normal.woff2",
)  # fmt: skip


def page_of(slug: str) -> str:
    answer = at_home().get(f"/games/{slug}")
    is_strict(answer)
    return as_read(answer)


@EVERY_GAME
def test_every_anchor_link_of_the_page_has_one_target(slug: str) -> None:
    page = page_of(slug)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert {"rules", "rulings", "options", "clocks", "notation", "error-codes"} <= set(ids)


@EVERY_GAME
def test_every_numbered_rule_has_an_anchor_and_is_linked_where_it_is_named(slug: str) -> None:
    page, readme = page_of(slug), catalogue[slug].readme
    numbers = re.findall(r"^\*\*R(\d+)", readme, re.MULTILINE)
    assert len(numbers) > 5
    assert all(f'<p id="r{number}" class="rule"><strong>R{number}' in page for number in numbers)
    named = re.findall(r"\bR(\d+)\b", re.sub(r"^\*\*R\d+[^*]*\*\*", "", readme, flags=re.MULTILINE))
    assert set(named) <= set(numbers)
    assert page.count('href="#r') == len(named) + page.count('href="#rul')


@EVERY_GAME
def test_page_begins_with_text_for_players_without_codes(slug: str) -> None:
    peoples, _, reference = page_of(slug).partition('<nav class="parts"')
    peoples = peoples.partition("<main")[2]
    assert f'href="/learn/{slug}"' in peoples and f'action="/open/{slug}/friendly"' in peoples
    assert "<svg" in peoples and "<code>" not in peoples and "<code>" in reference
    assert peoples.count('role="img"') == peoples.count('aria-label="') - peoples.count(
        '<button class="primary" aria-label'
    )


@EVERY_GAME
def test_a_page_of_rules_is_light(slug: str) -> None:
    beside = 0
    for name in BESIDE:
        path = finders.find(name)
        assert isinstance(path, str)
        beside += Path(path).stat().st_size
    assert beside + len(COLOURS) + len(at_home().get(f"/games/{slug}").content) < MOST_BYTES


@EVERY_GAME
def test_page_and_catalogue_name_the_designers_and_the_first_season(slug: str) -> None:
    origin, page = catalogue[slug].origin, page_of(slug)
    document = at_home().get(f"/api/v1/games/{slug}").json()
    if origin is None:
        assert document["origin"] is None and "Designed by" not in page
        return
    assert f"Designed by {origin.designers}. Featured in {origin.featured_in}." in page
    assert document["origin"] == {"designers": origin.designers, "featured_in": origin.featured_in}
