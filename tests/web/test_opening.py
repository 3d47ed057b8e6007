"""Opening a match by form, invitations, the start, and the rules page."""

import html
import re
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from games import catalogue
from games.kernel import to_json
from matches.html import options_form
from matches.models import Account, Match
from matches.reads import entitlements
from matches.storage import repository
from tests.pages import as_read
from tests.table_setting import BOT, api, new_account, running_match, waiting_match


@pytest.fixture
def me() -> Account:
    return new_account()


@pytest.fixture
def client(me: Account) -> Client:
    return at_home(me)


def at_home(account: Account | None = None) -> Client:
    client = Client(headers={"host": "localhost"})
    if account is not None:
        client.force_login(account)
    return client


def as_sent(slug: str) -> dict[str, str]:
    """The options' part of the form, as a browser sends it untouched."""
    data = {}
    for field in options_form.fields_of(slug):
        if field.kind == "counts":
            data |= {f"{field.input}-{key}": number for key, number in field.counts}
        elif field.kind != "check" or field.value:
            data[field.input] = field.value
    return data


def opened_by(account: Account) -> Match:
    return Match.objects.get(opened_by=account)


def options_of(match: Match) -> dict[str, Any]:
    return entitlements.lifecycle_for(match.id, None).opened.options


@pytest.mark.parametrize("slug", sorted(catalogue))
def test_one_post_opens_and_starts_a_match_against_the_bot(client: Client, me: Account, slug: str) -> None:
    answer = client.post(f"/open/{slug}/friendly")
    match = opened_by(me)
    assert answer.headers["Location"] == f"/m/{match.code}/"
    assert match.status == "running"
    bots = [seat.is_bot for seat in match.seats.order_by("number")]
    assert bots == [False] + [True] * (catalogue[slug].seats.min - 1)
    assert repository.load(match.id).clocks.times == {}


@pytest.mark.parametrize("slug", sorted(catalogue))
def test_unchanged_form_gives_the_default_options(client: Client, me: Account, slug: str) -> None:
    assert client.get(f"/open/{slug}").status_code == 200
    assert client.post(f"/open/{slug}", as_sent(slug) | {"seat-0": "me", "seat-1": "bot"}).status_code == 302
    assert options_of(opened_by(me)) == to_json(catalogue[slug].read_options({}))


@pytest.mark.parametrize("slug", sorted(catalogue))
def test_form_explains_every_option(client: Client, slug: str) -> None:
    page = client.get(f"/open/{slug}").content.decode()
    for name in to_json(catalogue[slug].read_options({})):
        assert f'name="option-{name}' in page
        hint = re.search(rf'id="hint-option-{name}">([^<]*)<', page)
        assert hint and len(hint[1].strip()) > 10, name


@pytest.mark.parametrize(
    ("slug", "place", "value", "words"),
    [
        ("pyramid_poker", "option-base", "7", "base is 8 to 12 spaces, not 7."),
        ("pyramid_poker", "option-base", "eight", "Give a whole number."),
        ("pyramid_poker", "option-base", "9" * 5000, "Give a whole number."),
        ("pentagram", "option-end", "never", "never"),
        ("pentagram", "option-target", "0", "target is 1 to"),
        ("peeling_the_banana", "option-deck-domino", "21", "deck.domino is a whole number from 0 to 20, not 21."),
        ("peeling_the_banana", "option-board", "#.x", "a row is made of"),
        ("higher_or_lower", "option-boards", "{", "This is no JSON"),
        ("higher_or_lower", "option-boards", "[" * 5000, "This is no JSON"),
        ("higher_or_lower", "option-boards", "{}", "boards"),
        ("reality_benders", "option-rules", "A>D\nA>D", "No entry of rules may stand there twice."),
    ],
)
def test_invalid_option_is_named_at_its_field_and_opens_no_match(
    client: Client, me: Account, slug: str, place: str, value: str, words: str
) -> None:
    sent = as_sent(slug) | {"seat-0": "me", "seat-1": "bot", place: value}
    field = re.sub(r"^(option-[a-z_]+).*", r"\1", place)
    for path, status in ((f"/open/{slug}", 422), (f"/open/{slug}/check", 200)):
        answer = client.post(path, sent)
        assert answer.status_code == status
        fault = re.search(rf'id="fault-{field}"[^>]*>([^<]*)<', answer.content.decode())
        assert fault and words in html.unescape(fault[1])
    assert not Match.objects.filter(opened_by=me).exists()


