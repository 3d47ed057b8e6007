"""The template of a bending: the rules that can be made, and those that the seat's items allow."""

from typing import Final

from games.kernel import Template
from games.reality_benders.checks import rules_wanted
from games.reality_benders.legal import absent_rules
from games.reality_benders.state import State


class BendTemplate(Template, frozen=True, tag="bend"):
    """`rules` takes exactly `count` different ones of `new`. With the bridge still in hand, `bridge` may be one of
    `bridges`, other than those; with the break, `break` may be one of `breaks`. Both lists are empty otherwise."""

    count: int
    new: tuple[str, ...]
    bridges: tuple[str, ...]
    breaks: tuple[str, ...]


def bend(state: State, seat: int) -> BendTemplate:
    """Return the template of a seat's bending."""  # R5, R6
    absent, items, count = tuple(absent_rules(state)), state.items[seat], rules_wanted(state)
    return BendTemplate(
        count=count,
        new=absent,
        bridges=absent if "bridge" in items and len(absent) > count else (),
        breaks=tuple(sorted(state.rules)) if "break" in items else (),
    )


TEMPLATES: Final = {BendTemplate: bend}
