"""goodjudge: is my judge good enough? A language model's scores beside people's ratings.

    import goodjudge as gj

    ratings = gj.read_ratings("ratings.csv")
    scores = gj.read_scores("judge.csv", ratings)
    card = gj.make_card(ratings, scores)
    print(card)

All that is public stands in `__all__`; what is behind a name is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "1.0.0"

HOMES = {  # of each public name
    "read_ratings": "data.reading",
    "read_scores": "data.reading",
    "read_unrated": "data.reading",
    "Ratings": "data.ratings",
    "find_sample": "public",
    "compare": "public",
    "find_agreement": "public",
    "estimate_severity": "public",
    "correct_means": "public",
    "make_card": "card.make",
    "Card": "card.shapes",
    "Verdict": "card.shapes",
    "Caution": "card.shapes",
    "compare_runs": "drift",
    "plan_study": "plan",
    "write_form": "rating_form",
    "join_forms": "rating_form",
    "ask_texts": "judging",
    "probe_judge": "probing",
    "DataError": "errors",
}
__all__ = [*HOMES, "__version__"]

if TYPE_CHECKING:
    from goodjudge.card.make import make_card as make_card
    from goodjudge.card.shapes import Card as Card
    from goodjudge.card.shapes import Caution as Caution
    from goodjudge.card.shapes import Verdict as Verdict
    from goodjudge.data.ratings import Ratings as Ratings
    from goodjudge.data.reading import read_ratings as read_ratings
    from goodjudge.data.reading import read_scores as read_scores
    from goodjudge.data.reading import read_unrated as read_unrated
    from goodjudge.drift import compare_runs as compare_runs
    from goodjudge.errors import DataError as DataError
    from goodjudge.judging import ask_texts as ask_texts
    from goodjudge.plan import plan_study as plan_study
    from goodjudge.probing import probe_judge as probe_judge
    from goodjudge.public import compare as compare
    from goodjudge.public import correct_means as correct_means
    from goodjudge.public import estimate_severity as estimate_severity
    from goodjudge.public import find_agreement as find_agreement
    from goodjudge.public import find_sample as find_sample
    from goodjudge.rating_form import join_forms as join_forms
    from goodjudge.rating_form import write_form as write_form


def __getattr__(name):
    """Return what is behind a public name; it is imported now."""
    if name not in HOMES:
        raise AttributeError(f"goodjudge has no {name}; expected one of {', '.join(__all__)}")
    value = getattr(import_module(f"goodjudge.{HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    """Return the public names."""
    return sorted(__all__)
