"""Live connections share places: where all are taken, a newcomer gets one of the address that holds the most."""

from contextlib import ExitStack, suppress
from dataclasses import dataclass, field

import pytest

from matches.http import open_connections
from matches.http.open_connections import ConnectionSlots, LivePlace
from matches.http.problems import Problem


@dataclass
class Hall:
    """The places of a process, and who holds them."""

    slots: ConnectionSlots = field(default_factory=ConnectionSlots)
    ended: list[str] = field(default_factory=list)
    leaving: list[ExitStack] = field(default_factory=list)

    def come(self, address: str, count: int = 1, group: str = "accounts") -> int:
        """Return how many of so many newcomers got a place."""
        before = len(self.leaving)
        for number in range(count):
            held, name = ExitStack(), f"{address}{number if count > 1 else ''}"
            place = LivePlace(group, address, lambda name=name: self.ended.append(name))  # type: ignore[misc]
            with suppress(Problem):
                self.slots.hold_place(place, held)
                self.leaving.append(held)
        return len(self.leaving) - before

    def of(self, address: str) -> int:
        """Return how many places an address holds."""
        return sum(place.address == address for place in self.slots._live)


@pytest.fixture
def hall(monkeypatch: pytest.MonkeyPatch) -> Hall:
    """Twenty places, of which strangers may have ten."""
    monkeypatch.setattr(open_connections.settings, "LIMITS", True)
    monkeypatch.setattr(open_connections.settings, "LIVE_PLACES", {"all": 20, "strangers": 10, "followers": 5})
    return Hall()


def test_the_newest_of_the_largest_address_makes_room_for_a_newcomer(hall: Hall) -> None:
    assert hall.come("many", 15) == 15 and hall.come("few", 5) == 5
    assert hall.come("new") == 1
    assert hall.ended == ["many14"]
    assert (hall.of("many"), hall.of("few"), hall.of("new")) == (14, 5, 1)


def test_newcomer_is_refused_when_no_address_has_many_more_connections(hall: Hall) -> None:
    for address in "abcde":
        assert hall.come(address, 4) == 4
    assert hall.come("new") == 0 and not hall.ended


def test_connection_that_lost_its_place_cannot_take_it_back(hall: Hall) -> None:
    hall.come("many", 15)
    hall.come("few", 5)
    hall.come("new")
    assert hall.come("many") == 0 and hall.ended == ["many14"]


def test_newcomer_takes_only_a_few_places_of_an_office(hall: Hall) -> None:
    hall.come("office", 20)
    assert hall.come("greedy", 20) == 4
    assert (hall.of("office"), hall.of("greedy")) == (16, 4)


def test_a_few_addresses_cannot_keep_many_others_out(hall: Hall) -> None:
    assert sum(hall.come(f"attacker{number}", 10) for number in range(2)) == 20
    assert sum(hall.come(f"viewer{number}") for number in range(12)) == 12
    assert not any(name.startswith("viewer") for name in hall.ended)


def test_networks_of_one_customer_make_room_like_one_address(hall: Hall) -> None:
    networks = [f"2001:db8:7:{number}::/64" for number in range(5)]
    assert sum(hall.come(network, 4) for network in networks) == 20
    hall.slots.refuse_early("new")
    assert hall.come("new", 8) == 4
    assert sum(hall.of(network) for network in networks) == 16


def test_networks_of_one_site_share_its_places(hall: Hall) -> None:
    assert hall.come("2001:db8:7:1::/64", 20) == 20
    assert hall.come("2001:db8:7:2::/64", 20) == 4
    assert not any(name.startswith("2001:db8:7:2") for name in hall.ended)


def test_networks_of_one_customer_cannot_empty_an_office(hall: Hall) -> None:
    hall.come("office", 8)
    networks = [f"2001:db8:7:{number:x}::/64" for number in range(100)]
    assert sum(hall.come(network) for network in networks) == 12
    assert hall.of("office") == 8


def test_strangers_make_room_for_strangers_while_there_are_other_places(hall: Hall) -> None:
    hall.come("account")
    assert hall.come("crowd", 10, "strangers") == 10
    assert hall.come("one", group="strangers") == 1
    assert hall.ended == ["crowd9"] and hall.of("account") == 1
    assert hall.come("crowd", group="strangers") == 0
    assert hall.come("crowd", group="followers") == 1


def test_place_is_free_once_its_connection_has_closed(hall: Hall) -> None:
    hall.come("few", 20)
    hall.leaving.pop().close()
    assert hall.come("few") == 1 and not hall.ended


def test_closing_a_replaced_connection_frees_no_other_place(hall: Hall) -> None:
    hall.come("many", 20)
    hall.come("new")
    hall.leaving[19].close()
    assert len(hall.slots._live) == 20


def test_newcomer_without_a_place_is_refused_before_any_work(hall: Hall) -> None:
    hall.come("many", 20)
    hall.slots.refuse_early("few")
    with pytest.raises(Problem):
        hall.slots.refuse_early("many")
    assert not hall.ended


def test_no_place_for_strangers_refuses_all_of_them(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_connections.settings, "LIVE_PLACES", {"all": 20, "strangers": 0})
    assert hall.come("one", group="strangers") == 0


def test_no_connection_is_refused_without_limits(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_connections.settings, "LIMITS", False)
    assert hall.come("many", 30) == 30 and not hall.ended
