"""The replay: any version, as any witness that the reader may be; nothing that those eyes don't see."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from uuid import UUID

import pytest
from django.test import Client
from playwright.sync_api import Locator, Page, expect

from events import store
from games.kernel import Witness
from matches.audit import export as audit
from matches.models import Account, Match
from matches.services import hosting, playing
from matches.storage import repository
from tests.table_setting import new_account, play_on, play_to_the_end, running_match
from tests.waiting import wait_until
from tests.web.site import NARROW, Visitors, requests_of_scripts
from tests.web.soundness import in_both_schemes, refused


@pytest.fixture(scope="module")
def finished() -> tuple[Match, Account]:
    """A whole match of Pyramid Poker with a ruling in it."""
    one, two = new_account(), new_account()
    match = running_match("pyramid_poker", one, two)
    play_on(match, 20, Random(1))
    hosting.rule(match_id=match.id, by=match.opened_by_id, text="Speak up.")
    play_to_the_end(match, Random(1))
    return match, one


def client_of(account: Account | None) -> Client:
    """A browser without scripts."""
    client = Client(SERVER_NAME="localhost", raise_request_exception=False)
    if account:
        client.force_login(account)
    return client


def at(page: Page, version: int) -> None:
    wait_until(lambda: page.locator("#replay").get_attribute("data-version") == str(version))
    assert f"/replay/{version}/" in page.url


def opened(page: Page, match: Match, version: int, as_: str = "seat:0") -> Page:
    page.goto(f"/m/{match.code}/replay/{version}/?as={as_}")
    page.locator("body[data-ready]").wait_for()
    return page


@pytest.mark.slow
def test_keys_walk_through_a_match(visitors: Visitors, finished: tuple[Match, Account]) -> None:
    match, one = finished
    newest = repository.version_of(match.id)
    page = opened(visitors.page(one), match, 10)
    steps: list[tuple[str, Callable[[], int]]] = [
        ("ArrowRight", lambda: 11), ("ArrowLeft", lambda: 10), ("k", lambda: 11), ("j", lambda: 10),
        ("End", lambda: newest), ("Home", lambda: 1),
    ]  # fmt: skip
    for key, version in steps:
        page.keyboard.press(key)
        at(page, version())
    page.keyboard.press("r")
    expect(page.locator("#event h2")).to_contain_text("ruling_posted")
    expect(page.locator("#event-line")).to_contain_text("Speak up.")
    page.keyboard.press("f")
    expect(page.locator("#eyes [aria-current]")).not_to_have_attribute("data-as", "seat:0")
    page.keyboard.press("Escape")
    page.wait_for_url(f"**/m/{match.code}/")


@pytest.mark.slow
def test_the_board_at_a_version_is_the_board_of_then(visitors: Visitors, finished: tuple[Match, Account]) -> None:
    match, one = finished
    page = opened(visitors.page(one), match, 6, "host")
    for version in (7, 8, 9, 10):
        page.keyboard.press("ArrowRight")
        at(page, version)
        state = repository.load(match.id, upto=version).state
        for cell, standing in state.spaces.items():
            label = page.locator(f"#cell-{cell}").get_attribute("aria-label") or ""
            assert label.startswith(f"{cell}, ")
            assert str(standing.brick)[:-1] in label


@pytest.mark.slow
def test_hovered_line_previews_its_board_and_a_click_selects_it(
    visitors: Visitors, finished: tuple[Match, Account]
) -> None:
    match, one = finished
    page = opened(visitors.page(one), match, 20)
    now, then = (told_by(opened(visitors.page(one), match, version)) for version in (20, 8))
    assert now != then
    stage = page.locator("#stage")
    page.locator("#line-8").hover()
    expect(stage).to_have_attribute("data-then", "Event 8")
    assert told_by(page) == then
    assert "/replay/20/" in page.url
    page.locator("#seats").hover()
    expect(stage).not_to_have_attribute("data-then", "Event 8")
    assert told_by(page) == now
    page.locator("#line-8 a").focus()
    expect(stage).to_have_attribute("data-then", "Event 8")
    page.keyboard.press("j")
    at(page, 19)
    expect(stage).not_to_have_attribute("data-then", "Event 8")
    page.locator("#line-8 a").click()
    at(page, 8)
    assert told_by(page) == then
    page.locator("#line-5").hover()
    expect(stage).to_have_attribute("data-then", "Event 5")
    page.keyboard.press("k")
    at(page, 9)
    page.locator("#seats").hover()
    expect(stage).not_to_have_attribute("data-then", re.compile("."))
    assert told_by(page) == told_by(opened(visitors.page(one), match, 9))


def test_replay_fetches_no_line_scrolled_under_a_resting_mouse(
    visitors: Visitors, finished: tuple[Match, Account]
) -> None:
    match, one = finished
    page = opened(visitors.page(one), match, 20)
    page.locator("#line-18 a").click()
    at(page, 18)
    fetched = requests_of_scripts(page)
    # A line is asked for a moment after it was pointed at, before a timer that was set later and runs longer.
    page.evaluate("""() => new Promise((done) => {
        const over = (event) => event.target.closest("#lines .line") && setTimeout(done, 500);
        document.addEventListener("pointerover", over);
        document.getElementById("line-18").before(Object.assign(document.createElement("p"), { style: "height: 3em" }));
    })""")
    assert [url for url in fetched if "/replay/19/" not in url] == [], "Only the next step is fetched beforehand."


def told_by(page: Page) -> list[str]:
    """The names of the board and of all that lies on it."""
    names = "parts => parts.map(part => part.getAttribute('aria-label'))"
    labels: list[str] = page.locator("#board [aria-label]").evaluate_all(names)
    return labels


def test_replay_works_without_a_script(finished: tuple[Match, Account]) -> None:
    match, one = finished
    client = client_of(one)
    newest = repository.version_of(match.id)
    there = client.get(f"/m/{match.code}/replay/?as=host").headers["Location"]
    assert there == f"/m/{match.code}/replay/{newest}/?as=host"
    page = client.get(f"/m/{match.code}/replay/12/?as=seat:1").content.decode()
    assert f'href="/m/{match.code}/replay/13/?as=seat:1"' in page
    assert repository.load(match.id, upto=12).hash.hex() in page
    for missing in ("0", str(newest + 1), "99999999999"):
        assert client.get(f"/m/{match.code}/replay/{missing}/").status_code == 404
    assert client.get(f"/m/{match.code}/replay/12/?as=nonsense").status_code == 404


@pytest.mark.slow
def test_replay_within_an_act_links_to_its_end(finished: tuple[Match, Account]) -> None:
    match, one = finished
    client = client_of(one)
    rows = store.read(match.id)
    game = repository.load(match.id).game
    # The set-up and the first turns of both phases, and the end: there are acts of every kind among them.
    phases = next(place for place, row in enumerate(rows) if row.type == "brick_drawn")
    for row, following in [*pairwise(rows[:20]), *pairwise(rows[phases - 2 : phases + 10]), *pairwise(rows[-10:])]:
        page = client.get(f"/m/{match.code}/replay/{row.version}/?as=host").content.decode()
        amid = (row.actor, row.at) == (following.actor, following.at) and following.type in game.event_types
        assert ("The act that brought it goes on to" in page) == amid, row.version
        if row.type == "brick_dealt" and amid:
            ends = page.split("The act that brought it goes on to")[1]
            assert f"/m/{match.code}/replay/" in ends
    assert "The act that brought it" not in client.get(f"/m/{match.code}/replay/{rows[-1].version}/").content.decode()


def test_while_it_runs_each_sees_with_their_own_eyes() -> None:
    one, two, watcher = new_account(), new_account(), new_account()
    match = running_match("pyramid_poker", one, two)
    play_on(match, 9, Random(2))
    views = ("host", "seat:0", "seat:1", "spectator")
    open_to = {
        account: [it for it in views if client_of(account).get(f"/m/{match.code}/replay/9/?as={it}").status_code == 200]
        for account in (one, two, watcher, None)
    }
    assert open_to == {
        one: ["seat:0", "spectator"], two: ["seat:1", "spectator"], watcher: ["spectator"], None: ["spectator"]
    }  # fmt: skip
    held = {str(standing.brick) for standing in repository.load(match.id).state.spaces.values() if standing.seat == 1}
    page = client_of(one).get(f"/m/{match.code}/replay/9/").content.decode()
    assert held
    assert not any(f'"{brick}"' in page for brick in held)


def test_host_sees_everything_up_to_a_recorded_look() -> None:
    host = new_account()
    match = running_match("pyramid_poker", new_account(), new_account(), opener=host)
    client, replay = client_of(host), f"/m/{match.code}/replay"
    assert "your look is recorded" in client.get(f"{replay}/4/").content.decode()
    for address in (f"{replay}/4/?as=host", f"{replay}/?as=host"):
        page = client.get(address).content.decode()
        assert "Your look becomes an event of the match" in page and 'id="board"' not in page
    assert repository.load(match.id).lifecycle.looked == ()
    looked = client.post(f"/m/{match.code}/look")
    assert looked.headers["Location"] == f"{replay}/?as=host"
    assert repository.load(match.id).lifecycle.looked == (str(host.id),)
    version = repository.version_of(match.id)
    assert client.get(looked.headers["Location"]).headers["Location"] == f"{replay}/{version}/?as=host"
    assert 'id="board"' in client.get(f"{replay}/4/?as=host").content.decode()
    play_on(match, 1)
    assert f"as it stood at event {version}" in client.get(f"{replay}/{version}/?as=host").content.decode()
    assert 'id="board"' not in client.get(f"{replay}/{version + 1}/?as=host").content.decode()
    assert repository.load(match.id).lifecycle.looked == (str(host.id),)


def test_only_a_host_without_a_seat_may_look() -> None:
    one, two = new_account(), new_account()
    match = running_match("pyramid_poker", one, two, opener=one)
    before = repository.version_of(match.id)
    for account in (one, two, new_account()):
        assert client_of(account).post(f"/m/{match.code}/look").status_code in (403, 404)
        assert client_of(account).get(f"/m/{match.code}/replay/?as=host").status_code == 404
    assert client_of(None).post(f"/m/{match.code}/look").status_code == 302
    assert repository.version_of(match.id) == before


@pytest.mark.parametrize(
    ("slug", "scheme"),
    in_both_schemes(["peeling_the_banana", "pentagram", "reality_benders"], always=["reality_benders"]),
)
@pytest.mark.slow
def test_the_replay_is_sound_and_fits_a_phone(visitors: Visitors, slug: str, scheme: str) -> None:
    one, two = new_account(), new_account()
    match = running_match(slug, one, two)
    play_on(match, 12, Random(3))
    page = opened(visitors.page(one), match, 12)
    assert refused(page, scheme) == []
    page.set_viewport_size(NARROW)
    assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    stays_under_a_finger(page, page.locator("#scrub"))


def stays_under_a_finger(page: Page, scrub: Locator) -> None:
    """The scrubber lies where it lay while it leads through the events."""
    scrub.evaluate("it => it.scrollIntoView({ block: 'center' })")
    before = scrub.bounding_box()
    for version in ("11", "9", "4"):
        scrub.fill(version)
        expect(page.locator("#place")).to_contain_text(f"{version} /")
    assert scrub.bounding_box() == before


@pytest.fixture(scope="module")
def short() -> tuple[Match, Account]:
    """A match in which somebody resigns soon."""
    one = new_account()
    match = running_match("pyramid_poker", one, new_account())
    play_on(match, 3, Random(4))
    playing.submit(match_id=match.id, seat=0, player=str(one.id), command=playing.Typed("resign"), key="r",
                    fingerprint=b"")  # fmt: skip
    return match, one


def shown_version(page: Page) -> int:
    return int(page.locator("#replay").get_attribute("data-version") or 0)


@pytest.mark.slow
def test_a_replay_plays_by_itself_from_the_beginning_of_play_to_the_end(
    visitors: Visitors, short: tuple[Match, Account]
) -> None:
    match, one = short
    newest = repository.version_of(match.id)
    began = next(row.version for row in store.read(match.id) if row.type == "match_started")
    page = visitors.page(one)
    page.goto(f"/m/{match.code}/")
    page.get_by_role("radio", name="Log").check()
    page.get_by_role("region", name="What has happened").get_by_role("link", name="Watch the replay").click()
    at(page, began)
    page.get_by_label("4×").check()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    wait_until(lambda: shown_version(page) == newest)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert f"/replay/{newest}/" in page.url and "play" not in page.url.split("?")[1]


@pytest.mark.slow
def test_replay_moves_only_while_it_is_played(visitors: Visitors, finished: tuple[Match, Account]) -> None:
    match, one = finished
    page = opened(visitors.page(one), match, 20)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.get_by_label("4×").check()
    page.locator("#stage").click()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    wait_until(lambda: shown_version(page) > 22)
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    stood = shown_version(page)
    page.wait_for_function("new Promise((done) => setTimeout(() => done(true), 900))")
    assert abs(shown_version(page) - stood) <= 1, "The step back may be shown a moment later; nothing else is."


@pytest.mark.slow
def test_chapters_and_moments_link_to_their_beginning(visitors: Visitors, finished: tuple[Match, Account]) -> None:
    match, one = finished
    begun = {row.type: row.version for row in store.read(match.id)}
    page = opened(visitors.page(one), match, 3)
    page.get_by_role("link", name="Taking down").click()
    at(page, begun["construction_finished"])
    expect(page.locator(".chapters [aria-current]")).to_have_attribute("aria-label", "Taking down")
    page.keyboard.press("[")
    at(page, begun["match_started"])
    page.keyboard.press("]")
    at(page, begun["construction_finished"])
    page.locator(".moments").get_by_role("link", name="Speak up.").click()
    at(page, begun["ruling_posted"])


@pytest.mark.slow
def test_audit_tab_shows_the_whole_event(visitors: Visitors, finished: tuple[Match, Account]) -> None:
    match, one = finished
    row = store.read(match.id)[11]
    page = opened(visitors.page(one), match, 11)
    expect(page.locator("#hash")).to_be_hidden()
    page.get_by_role("radio", name="Audit").check()
    page.locator("#stage").click()
    page.keyboard.press("k")
    at(page, row.version)
    expect(page.locator("#hash")).to_have_text(row.hash.hex())
    expect(page.locator("#hash")).to_be_visible()
    expect(page.get_by_role("region", name="Event as JSON")).to_contain_text(f'"type": "{row.type}"')
    expect(page.locator("#chain")).to_contain_text("Hash chain intact")


@pytest.mark.slow
def test_board_and_film_bar_are_in_sight_without_scrolling(visitors: Visitors, finished: tuple[Match, Account]) -> None:
    match, one = finished
    page = visitors.page(one)
    opened(page, match, 40)
    root = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    for wide, high in [(1440, 900), (1366, 768), (390, 844), (844, 390)]:
        page.set_viewport_size({"width": wide, "height": high})
        assert page.evaluate(root) == [wide, high]
        for tab in ("Story", "See it as", "Audit"):
            page.get_by_role("radio", name=tab).check()
            for part in ("#board > svg", "#run", "#scrub"):
                box = page.locator(part).bounding_box()
                assert box and box["width"] > 20 and box["x"] >= 0 and box["y"] >= 0, (wide, tab, part)
                assert box["x"] + box["width"] <= wide and box["y"] + box["height"] <= high, (wide, tab, part)


@pytest.mark.slow
def test_parts_beside_a_banana_are_in_sight_in_its_replay(visitors: Visitors) -> None:
    match = running_match("peeling_the_banana", one := new_account(), new_account())
    play_on(match, 12, Random(3))
    page = opened(visitors.page(one), match, 12)
    for size in ((1440, 900), (1366, 768), (390, 844), (844, 390)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for tab in ("play", "play deck", "play shop") if size[0] < 900 else ("play",):
            page.locator(f"#tabs [value='{tab}']").check()
            assert page.evaluate(OUT_OF_SIGHT) == [], (size, tab)


OUT_OF_SIGHT = """() => [...document.querySelectorAll("#run, #board > svg, .part [data-cell]")].filter((it) => {
  const [box, room] = [it, it.closest(".play-side") ?? document.body].map((one) => one.getBoundingClientRect());
  return box.width && (box.top < room.top - 1 || box.bottom > room.bottom + 1 || box.right > innerWidth + 1);
}).map((it) => it.dataset.cell ?? it.id)"""
"""Elements outside the edge of the page or of the dock."""


def test_game_without_chapters_is_divided_by_turns() -> None:
    one = new_account()
    match = running_match("pentagram", one, new_account())
    play_on(match, 24, Random(3))
    page = client_of(one).get(f"/m/{match.code}/replay/{repository.version_of(match.id)}/").content.decode()
    names = re.findall(r"<title>((?:Turn|Sitting)[^<]*)</title>", page)
    assert names[:2] == ["Sitting down", "Turn 1"]
    assert 2 < len(names) <= 9


def test_badge_reports_a_changed_record(monkeypatch: pytest.MonkeyPatch) -> None:
    one = new_account()
    match = running_match("pyramid_poker", one, new_account())
    play_on(match, 6, Random(5))
    version = repository.version_of(match.id)
    address = f"/m/{match.code}/replay/{version}/"
    assert f"Hash chain intact, {version} events" in client_of(one).get(address).content.decode()
    export = audit.export

    def changed(match_id: UUID, witness: Witness) -> Iterator[bytes]:
        for number, line in enumerate(export(match_id, witness)):
            yield line.replace(b'"seat":0', b'"seat":1') if number == 5 else line

    play_on(match, 1, Random(5))
    monkeypatch.setattr(audit, "export", changed)
    page = client_of(one).get(address).content.decode()
    assert "Hash chain broken" in page
    assert "Hash chain intact" not in page
