"""All features of a season, and all its events. The modules of features do not import its state, which has theirs."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from games.kernel import Event
from games.kernel.messages import type_name
from matches.seasons.domain import claims, events
from matches.seasons.domain.feature import Feature

FEATURES: tuple[Feature[Any], ...] = (claims.FEATURE,)
EVENTS: dict[str, type[Event]] = {
    type_name(kind): kind for kind in (*events.EVENTS, *(own for it in FEATURES for own in it.events))
}
"""All events of a season by the name of their type."""


def started() -> dict[str, Any]:
    """Return the features' states in a new season, by name."""
    return {it.name: it.start for it in FEATURES}


def evolved(states: Mapping[str, Any], event: Event) -> dict[str, Any]:
    """Return the features' states after an event."""
    return {it.name: it.evolve(states[it.name], event) for it in FEATURES}


def refuse_untimely(states: Mapping[str, Any], events: Sequence[Event], now: datetime) -> None:
    """Raise what a feature refuses because of the time."""
    for it in FEATURES:
        it.refuse_untimely(states[it.name], events, now)
