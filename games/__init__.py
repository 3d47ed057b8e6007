"""The catalogue of games by slug. Pure rules, independent of the host that runs them."""

from types import MappingProxyType

from games import (
    contest,
    higher_or_lower,
    peeling_the_banana,
    pentagram,
    pyramid_poker,
    reality_benders,
)
from games.kernel import Game

GAMES: tuple[Game, ...] = (
    contest.GAME,
    higher_or_lower.GAME,
    peeling_the_banana.GAME,
    pentagram.GAME,
    pyramid_poker.GAME,
    reality_benders.GAME,
)

_BY_SLUG: dict[str, Game] = {game.slug: game for game in GAMES}
catalogue: MappingProxyType[str, Game] = MappingProxyType(_BY_SLUG)
