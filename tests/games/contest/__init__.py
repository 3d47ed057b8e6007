"""Tests of the game Contest."""
