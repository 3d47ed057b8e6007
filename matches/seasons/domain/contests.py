"""Pure rules of contests as main matches: the contest of each table, and the garnets at stake there."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from games import catalogue
from games.kernel import to_json

CONTEST: Final = "contest"
"""The slug of the game whose content an organiser writes."""


class PlayedContest(Struct, frozen=True, omit_defaults=True):
    """The contest of a table: its title, and the `preset`, or the `version` of a contest in the installation's
    `library`, from which its content was taken; none of them if the content was given with the match."""

    title: str
    preset: str | None = None
    library: str | None = None
    version: int | None = None


def with_stakes(options: Mapping[str, Any], garnets: Sequence[int]) -> Mapping[str, Any]:
    """Return the options of a contest with the garnets by seat, if one of its balances is the season's garnets; raise
    bad_options."""
    complete: dict[str, Any] = to_json(catalogue[CONTEST].read_options(dict(options)))
    balances = complete["content"].get("balances", [])
    if not any(it.get("garnets") for it in balances):
        return options
    staked = [{**it, "starts": list(garnets)} if it.get("garnets") else it for it in balances]
    return {**complete, "content": {**complete["content"], "balances": staked}}


def stakes_in(options: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the garnets by seat with which a contest starts; none if it has no such balance."""
    balances = options["content"].get("balances", [])
    return next((tuple(it["starts"]) for it in balances if it.get("starts")), ())
