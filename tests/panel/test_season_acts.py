"""Running a season from the panel: each step in its order, each refusal in the decider's own words."""

from datetime import timedelta

import pytest
from django.utils import timezone

from matches.domain.clocks import instant
from matches.html.moments import local_time
from matches.models import Account, Match
from matches.panel.seasons.acts import ACTS
from matches.seasons.domain.acts import ACTS as DECIDED
from tests.api.seasons import Cup, deliver
from tests.panel.office import Desk, room
from tests.panel.seasons import Bureau, account_of, bureau, enrolled, faults_in, usual_options
from tests.table_setting import new_account

WHY = "It was agreed."


def ids(people) -> list[str]:
    return [str(person.id) for person in people]


def decided(office: Bureau, winner: int) -> None:
    """The host starts the newest match and decides it; the season is told."""
    match = office.match()
    for act, fields in (("start", {}), ("adjudicate", {"winners": [str(winner)]})):
        answer = office.desk.act(match, act, reason=WHY, **fields)
        assert answer.status_code == 302, faults_in(answer)
    deliver()


@pytest.mark.slow
def test_episode_is_stepped_through_from_opening_to_elimination() -> None:
    office, people = enrolled(new_account(is_organiser=True), 4, bans_each="1")
    first, second, third, last = ids(people)
    taken = [
        ("Episode", "open-episode", {"title": "First"}, ["episode_opened"]),
        ("Main match", "main-match", {"name": "Dice", "winners": [first], "candidates": [third, last],
         "rewards": f"{people[0].username} 2"},
         ["main_match_recorded", "token_granted", "token_granted", "garnets_moved"]),
        ("Tokens of life", "token", {"player": second}, ["token_granted"]),
        ("Elimination candidate (EC)", "candidate", {"player": last}, ["candidate_named"]),
        ("Death match opponent (DMO)", "opponent", {"player": third}, ["opponent_named"]),
        ("Death match set", "death-match", {"game": "pyramid_poker", "clocks": "none"}, ["death_match_scheduled"]),
    ]  # fmt: skip
    for step, act, fields, expected in taken:
        assert office.due() == step
        preview = office.foresees(act, **fields)
        assert all(kind in preview for kind in expected), preview
        assert office.did(act, **fields) == expected
    assert office.due() == "Death match played"
    decided(office, 1)
    assert office.due() == "Result approved"
    assert office.did("approve", match=str(office.match().id)) == [
        "result_approved", "garnets_moved", "garnets_moved", "player_eliminated", "episode_closed",
    ]  # fmt: skip
    assert office.season.players[last].status == "eliminated"
    assert office.due() == "Next episode"


def test_act_out_of_order_is_refused_with_one_sentence_everywhere() -> None:
    office, people = enrolled(new_account(is_organiser=True), 4)
    office.did("open-episode", title="First")
    sentence, before = "The EC must be named first.", office.version
    assert sentence in office.page()
    player = str(people[1].id)
    assert sentence in office.foresees("opponent", player=player)
    answer = office.send("opponent", player=player)
    assert answer.status_code == 409 and sentence in faults_in(answer)
    assert 'id="act-opponent"' in answer.content.decode()
    assert office.version == before


def test_act_on_a_changed_season_is_refused() -> None:
    office, people = enrolled(new_account(is_organiser=True), 3)
    previewed = office.version
    office.did("rule", text="Be kind.")
    answer = office.send("withdraw", player=str(people[0].id), reason=WHY, expected=previewed)
    assert answer.status_code == 412
    assert f"The season is at version {previewed + 1}." in faults_in(answer)
    assert "Somebody acted meanwhile. Read the new preview and press the button again." in faults_in(answer)
    assert office.season.players[str(people[0].id)].living
    assert office.did("withdraw", player=str(people[0].id), reason=WHY, expected=previewed + 1)