def test_refused_form_keeps_what_was_typed(client: Client) -> None:
    sent = as_sent("pentagram") | {"seat-0": "bot", "seat-1": "player", "seat-1-name": "no <one>", "clocks": "own",
                                   "clock-turn-base": "77", "priority": "1", "approval": "on"}  # fmt: skip
    page = as_read(client.post("/open/pentagram", sent | {"option-workers": "61"}))
    for part in ('value="no &lt;one&gt;"', 'value="61"', 'value="77"', 'value="own" checked', 'name="approval" checked',
                 '<option value="1" selected>Seat B', '<option value="bot" selected'):  # fmt: skip
        assert part in page, part
    assert "Nobody of this name has an account here." in page


def test_large_integers_are_kept_exactly(client: Client, me: Account) -> None:
    large = 10**30
    sent = as_sent("pentagram") | {"seat-0": "me", "seat-1": "bot", "option-target": str(large)}
    assert client.post("/open/pentagram", sent).status_code == 302
    assert options_of(opened_by(me))["target"] == str(large)


@pytest.mark.parametrize(
    ("clocks", "times"),
    [
        ({"clocks": "none"}, {}),
        ({"clocks": "game"}, {"choice": (86400, 0, 1), "turn": (60, 300, 1)}),
        (
            {"clocks": "own", "clock-turn-base": "30", "clock-turn-reserve": "10", "clock-turn-increment": "5"},
            {"choice": (86400, 0, 1), "turn": (30, 10, 5)},
        ),
    ],
)
def test_clocks_are_as_chosen(
    client: Client, me: Account, clocks: dict[str, str], times: dict[str, tuple[int, int, int]]
) -> None:
    client.post("/open/pyramid_poker", {"seat-0": "me", "seat-1": "bot"} | clocks)
    times_set = repository.load(opened_by(me).id).clocks.times
    assert {name: (t.base, t.reserve, t.increment) for name, t in times_set.items()} == times


@pytest.mark.parametrize(
    "wrong",
    [{"clock-turn-base": "-1"}, {"clock-turn-increment": "0"}, {"clock-turn-base": "x"}, {"clock-turn-base": ""}],
)
def test_wrong_clocks_are_refused_with_a_sentence(client: Client, me: Account, wrong: dict[str, str]) -> None:
    answer = client.post("/open/pyramid_poker", {"seat-0": "me", "seat-1": "bot", "clocks": "own"} | wrong)
    assert answer.status_code == 422
    assert 'class="notice error"' in answer.content.decode()
    assert not Match.objects.filter(opened_by=me).exists()


@pytest.mark.parametrize(
    "wrong",
    [{"seat-0": "me", "seat-1": "me"}, {"seat-1": "dragon"}, {"priority": "5"}, {"priority": "x"},
     {"spectator_delay": "99999"}, {"spectator_delay": "-1"}, {"seat-1": "player", "seat-1-name": "\0"}],
)  # fmt: skip
def test_match_with_invalid_seats_is_refused(client: Client, me: Account, wrong: dict[str, str]) -> None:
    answer = client.post("/open/pyramid_poker", {"seat-0": "me", "seat-1": "bot"} | wrong)
    assert answer.status_code in (400, 422)
    assert not Match.objects.filter(opened_by=me).exists()


def test_the_form_and_the_api_write_the_same_opening(client: Client, me: Account) -> None:
    seats = [{"player": str(me.id)}, {"player": "bot"}]
    client.post("/open/pyramid_poker", as_sent("pyramid_poker") | {"seat-0": "me", "seat-1": "bot", "approval": "on"})
    by_form = opened_by(me)
    body = {"game": "pyramid_poker", "seats": seats, "options": {"base": 8}, "approval": True}
    answer = api(me).post("matches", body)
    by_api = Match.objects.get(id=answer.json()["id"])
    stories = [entitlements.lifecycle_for(match.id, None).opened for match in (by_form, by_api)]
    openings = [{k: v for k, v in to_json(story).items() if k != "seed_commitment"} for story in stories]
    assert openings[0] == openings[1]


