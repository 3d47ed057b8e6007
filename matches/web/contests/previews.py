"""The form of a round as a player will see it, before the contest exists: with example players and cards."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct

from games.contest.content import Default
from games.contest.fields import AnyField, Cards, Choice, Number, Player, Ranking, Split, Text

_MOST_PLAYERS: Final = 6


class FieldPreview(Struct, frozen=True):
    """A field of a form: `one` or `some` of its items, `amounts` for each of them, a number or a text."""

    label: str
    control: Literal["one", "some", "amounts", "number", "text"]
    hint: str
    items: Sequence[str] = ()
    least: int | None = None
    most: int | None = None


class RoundPreview(Struct, frozen=True):
    """The form of a round. Fields with faults are left out; `is_whole` is False then."""

    title: str
    paragraphs: list[str]
    seconds: int | None
    silence: str
    fields: list[FieldPreview]
    is_whole: bool


def preview_of(of_round: Mapping[str, Any], content: Mapping[str, Any]) -> RoundPreview:
    """Return the form of a round of a content, both of which may have faults."""
    fields = parts_of(of_round, "fields")
    good = [it for it in (_converted(field, AnyField) for field in fields) if it is not None]
    seconds, text = of_round.get("seconds", 86_400), of_round.get("text", "")
    return RoundPreview(
        title=_title(of_round),
        paragraphs=[it for it in text.split("\n\n") if it.strip()] if isinstance(text, str) else [],
        seconds=seconds if isinstance(seconds, int) else None,
        silence=_silence(_converted(of_round.get("default", {}), Default)),
        fields=[_field(it, content) for it in good],
        is_whole=len(good) == len(fields),
    )


def _converted(data: Any, kind: Any) -> Any:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError:
        return None


def _title(part: Any) -> str:
    return next((it for it in (part.get("title"), part.get("name")) if isinstance(it, str) and it), "")


def _silence(default: Default | None) -> str:
    """Return what happens to a player who sends nothing."""
    sentences = {
        "nothing": _("If you send nothing, nothing counts for you."),
        "fixed": _("If you send nothing, fixed values count for you."),
        "previous": _("If you send nothing, your previous values count again."),
        "random": _("If you send nothing, random values count for you."),
    }
    if default is None:
        return ""
    if not default.penalty:
        return sentences[default.kind]
    cost = ngettext("It costs you %(points)s point.", "It costs you %(points)s points.", default.penalty)
    cost %= {"points": default.penalty}
    return " ".join((sentences[default.kind], cost))


def _field(field: AnyField, content: Mapping[str, Any]) -> FieldPreview:
    label = field.title or field.name
    match field:
        case Choice(options=options, least=least, most=most):
            return _items(label, options, least, most)
        case Player(least=least, most=most):
            return _items(label, _players(content), least, most)
        case Cards(deck=deck, least=least, most=most):
            return _items(label, _hand(deck, content), least, most)
        case Ranking(options=options):
            return FieldPreview(label, "amounts", _("Give each its place, from 1."), options, 1, len(options))
        case Split(budget=budget, options=options):
            hint = _("Split %(budget)s completely.") % {"budget": budget}
            return FieldPreview(label, "amounts", hint, options or _players(content), 0, budget)
        case Text(most=most):
            hint = ngettext("At most %(most)s character.", "At most %(most)s characters.", most) % {"most": most}
            return FieldPreview(label, "text", hint, most=most)
        case Number():
            return _number(label, field, content)
    raise TypeError(f"{field!r} is not a field.")


def _items(label: str, items: Sequence[str], least: int, most: int) -> FieldPreview:
    if least == most == 1:
        return FieldPreview(label, "one", "", items)
    hint = _("Choose %(least)s.") if least == most else _("Choose %(least)s to %(most)s.")
    return FieldPreview(label, "some", hint % {"least": least, "most": most}, items)


def _number(label: str, field: Number, content: Mapping[str, Any]) -> FieldPreview:
    hint = _("%(least)s to %(most)s.") % {"least": field.least, "most": field.most}
    balance = next((it for it in parts_of(content, "balances") if it.get("name") == field.balance), None)
    if field.balance and balance is not None:
        paid = _("You pay it from %(balance)s, of which you have %(start)s at the start.")
        hint = " ".join((hint, paid % {"balance": _title(balance), "start": balance.get("start", 0)}))
    return FieldPreview(label, "number", hint, least=field.least, most=field.most)


def _players(content: Mapping[str, Any]) -> list[str]:
    most = content.get("most_seats", _MOST_PLAYERS)
    count = min(most, _MOST_PLAYERS) if isinstance(most, int) else _MOST_PLAYERS
    return [_("Player %(number)s") % {"number": number} for number in range(2, count + 1)]


def _hand(deck: str, content: Mapping[str, Any]) -> list[str]:
    cards = next((it for it in parts_of(content, "decks") if it.get("name") == deck), {})
    hand, count = cards.get("cards", []), cards.get("hand", 1)
    hand = [str(it) for it in hand] if isinstance(hand, list) else []
    return list(dict.fromkeys(hand))[: count if isinstance(count, int) and count > 0 else 1]


def parts_of(content: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """Return the parts in a list of a content, which may have faults."""
    parts = content.get(name, [])
    return [it for it in parts if isinstance(it, Mapping)] if isinstance(parts, list) else []
