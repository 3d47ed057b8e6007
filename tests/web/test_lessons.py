"""A lesson over HTTP: whoever does what each step asks comes to its end, with no account and without a script."""

import re

import pytest
from django.test import Client

from games import catalogue
from games.kernel import LessonStep
from tests.table_setting import BOT, new_account, running_match

JSON = {"Accept": "application/json"}


def visitor() -> Client:
    """Somebody who isn't signed in."""
    return Client(headers={"host": "localhost"})


def steps_of(slug: str) -> tuple[LessonStep, ...]:
    """The script's steps."""
    lesson = catalogue[slug].lesson
    assert lesson is not None
    return lesson.steps


def link(page: str, id_: str) -> str:
    """Return the address of the link with this id."""
    link_found = re.search(rf'id="{id_}"\s+href="([^"]+)"', page)
    assert link_found, f"no link {id_}"
    return link_found[1]


@pytest.mark.parametrize("slug", catalogue)
def test_lesson_is_finished_by_following_its_steps(slug: str) -> None:
    client, address = visitor(), f"/learn/{slug}"
    for number, step in enumerate(steps_of(slug), 1):
        page = client.get(address).content.decode()
        assert f"{number} of {len(steps_of(slug))}" in page
        if number == len(steps_of(slug)):
            assert f'action="/open/{slug}/friendly"' in page and f'href="/games/{slug}"' in page
        elif step.does:
            answer = client.post(f"/learn/{slug}/{number}/commands", {"text": step.does})
            assert answer.status_code == 302
            address = answer.headers["Location"]
        else:
            address = link(page, "onward")
        assert address == (f"/learn/{slug}/{number + 1}/" if number < len(steps_of(slug)) else address)


@pytest.mark.parametrize("slug", catalogue)
def test_each_step_can_be_skipped_and_revisited(slug: str) -> None:
    client = visitor()
    for number in range(2, len(steps_of(slug))):
        page = client.get(f"/learn/{slug}/{number}/").content.decode()
        assert link(page, "onward") == f"/learn/{slug}/{number + 1}/"
        assert link(page, "back") == f"/learn/{slug}/{number - 1}/"


def test_other_move_is_refused_with_what_to_do() -> None:
    client = visitor()
    response = client.post("/learn/pyramid_poker/3/commands", {"text": "place A1"}, headers=JSON)
    assert (response.status_code, response.json()["code"]) == (409, "not_asked")
    assert response.json()["detail"] == "First place the 5 of spades on A3."
    back = client.post("/learn/pyramid_poker/3/commands", {"text": "place A1"}, follow=True)
    assert back.redirect_chain == [("/learn/pyramid_poker/3/", 302)]
    assert "First place the 5 of spades on A3." in back.content.decode()


def test_illegal_move_is_refused_with_the_rule() -> None:
    response = visitor().post("/learn/pyramid_poker/6/commands", {"text": "place C1"}, headers=JSON)
    assert (response.status_code, response.json()["code"]) == (422, "unsupported")
    assert response.json()["detail"] == "C1 needs both bricks below it: B1 and B2. First place the 9 of spades on B3."


def test_another_way_to_write_the_same_counts() -> None:
    response = visitor().post("/learn/peeling_the_banana/4/commands", {"text": "3 @j2 r90"}, headers=JSON)
    assert response.status_code == 200
    assert 'data-step="5"' in response.json()["content"]


def test_step_without_a_task_refuses_moves() -> None:
    response = visitor().post("/learn/pyramid_poker/1/commands", {"text": "place A3"}, headers=JSON)
    assert (response.status_code, response.json()["code"]) == (409, "not_asked")


def test_frame_is_sent_once_and_a_trial_changes_nothing() -> None:
    client = visitor()
    frame = client.get("/learn/pyramid_poker/3/frame", headers=JSON).json()
    assert client.get(f"/learn/pyramid_poker/3/frame?after={frame['version']}").status_code == 204
    trials = [client.post("/learn/pyramid_poker/3/trial", {"text": text}, headers=JSON) for text in ("place A1", "B1")]
    assert [trial.status_code for trial in trials] == [204, 422]
    assert client.get("/learn/pyramid_poker/3/frame", headers=JSON).json()["version"] == frame["version"]


@pytest.mark.parametrize(
    "address",
    ["/learn/chess", "/learn/pyramid_poker/0/", "/learn/pyramid_poker/99/", f"/learn/pyramid_poker/{'9' * 30}/frame"],
)
def test_unknown_step_gets_404(address: str) -> None:
    assert visitor().get(address).status_code == 404


@pytest.mark.parametrize("text", ["", "x" * 3000, "\0", "place \U0001f34c", "resign"])
def test_text_that_is_no_move_is_refused(text: str) -> None:
    response = visitor().post("/learn/pyramid_poker/3/commands", {"text": text}, headers=JSON)
    assert response.status_code in (400, 409)
    assert response.json()["detail"]


def test_match_against_the_bot_links_to_its_lesson_and_others_do_not() -> None:
    one, other = new_account(), new_account()
    client = visitor()
    client.force_login(one)
    has_link = [
        'href="/learn/pentagram"' in client.get(f"/m/{running_match('pentagram', one, seat).code}/").content.decode()
        for seat in (BOT, other)
    ]
    assert has_link == [True, False]


@pytest.mark.parametrize("address", ["/games", "/games/pentagram"])
def test_games_link_to_their_lessons(address: str) -> None:
    assert 'href="/learn/pentagram"' in visitor().get(address).content.decode()
