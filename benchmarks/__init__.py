"""Benchmarks of the host and of the games."""
