"""Tables set up and played by short lines such as `0 cast F:G`."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.kernel import HOST, Event, Illegal, Table
from games.reality_benders import GAME
from games.reality_benders.events import DuelResolved, RulesBent
from games.reality_benders.pieces import RULES, SPELLS

QUIET = "H>I I>H"


def table(rules: str = "", **options: Any) -> Table:
    """A table whose match begins with these rules, and where a submission makes two more."""
    return Table(GAME, {"rules": rules.split(), "rules_each": 2, **options})


def holding(first: str, second: str, *before: Event, rules: str = "", priority: int = 0, **options: Any) -> Table:
    """A table at the start of round 2, with these hands; `before` stands earlier in the log."""
    trashed = tuple(tuple(spell for spell in SPELLS if spell not in hand) for hand in (first, second))
    thinned = DuelResolved((), (None, None), None, (0, 0), trashed, ((), ()))
    events = [*before, RulesBent((), (), ()), thinned]
    return Table.replay(GAME, {"rules": rules.split(), "rules_each": 2, **options}, 2, priority, events)


def play(at: Table, *lines: str) -> list[dict[str, Any]]:
    """Each line a seat and its command; the events that the last one brought, as the host sees them."""
    version = at.version
    for line in lines:
        seat, text = int(line[0]), line[2:]
        version = at.version
        at.act(seat, GAME.notation.parse(at.witness(seat), seat, text))
    return at.events(HOST, after=version)


def bends(at: Table, rules: str = "") -> list[dict[str, Any]]:
    """Both seats bend alike, by the first rules that can be made unless told which."""
    text = rules or GAME.notation.form(next(at.legal(0)))
    return play(at, f"0 {text}", f"1 {text}")


def duel(at: Table, first: str, second: str, quiet: str = QUIET) -> list[dict[str, Any]]:
    """A round: both seats submit the quiet rules, then cast; what the casts brought."""
    bends(at, quiet)
    return play(at, f"0 cast {first}", f"1 cast {second}")


def result(events: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The duel's result among the events."""
    return only(events, "duel_resolved")


def changes(events: Sequence[dict[str, Any]]) -> list[tuple[str, list[int], list[str], list[str]]]:
    """Each ability with its seats and what it added and removed."""
    return [
        (event["spell"], event["seats"], event["added"], event["removed"])
        for event in events
        if event["type"] == "ability_resolved"
    ]


def only(events: Sequence[dict[str, Any]], kind: str) -> dict[str, Any]:
    """The one event of a type."""
    (wanted,) = (event for event in events if event["type"] == kind)
    return wanted


def kinds(events: Sequence[dict[str, Any]]) -> list[str]:
    """The types of the events, in order."""
    return [event["type"] for event in events]


def refused(at: Table, line: str, code: str) -> None:
    """The line is refused with that code, and nothing has changed."""
    before = at.log
    with pytest.raises(Illegal) as refusal:
        play(at, line)
    assert refusal.value.code == code
    assert refusal.value.message.endswith(".")
    assert at.log == before


def all_rules_but(*absent: str) -> str:
    """Every rule there can be, without some."""
    return " ".join(rule for rule in RULES if rule not in absent)
