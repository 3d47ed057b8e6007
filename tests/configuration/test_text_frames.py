"""Frames that are made here are those that the library makes."""

import pytest
from websockets.frames import Frame, Opcode

from config.server.text_frames import framed


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_a_text_is_framed_as_the_library_frames_it(size: int) -> None:
    text = "ä" * (size // 2) + "x" * (size % 2)
    assert framed(text) == Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


def test_one_text_for_many_is_encoded_once_and_another_anew() -> None:
    first, second = "one" * 10, "two" * 10
    assert framed(first) is framed(first)
    assert framed(second) != framed(first)
    assert framed("one" * 10) == framed(first)
