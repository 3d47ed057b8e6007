"""Options that an earlier release doesn't know are stored where it passes them over; old seasons have all aids."""

import msgspec

from events import chain
from events.records import Recorded
from matches.seasons import codec
from matches.seasons.domain.events import SeasonOpened
from matches.seasons.domain.options import SeasonOptions

OPENED = SeasonOpened(title="A cup", options=SeasonOptions(aids="none", check_in_minutes=20), opened_by="somebody")


def stored(public: bytes) -> Recorded:
    return Recorded(1, "season_opened", 1, public, None, None, None, "somebody", chain.instant(0), b"")


def test_later_options_are_stored_beside_those_of_the_first_release() -> None:
    fields = msgspec.json.decode(codec.pack(OPENED).public)
    assert fields["aids"] == "none" and fields["later_options"]["check_in_minutes"] == 20
    assert set(fields["options"]).isdisjoint({"aids", *fields["later_options"]})
    assert codec.unpack(stored(codec.pack(OPENED).public)) == OPENED


def test_opening_with_later_options_among_the_others_is_decoded() -> None:
    fields = msgspec.json.decode(codec.pack(OPENED).public)
    fields["options"] |= fields.pop("later_options")
    assert codec.unpack(stored(msgspec.json.encode(fields))) == OPENED


def test_a_season_from_before_there_was_a_choice_has_all_aids() -> None:
    fields = msgspec.json.decode(codec.pack(OPENED).public)
    del fields["aids"]
    opened = codec.unpack(stored(msgspec.json.encode(fields)))
    assert isinstance(opened, SeasonOpened) and opened.options.aids == "all"
