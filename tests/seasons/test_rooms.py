"""Rights in a season's rooms, for all kinds, parts and options, and the options of rooms as they are stored."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.domain.talk import TalkFor
from matches.seasons import codec
from matches.seasons.domain import rooms
from matches.seasons.domain.events import SeasonOpened
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.rooms import KINDS, Part, RoomKind, RoomRights, rights

PLAYER, AUDITOR, HOST, SPECTATOR = (
    Part(plays=True), Part(runs=True), Part(runs=True, moderates=True), Part(),
)  # fmt: skip
PARTS = (PLAYER, AUDITOR, HOST, SPECTATOR)
OPTIONS = st.builds(
    SeasonOptions,
    private_rooms=st.sampled_from(["nobody", "staff", "players"]),
    hosts_read_rooms=st.booleans(),
    rooms_at_end=st.sampled_from(["everybody", "members", "nobody"]),
)
SITUATIONS = st.fixed_dictionaries(
    {
        "is_member": st.booleans(),
        "is_closed": st.booleans(),
        "is_over": st.booleans(),
        "is_walled": st.booleans(),
        "open_to": st.sampled_from(["off", "members", "all"]),
    }
)
EVERYWHERE = given(st.sampled_from(KINDS), st.sampled_from(PARTS), OPTIONS, SITUATIONS)


def stored_options(options: SeasonOptions) -> dict[str, object]:
    """Return the later options of a stored opening."""
    opened = SeasonOpened(title="A cup", options=options, opened_by="a", template=None, chance=None)
    later: dict[str, object] = json.loads(codec.pack(opened).public)["later_options"]
    return later


@EVERYWHERE
def test_every_right_needs_the_knowledge_of_the_room(
    kind: RoomKind, part: Part, options: SeasonOptions, situation: dict[str, object]
) -> None:
    it = rights(kind, part, options, **situation)  # type: ignore[arg-type]
    assert it.knows or it == RoomRights()
    assert it.reads or not (it.writes or it.moderates)
    assert not (it.looks and it.reads)


@EVERYWHERE
def test_private_room_is_read_during_the_season_by_members_alone(
    kind: RoomKind, part: Part, options: SeasonOptions, situation: dict[str, object]
) -> None:
    it = rights("private", part, options, **{**situation, "is_over": False})  # type: ignore[arg-type]
    assert situation["is_member"] or not it.reads
    assert situation["is_member"] or it.knows == (options.hosts_read_rooms and part.moderates)


@EVERYWHERE
def test_room_of_players_is_read_at_the_end_as_the_option_says(
    kind: RoomKind, part: Part, options: SeasonOptions, situation: dict[str, object]
) -> None:
    over = {**situation, "is_over": True, "open_to": "all"}
    for room in ("private", "confessional"):
        it = rights(room, part, options, **over)  # type: ignore[arg-type]
        belongs = situation["is_member"] or (room == "confessional" and part.runs)
        assert it.reads == {"everybody": True, "members": bool(belongs), "nobody": False}[options.rooms_at_end]
        assert not it.writes


@EVERYWHERE
def test_nobody_writes_who_is_a_guest_or_behind_a_wall_or_in_closed_talk(
    kind: RoomKind, part: Part, options: SeasonOptions, situation: dict[str, object]
) -> None:
    guest = Part(part.plays, part.runs, part.moderates, is_guest=True)
    assert not rights(kind, guest, options, **situation).writes  # type: ignore[arg-type]
    for silent in ({"is_walled": True}, {"is_closed": True}, {"open_to": "off"}):
        assert not rights(kind, part, options, **(situation | silent)).writes  # type: ignore[arg-type]


@EVERYWHERE
def test_those_named_as_readers_are_those_who_read(
    kind: RoomKind, part: Part, options: SeasonOptions, situation: dict[str, object]
) -> None:
    it = rights(kind, part, options, is_member=bool(situation["is_member"]))
    named = rooms.readers(kind, options)
    may_read = (
        "everybody" in named
        or ("members" in named and bool(situation["is_member"]))
        or ("staff" in named and part.runs)
    )
    assert it.reads == may_read
    assert it.looks == (not may_read and "hosts_on_record" in named and part.moderates)


@pytest.mark.parametrize(("who_opens", "openers"), [("nobody", []), ("staff", [HOST]), ("players", [PLAYER, HOST])])
def test_private_rooms_are_opened_by_those_whom_the_option_names(who_opens: str, openers: list[Part]) -> None:
    options = SeasonOptions(private_rooms=who_opens)  # type: ignore[arg-type]
    assert [part for part in PARTS if rooms.may_open("private", part, options)] == openers


def test_confessional_is_opened_by_its_player_and_staff_and_the_others_by_hosts() -> None:
    def openers(kind: RoomKind) -> Iterator[Part]:
        return (part for part in PARTS if rooms.may_open(kind, part, SeasonOptions()))

    assert list(openers("confessional")) == [PLAYER, AUDITOR, HOST]
    assert list(openers("lounge")) == list(openers("staff")) == [HOST]


@pytest.mark.parametrize(("open_to", "readers"), [("all", PARTS), ("members", PARTS[:3]), ("off", (HOST,))])
def test_lounge_follows_the_setting_of_the_seasons_talk(open_to: TalkFor, readers: tuple[Part, ...]) -> None:
    assert tuple(it for it in PARTS if rights("lounge", it, SeasonOptions(), open_to=open_to).reads) == readers


def test_season_opened_with_default_rooms_is_stored_as_before_there_were_rooms() -> None:
    usual = stored_options(SeasonOptions())
    assert not {name for name in usual if "room" in name}
    chosen = SeasonOptions(private_rooms="players", rooms_at_end="everybody")
    assert stored_options(chosen) == {**usual, "private_rooms": "players", "rooms_at_end": "everybody"}


def test_options_of_rooms_are_read_again_as_they_were_chosen() -> None:
    for options in (SeasonOptions(), SeasonOptions(private_rooms="staff", rooms_each=1, hosts_read_rooms=True)):
        opened = SeasonOpened(title="A cup", options=options, opened_by="a", template=None, chance=None)
        fields = codec._together(json.loads(codec.pack(opened).public))["options"]
        assert SeasonOptions(**{**fields, "pool": tuple(fields["pool"])}) == options
