"""The editor of a contest as one form, without scripts."""

import html
import re
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse
from django.test import Client
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from games.contest.evaluations import AnyScheme
from games.contest.fields import AnyField
from games.contest.presets import PRESETS, load
from games.contest.reading import read_content
from games.kernel import to_json
from matches.contests.domain.drafts import read_draft
from matches.contests.models import Contest
from matches.contests.services import saving, trials
from matches.models import Account
from matches.web.contests.controls import Block, editor_of, form_of, nodes_of
from matches.web.contests.editing import edited, new_content
from matches.web.contests.posted import PREFIX, read_posted
from matches.web.contests.previews import preview_of
from matches.web.contests.value_texts import (
    read_lines,
    read_pairs,
    read_time,
    write_lines,
    write_pairs,
    write_time,
)
from tests.contests.contents import content, draft, new_contest, published
from tests.games.contest.contents import content_of
from tests.pages import as_read
from tests.table_setting import new_account
from tests.web.test_opening import at_home

TEXTS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=12)
QUICK = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""No example has a time: others use the machine too."""
VALUES = st.one_of(st.integers(-(10**9), 10**9), TEXTS)
HOSTILE = ("", "\0", "x" * 70_000, "-1", "9" * 400, "[" * 5_000, '{"a": {}}', "ab:cd:ef", '"', "٣", "on", "\ud7ff")


@pytest.fixture
def me() -> Account:
    return new_account()


@pytest.fixture
def client(me: Account) -> Client:
    return at_home(me)


@pytest.fixture
def contest(me: Account) -> Contest:
    return new_contest(me)


def sent(data: dict[str, Any], **more: str) -> dict[str, Any]:
    """Return the fields that a browser sends of an editor that shows this content."""
    return dict(form_of(editor_of(data, ())[0])) | more


def press(client: Client, contest: Contest, do: str, data: dict[str, Any], **more: Any) -> HttpResponse:
    return post(client, contest, sent(data, do=do, base="1") | more)


def post(client: Client, contest: Contest, form: dict[str, Any], **more: Any) -> HttpResponse:
    """Send the form as a browser does: not in parts, as Django's client would."""
    body, kind = urlencode(form, doseq=True), "application/x-www-form-urlencoded"
    return client.post(f"/contests/{contest.id}/edit", body, content_type=kind, **more)


