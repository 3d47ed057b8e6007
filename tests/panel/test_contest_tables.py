"""The panel's dialogs that set a contest as the main match: which one, and at how many tables."""

from html import unescape

import pytest

from games.contest.presets import PRESETS, load
from matches.seasons.domain.result_rules import ASKS, ResultRules
from tests.api.seasons import Cup
from tests.contests.contents import new_contest, published
from tests.pages import as_read
from tests.panel.seasons import Bureau, bureau
from tests.seasons.contest_play import set_contest
from tests.table_setting import new_account

NAME, TITLE = "quiet_shore", "The Quiet Shore"


@pytest.fixture
def office() -> Bureau:
    """A season with an open episode, before its organiser."""
    cup = Cup(10)
    cup.did("/episodes", {"title": "First"})
    return bureau(cup)


def players(office: Bureau) -> list[str]:
    return office.season.living


def test_dialog_lists_every_contest_with_summary_seats_and_rounds(office: Bureau) -> None:
    page = office.page()
    for preset in PRESETS:
        assert page.count(f'name="contest" value="{preset}"') == page.count(f'value="{NAME}"')
        assert load(preset).title in page
    assert "The council has no chair, so each week it makes one." in page
    assert "5 to 13 players, 7 rounds." in " ".join(page.split())


def test_contest_of_the_address_is_chosen_and_the_dialog_is_open(office: Bureau) -> None:
    author = office.official
    own = new_contest(author, title="The Attic Sale")
    for reference in (NAME, f"{own.id}@1", str(own.id)):
        page = unescape(as_read(office.desk.get(office.address, contest=reference)))
        assert f'value="{reference}" checked' in page and 'value="contest" selected' in page
        assert (
            page.count("data-open>") == 1
            and 'id="act-table" class="act" aria-labelledby="act-table-title" data-open' in page
        )
    refused = unescape(as_read(office.desk.get(office.address, contest="loud_shore")))
    assert "There is no such contest" in refused and "data-open>" not in refused
    assert "data-open>" not in office.page()


def test_own_contests_are_listed_first_and_others_are_found_by_a_search(office: Bureau) -> None:
    own, other = new_contest(office.official, title="The Attic Sale"), new_account()
    public = published(other, title="The Cellar Sale")
    page = office.page()
    assert page.index(f"{own.id}@1") < page.index(f'value="{NAME}"') < page.index("Contests of others in the library")
    listed = office.desk.read(f"{office.address}contests/", find="cellar", contest=f"{own.id}@1")
    assert f"{public.id}@1" in listed and f'value="{own.id}@1" checked' in listed and NAME not in listed
    for contest in ("", NAME):
        nothing = office.desk.read(f"{office.address}contests/", find="zzz", contest=contest)
        assert "No contest has this text" in nothing and ("checked" in nothing) == bool(contest)
    assert office.desk.get(f"{office.address}contests/", shelf="own", start="-1").status_code == 200


def test_long_list_of_contests_is_shown_in_pages(office: Bureau) -> None:
    for number in range(25):
        new_contest(office.official, title=f"Sale {number}")
    page = office.page()
    assert "Sale 24" in page and "Sale 1<" not in page and "shelf=own&start=24&find=" in page
    more = office.desk.read(f"{office.address}contests/", shelf="own", start="24", find="")
    assert more.count('name="contest"') == 1 and "Show more" not in more


def test_preview_shows_the_chosen_contest_before_the_rest_is_filled_in(office: Bureau) -> None:
    preview = office.foresees("table", game="contest", contest=NAME, clocks="own")
    content = load(NAME)
    assert f"{TITLE}</b>: 5 to 30 players, 9 rounds, at most 9 days." in preview and "<details open>" in preview
    for of_round in content.rounds:
        assert of_round.title in preview and f"round {of_round.name} {of_round.seconds} 0 1" in preview
    assert "Partners by Chance" in office.foresees("table", game="contest", clocks="game")
    assert "at most" not in office.foresees("table", game="pentagram", clocks="game")


def test_published_contest_with_secrets_has_a_warning_in_the_preview(office: Bureau) -> None:
    sent = {"game": "contest", "clocks": "game", "players": players(office)[:6]}
    assert "Every account can read the secret rounds" in office.foresees("table", contest="sealed_almanac", **sent)
    assert "Every account can read" not in office.foresees("table", contest=NAME, **sent)


