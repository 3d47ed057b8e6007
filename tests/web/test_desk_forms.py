"""The forms of a player's desk, made from declared acts, of which one is in no catalogue: a bid in a garnet auction."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from pathlib import Path
from typing import Self
from uuid import UUID

import pytest

from games.kernel import Event, Illegal
from matches.domain.declared import Body, Rest, gettext_noop
from matches.seasons import repository
from matches.seasons.domain import acts
from matches.seasons.domain.deciding import Caller, refuse_not_living
from matches.seasons.domain.declared import DeskForm, Garnets, Options, SeasonAct
from matches.seasons.domain.events import GarnetsMoved
from matches.seasons.domain.garnets import refuse_poor
from matches.seasons.domain.state import Season
from matches.web.seasons.desk_forms import inputs_of, is_for_players
from tests.api.guests import Guest
from tests.api.seasons import Cup
from tests.pages import as_read
from tests.web.test_season_desk import account_of, browser, decide, read, types, version

DOMAIN = Path(acts.__file__).parent
PLACED = {"token", "candidate", "opponent", "ban", "withdraw-claim", "accept-time", "check-in"}
"""The acts of players that other templates of the desk ask for."""
REST = Rest("bid", "auction/bids", Body("BidBody", "How many garnets are offered."), (), is_for_players=True)


class Bid(SeasonAct, frozen=True):
    """Bid garnets, which the bank gets at once: for players who are in the season."""

    name = "bid"
    rest = REST
    desk = DeskForm(gettext_noop("Bid in the auction"), gettext_noop("Bid"), gettext_noop("The highest bid wins."))
    example = {"amount": 3}

    amount: Garnets

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        if by.account not in season.players:
            raise Illegal("forbidden", "That is for the players of the season.")
        refuse_not_living(season, by.account)
        refuse_poor(season, by.account, self.amount)
        reason = "A bid for the crown."
        return [GarnetsMoved(source=by.account, target=None, amount=self.amount, cause="fine", reason=reason)]

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls(2)


class WithoutField(SeasonAct, frozen=True):
    name = "without-field"
    rest = REST

    options: Options


@pytest.fixture
def cup(monkeypatch: pytest.MonkeyPatch) -> Cup:
    """A season with the auction, in which players have three garnets."""
    monkeypatch.setitem(acts.ACTS, "bid", Bid)
    return Cup(3, starting_garnets=3)


def form_on(page: str) -> str:
    form = re.search(r'<details class="panel"[^>]*><summary>Bid in the auction.*?</details>', page, re.DOTALL)
    assert form
    return form[0]


def foresee(guest: Guest, cup: Cup, **fields: str) -> str:
    return unescape(as_read(browser(account_of(guest)).post(f"/seasons/{cup.id}/desk/bid/foresee", fields)))


def test_desk_offers_the_form_of_a_new_act_with_a_field_for_each_value(cup: Cup) -> None:
    form = form_on(read(cup.players[0], cup))
    field = re.search(r'<label for="(.*?)">Garnets</label>\s*<input type="number" name="amount" value="2"[^>]*>', form)
    assert field and f'id="{field[1]}"' in field[0] and 'min="1" max="3"' in field[0] and "required" in field[0]
    assert "The highest bid wins." in form and ">Bid</button>" in form
    cup.did("/garnets", {"from": cup.players[0].id, "amount": 2, "reason": "A fine."})
    assert "Bid in the auction" not in read(cup.players[0], cup), "The decider accepts nothing any more."


def test_form_of_a_new_act_is_previewed_and_then_carried_out(cup: Cup) -> None:
    bidder, before = cup.players[0], version(cup)
    preview = foresee(bidder, cup, amount="2")
    assert "A bid for the crown." in preview and f'name="expected" value="{before}"' in preview
    assert version(cup) == before
    assert decide(bidder, cup, "bid", amount="2", expected=str(before)).status_code == 302
    assert types(cup, before) == ["garnets_moved"]
    assert repository.load(UUID(cup.id)).players[bidder.id].garnets == 1


def test_refused_form_of_a_new_act_is_filled_in_again_with_the_reason(cup: Cup) -> None:
    bidder, before = cup.players[0], version(cup)
    answer = decide(bidder, cup, "bid", amount="9")
    form = form_on(unescape(as_read(answer)))
    assert answer.status_code == 409 and "open" in form.partition(">")[0] and 'value="9"' in form
    assert "At most 3 garnets can be moved, not 9." in form
    assert version(cup) == before


@pytest.mark.parametrize(
    ("amount", "sentence"),
    [
        ("", "Give a whole number of garnets, at least 1."),
        ("some", "Garnets: Enter a whole number."),
        ("0", "Garnets: Ensure this value is greater than or equal to 1."),
    ],
)
def test_malformed_value_of_a_new_act_is_refused_in_a_sentence(cup: Cup, amount: str, sentence: str) -> None:
    answer = decide(cup.players[0], cup, "bid", amount=amount)
    form = form_on(unescape(as_read(answer)))
    assert answer.status_code == 400 and sentence in form
    assert f'id="bid-amount_error">{sentence.removeprefix("Garnets: ")}</p>' in form and 'aria-invalid="true"' in form
    assert sentence in foresee(cup.players[0], cup, amount=amount)


def test_every_act_of_players_is_listed_at_the_desk_or_has_a_place_there() -> None:
    of_players = {name: act for name, act in acts.ACTS.items() if is_for_players(act)}
    assert {name for name, act in of_players.items() if act.desk is None} == PLACED
    assert [name for name, act in acts.ACTS.items() if act.desk and name not in of_players] == []


def test_act_with_a_value_that_has_no_field_is_refused_in_a_sentence() -> None:
    with pytest.raises(TypeError, match=r"^The act `without-field`: forms have no field for its `options`"):
        inputs_of(WithoutField)


def unmarked(source: str) -> Iterator[str]:
    """Yield each text of the desk's forms in a module that `makemessages` doesn't extract."""
    for call in ast.walk(ast.parse(source)):
        if not (isinstance(call, ast.Call) and getattr(call.func, "id", "") == "DeskForm"):
            continue
        others: list[ast.AST | None] = [it.value for it in call.keywords if it.arg in ("omits", "beside")]
        for node in ast.walk(call):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "gettext_noop":
                others.append(node)
            elif isinstance(node, ast.Dict):
                others += node.keys
        skipped = {text for it in others if it for text in ast.walk(it)}
        yield from (it.value for it in ast.walk(call) if isinstance(it, ast.Constant) and it not in skipped)


def test_texts_of_declared_desk_forms_are_marked_for_translation() -> None:
    assert [text for path in sorted(DOMAIN.glob("*.py")) for text in unmarked(path.read_text())] == []
    form = 'DeskForm(gettext_noop("A bid"), "Bid", asks={"it": Ask(gettext_noop("It"), "Help")}, beside="it")'
    assert list(unmarked(form)) == ["Bid", "Help"]
