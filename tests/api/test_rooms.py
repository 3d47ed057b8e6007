"""Rooms of a season over REST: who knows of them, reads and writes there, and what hosts and time change about it."""

from collections.abc import Iterator
from copy import copy
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.accounts import erasure
from matches.models.talk import Remark, Thread
from matches.seasons.models import Room, RoomLook, RoomMember, Season
from tests.api.guests import Answer, Guest, guest
from tests.api.rooms import House, say, texts
from tests.api.seasons import Cup

WHY = {"reason": "It insults me."}


def listed(who: Guest, house: House) -> list[str]:
    """Return the paths of the rooms that an account gets listed."""
    return [f"{house.path}/rooms/{it['id']}" for it in who.get(f"{house.path}/rooms").json["results"]]


def those_who_know(house: House, path: str) -> list[str]:
    """Return who gets a room listed; whoever doesn't is refused as for a room that doesn't exist."""
    knowing = [name for name, who in house.everybody.items() if path in listed(who, house)]
    for name, who in house.everybody.items():
        status = who.get(path).status
        assert status == (200 if name in knowing else 404), name
    return knowing


def asked_of(who: Guest, path: str) -> Iterator[Answer]:
    """Yield the answers to all that can be asked of a room."""
    named = {"X_Request_ID": "the-same"}
    yield who.get(path, **named)
    yield who.get(f"{path}/remarks", **named)
    yield who.get(f"{path}/remarks", {"after": 0}, **named)
    yield who.get(f"{path}/remarks", Accept="text/event-stream", **named)
    yield who.get(f"{path}/remarks/1", **named)
    yield who.post(f"{path}/remarks", {"text": "Hello?"}, **named)
    yield who.ask("PUT", f"{path}/read", b'{"number": 1}', **named)
    for act in ("remarks/1/hide", "remarks/1/restore", "remarks/1/report"):
        yield who.post(f"{path}/{act}", WHY, **named)
    for act in ("close", "leave", "look"):
        yield who.post(f"{path}/{act}", **named)


def test_members_talk_in_a_private_room_of_which_nobody_else_knows() -> None:
    house = House()
    path = house.opens(house.first, members=[house.second])
    first = say(house.first, path, "  We vote\n for the third. ")
    assert first.status == 201 and first.json["text"] == "We vote for the third." and first.json["number"] == 1
    assert say(house.second, path, "Agreed.").json["number"] == 2
    assert texts(house.first, path) == texts(house.second, path) == ["We vote for the third.", "Agreed."]
    assert those_who_know(house, path) == ["first", "second"]
    assert Guest().get(path).refusal == (401, "not_authenticated")


def test_room_says_who_reads_it_before_anything_is_written() -> None:
    house = House(hosts_read_rooms=True, rooms_at_end="everybody")
    room = house.first.get(house.opens(house.first, members=[house.second])).json
    assert (room["read_by"], room["at_end"]) == (["members", "hosts_on_record"], "everybody")
    assert "Hosts may read it too" in room["text"] and "everybody who may see the season" in room["text"]
    assert [it["id"] for it in room["members"]] == sorted(
        (house.first.id, house.second.id), key=lambda it: {p.id: p.name for p in house.players}[it]
    )
    confessional = house.first.get(house.opens(house.first, "confessional")).json
    assert confessional["read_by"] == ["members", "staff"]
    assert [it["id"] for it in confessional["members"]] == [house.first.id]


def test_rooms_of_the_other_kinds_are_known_to_those_whom_they_are_for() -> None:
    house = House()
    staff = ["organiser", "host", "auditor", "house"]
    assert those_who_know(house, house.opens(house.first, "confessional")) == ["first", *staff]
    assert those_who_know(house, house.opens(house.host, "staff")) == staff
    assert those_who_know(house, house.opens(house.organiser, "lounge")) == list(house.everybody)


def test_confessional_is_opened_once_by_its_player_or_the_staff() -> None:
    house = House()
    path = house.opens(house.host, "confessional", [house.first])
    again = house.first.post(f"{house.path}/rooms", {"kind": "confessional"})
    assert (again.status, again.json["id"]) == (200, path.rpartition("/")[2])
    assert say(house.first, path, "I trust nobody.").status == 201
    assert say(house.auditor, path, "Not even the second?").status == 201
    nobody, staff = {"kind": "confessional"}, {"kind": "confessional", "members": [house.host.id]}
    assert house.host.post(f"{house.path}/rooms", nobody).refusal == (422, "bad_members")
    assert house.host.post(f"{house.path}/rooms", staff).refusal == (422, "bad_members")
    assert house.spectator.post(f"{house.path}/rooms", nobody).refusal == (403, "forbidden")
    other = {"kind": "confessional", "members": [house.second.id]}
    assert house.first.post(f"{house.path}/rooms", other).refusal == (422, "bad_members")


