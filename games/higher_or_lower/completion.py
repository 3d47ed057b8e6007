"""Completions of a seat's missing groups, found with a SAT solver.

Groups that are already assigned are assumptions, so an unsatisfiable core names the conflicting ones. The result
depends only on whether the solver finds a solution, never on which one: a drawn completion depends on the layout, the
assigned groups and the draws.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, islice
from typing import Any

from games.higher_or_lower import solvers
from games.higher_or_lower.clauses import model_of
from games.higher_or_lower.layout import Place
from games.higher_or_lower.pieces import NUMBER_OF, Boards, Group, sorted_cards

Shuffle = Callable[[Sequence[Any]], Sequence[Any]]
"""Returns the items in a random order."""

CONFLICTS = 100_000
"""The limit of solver conflicts for one seat's groups; beyond it every answer is no.

Then nothing counts as completable, the dealer withdraws all groups instead of the fewest, and a fill uses the last
completion found. The groups of a match need less than a thousand conflicts.
"""


class Completions:
    """The valid completions of a seat's groups, restricted by each choice. A context manager."""

    def __init__(self, boards: Boards, colour: str, groups: Iterable[Group] = ()) -> None:
        self._model = model_of(boards, colour)
        self._groups = {(group.board, group.shape): group.cards for group in groups}
        self._layout = boards, colour
        self._solver = solvers.take(*self._layout)
        self._conflicts_before = solvers.conflicts_of(self._solver)
        self._last_model: frozenset[int] = frozenset()
        self.missing = [place for place in self._model.sizes if place not in self._groups]
        self._left = [card for card in NUMBER_OF if not any(card in cards for cards in self._groups.values())]
        self._fixed = [literal for place in self._groups for literal in self._literals(place)]

    def __enter__(self) -> "Completions":
        return self

    def __exit__(self, *_: object) -> None:
        solvers.give_back(self._solver, *self._layout)

    def exist(self) -> bool:
        """True if there is a completion."""
        return self._possible(())

    def fewest_withdrawals(self) -> tuple[Place, ...]:
        """Return the smallest set of groups whose withdrawal makes a completion possible, the latest ones if equal.

        The latest group comes first. Sets that keep a known contradiction are skipped without solving.
        """
        latest_first = tuple(reversed(self._groups))
        contradictions: list[set[Place]] = []
        for count in range(len(latest_first)):
            for out in combinations(latest_first, count):
                if any(contradiction.isdisjoint(out) for contradiction in contradictions):
                    continue
                if self._possible_without(out):
                    return out
                contradictions.append(self._conflicting())
        return latest_first

    def fill(self, shuffle: Shuffle) -> tuple[Group, ...]:
        """Draw every missing group of a valid completion, which must exist."""
        self._possible(())
        return tuple(self.draw(place, shuffle) for place in shuffle(tuple(self.missing)))

    def draw(self, place: Place, shuffle: Shuffle) -> Group:
        """Draw a missing group: first one of the possible patterns, then card by card."""
        of_group = self._model.patterns[place]
        suits = next(suits for suits in shuffle(tuple(of_group)) if self._choose(of_group[suits]))
        cards: list[str] = []
        for suit in suits:
            wanted = self._model.sizes[place] if len(suits) == 1 else 1
            own = [card for card in self._left if card[0] == suit]
            able = (card for card in shuffle(own) if self._choose(self._literal(place, suits, card)))
            cards.extend(islice(able, wanted))
        self._left = [card for card in self._left if card not in cards]
        return Group(*place, sorted_cards(tuple(cards)))

    def _literals(self, place: Place) -> list[int]:
        cards = self._groups[place]
        suits = "".join(sorted({card[0] for card in cards}))
        return [
            self._model.patterns[place][suits],
            *(self._literal(place, suits, card) for card in cards),
        ]

    def _literal(self, place: Place, suits: str, card: str) -> int:
        return self._model.held[card] if len(suits) == 1 else self._model.named[place, card]

    def _choose(self, literal: int) -> bool:
        """Fix a choice if a completion contains it; return whether it does. The last model often avoids solving."""
        if literal not in self._last_model and not self._possible((literal,)):
            return False
        self._fixed.append(literal)
        return True

    def _possible(self, more: tuple[int, ...]) -> bool:
        return self._solve([*self._fixed, *more])

    def _possible_without(self, out: tuple[Place, ...]) -> bool:
        staying = [place for place in self._groups if place not in out]
        return self._solve([literal for place in staying for literal in self._literals(place)])

    def _conflicting(self) -> set[Place]:
        core = set(self._solver.get_core() or self._fixed)
        return {place for place in self._groups if not core.isdisjoint(self._literals(place))}

    def _solve(self, assumptions: list[int]) -> bool:
        conflicts = solvers.conflicts_of(self._solver) - self._conflicts_before
        if conflicts >= CONFLICTS:
            return False
        self._solver.conf_budget(CONFLICTS - conflicts)
        answer = self._solver.solve_limited(assumptions) is True
        if answer:
            self._last_model = frozenset(self._solver.get_model())
        return answer
