"""What a board shows, as tables for those who listen instead of look."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TextTable:
    """A table with a caption, the heads of its columns and its rows; a row's first cell is its head."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if any(len(row) != len(self.header) for row in self.rows):
            raise ValueError(f"{self.caption}: every row has {len(self.header)} cells.")
