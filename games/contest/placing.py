"""The place of a round among all rounds, and the rounds in which events happened."""

from collections.abc import Sequence

from msgspec import Struct

from games.contest.content import Round
from games.contest.events import Resolved, RoundClosed, RoundRevealed, RoundSkipped
from games.contest.explaining import title_of
from games.contest.fields import names_seats
from games.contest.rounds import next_place
from games.contest.state import State
from games.kernel import Event


class Place(Struct, frozen=True):
    """A round: its index in the content, its number among those that are played, how many these are as far as it is
    known, its title, and the names of the fields whose values are seats. `number` is 0 for one that isn't played.
    """

    index: int
    number: int
    total: int
    title: str
    seats: frozenset[str]

    @property
    def heading(self) -> str:
        return f"Round {self.number} of {self.total}: {self.title}"


def place_of(state: State, number: int | None = None) -> Place:
    """Return the place of the round that was played as this one; by default, of the one that is open or judged, or that
    opens next, or of the last one."""
    if number is None:
        number = len(state.played) if state.stage == "judging" or is_after_last(state) else state.number
    if 0 < number <= len(state.played):
        shown = state.played[number - 1]
        return _place(state, number, shown.index, shown.repeat)
    if state.stage == "between" and (place := next_place(state)):
        return _place(state, number, *place)
    return _place(state, number, state.index, state.repeat)


def is_after_last(state: State) -> bool:
    """True if all rounds are over, and only the result is missing."""
    return state.stage == "between" and next_place(state) is None


def _place(state: State, number: int, index: int, repeat: int) -> Place:
    skipped = sum(it.repeat for it in state.rounds[:index]) + repeat - number
    total = sum(it.repeat for it in state.rounds) - skipped
    seats = frozenset(field.name for field in state.rounds[index].fields if names_seats(field))
    return Place(index, number, total, _title(state.rounds[index]), seats)


def _title(of_round: Round) -> str:
    return "A secret round" if of_round.part is not None else title_of(of_round)


def contexts(state: State, events: Sequence[Event]) -> list[Place | None]:
    """Return the place of the round of each of consecutive events, of which the last leads to the state; None if that
    isn't known, after the end of the last round."""
    places: list[Place | None] = []
    number = state.number
    for event in reversed(events):
        if isinstance(event, RoundClosed):
            number -= 1
        places.append(_place_of_event(state, event, number))
    return places[::-1]


def _place_of_event(state: State, event: Event, number: int) -> Place | None:
    match event:
        case RoundRevealed(number=revealed):
            return place_of(state, revealed)
        case Resolved():
            return place_of(state, number - 1)
        case RoundSkipped(index=index):
            return Place(index, 0, 0, _title(state.rounds[index]), frozenset())
    is_played = 1 <= number <= len(state.played) or state.stage == "open"
    return place_of(state, number) if is_played else None
