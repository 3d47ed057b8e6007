"""The contest's own title wherever people read which match it is."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from games import catalogue
from matches.domain.openings import title_in
from matches.models import Account, Call, Match
from matches.notifications import call_delivery
from matches.panel import dashboard, yours
from matches.reads import selectors
from matches.reads.titles import title_of
from matches.web.lobby.cards import cards
from tests.contests.table import VOTE, ContestMatch
from tests.panel.office import room

TITLE = "The Island Auction"


@pytest.fixture
def match() -> ContestMatch:
    return ContestMatch.begun(VOTE, content={"title": TITLE})


def test_pages_have_the_title_of_the_contest(match: ContestMatch) -> None:
    code = match.row.code
    replay = reverse("web:match-replay-at", args=[code, match.row.version])
    for page in (reverse("web:match", args=[code]), replay, room(match.row), reverse("web:matches")):
        shown = match.desk.read(page)
        assert TITLE in shown, page
        assert not re.search("Contest [A-Z0-9]{8}|Contest ·|A match of Contest", shown), page


def test_rows_and_cards_have_the_title_of_the_contest(match: ContestMatch) -> None:
    rows = Match.objects.filter(id=match.id)
    account, player = (Account.objects.get(id=it.id) for it in (match.host, match.players[0]))
    assert title_of(match.row) == TITLE
    assert [it.title for it in cards(rows, account)] == [TITLE]
    assert [it.title for it in dashboard.match_rows(rows)] == [TITLE]
    assert [it.title for it in yours._seated(player)] == [TITLE]
    assert selectors.card(match.row, account).title == TITLE


def test_rest_has_the_title_of_the_contest_beside_its_game(match: ContestMatch) -> None:
    document = match.host.get(f"/matches/{match.id}").json
    assert (document["title"], document["game"]) == (TITLE, "contest")
    listed = match.host.get("/matches").json["results"]
    assert [it["title"] for it in listed if it["id"] == match.id] == [TITLE]
    assert match.host.get(f"/matches/{match.id}/events").json["results"][0]["text"].startswith(f"A match of {TITLE} ")


def test_call_has_the_title_of_the_contest(match: ContestMatch) -> None:
    call = Call(account_id=match.players[0].id, kind="your_turn", match_id=match.id, made_at=timezone.now())
    assert TITLE in call_delivery.message(call, details=True).text
    assert TITLE not in call_delivery.message(call, details=False).text


@pytest.mark.parametrize("slug", catalogue)
def test_match_without_a_title_of_its_own_has_that_of_its_game(slug: str) -> None:
    expected = "Partners by Chance" if slug == "contest" else catalogue[slug].title
    assert title_in(slug, {}) == expected
