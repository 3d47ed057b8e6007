"""Signed checkpoints over the heads of all streams: made, checked, told as text, copied outside it, archived."""
