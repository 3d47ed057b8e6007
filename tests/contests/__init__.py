"""Contests at the interfaces of the host: their hosts' acts, and what is sealed."""
