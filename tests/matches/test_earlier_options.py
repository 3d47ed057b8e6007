"""Matches from before a game had an option go on with what applied then, and their records still hold."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import msgspec
import pytest

from events import store
from events.upcasting import Upcasters
from games.reality_benders.events import BendingSubmitted
from matches.audit import croupier_verify, export, replay
from matches.audit.croupier_verify import verify
from matches.domain.events import MatchOpened
from matches.services import opening, rematching
from matches.storage import codec, repository
from tests.matches.test_audit import exported
from tests.table_setting import new_account, play_to_the_end, running_match

BEFORE = Path(__file__).with_name("before_one_rule_each.ndjson")
"""A person against a bot of the release before, with a break and a rewind."""

EMPTY_DECK = Path(__file__).with_name("before_short_reshuffles.ndjson")
"""A person against a bot of the release before, with a rewind and four reshuffles of deck and discard together."""


def test_old_benders_record_passes_the_verifier_and_the_rules() -> None:
    lines = BEFORE.read_text(encoding="utf-8").splitlines()
    summary = verify(lines)
    assert (summary["game"], summary["events"], summary["seed"]) == ("reality_benders", 109, True)
    alone = [sys.executable, croupier_verify.__file__, str(BEFORE)]
    assert subprocess.run(alone, capture_output=True, timeout=60).returncode == 0
    export.replay(lines)
    judged = replay.judged(lines)
    assert (judged.programmed > 20, judged.unprogrammed) == (True, 0), "the bot's moves are computed again"


def test_old_benders_record_is_folded_with_two_rules_each() -> None:
    header, opening, *rows = map(msgspec.json.decode, BEFORE.read_text(encoding="utf-8").splitlines())
    assert "rules_each" not in opening["public"]["options"]
    game = replay.rules_of(header)
    opened = replay.exported_event(game, opening)
    assert isinstance(opened, MatchOpened) and opened.options["rules_each"] == 2
    first = next(replay.exported_event(game, row) for row in rows if row["type"] == "bending_submitted")
    assert isinstance(first, BendingSubmitted) and len(first.rules or ()) == 2


def test_running_match_keeps_two_rules_each_over_an_upgrade(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as before:
        before.setattr(codec, "upcasters", Upcasters())
        before.setattr(opening, "to_json", lambda options: {"max_bouts": options.max_bouts})
        match = running_match("reality_benders", one := new_account(), new_account(), options={"max_bouts": 1})
    repository._cache.clear()
    assert store.read(match.id)[0].schema == 1
    assert repository.load(match.id).state.options.rules_each == 2
    rematch = partial(rematching.offer_rematch, match_id=match.id, player=one.id)
    play_to_the_end(match)
    lines = exported(match.id)
    assert verify(lines)["game"] == "reality_benders"
    export.replay(lines)
    assert replay.judged(lines).acts > 20
    assert repository.load(rematch()).state.options.rules_each == 2, "the rematch is played with the same options"


def test_record_of_a_banana_match_from_before_the_option_holds_as_empty() -> None:
    lines = EMPTY_DECK.read_text(encoding="utf-8").splitlines()
    assert verify(lines)["seed"] is True
    alone = [sys.executable, croupier_verify.__file__, str(EMPTY_DECK)]
    assert subprocess.run(alone, capture_output=True, timeout=60).returncode == 0
    export.replay(lines)
    judged = replay.judged(lines)
    assert (judged.programmed > 5, judged.unprogrammed) == (True, 0), "the bot's moves are computed again"
    header, opened = map(msgspec.json.decode, lines[:2])
    assert "reshuffle" not in opened["public"]["options"]
    event = replay.exported_event(replay.rules_of(header), opened)
    assert isinstance(event, MatchOpened) and event.options["reshuffle"] == "empty"


def test_banana_match_under_way_while_the_release_changes_reshuffles_an_empty_deck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    earlier = Upcasters()
    earlier.step("match_opened", 1)(lambda fields: fields)
    options = {"turns": 4, "deck": {"coins2": 4, "domino": 1}}
    with monkeypatch.context() as before:
        before.setattr(codec, "upcasters", earlier)
        before.setattr(opening, "to_json", lambda options: {"turns": options.turns, "deck": options.deck})
        match = running_match("peeling_the_banana", one := new_account(), new_account(), options=options)
    repository._cache.clear()
    assert store.read(match.id)[0].schema == 2
    assert repository.load(match.id).state.options.reshuffle == "empty"
    rematch = partial(rematching.offer_rematch, match_id=match.id, player=one.id)
    play_to_the_end(match)
    lines = exported(match.id)
    verify(lines)
    export.replay(lines)
    assert replay.judged(lines).acts > 10
    assert repository.load(rematch()).state.options.reshuffle == "empty", "the rematch has the same options"


def test_banana_match_reshuffles_a_short_deck_and_its_record_holds() -> None:
    options = {"turns": 4, "deck": {"coins2": 4, "domino": 1}}
    match = running_match("peeling_the_banana", options=options)
    play_to_the_end(match)
    lines = exported(match.id)
    summary = verify(lines)
    export.replay(lines)
    orders = [msgspec.json.decode(line)["public"]["order"] for line in lines if '"type":"deck_reshuffled"' in line]
    drawn = [msgspec.json.decode(line)["steps"][0][2] for line in lines if '"purpose":"reshuffle"' in line]
    assert summary["draws"] == 1 + len(orders) and len(orders) > 2
    assert any(order[: len(order) - len(end)] for order, end in zip(orders, drawn, strict=True)), "some cards lay above"
    assert all(order[-len(end) :] == end for order, end in zip(orders, drawn, strict=True))
