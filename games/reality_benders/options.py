"""The options of a match."""

from games.kernel import Options as KernelOptions
from games.reality_benders.pieces import ITEMS, RULES, SPELLS

_ITEM = "one of bonus, bridge and break"
_MOST_PHASES = 200
_MOST_BOUTS = 25
_MOST_RULES_EACH = 2
_MOST_SPELLS = 18


class Options(KernelOptions, frozen=True, kw_only=True):
    """The rules at the start and their number per submission, the items, the phases from which ties trash, the bouts.

    Both seats have `items`, unless `seat_items` has two lists, one for each seat. `hands` are the spells at the
    beginning of a bout: one list for both seats, or one for each; without any, each seat has one of each spell.
    """

    rules: tuple[str, ...] = ()
    rules_each: int = 1
    items: tuple[str, ...] = ITEMS
    seat_items: tuple[tuple[str, ...], ...] = ()
    tie_trash_phase: int = 16
    tie_trash_phase_first: int = 32
    max_bouts: int = 5
    hands: tuple[tuple[str, ...], ...] = ()

    def __post_init__(self) -> None:
        _check_list("rules", self.rules, RULES, 'a rule such as "A>D" between two spells of A to I')
        _check_span("rules_each", self.rules_each, _MOST_RULES_EACH)
        _check_list("items", self.items, ITEMS, _ITEM)
        if len(self.seat_items) not in (0, 2):
            raise ValueError(f"seat_items is two lists, one for each seat, or none at all, not {len(self.seat_items)}.")
        for own in self.seat_items:
            _check_list("seat_items", own, ITEMS, _ITEM)
        _check_span("tie_trash_phase", self.tie_trash_phase, _MOST_PHASES)
        _check_span("tie_trash_phase_first", self.tie_trash_phase_first, _MOST_PHASES)
        _check_span("max_bouts", self.max_bouts, _MOST_BOUTS)
        _check_hands(self.hands)

    def items_of(self, seat: int) -> tuple[str, ...]:
        """Return the items with which a seat begins the match."""
        return self.seat_items[seat] if self.seat_items else self.items

    def hand_of(self, seat: int) -> tuple[str, ...]:
        """Return the spells with which a seat begins each bout, sorted."""
        return tuple(sorted(self.hands[seat if len(self.hands) > 1 else 0])) if self.hands else SPELLS


def _check_hands(hands: tuple[tuple[str, ...], ...]) -> None:
    if len(hands) > 2:
        raise ValueError(f"hands is one list of spells for both seats, two by seat, or none at all, not {len(hands)}.")
    for hand in hands:
        if not 1 <= len(hand) <= _MOST_SPELLS:
            raise ValueError(f"Each list of hands has 1 to {_MOST_SPELLS} spells, not {len(hand)}.")
        for spell in hand:
            if spell not in SPELLS:
                raise ValueError(f"Each entry of hands is a list of letters A to I, not of {spell[:30]!r}.")


def _check_list(name: str, given: tuple[str, ...], allowed: tuple[str, ...], what: str) -> None:
    for item in given:
        if item not in allowed:
            raise ValueError(f"Each entry of {name} is {what}, not {item!r}.")
    if len(set(given)) < len(given):
        raise ValueError(f"No entry of {name} may stand there twice.")


def _check_span(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise ValueError(f"{name} is 1 to {most}, not {value}.")
