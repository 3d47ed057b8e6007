"""A season's aids are stored where the release before passes them over, and old seasons have them all."""

import msgspec

from events import chain
from events.records import Recorded
from matches.seasons import codec
from matches.seasons.domain.events import SeasonOpened
from matches.seasons.domain.options import SeasonOptions

OPENED = SeasonOpened(title="A cup", options=SeasonOptions(aids="none"), opened_by="somebody")


def stored(public: bytes) -> Recorded:
    return Recorded(1, "season_opened", 1, public, None, None, None, "somebody", chain.instant(0), b"")


def test_the_options_are_stored_without_the_aids_which_stand_beside_them() -> None:
    fields = msgspec.json.decode(codec.pack(OPENED).public)
    assert fields["aids"] == "none"
    assert "aids" not in fields["options"]
    assert codec.unpack(stored(codec.pack(OPENED).public)) == OPENED


def test_a_season_from_before_there_was_a_choice_has_all_aids() -> None:
    fields = msgspec.json.decode(codec.pack(OPENED).public)
    del fields["aids"]
    opened = codec.unpack(stored(msgspec.json.encode(fields)))
    assert isinstance(opened, SeasonOpened) and opened.options.aids == "all"