def test_act_without_a_preview_is_refused() -> None:
    office, _ = enrolled(new_account(is_organiser=True), 3)
    before = office.version
    answer = office.send("open-episode", title="First", expected="")
    assert answer.status_code == 422 and "Read the preview and press the button again." in faults_in(answer)
    assert 'value="First"' in answer.content.decode() and office.version == before


def test_open_room_is_notified_of_a_new_version() -> None:
    office, _ = enrolled(new_account(is_organiser=True), 3)
    version = office.version
    assert office.desk.get(f"{office.address}news/", after=version).status_code == 204
    office.did("open-episode", title="First")
    assert f"now at version {version + 1}" in office.desk.read(f"{office.address}news/", after=version)


def test_form_sent_twice_acts_once() -> None:
    office, _ = enrolled(new_account(is_organiser=True), 3)
    version = office.version
    assert office.did("open-episode", title="First", key="once", expected=version) == ["episode_opened"]
    assert office.did("open-episode", title="First", key="once", expected=version) == []
    assert office.send("open-episode", title="Second", key="once").status_code == 422


def test_key_is_refused_for_another_name_that_stands_beside_the_event() -> None:
    office, people = enrolled(new_account(is_organiser=True), 3)
    fields = {"player": str(people[0].id), "reason": WHY, "key": "once"}
    assert office.did("rename", name="Alba Bright", **fields) == ["player_renamed"]
    assert office.did("rename", name="Alba Bright", **fields) == []
    assert office.send("rename", name="Cora Dean", **fields).status_code == 422


def test_changed_options_are_answered_again_when_the_form_is_sent_twice() -> None:
    office, _ = enrolled(new_account(is_organiser=True), 3)
    fields = usual_options(office.page().partition('id="act-change-options"')[2].partition("</dialog>")[0]) | {
        "reason": WHY,
        "key": "once",
        "reward": "3",
    }
    assert office.did("change-options", expected=office.version, **fields) == ["options_changed"]
    assert office.did("change-options", expected=office.version, **fields) == []


def test_main_match_is_hosted_at_several_tables_which_give_its_result() -> None:
    office, people = enrolled(new_account(is_organiser=True), 5)
    office.did("open-episode", title="Tables")
    who = ids(people)
    options = {"pentagram-option-end": "target", "pentagram-option-target": "20"}
    setting = {"game": "pentagram", "clocks": "none", **options}
    assert office.did("table", players=who[:3], priority=who[1], **setting) == ["main_match_scheduled"]
    decided(office, 0)
    again = office.send("table", players=[who[0], who[3]], **setting)
    assert again.status_code == 409 and "A player sits at one table of the main match" in faults_in(again)
    assert office.did("table", players=who[3:], **setting) == ["main_match_scheduled"]
    table = office.match()
    assert table.seats.count() == 2 and Match.objects.filter(season_id=office.id).count() == 2
    assert "A table of the main match isn't over" in office.foresees("main-match", name="Pentagram")
    decided(office, 0)
    assert office.did("main-match", name="Pentagram")[0] == "main_match_recorded"
    assert set(office.season.episodes[0].winners) == {who[0], who[3]}
    assert [it.priority for it in office.season.matches.values()] == [1, 0]


def test_withdrawal_leaves_a_table_to_its_host_and_says_so() -> None:
    office, people = enrolled(new_account(is_organiser=True), 3)
    office.did("open-episode", title="Tables")
    office.did("table", game="pyramid_poker", clocks="none", players=ids(people)[:2])
    assert "At a table of the main match their seat stays" in office.page()
    withdrawn = office.did("withdraw", player=str(people[0].id), reason=WHY)
    deliver()
    assert "match_annulled" not in withdrawn and office.match().status == "waiting"