def test_season_without_the_option_has_no_private_rooms() -> None:
    cup = Cup(2)
    body = {"kind": "private", "members": [cup.players[1].id]}
    for who in (cup.players[0], cup.organiser):
        assert who.post(f"{cup.path}/rooms", body).refusal == (403, "forbidden")
    assert cup.players[0].get(f"{cup.path}/rooms").json == {
        "results": [], "next": None, "may_open": ["confessional"],
    }  # fmt: skip


def test_private_room_has_members_of_the_season_up_to_its_option() -> None:
    house = House(room_size=3)
    players = [house.second, house.third, house.fourth]
    for members in ([], [house.first], [guest()], players):
        body = {"kind": "private", "members": [it.id for it in members]}
        assert house.first.post(f"{house.path}/rooms", body).refusal == (422, "bad_members")
    assert len(house.first.get(house.opens(house.first, members=[house.host, *players[:1]])).json["members"]) == 3


def test_player_has_as_many_open_rooms_as_the_option_allows() -> None:
    house = House(rooms_each=1)
    path = house.opens(house.first, members=[house.second])
    body = {"kind": "private", "members": [house.third.id]}
    assert house.first.post(f"{house.path}/rooms", body).refusal == (409, "too_many_rooms")
    assert house.second.post(f"{house.path}/rooms", body).status == 201
    assert house.first.post(f"{path}/close").json["closed_at"]
    assert house.first.post(f"{house.path}/rooms", body).status == 201


def test_room_opened_again_under_its_key_is_opened_once() -> None:
    house = House()
    body = {"kind": "private", "title": "Us", "members": [house.second.id]}
    opened, again = (house.first.post(f"{house.path}/rooms", body, Idempotency_Key="k") for _ in range(2))
    assert (opened.status, again.status) == (201, 201) and opened.body == again.body
    assert again.headers["Idempotent-Replayed"] == "true" and len(listed(house.first, house)) == 1
    other = {**body, "members": [house.third.id]}
    assert house.first.post(f"{house.path}/rooms", other, Idempotency_Key="k").refusal == (
        422, "idempotency_key_reused",
    )  # fmt: skip


def test_remark_in_a_room_retried_under_its_key_is_stored_once() -> None:
    house = House()
    path = house.opens(house.first, members=[house.second])
    first, again = (say(house.first, path, "Once.", Idempotency_Key="r") for _ in range(2))
    assert first.body == again.body and texts(house.second, path) == ["Once."]


def test_closed_room_is_read_and_silent() -> None:
    house = House()
    path = house.alliance()
    assert house.second.post(f"{path}/close").refusal == (403, "forbidden")
    assert house.first.post(f"{path}/close").status == house.first.post(f"{path}/close").status == 200
    assert say(house.second, path, "But.").refusal == (403, "forbidden")
    assert texts(house.second, path) == ["We vote for the third."]


def test_member_who_leaves_reads_nothing_more_and_the_rest_goes_on() -> None:
    house = House()
    path = house.opens(house.first, members=[house.second, house.third])
    say(house.first, path, "Welcome.")
    assert house.third.post(f"{path}/leave").status == 204
    assert house.third.get(path).refusal == house.third.post(f"{path}/leave").refusal == (404, "not_found")
    assert say(house.second, path, "He is gone.").status == 201
    assert len(house.first.get(path).json["members"]) == 2
    assert house.second.post(f"{path}/leave").status == 204
    assert house.first.get(path).json["closed_at"]


def test_unread_counts_are_of_others_remarks_after_the_mark() -> None:
    house = House()
    path = house.opens(house.first, members=[house.second])
    for text in "abc":
        say(house.first, path, text)
    say(house.second, path, "d")
    counts = lambda who: {name: who.get(path).json[name] for name in ("last", "read", "unread")}  # noqa: E731
    assert counts(house.second) == {"last": 4, "read": 0, "unread": 3}
    assert house.second.ask("PUT", f"{path}/read", b'{"number": 2}').status == 204
    assert counts(house.second) == {"last": 4, "read": 2, "unread": 1}
    assert house.second.ask("PUT", f"{path}/read", b'{"number": 1}').status == 204
    assert house.second.ask("PUT", f"{path}/read", b'{"number": 9999}').status == 204
    assert counts(house.second) == {"last": 4, "read": 4, "unread": 0}
    say(house.first, path, "e")
    assert counts(house.second)["unread"] == 1 == counts(house.first)["unread"]


