"""The host's table of a contest in the control room, and the pages of the host's commands."""

import html
import json
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.utils import timezone

from games.kernel import to_json
from matches.models import Account, Call, Deadline
from matches.notifications import match_calls, reminders
from tests.api.guests import Guest, guest, house, opened
from tests.contests.table import LAST, SECRET, SPEECH, VOTE, ContestMatch
from tests.pages import as_read
from tests.panel.office import Desk, room


def fields_of(page: HttpResponse) -> dict[str, str]:
    """Return the hidden fields of a page's last form."""
    form = page.content.decode().rpartition("data-once")[2]
    pairs = re.findall(r'<input\s+type="hidden"\s+name="(\w+)"\s+value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in pairs}


def names_of(match: ContestMatch, *seats: int) -> list[str]:
    return [match.players[seat].name for seat in seats]


@pytest.fixture
def match() -> ContestMatch:
    return ContestMatch.begun()


@pytest.fixture
def judging(match: ContestMatch) -> ContestMatch:
    return match.submitted()


# The table


def test_table_shows_who_has_submitted_and_who_is_missing(match: ContestMatch) -> None:
    match.submitted(1)
    page = match.desk.read(room(match.row))
    missing, _, submitted = page.partition("Have submitted")
    for text in ("Round 1 of 3: The speech", "2 players are missing", "Whoever is missing has time"):
        assert text in page
    table = missing.partition("Missing")[2], submitted.partition("</ul>")[0]
    for seat, part in ((0, 0), (1, 1), (2, 0)):
        assert names_of(match, seat)[0] in table[part] and "/portraits/" in table[part]
    assert SECRET not in page and '<div class="board"><svg' in page


def test_clock_of_the_host_is_shown_once_and_at_no_player(match: ContestMatch) -> None:
    page = html.unescape(as_read(match.submitted(1).desk.get(room(match.row))))
    assert page.count("The round's default counts for whoever is missing.") == 3
    assert "The round's default result counts." not in page
    page = html.unescape(as_read(match.submitted(0, 2).desk.get(room(match.row))))
    assert page.count("then the round's own result counts") == 1 and "At 0:00" not in page


@pytest.mark.parametrize("official", ["opener who plays", "player", "nobody"])
def test_host_commands_are_offered_only_to_a_host_who_does_not_play(official: str) -> None:
    host, other = guest(is_organiser=True), guest()
    match = ContestMatch(opened(host, "contest", host, other), host, [host, other])
    assert host.post(f"/matches/{match.id}/start").status == 200
    house(match.id)
    desk = {"opener who plays": match.desk, "player": Desk(Account.objects.get(id=other.id)), "nobody": Desk()}[
        official
    ]
    page = desk.get(room(match.row))
    assert "Close the round" not in page.content.decode()
    before = match.types()
    for part in ("remind/", "round-time/", "close-round/", "judge/", "amend/"):
        for answer in (desk.get(room(match.row, part)), desk.post(room(match.row, part), key="k", round="1", line="0")):
            assert answer.status_code in (302, 403, 404, 409), (part, answer.status_code)
    assert match.types() == before
    assert "Close the round" in Desk(Account.objects.get(id=guest(is_organiser=True).id)).read(room(match.row))


def test_other_matches_have_no_table_of_a_contest() -> None:
    host = guest()
    match = ContestMatch(opened(host, "pyramid_poker", guest(), guest()), host)
    assert "contest-round" not in match.desk.read(room(match.row))
    assert match.desk.get(room(match.row, "judge/")).status_code == 302


# Reminders


def reminded(match: ContestMatch) -> list[str]:
    calls = Call.objects.filter(match_id=match.id, kind="reminder", cause__startswith="reminded")
    return sorted(Account.objects.get(id=it.account_id).username for it in calls.filter(way="page"))


def test_reminder_reaches_only_the_missing_and_once_in_ten_minutes(match: ContestMatch) -> None:
    match.submitted(0)
    for _ in range(2):
        page = match.desk.post(room(match.row, "remind/"))
        assert page.status_code == 302
    assert reminded(match) == sorted(names_of(match, 1, 2))
    Call.objects.filter(match_id=match.id).update(made_at=timezone.now() - reminders.APART)
    match.submitted(1)
    match.desk.post(room(match.row, "remind/"))
    assert reminded(match) == sorted(names_of(match, 1, 2, 2))
    call = Call.objects.filter(match_id=match.id, account=match.players[1].id, kind="reminder").first()
    assert call and not match_calls.is_awaited(call)


def test_reminder_says_whom_it_reaches_and_whom_it_does_not(match: ContestMatch) -> None:
    Account.objects.filter(id=match.players[2].id).update(guest_until=timezone.now())
    desk = match.desk
    page = as_read(desk.browser.post(room(match.row, "remind/"), follow=True))
    assert f"Reminded: {', '.join(names_of(match, 0, 1))}." in page
    assert f"No notification reaches: {names_of(match, 2)[0]}." in page
    page = as_read(desk.browser.post(room(match.row, "remind/"), follow=True))
    assert f"Reminded less than ten minutes ago: {', '.join(names_of(match, 0, 1))}." in page


# Time, and the end of the round


def test_time_is_given_to_everybody_who_is_missing_once_per_press(match: ContestMatch) -> None:
    match.submitted(2)
    deadline = Deadline.objects.get(match_id=match.id).falls_at
    form = {"minutes": "90", "reason": "Tea.", "key": "k"}
    for _ in range(2):
        assert match.desk.post(room(match.row, "round-time/"), **form).status_code == 302
    assert match.types().count("time_given") == 2
    assert (Deadline.objects.get(match_id=match.id).falls_at - deadline).total_seconds() == 90 * 60
    refused = match.desk.post(room(match.row, "round-time/"), minutes="0", reason="")
    assert refused.status_code == 422 and match.types().count("time_given") == 2


def test_host_closes_the_round_that_the_page_showed(match: ContestMatch) -> None:
    match.submitted(0)
    page = match.desk.get(room(match.row, "close-round/"))
    assert f"{' and '.join(names_of(match, 1, 2))} haven't submitted" in html.unescape(as_read(page))
    fields = fields_of(page)
    assert match.desk.post(room(match.row, "close-round/"), **fields | {"round": "2"}).status_code == 422
    assert match.desk.post(room(match.row, "close-round/"), **fields | {"line": "7"}).status_code == 422
    for _ in range(2):
        assert match.desk.post(room(match.row, "close-round/"), **fields).status_code == 302
    assert match.types().count("closed_by_host") == 1 and match.types().count("defaulted") == 2


# Judgements


def test_judging_table_shows_submissions_after_a_look_on_record(judging: ContestMatch) -> None:
    page = judging.desk.read(room(judging.row, "judge/"))
    assert SECRET not in page and "Look at the submissions" in page and page.count("Not shown to spectators") == 3
    looked = judging.desk.post(room(judging.row, "look/"), back="judge")
    assert looked["Location"] == room(judging.row, "judge/?as=host") and judging.types()[-1] == "truth_viewed"
    page = judging.desk.read(looked["Location"])
    assert all(f"{SECRET} {seat}" in page for seat in range(3)) and "Look at the submissions" not in page


def points(**values: str) -> dict[str, str]:
    return {"points-0": "5", "points-1": "-2", "points-2": "0", "text": "Well said.", "key": "k"} | values


def test_judging_form_shows_its_bounds_the_balances_and_the_points_so_far() -> None:
    gold = {"name": "gold", "title": "Gold", "start": 7}
    vote = {"name": "first", "title": "A vote", "fields": VOTE["fields"], "scheme": VOTE["scheme"] | {"points": 4}}
    match = ContestMatch.begun(vote, SPEECH, content={"balances": [gold]})
    match.submitted(side="left").submitted()
    page = as_read(match.desk.get(room(match.row, "judge/")))
    assert "Give each player from -2 to 5 points, whatever you give the others: no sum is expected." in page
    assert "each gets 0." in page and page.count('min="-2"') == page.count('max="5"') == 3
    assert page.count("Points so far: 4.") == 3 and page.count("Gold: 7") == 3
    assert page.count('data-before="4"') == 3


def test_judgement_is_previewed_and_stored_once(judging: ContestMatch) -> None:
    address = room(judging.row, "judge/")
    preview = judging.desk.post(address, **points(expected=fields_of(judging.desk.get(address))["expected"]))
    text, before = as_read(preview), judging.types()
    assert preview.status_code == 200 and "5 points, which make 5." in text and "Well said." in text
    form = points(step="send", **fields_of(preview))
    assert judging.desk.post(address, **form | {"points-1": "1"}).status_code == 200, "Another preview comes first."
    assert judging.types() == before
    for _ in range(2):
        answer = judging.desk.post(address, **form)
        assert answer.status_code == 302, as_read(answer)[-6000:]
    assert judging.types().count("resolved") == 1
    assert judging.state.points == (5, -2, 0) and judging.text_of(0) == "Well said."


@pytest.mark.parametrize(
    ("field", "value"), [("points-0", "6"), ("points-1", "-3"), ("points-2", "much"), ("text", "‮x")]
)
def test_judgement_out_of_bounds_is_refused_at_its_field(field: str, value: str, judging: ContestMatch) -> None:
    refused = judging.desk.post(room(judging.row, "judge/"), **points(step="send", **{field: value}))
    assert refused.status_code == 422 and "resolved" not in judging.types()


def test_judgement_of_a_round_that_was_rewound_is_refused(judging: ContestMatch) -> None:
    address = room(judging.row, "judge/")
    form = points(step="send", **fields_of(judging.desk.post(address, **points())))
    version = judging.types().index("submitted")
    assert judging.host.post(f"/matches/{judging.id}/rewind", {"to_version": version, "reason": "Again."}).status == 200
    judging.submitted()
    assert judging.desk.post(address, **form).status_code == 412
    assert judging.types().count("resolved") == 0


# Corrections


def test_round_is_corrected_from_the_version_before_it_opened_or_was_judged(judging: ContestMatch) -> None:
    assert judging.resolve(**{"1": 3}).status == 201
    page = judging.desk.read(room(judging.row))
    assert "rewind/?round=1&amp;before=judged" in page and "rewind/?round=2" in page
    opened_at = [place + 1 for place, it in enumerate(judging.types()) if it == "round_opened"]
    judged_at = judging.types().index("resolved") + 1
    for query, version in (
        ("round=1", opened_at[0] - 1), ("round=2", opened_at[1] - 1), ("round=1&before=judged", judged_at - 1),
    ):  # fmt: skip
        page = as_read(judging.desk.get(room(judging.row, f"rewind/?{query}")))
        assert f"at version {version}" in page, query
    newest = len(judging.types())
    form = {"expected": str(newest), "to_version": str(judged_at - 1), "reason": "A slip."}
    assert judging.desk.post(room(judging.row, "rewind/"), **form).status_code == 302
    assert judging.state.stage == "judging"
    assert judging.resolve(**{"1": 1}).status == 201
    page = as_read(judging.desk.get(room(judging.row, "rewind/?round=1&before=judged")))
    assert f"at version {newest + 1}" in page, "The judgement that counts is the second one."


# Amendments


def amended(match: ContestMatch, index: int, **changes: Any) -> str:
    rounds = to_json(match.state.rounds)
    rounds[index] |= changes
    return json.dumps({"rounds": rounds})


def test_amendment_is_previewed_as_a_list_of_changes_and_stored_once(match: ContestMatch) -> None:
    address, form = room(match.row, "amend/"), {"reason": "A slip.", "key": "k"}
    assert "The last vote" in match.desk.read(address)
    preview = match.desk.post(address, pasted=amended(match, 2, title="The end"), **form)
    text = as_read(preview)
    assert preview.status_code == 200 and "rounds.2.title" in text and "amended" not in match.types()
    assert text.index("The last vote") < text.index("The end")
    sent = {"pasted": amended(match, 2, title="The end"), "step": "send", **form, **fields_of(preview)}
    for _ in range(2):
        assert match.desk.post(address, **sent).status_code == 302
    assert match.types().count("amended") == 1 and match.state.rounds[2].title == "The end"


def test_amendment_lists_all_faults_with_their_places(match: ContestMatch) -> None:
    rounds = to_json(match.state.rounds)
    rounds[0]["title"], rounds[1]["repeat"], rounds[2]["fields"] = "New", 3, [{"kind": "choise"}, {"kind": "text"}]
    page = match.desk.post(room(match.row, "amend/"), pasted=json.dumps({"rounds": rounds}), reason="Why.")
    assert page.status_code == 422
    assert "rounds.2.fields.0.kind" in as_read(page) and "rounds.2.fields.1.name" in as_read(page)
    rounds[2]["fields"] = []
    page = as_read(match.desk.post(room(match.row, "amend/"), pasted=json.dumps({"rounds": rounds}), reason="Why."))
    for place in ("rounds.0.title", "rounds.1.repeat", "rounds.2.scheme.field"):
        assert f'<span class="mono">{place}</span>' in page


def test_amendment_is_read_from_a_file_in_toml() -> None:
    match = ContestMatch.begun(SPEECH, VOTE)
    text = """
        [[rounds]]
        name = "speech"
        title = "The speech"
        fields = [{name = "word", title = "Your word", kind = "text"}]
        reveal = "nothing"
        scheme = {kind = "host", least = -2, most = 5}
        [[rounds]]
        name = "vote"
        title = "Where to?"
        fields = [{name = "side", kind = "choice", options = ["left", "right"]}]
        scheme = {kind = "majority", field = "side"}
    """
    file = SimpleUploadedFile("contest.toml", text.encode())
    preview = match.desk.post(room(match.row, "amend/"), file=file, reason="A slip.")
    assert preview.status_code == 200 and "Where to?" in as_read(preview)
    sent = {"pasted": text, "step": "send", "reason": "A slip.", **fields_of(preview)}
    assert match.desk.post(room(match.row, "amend/"), **sent).status_code == 302
    assert match.state.rounds[1].title == "Where to?"


@pytest.mark.parametrize(
    "text", ["[[rounds", "{", "[1]", "[" * 5000, '{"rounds": "\\u202e"}', 'x = "a\u0301' + "\u0301" * 50 + '"']
)
def test_content_that_cannot_be_read_is_refused_with_a_sentence(text: str, match: ContestMatch) -> None:
    page = match.desk.post(room(match.row, "amend/"), pasted=text, reason="Why.")
    assert page.status_code == 422 and "fault" in as_read(page)


def test_amendment_of_a_content_that_another_host_has_changed_is_previewed_again(match: ContestMatch) -> None:
    address, mine = room(match.row, "amend/"), amended(match, 2, title="Mine")
    preview = match.desk.post(address, pasted=mine, reason="A slip.")
    theirs = to_json(match.state.options.content) | json.loads(amended(match, 1, title="Theirs"))
    assert match.command("amend", content=theirs, reason="Another.").status == 201
    again = match.desk.post(address, pasted=mine, reason="A slip.", step="send", **fields_of(preview))
    assert again.status_code == 200 and "Theirs" in as_read(again), "It says that the other change would be undone."
    assert match.types().count("amended") == 1


# Notes


def test_notes_of_the_host_are_kept_and_read_by_nobody_else(match: ContestMatch) -> None:
    desk = match.desk
    assert desk.post(room(match.row, "note/"), text="Ask Ann.", known="").status_code == 302
    assert "Ask Ann." in desk.read(room(match.row))
    assert match.host.get(f"/matches/{match.id}/note").json["text"] == "Ask Ann."
    assert "Ask Ann." not in Desk(Account.objects.get(id=guest(is_organiser=True).id)).read(room(match.row))


def test_pages_of_a_contest_need_no_script(match: ContestMatch) -> None:
    page = match.desk.get(room(match.row)).content.decode()
    table = page.partition("contest-round")[2].partition("</section>")[0]
    assert "data-opens" not in table and table.count("href=") >= 4


def test_last_round_offers_no_amendment() -> None:
    match = ContestMatch.begun(LAST)
    assert "Change later rounds" not in match.desk.read(room(match.row))
    assert isinstance(match.host, Guest)


# Texts to withdraw


def test_texts_to_withdraw_are_labelled_with_player_round_and_field() -> None:
    match = ContestMatch.begun(SPEECH | {"reveal": "everything"}, SPEECH | {"name": "again", "reveal": "choices"}, LAST)
    match.submitted().resolve(**{"0": 1, "1": 0, "2": 0})
    match.command("resolve", round=1, points={})
    match.submitted()
    page = match.desk.read(room(match.row))
    name = names_of(match, 1)[0]
    assert f">{name}, Round 1 of 3: The speech, Your word: {SECRET} 1<" in page
    assert f">Round 2 of 3: The speech, Your word: {SECRET} 1<" in page, "Its author isn't published."


def test_judgement_to_withdraw_is_labelled_with_its_round(judging: ContestMatch) -> None:
    judging.command("resolve", round=1, points={"0": 1}, text="Well spoken.")
    assert ">The host, Round 1 of 3: The speech: Well spoken.<" in judging.desk.read(room(judging.row))


# The spectators' delay


def test_room_says_that_spectators_see_the_end_later() -> None:
    match = ContestMatch.begun(spectator_delay=120)
    later = "Spectators see everything 2 minutes after it has happened."
    assert later in match.desk.read(room(match.row))
    assert match.host.post(f"/matches/{match.id}/void", {"reason": "Nobody came."}).status == 200
    page = match.desk.read(room(match.row))
    assert "The match is over. Spectators see its end 2 minutes after it has happened, and so does its season." in page
    assert later not in page
    assert "Spectators see" not in match.desk.read(room(match.row), **{"as": "host"})
