"""The rules of a match whose content an organiser has written, as far as the reader may know them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from games.contest import explaining
from games.contest.content import Content, Round
from games.contest.evaluations import Host
from games.contest.example import Example, worked_round
from games.contest.state import State
from matches.html.entry import counted
from matches.html.markdown import rendered_for_good
from matches.reads import feed
from matches.reads.sentences import names_of
from matches.web.play.pages import styles_of
from matches.web.play.viewers import viewer_of


@dataclass(frozen=True)
class Explained:
    """A round of the content; a round that is still secret has a title alone."""

    first: int
    last: int
    title: str
    text: SafeString
    seconds: int
    asks: tuple[tuple[str, str], ...]
    sentences: tuple[str, ...]
    is_secret: bool


@require_safe
@counted
def rules(request: HttpRequest, code: str) -> HttpResponse:
    """Show the rules of a contest; for a match of another game, redirect to the game's page."""
    viewer = viewer_of(request, code)
    match = viewer.match
    if match.game != "contest":
        return redirect(f"{reverse('web:game', args=[match.game])}?match={match.code}")
    state: State = feed.visible_state(match.id, viewer.witness).state
    content = state.options.content
    example = worked_round(content)
    context = {
        "match": match,
        "content": content,
        "styles": styles_of(match.game),
        "rules": rendered_for_good(content.rules),
        "balances": [_balance(it) for it in content.balances],
        "roles": [(explaining.title_of(it), it.count) for it in content.roles],
        "teams": [team.replace("_", " ") for team in content.teams],
        "decks": [(explaining.title_of(deck), deck.hand, len(deck.cards)) for deck in content.decks],
        "rounds": list(_explained(content, state.rounds, names_of(match))),
        "scoring": explaining.scoring(content),
        "endings": explaining.endings(content),
        "host_seconds": content.host_seconds if any(isinstance(it.scheme, Host) for it in state.rounds) else 0,
        "example": _example(content, example) if example else None,
    }
    return render(request, "web/match/contest/rules.html", context)


def _balance(balance: Any) -> tuple[str, str]:
    gives = {
        "never": "",
        "publicly": " You can give some away; everybody sees it.",
        "secretly": " You can give some away in secret.",
    }
    who = "Only you see yours." if balance.secret else "Everybody sees it."
    return explaining.title_of(balance), f"You begin with {balance.start:,}. {who}{gives[balance.gives]}"


def _explained(content: Content, rounds: tuple[Round, ...], names: Sequence[str]) -> Iterator[Explained]:
    number = 1
    for of_round in rounds:
        last = number + of_round.repeat - 1
        is_secret = of_round.part is not None
        sentences = () if is_secret else tuple(filter(None, _sentences(content, of_round, names)))
        yield Explained(
            first=number,
            last=last,
            title="A secret round" if is_secret else explaining.title_of(of_round),
            text=rendered_for_good(of_round.text),
            seconds=of_round.seconds,
            asks=tuple((explaining.title_of(field), explaining.demand(field)) for field in of_round.fields),
            sentences=sentences,
            is_secret=is_secret,
        )
        number = last + 1


def _sentences(content: Content, of_round: Round, names: Sequence[str]) -> Iterator[str]:
    yield explaining.participants(of_round)
    yield explaining.prices(content, of_round)
    yield explaining.payment(content, of_round)
    yield explaining.silence(of_round, names)
    yield explaining.publication(of_round)
    yield explaining.condition(of_round)


def _example(content: Content, example: Example) -> dict[str, Any]:
    """Return the worked round as a table."""
    titles = [explaining.title_of(it) for it in content.balances if it.name in example.balances]
    changes = [example.balances[it.name] for it in content.balances if it.name in example.balances]
    partners = {seat: example.names[other] for pair in example.pairs for seat, other in (pair, pair[::-1])}
    rows = [
        (
            example.names[entry.seat],
            partners.get(entry.seat, "nobody") if partners else "",
            explaining.spoken(example.round, entry.values or {}, example.names) or "nothing to fill in",
            [_signed(example.points[entry.seat]), *(_signed(by_seat[entry.seat]) for by_seat in changes)],
        )
        for entry in sorted(example.shown.entries, key=lambda entry: entry.seat)
    ]
    return {
        "title": explaining.title_of(example.round),
        "text": rendered_for_good(example.round.text),
        "columns": ["Points", *titles],
        "rows": rows,
        "has_pairs": bool(partners),
        "left": [example.names[seat] for seat in example.left],
    }


def _signed(amount: int) -> str:
    return f"{amount:+,}".replace("-", "−") if amount else "0"