def test_results_are_corrected_and_annulled_until_they_count() -> None:
    cup = Cup(4)
    office, match = bureau(cup), cup.death_match()
    seats = office.season.matches[match].players
    assert office.did("annul", match=match, reason=WHY) == ["match_annulled"]
    deliver()
    assert Match.objects.get(id=match).status == "void"
    office.did("death-match", game="pyramid_poker", clocks="none")
    decided(office, 0)
    second = str(office.match().id)
    assert office.did("correct", result=f"{second} {seats[1]}", reason=WHY) == ["result_corrected"]
    assert "player_eliminated" in office.did("approve", match=second)
    assert office.season.players[seats[0]].status == "eliminated"
    assert "player_reinstated" in office.did("correct", result=f"{second} {seats[0]}", reason=WHY)
    preview = office.foresees("annul", match=second, reason=WHY)
    assert "elimination_reversed" in preview and "episode_reopened" in preview
    assert office.did("annul", match=second, reason=WHY)[0] == "elimination_reversed"
    late = office.send("annul", match=second, reason=WHY)
    assert late.status_code == 409 and "it can't be annulled any more" in faults_in(late)


def test_finished_match_is_rewound_after_a_preview_of_what_is_known() -> None:
    cup = Cup(4)
    office, match = bureau(cup), cup.death_match()
    office.desk.act(office.match(), "adjudicate", winners=["0"], reason=WHY)
    deliver()
    assert "Rewind, in the season's room" in office.desk.read(room(office.match()))
    fields = {"match": match, "to_version": "4", "reason": WHY}
    preview = office.foresees("rewind", **fields)
    assert "match_reopened" in preview and "Known since the end: the seed" in preview
    assert office.did("rewind", **fields) == ["match_reopened"]
    assert Match.objects.get(id=match).status == "paused"
    assert "The match has no result yet." in faults_in(office.send("rewind", **fields))


@pytest.mark.slow
def test_earlier_episode_is_corrected_from_the_panel() -> None:
    office, people = enrolled(new_account(is_organiser=True), 6, bans_each="1")
    first, second, third, fourth, fifth, sixth = ids(people)
    won = f"{people[0].username} 2"
    office.did("open-episode", title="First")
    office.did("main-match", name="Dice", winners=[first], candidates=[fourth, fifth], rewards=won)
    office.did("token", player=second)
    office.did("candidate", player=fourth)
    office.did("opponent", player=third)
    assert office.did("correct-opponent", result=f"1 {fifth}", reason=WHY) == ["pair_corrected"]
    assert office.did("correct-candidate", result=f"1 {fifth}", reason=WHY) == ["pair_corrected"]
    office.did("opponent", player=third)
    assert office.did("correct-token", result=f"1 {sixth}", reason=WHY) == ["tokens_corrected"]
    office.did("close-episode", reason=WHY)
    office.did("open-episode", title="Second")
    fields = {"episode": "1", "winners": [second], "rewards": f"{people[1].username} 3", "reason": WHY}
    preview = office.foresees("correct-main-match", **fields)
    expected = ["main_match_corrected", "garnets_moved", "garnets_moved", "tokens_corrected"]
    assert all(it in preview for it in expected), preview
    assert office.did("correct-main-match", **fields) == expected
    held = [office.season.players[it].garnets for it in (first, second)]
    assert held == [1, 4] and office.season.players[first].main_wins == 0
    assert "Corrections of episodes" in office.page()


def test_staff_garnets_rulings_and_substitutes() -> None:
    office, people = enrolled(new_account(is_organiser=True), 3)
    host, late = new_account(), new_account()
    first, second, _ = ids(people)
    acts = [
        ("appoint", {"account": host.username, "role": "host"}, ["staff_appointed"]),
        ("dismiss", {"account": str(host.id), "reason": WHY}, ["staff_dismissed"]),
        ("garnets", {"source": "", "target": first, "amount": "3", "reason": WHY}, ["garnets_moved"]),
        ("garnets", {"source": first, "target": "", "amount": "1", "reason": WHY}, ["garnets_moved"]),
        ("garnets", {"source": first, "target": second, "amount": "2", "reason": WHY}, ["garnets_moved"]),
        ("rule", {"text": "Ties are replayed.", "match": ""}, ["ruling_posted"]),
        ("substitute", {"player": first, "newcomer": late.username, "reason": WHY},
         ["player_substituted", "garnets_moved"]),
        ("open-episode", {"title": "First"}, ["episode_opened"]),
        ("close-episode", {"reason": WHY}, ["episode_closed"]),
    ]  # fmt: skip
    for act, fields, expected in acts:
        assert office.did(act, **fields) == expected, act
    assert office.season.players[str(late.id)].garnets == 1
    page = office.page()
    assert "Ties are replayed." in page and f"{late.username}" in page


