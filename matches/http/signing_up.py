"""Creating accounts and changing passwords."""

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from matches.domain.names import name_fault
from matches.http.problems import Problem
from matches.models import Account


def refuse_closed() -> None:
    """Raise Problem `signup_closed` if the settings allow no new accounts."""
    if settings.SIGNUP != "open":
        raise Problem("signup_closed")


def sign_up(username: str, password: str) -> Account:
    """Return a new account; raise Problem `bad_name`, `weak_password` or `name_taken`."""
    refuse_bad(username, password)
    # The unique key decides between simultaneous requests for one name.
    try:
        with transaction.atomic():
            return Account.objects.create_user(username, password)
    except IntegrityError:
        raise Problem("name_taken") from None


def refuse_bad(username: str, password: str) -> None:
    """Raise Problem `bad_name` or `weak_password` unless an account may have both."""
    if fault := name_fault(username):
        raise Problem("bad_name", fault)
    refuse_weak(password, Account(username=username))


def refuse_weak(password: str, account: Account) -> None:
    """Raise Problem `weak_password` unless this account may have the password."""
    try:
        validate_password(password, user=account)
    except ValidationError as error:
        raise Problem("weak_password", " ".join(error.messages)) from None
