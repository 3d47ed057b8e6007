"""Acts that are declared once: what each interface derives from them, and what it says of a faulty declaration."""

import re
from typing import Any

import msgspec
import pytest

from matches.api.season_acts import body_of, example_of
from matches.panel.seasons.declared_forms import form_of
from matches.seasons.domain import (
    claim_acts,
    correction_acts,
    episode_acts,
    garnet_acts,
    intake_acts,
    match_acts,
    result_acts,
    roster_acts,
    timing_acts,
)
from matches.seasons.domain.declared import Body, GameSlug, PlayerId, Rest, SeasonAct, Title, kinds_of, read

DECLARED = [
    it for module in (
        claim_acts, correction_acts, episode_acts, garnet_acts, intake_acts, match_acts, result_acts, roster_acts,
        timing_acts,
    )
    for it in vars(module).values() if isinstance(it, type) and issubclass(it, SeasonAct) and it.rest
]  # fmt: skip
REST = Rest("doSomething", "something", Body("SomethingBody", "Something."), ())


class WithoutKind(SeasonAct, frozen=True):
    name = "without-kind"
    rest = REST

    remark: str


class WithoutExample(SeasonAct, frozen=True):
    name = "without-example"
    rest = REST

    title: Title


class WithFaultyExample(WithoutExample, frozen=True):
    example = {"title": 3}


class WithoutWidget(SeasonAct, frozen=True):
    name = "without-widget"
    rest = REST

    game: GameSlug


@pytest.mark.parametrize(
    ("act", "derive"),
    [(WithoutKind, kinds_of), (WithoutExample, example_of), (WithFaultyExample, example_of), (WithoutWidget, form_of)],
)
def test_faulty_declaration_is_refused_in_a_sentence_that_names_the_act(act: type[SeasonAct], derive: Any) -> None:
    with pytest.raises(TypeError, match=rf"^The act `{act.name}`: "):
        derive(act)


@pytest.mark.parametrize("act", DECLARED, ids=lambda it: it.name)
def test_declared_act_reads_its_example_with_what_its_path_names(act: type[SeasonAct]) -> None:
    body = body_of(act)
    values = {} if body is None else msgspec.structs.asdict(msgspec.convert(example_of(act), body))
    in_path = set(re.findall(r"<\w+:(\w+)>", act.rest.path))
    assert in_path | values.keys() == set(act.__struct_fields__)
    values |= dict.fromkeys(in_path, "x")
    assert msgspec.structs.asdict(read(act, {**values, "unrelated": 1})) == values


def test_acts_with_like_bodies_share_one_struct() -> None:
    assert body_of(roster_acts.Enrol) is body_of(episode_acts.GiveToken)


class Pick(SeasonAct, frozen=True):
    name = "pick"
    rest = REST

    player: PlayerId


def test_form_of_an_act_has_a_field_for_each_value() -> None:
    assert set(form_of(Pick).base_fields) == {"key", "expected", "player"}
