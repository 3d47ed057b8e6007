"""The chance of a match that is decided again: it records its draws, and has the parts that the record publishes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from games.kernel import Chance, Draws, Parts, canonical

_PRIVATE_USE = 0xF0000


class Undecidable(Exception):
    """A decision needs a text that was withdrawn."""


class RecordedParts(dict[str, bytes]):
    """The sealed parts and the texts of a record by commitment, each as canonical bytes.

    `texts` are those to compare; in place of one that was withdrawn, a character of its own that nobody types.
    """

    def __init__(self, sealed: Mapping[str, Any], texts: Mapping[str, Any]) -> None:
        super().__init__({name: canonical(part) for name, part in {**sealed, **texts}.items() if part is not None})
        self._withdrawn = [name for name, part in texts.items() if part is None]
        self.texts = {name: part["value"] for name, part in texts.items() if part is not None}
        self.texts |= {name: chr(_PRIVATE_USE + place) for place, name in enumerate(self._withdrawn)}

    def __missing__(self, commitment: str) -> bytes:
        raise Undecidable if commitment in self._withdrawn else KeyError(commitment)


class RecordingChance(Chance):
    """The match's chance, which records its draws: for each purpose the steps `[kind, items or n, result]`."""

    def __init__(self, key: bytes, version: int, parts: Parts) -> None:
        super().__init__(key, version, parts)
        self.notes: list[tuple[str, list[list[Any]]]] = []

    def draws(self, purpose: str) -> Draws:
        steps: list[list[Any]] = []
        self.notes.append((purpose, steps))
        return _RecordingDraws(self._words(purpose), steps)


class _RecordingDraws(Draws):
    def __init__(self, words: Iterator[int], steps: list[list[Any]]) -> None:
        super().__init__(words)
        self._steps = steps

    def below(self, n: int) -> int:
        drawn = super().below(n)
        self._steps.append(["below", n, drawn])
        return drawn

    def choice(self, items: Sequence[Any]) -> Any:
        chosen = Draws(self._words).choice(items)
        self._steps.append(["choice", _plain(list(items)), _plain(chosen)])
        return chosen

    def shuffled(self, items: Sequence[Any]) -> tuple[Any, ...]:
        order = Draws(self._words).shuffled(items)
        self._steps.append(["shuffled", _plain(list(items)), _plain(list(order))])
        return order


def _plain(value: Any) -> Any:
    """Return a value as in a record, its names in the order of canonical bytes."""
    return msgspec.json.decode(canonical(value))
