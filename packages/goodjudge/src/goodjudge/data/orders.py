"""Ratings that are orders: pairs of which one is preferred, and ranks within a group.

Both are rankings: of two items, or of all in a group. A rater's rating of an item is its place in
the rating's *set* (the pair, or the group), counted from below: 1 for the last. `Ratings.items` has
a column `set` then. Places say nothing between sets, so that the measure is pairwise accuracy,
within each rater's set: the share of pairs that both order alike.

    of a pair, the one preferred 2, the other 1, each of a tie 1.5
    of ranks 1, 2, 3 (1 the best): places 3, 2, 1
"""


def are_orders(data):
    """Return whether the ratings are places within sets; data: `Ratings`."""
    return "set" in data.items


def are_pairs(data):
    """Return whether the ratings are preferences between two items; data: `Ratings`."""
    return are_orders(data) and "name" in data.items


def choose_within(data):
    """Return the columns within which a measure is taken: of ratings on several aspects the aspect;
    of orders a rater's set, within which places are compared, and the aspect.

    Where each group is one set, it is called group, which tells the ceiling that these are
    rankings.
    """
    has_aspects = "aspect" in data.ratings and data.ratings["aspect"].nunique() > 1
    aspect = ("aspect",) if has_aspects else ()
    if not are_orders(data):
        return aspect
    first = "group" if sets_are_groups(data) else "set"
    return (first, "rater", *aspect)


def sets_are_groups(data):
    """Return whether each group of orders is one set: one pair, or the items of one ranking."""
    sets_of_group = data.items.groupby("group")["set"].nunique()
    groups_of_set = data.items.groupby("set")["group"].nunique()
    return bool((sets_of_group == 1).all() and (groups_of_set == 1).all())


def has_ceiling(data):
    """Return whether a perfect judge can be simulated. Of orders it can where each group is one
    set, in which nothing ties; of pairs that share items the model does not know what they
    share."""
    if not are_orders(data):
        return True
    scores = data.ratings["score"]
    return sets_are_groups(data) and bool((scores == scores.round()).all())


def choose_trial(data, verdicts_only):
    """Return (columns, words): what is one trial of the alternative annotator test, an item, of Yes
    and No on several aspects a verdict, of orders a pair or a ranking; verdicts_only: whether
    people say Yes and No."""
    if are_pairs(data):
        return ("set",), "one pair"
    if are_orders(data):
        return ("set",), "one ranking"
    if verdicts_only and choose_within(data):
        return ("item", "aspect"), "one verdict"
    return ("item",), "one item"


def place_scores(scores, data):
    """Return a judge's scores as places in the sets of the ratings, the higher the better; of pairs
    a score of an item stands in each of its pairs, and the higher of two is preferred.

    scores: judge, item (of pairs the item's own name, `name` of data.items) and score, perhaps
    aspect, repeat, order, partner; only the order of the scores in a set counts. data: `Ratings` of
    orders.
    """
    columns = list(scores)
    if are_pairs(data):
        sides = data.items[["item", "name"]].rename(columns={"item": "side"})
        scores = scores.merge(sides, left_on="item", right_on="name", sort=False)
        scores = scores.assign(item=scores["side"])
    sets = data.items.set_index("item")["set"]
    again = [name for name in ("aspect", "repeat", "order", "partner") if name in columns]
    alike = [scores[name] for name in ["judge", *again]]
    in_set = scores["score"].round(9).groupby([*alike, scores["item"].map(sets)])
    return scores.assign(score=in_set.rank())[columns]
