"""The rules of the library: what a draft is, its faults, its text as TOML. Pure."""
