"""The pages of accounts: sign-up, sign-in, settings, tokens, notices."""
