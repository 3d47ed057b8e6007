"""A game in the catalogue for one test."""

from collections.abc import Iterator

import pytest

import games
from games.kernel import Game
from matches.api import schema
from matches.audit import croupier_verify, rendering
from matches.models import Match
from matches.web.lobby import shelf
from tests.api import document


def catalogued(game: Game, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add a game as its entry in `games/__init__.py` and `python -m matches.audit.rendering` would."""
    monkeypatch.setitem(games._BY_SLUG, game.slug, game)
    monkeypatch.setattr(croupier_verify, "GAMES", rendering.games())
    caches = (rendering.source, schema._components, document._validator, shelf.shelf)
    for cache in caches:
        cache.cache_clear()
    monkeypatch.setitem(document.DOCUMENT, "components", {"schemas": schema._components()[1]})
    yield
    for cache in caches:
        cache.cache_clear()
    # No list may come upon a game that the catalogue no longer has.
    Match.objects.filter(game=game.slug).delete()
