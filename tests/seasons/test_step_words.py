"""Every kind of step that a season can wait for has words on every interface."""

from matches.panel.seasons.steps import LEAD_OF
from matches.seasons.domain.acts import ACTS
from matches.seasons.domain.episode_acts import CHOSEN
from matches.seasons.domain.steps import ASIDE, COURSE, pending_steps
from matches.seasons.reads import headline, officials, timing_sentences
from matches.web.seasons import decisions, steps
from tests.seasons.test_steps import lives

BETWEEN_EPISODES = {"enrolment", "episode", "final", "final_match"}
"""The kinds of the course that belong to no episode."""


def test_headline_panel_and_episode_page_word_every_kind_of_the_course() -> None:
    assert headline.WORDS.keys() == COURSE.keys()
    assert LEAD_OF.keys() == COURSE.keys() - {"close"}, "A close stands at the step that is impossible."
    assert {act for act in LEAD_OF.values() if act} <= ACTS.keys()
    assert steps.SHOWN_AS.keys() == COURSE.keys() - BETWEEN_EPISODES - {"close"}
    assert set(steps.SHOWN_AS.values()) == steps.WORDS.keys()


def test_every_decision_has_words_on_cards_scenes_and_in_the_log() -> None:
    kinds = {kind for kind in COURSE if kind in CHOSEN}
    assert kinds == CHOSEN.keys() == decisions.WORDS.keys() == timing_sentences.DECISIONS.keys()


def test_every_official_kind_of_step_has_its_own_words() -> None:
    kinds = {it.kind for paper in lives() for it in pending_steps(paper.season) if it.notice}
    assert kinds == officials.WORDS.keys()
    assert kinds - COURSE.keys() == ASIDE.keys() - {"check_in"}, "A check-in calls players."
