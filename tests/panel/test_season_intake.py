"""Intake of a season in the panel: a pasted list with its faults, joining links, late and returning players."""

import re
from datetime import timedelta

from django.utils import timezone

from matches.accounts import erasure
from matches.models import Account
from matches.seasons import arrivals, joining, services
from matches.seasons.domain.intake_acts import Apply
from tests.panel.seasons import Bureau, enrolled, faults_in
from tests.table_setting import new_account

WHY = "It was agreed."


def applied(office: Bureau, account: Account) -> None:
    services.act(
        season_id=office.id,
        by=account,
        decide=Apply(1).decide,
        key="asks",
        fingerprint=b"",
    )


def test_pasted_list_previews_each_line_and_is_entered_as_a_whole() -> None:
    office, _ = enrolled(new_account(is_organiser=True), 1)
    one, two = new_account().username, new_account().username
    text = f"{one}\nnobody.at.all\n{two}\n{one}\nAmara, amara@example.org"
    foreseen = office.foresees("enrol-list", text=text)
    assert "Line 2: No account is called nobody.at.all" in foreseen and "stands in line 1 already." in foreseen
    before = office.version
    refused = office.send("enrol-list", text=text)
    assert refused.status_code == 422 and "Line 4:" in faults_in(refused) and office.version == before
    foreseen = office.foresees("enrol-list", text=text, skip_faulty="on")
    assert f"{one} joined the season." in foreseen and "Link 1 invites one player." in foreseen
    assert office.did("enrol-list", text=text, skip_faulty="on") == [
        "player_enrolled", "garnets_moved", "player_enrolled", "garnets_moved", "joining_opened"
    ]  # fmt: skip
    page = office.page()
    assert "Amara, amara@example.org" in page and "/join/" in page
    assert joining.labels_of(office.id) == {1: "Amara, amara@example.org"}


def test_applicants_by_a_link_are_admitted_or_declined_in_the_room() -> None:
    office, _ = enrolled(new_account(is_organiser=True), 1)
    until = f"{timezone.now() + timedelta(days=2):%Y-%m-%dT%H:%M}"
    assert office.did("open-joining", approval="on", most="20", closes_at=until) == ["joining_opened"]
    one, two = new_account(), new_account()
    for person in (one, two):
        applied(office, person)
    page = " ".join(office.page().split())
    assert "2 applications" in page and f"{one.username}</bdi>" in page and "2 of 20 came by this link" in page
    found = re.search(r'value="[^"]*/join/([\w-]+)"', page)
    assert found and joining.load_joining(found[1]) is not None
    assert office.did("admit", player=str(one.id)) == ["player_enrolled", "garnets_moved"]
    assert office.did("decline", player=str(two.id), reason=WHY) == ["application_declined"]
    where = joining.load_joining(found[1])
    assert where and arrivals.joining_document(two, where).standing == "declined"
    assert office.did("revoke-joining", link="1", reason=WHY) == ["joining_revoked"]
    assert " applications</h3>" not in office.page()


def test_applicant_is_refused_once_their_account_is_erased() -> None:
    office, _ = enrolled(new_account(is_organiser=True), 1)
    office.did("open-joining", approval="on")
    applicant = new_account()
    applied(office, applicant)
    erasure.erase(applicant.id)
    refused = office.send("admit", player=str(applicant.id))
    assert refused.status_code == 422 and "There is no account with this id." in faults_in(refused)
    assert str(applicant.id) not in office.season.players


def test_late_players_returns_and_options() -> None:
    office, people = enrolled(new_account(is_organiser=True), 4)
    late, withdrawn = new_account(), str(people[3].id)
    office.did("withdraw", player=withdrawn, reason=WHY)
    office.did("open-episode", title="First")
    joining_fields = {"player": late.username, "amount": "3", "reason": WHY}
    assert "joined the season late" in office.foresees("enrol-late", **joining_fields)
    assert office.did("enrol-late", **joining_fields) == ["player_joined_late", "garnets_moved"]
    assert office.did("reinstate", player=withdrawn, amount="0", reason=WHY) == ["player_returned"]
    form = office.page().partition('id="act-change-options"')[2].partition("</dialog>")[0]
    assert 'name="reward"' in form and 'name="starting_garnets"' not in form, "what stands isn't offered"
    fields = dict(re.findall(r'<input type="number" name="(\w+)" value="(\d+)"', form)) | {"reason": WHY}
    fields |= dict(re.findall(r'<select name="(\w+)".*?<option value="(\w+)" selected', form, re.DOTALL))
    ticked = re.findall(r'<input type="checkbox" name="(\w+)"[^>]*checked', form)
    fields |= {name: "on" for name in ticked if name != "pool"} | {"pool": list(office.season.options.pool)}
    assert "All of these options are so already." in office.foresees("change-options", **fields)
    assert office.did("change-options", **(fields | {"reward": "5"})) == ["options_changed"]
    assert office.last_event()["changes"] == {"reward": 5}


def test_tables_are_seated_on_the_board_and_waiting_players_drawn() -> None:
    office, people = enrolled(new_account(is_organiser=True), 6)
    office.did("open-episode", title="First")
    page = office.page().partition('id="act-draw-tables"')[2].partition("</dialog>")[0]
    assert page.count('class="card"') == 6 and "Waiting for a seat" in page
    first, second, *others = [str(it.id) for it in people]
    board = {f"seat-{second}": "1", f"seat-{first}": "1", **{f"seat-{it}": "" for it in others}}
    fields = {"game": "pentagram", "clocks": "none", "count": "2", **board}
    assert "4 players are drawn to tables of 3 and 3" in office.foresees("draw-tables", **fields)
    assert "load the page again" in office.foresees("draw-tables", **fields, **{f"seat-{new_account().id}": "1"})
    assert "beyond the number of tables" in office.foresees(
        "draw-tables", **(fields | {"count": "1", f"seat-{first}": "2"})
    )
    assert office.did("draw-tables", **fields) == [
        "seating_asked", "seating_drawn", "main_match_scheduled", "main_match_scheduled"
    ]  # fmt: skip
    assert next(iter(office.season.matches.values())).players[:2] == (second, first), "as the cards stand"


def test_tables_are_seated_by_hand_all_at_once() -> None:
    office, people = enrolled(new_account(is_organiser=True), 6)
    office.did("open-episode", title="First")
    ids = [str(it.id) for it in people]
    board = {f"seat-{it}": str(1 + number // 3) for number, it in enumerate(ids)}
    assert office.did("tables", game="pentagram", clocks="none", **board) == ["main_match_scheduled"] * 2
    assert [it.players for it in office.season.matches.values()] == [tuple(ids[:3]), tuple(ids[3:])]
