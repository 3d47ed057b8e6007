"""Tests of contests: the library, their hosts' acts, and what is sealed."""