def test_invitation_gives_its_seat_once_and_stays_secret(client: Client, me: Account) -> None:
    client.post("/open/pyramid_poker", {"seat-0": "me", "seat-1": "invite"})
    match = opened_by(me)
    page = client.get(f"/m/{match.code}/seats").content.decode()
    link = re.search(r'value="http://localhost(/j/[^"]+)"', page)
    assert link
    # nobody else sees it, the guest takes the seat, and it is of no more use
    guest, late = new_account(), new_account()
    assert link[1] not in at_home(guest).get(f"/m/{match.code}/seats").content.decode()
    assert "Take the seat" in at_home(guest).get(link[1]).content.decode()
    assert at_home(guest).post(link[1]).headers["Location"] == f"/m/{match.code}/seats"
    assert at_home(guest).get(link[1]).status_code == 302
    refused = at_home(late).post(link[1])
    assert refused.status_code == 422 and "not valid, or its seat is taken" in refused.content.decode()
    assert link[1] not in client.get(f"/m/{match.code}/seats").content.decode()


def test_only_the_host_starts_and_only_a_full_table(client: Client, me: Account) -> None:
    guest = new_account()
    half = waiting_match("pyramid_poker", guest, None, opener=me)
    full = waiting_match("pyramid_poker", guest, BOT, opener=me)
    assert at_home(guest).post(f"/m/{full.code}/seats/start").status_code == 403
    assert client.post(f"/m/{half.code}/seats/start").status_code == 409
    assert client.post(f"/m/{full.code}/seats/start").headers["Location"] == f"/m/{full.code}/"
    assert client.get(f"/m/{full.code}/seats").headers["Location"] == f"/m/{full.code}/"


@pytest.mark.parametrize("slug", sorted(catalogue))
def test_the_rules_are_a_page_with_every_heading_and_no_markup_of_their_own(slug: str) -> None:
    page = at_home().get(f"/games/{slug}").content.decode()
    for heading in re.findall(r"^## (.+)$", catalogue[slug].readme, re.MULTILINE):
        assert re.search(rf'<h2 id="[a-z0-9-]+">{html.escape(heading)}</h2>', page), heading


def test_rules_show_how_a_match_differs(client: Client, me: Account) -> None:
    match = running_match("pyramid_poker", me, BOT, options={"base": 10})
    page = client.get(f"/games/pyramid_poker?match={match.code}").content.decode()
    assert f"In match {match.code}" in page and "<strong>10</strong>" in page
    assert client.get(f"/games/pentagram?match={match.code}").status_code == 404


WARNED = "play begins at once when both have locked in, and the clock then plays for whoever isn&#x27;t there"


def test_a_match_is_opened_for_a_time_by_the_clock_of_its_opener(client: Client, me: Account) -> None:
    Account.objects.filter(id=me.id).update(time_zone="Asia/Tokyo")
    tomorrow = (timezone.now() + timedelta(days=3)).replace(second=0, microsecond=0, tzinfo=None)
    page = client.get("/open/higher_or_lower").content.decode()
    assert "Opens at (Asia/Tokyo)" in page and WARNED in page
    sent = as_sent("higher_or_lower") | {"seat-0": "me", "seat-1": "bot", "setup_closes": "30"}
    answer = client.post("/open/higher_or_lower", sent | {"opens_at": f"{tomorrow:%Y-%m-%dT%H:%M}"})
    match = opened_by(me)
    assert answer.headers["Location"] == f"/m/{match.code}/seats"
    assert match.opens_at == tomorrow.replace(tzinfo=ZoneInfo("Asia/Tokyo"))
    assert match.starts_at == match.opens_at - timedelta(days=1, minutes=30)
    assert match.status == "waiting", "it starts by itself"
    assert WARNED not in client.get(f"/m/{match.code}/seats").content.decode()


@pytest.mark.parametrize("time", ["2027-03-28T02:30", "2027-10-31T02:30"])
def test_opening_form_refuses_skipped_and_repeated_local_times(client: Client, me: Account, time: str) -> None:
    Account.objects.filter(id=me.id).update(time_zone="Europe/Vienna")
    sent = as_sent("pyramid_poker") | {"seat-0": "me", "seat-1": "invite", "opens_at": time}
    answer = client.post("/open/pyramid_poker", sent)
    assert answer.status_code == 422
    assert "The clocks of Europe/Vienna skip this time or show it twice, as they change." in as_read(answer)
    assert not Match.objects.filter(opened_by=me).exists()


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        ("opens_at", "soon", "Opens at: Write a day and a time"),
        ("opens_at", "0001-01-01T00:00", "Opens at: A match is scheduled for an instant within the coming year."),
        ("opens_at", "2001-01-01T20:00", "within the coming year"),
        ("setup_closes", "10081", "Setup closes: Give at most 10080 minutes."),
        ("setup_closes", "-1", "Setup closes: Give a whole number, 0 or more."),
    ],
)
def test_invalid_time_is_refused_in_words(client: Client, me: Account, place: str, value: str, words: str) -> None:
    Account.objects.filter(id=me.id).update(time_zone="Asia/Tokyo")
    sent = as_sent("higher_or_lower") | {"seat-0": "me", "seat-1": "invite", place: value}
    answer = client.post("/open/higher_or_lower", sent)
    assert answer.status_code == 422 and words in as_read(answer)
    assert not Match.objects.filter(opened_by=me).exists()


