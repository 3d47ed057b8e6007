"""One look a name: what a reader can't tell apart is one name."""

import importlib
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from matches.accounts import erasure
from matches.domain.names import name_fault, name_key
from matches.domain.skeletons import skeleton
from matches.models import Account
from tests.table_setting import api, at_once

PASSWORD = "seven blue lanterns"


def named(name: str) -> Account:
    return Account.objects.create_user(name)


def older(name: str) -> Account:
    """An account as a release made it that compared no looks."""
    return Account.objects.create(username=name, name_key=name_key(name), password="!")


def look_alikes() -> tuple[str, str]:
    """Two spellings of a name of its own: with the letter el, and with a capital i."""
    return f"Bill {(tail := uuid4().hex[:12])}", f"BiII {tail}"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("paypal", "p\u0430yp\u0430l"),  # Cyrillic
        ("Anna", "\u0430nna"),  # and another case
        ("omega", "\u03bfmega"),  # Greek
        ("Bill", "BiII"),
        ("player1", "playerl"),
        ("bob", "b0b"),
        ("Sam", "Sarn"),
        ("PETER", "\u0420eter"),
        ("ian", "\u0131an"),  # without its dot
        ("sam", "\ua731am"),  # a small capital
    ],
)
def test_second_name_with_the_same_skeleton_is_refused(name: str, other: str) -> None:
    assert name_key(name) != name_key(other), "Else the name's key would do."
    assert skeleton(name) == skeleton(other)
    tail = uuid4().hex[:12]
    named(f"{name} {tail}")
    refused = api().post("accounts", {"username": f"{other} {tail}", "password": PASSWORD})
    assert (refused.status_code, refused.json()["code"]) == (409, "name_taken")
    with pytest.raises(CommandError, match="looks like"):
        call_command("add_account", f"{other} {tail}", password=PASSWORD)
    assert Account.objects.filter(username__endswith=tail).count() == 1


@pytest.mark.parametrize(
    ("letter", "taken_for", "normal_form"), [("\u03f2", "c", "\u03c2"), ("\u017f", "f", "s"), ("\uff22", "B", "B")]
)
def test_name_is_stored_and_shown_in_normal_form(letter: str, taken_for: str, normal_form: str) -> None:
    """A lunate sigma is drawn as a Latin c, and its normal form is an ordinary sigma: compared was what nobody saw."""
    tail = uuid4().hex[:12]
    response = api().post("accounts", {"username": f"{letter} {tail}", "password": PASSWORD})
    assert (
        response.json()["username"] == Account.objects.get(id=response.json()["id"]).username == f"{normal_form} {tail}"
    )
    other = uuid4().hex[:12]
    older(f"{letter} {other}")
    with pytest.raises(IntegrityError):
        named(f"{taken_for} {other}")


def test_name_that_is_too_long_in_normal_form_is_refused() -> None:
    """One letter whose normal form has eighteen."""
    response = api().post("accounts", {"username": "\ufdfa" * 3, "password": PASSWORD})
    assert (response.status_code, response.json()["code"]) == (422, "bad_name")


@pytest.mark.parametrize(
    ("name", "other"), [("Zo\u00eb", "Zoe"), ("ann_lee", "ann-lee"), ("ian", "lan"), ("ann", "anm")]
)
def test_distinguishable_names_have_different_skeletons(name: str, other: str) -> None:
    assert skeleton(name) != skeleton(other)


@pytest.mark.parametrize(
    "name", ["h\u043est", "H0ST", "b\u03bft", "systern", "\u0435rased 1", "ann\u3164", "\u115fann", "ann\uffa0bee"]
)
def test_reserved_look_alike_or_invisible_name_is_refused(name: str) -> None:
    assert name_fault(name)


def test_one_of_two_concurrent_look_alike_names_is_refused() -> None:
    names = look_alikes()
    outcomes = at_once([lambda name=name: named(name) for name in names])
    assert sorted(isinstance(it, IntegrityError) for it in outcomes) == [False, True]


def test_existing_look_alike_names_stay_and_a_third_is_refused() -> None:
    name, other = look_alikes()
    first, second = older(name), older(other)
    migration = importlib.import_module("matches.migrations.0017_looks")
    migration.fill(apps, SimpleNamespace(connection=SimpleNamespace(alias="default")))
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.name_shared, second.name_shared) == (False, True)
    assert first.name_skeleton == second.name_skeleton == skeleton(name)
    third = other.replace("BiII", "BilI")
    with pytest.raises(IntegrityError):
        named(third)
    erasure.erase(first.id)
    with pytest.raises(IntegrityError):
        named(third)
    erasure.erase(second.id)
    assert named(third).name_skeleton == skeleton(name)


def test_name_taken_by_an_older_release_is_considered() -> None:
    name, other = look_alikes()
    older(name)
    with pytest.raises(IntegrityError):
        named(other)
