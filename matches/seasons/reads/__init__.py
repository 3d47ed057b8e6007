"""Reads of seasons: documents and sentences for interfaces, and the seasons that each account may see."""
