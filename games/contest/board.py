"""The board: the round, the scoreboard, and what the last round has published, as a picture and as tables.

The cells are the seats, by number.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

import svg

from games.contest import forms
from games.contest.content import Values
from games.contest.notation import counted, spoken
from games.contest.placing import is_after_last, place_of
from games.contest.rules import outcome
from games.contest.state import Seen, Shown, State
from games.drawing.elements import box, cell, last_ring, picture, place, seat_badge, target_mark, text, width_of
from games.drawing.headlines import ended
from games.drawing.scene import Scene
from games.drawing.texttable import TextTable
from games.drawing.themes import SEAT_LETTERS, Theme
from games.kernel import Outcome, Witness, quantity

_WIDE, _EDGE = 420, 12
_HEAD_HIGH, _ROW_HIGH, _ROW_GAP = 62, 52, 6
_LONG = 13
"""More seats than this are drawn in two columns."""
_BARS, _BAR_HIGH = 8, 26


class ContestBoard:
    """Draws a witness's view of a contest."""

    def draw(
        self,
        view: State,
        *,
        viewer: Witness,
        theme: Theme,
        names: Sequence[str],
        targets: Collection[str] = (),
        last: Collection[str] = (),
    ) -> str:
        """Return the picture. `targets` and `last` are numbers of seats."""
        return _Drawing(view, viewer, theme, names, targets, last).picture()

    def tables(self, view: State, *, viewer: Witness, names: Sequence[str]) -> tuple[TextTable, ...]:
        """Return the scoreboard, then the rounds that are over."""
        rounds = tuple(_round_table(view, shown, names) for shown in view.played)
        return (_score_table(view, names), *rounds)

    def headline(self, view: State, *, names: Sequence[str]) -> str:
        """Return a line with the round and how many have submitted, or with the result."""
        return _headline(view, names)

    def score(self, view: State, outcome: Outcome) -> str:
        """Return the first place's points."""
        points = outcome.score[outcome.winners[0]]
        return f"with {quantity(points, 'point')}" if outcome.reason == "played" else ""


BOARD = ContestBoard()


class _Drawing(Scene[State]):
    def picture(self) -> str:
        columns = 1 if self.view.seats <= _LONG else 2
        rows = -(-self.view.seats // columns)
        top = _HEAD_HIGH + rows * (_ROW_HIGH + _ROW_GAP)
        bars = list(self.bars(top + 10))
        height = top + (10 + 34 + len(_counted(self.view, self.names)) * _BAR_HIGH if bars else 0) + _EDGE
        wide = (_WIDE - 2 * _EDGE - (columns - 1) * 10) / columns
        elements = [*self.head()]
        for seat in range(self.view.seats):
            x = _EDGE + seat // rows * (wide + 10)
            y = _HEAD_HIGH + seat % rows * (_ROW_HIGH + _ROW_GAP)
            elements.append(self.seat(seat, x, y, wide))
        title = f"{self.view.options.content.title}. {_headline(self.view, self.names)}."
        return picture(title, _WIDE, height, [*elements, place("bars", *bars)], self.theme)

    def head(self) -> Iterator[svg.Element]:
        view, theme = self.view, self.theme
        yield text(_EDGE, 24, _round_title(view), size=18, fill=theme.ink, bold=True, anchor="start", width=290)
        yield text(_EDGE, 48, _status(view), size=15, fill=theme.muted, anchor="start", width=_WIDE - 2 * _EDGE)
        count = f"{len(view.entries)} of {len(forms.asked(view))} in" if view.stage == "open" else ""
        yield text(_WIDE - _EDGE, 24, count, size=16, fill=theme.muted, anchor="end")

    def seat(self, seat: int, x: float, y: float, wide: float) -> svg.Element:
        view, theme, name = self.view, self.theme, str(seat)
        is_in, holdings = seat in view.playing, _holdings(view, seat)
        # What was submitted has the space that the seat's holdings leave.
        left = wide - 68 - min(width_of(holdings, 13), wide - 128)
        elements: list[svg.Element] = [
            box(x, y, wide, _ROW_HIGH, fill=theme.cell if is_in else theme.cell_off, line=theme.cell_line),
            *self.bar(seat, x, y, wide),
            *seat_badge(x + 24, y + _ROW_HIGH / 2, SEAT_LETTERS[seat], theme.seat(seat), theme, size=28),
            text(x + 46, y + 18, self.label(seat), size=15, fill=theme.ink if is_in else theme.muted, bold=True,
                 anchor="start", width=wide - 128),
            text(x + 46, y + 36, holdings, size=13, fill=theme.muted, anchor="start", width=wide - 128),
            text(x + wide - 12, y + 18, _number(view.points[seat]), size=17, fill=theme.ink, bold=True, anchor="end"),
            place(f"choice of {seat}", text(x + wide - 12, y + 36, self.mark(seat), size=13, fill=theme.muted,
                                           anchor="end", width=left)),
        ]  # fmt: skip
        if name in self.targets:
            elements += target_mark(x, y, wide, _ROW_HIGH, theme, self.targets)
        if name in self.last:
            elements.append(last_ring(x, y, wide, _ROW_HIGH, theme))
        return cell(name, f"{self.label(seat)}, {self.mark(seat)}", *elements, target=name in self.targets)

    def label(self, seat: int) -> str:
        return f"{self.names[seat]} (you)" if seat == self.viewer else self.names[seat]

    def mark(self, seat: int) -> str:
        return _mark(self.view, seat, self.names)

    def bar(self, seat: int, x: float, y: float, wide: float) -> Iterator[svg.Element]:
        most = max((points or 0 for points in self.view.points), default=0)
        points = self.view.points[seat] or 0
        if most > 0 and points > 0:
            yield box(x + 1, y + _ROW_HIGH - 4, (wide - 2) * points / most, 3, fill=self.theme.gold, radius=2)

    def bars(self, y: float) -> Iterator[svg.Element]:
        """Yield a bar for each value that the last round has published, the most frequent first."""
        counted = _counted(self.view, self.names)
        if not counted:
            return
        theme, most = self.theme, max(count for _, count in counted)
        heading = place_of(self.view, len(self.view.played)).heading
        yield text(_EDGE, y + 12, heading, size=16, fill=theme.ink, bold=True, anchor="start", width=_WIDE - 2 * _EDGE)
        for number, (value, count) in enumerate(counted):
            top = y + 30 + number * _BAR_HIGH
            yield text(_EDGE + 130, top + 9, value, size=14, fill=theme.ink, anchor="end", width=130)
            yield box(_EDGE + 138, top, 210 * count / most, 18, fill=theme.accent, radius=4)
            yield text(_EDGE + 146 + 210 * count / most, top + 9, str(count), size=14, fill=theme.ink, anchor="start")


def _counted(view: State, names: Sequence[str]) -> list[tuple[str, int]]:
    """Return the published values of the last round, each with its number, the most frequent first."""
    if not view.played:
        return []
    shown, seats = view.played[-1], place_of(view, len(view.played)).seats
    if shown.totals:
        return counted(shown.totals[0], seats, names)[:_BARS]
    values = shown.choices or tuple(entry.values for entry in shown.entries if entry.values)
    counts = Counter(_brief(it, seats, names) for it in values)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_BARS]


