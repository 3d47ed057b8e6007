"""Commands as short text and back."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, NoReturn

from games.kernel import Command, Illegal, Resign
from games.reality_benders.commands import Bend, Cast, Offer, Pick
from games.reality_benders.pieces import NAMES
from games.reality_benders.state import State

_EXAMPLES: Final = "bend A>D bridge E>F break G>H; cast F:G; cast H:A,B bonus; offer A,B,C; pick A; resign"
_LETTER: Final = {name.upper(): letter for letter, name in NAMES.items()}


def parse(state: State, seat: int, text: str) -> Command:
    """Parse a command from its text; raise Illegal("malformed")."""
    # Runs of spaces are collapsed first: the pattern would search each run again from every space in it.
    words = re.sub(r" ?([>:,]) ?", r"\1", " ".join(text.split())).split()
    if words and ">" in words[0]:
        words.insert(0, "bend")
    head, rest = (words[0].lower(), words[1:]) if words else ("", [])
    match head:
        case "bend":
            return _parse_bend(rest)
        case "cast" if rest:
            return _parse_cast(rest)
        case "offer" if rest:
            return Offer(_spells(",".join(rest)))
        case "pick" if len(rest) == 1:
            return Pick(_spell(rest[0]))
        case "resign" if not rest:
            return Resign()
        case _:
            _refuse()


def form(command: Any) -> str:
    """Return the short text of a command."""
    match command:
        case Bend():
            items = (("bridge", command.bridge), ("break", command.break_))
            used = [word for item, rule in items if rule is not None for word in (item, rule)]
            return " ".join(("bend", *command.rules, *used))
        case Cast():
            return "cast " + _aimed(command.spell, command.targets) + " bonus" * command.bonus
        case Offer():
            return "offer " + ",".join(command.spells)
        case Pick():
            return f"pick {command.spell}"
        case _:
            return "resign"


def _parse_bend(words: Sequence[str]) -> Bend:
    rules: list[str] = []
    items: dict[str, str] = {}
    item = None
    for word in words:
        if word.lower() in ("bridge", "break") and item is None and word.lower() not in items:
            item = word.lower()
        elif item is not None:
            items[item], item = _rule(word), None
        else:
            rules.append(_rule(word))
    if item is not None:
        _refuse()
    return Bend(tuple(rules), items.get("bridge"), items.get("break"))


def _parse_cast(words: Sequence[str]) -> Cast:
    aimed, *items = words
    items = [word.lower() for word in items]
    if items not in ([], ["bonus"], ["bonus", "item"], ["item", "bonus"]):
        _refuse()
    spell, colon, targets = aimed.partition(":")
    return Cast(_spell(spell), _spells(targets) if colon else (), bool(items))


def _rule(word: str) -> str:
    start, arrow, goal = word.partition(">")
    if not arrow:
        _refuse()
    return f"{_spell(start)}>{_spell(goal)}"


def _spells(text: str) -> tuple[str, ...]:
    return tuple(map(_spell, text.split(",")))


def _spell(word: str) -> str:
    """Parse a letter or a spell's full name; the rules refuse an unknown letter."""
    letter = _LETTER.get(word.upper(), word.upper())
    return letter if len(letter) == 1 and letter.isalpha() else _refuse()


def _refuse() -> NoReturn:
    raise Illegal("malformed", f"Write a command like one of these: {_EXAMPLES}.")


def _aimed(spell: str, targets: Iterable[str]) -> str:
    aims = ",".join(targets)
    return f"{spell}:{aims}" if aims else spell