def browsed(page: str) -> dict[str, list[str]]:
    """Return the fields that a browser would send of the controls on a page."""
    form: dict[str, list[str]] = {}
    for tag, attributes, text in re.findall(r'<(input|select|textarea)\b((?:"[^"]*"|[^">])*)>([^<]*)', page):
        name = re.search(r'\bname="([^"]*)"', attributes)
        if not name or ('type="checkbox"' in attributes and not re.search(r"\bchecked\b", attributes)):
            continue
        value = re.search(r'\bvalue="([^"]*)"', attributes)
        form.setdefault(name[1], []).append(
            text.removeprefix("\n") if tag == "textarea" else value[1] if value else "on"
        )
    for name, select in re.findall(r'<select\b[^>]*name="([^"]*)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'value="([^"]*)"\s+selected', select) or re.search(r'value="([^"]*)"', select)
        form[name] = [chosen[1] if chosen else ""]
    return {name: values for name, values in form.items() if name.startswith(PREFIX)}


def relevant(data: dict[str, Any]) -> dict[str, Any]:
    """Return a content without the values that don't matter beside others."""
    for of_round in data["rounds"]:
        scheme = of_round["scheme"]
        pointless = {
            "order": of_round["who"] != "in_turn", "later": of_round["reveal"] == "nothing",
            "partner": scheme.get("pairing") != "mutual", "percent": "target" in scheme, "hits": not scheme.get("role"),
        }  # fmt: skip
        for name in (it for it, is_so in pointless.items() if is_so):
            (of_round if name in of_round else scheme).pop(name, None)
    return data


@QUICK
@given(st.integers(0, 2**32))
def test_editor_of_a_content_sends_the_same_content_back(seed: int) -> None:
    data = content_of(Random(seed))
    posted = read_posted(form_of(editor_of(data, ())[0]))
    assert read_content(posted) == read_content(relevant(data))
    assert read_posted(form_of(editor_of(posted, ())[0])) == posted


@pytest.mark.parametrize("name", PRESETS)
def test_page_of_a_preset_sends_the_same_content_back(client: Client, me: Account, name: str) -> None:
    contest = new_contest(me, **to_json(load(name)))
    page = client.get(f"/contests/{contest.id}/edit").content.decode()
    form = {key: [html.unescape(it) for it in values] for key, values in browsed(page).items()}
    assert {key: value for key, value in form.items() if "-see-" not in key} == dict(
        form_of(editor_of(contest.versions.get().data, ())[0])
    )
    answer = post(client, contest, form | {"do": "save", "base": "1"}, follow=True)
    contest.refresh_from_db()
    assert (answer.status_code, contest.version) == (200, 1)


@QUICK
@given(st.lists(VALUES), st.booleans())
@example(["5", 5, '"x"', " a", "a\nb", "[1]", "{}", ""], True)
def test_lists_are_read_as_they_are_written(values: list[Any], numbers: bool) -> None:
    values = values if numbers else [str(it) for it in values]
    assert read_lines(write_lines(values, numbers=numbers), numbers=numbers) == values


@QUICK
@given(st.dictionaries(TEXTS, st.one_of(VALUES, st.lists(VALUES), st.dictionaries(TEXTS, st.integers(0, 9)))))
@example({"a:b": "1", '"': 1, "": "", " x": [], "n\n": {"k": 1}})
def test_pairs_are_read_as_they_are_written(pairs: dict[str, Any]) -> None:
    assert read_pairs(write_pairs(pairs)) == pairs


@QUICK
@given(st.one_of(st.integers(-(10**9), 10**9), st.sampled_from(["", "soon", "1 day", "٣", "[]"])))
@example(90)
def test_times_are_read_as_they_are_written(value: Any) -> None:
    assert read_time(*write_time(value)) == value


@pytest.mark.parametrize(
    ("text", "unit", "seconds"),
    [("1", "days", 86_400), ("1.5", "hours", 5_400), ("0,5", "minutes", 30), ("90", "", 90),
     ("1.55", "seconds", "1.55"), ("soon", "days", "soon"), ("-1", "days", -1),
     ("9" * 99, "days", "9" * 99), ("", "hours", "")],
)  # fmt: skip
def test_time_is_typed_in_a_unit(text: str, unit: str, seconds: int | str) -> None:
    assert read_time(text, unit) == seconds


@pytest.mark.parametrize("line", [r'"\ud800": 1', r'"a\u0000": 1'])
def test_name_of_a_pair_has_only_characters_that_can_be_stored(line: str) -> None:
    (name,) = read_pairs(line)
    assert name.encode().isascii() and "\0" not in name


@pytest.mark.parametrize("kind", [it.__struct_config__.tag for it in AnyScheme.__args__])
def test_every_evaluation_can_be_chosen_and_keeps_what_it_shares(kind: str) -> None:
    data = content()
    form = form_of(editor_of(data, ())[0]) | {f"{PREFIX}.rounds.0.scheme.kind": [kind]}
    class_of = type(form_of(editor_of(data, ())[0]))
    scheme = read_posted(class_of(form))["rounds"][0].get("scheme", {"kind": "none"})
    assert scheme["kind"] == kind and scheme.get("field", "side") == "side"
    again = read_posted(form_of(editor_of(data | {"rounds": [data["rounds"][0] | {"scheme": scheme}]}, ())[0]))
    assert again["rounds"][0].get("scheme", {"kind": "none"}) == scheme


@pytest.mark.parametrize("kind", [it.__struct_config__.tag for it in AnyField.__args__])
def test_every_kind_of_field_is_added_with_a_name_of_its_own(kind: str) -> None:
    data, shown = edited(content(decks=[{"name": "deck", "cards": ["1"], "hand": 1}]), "add rounds.0.fields", kind)
    field = data["rounds"][0]["fields"][1]
    assert (shown, field["kind"], field["name"]) == ("rounds.0.fields.1", kind, "field_1")
    faults = read_draft(data).faults
    assert [it for it in faults if it.place.startswith("rounds.0.fields")] == []


def test_new_content_can_be_played_once_it_has_a_title() -> None:
    assert read_draft(new_content("A title")).faults == ()


def test_parts_are_moved_duplicated_and_removed() -> None:
    data = content(rounds=[{"name": "a"}, {"name": "b"}])

    def names(act: str) -> list[str]:
        return [it["name"] for it in edited(data, act)[0]["rounds"]]

    assert names("down rounds.0") == names("up rounds.1") == ["b", "a"]
    assert names("up rounds.0") == names("down rounds.1") == ["a", "b"]
    assert names("copy rounds.0") == ["a", "a_1", "b"]
    assert names("remove rounds.0") == ["b"]
    assert names("add rounds") == ["a", "b", "round_1"]
    assert edited(data, "down rounds.0")[1] == "rounds.1"


@pytest.mark.parametrize(
    "act",
    ["", "add", "add x", "add title", "add rounds.7.fields", "remove rounds.9", "up rounds", "down rounds.x", "copy .",
     "remove rounds.0.fields.0.options.0", "dance rounds.0", "add rounds.0.scheme.payoffs.0", "add rounds.-1.fields"],
)  # fmt: skip
def test_act_without_a_part_changes_nothing(act: str) -> None:
    assert edited(content(), act)[0] == content()


def test_buttons_rebuild_the_form_and_save_nothing(client: Client, contest: Contest) -> None:
    answer = press(client, contest, "add rounds", content())
    page = as_read(answer)
    assert answer.status_code == 200 and 'name="content.rounds.1.name" value="round_1"' in page
    assert "Unsaved changes" in page and 'data-unsaved="yes"' in page
    contest.refresh_from_db()
    assert contest.version == 1


def test_kind_of_a_new_field_is_that_of_the_list_beside_the_button(client: Client, contest: Contest) -> None:
    page = as_read(press(client, contest, "add rounds.0.fields", content(), **{"kind rounds.0.fields": "split"}))
    assert re.search(r'name="content.rounds.0.fields.1.kind"[^>]*>.*?value="split" selected', page)
    assert 'name="content.rounds.0.fields.1.budget" value="1"' in page


def test_saved_content_is_the_next_version(client: Client, contest: Contest) -> None:
    for _ in range(2):
        answer = press(client, contest, "save", content(title="Changed"))
    contest.refresh_from_db()
    assert answer.headers["Location"] == f"/contests/{contest.id}/edit"
    assert (contest.version, contest.title) == (2, "Changed")
    assert contest.versions.get(number=2).data == content(title="Changed")


def test_unchanged_content_is_not_saved_again(client: Client, me: Account) -> None:
    contest = new_contest(me, author="", host_seconds=86_400)
    press(client, contest, "save", contest.versions.get().data)
    contest.refresh_from_db()
    assert contest.version == 1


def test_content_with_faults_is_saved_but_not_published(client: Client, contest: Contest) -> None:
    answer = post(client, contest, sent(content(least_seats=40), do="publish", base="1"), follow=True)
    assert "mend its faults first" in answer.content.decode()
    contest.refresh_from_db()
    assert (contest.version, contest.status) == (2, "private")


def test_faultless_content_is_saved_and_published_in_one_press(client: Client, contest: Contest) -> None:
    press(client, contest, "publish", content(title="Out"))
    contest.refresh_from_db()
    assert (contest.version, contest.published, contest.status) == (2, 2, "published")


def test_save_of_an_older_version_keeps_what_was_typed(client: Client, me: Account, contest: Contest) -> None:
    saving.save(account=me, contest_id=contest.id, draft=draft(title="Other tab"), base=1)
    answer = press(client, contest, "save", content(title="This tab"))
    page = as_read(answer)
    assert answer.status_code == 409 and "Version 2 was saved meanwhile" in page
    assert 'name="content.title" value="This tab"' in page and 'name="base" value="1"' in page
    press(client, contest, "over", content(title="This tab"), over="2")
    contest.refresh_from_db()
    assert (contest.version, contest.title) == (3, "This tab")


FAULTS = {
    "title": ({"title": ""}, "content-title"),
    "bound": ({"least_seats": 40}, "content-least_seats"),
    "type": ({"host_seconds": "soon"}, "content-host_seconds"),
    "name": ({"balances": [{"name": "survival"}]}, "content-balances-0-name"),
    "list": ({"teams": ["red"]}, "content-teams"),
    "item of a list": ({"score": {"ties": ["nobody"]}}, "content-score-ties"),
    "part of a list": ({"roles": [{"name": "a"}, {"name": "a"}]}, "content-roles-1"),
    "pair": ({"roles": [{"name": "a", "gains": {"none": 1}}]}, "content-roles-0-gains"),
    "field": ({"rounds": [{"name": "a", "fields": [{"kind": "choice", "name": "b"}]}]},
              "content-rounds-0-fields-0-options"),
    "evaluation": ({"rounds": [{"name": "a", "scheme": {"kind": "majority", "field": "b"}}]},
                   "content-rounds-0-scheme-field"),
    "unknown value": ({"rounds": [{"name": "a", "colour": 1}]}, "content-rounds-0"),
    "whole": ({"colour": 1}, "content"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_shown_at_its_place_and_linked_at_the_top(client: Client, me: Account, name: str) -> None:
    parts, anchor = FAULTS[name]
    contest = new_contest(me, **parts)
    page = as_read(client.get(f"/contests/{contest.id}/edit"))
    assert re.search(rf'<li><a href="#{anchor}">[A-Z][^_<]*</a>: ', page) or name in ("unknown value", "whole")
    assert f'<li><a href="#{anchor}">' in page and f'id="{anchor}"' in page
    if anchor != "content":
        assert re.search(rf'id="{anchor}-fault"[^>]*>[^<]', page)
    assert "regex" not in page and "Expected" not in page and "`" not in page.partition("<form")[2].partition("<h2")[0]


def test_labels_and_choices_are_words_for_people(client: Client, me: Account) -> None:
    scheme = {"kind": "unique_highest", "field": "number"}
    of_round = {"name": "one", "fields": [{"kind": "number", "name": "number"}], "scheme": scheme}
    contest = new_contest(me, rounds=[of_round], balances=[{"name": "gold", "garnets": True, "starts": [5, 6]}])
    page = as_read(client.get(f"/contests/{contest.id}/edit"))
    assert re.search(r'value="unique_highest" selected>\s*Highest number that nobody else names', page)
    assert re.search(r'for="content-least_seats">Fewest players<', page)
    form = page.partition('id="maker"')[2]
    visible = re.sub(r'<input type="hidden"[^>]*>|([\w-]+)="[^"]*"', "", form)
    assert "Fewest players" in visible
    for name in ("least_seats", "Least seats", "unique_highest", "Starts", "Seconds", "in_turn"):
        assert name not in visible, name
    assert '<input type="hidden" name="content.balances.0.starts" value="[5,6]">' in page.replace("&quot;", '"')


def test_time_of_a_round_is_shown_and_saved_in_its_unit(client: Client, me: Account) -> None:
    data = content()
    contest = new_contest(me, rounds=[data["rounds"][0] | {"seconds": 5_400}])
    page = as_read(client.get(f"/contests/{contest.id}/edit"))
    assert re.search(r'name="content.rounds.0.seconds"\s+value="90"', page)
    assert re.search(r'name="content.rounds.0.seconds.unit".*?value="minutes" selected', page, re.DOTALL)
    assert "10 seconds to 30 days." in page
    form = sent(contest.versions.get().data, do="save", base="1")
    post(client, contest, form | {"content.rounds.0.seconds": "2", "content.rounds.0.seconds.unit": "hours"})
    assert contest.versions.get(number=2).data["rounds"][0]["seconds"] == 7_200


@pytest.mark.parametrize("kind", ["host", "none", "public_good"])
def test_evaluation_shows_only_the_values_that_it_uses(client: Client, me: Account, kind: str) -> None:
    bid = {"kind": "number", "name": "bid", "balance": "gold"}
    scheme = {"kind": kind} | ({"field": "bid"} if kind == "public_good" else {})
    of_round = {"name": "one", "fields": [bid], "scheme": scheme | {"points": 3, "balance": "none", "out": "winners"}}
    contest = new_contest(me, rounds=[of_round], balances=[{"name": "gold", "pays": True}])
    page = as_read(client.get(f"/contests/{contest.id}/edit"))
    for name in ("points", "balance", "out"):
        assert f'name="content.rounds.0.scheme.{name}"' not in page
    assert "It has no faults" in page
    assert ('name="content.rounds.0.scheme.others"' in page) == (kind == "host")


def test_value_that_matters_with_another_one_says_so(client: Client, me: Account) -> None:
    contest = new_contest(me, roles=[{"name": "spy"}])
    page = as_read(client.get(f"/contests/{contest.id}/edit"))
    assert re.search(r'data-with="content.rounds.0.who"\s+data-when="in_turn"', page)
    assert "Only with “Who is asked”: “All, one after the other”." in page
    assert "Not with “Published of the submissions”: “Nothing is published of the submissions”." in page
    assert re.search(r'data-with="content.rounds.0.default.kind"\s+data-when="fixed"', page)
    press(client, contest, "save", content(title="Still", rounds=[content()["rounds"][0] | {"order": "random"}]))
    assert "order" not in contest.versions.get(number=2).data["rounds"][0]


def test_texts_with_markdown_link_to_its_help(client: Client, contest: Contest) -> None:
    page = as_read(client.get(f"/contests/{contest.id}/edit"))
    assert page.count('href="/contests/guide#markdown"') == 2
    assert 'id="markdown"' in client.get("/contests/guide").content.decode()


def test_faultless_content_is_summed_up(client: Client, contest: Contest) -> None:
    page = as_read(client.get(f"/contests/{contest.id}/edit"))
    assert "It has no faults: 2 to 30 players, 1 round, at most 1 day." in page


def test_form_of_each_round_is_shown_as_players_see_it(client: Client, me: Account) -> None:
    preset = load("morning_fair")
    contest = new_contest(me, **to_json(preset))
    page = as_read(client.get(f"/contests/{contest.id}/edit"))
    assert page.count("As a player sees it") == len(preset.rounds)


def test_preview_is_the_form_of_the_match_with_names_of_its_own(client: Client, me: Account) -> None:
    bid = {"kind": "number", "name": "bid", "most": 9, "balance": "gold"}
    rounds = [{"name": f"r{it}", "text": "*Bid* now.", "fields": [bid], "default": {"penalty": 2}} for it in range(2)]
    contest = new_contest(me, rounds=rounds, balances=[{"name": "gold", "pays": True, "start": 7}])
    for address in (f"/contests/{contest.id}/edit", f"/contests/{contest.id}"):
        page = as_read(client.get(address))
        ids = re.findall(r' id="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        assert page.count('max="7"') == 2 and page.count("You hold 7 Gold.") == 2
        assert page.count("<em>Bid</em> now.") == 2 and "fill-fault" in page
        assert all('form="play"' in it for it in re.findall(r"<(?:input|select|textarea)[^>]*-see-[^>]*>", page))


def test_preview_leaves_out_what_has_faults() -> None:
    fields = [{"kind": "choice", "name": "a", "options": ["x"]}, {"kind": "text", "name": "b"}]
    preview = preview_of({"name": "r", "fields": fields, "seconds": "soon"}, {"decks": 3})
    assert preview.form and [it.title for it in preview.form.fields] == ["B"] and not preview.is_whole
    assert preview.seconds == 86_400


@QUICK
@given(st.integers(0, 2**32), st.sampled_from([None, 0, -1, 10**30, "", "x" * 500, [], {}, [[]], {"": 1}, True]))
def test_preview_of_any_content_is_shown(seed: int, odd: Any) -> None:
    rng = Random(seed)
    data = content_of(rng)
    of_round = data["rounds"][0]
    assert preview_of(of_round, data).is_whole
    for part in (of_round, data, *of_round["fields"], *data["balances"], *data.get("decks", ())):
        part[rng.choice(sorted(part))] = odd
    assert preview_of(of_round, data).form


def test_one_contest_of_bots_is_told_in_sentences(client: Client, contest: Contest) -> None:
    page = as_read(press(client, contest, "play", content(title="Not saved"), seats="5"))
    assert "The course of one contest" in page and "Player 5" in page and 'value="Not saved"' in page


def test_thousand_runs_show_progress_and_then_results(
    client: Client, contest: Contest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("matches.web.contests.trial_views.RUNS", 30)
    page = as_read(press(client, contest, "try", content(), seats="5"))
    address = re.search(r'hx-get="([^"]+)"', page)
    assert "Contests with 5 bots: 0 of 30 are played." in page and address
    while trials.play_slice(60):
        pass
    for shown in (client.get(address[1]), client.get(f"/contests/{contest.id}/edit")):
        page = as_read(shown)
        assert "30 contests with 5 bots" in page and "First places by seat" in page
        assert "Player 5" in page and "Seat 5" not in page
        assert "<rect" in page and ">left<" in page and "hx-get" not in page.partition('id="trial"')[2]
    assert at_home(new_account()).get(address[1]).status_code == 404


def test_trial_is_cancelled(client: Client, contest: Contest) -> None:
    page = as_read(press(client, contest, "try", content(), seats="5"))
    cancel = re.search(r'value="(cancel [^"]+)"', page)
    assert cancel
    for _ in range(2):
        page = as_read(press(client, contest, cancel[1], content()))
    assert 'id="trial"' not in page and "There is no such trial." in page


@pytest.mark.parametrize("seats", ["", "1", "31", "x", "9" * 40])
def test_trial_of_a_wrong_number_of_bots_is_refused_in_words(client: Client, contest: Contest, seats: str) -> None:
    for act in ("play", "try"):
        assert "This contest is for 2 to 30 players." in as_read(press(client, contest, act, content(), seats=seats))


def test_trial_of_a_content_with_faults_is_refused_in_words(client: Client, contest: Contest) -> None:
    assert "Mend them first." in as_read(press(client, contest, "try", content(title=""), seats="5"))


def test_editor_of_somebody_else_is_refused(contest: Contest) -> None:
    shared, stranger = published(new_account()), at_home(new_account())
    for it, status in ((contest, 404), (shared, 403)):
        assert stranger.get(f"/contests/{it.id}/edit").status_code == status
        assert press(stranger, it, "save", content()).status_code == status


def test_greatest_content_fits_into_the_form(client: Client, contest: Contest) -> None:
    payoffs = [{"own": f"{own}", "other": f"{other}", "points": 1} for own in range(10) for other in range(10)]
    fields = [{"kind": "choice", "name": f"f{number}", "options": [*map(str, range(10))]} for number in range(8)]
    scheme = {"kind": "matrix", "field": "f0", "payoffs": payoffs}
    data = content(rounds=[{"name": f"r{it}", "fields": fields, "scheme": scheme} for it in range(20)])
    assert press(client, contest, "save", data).status_code == 302
    contest.refresh_from_db()
    assert read_content(contest.versions.get(number=2).data) == read_content(data)


def test_form_that_is_too_large_is_refused(client: Client, contest: Contest) -> None:
    assert press(client, contest, "save", content(rules="x" * 300_000)).status_code == 413
    assert press(client, contest, "save", content(rules="x" * 1_100_000)).status_code == 413
    assert post(client, contest, {f"a{it}": "" for it in range(20_001)}).status_code == 400


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_in_any_field_is_a_fault_of_the_server(client: Client, contest: Contest, text: str) -> None:
    form = sent(content_of(Random(5)))
    for changed in (form, {it: values for it, values in form.items() if "kind" not in it and values[0]}):
        for act in ("check", "save"):
            answer = post(
                client,
                contest,
                form | {it: [text[: 1_000_000 // len(form)]] for it in changed} | {"do": act, "base": "1"},
            )
            assert answer.status_code < 500
    for name in ("do", "base", "over", "seats", "kind rounds", f"{PREFIX}.rounds", f"{PREFIX}.rounds.0.part"):
        answer = post(client, contest, form | {"do": "add rounds", "base": "1"} | {name: [text] * 2})
        assert answer.status_code < 500, name


def blocks_of(data: dict[str, Any]) -> dict[str, Block]:
    return {it.place: it for it in nodes_of(editor_of(data, ())[0]) if isinstance(it, Block)}


def test_list_of_few_parts_is_open_and_so_is_a_part_with_faults() -> None:
    data = content(rounds=[{"name": f"r{it}"} for it in range(4)])
    assert not blocks_of(data)["rounds.0"].is_open
    faulty = read_draft(data | {"rounds": [*data["rounds"], {"name": "Bad Name"}]})
    whole, _ = editor_of(faulty.data, faulty.faults, "rounds.2")
    opened = [it.place for it in nodes_of(whole) if isinstance(it, Block) and it.is_open and it.place.count(".") == 1]
    assert [it for it in opened if it.startswith("rounds")] == ["rounds.2", "rounds.4"]


def test_editor_refuses_more_parts_than_a_form_can_send(client: Client, me: Account) -> None:
    data = content(rounds=[{}] * 2_000)
    made = saving.create(author=me, draft=read_draft(data), key="many")
    assert client.get(f"/contests/{made.contest.id}/edit").status_code == 413
    assert post(client, made.contest, {f"{PREFIX}.rounds": range(2_000), "do": "add balances"}).status_code == 413
    page = client.get(f"/contests/{made.contest.id}")
    assert page.status_code == 200 and page.content.count(b'class="panel preview"') < 100


@pytest.mark.parametrize(
    ("rounds", "do"),
    [(5, "add rounds"), (["x"], "add rounds.0.fields"), ([{"name": []}], "add rounds"), (["x"], "copy rounds.0"),
     ([{"fields": [{"kind": []}]}], "add rounds.0.fields.0.options"),
     ([{"scheme": {"kind": []}}], "add rounds.0.scheme.prizes")],
)  # fmt: skip
def test_buttons_work_on_values_of_any_type(client: Client, me: Account, rounds: Any, do: str) -> None:
    data = content(rounds=rounds)
    made = saving.create(author=me, draft=read_draft(data), key="odd")
    assert press(client, made.contest, do, data).status_code == 200
