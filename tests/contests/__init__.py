"""Tests of the library of contests."""
