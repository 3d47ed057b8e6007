"""The end of a match is a scene on its page: who won and how, and what comes after it."""

import html
import re

import pytest
from django.test import Client
from playwright.sync_api import expect

from matches.models import Account, Match
from matches.services import accepting, hosting, rematching
from tests.api.seasons import Cup
from tests.pages import as_read
from tests.table_setting import BOT, new_account, play_to_the_end, running_match
from tests.web.hands import opened
from tests.web.match_setting import building, client_of, send
from tests.web.site import NARROW, Visitors
from tests.web.soundness import SCHEMES, refused

SIZES = (
    {"width": 1440, "height": 900}, {"width": 1366, "height": 768}, NARROW, {"width": 844, "height": 390},
)  # fmt: skip


def page_of(match: Match, client: Client) -> str:
    return html.unescape(as_read(client.get(f"/m/{match.code}/")))


def result(page: str) -> str:
    return re.findall(r'<h2 id="result">(.*?)</h2>', page)[0]


def finished() -> tuple[Match, Account, Account]:
    """A friendly that its first seat has resigned."""
    match, one, two = building()
    send(match, 0, one, "resign")
    return match, one, two


def test_result_names_the_winner_and_the_reason_except_for_a_void_match() -> None:
    match, _, two = finished()
    assert result(page_of(match, client_of())) == f"{two.username} wins by resignation"
    decided, one, _ = building()
    hosting.adjudicate(match_id=decided.id, by=new_account(is_organiser=True).id, winners=[0, 1], reason="Enough.")
    assert result(page_of(decided, client_of(one))) == "A draw by the host's decision"
    played = running_match("pyramid_poker")
    play_to_the_end(played)
    page = page_of(played, client_of())
    assert re.fullmatch(
        r"Bot [AB] wins, (two hands to (one|none)|three hands to none|one hand .*|no hands .*)", result(page)
    )
    assert "The hands compared." in page and "figure won" in page and "figure out" in page
    void, one, _ = building()
    hosting.void(match_id=void.id, by=void.opened_by_id, reason="A mistake.")
    assert 'id="result"' not in (told := page_of(void, client_of(one))) and "The match is void." in told


def test_rematch_is_offered_to_players_only_and_starts_at_once_against_a_bot() -> None:
    match, one, _ = finished()
    assert "Offer a rematch" in page_of(match, client_of(one))
    for stranger in (new_account(), None):
        assert "Offer a rematch" not in page_of(match, client_of(stranger))
        client_of(stranger).post(f"/m/{match.code}/rematch")
    assert not Match.objects.filter(rematch_of=match.id).exists()
    alone = running_match("pyramid_poker", one, BOT, opener=one)
    send(alone, 0, one, "resign")
    answer = client_of(one).post(f"/m/{alone.code}/rematch")
    again = Match.objects.get(rematch_of=alone.id)
    assert (answer.headers["Location"], again.status) == (f"/m/{again.code}/", "running")


def test_answer_to_a_rematch_offer_is_shown_to_both() -> None:
    for decliner, told_one, told_two in (
        (1, "{two} declined the rematch.", "You called the rematch off."),
        (0, "You called the rematch off.", "{one} took the offer of a rematch back."),
    ):
        match, one, two = finished()
        assert client_of(one).post(f"/m/{match.code}/rematch").headers["Location"] == f"/m/{match.code}/"
        again = Match.objects.get(rematch_of=match.id)
        assert f"Your rematch waits for {two.username}." in page_of(match, client_of(one))
        assert f"{one.username} offers a rematch." in page_of(match, client_of(two))
        answer = client_of((one, two)[decliner]).post(f"/m/{again.code}/decline")
        assert answer.headers["Location"] == f"/m/{match.code}/"
        for reader, sentence in ((one, told_one), (two, told_two)):
            assert sentence.format(one=one.username, two=two.username) in page_of(match, client_of(reader))
    match, one, _ = finished()
    rematch = rematching.offer_rematch(match_id=match.id, player=one.id)
    accepting.let_lapse(match_id=rematch)
    assert "Nobody answered the offer of a rematch in time." in page_of(match, client_of(one))


def test_match_of_a_season_links_to_the_next_match_without_a_rematch() -> None:
    match = Match.objects.get(id=Cup(3).death_match())
    seat = match.seats.get(number=0).account
    send(match, 0, seat, "resign")
    own, elses = running_match("pyramid_poker", seat, BOT), running_match("pyramid_poker")
    Match.objects.filter(id__in=[own.id, elses.id]).update(season=match.season_id)
    page = page_of(match, client_of(seat))
    assert f'href="/m/{own.code}/">Your next match' in page and "Offer a rematch" not in page
    Match.objects.filter(id=own.id).update(status="void")
    assert f'href="/m/{elses.code}/">Next match of the season' in page_of(match, client_of(seat))


def test_delayed_end_does_not_change_the_next_match_shown_to_spectators() -> None:
    """Else whoever watches another match's page learns of the end before they may."""
    match = Match.objects.get(id=Cup(3).death_match())
    send(match, 0, match.seats.get(number=0).account, "resign")
    one = new_account()
    late = running_match("pyramid_poker", one, new_account(), spectator_delay=600)
    Match.objects.filter(id=late.id).update(season=match.season_id)
    next_one = f'href="/m/{late.code}/">Next match of the season'
    assert next_one in page_of(match, client_of())
    send(late, 0, one, "resign")
    assert next_one in page_of(match, client_of()) and next_one in page_of(match, client_of(new_account()))
    assert late.code not in page_of(match, client_of(one))


def test_from_the_last_move_to_the_rematch_at_two_browsers(visitors: Visitors) -> None:
    match, one, two = building()
    offerer, other = (opened(visitors.page(account), match) for account in (one, two))
    send(match, 0, one, "resign")
    for page in (offerer, other):
        expect(page.locator("#result")).to_have_text(f"{two.username} wins by resignation")
    offerer.get_by_role("button", name="Offer a rematch").click()
    expect(offerer.locator("#rematch")).to_contain_text(f"Your rematch waits for {two.username}.")
    # It comes by itself, to a page that nobody loads again.
    expect(other.locator("#rematch")).to_contain_text(f"{one.username} offers a rematch.")
    other.get_by_role("button", name="Accept").click()
    again = Match.objects.get(rematch_of=match.id)
    for page in (other, offerer):
        expect(page).to_have_url(re.compile(f"/m/{again.code}/$"))
        expect(page.locator("#turn-bar")).to_contain_text(re.compile("starts|Waiting"))


@pytest.mark.slow
def test_the_scene_is_sound_and_fits_every_window_in_light_and_dark(visitors: Visitors) -> None:
    match, one, _ = finished()
    played = running_match("pyramid_poker", one, BOT, opener=one)
    play_to_the_end(played)
    page = opened(visitors.page(one), match)
    for match_shown in (match, played):
        opened(page, match_shown)
        for scheme in SCHEMES:
            assert refused(page, scheme) == []
        for size in SIZES:
            page.set_viewport_size(size)
            whole = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
            assert page.evaluate(whole) == [size["width"], size["height"]], size
            expect(page.locator("#result")).to_be_in_viewport(ratio=0.99)
            expect(page.locator("#tabs")).to_be_in_viewport(ratio=0.99)
    page.locator("#share summary").click()
    expect(page.get_by_role("link", name="Save the picture")).to_be_visible()
    expect(page.get_by_role("button", name="Copy the link")).to_have_attribute(
        "data-copy", re.compile(f"/m/{played.code}/$")
    )
