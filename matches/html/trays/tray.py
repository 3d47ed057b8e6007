"""A seat's possible acts, in a form that a page can show."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.kernel import Command
from matches.html.trays.filling import Form, Refused


@dataclass(frozen=True)
class Choice:
    """One command: `text` is its notation, `label` its button, `cell` the board's cell for it.

    `key` is a shortcut, `hint` says what it does. With `confirm` it reveals or costs something, so the page asks again.
    A choice with a cell has no button unless it is `listed`. The piece at `source` can be dragged to the cell; if
    `source` is the cell itself, it is dragged off it.
    """

    text: str
    label: str
    cell: str = ""
    key: str = ""
    hint: str = ""
    confirm: bool = False
    listed: bool = False
    source: str = ""


@dataclass(frozen=True)
class Tray:
    """A seat's task and choices: `task` ends the sentence "Your turn: ...".

    `module` names the game's script. It builds commands that are too many to list, from `data` and the board's `cells`,
    or explains listed ones; `note` is shown beside it. `reasons` explain why a cell can't be used. If the module
    `offers` the choices itself, their buttons are for pages without scripts. A `form` has inputs of its own.
    """

    task: str
    choices: tuple[Choice, ...] = ()
    module: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    note: str = ""
    cells: tuple[str, ...] = ()
    offers: bool = False
    reasons: Mapping[str, str] = field(default_factory=dict)
    form: Form | None = None

    @property
    def targets(self) -> tuple[str, ...]:
        """The cells of all commands, each once."""
        return tuple(dict.fromkeys((*self.cells, *(choice.cell for choice in self.choices if choice.cell))))


@dataclass(frozen=True)
class TrayContext:
    """A seat's own state, its listed legal commands, and the seats' names.

    `aided` are the game's aids in this match; a tray uses no other. `unscheduled` says what follows from having no
    agreed opening time; else empty. `refused` is a form that is shown again.
    """

    state: Any
    seat: int
    commands: Sequence[Command]
    form: Callable[[Any], str]
    names: Sequence[str]
    aided: Collection[str]
    unscheduled: str = ""
    refused: Refused | None = None


def plain(context: TrayContext) -> Tray:
    """Return the legal commands as buttons."""
    texts = map(context.form, context.commands)
    return Tray(task="choose", choices=tuple(Choice(text, text.capitalize()) for text in texts))
