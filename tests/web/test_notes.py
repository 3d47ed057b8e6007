"""Private notes: for their writer alone, and whole though they are written in two windows, or the line is bad."""

import pytest
from playwright.sync_api import Page, Route, expect

from matches.models import Account, Match
from matches.web.models import Note
from tests.table_setting import wait_until
from tests.web.hands import opened
from tests.web.match_setting import building, client_of
from tests.web.site import Visitors

SCRIPT = {"Accept": "application/json"}


def note_text(match: Match, account: Account) -> str:
    return Note.objects.get(match_id=match.id, account=account).text


def typed(page: Page, text: str) -> None:
    """Type at the end of the notes, and wait until the page reports that they are saved."""
    page.locator("#note").press("Control+End")
    page.locator("#note").press_sequentially(text)
    expect(page.locator("#note-state")).to_contain_text("Saved")


def test_notes_are_for_their_writer_alone() -> None:
    match, one, two = building()
    note = f"/m/{match.code}/note"
    assert client_of(one).post(note, {"text": "two pairs"}, headers=SCRIPT).json()["text"] == "two pairs"
    assert client_of(one).get(note, headers=SCRIPT).json()["text"] == "two pairs"
    for kept_by_nobody in (note, f"/m/{match.code}/frame"):
        answer = client_of(one).get(kept_by_nobody, headers=SCRIPT)
        assert answer.headers["Cache-Control"] == "private, no-store"
    assert "two pairs" in client_of(one).get(f"/m/{match.code}/").content.decode()
    assert "two pairs" not in client_of(two).get(f"/m/{match.code}/").content.decode()
    assert client_of(two).get(note, headers=SCRIPT).json()["text"] == ""
    assert client_of().get(note, headers=SCRIPT).status_code == 401
    assert client_of(one).post(note, {"text": "x" * 20_001}, headers=SCRIPT).status_code == 400
    assert note_text(match, one) == "two pairs"


def test_note_written_over_an_unknown_text_is_kept_above_it() -> None:
    match, one, _ = building()
    writer, note = client_of(one), f"/m/{match.code}/note"
    empty = writer.get(note, headers=SCRIPT).json()["mark"]
    mark = writer.post(note, {"text": "ace\nking", "known": empty}, headers=SCRIPT).json()["mark"]
    merged = writer.post(note, {"text": "queen\nking", "known": empty}, headers=SCRIPT).json()
    assert merged["text"] == note_text(match, one) == "queen\nking\nace"
    writer.post(note, {"text": "", "known": mark}, headers=SCRIPT)
    assert note_text(match, one) == "queen\nking\nace", "What wasn't seen isn't deleted."
    writer.post(note, {"text": "", "known": f"{mark} {merged['mark']}"}, headers=SCRIPT)
    assert note_text(match, one) == ""


@pytest.mark.slow
def test_two_windows_lose_nothing_and_show_each_others_notes(visitors: Visitors) -> None:
    match, one, _ = building()
    left = opened(visitors.page(one), match, "notes")
    right = opened(left.context.new_page(), match, "notes")
    typed(left, "Émile bluffs 🂡")
    typed(right, "the corner holds a nine")
    expect(right.locator("#note")).to_have_value("the corner holds a nine\nÉmile bluffs 🂡")
    left.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(left.locator("#note")).to_have_value("the corner holds a nine\nÉmile bluffs 🂡")
    typed(left, ", twice")
    assert note_text(match, one) == "the corner holds a nine\nÉmile bluffs 🂡, twice"


@pytest.mark.slow
def test_text_being_written_is_not_overwritten(visitors: Visitors) -> None:
    match, one, _ = building()
    page = opened(visitors.page(one), match, "notes")
    page.context.set_offline(True)
    page.locator("#note").fill("remember the ace")
    expect(page.locator("#note-state")).to_have_text("Not saved; the connection is down.")
    client_of(one).post(f"/m/{match.code}/note", {"text": "from elsewhere"}, headers=SCRIPT)
    page.context.set_offline(False)
    expect(page.locator("#note")).to_have_value("remember the ace\nfrom elsewhere")
    wait_until(lambda: note_text(match, one) == "remember the ace\nfrom elsewhere")


@pytest.mark.slow
def test_a_save_whose_answer_was_lost_doubles_nothing(visitors: Visitors) -> None:
    match, one, _ = building()
    page = opened(visitors.page(one), match, "notes")
    page.route("**/note", lambda route: (route.fetch(), route.abort()))
    page.locator("#note").fill("remember")
    expect(page.locator("#note-state")).to_contain_text("Not saved")
    page.unroute("**/note")
    typed(page, " the ace")
    assert note_text(match, one) == "remember the ace"


@pytest.mark.slow
def test_note_that_arrives_after_the_page_returned_is_shown(visitors: Visitors) -> None:
    match, one, _ = building()
    page = opened(visitors.page(one), match, "notes")

    def arrive_late(route: Route) -> None:
        """Deliver the request of the page that is left after the page is back, and before it reads the note."""
        if route.request.method == "POST":
            return route.abort()
        client_of(one).post(f"/m/{match.code}/note", {"text": "remember the ace"}, headers=SCRIPT)
        return route.continue_()

    page.route("**/note", arrive_late)
    page.locator("#note").fill("remember the ace")
    page.reload()
    expect(page.locator("#note")).to_have_value("remember the ace")


@pytest.mark.slow
def test_note_is_saved_when_the_page_is_left_at_once(visitors: Visitors) -> None:
    match, one, _ = building()
    page = opened(visitors.page(one), match, "notes")
    page.locator("#note").fill("remember the ace")
    page.goto("/games")
    wait_until(lambda: Note.objects.filter(match_id=match.id, account=one, text="remember the ace").exists())
