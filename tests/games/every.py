"""Every game that is held against the laws: those of the catalogue, and the recipe's example."""

from collections.abc import Mapping

from games import catalogue
from games.kernel import Game
from tests.recipe import sealed_bids

EVERY: Mapping[str, Game] = {it.slug: it for it in (*catalogue.values(), sealed_bids.GAME)}