@pytest.mark.parametrize(
    ("rooms_at_end", "readers"),
    [
        ("everybody", ["first", "second", "third", "organiser", "host", "auditor", "house", "spectator"]),
        ("members", ["first", "second"]),
        ("nobody", []),
    ],
)
def test_private_room_is_opened_at_the_end_as_announced(rooms_at_end: str, readers: list[str]) -> None:
    house = House(rooms_at_end=rooms_at_end)
    path = house.alliance()
    house.end()
    reading = [name for name, who in house.everybody.items() if who.get(f"{path}/remarks").status == 200]
    assert reading == readers
    assert say(house.first, path, "It is over.").refusal == (403, "forbidden")
    body = {"kind": "private", "members": [house.second.id]}
    assert house.first.post(f"{house.path}/rooms", body).refusal == (409, "season_over")


def test_hosts_look_is_on_record_for_the_members_and_covers_what_was_said_before() -> None:
    house = House(hosts_read_rooms=True)
    path = house.alliance()
    assert those_who_know(house, path) == ["first", "second", "organiser", "host", "house"]
    room = house.host.get(path).json
    assert (room["reads"], room["may_look"], room["last"], room["unread"]) == (False, True, 0, 0)
    assert house.host.get(f"{path}/remarks").refusal == (403, "forbidden")
    assert house.auditor.post(f"{path}/look").refusal == (404, "not_found")
    assert [house.host.post(f"{path}/look").status for _ in range(2)] == [200, 200]
    say(house.second, path, "Somebody looked.")
    assert texts(house.host, path) == ["We vote for the third."]
    assert say(house.host, path, "I saw it.").refusal == (403, "forbidden")
    assert house.organiser.get(f"{path}/remarks").refusal == (403, "forbidden")
    for member in (house.first, house.second):
        assert [it["by"]["id"] for it in member.get(path).json["looks"]] == [house.host.id]
        assert member.post(f"{path}/look").refusal == (403, "forbidden")


def test_look_on_record_is_neither_changed_nor_deleted() -> None:
    house = House(hosts_read_rooms=True)
    house.host.post(f"{house.alliance()}/look")
    for act in (RoomLook.objects.all().delete, lambda: RoomLook.objects.update(by=uuid4())):
        with pytest.raises(Exception, match=r"append-only|permission denied"):
            act()


def test_options_that_members_rely_on_stand_once_somebody_has_enrolled() -> None:
    house = House()
    for name, value in (("hosts_read_rooms", True), ("rooms_at_end", "everybody")):
        body = {"options": {name: value}, "reason": "Curious."}
        assert house.ask("/options", body).refusal == (409, "option_stands")
    house.did("/options", {"options": {"private_rooms": "staff", "room_size": 4}, "reason": "Quiet."})


def test_moderation_of_the_season_holds_in_its_rooms() -> None:
    house = House()
    path = house.opens(house.first, members=[house.second, house.host])
    say(house.second, path, "You cheat.")
    assert house.first.post(f"{path}/remarks/1/hide", WHY).refusal == (403, "plays_here")
    assert house.host.post(f"{path}/remarks/1/hide", WHY).json["hidden"]["reason"] == WHY["reason"]
    assert texts(house.first, path) == [""] and house.host.get(f"{path}/remarks/1").json["text"] == "You cheat."
    assert house.host.post(f"{path}/remarks/1/restore", WHY).json["text"] == "You cheat."
    mute = {"account": house.second.id, "span": "ten_minutes", "reason": "Again."}
    assert house.host.post(f"{house.path}/mutes", mute).status == 201
    assert say(house.second, path, "But.").refusal == (403, "muted")
    assert house.organiser.ask("PUT", f"{house.path}/board", b'{"open_to": "off"}').status == 200
    assert say(house.first, path, "Hello?").refusal == house.first.get(f"{path}/remarks").refusal == (403, "forbidden")
    assert house.first.post(f"{house.path}/rooms", {"kind": "confessional"}).refusal == (403, "forbidden")


