"""Proof for those who don't trust the house: records, the standalone verifier, archives, a match's past."""