@pytest.mark.parametrize(("clocks", "warned"), [("game", True), ("none", False)])
def test_seats_page_without_an_agreed_time_warns_of_the_clock(
    client: Client, me: Account, clocks: str, warned: bool
) -> None:
    client.post(
        "/open/higher_or_lower", as_sent("higher_or_lower") | {"seat-0": "me", "seat-1": "invite", "clocks": clocks}
    )
    match = opened_by(me)
    assert (WARNED in client.get(f"/m/{match.code}/seats").content.decode()) == warned
    assert "plays for whoever" not in client.get("/open/pentagram").content.decode()


def test_allowed_tools_are_shown_beside_the_aids(client: Client, me: Account) -> None:
    for slug in ("reality_benders", "pentagram"):
        match = waiting_match(slug, me, BOT, opener=me)
        tools = catalogue[slug].tools
        assert tools in as_read(client.get(f"/m/{match.code}/seats"))
        running = running_match(slug, me, BOT)
        assert tools in as_read(client.get(f"/m/{running.code}/"))
        assert api(me).get(f"/games/{slug}").json()["tools"] == tools


def test_open_seat_is_in_the_lobbies_of_others_until_it_is_taken(client: Client, me: Account) -> None:
    client.post("/open/pyramid_poker", as_sent("pyramid_poker") | {"seat-0": "me", "seat-1": "anybody"})
    match, other, third = opened_by(me), new_account(), new_account()
    seat = {"seat": "1"}
    for page in ("/", "/seats", "/seats?game=pyramid_poker"):
        assert match.code in as_read(at_home(other).get(page))
    assert "Sit down" in as_read(at_home(other).get(f"/m/{match.code}/seats"))
    assert "Sit down" not in as_read(client.get(f"/m/{match.code}/seats"))
    answer = at_home(other).post(f"/m/{match.code}/seats/take", seat)
    assert answer.url == f"/m/{match.code}/seats"
    assert match.seats.get(number=1).account == other
    late = at_home(third).post(f"/m/{match.code}/seats/take", seat, follow=True)
    assert "Seat 1 is taken." in as_read(late)
    assert match.code not in as_read(at_home(third).get("/seats"))


def test_named_seat_is_shown_to_the_named_and_its_opener_changes_it(client: Client, me: Account) -> None:
    named, other = new_account(), new_account()
    sent = as_sent("pyramid_poker") | {"seat-0": "me", "seat-1": "named"}
    wrong = client.post("/open/pyramid_poker", sent | {"seat-1-name": f"{named.username}, nobody of all"})
    assert (wrong.status_code, "Nobody here is called nobody of all." in as_read(wrong)) == (422, True)
    assert "with commas between them" in as_read(client.post("/open/pyramid_poker", sent))
    client.post("/open/pyramid_poker", sent | {"seat-1-name": named.username})
    match = opened_by(me)
    table, change = f"/m/{match.code}/seats", f"/m/{match.code}/seats/open"
    assert match.code in as_read(at_home(named).get("/"))
    assert match.code not in as_read(at_home(other).get("/"))
    assert at_home(other).post(change, {"seat": "1", "open_to-1": "anybody"}).status_code == 403
    client.post(change, {"seat": "1", "open_to-1": "anybody"})
    assert "Sit down" in as_read(at_home(other).get(table))
    client.post(change, {"seat": "1", "open_to-1": "named", "names": "nobody of all"})
    assert "Sit down" in as_read(at_home(other).get(table)), "What is refused changes nothing."
    client.post(change, {"seat": "1", "open_to-1": ""})
    assert "Sit down" not in as_read(at_home(named).get(table))
    refused = at_home(named).post(f"{table}/take", {"seat": "1"}, follow=True)
    assert "open to you" in as_read(refused)
    assert "The seats at this table are" in as_read(at_home(named).post(f"{table}/take", {"seat": "x"}, follow=True))
