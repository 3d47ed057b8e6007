"""The seating board: every player at a table of the main match, or waiting; set as it stands, or the rest drawn."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from unfold.widgets import UnfoldAdminIntegerFieldWidget

from games import catalogue
from matches.panel.seasons.match_forms import SettingForm
from matches.seasons import services
from matches.seasons.domain.declared import SeasonAct
from matches.seasons.domain.match_acts import DrawTables, SetTables
from matches.seasons.reads.story import players_of

_SEAT = "seat-"
_USUAL = 5
"""How many sit at a table, where nobody says otherwise."""
_MOST_SHOWN = 12


class _Table(NamedTuple):
    """A table of the board, or the bench of those who wait (number 0), and who sits there."""

    number: int
    players: list[Any]


class SeatingBoard(forms.Widget):
    """A board with `tables` tables: cards are dragged or tapped to one, or put there by the choice on each card.

    `people` are the players by account. The order of the cards is the order of the seats.
    """

    template_name = "panel/seating_board.html"
    use_fieldset = True
    people: Mapping[str, Any] = {}
    tables = 1

    def value_from_datadict(self, data: Mapping[str, str], files: Any, name: str) -> dict[str, str]:
        """The table of each player, in the order of the cards."""
        return {key.removeprefix(_SEAT): data.get(key, "") for key in data if key.startswith(_SEAT)}

    def get_context(self, name: str, value: Mapping[str, str] | None, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """The bench and the tables, each with those who sit there."""
        at = value or {}
        order = [*(it for it in at if it in self.people), *(it for it in self.people if it not in at)]
        shown = [
            _Table(number, [self.people[it] for it in order if at.get(it, "") == (str(number) if number else "")])
            for number in range(self.tables + 1)
        ]
        return super().get_context(name, value, attrs) | {"bench": shown[0], "tables": shown[1:]}


class SeatingField(forms.Field):
    """Who sits at which table, as lists of accounts; tables without anybody stay as empty lists."""

    widget = SeatingBoard

    def clean(self, value: Mapping[str, str]) -> list[list[str]]:
        """Each table's players by seat; raises ValidationError for what the board doesn't hold."""
        seated: list[list[str]] = [[] for _ in range(self.widget.tables)]
        for player, table in value.items():
            if player not in self.widget.people or (table and table not in map(str, range(1, self.widget.tables + 1))):
                raise forms.ValidationError("The board has changed meanwhile; load the page again.")
            if table:
                seated[int(table) - 1].append(player)
        return seated


class TablesForm(SettingForm):
    """Tables alike but for who sits there."""

    seating = SeatingField(
        label="Who sits where",
        help_text="Drag a card to a table, or tap the card and then the table, or choose the table on the card. They "
        "sit in the order of the cards; the first holds the priority.",
    )

    def prepare(self) -> None:
        """Everybody who sits at no table yet."""
        super().prepare()
        free = _free(self.room.state)
        board = self.fields["seating"].widget
        known = players_of(free)
        board.people = {it: known[it] for it in free if it in known}
        board.tables = max(1, min(_MOST_SHOWN, -(-len(free) // (_USUAL - 1)) + 1))
        self.order_fields(["game", "seating"])

    def concerned(self) -> Sequence[str]:
        """Everybody who sits at no table yet."""
        return _free(self.room.state)

    def games(self) -> list[str]:
        """Every game there is; a table may be of one that the pool lacks."""
        return list(catalogue)

    def to_act(self) -> SeasonAct:
        """The tables at which somebody sits."""
        settings = self.settings()
        seating = tuple(tuple(table) for table in self.cleaned_data["seating"] if table)
        return SetTables(settings, tuple(services.match_ids_of(settings.match, len(seating))), seating)


class DrawForm(TablesForm):
    """Tables to which everybody is drawn whom the board leaves waiting."""

    count = forms.IntegerField(
        label="How many tables",
        min_value=1,
        max_value=_MOST_SHOWN,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="Who waits is drawn to the first ones, so that they are as even as can be.",
    )

    def prepare(self) -> None:
        """As many tables as the usual number of players at each gives."""
        super().prepare()
        free = len(_free(self.room.state))
        self.initial.setdefault("count", max(1, -(-free // _USUAL)))
        self.order_fields(["game", "count", "seating"])

    def clean(self) -> dict[str, Any]:
        """Nobody sits at a table beyond the number of tables."""
        told: dict[str, Any] = super().clean()
        if any(told.get("seating", [])[told.get("count", _MOST_SHOWN) :]):
            self.add_error("seating", "Somebody sits at a table beyond the number of tables.")
        return told

    def to_act(self) -> SeasonAct:
        """The tables with who sits there by hand; the sizes follow from how many wait."""
        settings, count = self.settings(), self.cleaned_data["count"]
        seated = [*map(tuple, self.cleaned_data["seating"]), *[()] * count][:count]
        return DrawTables(settings, tuple(services.match_ids_of(settings.match, count)), tuple(seated))


def _free(state: Any) -> Sequence[str]:
    """Who is in the season and sits at no table of the episode's main match."""
    number = state.episode.number if state.episode else 0
    tables = [it for it in state.of_episode(number, "main") if it.status != "annulled"]
    taken = {player for table in tables for player in table.players}
    return [it for it in state.living if it not in taken]
