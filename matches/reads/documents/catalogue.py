"""The games as they are told."""

from typing import Any, Literal

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


class AidDocument(Struct, frozen=True):
    """Something that a match may show beyond what lies open and what a seat holds: `kind` is the least of the match's
    `aids` with which it does."""

    kind: Literal["memory", "all"]
    tells: str


class OriginDocument(Struct, frozen=True):
    """The designers of a game, and its first season or place of publication."""

    designers: str
    featured_in: str


class GameDocument(GameCard, frozen=True):
    """A game: `options`, `commands` and `events` are JSON schemas, `rules` is markdown, `aids` are by name.

    `tools` says which tools players may use beside the page, empty where nothing is said. `unscheduled` says what
    follows where a match has no time to open at; empty where nothing need be said. `origin` is null for a game that was
    not published before.
    """

    options: dict[str, Any]
    commands: dict[str, Any]
    events: dict[str, Any]
    rules: str
    aids: dict[str, AidDocument]
    tools: str
    unscheduled: str
    origin: OriginDocument | None
