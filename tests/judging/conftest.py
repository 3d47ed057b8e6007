"""The judged game in the catalogue, and a match of it whose host holds no seat."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # Django's settings are there only once the servers run.
    import games
    from matches.api import schema
    from matches.audit import croupier_verify, rendering
    from matches.models import Match
    from matches.seasons.domain import options
    from matches.seasons.models import Season
    from tests.api import document
    from tests.api.seasons import deliver
    from tests.judging.game import GAME

    monkeypatch.setitem(games._BY_SLUG, GAME.slug, GAME)
    monkeypatch.setattr(croupier_verify, "GAMES", rendering.games())
    monkeypatch.setattr(options, "POOL", (*options.POOL, GAME.slug))
    caches = (rendering.source, schema._components, document._validator)
    for cache in caches:
        cache.cache_clear()
    monkeypatch.setitem(document.DOCUMENT, "components", {"schemas": schema._components()[1]})
    yield
    for cache in caches:
        cache.cache_clear()
    deliver()
    matches = Match.objects.filter(game=GAME.slug)
    # No later test can read a season or match whose game has left the catalogue.
    Season.objects.filter(id__in=set(matches.values_list("season_id", flat=True)) - {None}).delete()
    matches.delete()


@pytest.fixture(autouse=True)
def _no_web_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let flags fall even if this process has last heard of a web process of another test."""
    from matches.storage import settling

    monkeypatch.setattr(settling, "have_settled", lambda at: True)


@pytest.fixture
def host() -> Any:
    from tests.api.guests import guest

    return guest()


@pytest.fixture
def judged(host: Any) -> Any:
    """A running match in which both seats have still to hand a word in."""
    from tests.judging.table import JudgedMatch

    return JudgedMatch.begun(host)