def test_chosen_contest_is_set_at_one_table_and_drawn_to_two(office: Bureau) -> None:
    people = players(office)
    table = {"game": "contest", "contest": NAME, "clocks": "game"}
    assert office.did("table", players=people[:6], **table) == ["main_match_scheduled"]
    assert office.did("annul", match=next(iter(office.season.matches)), reason="A test.") == ["match_annulled"]
    preview = office.foresees("draw-tables", count=2, **table)
    assert "10 players are drawn to tables of 5 and 5 for The Quiet Shore." in preview
    types = office.did("draw-tables", count=2, **table)
    assert types == ["seating_asked", "seating_drawn", "main_match_scheduled", "main_match_scheduled"]
    assert {it.contest.preset for it in office.season.matches.values() if it.contest} == {NAME}
    assert office.page().count(TITLE) > 2


def test_contest_for_too_few_players_is_refused_with_its_seats(office: Bureau) -> None:
    answer = office.foresees(
        "table", players=players(office)[:3], game="contest", contest="council_of_seals", clocks="game"
    )
    assert "This contest is for 5 to 13 players, not for 3." in answer


def test_clocks_of_a_contest_are_typed_with_their_whole_names(office: Bureau) -> None:
    people = players(office)
    sent = {"game": "contest", "contest": NAME, "clocks": "own", "times": f"round {load(NAME).rounds[0].name} 600 0 1"}
    assert office.did("table", players=people[:6], **sent) == ["main_match_scheduled"]


def test_unknown_contest_is_named_in_the_form(office: Bureau) -> None:
    sent = {"game": "contest", "contest": "loud_shore", "clocks": "game"}
    assert office.send("table", players=players(office)[:6], **sent).status_code == 422
    assert "There is no such contest" in office.foresees("table", players=players(office)[:6], **sent)


def test_rules_of_the_result_are_set_with_the_tables_and_told_in_the_preview(office: Bureau) -> None:
    people, by_place = players(office), "3, 1"
    sent = {"game": "contest", "contest": NAME, "clocks": "game", "players": people[:6]}
    rules = {"winners": "best", "best": 2, "losers": "left", "by_place": by_place}
    preview = office.foresees("table", **sent, **rules)
    assert "The first 2 places win, whoever drops out loses, or if nobody does the last place loses" in preview
    assert "garnets by place: 3, 1." in preview
    office.did("table", **sent, **rules)
    (table,) = office.season.matches.values()
    assert table.results == ResultRules(best=2, losers="left", by_place=(3, 1))


def test_garnets_by_place_that_are_no_numbers_are_refused(office: Bureau) -> None:
    sent = {"game": "contest", "contest": NAME, "clocks": "game", "players": players(office)[:6]}
    assert "Write whole numbers from 0 to" in office.foresees("table", **sent, by_place="three")


@pytest.mark.parametrize("field", ResultRules.__struct_fields__)
def test_form_has_a_field_with_the_default_of_each_rule_of_the_result(field: str, office: Bureau) -> None:
    office.did("table", game="contest", contest=NAME, clocks="game", players=players(office)[:6])
    (table,) = office.season.matches.values()
    assert table.results == ResultRules()
    assert f'name="{field}"' in office.page() and ASKS[field].label in office.page()


def test_game_without_rules_of_the_result_is_recorded_by_hand(office: Bureau) -> None:
    office.did("table", game="pentagram", clocks="none", players=players(office)[:3])
    (table,) = office.season.matches.values()
    assert table.results is None


def test_prepared_result_is_the_due_step_and_is_approved_by_its_button() -> None:
    cup = Cup(5)
    cup.did("/episodes", {"title": "First"})
    table = set_contest(cup, 5)
    table.play_out()
    office = bureau(cup)
    page = office.page()
    assert "The result is prepared by its rules. Approve it, or record another one." in page
    assert "won the main match (Two Votes)." in office.foresees("approve", match=table.match)
    assert office.did("approve", match=table.match)[0] == "main_match_recorded"
    assert "won Two Votes." in office.page()


def test_second_table_is_offered_with_the_rules_of_the_first_one(office: Bureau) -> None:
    people = players(office)
    sent = {"game": "contest", "contest": NAME, "clocks": "game", "worst": "2"}
    office.did("table", players=people[:5], **sent)
    page = office.page()
    assert all(f'data-opens="act-{act}"' in page for act in ("table", "tables", "draw-tables"))
    assert office.did("table", players=people[5:], **sent) == ["main_match_scheduled"]
