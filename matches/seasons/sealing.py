"""Sealed parts of the options of a season's matches: the log has commitments, and the parts are stored outside it."""

from collections.abc import Sequence
from uuid import UUID

from msgspec.structs import replace

from events.pipeline import Statement
from games import catalogue
from games.kernel import Chance, Event, Illegal, commitments, to_json
from matches.seasons.domain.events import DeathMatchScheduled, FinalMatchScheduled, MainMatchScheduled, SeatingAsked
from matches.services.opening import FOREIGN_COMMITMENT
from matches.storage import seeds

_WITH_OPTIONS = (MainMatchScheduled, DeathMatchScheduled, FinalMatchScheduled, SeatingAsked)


def sealed(season_id: UUID, events: Sequence[Event]) -> tuple[Sequence[Event], list[Statement]]:
    """Return the events with their options sealed, and the statements that store the parts. Raise bad_options for a
    commitment to a part that the season hasn't stored."""
    if not any(isinstance(event, _WITH_OPTIONS) and catalogue[event.game].seals for event in events):
        return events, []
    # One chance for the whole act, so that equal options of several tables are sealed equally.
    chance, parts, promised = Chance(seeds.new_seed()), {}, set()
    public: list[Event] = []
    for event in events:
        if isinstance(event, _WITH_OPTIONS):
            rules = catalogue[event.game]
            options, new = rules.seal(rules.read_options(event.options), chance)
            event = replace(event, options=to_json(options))
            parts |= new
            promised |= set(commitments(event.options))
        public.append(event)
    missing = promised - parts.keys()
    if missing - seeds.kept_parts(season_id, missing).keys():
        raise Illegal("bad_options", FOREIGN_COMMITMENT)
    return public, seeds.storing_parts(season_id, parts)
