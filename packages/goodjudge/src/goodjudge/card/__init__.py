"""A card: is my judge good enough? The answer in words, in a table, as a picture and a page."""

from goodjudge.card.shapes import Card, Caution, Verdict

__all__ = ["Card", "Caution", "Verdict"]
