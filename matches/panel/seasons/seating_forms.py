"""The seating board, on which players are put at tables of the main match; the rest can be drawn."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from unfold.widgets import UnfoldAdminIntegerFieldWidget

from matches.panel.seasons.match_forms import MainMatchForm
from matches.seasons import services
from matches.seasons.domain.declared import SeasonAct
from matches.seasons.domain.match_acts import DrawTables, SetTables
from matches.seasons.reads.event_documents import players_of

_SEAT = "seat-"
_USUAL = 5
"""The usual number of players at a table."""
_MOST_SHOWN = 12


class _Table(NamedTuple):
    """A table of the board with its players; number 0 is the bench of unseated players."""

    number: int
    players: list[Any]


class SeatingBoard(forms.Widget):
    """A board with `tables` tables, to which the players' cards are dragged, tapped or assigned by a choice on each
    card.

    `people` are the players by account. The order of the cards is the order of the seats.
    """

    template_name = "panel/seating_board.html"
    use_fieldset = True
    people: Mapping[str, Any] = {}
    tables = 1

    def value_from_datadict(self, data: Mapping[str, str], files: Any, name: str) -> dict[str, str]:
        """Return the table of each player, in the order of the cards."""
        return {key.removeprefix(_SEAT): data.get(key, "") for key in data if key.startswith(_SEAT)}

    def get_context(self, name: str, value: Mapping[str, str] | None, attrs: dict[str, Any] | None) -> dict[str, Any]:
        at = value or {}
        order = [*(it for it in at if it in self.people), *(it for it in self.people if it not in at)]
        shown = [
            _Table(number, [self.people[it] for it in order if at.get(it, "") == (str(number) if number else "")])
            for number in range(self.tables + 1)
        ]
        return super().get_context(name, value, attrs) | {"bench": shown[0], "tables": shown[1:]}


class SeatingField(forms.Field):
    """The players of each table as lists of accounts; an empty table is an empty list."""

    widget = SeatingBoard

    def clean(self, value: Mapping[str, str]) -> list[list[str]]:
        """Return each table's players by seat; raise ValidationError for an unknown player or table."""
        seated: list[list[str]] = [[] for _ in range(self.widget.tables)]
        for player, table in value.items():
            if player not in self.widget.people or (table and table not in map(str, range(1, self.widget.tables + 1))):
                raise forms.ValidationError("The board has changed meanwhile; load the page again.")
            if table:
                seated[int(table) - 1].append(player)
        return seated


class TablesForm(MainMatchForm):
    """The form that sets several tables with equal settings."""

    seating = SeatingField(
        label="Seating",
        help_text="Drag a card to a table, or tap the card and then the table, or choose the table on the card. "
        "Players are seated in the order of the cards; the first has the priority seat.",
    )

    def prepare(self) -> None:
        super().prepare()
        free = _free(self.room.state)
        board = self.fields["seating"].widget
        people = players_of(free)
        board.people = {it: people[it] for it in free if it in people}
        board.tables = max(1, min(_MOST_SHOWN, -(-len(free) // (_USUAL - 1)) + 1))
        self.order_fields(["game", "seating"])

    def concerned(self) -> Sequence[str]:
        return _free(self.room.state)

    def to_act(self) -> SeasonAct:
        """Return the act for the tables that aren't empty."""
        settings = self.settings()
        seating = tuple(tuple(table) for table in self.cleaned_data["seating"] if table)
        return SetTables(settings, tuple(services.match_ids_of(settings.match, len(seating))), seating)


class DrawForm(TablesForm):
    """The form that sets tables and draws the unseated players to them."""

    count = forms.IntegerField(
        label="Number of tables",
        min_value=1,
        max_value=_MOST_SHOWN,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="Unseated players are drawn to the tables so that these are as equal as possible.",
    )

    def prepare(self) -> None:
        super().prepare()
        free = len(_free(self.room.state))
        self.initial.setdefault("count", max(1, -(-free // _USUAL)))
        self.order_fields(["game", "count", "seating"])

    def clean(self) -> dict[str, Any]:
        """Add an error if a table beyond the number of tables has players."""
        values: dict[str, Any] = super().clean()
        if any(values.get("seating", [])[values.get("count", _MOST_SHOWN) :]):
            self.add_error(
                "seating", "A table beyond the number of tables has players. Move them, or raise the number."
            )
        return values

    def to_act(self) -> SeasonAct:
        """Return the draw with the seated players; the tables' sizes follow from the number of players."""
        settings, count = self.settings(), self.cleaned_data["count"]
        seated = [*map(tuple, self.cleaned_data["seating"]), *[()] * count][:count]
        return DrawTables(settings, tuple(services.match_ids_of(settings.match, count)), tuple(seated))


def _free(state: Any) -> Sequence[str]:
    """Return the living players without a table in the episode's main match."""
    number = state.episode.number if state.episode else 0
    tables = [it for it in state.of_episode(number, "main") if it.status != "annulled"]
    taken = {player for table in tables for player in table.players}
    return [it for it in state.living if it not in taken]
