"""Rooms of a season live: a member's stream has each new remark, and nobody else's has any."""

from uuid import UUID

from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Account
from matches.seasons.models import Room
from matches.seasons.reads import rooms
from tests.api.guests import guest
from tests.api.rooms import House as Season
from tests.api.rooms import say
from tests.live.test_streams import frames, stream
from tests.live.watching import House


def test_member_gets_new_remarks_until_leaving_the_room(web: House) -> None:
    season = Season()
    path = season.opens(season.first, members=[season.second, season.third])
    with stream(web, season.third, f"{path}/remarks") as response:
        frames_read = frames(response)
        assert next(frames_read) == {"kind": "talk", "thread": "room", "whole": True, "remarks": []}
        assert next(frames_read)["whole"] is True
        say(season.first, path, "We vote for the fourth.")
        assert [it["text"] for it in next(frames_read)["remarks"]] == ["We vote for the fourth."]
        assert season.third.post(f"{path}/leave").status == 204
        say(season.first, path, "Without the third.")
        assert not any("Without" in str(frame) for frame in frames_read), "the stream has ended"
    with stream(web, season.fourth, f"{path}/remarks") as refused:
        assert refused.status_code == 404


def test_seat_gets_the_remarks_of_a_match_under_way_after_its_end(web: House) -> None:
    season = Season()
    path = season.opens(season.first, members=[season.second, season.third])
    match = season.plays(season.first, season.second)
    with stream(web, season.first, f"{path}/remarks") as response, stream(web, season.third, f"{path}/remarks") as free:
        frames_read, frames_of_the_free = frames(response), frames(free)
        for received in (frames_read, frames_of_the_free):
            assert [next(received)["remarks"], next(received)["remarks"]] == [[], []]
        say(season.third, path, "He holds the nine.")
        assert next(frames_of_the_free)["remarks"][0]["text"] == "He holds the nine."
        season.second.send(match, {"type": "resign"})
        after = next(frames_read)
        assert (after["whole"], [it["text"] for it in after["remarks"]]) == (True, ["He holds the nine."])


def test_rights_of_many_listeners_in_a_lounge_take_as_many_queries_as_those_of_few() -> None:
    season = Season()
    room = Room.objects.select_related("season").get(id=season.opens(season.host, "lounge").rpartition("/")[2])

    def queries(listeners: list[Account]) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert rooms.ears_in(room, listeners).keys() == {it.id for it in listeners}
        return len(captured)

    few = [Account.objects.get(id=UUID(season.spectator.id))]
    many = [*few, *(Account.objects.get(id=UUID(guest().id)) for _ in range(20))]
    assert queries(few) == queries(many)
