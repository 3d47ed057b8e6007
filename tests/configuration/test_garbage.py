"""A web process looks for garbage when it keeps nobody waiting. Each test has a process whose Python it changes."""

import subprocess
import sys
from textwrap import dedent

import pytest

BEGIN = """
import gc, weakref
from types import SimpleNamespace
from config.server import garbage

clock = SimpleNamespace(now=1000.0, used=0.0)
garbage.time = SimpleNamespace(monotonic=lambda: clock.now, process_time=lambda: clock.used)
garbage.log = SimpleNamespace(info=lambda *_, **__: None)

class Circle:
    def __init__(self):
        self.me = self

def keep(count):
    return [[number] for number in range(count)]

def looks(count, load):
    for _ in range(count):
        clock.now += 0.1
        clock.used += 0.1 * load
        it.collect_if_due()

full = []
gc.callbacks.append(lambda phase, info: phase == "start" and info["generation"] == 2 and full.append(clock.now))
garbage.sweep()
full.clear()
it = garbage.Garbage()
circle = Circle()
seen = weakref.ref(circle)
"""


def output_of(program: str) -> str:
    """Return the output of a program in a process of its own, on one line."""
    done = subprocess.run([sys.executable, "-c", BEGIN + dedent(program)], check=True, capture_output=True, text=True)
    return " ".join(done.stdout.split())


def test_python_begins_no_collection_over_everything_by_itself() -> None:
    assert output_of("kept = keep(400_000); print(len(full), gc.isenabled())") == "0 True"


def test_garbage_is_collected_and_frozen_while_the_process_is_idle() -> None:
    program = """
    aside = gc.get_freeze_count()
    kept = keep(10_000)
    del circle
    looks(1, load=0.9)
    print(len(full), seen() is None)
    looks(1, load=0.1)
    print(len(full), seen() is None, gc.get_freeze_count() - aside > 9000)
    looks(100, load=0.1)
    print(len(full))
    """
    assert output_of(program) == "0 False 1 True True 1"


def test_a_busy_process_sets_aside_unseen_what_has_come() -> None:
    program = """
    kept = keep(250_000)
    del circle
    looks(1, load=1.0)
    print(len(full), gc.get_count()[2], gc.get_freeze_count() > 200_000, seen() is None)
    """
    assert output_of(program) == "0 0 True False"


def test_idle_process_collects_everything_that_was_moved_aside() -> None:
    program = """
    garbage.sweep()
    del circle
    looks(7000, load=0.5)
    print(seen() is None)
    looks(60, load=0.01)
    print(seen() is None)
    full.clear()
    looks(5000, load=0.01)
    print(len(full))
    """
    assert output_of(program) == "False True 0"


def test_a_sweep_looks_through_a_few_thousand_objects_where_it_is_quiet() -> None:
    program = """
    sizes, kept = [], []
    count = lambda phase, info: phase == "start" and info["generation"] == 2 and sizes.append(len(gc.get_objects()))
    gc.callbacks.append(count)
    for _ in range(200):
        kept += keep(1000)
        looks(1, load=0.1)
    print(len(sizes) > 20, max(sizes) < 10_000)
    """
    assert output_of(program) == "True True"


def test_a_sweep_between_busy_moments_looks_through_few_objects() -> None:
    program = """
    sizes, kept = [], []
    count = lambda phase, info: phase == "start" and info["generation"] == 2 and sizes.append(len(gc.get_objects()))
    gc.callbacks.append(count)
    for number in range(200):
        kept += keep(6000)
        looks(1, load=0.1 if number % 8 == 7 else 0.9)
    print(len(sizes) > 20, max(sizes) < 30_000)
    """
    assert output_of(program) == "True True"


def test_no_look_walks_through_what_was_set_aside_unless_it_collects() -> None:
    program = """
    walks = []
    garbage.gc = SimpleNamespace(**vars(gc) | {"get_freeze_count": lambda: walks.append(clock.now) or 0})
    it = garbage.Garbage()
    looks(1000, load=0.5)
    print(walks)
    """
    assert output_of(program) == "[]"


@pytest.mark.slow
def test_busy_process_collects_everything_once_its_objects_have_doubled() -> None:
    program = """
    kept = keep(100_000)
    garbage.sweep()
    del circle
    looks(400, load=0.5)
    print(seen() is None)
    kept += keep(1_200_000)
    garbage.sweep()
    looks(400, load=0.5)
    print(seen() is None)
    """
    assert output_of(program) == "False True"
