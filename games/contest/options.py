"""The options of a match: the content of the contest."""

from collections.abc import Mapping
from typing import Any, Final

from games.contest.checks import faults_of
from games.contest.content import Content, Default, Round, Score
from games.contest.evaluations import Matrix, Payoff
from games.contest.fields import Choice
from games.contest.places import place_in_words
from games.contest.reading import MOST_FAULTS, faults_in
from games.kernel import Fault, quantity
from games.kernel import Options as KernelOptions

EXAMPLE: Final = Content(
    title="Partners by Chance",
    rules="Ten times, you are drawn a partner, and both share or keep in secret. Both choices say what each gains.",
    rounds=(
        Round(
            name="pair",
            title="Share or keep",
            text="Both share: 3 points each. Both keep: 1 each. One keeps alone: 5 points, and none for the other.",
            repeat=10,
            fields=(Choice(name="choice", title="Your choice", options=("share", "keep")),),
            default=Default(kind="previous"),
            scheme=Matrix(
                field="choice",
                payoffs=(
                    Payoff(own="share", other="share", points=3),
                    Payoff(own="share", other="keep", points=0),
                    Payoff(own="keep", other="share", points=5),
                    Payoff(own="keep", other="keep", points=1),
                ),
                pairing="drawn",
                alone=2,
            ),
        ),
    ),
    score=Score(ties=("chance",)),
)

_SHOWN = 8


def faults_of_options(options: object) -> tuple[Fault, ...]:
    """Return all faults of options: their names, and the content's faults with their places."""
    if not isinstance(options, Mapping):
        return (Fault("options", "They are an object with named values."),)
    unknown = (name for name in options if name != "content")
    faults = [Fault(str(name)[:40], "There is no such option, only content.") for name in unknown]
    if "content" in options:
        faults += faults_in(options["content"], "content")
    return tuple(faults[:MOST_FAULTS])


def title_in(options: Mapping[str, Any]) -> str:
    """Return the contest's title in recorded options."""
    return str(options.get("content", {}).get("title") or EXAMPLE.title)


class Options(KernelOptions, frozen=True, kw_only=True):
    """`content` is the contest that is played."""

    content: Content = EXAMPLE

    def __post_init__(self) -> None:
        faults = faults_of(self.content)
        if faults:
            listed = " ".join(
                f"{place_in_words(fault.place, self.content)}: {fault.sentence}" for fault in faults[:_SHOWN]
            )
            more = len(faults) - _SHOWN
            raise ValueError(f"{listed} And {quantity(more, 'more fault')}." if more > 0 else listed)