def test_final_is_stepped_through_to_the_champion() -> None:
    office, people = enrolled(new_account(is_organiser=True), 3)
    office.did("open-episode", title="Only")
    office.did("close-episode", reason=WHY)
    office.did("withdraw", player=str(people[2].id), reason=WHY)
    assert office.due() == "The final"
    assert office.did("final") == ["final_opened"]
    for number, game in enumerate(("pyramid_poker", "pentagram"), start=1):
        assert office.due() == f"Match {number} set"
        if number == 2:
            again = office.send("final-match", game="pyramid_poker", clocks="none")
            assert "Every match of the final is of another game." in faults_in(again)
        office.did("final-match", game=game, clocks="none")
        decided(office, 0)
        office.did("approve", match=str(office.match().id))
    assert office.season.champion == str(people[0].id)
    page = office.page()
    assert office.due() == "" and "Champion" in page
    assert f"<td>{people[0].username} has won</td>" in office.desk.read("/admin/seasons/"), "A name keeps its letters."
    assert office.send("open-episode", title="One more").status_code == 409


def test_appeal_is_listed_in_the_room_until_it_is_answered() -> None:
    cup = Cup(4)
    match = Match.objects.get(id=cup.death_match())
    seated = cup.player(str(match.seats.get(number=0).account_id))
    text = "The board was upside down."
    assert seated.post(f"/matches/{match.id}/appeals", {"kind": "move", "text": text}).status == 201
    office = bureau(cup, cup.host)
    assert text in office.page() and room(match) in office.page()
    office.desk.post(room(match, "answer/"), number="1", decision="rejected", reason="It was not.")
    assert text not in office.page()


def test_result_to_approve_is_on_the_dashboard_of_its_organisers_only() -> None:
    cup = Cup(4, public=False)
    match = cup.death_match()
    cup.loses(match, cup.player(str(Match.objects.get(id=match).seats.get(number=0).account_id)))
    office, way = bureau(cup), f"/admin/seasons/{cup.id}/"
    assert way in office.desk.read("/admin/")
    assert way not in Desk(new_account(is_staff=True)).read("/admin/")
    office.did("approve", match=match)
    assert way not in office.desk.read("/admin/")


