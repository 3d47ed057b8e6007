"""The board on the match page: the graph between the two cards, the verdict below, and the nine spells beside it."""

from collections.abc import Iterator
from typing import Final

import svg

from games.drawing import shapes
from games.drawing.elements import box, fitted, picture, place, text
from games.drawing.materials import card_back, slab, well
from games.drawing.scene import Scene
from games.kernel import Part
from games.reality_benders import spell_card
from games.reality_benders.commands import Bend, Cast
from games.reality_benders.graph_drawing import Graph, ghost, hand_mark, lock, new_rule, old_rule
from games.reality_benders.pieces import DOES, ITEMS, NAMES, SPELLS
from games.reality_benders.reveal import tie_trash_phase
from games.reality_benders.rules import outcome
from games.reality_benders.spell_card import paragraph
from games.reality_benders.stage_graph import arrows, nodes, ways
from games.reality_benders.state import State
from games.reality_benders.tables import doing, headline, repeated
from games.reality_benders.verdict import verdict

Parts = Iterator[svg.Element]

_WIDE: Final = 900
_HIGH: Final = 690
_SIDE: Final = 14
_TOP: Final = 12
_BAND: Final = 582
_LIST: Final = 300
_ROW: Final = 33


class Stage(Scene[State]):
    """The parts of the board for a witness; see `games.kernel.Board.draw`."""

    def parts(self) -> Iterator[Part]:
        """Yield the table, the verdict for small windows (whose table doesn't show it), the spells and the legend."""
        graph = Graph(self.view, self.theme)
        drawn = [arrows(graph), *ways(graph), *nodes(graph, self.names, self.targets, self.last)]
        sides = [svg.G(class_=["aside"], elements=list(self.side(seat))) for seat in (0, 1)]
        title = f"Reality Benders. {headline(self.view, self.names)}."
        yield Part("table", picture(title, _WIDE, _HIGH, [*sides, *drawn, self.band()], self.theme))
        yield Part("verdict", picture("The verdict", _LIST, 58, self.small_verdict(), self.theme, ground=None))
        high = 30 + _ROW * len(SPELLS)
        yield Part("spells", picture("The nine spells", _LIST, high, self.spells(), self.theme, ground=None))
        yield Part("marks", picture("What the marks mean", _LIST, 66, self.marks(), self.theme, ground=None))

    def side(self, seat: int) -> Parts:
        """Draw a seat's card, its lock, its score and its items."""
        x = _SIDE if seat == 0 else _WIDE - _SIDE - spell_card.WIDE
        yield place(f"card {seat}", *self.card(seat, x, _TOP))
        yield place(f"lock {seat}", *self.doing(seat, x, _TOP + spell_card.HIGH + 20))
        yield from self.score(seat, x, _TOP + spell_card.HIGH + 46)
        yield from self.items(seat, x, 468)

    def card(self, seat: int, x: float, y: float) -> Parts:
        """Draw the spell of the duel, or the submission as far as the viewer may see it, or an empty place."""
        theme, wide, high = self.theme, spell_card.WIDE, spell_card.HIGH
        submitted, duel = self.view.submitted[seat], self.view.duel
        if duel is not None and duel.casts:
            cast = duel.casts[seat]
            yield from spell_card.spell_card(x, y, seat, cast.spell, cast.targets, cast.bonus, theme)
        elif isinstance(submitted, Cast):
            yield from spell_card.spell_card(x, y, seat, submitted.spell, submitted.targets, submitted.bonus, theme)
        elif isinstance(submitted, Bend):
            yield from self.bending(seat, submitted, x, y)
        elif submitted is not None:
            yield from slab(x, y, wide, high, fill=theme.card_back, edge=theme.brick_deep, radius=12, deep=6)
            yield from card_back(x + 5, y + 5, wide - 10, high - 16, theme, radius=8)
        else:
            yield from well(x, y, wide, high, theme, radius=12)
            words = "No rules yet" if self.view.stage == "bend" else "No spell yet"
            chooses = doing(self.view, seat) == "chooses"
            yield text(x + wide / 2, y + high / 2 - (10 if chooses else 0), words, size=15, fill=theme.faint)
            if chooses:
                yield text(x + wide / 2, y + high / 2 + 14, "still choosing", size=14, fill=theme.faint)

    def bending(self, seat: int, bend: Bend, x: float, y: float) -> Parts:
        """Draw the card with the rules that a seat has submitted."""
        theme, middle = self.theme, x + spell_card.WIDE / 2
        yield from slab(
            x, y, spell_card.WIDE, spell_card.HIGH, fill=theme.brick, edge=theme.brick_deep, radius=12, deep=6
        )
        yield spell_card.seat_bar(x, y, seat, theme)
        rows = [("rule", rule) for rule in bend.rules]
        rows += [(word, rule) for word, rule in (("bridge", bend.bridge), ("break", bend.break_)) if rule]
        for number, (word, rule) in enumerate(rows):
            at = y + 28 + number * 60
            yield text(middle, at - 6, word, size=13, fill=theme.on_brick)
            yield text(middle, at + 12, NAMES[rule[0]], size=14, fill=theme.on_brick, bold=True)
            yield text(middle, at + 29, f"to {NAMES[rule[2]]}", size=14, fill=theme.on_brick, bold=True)

    def doing(self, seat: int, x: float, y: float) -> Parts:
        """Draw a lock, or the seat's next action."""
        theme, (at, anchor) = self.theme, self.edge(seat, x)
        if self.view.submitted[seat] is None:
            # The place of the card says that a seat is choosing.
            words = "may pick a spell" if doing(self.view, seat).startswith("may pick") else ""
            if words:
                yield text(at, y, words, size=14, fill=theme.muted, anchor=anchor)
            return
        yield from lock(at + (6 if seat == 0 else -6), y, theme.ok)
        yield text(at + (18 if seat == 0 else -18), y, "locked in", size=14, fill=theme.ink, bold=True, anchor=anchor)

    def score(self, seat: int, x: float, y: float) -> Parts:
        """Draw the points of this bout, those gained in the duel, and the bouts won."""
        theme, view, (at, anchor) = self.theme, self.view, self.edge(seat, x)
        gained = view.duel.points[seat] if view.duel and view.phase > 1 else 0
        points = view.points[seat]
        total = f"{points - gained} + {gained} = {points}" if gained else str(points)
        yield text(at, y, "Points, this bout", size=14, fill=theme.muted, anchor=anchor)
        yield text(at, y + 28, total, size=30, fill=theme.seat(seat), bold=True, anchor=anchor)
        side = 1 if seat == 0 else -1
        yield text(at, y + 62, "Bouts won", size=14, fill=theme.muted, anchor=anchor)
        for number in range(2):
            won = number < view.won[seat]
            middle = at + side * (12 + 28 * number)
            fill, line = (theme.gold, theme.gold) if won else (theme.well, theme.edge)
            yield shapes.diamond(middle, y + 86, 10, fill=fill, line=line)

    def items(self, seat: int, x: float, y: float) -> Parts:
        """Draw a seat's items, struck out once they are used."""
        theme, wide = self.theme, 92
        left = x if seat == 0 else x + spell_card.WIDE - wide
        for number, item in enumerate(one for one in ITEMS if one in self.view.options.items_of(seat)):
            top, holds = y + number * 36, item in self.view.items[seat]
            if holds:
                yield from slab(left, top, wide, 30, fill=theme.card, edge=theme.card_deep, line=theme.card_line)
            else:
                yield box(left, top, wide, 28, fill="none", line=theme.line, dash=(4, 4))
            yield text(left + wide / 2, top + 13, item, size=14, fill=theme.ink if holds else theme.faint, bold=holds)
            if not holds:
                yield shapes.stroke(left + 14, top + 14, left + wide - 14, top + 14, line=theme.faint, thick=1.5)

    def edge(self, seat: int, x: float) -> tuple[float, str]:
        """Return the x coordinate and the anchor of a seat's text."""
        return (x, "start") if seat == 0 else (x + spell_card.WIDE, "end")

    def band(self) -> svg.G:
        """Draw the verdict, or the current action, below the graph."""
        theme, shown = self.theme, verdict(self.view, self.names)
        elements: list[svg.Element] = [shapes.stroke(0, _BAND, _WIDE, _BAND, line=theme.brass, thick=1)]
        words = fitted(shown.head, 24, 540)
        elements.append(text(_WIDE / 2, _BAND + 27, words, size=24, fill=theme.ink, bold=True))
        elements += paragraph(_WIDE / 2, _BAND + 56, shown.detail, 15, 540, theme.muted)
        if any(shown.steps):
            for seat in (0, 1):
                elements += self.steps(seat, shown.steps[seat])
        # The page is dark while a duel is shown; it stays dark at the end of the match.
        is_end = shown.steps and outcome(self.view)
        kinds = ["aside", *(["duel"] if shown.steps else []), *(["ended"] if is_end else [])]
        return svg.G(class_=kinds, elements=elements, extra={"data-place": "verdict"})

    def steps(self, seat: int, steps: str) -> Parts:
        """Draw the number of steps from a seat's spell to the other's, large in the band's corner."""
        theme, duel = self.theme, self.view.duel
        assert duel is not None  # noqa: S101
        at, anchor = (_SIDE + 4, "start") if seat == 0 else (_WIDE - _SIDE - 4, "end")
        spells = [NAMES[cast.spell] for cast in duel.casts]
        yield text(
            at, _BAND + 34, steps, size=46 if len(steps) < 3 else 30, fill=theme.seat(seat), bold=True, anchor=anchor
        )
        yield text(at, _BAND + 70, f"from {spells[seat]}", size=14, fill=theme.muted, anchor=anchor)
        yield text(at, _BAND + 88, f"to {spells[1 - seat]}", size=14, fill=theme.muted, anchor=anchor)

    def small_verdict(self) -> Parts:
        """Draw the verdict for windows in which the table has no space for it."""
        shown = verdict(self.view, self.names)
        head = text(0, 10, shown.head, size=15, fill=self.theme.ink, bold=True, anchor="start", width=_LIST)
        detail = paragraph(0, 31, shown.brief, 13, _LIST, self.theme.muted, anchor="start")
        yield svg.G(class_=["duel"] if shown.steps else None, elements=[head, *detail])

    def spells(self) -> Parts:
        """Draw each spell with its effect and the hands that hold it."""
        theme, duel = self.theme, self.view.duel
        cast = {one.spell for one in duel.casts} if duel else set()
        yield text(0, 11, "The nine spells", size=15, fill=theme.ink, bold=True, anchor="start")
        for number, spell in enumerate(SPELLS):
            y = 26 + number * _ROW
            if spell in cast:
                yield box(0, y, _LIST, _ROW, fill=theme.accent_soft)
            yield shapes.stroke(0, y, _LIST, y, line=theme.line, thick=1)
            yield text(14, y + _ROW / 2, spell, size=17, fill=theme.ink, bold=True)
            yield text(32, y + 10, NAMES[spell], size=13, fill=theme.ink, bold=True, anchor="start")
            yield text(32, y + 24, DOES[spell].removesuffix("."), size=12, fill=theme.muted, anchor="start")
            for seat in (0, 1):
                copies, barred = self.view.hands[seat].count(spell), repeated(self.view, seat) == spell
                yield from hand_mark(seat, 266 + 22 * seat, y + 10, theme, copies=copies, barred=barred)

    def marks(self) -> Parts:
        """Draw the legend of lines and marks."""
        theme = self.theme
        for x, draw, words in ((0, old_rule, "rule"), (82, new_rule, "new"), (162, ghost, "destroyed")):
            yield draw((x, 8), (x + 36, 8), theme)
            yield text(x + 44, 8, words, size=13, fill=theme.muted, anchor="start")
        for x, words, copies, barred in ((0, "in hand", 1, False), (110, "cast last, not again", 1, True)):
            for seat in (0, 1):
                yield from hand_mark(seat, x + 8 + 20 * seat, 31, theme, copies=copies, barred=barred)
            yield text(x + 42, 31, words, size=13, fill=theme.muted, anchor="start")
        rule = f"From phase {tie_trash_phase(self.view)} on, a tie trashes both spells."
        yield text(0, 54, rule, size=13, fill=theme.muted, anchor="start")