def _brief(values: Values, seats: Collection[str], names: Sequence[str]) -> str:
    """Return the values of a form in short: of a form with one field, without the field's name."""
    words = spoken(values, seats, names)
    return words.partition(" ")[2].strip('"') if len(values) == 1 else words


def _round_title(view: State) -> str:
    if view.stage == "over":
        return view.options.content.title
    return place_of(view).heading


def _status(view: State) -> str:
    if view.stage == "over":
        return "The contest is over"
    if view.stage == "judging":
        return "The host judges the round"
    if is_after_last(view):
        return "The round is over"
    return "The round is about to open" if view.stage == "between" else view.round.text


def _headline(view: State, names: Sequence[str]) -> str:
    end = outcome(view)
    if end is not None:
        return ended(end, names) if len(end.winners) < 4 else f"{len(end.winners)} players share the first place"
    if view.stage != "open":
        return f"{_round_title(view)}. {_status(view)}"
    return f"{_round_title(view)}. {len(view.entries)} of {len(forms.asked(view))} have submitted"


def _mark(view: State, seat: int, names: Sequence[str]) -> str:
    """Return what a seat is doing."""
    if seat in view.resigned:
        return "resigned"
    if seat in view.left:
        return "out"
    if view.stage == "open":
        if seat in view.defaulted:
            return "default"
        return "has submitted" if seat in view.submitted else "deciding" if seat in forms.asked(view) else "waits"
    entries = view.played[-1].entries if view.played else ()
    values = next((entry.values for entry in entries if entry.seat == seat), None)
    return _brief(values, place_of(view, len(view.played)).seats, names) if values else "in the contest"


def _holdings(view: State, seat: int) -> str:
    content = view.options.content
    parts = [content.teams[view.teams[seat]]] if view.teams else []
    if view.roles and view.roles[seat]:
        parts.append(next((it.title or it.name for it in content.roles if it.name == view.roles[seat]), ""))
    parts += [f"{_number(view.balances[it.name][seat])} {it.title or it.name}" for it in content.balances]
    return " · ".join(filter(None, parts))


def _number(amount: int | None) -> str:
    return "?" if amount is None else f"{amount:,}"


def _score_table(view: State, names: Sequence[str]) -> TextTable:
    balances = view.options.content.balances
    rows = tuple(
        (names[seat], _number(view.points[seat]), *(_number(view.balances[it.name][seat]) for it in balances),
         _mark(view, seat, names))
        for seat in range(view.seats)
    )  # fmt: skip
    return TextTable("The scoreboard", ("Player", "Points", *(it.title or it.name for it in balances), "Now"), rows)


def _round_table(view: State, shown: Shown, names: Sequence[str]) -> TextTable:
    place = place_of(view, shown.number)
    rows = tuple(
        (names[it.seat], _chosen(it.values, place.seats, names), _change(shown.points, it.seat)) for it in shown.entries
    )
    return TextTable(place.heading, ("Player", "Submitted", "Points"), rows)


def _chosen(values: Values | None, seats: Collection[str], names: Sequence[str]) -> str:
    return "not published" if values is None else spoken(values, seats, names) or "nothing"


def _change(points: Seen, seat: int) -> str:
    change = points[seat] if points else 0
    return "?" if change is None else f"{change:+}"
