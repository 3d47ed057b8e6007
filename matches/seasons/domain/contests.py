"""Which contest a table of a main match plays. Pure."""

from typing import Final

from msgspec import Struct

CONTEST: Final = "contest"
"""The slug of the game whose content an organiser writes."""


class PlayedContest(Struct, frozen=True, omit_defaults=True):
    """The contest of a table: its title, and the `preset`, or the `version` of a contest in the installation's
    `library`, from which its content was taken; none of them if the content was given with the match."""

    title: str
    preset: str | None = None
    library: str | None = None
    version: int | None = None
