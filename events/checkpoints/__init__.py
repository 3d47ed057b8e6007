"""Signed checkpoints over the heads of all streams: made, checked, told as text, and copied outside the database."""
