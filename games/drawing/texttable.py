"""The content of a board as tables for screen readers."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TextTable:
    """A table with a caption, column headers and rows; a row's first cell is its header."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if any(len(row) != len(self.header) for row in self.rows):
            raise ValueError(f"{self.caption}: every row has {len(self.header)} cells.")
