"""The results of a main match as a table: a line for every player, typed cell by cell or pasted as a whole."""

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
"""What is typed, by player and column."""


class ResultSheet(forms.Widget):
    """A table with a line for each of `people`, who are called by account, and a cell for each column but the name."""

    template_name = "panel/result_sheet.html"
    use_fieldset = True
    people: Mapping[str, str] = {}

    def value_from_datadict(self, data: Mapping[str, str], files: Any, name: str) -> Lines:
        """What is typed, by player and column."""
        return {who: {it: data.get(_CELL.format(who, it), "") for it in _TYPED} for who in self.people}

    def get_context(self, name: str, value: Lines | None, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """The lines with their cells."""
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
    """What is typed in a table, as it stands."""

    widget = ResultSheet


class ResultTableForm(SeasonForm):
    """A main match with a line for every player: what is wrong with each cell shows in the preview."""

    name = text_line("Name of the main match")
    sheet = SheetField(
        label="Results",
        required=False,
        help_text="One match a name, all in one where it is empty. A place (1 is the best; equal ones share it), "
        "points or both; neither for who took no part. Garnets that were spent are negative. Tokens of life only where "
        "the second one was given away already. The arrow keys and Enter go up and down; what was copied from a "
        "spreadsheet is pasted from your cell on.",
    )
    text = PastedField(
        label="Or paste the whole table",
        required=False,
        max_length=result_sheets.LONGEST_TEXT,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=f"From a spreadsheet, or CSV; counts instead of the cells above. Its first line names the columns: "
        f"{', '.join(result_sheets.COLUMNS)}, in any order.",
    )

    def prepare(self) -> None:
        """Everybody who is in the season, and what the tables that are over say."""
        state = self.room.state
        self.fields["sheet"].widget.people = {it: self.room.names.get(it, "somebody") for it in state.living}
        self.initial.setdefault("sheet", dict(_played(state)))
        self.reading = Reading([], [], frozenset())

    def clean(self) -> dict[str, Any]:
        """Each cell with a fault is told."""
        told: dict[str, Any] = super().clean()
        typed = told.get("text") or ""
        field = "text" if typed.strip() else "sheet"
        if field in self.errors:
            return told
        try:
            lines = result_sheets.lines_of(typed) if field == "text" else list(self._typed(told["sheet"]))
        except Illegal as refused:
            self.add_error(field, refused.message)
            return told
        self.reading = result_sheets.read(self.room.state, lines)
        if faults := result_sheets.faults_of(self.room.state, self.reading):
            self.add_error(field, [ValidationError(it.told) for it in faults])
        return told

    def to_act(self) -> EnterResults:
        """The table's rows."""
        return EnterResults(self.cleaned_data["name"], tuple(self.reading.rows))

    def notes(self) -> list[str]:
        """List players without a line, and those whose points contradict their place."""
        return result_sheets.notes_on(self.room.state, self.reading) if self.reading.named else []

    def _typed(self, sheet: Lines) -> Iterator[tuple[int, Cells]]:
        """The lines in which something is typed, with their numbers."""
        for number, (who, cells) in enumerate(sheet.items(), start=1):
            if any(it.strip() for it in cells.values()):
                yield number, {"player": who} | {str(column): cell for column, cell in cells.items()}


def _played(state: Season) -> Iterator[tuple[str, dict[Column, str]]]:
    """Match and place of those whose table is over."""
    tables = state.of_episode(state.episode.number, "main") if state.episode else []
    over = [it for it in tables if it.status == "finished"]
    for number, table in enumerate(over, start=1):
        better = 0
        for group in table.ranking:
            for player in group:
                yield player, {"match": f"Table {number}" if len(over) > 1 else "", "place": str(better + 1)}
            better += len(group)
