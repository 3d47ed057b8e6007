"""The standalone verifier's table of games is the games' own, so that a game which is added needs no line in it."""

import gc
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

import pytest
from django.test import RequestFactory

from events import pipeline, store
from games import catalogue
from games.kernel import Drawn, Game
from matches.api import audit_views
from matches.audit import croupier_verify, rendering
from tests.kernel.coin import GAME
from tests.matches.test_audit import exported, parsed, written
from tests.table_setting import new_account, play_to_the_end, running_match


def test_the_verifier_in_the_release_has_todays_table() -> None:
    """Run `python -m matches.audit.rendering` where it has not."""
    text = rendering.PATH.read_text(encoding="utf-8")
    assert rendering.written(text) == text
    assert rendering.games() == croupier_verify.GAMES


@pytest.fixture
def coin(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A game of one draw, which the release hasn't, in every module's catalogue; gives its slug."""
    tossed = Drawn("coin", "choice", "coin_tossed", ("coin",), items=("heads", "tails"))
    games: dict[str, Game] = gc.get_referents(catalogue)[0]
    monkeypatch.setitem(games, "coin", replace(GAME, draws=(tossed,)))
    rendering.source.cache_clear()
    yield "coin"
    rendering.source.cache_clear()


def test_sixth_game_is_verified_by_the_verifier_served_with_it(coin: str) -> None:
    match = running_match(coin, new_account(), new_account())
    play_to_the_end(match)
    lines = parsed(tuple(exported(match.id)))
    # Other tests list and follow what there is, by the games of the release.
    pipeline.roundtrip(store.raw_connection(), [("DELETE FROM events_dirty WHERE stream = $1", (match.id,))])
    match.delete()
    with pytest.raises(croupier_verify.Bad, match="what 'coin' draws isn't known here"):
        croupier_verify.verify(written(lines))
    served = ModuleType("served")
    exec(audit_views.verifier(RequestFactory().get("/")).content, served.__dict__)  # noqa: S102  our own file
    assert served.verify(written(lines))["draws"] == 1
    draw = next(line for line in lines if "draw" in line)
    draw["steps"][0][1].reverse()
    with pytest.raises(served.Bad):
        served.verify(written(lines))
    lines.remove(draw)
    lines[0]["draws"] = 0
    with pytest.raises(served.Bad, match="what it tells was not drawn"):
        served.verify(written(lines))
