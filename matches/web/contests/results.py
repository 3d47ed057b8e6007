"""Results of trials as the editor shows them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from msgspec import Struct

from games.contest.trial import Spread, Trial, ValueTried, names_of
from matches.contests.domain.drafts import Draft
from matches.contests.models import ContestTrial
from matches.contests.reads.documents import TrialStatus, trial_document
from matches.models import Account

_WIDTH: Final = 100
"""Units of the width of a bar of 100 percent."""


class Bar(Struct, frozen=True):
    """A row of a chart: what it is about, its share in percent, and the width of its bar."""

    label: str
    percent: str
    width: float
    gain: str = ""
    wins: str = ""
    wins_width: float = 0.0
    always_wins: bool = False


class Chart(Struct, frozen=True):
    """Shares under a title."""

    title: str
    bars: list[Bar]


class TrialResult(Struct, frozen=True):
    """A trial: its progress, and once it has finished its figures, the charts, and sentences about what to look at."""

    id: str
    status: TrialStatus
    seats: int
    runs: int
    done: int
    facts: list[tuple[str, str]] = []
    warnings: list[str] = []
    choices: list[Chart] = []
    firsts: list[Chart] = []


def newest(account: Account, draft: Draft) -> ContestTrial | None:
    """Return the account's newest trial of this content."""
    return ContestTrial.objects.filter(account=account, digest=draft.digest).order_by("-begun_at", "-id").first()


def result_of(trial: ContestTrial, content: Mapping[str, Any] | None = None) -> TrialResult:
    """Return a trial; with the titles of its content's rounds and fields, if that is given."""
    document = trial_document(trial)
    progress = (str(trial.id), document.status, document.seats, document.runs, document.done)
    result = document.result
    if result is None:
        return TrialResult(*progress)
    titles = _titles(content or {})
    return TrialResult(
        *progress,
        facts=_facts(result),
        warnings=list(_warnings(result, titles)),
        choices=list(_choices(result, titles)),
        firsts=list(_firsts(result, titles)),
    )


def _facts(result: Trial) -> list[tuple[str, str]]:
    return [
        (_("Contests"), str(result.contests)),
        (_("Rounds"), _spread(result.rounds)),
        (_("Submissions and other acts"), _spread(result.commands)),
        (_("Points of a player"), _spread(result.points)),
        (_("Contests with a tie for the most points"), _percent(result.ties)),
    ]


def _warnings(result: Trial, titles: Mapping[str, str]) -> Iterator[str]:
    for it in result.values:
        if it.always_wins:
            where = {"value": it.value, "round": _title(titles, it.round), "field": _title(titles, it.round, it.field)}
            yield _("Whoever chose “%(value)s” (%(round)s, %(field)s) always won the contest.") % where


def _choices(result: Trial, titles: Mapping[str, str]) -> Iterator[Chart]:
    of_field: dict[tuple[str, str], list[ValueTried]] = {}
    for it in result.values:
        of_field.setdefault((it.round, it.field), []).append(it)
    for (of_round, field), values in of_field.items():
        title = f"{_title(titles, of_round)}: {_title(titles, of_round, field)}"
        yield Chart(title, [_bar(it) for it in values])


def _bar(it: ValueTried) -> Bar:
    return Bar(
        it.value, _percent(it.share), it.share * _WIDTH, gain=f"{it.gain:.1f}", wins=_percent(it.wins),
        wins_width=min(1.0, it.wins) * _WIDTH, always_wins=it.always_wins,
    )  # fmt: skip


def _firsts(result: Trial, titles: Mapping[str, str]) -> Iterator[Chart]:
    if set(result.roles) - {""}:
        bars = [
            _share(_title(titles, "", role) if role else _("No role"), share) for role, share in result.roles.items()
        ]
        yield Chart(_("First places by role"), bars)
    bars = [_share(name, share) for name, share in zip(names_of(len(result.seats)), result.seats, strict=True)]
    yield Chart(_("First places by seat"), bars)


def _share(label: str, share: float) -> Bar:
    return Bar(label, _percent(share), min(1.0, share) * _WIDTH)


def _spread(numbers: Spread) -> str:
    if numbers.least == numbers.most:
        return str(numbers.least)
    sentence = _("%(mean)s on average, %(least)s to %(most)s")
    return sentence % {"least": numbers.least, "mean": f"{numbers.mean:.1f}", "most": numbers.most}


def _percent(share: float) -> str:
    return _("%(share)s %%") % {"share": f"{share * 100:.0f}"}


def _titles(content: Mapping[str, Any]) -> dict[str, str]:
    """Return the titles of rounds, of fields as `round.field`, and of roles as `.role`."""
    titles = {f".{it['name']}": it.get("title", "") for it in content.get("roles", ())}
    for of_round in content.get("rounds", ()):
        titles[of_round["name"]] = of_round.get("title", "")
        titles |= {f"{of_round['name']}.{it['name']}": it.get("title", "") for it in of_round.get("fields", ())}
    return titles


def _title(titles: Mapping[str, str], *names: str) -> str:
    return titles.get(".".join(names)) or names[-1]
