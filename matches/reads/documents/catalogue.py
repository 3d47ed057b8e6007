"""The games as they are told."""

from typing import Any

from msgspec import Struct


class GameCard(Struct, frozen=True):
    """A game in the catalogue."""

    slug: str
    title: str
    seats: dict[str, int]
    clocks: dict[str, Any]


class GameList(Struct, frozen=True):
    """The catalogue."""

    results: list[GameCard]
    next: None


class GameDocument(GameCard, frozen=True):
    """A game: `options`, `commands` and `events` are JSON schemas, `rules` is markdown."""

    options: dict[str, Any]
    commands: dict[str, Any]
    events: dict[str, Any]
    rules: str
