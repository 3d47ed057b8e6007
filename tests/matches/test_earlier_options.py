"""A match of Reality Benders from before a submission was one rule: it goes on with two, and its record still holds."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import msgspec
import pytest

from events import store
from events.upcasting import Upcasters
from games.reality_benders.events import BendingSubmitted
from matches import services
from matches.audit import croupier_verify, export, replay
from matches.audit.croupier_verify import verify
from matches.domain.events import MatchOpened
from matches.services import opening
from matches.storage import codec, repository
from tests.matches.test_audit import exported
from tests.table_setting import new_account, play_to_the_end, running_match

BEFORE = Path(__file__).with_name("before_one_rule_each.ndjson")
"""A person against a bot of the release before, with a break and a rewind."""


def test_the_record_holds_for_the_verifier_alone_and_by_the_rules() -> None:
    lines = BEFORE.read_text(encoding="utf-8").splitlines()
    told = verify(lines)
    assert (told["game"], told["events"], told["seed"]) == ("reality_benders", 109, True)
    alone = [sys.executable, croupier_verify.__file__, str(BEFORE)]
    assert subprocess.run(alone, capture_output=True, timeout=60).returncode == 0
    export.replay(lines)
    judged = replay.judged(lines)
    assert (judged.programmed > 20, judged.unprogrammed) == (True, 0), "the bot's moves are computed again"


def test_it_is_folded_with_two_rules_each_as_it_was_played() -> None:
    header, opening, *rows = map(msgspec.json.decode, BEFORE.read_text(encoding="utf-8").splitlines())
    assert "rules_each" not in opening["public"]["options"]
    game = replay.rules_of(header)
    opened = replay.exported_event(game, opening)
    assert isinstance(opened, MatchOpened) and opened.options["rules_each"] == 2
    first = next(replay.exported_event(game, row) for row in rows if row["type"] == "bending_submitted")
    assert isinstance(first, BendingSubmitted) and len(first.rules or ()) == 2


def test_a_match_under_way_while_the_release_changes_goes_on_with_two_rules_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as before:
        before.setattr(codec, "upcasters", Upcasters())
        before.setattr(opening, "to_json", lambda options: {"max_bouts": options.max_bouts})
        match = running_match("reality_benders", one := new_account(), new_account(), options={"max_bouts": 1})
    repository._cache.clear()
    assert store.read(match.id)[0].schema == 1
    assert repository.load(match.id).state.options.rules_each == 2
    rematch = partial(services.offer_rematch, match_id=match.id, player=one.id)
    play_to_the_end(match)
    lines = exported(match.id)
    assert verify(lines)["game"] == "reality_benders"
    export.replay(lines)
    assert replay.judged(lines).acts > 20
    assert repository.load(rematch()).state.options.rules_each == 2, "the rematch is played with the same options"
