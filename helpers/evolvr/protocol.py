"""EvolvR's protocol: partners, scores averaged or as one list; five measures."""

import numpy as np
import pandas as pd
from goodjudge.comparison import controls
from goodjudge.data import ratings
from goodjudge.stats import intervals
from sklearn.metrics import f1_score, mean_squared_error

from helpers.evolvr import beside
from helpers.evolvr.load import ASPECTS, load_texts
from helpers.evolvr.pairs import SCORES

CORRELATIONS = ("Pearson", "Spearman", "Kendall")
PARTNERS = (1, 2, 4, 8, 16)  # of the paper's Table 10
CUT = 3  # above which a story counts as good: the paper does not say what its F1 is of
AGAINST_OTHERS = "a person, against the others"


def round_scores(values):
    """Return whole scores from 1 to 5 (halves up)."""
    return np.clip(np.floor(np.asarray(values, float) + 0.5), 1, 5)


def to_whole_scores(predicted, target):
    """Return predictions stretched to the target's mean and SD by aspect (columns), then rounded:
    a ridge shrinks towards the mean, so that rounding it would say 2 or 3 throughout."""
    z = (predicted - predicted.mean(axis=0)) / predicted.std(axis=0)
    return round_scores(target.mean(axis=0) + z * target.std(axis=0))


def partner_scores(quality, partners, noise, rng):
    """Return the whole scores that a simulated judge gives: 2N x aspects x stories.

    quality: aspects x stories, what the judge thinks of a story alone. Partners: each story stands
    beside N others, drawn at random, once first and once second. Thought: beside a better partner a
    story gets less, by a fifth of the difference. Errors: normal, with SD `noise`.
    """
    quality = np.asarray(quality, float)
    count = quality.shape[1]
    story_at = rng.permutation(count)  # stories on a ring; a partner is so many places further on
    place_of = np.argsort(story_at, kind="stable")
    distances = rng.choice(np.arange(1, count), partners, replace=False)
    thoughts = []  # each aspects x stories
    for distance in distances:
        partner = story_at[(place_of + distance) % count]
        thoughts.append(quality + 0.2 * (quality - quality[:, partner]))
    in_both_orders = np.array(thoughts * 2)
    errors = rng.normal(0, noise, in_both_orders.shape)
    return np.clip(np.rint(in_both_orders + errors), 1, 5)


def vary_partners(quality, truth, noise, sizes, seed):
    """Return Pearson's r with the truth: a row per number of partners N, columns averaged (r of the
    mean scores) and one list (of all 2N scores). Both columns of a row are of the same scores."""
    rows = {}
    for n in sizes:
        scores = partner_scores(quality, n, noise, np.random.default_rng(seed))
        truth_of_each = np.broadcast_to(truth, scores.shape)
        rows[n] = {
            "averaged": correlate(scores.mean(axis=0), truth),
            "one list": correlate(scores, truth_of_each),
        }
    return pd.DataFrame(rows).T.rename_axis("partners N, each in both orders")


def correlate(scores, truth):
    """Return Pearson's r over all numbers of two arrays of one shape."""
    return np.corrcoef(np.ravel(scores), np.ravel(truth))[0, 1]


def request_slice(data, count, partners, rng, with_texts=True):
    """Return (`Ratings` of HANNA's stories on `count` prompts, drawn by lot; requests about them,
    as `beside.requests`): each story beside `partners` others of these, in both orders, on six
    aspects.

    with_texts: each story stands below its prompt, and both are fetched; False for judges that need
    no texts (`judges.needs_texts`). ValueError for a count of prompts that HANNA has not.
    """
    prompts = data.items["group"].unique()
    if type(count) is not int or not 1 <= count <= len(prompts):
        raise ValueError(f"prompts={count!r}: expected a whole number from 1 to {len(prompts)}")
    drawn = rng.permutation(prompts)[:count]
    kept = ratings.keep(data, data.items["group"].isin(drawn))
    texts = dict.fromkeys(kept.items["item"], "")
    if with_texts:
        stories = load_texts().set_index("item").loc[kept.items["item"]]
        task, story = stories["task"].str.strip(), stories["text"].str.strip()
        texts = ("Written to this prompt: " + task + "\n\n" + story).to_dict()
    six = beside.word_criteria(ASPECTS)
    requests = beside.requests(texts, six, partners, rng)
    if not with_texts:
        requests = requests.drop(columns=["system", "shared", "prompt"])
    return kept, requests


