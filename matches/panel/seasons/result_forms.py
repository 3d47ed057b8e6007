"""The form for the results of a main match as a table: a line for each player, typed or pasted."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import UnfoldAdminTextareaWidget

from games.kernel import Illegal
from matches.domain.bidi import apart
from matches.html.text_fields import PastedField
from matches.panel.fields import text_line
from matches.panel.seasons.forms import SeasonForm
from matches.seasons import result_sheets
from matches.seasons.domain.result_acts import EnterResults
from matches.seasons.domain.result_table import Column
from matches.seasons.domain.state import Season
from matches.seasons.result_sheets import Cells, Reading

_TYPED = result_sheets.COLUMNS[1:]
_CELL = "cell-{}-{}"
Lines = Mapping[str, dict[Column, str]]
"""The typed cells by player and column."""


class ResultSheet(forms.Widget):
    """A table with a line for each of `people` (names by account), and a cell for each column but the name."""

    template_name = "panel/result_sheet.html"
    use_fieldset = True
    people: Mapping[str, str] = {}

    def value_from_datadict(self, data: Mapping[str, str], files: Any, name: str) -> Lines:
        return {who: {it: data.get(_CELL.format(who, it), "") for it in _TYPED} for who in self.people}

    def get_context(self, name: str, value: Lines | None, attrs: dict[str, Any] | None) -> dict[str, Any]:
        typed = value or {}
        lines = [
            {
                "name": apart(called),
                "cells": [(_CELL.format(who, it), it, typed.get(who, {}).get(it, "")) for it in _TYPED],
            }
            for who, called in self.people.items()
        ]
        return super().get_context(name, value, attrs) | {"columns": result_sheets.COLUMNS, "lines": lines}


class SheetField(forms.Field):
    """The typed cells of a table, unchanged."""

    widget = ResultSheet


class ResultTableForm(SeasonForm):
    """The form with a line for each player; its preview shows the fault of each cell."""

    name = text_line("Name of the main match")
    sheet = SheetField(
        label="Results",
        required=False,
        help_text="Name a match if there were several. Enter a place (1 is the best; equal players share one), points "
        "or both; neither for a player who took no part. Spent garnets are negative. Enter tokens of life only if the "
        "second one was given away already. The arrow keys and Enter move up and down; cells that were copied from a "
        "spreadsheet are pasted from the current cell on.",
    )
    text = PastedField(
        label="Or paste the whole table",
        required=False,
        max_length=result_sheets.LONGEST_TEXT,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=f"From a spreadsheet, or CSV; it replaces the cells above. Its first line names the columns: "
        f"{', '.join(result_sheets.COLUMNS)}, in any order.",
    )

    def prepare(self) -> None:
        """Fill in the living players, and the results of finished tables."""
        state = self.room.state
        self.fields["sheet"].widget.people = {it: self.room.names.get(it, "somebody") for it in state.living}
        self.initial.setdefault("sheet", dict(_played(state)))
        self.reading = Reading([], [], frozenset())

    def clean(self) -> dict[str, Any]:
        """Read the table, and add an error for each cell with a fault."""
        values: dict[str, Any] = super().clean()
        typed = values.get("text") or ""
        field = "text" if typed.strip() else "sheet"
        if field in self.errors:
            return values
        try:
            self.reading = self._read(typed, values)
        except Illegal as refused:
            self.add_error(field, refused.message)
            return values
        if faults := result_sheets.faults_of(self.room.state, self.reading):
            self.add_error(field, [ValidationError(it.sentence) for it in faults])
        return values

    def to_act(self) -> EnterResults:
        return EnterResults(self.cleaned_data["name"], tuple(self.reading.rows))

    def notes(self) -> list[str]:
        """List players without a line, and those whose points contradict their place."""
        return result_sheets.notes_on(self.room.state, self.reading) if self.reading.named else []

    def _read(self, typed: str, values: dict[str, Any]) -> Reading:
        """Return the rows of the pasted text, or of the cells if there is none; raise Illegal."""
        if typed.strip():
            return result_sheets.read_text(self.room.state, typed)
        return result_sheets.read(self.room.state, list(self._typed(values["sheet"])))

    def _typed(self, sheet: Lines) -> Iterator[tuple[int, Cells]]:
        """Yield the lines that aren't blank, with their numbers."""
        for number, (who, cells) in enumerate(sheet.items(), start=1):
            if any(it.strip() for it in cells.values()):
                yield number, {"player": who} | {str(column): cell for column, cell in cells.items()}


def _played(state: Season) -> Iterator[tuple[str, dict[Column, str]]]:
    """Yield the match, the place and the points, if they were counted, of each player of a finished table."""
    tables = state.of_episode(state.episode.number, "main") if state.episode else []
    over = [it for it in tables if it.status == "finished"]
    for number, table in enumerate(over, start=1):
        better, scores = 0, dict(zip(table.players, table.scores, strict=False))
        for group in table.ranking:
            for player in group:
                points = scores[player].points if player in scores else None
                yield (
                    player,
                    {
                        "match": f"Table {number}" if len(over) > 1 else "",
                        "place": str(better + 1),
                        "points": "" if points is None else str(points),
                    },
                )
            better += len(group)
