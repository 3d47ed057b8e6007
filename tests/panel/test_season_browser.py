"""A season in a browser: an episode by the panel alone is the same record as one over REST; every view is sound."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from playwright.sync_api import expect

from events import store
from games import catalogue
from games.kernel import to_json
from matches.models import Account, Match
from matches.seasons import repository as season_repository
from matches.services import playing
from matches.storage import repository
from tests.api.guests import Guest, guest
from tests.api.seasons import Cup, deliver
from tests.panel import season_script as script
from tests.panel.hands import Hands
from tests.panel.season_script import Clerk, Person, plain_events
from tests.panel.seasons import account_of
from tests.table_setting import new_account, new_token
from tests.web.layout import misplaced
from tests.web.site import PASSWORD, Visitors, member
from tests.web.soundness import in_both_schemes, refused


class Office(Hands):
    """Hands beside which no worker runs: the house's part is done for them."""

    def _at_work(self, room: str, place: int) -> None:
        match = Match.objects.get(code=room.rstrip("/").split("/")[-2])
        while not repository.load(match.id).outcome:
            playing.attend(match_id=match.id)
        deliver()
        super()._at_work(room, place)


@pytest.mark.slow
def test_episode_by_the_panel_gives_the_events_of_rest(visitors: Visitors) -> None:
    organiser = new_account(is_organiser=True)
    people = [Person(str(it.id), it.username) for it in (new_account() for _ in range(4))]
    hands = Office(visitors.page(organiser), people)
    season = hands.open_season("A cup")
    script.enrolment(hands, people)
    left = script.first_episode(hands, people)
    assert len(left) == 3 and hands.due() == "Next episode"

    guest = Guest(new_token(organiser), organiser)

    def post(path: str, body: Any) -> Any:
        answer = guest.post(path, body, Idempotency_Key=str(uuid4()))
        assert answer.status in (200, 201), answer.body
        return answer.json

    again = post("/seasons", {"title": "A cup"})["season"]
    clerk = Clerk(again, hands.winners, post, lambda path: guest.get(path).json, lambda match: deliver())
    script.enrolment(clerk, people)
    script.first_episode(clerk, people)

    names = {str(organiser.id): "organiser", **{it.id: it.name for it in people}}
    by_panel, by_rest = (
        plain_events(guest.get(f"/seasons/{it}/events", {"limit": 500}).json["results"], names)
        for it in (season, again)
    )
    assert by_panel[-1]["type"] == "episode_closed"
    assert by_panel == by_rest


@pytest.fixture(scope="module")
def scenes() -> dict[str, tuple[Account, str, str]]:
    """Each view with who looks at it, where it is, and the dialog that is opened there."""
    cup = Cup(5, bans_each=1)
    candidate = cup.main_match()
    boss, ec = account_of(cup.organiser), account_of(candidate)
    duel = Cup(5, organiser=cup.organiser)
    match = Match.objects.get(id=duel.death_match())
    seated = match.seats.get(number=1).account
    seated_guest = duel.player(str(seated.id))
    seated_guest.post(f"/matches/{match.id}/appeals", {"kind": "clock", "text": "My connection was away."})
    duel.did("/rulings", {"text": "A tie is replayed.", "match": str(match.id)})
    room, other = f"/admin/seasons/{cup.id}/", f"/admin/seasons/{duel.id}/"
    coming = Cup(1, organiser=cup.organiser)
    links = [coming.did("/joining-links", {}) and coming.read("/joining-links")["results"][-1]["url"] for _ in range(2)]
    response = guest().post(f"/seasons/joining/{links[0].rpartition('/')[2]}", {}, Idempotency_Key=str(uuid4()))
    assert response.status == 201, response.body
    return {
        "who comes": (boss, f"/admin/seasons/{coming.id}/", ""),
        "opening": (boss, "/admin/seasons/open/", ""),
        "opponent due": (boss, room, "opponent"),
        "duel": (boss, other, "annul"),
        "an auditor's": (account_of(duel.auditor), other, ""),
        "desk with a decision": (ec, f"/seasons/{cup.id}/desk", ""),
        "decision": (ec, f"/seasons/{cup.id}/desk/opponent", ""),
        "desk with a match": (seated, f"/seasons/{duel.id}/desk", ""),
    }


VIEWS = (
    "who comes",
    "opening",
    "opponent due",
    "duel",
    "an auditor's",
    "desk with a decision",
    "decision",
    "desk with a match",
)


