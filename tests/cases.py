"""Selection of the cases that every run takes, and of those that only slow runs take."""

from collections.abc import Container, Iterable
from typing import Any

import pytest


def some_slow(cases: Iterable[Any], *, always: Container[Any]) -> list[Any]:
    """All cases as parameters; one that isn't among `always` is a slow test. A tuple is a case of several arguments."""
    marks = {True: (), False: (pytest.mark.slow,)}
    return [pytest.param(*(it if isinstance(it, tuple) else (it,)), marks=marks[it in always]) for it in cases]
