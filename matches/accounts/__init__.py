"""Accounts: sign-up, tokens, erasure."""