@pytest.mark.parametrize(("view", "scheme"), in_both_schemes(VIEWS, always=("opponent due",)))
def test_a_view_is_sound_wide_and_narrow(visitors: Visitors, scenes: dict, view: str, scheme: str) -> None:
    who, address, act = scenes[view]
    page = visitors.page(who)
    # The panel's frame is its framework's own; a page of the site is the house's as a whole.
    part = ".house" if address.startswith("/admin/") else "body"
    page.goto(address)
    if act:
        page.locator(f"[data-opens=act-{act}]").first.click()
        expect(page.locator(f"#act-{act} .foretold")).not_to_be_empty()
    assert refused(page, scheme, part) == []
    assert misplaced(page, (1280, 390)) == []


@pytest.mark.slow
def test_a_long_address_in_a_reason_or_a_ruling_makes_the_room_no_wider(visitors: Visitors) -> None:
    cup, address = Cup(3), f"https://croupier.local/{'x' * 150}"
    cup.did("/rulings", {"text": f"A tie is replayed: {address}"})
    cup.did("/garnets", {"to": cup.players[0].id, "amount": 1, "reason": address})
    page = visitors.page(account_of(cup.organiser))
    page.goto(f"/admin/seasons/{cup.id}/")
    expect(page.get_by_text(f"Award: {address}")).to_be_visible()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_title_is_kept_when_options_are_copied(visitors: Visitors) -> None:
    cup = Cup(0, best_of=1)
    page = visitors.page(account_of(cup.organiser))
    page.goto("/admin/seasons/open/")
    page.locator("#id_title").fill("The & second cup")
    page.get_by_label("Copy the options of").select_option(cup.id)
    with page.expect_navigation():
        page.get_by_role("button", name="Copy").click()
    expect(page.get_by_label("Best of")).to_have_value("1")
    expect(page.locator("#id_title")).to_have_value("The & second cup")


@pytest.mark.slow
def test_refused_act_is_shown_with_its_preview_and_accepted_once_previewed(visitors: Visitors) -> None:
    cup = Cup(4)
    page = visitors.page(account_of(cup.organiser))
    page.goto(f"/admin/seasons/{cup.id}/")
    page.locator("[data-opens=act-rule]").first.click()
    dialog, foretold = page.locator("#act-rule"), page.locator("#act-rule .foretold")
    dialog.locator("[name=text]").fill("A tie is replayed.")
    expect(foretold.locator(".kind")).to_have_text("ruling_posted")
    for text in ("Be kind.", "Be quick."):
        cup.did("/rulings", {"text": text})
        version = season_repository.load(UUID(cup.id)).version
        with page.expect_navigation():
            dialog.locator("button.strong").click()
        expect(dialog).to_contain_text("Somebody acted meanwhile. Read the new preview and press the button again.")
        expect(foretold).to_contain_text(f"after version {version}")
        assert season_repository.load(UUID(cup.id)).version == version
    with page.expect_navigation():
        dialog.locator("button.strong").click()
    expect(page.get_by_text("and in the record")).to_be_visible()


@pytest.mark.slow
def test_signed_out_organiser_has_their_input_after_signing_in(visitors: Visitors) -> None:
    cup, boss = Cup(4), member(is_organiser=True)
    page = visitors.page(boss)
    page.goto(f"/admin/seasons/{cup.id}/")
    page.locator("[data-opens=act-rule]").first.click()
    dialog, foretold = page.locator("#act-rule"), page.locator("#act-rule .foretold")
    page.context.clear_cookies(name="sessionid")
    dialog.locator("[name=text]").fill("A tie is replayed.")
    expect(page.locator("#owner-left")).to_contain_text("You have been signed out.")
    assert "A tie is replayed." not in page.locator("body").inner_text()

    other = page.context.new_page()
    other.goto("/sign-in")
    other.get_by_label("Name").fill(boss.username)
    other.get_by_label("Password").fill(PASSWORD)
    with other.expect_navigation():
        other.get_by_role("button", name="Sign in").click()
    expect(dialog.locator("[name=text]")).to_have_value("A tie is replayed.")
    expect(foretold.locator(".kind")).to_have_text("ruling_posted")
    with page.expect_navigation():
        dialog.locator("button.strong").click()
    expect(page.get_by_text("and in the record")).to_be_visible()


