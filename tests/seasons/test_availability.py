"""Availability of players: the verdict for an instant, and the times that suit all of them."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from games.kernel import Illegal
from matches.seasons.domain.availability import (
    MOST_WINDOWS,
    Availability,
    TimeSaid,
    WeeklyHours,
    Window,
    checked,
    said_of,
    suited,
    verdict,
)
from tests.table_setting import refusal_of

NOW = datetime(2030, 3, 25, 12, tzinfo=UTC)
"""A Monday; in Vienna summer time begins on the Sunday after."""
EVENINGS = Availability(
    "Europe/Vienna", weekly=(WeeklyHours("fri", "18:00", "22:00"), WeeklyHours("sun", "23:00", "01:00"))
)


def at(day: int, hour: float, month: int = 3) -> datetime:
    return datetime(2030, month, day, tzinfo=UTC) + timedelta(hours=hour)


def window(since: datetime, until: datetime, can: bool = True) -> Window:
    return Window(f"{since:%Y-%m-%dT%H:%M:%S.%f}Z", f"{until:%Y-%m-%dT%H:%M:%S.%f}Z", can)


@pytest.mark.parametrize(
    ("instant", "expected"),
    [
        (at(29, 16.99), "cannot"),
        (at(29, 17), "can"),
        (at(29, 20.99), "can"),
        (at(29, 21), "cannot"),
        # A week later the same hours by the clock are others in UTC.
        (at(5, 15.99, 4), "cannot"),
        (at(5, 16, 4), "can"),
        # From Sunday on to Monday.
        (at(31, 21.5), "can"),
        (at(31, 22.99), "can"),
        (at(31, 23), "cannot"),
    ],
)
def test_weekly_hours_are_by_the_clock_of_their_zone(instant: datetime, expected: str) -> None:
    assert verdict(EVENINGS, instant) == expected


def test_from_midnight_to_midnight_is_a_whole_day() -> None:
    availability = Availability("UTC", weekly=(WeeklyHours("sat", "00:00", "00:00"),))
    assert [verdict(availability, it) for it in (at(29, 23.9), at(30, 0), at(30, 23.9), at(31, 0))] == [
        "cannot", "can", "can", "cannot",
    ]  # fmt: skip


def test_window_overrides_weekly_hours_and_an_unavailable_window_overrides_both() -> None:
    away, free = window(at(29, 16), at(29, 18), can=False), window(at(29, 17), at(29, 23))
    availability = Availability("Europe/Vienna", (away, free), EVENINGS.weekly)
    assert [verdict(availability, at(29, it)) for it in (15, 17, 18, 22.5, 23)] == [
        "cannot",
        "cannot",
        "can",
        "can",
        "cannot",
    ]


def test_player_with_windows_only_is_unknown_at_other_times() -> None:
    windows_only = Availability("UTC", (window(at(29, 17), at(29, 18)),))
    availability = {"a": windows_only, "b": EVENINGS}
    assert said_of(availability, ["a", "b", "c"], at(29, 17)) == TimeSaid(at(29, 17), ("a", "b"), (), ("c",))
    assert said_of(availability, ["a", "b", "c"], at(29, 22)) == TimeSaid(at(29, 22), (), ("b",), ("a", "c"))


def test_suitable_times_begin_when_the_last_player_becomes_available() -> None:
    availability = {
        "a": EVENINGS,
        "b": Availability("Asia/Tokyo", (window(at(29, 18.25), at(29, 20)), window(at(5, 10, 4), at(5, 20, 4)))),
    }
    assert [it.at for it in suited(availability, ["a", "b", "c"], NOW)] == [at(29, 18.25), at(5, 16, 4)]
    assert [it.unknown for it in suited(availability, ["a", "b", "c"], NOW)] == [("c",), ("c",)]


def test_time_with_less_than_an_hour_left_suits_nobody() -> None:
    for ends, times in ((18.7, []), (18.75, []), (19, [at(29, 18)])):
        availability = {"a": EVENINGS, "b": Availability("UTC", (window(at(29, 18), at(29, ends)),))}
        assert [it.at for it in suited(availability, ["a", "b"], NOW)] == times, ends


def test_player_with_only_unavailable_windows_leaves_other_times_open() -> None:
    away = Availability("UTC", (window(at(28, 0), at(29, 19), can=False),))
    assert [it.at for it in suited({"a": EVENINGS, "b": away}, ["a", "b"], NOW)][:2] == [at(29, 19), at(31, 21)]
    assert suited({"b": away}, ["a", "b"], NOW) == [] == suited({}, ["a", "b"], NOW)


def test_free_now_means_free_from_the_next_half_hour_at_least_an_hour_ahead() -> None:
    always = Availability("UTC", (window(NOW - timedelta(days=1), NOW + timedelta(days=1)),))
    assert [it.at for it in suited({"a": always}, ["a"], NOW + timedelta(minutes=10))] == [NOW + timedelta(minutes=90)]


def test_past_windows_are_dropped_and_the_rest_is_sorted() -> None:
    over, now, later = (window(NOW + timedelta(days=it - 1), NOW + timedelta(days=it)) for it in (0, 1, 4))
    friday, monday = WeeklyHours("fri", "18:00", "22:00"), WeeklyHours("mon", "08:00", "09:00")
    availability = checked(Availability("UTC", (later, over, now), (friday, monday)), NOW)
    assert (availability.windows, availability.weekly) == ((now, later), (monday, friday))


@pytest.mark.parametrize(
    ("code", "availability"),
    [
        ("no_such_time_zone", {"zone": "Mars/Olympus"}),
        ("no_such_time_zone", {"zone": "../etc/passwd"}),
        ("bad_availability", {"windows": (window(at(29, 18), at(29, 18)),)}),
        ("bad_availability", {"windows": (window(at(29, 18), at(29, 19)),) * (MOST_WINDOWS + 1)}),
        ("bad_availability", {"weekly": (WeeklyHours("fri", "25:00", "26:00"),)}),
        ("bad_availability", {"weekly": (WeeklyHours("fri", "18:00", "noon"),)}),
    ],
)
def test_invalid_availability_is_refused(code: str, availability: dict[str, Any]) -> None:
    assert refusal_of(lambda: checked(Availability(**{"zone": "UTC", **availability}), NOW)) == code
    with pytest.raises(Illegal, match=r"\.$"):
        checked(Availability(**{"zone": "UTC", **availability}), NOW)
