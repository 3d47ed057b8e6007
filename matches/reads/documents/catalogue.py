"""Documents of games."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType


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
    """Something that a match may show beyond what is public and what a seat holds: `kind` is the least value of the
    match's `aids` that includes it."""

    kind: Literal["memory", "all"]
    tells: str


class PresetCard(Struct, frozen=True):
    """A contest that can be chosen: for how many players it is, its number of rounds with their repetitions, and the
    first sentence of its rules."""

    name: str
    title: str
    author: str
    players: dict[str, int]
    rounds: int
    summary: str


class PresetList(Struct, frozen=True):
    """The contests that come with the game."""

    results: list[PresetCard]
    next: None


PresetDocument = Annotated[dict[str, Any], Meta(extra_json_schema={"x-schema": "ContestContent"})]
"""The content of a contest, as it can be sent in the options of a match."""


class OriginDocument(Struct, frozen=True):
    """The designers of a game, and its first season or place of publication."""

    designers: str
    featured_in: str


class GameDocument(GameCard, frozen=True):
    """A game: `options`, `commands` and `events` are JSON schemas, `rules` is markdown, `aids` are by name.

    `tools` says which tools players may use beside the page; empty without such a rule. `unscheduled` says what follows
    if a match has no opening time; empty if nothing does. `origin` is null for a game that was not published before.
    `host_commands` is included, as JSON schemas, for a game that awaits commands of its match's host.
    """

    options: dict[str, Any]
    commands: dict[str, Any]
    events: dict[str, Any]
    rules: str
    aids: dict[str, AidDocument]
    tools: str
    unscheduled: str
    origin: OriginDocument | None
    host_commands: dict[str, Any] | UnsetType = UNSET