@pytest.mark.slow
def test_options_of_the_chosen_game_are_shown_and_changes_are_set(visitors: Visitors) -> None:
    cup = Cup(4)
    cup.main_match()
    cup.did("/opponents", {"player": cup.living()[-2].id})
    page = visitors.page(account_of(cup.organiser))
    page.goto(f"/admin/seasons/{cup.id}/")
    page.locator("[data-opens=act-death-match]").first.click()
    dialog = page.locator("#act-death-match")
    expect(dialog.get_by_text("They show once a game is chosen.")).to_be_visible()
    for game, label in (("peeling_the_banana", "Turns"), ("reality_benders", "Max bouts"), ("pentagram", "Target")):
        dialog.locator("[name=game]").select_option(game)
        expect(dialog.locator("[data-of]:visible")).to_have_count(1)
        dialog.get_by_text(f"{catalogue[game].title} as it is usually played").click()
        expect(dialog.get_by_label(label, exact=True)).to_be_visible()
    dialog.get_by_label("Target", exact=True).fill("20")
    dialog.get_by_label("End", exact=True).select_option("target")
    dialog.locator("[name=clocks]").select_option("none")
    expect(dialog.locator(".foretold .kind")).to_have_text(["death_match_scheduled"])
    assert refused(page, "dark", "#act-death-match") == []
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert dialog.evaluate("it => it.scrollWidth <= it.clientWidth")
    with page.expect_navigation():
        dialog.locator("button.strong").click()
    opened = repository.load(Match.objects.get(season_id=cup.id).id).lifecycle.opened
    usual = to_json(catalogue["pentagram"].read_options({}))
    assert to_json(opened.options) == usual | {"end": "target", "target": 20}


@pytest.mark.slow
def test_player_decides_and_moves_at_their_desk(visitors: Visitors) -> None:
    cup = Cup(4)
    candidate = cup.main_match()
    chosen = cup.living()[2]
    page = visitors.page(account_of(candidate))
    page.goto(f"/seasons/{cup.id}/desk")
    page.get_by_role("link", name="Choose your opponent (DMO)").click()
    page.get_by_role("radio", name=chosen.name).press("Space")
    expect(page.locator("#confirm")).to_contain_text(f"{chosen.name} is the DMO.")
    page.get_by_role("button", name=f"Choose {chosen.name}").click()
    expect(page.get_by_role("heading", name=f"{chosen.name} is your opponent")).to_be_visible()
    match = cup.set("/death-matches", "pyramid_poker")

    rival = visitors.page(account_of(chosen))
    rival.goto(f"/seasons/{cup.id}/desk")
    expect(rival.locator("#turn-bar")).to_contain_text("Your turn: Choose who starts")
    rival.locator("body[data-ready]").wait_for()
    rival.locator("#choices .choice").first.click()
    expect(rival.locator("#turn-bar")).not_to_contain_text("Choose who starts")
    assert store.head(UUID(match)).version > 4


REFRESH = """desk => new Promise(done => {
  desk.addEventListener("htmx:finally:swap", event => { if (event.target === desk) done(); });
  desk.dispatchEvent(new Event("refresh"));
})"""


@pytest.mark.slow
def test_refreshed_desk_leaves_a_form_alone_while_it_is_filled_in(visitors: Visitors) -> None:
    cup = Cup(4)
    page = visitors.page(account_of(cup.players[0]))
    page.goto(f"/seasons/{cup.id}/desk")
    desk = page.locator("#desk")
    desk.get_by_text("Give garnets").click()
    reason = desk.locator("#gift-reason")
    reason.fill("A promise.")
    reason.press("Tab")
    reason.focus()
    expect(desk.locator("#foretold-garnets [name=expected]")).to_have_count(1)
    cup.did("/rulings", {"text": "A tie is replayed."})
    desk.evaluate(REFRESH)
    expect(reason).to_be_focused()
    expect(reason).to_have_value("A promise.")
    expect(desk.locator("#foretold-garnets [name=expected]")).to_have_count(1)
    assert desk.get_by_text("A tie is replayed.").count() == 0
    desk.locator("summary", has_text="Give garnets").click()
    desk.evaluate(REFRESH)
    expect(desk.get_by_text("A tie is replayed.")).to_be_visible()


@pytest.mark.slow
def test_contest_is_searched_chosen_and_previewed_in_the_dialog_of_a_table(visitors: Visitors) -> None:
    cup = Cup(5)
    cup.did("/episodes", {"title": "First"})
    page = visitors.page(account_of(cup.organiser))
    page.goto(f"/admin/seasons/{cup.id}/?contest=sealed_almanac")
    dialog, foretold = page.locator("#act-table"), page.locator("#act-table .foretold")
    expect(foretold).to_contain_text("The Sealed Almanac: 2 to 30 players")
    dialog.locator("[data-searches]").fill("shore")
    expect(dialog.locator(".shelves label")).to_have_count(2)
    dialog.locator("[data-searches]").press("Enter")
    dialog.get_by_label("The Quiet Shore").check()
    expect(foretold).to_contain_text("The Quiet Shore: 5 to 30 players")
    for box in dialog.locator("[name=players]").all():
        box.check()
    expect(foretold).to_contain_text("main_match_scheduled")
    with page.expect_navigation():
        dialog.locator("button.strong").click()
    (match,) = season_repository.load(UUID(cup.id)).matches.values()
    assert match.contest and match.contest.preset == "quiet_shore"
