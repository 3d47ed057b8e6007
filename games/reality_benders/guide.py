"""The content of the rules page: a duel in pictures, and the nine spells."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import svg
from msgspec.structs import replace

from games.drawing.elements import picture, text
from games.drawing.themes import Theme
from games.kernel import Figure, Guide, Script, Shelf, Thing
from games.reality_benders.duel import duel
from games.reality_benders.events import DuelResolved
from games.reality_benders.graph import graph_of
from games.reality_benders.graph_drawing import Graph
from games.reality_benders.pieces import DOES, NAMES, SPELLS
from games.reality_benders.spell_card import sign
from games.reality_benders.stage_graph import MIDDLE, arrows, nodes, ways
from games.reality_benders.state import State

_RULES: Final = ("A>I", "C>A", "C>B", "E>F", "F>A", "F>H", "G>E", "H>E", "H>G", "I>D")
_EXAMPLE: Final = (*_RULES, "A>D", "B>F")
"""The rules at the example's duel: `_RULES`, and one made by each seat."""
_COVER: Final = (*_EXAMPLE, "D>F", "H>A")
"""The rules of the cover picture before its script."""
_HALF: Final = (292, 288)
_WINDOW: Final = (MIDDLE[0] - _HALF[0], MIDDLE[1] - _HALF[1], 2 * _HALF[0], 2 * _HALF[1])
"""The part of the drawing that the figures show: x, y, width, height."""


def _duel_without_abilities(view: State) -> DuelResolved:
    """Return the result of the revealed spells' duel without their abilities."""
    return duel(view.casts, (), graph_of(view.rules), False)


def _graph(view: State, theme: Theme, names: Sequence[str]) -> str:
    """Draw the graph with the duel's paths. Before the abilities are resolved, draw the paths without them."""
    revealed = view.stage == "cast" and len(view.casts) == 2 and view.duel is None
    shown = replace(view, duel=_duel_without_abilities(view)) if revealed else view
    graph = Graph(shown, theme)
    drawn = [arrows(graph), *ways(graph), *nodes(graph, names, (), ())]
    return picture("The rules between nine spells", MIDDLE[0] * 2, 690, drawn, theme, ground=None)


def _graph_without_paths(view: State, theme: Theme, names: Sequence[str]) -> str:
    """Draw the graph with the spells of the example's ability marked."""
    graph = Graph(view, theme)
    drawn = [arrows(graph), *nodes(graph, names, (), ("C", "D", "G"))]
    return picture("The rules between nine spells", MIDDLE[0] * 2, 690, drawn, theme, ground=None)


def _spell(spell: str) -> Callable[[Theme], str]:
    return partial(_sign_of, spell)


def _sign_of(spell: str, theme: Theme) -> str:
    drawn: list[svg.Element] = [
        text(50, 22, spell, size=34, fill=theme.on_ticket, bold=True),
        sign(spell, 50, 76, theme.turn, scale=1.5),
    ]
    return picture(NAMES[spell], 100, 112, drawn, theme, ground=None)


GUIDE: Final = Guide(
    lead="Nine spells stand in a ring. An arrow from one to another is a rule. You both bend the rules, then each casts"
    " a spell in secret:",
    point="the spell that reaches the other in fewer steps wins.",
    facts=(("2", "players"), ("9", "spells each"), ("2", "bouts won take the match")),
    cover_script=Script(
        b"guide",
        "bend D>B; bend G>C; cast D:C; cast G; bend I>B; bend E>I; cast F:B; cast C:A",
        {"rules": _COVER, "rules_each": 1},
    ),
    cover=Figure(
        alt="The ring of nine spells with arrows between them. Two spells are lit: numbered steps lead from each to the"
        " other.",
        draw=_graph,
        window=_WINDOW,
        named=(
            ("F", "Greta’s spell: 2 steps to Jonas’s"),
            ("C", "Jonas’s spell: 3 steps to hers"),
            ("rule E>I", "A rule: one step, one way only"),
            ("H", "Disc and square: both still hold it"),
        ),
    ),
    example_title="One duel in four pictures",
    example_says="Greta casts Dizzy, Jonas casts Greed.",
    example_script=Script(b"guide", options={"rules": _EXAMPLE, "rules_each": 1}),
    example=(
        Figure(
            title="Rules are bent.",
            says="Each makes a new rule, in secret, and both are opened together: the dashed arrows.",
            alt="Among the arrows two are new: Dizzy to Build, and Greed to Combo.",
            then="bend D>B; bend G>C",
            draw=_graph,
            window=_WINDOW,
            points=("B", "C", "D", "G"),
            holds=lambda state: state.fresh == ("D>B", "G>C"),
        ),
        Figure(
            title="Spells are shown.",
            says="As the rules lie, Jonas is nearer: 3 steps from Greed to Dizzy, against 4 back.",
            alt="Greed reaches Dizzy in three steps, over Combo and Armageddon. Dizzy needs four to reach Greed.",
            then="cast D:C; cast G",
            until="spells_revealed",
            draw=_graph,
            window=_WINDOW,
            points=("D", "G"),
            holds=lambda state: (
                _duel_without_abilities(state).distances == (4, 3) and _duel_without_abilities(state).winner == 1
            ),
        ),
        Figure(
            title="Abilities work, A to I.",
            says="Dizzy is aimed at Combo: the three rules at Combo turn around.",
            alt="The arrows at Combo now run the other way: from Armageddon and Build to Combo, from Combo to Greed.",
            until="ability_resolved",
            draw=_graph_without_paths,
            window=_WINDOW,
            points=("C", "D", "G"),
            holds=lambda state: state.gone == ("C>A", "C>B", "G>C") and {"A>C", "B>C", "C>G"} <= set(state.fresh),
        ),
        Figure(
            title="Count again.",
            says="Now Dizzy needs 3 steps and Greed 4. Greta wins a point, and Greed doubles it: 2. Both spells are"
            " used up.",
            alt="Dizzy reaches Greed in three steps, over Build and Combo. Greed needs four to reach Dizzy.",
            draw=_graph,
            window=_WINDOW,
            points=("D", "G"),
            holds=lambda state: state.duel.distances == (3, 4) and state.points == (2, 0) and "D" not in state.hands[0],
        ),
    ),
    turn=(
        "Each of you makes a new rule in secret; then both are opened.",
        "Each of you casts a spell from your hand in secret; then both are shown.",
        "The abilities work in the order of the alphabet, and the steps are counted.",
        "The nearer spell wins a point. A won duel uses up both spells; most ties give them back.",
    ),
    shelves=(
        Shelf(
            "Nine spells",
            "You hold one of each. You can’t cast the same one twice running.",
            tuple(Thing(NAMES[spell], DOES[spell], _spell(spell)) for spell in SPELLS),
        ),
    ),
    ends=(
        "A bout ends when somebody has nothing left to cast. More points win it.",
        "The rules stay as they lie for the next bout, and hands are full again.",
        "Two bouts won win the match.",
        "Three items help once a match each: one rule more (bridge), one rule less (break), a point more for a won duel"
        " (bonus).",
    ),
)
