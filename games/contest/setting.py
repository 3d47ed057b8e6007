"""The set-up of a contest: roles, teams and hands, each a duty of the dealer."""

from collections.abc import Iterator

from games.contest.content import Content
from games.contest.events import DeckShuffled, HandDealt, RoleDealt, RolesDrawn, TeamsDrawn
from games.contest.state import State
from games.kernel import Chance, Event


def set_up(state: State, chance: Chance) -> Iterator[Event]:
    """Yield the events of the next step of the set-up; nothing if it is complete."""
    content = state.options.content
    if content.roles and all(role is None for role in state.roles):
        yield from _roles_dealt(state, chance)
    elif content.teams and not state.teams:
        yield TeamsDrawn(chance.shuffled(range(state.seats), "teams"))
    elif state.dealt < len(content.decks):
        yield from _hands_dealt(state, chance)


def roles_of(content: Content, seats: int) -> tuple[str, ...]:
    """Return the roles of a contest of this many seats; an empty one for seats without a role."""
    counted = [role.name for role in content.roles for _ in range(role.count)][:seats]
    rest = next((role.name for role in content.roles if role.count == 0), "")
    return (*counted, *(rest,) * (seats - len(counted)))


def _roles_dealt(state: State, chance: Chance) -> Iterator[Event]:
    content = state.options.content
    roles = chance.shuffled(roles_of(content, state.seats), "roles")
    acquainted = {role.name for role in content.roles if role.acquainted}
    yield RolesDrawn(roles)
    for seat, role in enumerate(roles):
        companions = (other for other, its in enumerate(roles) if its == role and other != seat)
        yield RoleDealt(seat, role, tuple(companions) if role in acquainted else ())


def _hands_dealt(state: State, chance: Chance) -> Iterator[Event]:
    deck = state.options.content.decks[state.dealt]
    cards = chance.shuffled(deck.cards, "deck")
    hand = min(deck.hand, len(cards) // state.seats)
    yield DeckShuffled(deck.name, cards)
    for seat in range(state.seats):
        yield HandDealt(seat, deck.name, tuple(sorted(cards[seat * hand : (seat + 1) * hand])))
