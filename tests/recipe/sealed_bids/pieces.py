"""The seats, and the lots by their value in points."""

from typing import Final

SEATS: Final = (0, 1)
LOTS: Final = (1, 2, 3, 4, 5, 6, 7)
