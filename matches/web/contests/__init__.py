"""The library of contests and their editor."""
