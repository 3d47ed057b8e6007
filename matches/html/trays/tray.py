"""What a seat can do now, in a form that a page can offer."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.kernel import Command


@dataclass(frozen=True)
class Choice:
    """One command: `text` is its notation, `label` its button, `cell` the board's cell that stands for it.

    `key` is a shortcut, `hint` what it brings. With `confirm` it reveals or costs something, so the page asks again.
    A choice with a cell has no button of its own unless it is `listed`. What lies at `source` can be dragged to the
    cell for it; where that is the cell itself, off it.
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
    """What is asked of a seat: `task` ends the sentence "Your turn: ...".

    `module` names the game's own script, which makes up commands too many to list, from `data` and the board's `cells`,
    or tells more of those that are listed; `note` is shown beside. `reasons` say of cells why nothing can be done
    there. Where the module `offers` the choices itself, their buttons are for pages without a script.
    """

    task: str
    choices: tuple[Choice, ...] = ()
    module: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    note: str = ""
    cells: tuple[str, ...] = ()
    offers: bool = False
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def targets(self) -> tuple[str, ...]:
        """The cells that stand for a command, each once."""
        return tuple(dict.fromkeys((*self.cells, *(choice.cell for choice in self.choices if choice.cell))))


@dataclass(frozen=True)
class TrayContext:
    """Who is asked: the seat's own state, its legal commands as far as they are listed, and the seats' names.

    `aided` are the aids of the game, by name, that the match is played with; a tray holds nothing of another one.
    `unscheduled` is what follows from having no agreed time to open at; empty where there is one.
    """

    state: Any
    seat: int
    commands: Sequence[Command]
    form: Callable[[Any], str]
    names: Sequence[str]
    aided: Collection[str]
    unscheduled: str = ""


def plain(context: TrayContext) -> Tray:
    """The legal commands as buttons."""
    texts = map(context.form, context.commands)
    return Tray(task="choose", choices=tuple(Choice(text, text.capitalize()) for text in texts))