def test_report_shows_one_remark_to_officials_who_answer_it() -> None:
    house = House()
    path = house.alliance()
    assert house.first.post(f"{path}/remarks/1/report", WHY).refusal == (422, "bad_report")
    assert house.third.post(f"{path}/remarks/1/report", WHY).refusal == (404, "not_found")
    assert house.second.post(f"{path}/remarks/9/report", WHY).refusal == (404, "no_such_remark")
    for _ in range(2):
        assert house.second.post(f"{path}/remarks/1/report", WHY).status == 204
    for stranger in (house.first, house.second, house.auditor, house.spectator):
        assert stranger.get(f"{house.path}/reports").status == 403
    [report] = house.host.get(f"{house.path}/reports").json["results"]
    assert (report["remark"]["text"], report["reason"]) == ("We vote for the third.", WHY["reason"])
    assert (report["room"], report["by"]["id"]) == (path.rpartition("/")[2], house.second.id)
    assert house.host.get(path).refusal == (404, "not_found")
    answer = {"reason": "No insults.", "hide": True}
    answered = house.host.post(f"{house.path}/reports/{report['id']}/answer", answer).json
    assert answered["answer"] == "No insults." and answered["answered_by"]["id"] == house.host.id
    assert texts(house.second, path) == [""]
    later = house.organiser.post(f"{house.path}/reports/{report['id']}/answer", {"reason": "Nothing."}).json
    assert later["answer"] == "No insults."


def test_report_of_a_hosts_remark_is_kept_from_that_host() -> None:
    house = House()
    path = house.opens(house.first, members=[house.host])
    say(house.host, path, "You will lose.")
    board = f"{house.path}/board/0"
    house.host.post(board, {"text": "All of you."})
    assert house.first.post(f"{path}/remarks/1/report", WHY).status == 204
    assert house.first.post(f"{board}/1/report", WHY).status == 204
    assert house.host.get(f"{house.path}/reports").json == {"results": [], "next": None}
    reports = house.organiser.get(f"{house.path}/reports").json["results"]
    assert [(it["room"] is None, it["episode"]) for it in reports] == [(True, 0), (False, None)]
    address = f"{house.path}/reports/{reports[1]['id']}/answer"
    assert house.host.post(address, WHY).refusal == (404, "no_such_report")
    assert guest(is_organiser=True).post(address, WHY).status == 200


def test_seat_of_a_running_match_knows_rooms_as_they_were_at_the_start() -> None:
    """Two worlds: in one the others talk, open, close, leave and look into rooms during a match, in the other not."""
    house = House(hosts_read_rooms=True)
    path = house.opens(house.third, members=[house.first, house.second, house.fourth])
    lounge, confessional = house.opens(house.host, "lounge"), house.opens(house.first, "confessional")
    for room in (path, lounge, confessional):
        say(house.host if room == lounge else house.third if room == path else house.first, room, "Good luck.")
    match = house.plays(house.first, house.second)

    def answers() -> list[bytes]:
        addresses = [f"{house.path}/rooms"]
        for room in (path, lounge, confessional):
            addresses += [room, f"{room}/remarks", f"{room}/remarks?after=0", f"{room}/remarks?limit=1"]
        return [house.first.get(address).body for address in addresses]

    before = answers()
    say(house.third, path, "He holds the nine.")
    say(house.spectator, lounge, "The nine!")
    say(house.host, confessional, "Beware of the nine.")
    assert house.host.post(f"{path}/look").status == house.organiser.post(f"{path}/look").status == 200
    hidden = house.opens(house.third, members=[house.first])
    assert house.fourth.post(f"{path}/leave").status == 204
    assert house.third.post(f"{path}/close").status == 200
    assert answers() == before
    assert house.first.get(hidden).refusal == (404, "not_found")
    for room in (path, lounge, confessional):
        assert say(house.first, room, "What?").refusal == (403, "forbidden")
    assert house.first.post(f"{house.path}/rooms", {"kind": "confessional"}).refusal == (403, "forbidden")
    house.loses(match, house.second)
    assert texts(house.first, path) == ["Good luck.", "He holds the nine."] and hidden in listed(house.first, house)


def test_room_whose_members_all_sit_at_the_match_stays_open() -> None:
    house = House()
    path = house.opens(house.first, members=[house.second])
    match = house.plays(house.first, house.second)
    assert say(house.first, path, "Shall we draw?").status == 201 and texts(house.second, path) == ["Shall we draw?"]
    assert house.first.post(f"{house.path}/rooms", {"kind": "private", "members": [house.third.id]}).status == 403
    later = house.opens(house.second, members=[house.first])
    assert later in listed(house.first, house)
    body = {"seat": 1, "player": house.third.id, "reason": "The train is late."}
    assert house.host.post(f"/matches/{match}/substitute", body).status == 200
    assert say(house.first, path, "Where are you?").refusal == (403, "forbidden")