def take_partners(scores, count):
    """Return the scores of each story beside its first `count` partners; scores: of
    `beside.score`."""
    of_story = scores.groupby(["judge", "item", "aspect"])["pair"]
    return scores[of_story.rank("dense") <= count]


def average_partners(scores):
    """Return one mean score per story and aspect, over partners and orders."""
    return scores.groupby(["judge", "item", "aspect"], as_index=False)["score"].mean()


def hold_against(scores, data):
    """Return scores (item, aspect, score and more) beside `truth`, the mean of all raters, and
    `group`; without those that have no score. data: `Ratings`."""
    truth = ratings.find_cases(data, "all")[["item", "aspect", "group", "target"]]
    known = scores.dropna(subset="score").astype({"score": float})
    return known.merge(truth.rename(columns={"target": "truth"}), on=["item", "aspect"])


def find_five(table, cut=CUT):
    """Return the paper's five measures of `score` against `truth`, both from 1 to 5: Pearson,
    Spearman, Kendall (tau-b; all nan for a constant); MSE, of both on a scale from 0 to 1; F1 of
    stories that count as good: above `cut` by truth, and above it by score."""
    score, truth = table["score"], table["truth"]
    found = dict.fromkeys(CORRELATIONS, np.nan)
    if score.nunique() > 1 and truth.nunique() > 1:
        found = {name: score.corr(truth, method=name.lower()) for name in CORRELATIONS}
    found["MSE"] = mean_squared_error(truth, score) / (SCORES[-1] - SCORES[0]) ** 2
    is_good, is_said = (truth > cut).to_numpy(), (score > cut).to_numpy()
    found["F1"] = f1_score(is_good, is_said, zero_division=0.0)
    return pd.Series(found)


def measure_five(table, cut=CUT):
    """Return `find_five` with intervals, a row per measure: estimate, low, high, n (groups); by the
    jackknife over groups.

    table: score, truth, group; one row per score, so that all of a story's scores are one list.
    """
    everything = find_five(table, cut)
    groups = table["group"]
    without_each = [find_five(table[groups != name], cut) for name in sorted(groups.unique())]
    without_each = pd.DataFrame(without_each)
    rows = {}
    for name, estimate in everything.items():
        scale = "correlation" if name in CORRELATIONS else None
        rows[name] = intervals.combine(estimate, [without_each[name].to_numpy()], scale=scale)
    return intervals.drop_ends(pd.DataFrame(rows).T, groups.nunique())


def list_views(scores, data):
    """Return {view: table for `measure_five`} of a judge's scores, as the paper has them: all in
    one list (Table 1), averaged by story, beside the first 1, 2, 4 … partners (Table 10), and by
    the place in which the story was shown (Table 11).

    scores: of `beside.score`, of one judge; data: `Ratings` of the stories.
    """
    views = {"one list": scores, "averaged": average_partners(scores)}
    most = scores.groupby("item")["partner"].nunique().max()
    for count in PARTNERS:
        if count <= most:
            views[f"partners: {count}"] = take_partners(scores, count)
    for place in ("first", "second"):
        views[f"shown {place}"] = scores[scores["shown"] == place]
    return {view: hold_against(rows, data) for view, rows in views.items()}


def list_rivals(data):
    """Return {name: table for `measure_five`} of what a judge of these stories is to be held
    against: each rater, against the mean of a story's other raters; controls that read nothing,
    learnt on other groups.

    The aspect's mean is what a user of a judge could have; authorship and aspect knows the writer.
    """
    person = ratings.find_cases(data)
    rivals = {AGAINST_OTHERS: person.rename(columns={"person": "score", "target": "truth"})}
    cases = ratings.find_cases(data, "all")
    unread = controls.make_controls(cases, None)
    for name in ("the aspect's mean", "authorship and aspect"):
        table = cases.assign(score=unread[name]).rename(columns={"target": "truth"})
        rivals[name] = table.dropna(subset="score")
    return rivals
