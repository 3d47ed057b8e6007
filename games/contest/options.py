"""The options of a match: the content of the contest."""

from typing import Final

from games.contest.checks import faults_of
from games.contest.content import Choice, Content, Default, Minority, Round
from games.kernel import Options as KernelOptions

EXAMPLE: Final = Content(
    title="The Smaller Side",
    rules="Five times, everybody chooses a side in secret. Whoever is on the smaller side gains 2 points.",
    rounds=(
        Round(
            name="side",
            title="Choose a side",
            repeat=5,
            fields=(Choice(name="side", options=("left", "right")),),
            default=Default(kind="random"),
            scheme=Minority(field="side", points=2),
        ),
    ),
)

_SHOWN = 8


class Options(KernelOptions, frozen=True, kw_only=True):
    """`content` is the contest that is played."""

    content: Content = EXAMPLE

    def __post_init__(self) -> None:
        faults = faults_of(self.content)
        if faults:
            listed = " ".join(f"{fault.place}: {fault.sentence}" for fault in faults[:_SHOWN])
            raise ValueError(listed if len(faults) <= _SHOWN else f"{listed} And {len(faults) - _SHOWN} more faults.")