@pytest.mark.parametrize(
    ("act", "fields", "sentence"),
    [
        ("enrol", {"player": "nobody at all"}, "There is no active account nobody at all"),
        ("enrol", {"player": "a\0b"}, "U+0000"),
        ("withdraw", {"player": "00000000-0000-0000-0000-000000000000", "reason": WHY}, "Select a valid choice."),
        ("open-episode", {"title": " "}, "This field is required."),
        ("open-episode", {"title": "x" * 121}, "at most 120 characters"),
        ("open-episode", {"title": "x", "expected": "nonsense"}, "The form is out of date"),
        ("main-match", {"name": "Dice", "rewards": "somebody 3"}, "write a player's name, a space and a number"),
        ("main-match", {"name": "Dice", "rewards": "somebody"}, "write a player's name, a space and a number"),
        ("main-match", {"name": "Dice", "rewards": '"somebody'}, "Line 1: A quotation mark"),
        ("main-match", {"name": "Dice", "rewards": "somebody;3"}, "Line 1, somebody;3: write a player's name"),
        ("garnets", {"amount": "1", "reason": WHY}, "Garnets move from one player to another one."),
        ("garnets", {"amount": "0", "reason": WHY}, "greater than or equal to 1"),
        ("death-match", {"game": "chess", "clocks": "game"}, "Select a valid choice."),
        ("death-match", {"game": "pentagram", "clocks": "game", "pentagram-option-target": "many"},
         "Target: Give a whole number."),
        ("death-match", {"game": "higher_or_lower", "clocks": "game", "higher_or_lower-option-boards": "[1"},
         "Boards: This is no JSON"),
        ("death-match", {"game": "pentagram", "clocks": "own", "times": ""}, "Type the times"),
        ("death-match", {"game": "pentagram", "clocks": "own", "times": "turn x 1 1"}, "write a clock's name"),
        ("death-match", {"game": "pentagram", "clocks": "own", "times": "sand 1 1 1"}, "There is no clock sand"),
        ("death-match", {"game": "pentagram", "clocks": "own", "times": "turn 1 1 1\0"}, "U+0000"),
        ("death-match", {"game": "pentagram", "clocks": "own", "times": "turn 1 1 1\n" * 99}, "at most 1000"),
        ("table", {"game": "pentagram", "clocks": "own", "times": "\0"}, "U+0000"),
        ("death-match", {"game": "pentagram", "clocks": "none", "opens_at": "soon"}, "Enter a valid date/time."),
        ("death-match", {"game": "pentagram", "clocks": "none", "opens_at": "9999-12-31T23:59:59-14:00"},
         "A match is scheduled for an instant within the coming year."),
        ("correct", {"result": "x y", "reason": WHY}, "Select a valid choice."),
    ],
)  # fmt: skip
def test_invalid_season_act_is_refused_in_a_sentence(paper: Bureau, act: str, fields: dict, sentence: str) -> None:
    before = paper.version
    answer = paper.send(act, **fields)
    assert answer.status_code in (409, 422)
    assert sentence in faults_in(answer)
    foreseen = paper.foresees(act, **fields)
    assert sentence in foreseen or "Fill in these fields" in foreseen or "expected" in fields
    assert paper.version == before


def test_player_twice_among_the_rewards_is_refused() -> None:
    office, (ann, bob, *_) = enrolled(new_account(is_organiser=True), 3)
    office.did("open-episode", title="Pilot")
    before = office.version
    won = f"{ann.username} 3\n{bob.username} 1\n{ann.username.upper()} 2"
    fields = {"name": "Dice", "winners": [str(bob.id)], "candidates": [str(ann.id)], "rewards": won}
    assert f"{ann.username} is listed twice." in office.foresees("main-match", **fields)
    assert f"{ann.username} is listed twice." in faults_in(office.send("main-match", **fields))
    assert office.version == before


def test_long_ruling_of_many_lines_is_accepted() -> None:
    office, _ = enrolled(new_account(is_organiser=True), 3)
    assert office.did("rule", text="y\r\n" * 999 + "zz") == ["ruling_posted"]
    assert office.last_event()["text"] == "y\n" * 999 + "zz"


@pytest.fixture(scope="module")
def paper() -> Bureau:
    """A season in which nothing of the kind above may happen."""
    return enrolled(new_account(is_organiser=True), 3)[0]


