"""Signed checkpoints over the heads of all streams: making, checking, text format, copies elsewhere, archiving."""
