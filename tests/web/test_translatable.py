"""Texts for people: whole sentences, marked for translation."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from django.template import Template
from django.template.loader import get_template

from matches.domain.events import EndReason
from matches.domain.lifecycle import Status
from matches.seasons.domain.claims import ClaimStatus
from matches.seasons.domain.state import PlayerStatus, SeasonStatus
from matches.seasons.reads.documents import SeasonRole
from matches.web.status_words import WORDS
from tests.web import marked_sentences, marked_text

ROOT = Path(__file__).parents[2]
FOLDERS = ("matches/web/templates", "matches/panel/templates", "matches/templates")
TEMPLATES = {
    str(path.relative_to(ROOT / folder)): (ROOT / folder / path).read_text()
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*")
    if path.is_file()
}
PROGRAMS = {"api/bot.py.txt"}
"""Those that people copy and run; their words aren't a page's."""
MODULES = sorted(
    path
    for pattern in (
        "web/seasons/*.py", "web/accounts/[efpr]*_views.py", "web/accounts/forms.py", "web/lobby/player_views.py",
        "web/play/talking.py", "web/play/offering.py", "web/status_words.py", "html/fields.py", "html/name_lists.py",
        "html/offers.py",
        "http/talk.py", "talk/*.py", "notifications/letters.py", "notifications/mail_addresses.py",
        "notifications/pushes.py", "notifications/reach.py", "notifications/call_delivery.py",
        "panel/control/contest_*.py", "panel/control/host_table.py",
    )
    for path in (ROOT / "matches").glob(pattern)
)  # fmt: skip
COPIED = ("config", "events", "games", "matches", "manage.py")


def faults(template: str) -> list[str]:
    return list(marked_text.faults_of(Template(template).nodelist))


@pytest.mark.parametrize("name", sorted(set(TEMPLATES) - PROGRAMS))
def test_page_marks_every_text_for_translation_as_whole_sentences(name: str) -> None:
    assert list(marked_text.faults_of(get_template(name).template.nodelist)) == []


def test_listed_programs_and_modules_exist() -> None:
    assert set(TEMPLATES) > PROGRAMS and len(MODULES) > 40


@pytest.mark.parametrize(
    ("template", "fault"),
    [
        ("<p>Your desk</p>", "isn't marked"),
        ('<p title="Your desk">', "isn't marked"),
        ('<a aria-label="Open {{ it }}">{{ it }}</a>', "isn't marked"),
        ('{{ name|default:"nobody" }}', "isn't marked"),
        ('{% load i18n %}<p>{% translate "Won by" %} {{ name }}</p>', "is glued"),
        ('{% load i18n %}<p>{{ name }} <b>{% translate "has won." %}</b></p>', "is glued"),
        ('{% load i18n %}<p>{% if x %}{% translate "You have" %}{% endif %} {% translate "asked." %}</p>', "is glued"),
        ('{% load i18n %}<p>{% translate "Until" %} {% moment at %}</p>', "is glued"),
        ("{% load i18n %}<p title=\"{% translate 'Open' %} {{ it }}\">", "is glued"),
        ('{% load i18n %}<p>{% translate ", and more" %}</p>', "is a piece"),
        ("{{ count }}{{ count|pluralize }}", "isn't marked"),
    ],
)
def test_untranslatable_markup_is_detected(template: str, fault: str) -> None:
    assert [it for it in faults("{% load web %}" + template) if it.startswith(fault)]


def test_whole_sentences_may_be_adjacent() -> None:
    beside = """{% load i18n web %}
      <p>{% translate "Nobody waits before you." %} {% blocktranslate %}Good until {{ at }}.{% endblocktranslate %}
        {{ told }} {% translate "It is yours." %} <a href="/x">{% translate "The season" %}</a></p>
      <p>{% translate "Won" %}</p><p>{{ name }}</p><b>{{ name }}</b><span>{% translate "won" %}</span>
      <span class="material-symbols-outlined" aria-hidden="true">history</span>{% translate "Rewind" %}"""
    assert faults(beside) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda it: str(it.relative_to(ROOT / "matches")))
def test_sentences_in_python_are_marked_before_names_are_inserted(path: Path) -> None:
    assert list(marked_sentences.faults_of(path.read_text())) == []


@pytest.mark.parametrize(
    "source",
    ['said = "You are the champion."', 'said = f"{name} has won"', '_(f"{name} has won")', '_("You " + "won")'],
)
def test_untranslatable_sentence_in_python_is_detected(source: str) -> None:
    assert list(marked_sentences.faults_of(source))


def test_every_status_on_a_page_has_a_word() -> None:
    kinds = (Status, SeasonStatus, PlayerStatus, ClaimStatus, SeasonRole, EndReason)
    assert {it for kind in kinds for it in get_args(kind)} - {"played"} == set(WORDS)


def test_messages_are_gathered_from_the_whole_tree(tmp_path: Path) -> None:
    """In a copy, as the program leaves files beside what it reads."""
    if not shutil.which("xgettext"):
        pytest.skip("There is no xgettext here. On Debian or Ubuntu: apt-get install gettext")
    _copied(tmp_path)
    process = subprocess.run(
        [sys.executable, "manage.py", "makemessages", "--locale", "ko", "--no-location"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (process.returncode, process.stderr) == (0, ""), process.stderr
    catalogue_text = (tmp_path / "locale/ko/LC_MESSAGES/django.po").read_text()
    assert (
        'msgid "%(name)s wants to go on."' in catalogue_text
        and 'msgid_plural "You have %(garnets)s garnets"' in catalogue_text
    )
    assert 'msgid "Give garnets"' in catalogue_text, "of a form that the domain declares"
    assert 'msgctxt "role in a season"' in catalogue_text and 'msgid "A new password"' in catalogue_text


def _copied(to: Path) -> None:
    ignored: Callable[[str, list[str]], set[str]] = shutil.ignore_patterns("__pycache__", "static", "migrations")
    for name in COPIED:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, to / name, ignore=ignored)
        else:
            shutil.copy(path, to / name)
