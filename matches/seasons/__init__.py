"""Seasons: players, episodes, garnets and a champion, as events on a stream of their own."""
