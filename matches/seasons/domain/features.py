"""All features of a season. Their modules import neither its events nor its state, which are made of them. Pure."""

from collections.abc import Mapping
from typing import Any

from games.kernel import Event
from matches.seasons.domain import claims
from matches.seasons.domain.feature import Feature

FEATURES: tuple[Feature, ...] = (claims.FEATURE,)


def started() -> dict[str, Any]:
    """Return the features' states in a new season, by name."""
    return {it.name: it.start for it in FEATURES}


def evolved(states: Mapping[str, Any], event: Event) -> dict[str, Any]:
    """Return the features' states after an event."""
    return {it.name: it.evolve(states[it.name], event) for it in FEATURES}
