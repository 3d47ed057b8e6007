"""Tables of a main match over REST: set all at once, or drawn from the season's chance."""

from uuid import UUID

from matches.models import Match
from matches.seasons import chance, repository
from matches.seasons.domain import tables
from matches.seasons.domain.chance import follows
from matches.seasons.domain.events import SeatingDrawn
from tests.api.seasons import Cup


def test_thirteen_players_are_drawn_to_tables_and_no_preview_reveals_the_draw() -> None:
    cup = Cup(13)
    cup.did("/episodes", {"title": "First"})
    body = {"game": "pentagram", "clocks": None, "tables": [[], [], []], "draw": True}
    dry = [cup.ask("/main-matches/seatings?dry_run=1", body).json["text"] for _ in range(2)]
    assert dry[0] == dry[1] and len(dry[0]) == 1 and "13 players are drawn to tables of 5, 4 and 4" in dry[0][0]
    events = cup.did("/main-matches/seatings", body, by=cup.host)
    assert [it["type"] for it in events] == ["seating_asked", "seating_drawn", *["main_match_scheduled"] * 3]
    drawn = events[1]
    assert sorted(who for table in drawn["seating"] for who in table) == sorted(it.id for it in cup.players)
    assert Match.objects.filter(season_id=cup.id).count() == 3
    opened = repository.load(UUID(cup.id), upto=1)
    assert follows(drawn["link"], opened.timing.link or "")
    (seating,) = (it.event for it in repository.revisions(UUID(cup.id)) if isinstance(it.event, SeatingDrawn))
    assert tables.fault_in(opened, seating) == ""
    assert chance.next_link(UUID(cup.id), repository.load(UUID(cup.id))) != drawn["link"]
    again = cup.ask("/main-matches/seatings", body)
    assert again.refusal == (422, "bad_seating") and "nobody is left to be drawn" in again.json["detail"]


def test_tables_are_set_by_hand_and_invalid_ones_change_nothing() -> None:
    cup = Cup(6)
    cup.did("/episodes", {"title": "First"})
    people = [it.id for it in cup.players]
    body = {"game": "pentagram", "clocks": None, "tables": [people[:3], people[2:]]}
    assert cup.ask("/main-matches/seatings", body).refusal == (409, "already_seated")
    assert cup.read("/main-matches/tables")["results"] == []
    assert cup.ask("/main-matches/seatings", {**body, "draw": True, "sizes": [6]}).refusal[1] in (
        "already_seated", "bad_seating"
    )  # fmt: skip
    cup.did("/main-matches/seatings", {**body, "tables": [people[:3], people[3:]]})
    assert [it["players"] for it in cup.read("/main-matches/tables")["results"]] == [people[:3], people[3:]]
