"""Proof for those who don't trust the house: records, their check, archives, a match's past."""
