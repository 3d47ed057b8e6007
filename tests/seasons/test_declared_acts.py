"""Acts that are declared once: what each interface derives from them, and what it says of a faulty declaration."""

import re
from collections.abc import Collection, Iterator
from typing import Any

import msgspec
import pytest
from django import forms

from matches.api.declared_acts import act_in, body_of, example_of
from matches.api.season_acts import method_of
from matches.domain import declared_host_acts
from matches.domain.declared import SOMEBODY, Act, Ask, Body, Dialog, Rest, kinds_of, read
from matches.domain.declared_host_acts import HOST_ACTS, HostAct
from matches.http.problems import Problem
from matches.panel.control.acts import dialog_of
from matches.panel.seasons.acts import dialog_of_act
from matches.panel.seasons.declared_forms import form_of
from matches.seasons.domain.acts import ACTS
from matches.seasons.domain.correction_acts import CorrectMainMatch
from matches.seasons.domain.declared import Options, PlayerId, SeasonAct, Title
from matches.seasons.domain.episode_acts import GiveToken
from matches.seasons.domain.garnet_acts import MoveGarnets
from matches.seasons.domain.intake_acts import OpenJoining
from matches.seasons.domain.result_acts import Rewind
from matches.seasons.domain.roster_acts import Appoint, Enrol
from matches.seasons.domain.timing_acts import SetTime

WITH_REST: list[type[Act]] = [*(act for act in ACTS.values() if act.rest), *HOST_ACTS]
REST = Rest("doSomething", "something", Body("SomethingBody", "Something."), ())


class WithoutKind(SeasonAct, frozen=True):
    name = "without-kind"
    rest = REST

    remark: str


class WithoutOptionalKind(SeasonAct, frozen=True):
    name = "without-optional-kind"
    rest = REST

    remark: str | None = None


class WithoutExample(SeasonAct, frozen=True):
    name = "without-example"
    rest = REST

    title: Title


class WithFaultyExample(WithoutExample, frozen=True):
    example = {"title": 3}


class WithStrayExample(WithoutExample, frozen=True):
    example = {"title": "A title", "titel": "A slip"}


class WithStrayAsk(WithoutExample, frozen=True):
    dialog = Dialog("Do something", "edit_note", asks={"titel": Ask("A slip")})


class WithoutWidget(SeasonAct, frozen=True):
    name = "without-widget"
    rest = REST

    options: Options


class WithoutBounds(SeasonAct, frozen=True):
    name = "without-bounds"
    rest = REST

    count: int


class WithoutInterfaces(SeasonAct, frozen=True):
    name = "without-interfaces"


@pytest.mark.parametrize(
    ("act", "derive"),
    [
        (WithoutKind, kinds_of),
        (WithoutOptionalKind, kinds_of),
        (WithoutExample, example_of),
        (WithFaultyExample, example_of),
        (WithStrayExample, example_of),
        (WithStrayAsk, form_of),
        (WithoutWidget, form_of),
        (WithoutBounds, form_of),
        (WithoutInterfaces, method_of),
        (WithoutInterfaces, dialog_of_act),
        (declared_host_acts.Rewind, dialog_of),
    ],
)
def test_faulty_declaration_is_refused_in_a_sentence_that_names_the_act(act: type[Act], derive: Any) -> None:
    with pytest.raises(TypeError, match=rf"^The act `{act.name}`[: ].*[^.]\.?$"):
        derive(act)


def subclasses(act: type[Act]) -> Iterator[type[Act]]:
    for it in act.__subclasses__():
        yield it
        yield from subclasses(it)


@pytest.mark.parametrize(("parent", "acts"), [(SeasonAct, ACTS.values()), (HostAct, HOST_ACTS)])
def test_every_declared_act_is_registered(parent: type[Act], acts: Collection[type[Act]]) -> None:
    ours = [it for it in subclasses(parent) if it.__module__.startswith("matches.") and "name" in vars(it)]
    assert {it.name for it in ours} == {it.name for it in acts} and len(ours) == len(acts)


@pytest.mark.parametrize("act", WITH_REST, ids=lambda it: it.name)
def test_declared_act_reads_its_example_and_its_path(act: type[Act]) -> None:
    body = body_of(act)
    values = {} if body is None else msgspec.structs.asdict(msgspec.convert(example_of(act), body))
    assert act.rest is not None
    in_path = set(re.findall(r"<\w+:(\w+)>", act.rest.path))
    assert in_path | values.keys() == set(act.__struct_fields__)
    values |= dict.fromkeys(in_path, "x")
    assert msgspec.structs.asdict(read(act, {**values, "unrelated": 1})) == values


def test_acts_with_like_bodies_share_one_struct() -> None:
    assert body_of(Enrol) is body_of(GiveToken)
    assert body_of(Rewind) is body_of(declared_host_acts.Rewind)


def test_request_is_converted_to_the_values_of_the_act() -> None:
    details = {"reason": "A die fell.", "winners": [SOMEBODY], "rewards": {SOMEBODY: 2}}
    body = msgspec.convert(details, body_of(CorrectMainMatch))
    expected = CorrectMainMatch(2, "A die fell.", (SOMEBODY,), None, {SOMEBODY: 2})
    assert act_in(CorrectMainMatch, body, {"number": 2}) == expected
    timed = msgspec.convert({"opens_at": "2030-01-01T19:00:00+01:00", "reason": "So."}, body_of(SetTime))
    assert act_in(SetTime, timed, {"match": SOMEBODY}) == SetTime(SOMEBODY, "2030-01-01T18:00:00.000000Z", "So.")
    gift = msgspec.convert({"from": SOMEBODY, "amount": 1, "reason": "A debt."}, body_of(MoveGarnets))
    assert act_in(MoveGarnets, gift, {}) == MoveGarnets(1, "A debt.", source=SOMEBODY)


def test_rewards_for_an_invalid_account_id_are_refused() -> None:
    body = msgspec.convert({"reason": "A die fell.", "rewards": {"ann": 2}}, body_of(CorrectMainMatch))
    with pytest.raises(Problem, match="each name is a player's id"):
        act_in(CorrectMainMatch, body, {"number": 2})


class Pick(SeasonAct, frozen=True):
    name = "pick"
    rest = REST

    player: PlayerId


def test_form_of_an_act_has_a_field_for_each_value() -> None:
    assert set(form_of(Pick).base_fields) == {"key", "expected", "player"}


def test_form_field_with_a_default_is_optional() -> None:
    fields = form_of(OpenJoining).base_fields
    assert [it for it in fields if not fields[it].required] == ["expected", "approval", "most", "closes_at"]
    most = fields["most"]
    assert isinstance(most, forms.IntegerField) and (most.min_value, most.max_value) == (1, 1000)


def test_form_of_a_choice_offers_each_of_its_values_in_words() -> None:
    role = form_of(Appoint).base_fields["role"]
    assert isinstance(role, forms.ChoiceField)
    assert list(role.choices) == [("organiser", "Organiser"), ("host", "Host"), ("auditor", "Auditor")]
