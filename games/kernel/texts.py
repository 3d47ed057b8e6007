"""Texts that can be withdrawn: the log holds a commitment to each, and the text is stored beside the log.

In the log, `{"text": commitment}` stands for a text. The commitment is that to a part, as in `sealing.py`. Whoever sees
the event that names a text may read it, as long as it is stored.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from games.kernel.chance import Chance
from games.kernel.sealing import read_part, seal

WITHDRAWN: Final = "[withdrawn]"
"""The word in place of a text that isn't stored any more."""

T = TypeVar("T")

Commitment = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
"""The SHA-256 of a part, in hexadecimal digits."""

_COMMITMENT = re.compile("[0-9a-f]{64}")
_SINGLE = frozenset({str, int, bool, type(None)})


class KeptText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An object that stands for a text in events, states and options."""

    text: Commitment


def keep_text(text: str, chance: Chance) -> KeptText:
    """Return what stands for a text in the log. Its part is added to `chance.kept`, to be stored with the act."""
    commitment, part = seal(text, f"text {len(chance.kept)}", chance.salts or chance)
    chance.kept[commitment] = part
    return KeptText(commitment)


def read_text(text: Any, chance: Chance) -> str | None:
    """Return the text for which this value stands, or the text itself; None if it has been withdrawn."""
    commitment = commitment_of(text)
    if commitment is None:
        return str(text)
    try:
        return str(read_part(commitment, chance).value)
    except KeyError:
        return None


def commitment_of(value: Any) -> str | None:
    """Return the commitment if the value stands for a text, as an object or in JSON; else None."""
    if isinstance(value, KeptText):
        return value.text
    if isinstance(value, dict) and len(value) == 1:
        commitment = value.get("text")
        if isinstance(commitment, str) and _COMMITMENT.fullmatch(commitment):
            return commitment
    return None


def texts_in(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Yield the place and the commitment of each text in a value: `entries.0.values.word` for one in an event."""
    if type(value) in _SINGLE:
        return
    if (commitment := commitment_of(value)) is not None:
        yield place, commitment
        return
    for name, inner in _parts_of(value):
        yield from texts_in(inner, f"{place}.{name}" if place else str(name))


def with_texts(value: T, texts: Mapping[str, str]) -> T:
    """Return a value with each text in its place, WITHDRAWN for one that isn't among `texts`; only for display."""
    if type(value) in _SINGLE:
        return value
    shown: Any
    if (commitment := commitment_of(value)) is not None:
        shown = texts.get(commitment, WITHDRAWN)
        return shown  # type: ignore[no-any-return]
    changes = {
        name: shown for name, inner in _parts_of(value) if (shown := with_texts(inner, texts)) is not inner
    }  # fmt: skip
    if not changes:
        return value
    if isinstance(value, msgspec.Struct):
        return replace(value, **changes)
    if isinstance(value, dict):
        return {**value, **changes}  # type: ignore[return-value]
    return type(value)(changes.get(place, inner) for place, inner in enumerate(value))  # type: ignore[call-arg, var-annotated, arg-type]


def _parts_of(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the names and values within a value."""
    if isinstance(value, msgspec.Struct):
        yield from ((name, getattr(value, name)) for name in value.__struct_fields__)
    elif isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list | tuple):
        yield from enumerate(value)
