"""The rule of texts in options that people write, such as the content of a contest."""

from collections.abc import Collection, Mapping
from typing import Any

from games.kernel import Fault, Game, Illegal
from matches.domain.texts import BadText, clean_line, clean_lines

_MOST_FAULTS = 500
_SHOWN = 8


def clean_options(game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with their texts in normal form and without null; raise bad_options, with all faults, if a text
    breaks the rule of texts."""
    faults: list[Fault] = []
    cleaned: dict[str, Any] = clean_texts(options, game.passages, faults)
    if faults:
        sentence = " ".join(f"{fault.place}: {fault.sentence}" for fault in faults[:_SHOWN])
        raise Illegal("bad_options", sentence, [*faults, *game.faults(cleaned)][:_MOST_FAULTS])
    return cleaned


def clean_texts(value: Any, passages: Collection[str], faults: list[Fault], name: str = "", place: str = "") -> Any:
    """Return a value with its texts in normal form and without null; add a fault for each text that breaks the rule of
    texts. Texts of the names in `passages` may have several lines."""
    match value:
        case str():
            try:
                return clean_lines(value) if name in passages else clean_line(value)
            except BadText as bad:
                faults.append(Fault(place, str(bad)))
                # Postgres stores no text with it.
                return value.replace("\0", "")
        case Mapping():
            return {
                it: clean_texts(item, passages, faults, it, f"{place}.{it[:40]}".lstrip("."))
                for it, item in value.items()
                if item is not None
            }
        case list():
            items = (item for item in value if item is not None)
            return [
                clean_texts(item, passages, faults, name, f"{place}.{number}".lstrip("."))
                for number, item in enumerate(items)
            ]
    return value