def test_match_is_set_with_the_typed_clocks_options_and_time() -> None:
    cup = Cup(4)
    cup.main_match()
    office = bureau(cup)
    office.did("opponent", player=cup.living()[-2].id)
    tomorrow = timezone.now().replace(hour=18, minute=30, second=0, microsecond=0) + timedelta(days=1)
    turns = {"peeling_the_banana-option-turns": "8", "pentagram-option-target": "not read, as another game is chosen"}
    fields = {"game": "peeling_the_banana", **turns, "opens_at": f"{tomorrow:%Y-%m-%dT%H:%M}"}
    late = fields | {"opens_at": f"{tomorrow - timedelta(days=2):%Y-%m-%dT%H:%M}"}
    assert "within the coming year" in office.foresees("death-match", clocks="none", **late)
    office.did("death-match", clocks="own", times="turn 600 60 10", **fields)
    assert f"It opens by itself on {local_time(tomorrow, 'UTC')}" in office.page()
    Account.objects.filter(id=cup.organiser.id).update(time_zone="Asia/Seoul")
    page = bureau(cup).page()
    assert page.count(local_time(tomorrow, "Asia/Seoul")) == 2, "in its step and among the matches"
    assert "UTC</time>" not in page
    event = office.last_event()
    assert event["clocks"]["turn"] == {"base": 600, "reserve": 60, "increment": 10}
    assert set(event["clocks"]) == {"choice", "turn"}, "The game's own time stays where none was typed."
    assert (event["options"]["turns"], event["opens_at"]) == (8, instant(tomorrow))


def test_every_act_without_a_dialog_is_for_players() -> None:
    without = [act for name, act in DECIDED.items() if name not in ACTS]
    assert {act.name for act in without if act.rest is None} == {"apply", "withdraw-application"}
    assert all(act.rest.is_for_players for act in without if act.rest)
    assert set(ACTS) <= set(DECIDED)


def test_host_is_offered_the_acts_of_hosts_and_an_auditor_none() -> None:
    cup = Cup(4)
    candidate = cup.main_match()
    cup.did("/opponents", {"player": cup.living()[-2].id}, by=candidate)
    cup.did("/death-matches", {"game": "pyramid_poker", "clocks": None})
    pages = {who: bureau(cup, guest).page() for who, guest in (("host", cup.host), ("auditor", cup.auditor))}
    offered = {who: {act for act in ACTS if f'id="act-{act}"' in page} for who, page in pages.items()}
    assert offered == {"host": {"annul", "rule", "set-time", "propose-times"}, "auditor": set()}
    before = bureau(cup).version
    for guest in (cup.host, cup.auditor):
        answer = bureau(cup, guest).send("enrol", player=new_account().username)
        assert answer.status_code == 403, "They see the season, but it isn't theirs to run."
    assert bureau(cup).version == before


def test_get_of_a_season_act_redirects_to_the_room() -> None:
    cup = Cup(3)
    desk, before = Desk(account_of(cup.organiser)), bureau(cup).version
    for act in ACTS:
        assert desk.get(f"/admin/seasons/{cup.id}/{act}/").headers["Location"] == f"/admin/seasons/{cup.id}/"
        assert desk.get(f"/admin/seasons/{cup.id}/{act}/foresee/").status_code == 405
    assert bureau(cup).version == before


def test_match_with_a_long_set_up_requires_an_opening_time() -> None:
    cup = Cup(4)
    cup.main_match()
    office = bureau(cup)
    office.did("opponent", player=cup.living()[-2].id)
    fields = {"game": "higher_or_lower", "clocks": "game"}
    assert "Say when the match opens, or that it has no such time." in office.foresees("death-match", **fields)
    office.did("death-match", untimed="on", **fields)
    assert office.last_event()["opens_at"] is None


def test_set_up_closes_by_the_typed_minutes_before_play() -> None:
    cup = Cup(4)
    cup.main_match()
    office = bureau(cup)
    office.did("opponent", player=cup.living()[-2].id)
    opens = timezone.now().replace(hour=18, minute=30, second=0, microsecond=0) + timedelta(days=3)
    fields = {"game": "higher_or_lower", "clocks": "game", "opens_at": f"{opens:%Y-%m-%dT%H:%M}"}
    assert "Set-up closes before the opening time, in minutes" in office.foresees(
        "death-match", setup_closes="-1", **fields
    )
    office.did("death-match", setup_closes="45", **fields)
    assert office.last_event()["setup_closes"] == 45 * 60
    page = " ".join(office.page().split())
    assert "Set up until <time" in page and f"{opens - timedelta(minutes=45):%H:%M}</time>" in page
