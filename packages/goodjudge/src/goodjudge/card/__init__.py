"""A card: the answer to "is my judge good enough?", in words, in a table, as a picture and a page."""

from goodjudge.card.shapes import Card, Caution, Verdict

__all__ = ["Card", "Caution", "Verdict"]