def test_lounge_is_silent_for_those_who_know_more_than_delayed_spectators() -> None:
    house = House(spectator_delay=300)
    lounge = house.opens(house.host, "lounge")
    match = house.plays(house.first, house.second)
    assert say(house.host, lounge, "Welcome.").status == 201
    assert house.host.get(f"/matches/{match}/view", {"as": "host"}).status == 200
    assert house.first.send(match, {"type": "resign"}).status == 201
    for who in (house.host, house.first):
        assert say(who, lounge, "The second has won.").refusal == (403, "forbidden")
        assert texts(who, lounge) == ["Welcome."]
    assert say(house.third, lounge, "Who leads?").status == say(house.spectator, lounge, "The first.").status == 201


def test_erased_account_leaves_no_word_in_any_room() -> None:
    house = House()
    leaver = house.second
    paths = [
        house.alliance(),
        house.opens(leaver, members=[house.first]),
        house.opens(leaver, "confessional"),
        house.opens(house.host, "lounge"),
    ]
    for path in paths:
        assert say(leaver, path, "My word.").status == 201
    house.first.post(f"{paths[0]}/remarks/2/report", WHY)
    house.did(f"/players/{leaver.id}/withdraw", {"reason": "Work calls."})
    erasure.erase(UUID(leaver.id))
    assert not Remark.objects.filter(account_id=leaver.id).exists()
    assert texts(house.first, paths[0]) == ["We vote for the third."] and texts(house.first, paths[1]) == []
    assert house.host.get(f"{house.path}/reports").json["results"] == []
    room = house.first.get(paths[1]).json
    assert (room["title"], room["opened_by"]) == ("", None) and room["closed_at"]
    assert [it["id"] for it in room["members"]] == [house.first.id]


def test_stranger_to_a_room_detects_nothing_of_it_by_any_answer() -> None:
    """Two worlds: in one the first two players talk in a room, in the other there is none."""
    house, nowhere = House(), str(uuid4())
    strangers = [house.third, house.host, house.organiser, house.auditor, house.spectator]

    def answers(path: str) -> list[tuple[int, dict[str, str], bytes]]:
        masked = []
        for who in strangers:
            house_answers = (
                who.get(f"{house.path}{it}", X_Request_ID="the-same")
                for it in ("/rooms", "", "/board", "/events", "/mutes", "/reports")
            )
            for answer in (*asked_of(who, path), *house_answers):
                headers = {name: it for name, it in answer.headers.items() if not name.startswith("RateLimit")}
                masked.append((answer.status, headers, answer.body.replace(path.encode(), b"")))
        return masked

    quiet = answers(f"{house.path}/rooms/{nowhere}")
    path = house.alliance()
    say(house.second, path, "Agreed.")
    assert house.second.ask("PUT", f"{path}/read", b'{"number": 2}').status == 204
    assert answers(path) == quiet


def test_hundred_rooms_and_ten_thousand_remarks_need_no_more_queries() -> None:
    house = House(hosts_read_rooms=True)
    path = house.alliance()

    def queries() -> list[int]:
        counts = []
        for address in (f"{house.path}/rooms", path, f"{path}/remarks"):
            with CaptureQueriesContext(connection) as captured:
                assert house.first.get(address).status == 200
            counts.append(len(captured))
        return counts

    house.host.post(f"{path}/look")
    before = queries()
    season = Season.objects.get(id=house.id)
    rooms = [Room(id=uuid4(), season=season, kind="private", opened_by_id=house.first.id) for _ in range(100)]
    Room.objects.bulk_create(rooms)
    RoomMember.objects.bulk_create([RoomMember(room=it, account_id=house.first.id) for it in rooms])
    thread = Thread.objects.create(about=rooms[0].id, name="room")
    RoomLook.objects.bulk_create([RoomLook(room_id=it.id, by=house.host.id) for it in rooms])
    line = Remark(thread=thread, account_id=house.second.id, at_version=1, text="x")
    for _ in range(50):
        # A statement for each part: the trigger updates the thread's row, which a long transaction can't clean up.
        Remark.objects.bulk_create([copy(line) for _ in range(200)])
    assert queries() == before
    page = house.first.get(f"{house.path}/rooms").json
    following = house.first.get(f"{house.path}/rooms", {"cursor": page["next"], "limit": 200}).json
    assert (len(page["results"]), len(following["results"]), following["next"]) == (50, 51, None)
    [long] = [it for it in page["results"] + following["results"] if it["id"] == str(rooms[0].id)]
    assert (long["last"], long["unread"]) == (10_000, 100)
