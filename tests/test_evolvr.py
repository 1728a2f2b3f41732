"""EvolvR: HANNA as it is loaded, raters and ceilings, evaluators, the reward, stories beside
partners, its protocol; known answers, by hand or simulated."""

import re
from collections import Counter

import goodjudge
import numpy as np
import pandas as pd
import pytest
from goodjudge.stats.severity import remove_severity
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold

from helpers import judges
from helpers.evolvr import ask, beside, load, protocol, raters, reward
from helpers.evolvr import train as et
from helpers.sources.files import DataError
from helpers.sources.public import ROOT, locate

DATA = load.load()


def test_the_texts_have_the_words_that_are_kept(open_data):
    texts, items = load.load_texts(), load.load().items
    assert texts[["item", "group", "writer"]].equals(items[["item", "group", "writer"]])
    assert texts["text"].str.split().str.len().tolist() == items["words"].tolist()
    assert texts["task"].nunique() == 96
    assert (texts["text"] == texts["human"]).sum() == 96 == texts["writer"].eq("Human").sum()


def test_answers_become_scores_and_those_without_one_are_left_out():
    answers = ask.requests(pd.DataFrame({"item": ["0012", "0003"]}))
    answers["score"] = np.resize([3.2, np.nan, 4.1], len(answers))
    scores = ask.score(answers.assign(judge="recorded/one", verdict="3", status="ok"))
    assert list(scores) == ["item", "judge", "aspect", "score", "verdict"]
    first = scores[scores["item"] == "0012"]
    aspects = ["Relevance", "Empathy", "Surprise", "Complexity", "Overall quality"]
    assert first["aspect"].tolist() == aspects
    assert first["score"].tolist() == [3.2, 4.1, 3.2, 4.1, 3.2]


def test_no_worker_id_is_shown_or_kept(open_data):
    raw = pd.read_csv(locate(load.SHEETS)[0], usecols=["Worker ID", "Assignment ID"])
    ids = set(raw.to_numpy().ravel())
    kinds = (".ipynb", ".json", ".jsonl", ".csv", ".py", ".yaml", ".md")
    kept = [
        path
        for folder in ("notebooks", "outputs", "data", "teaching")
        for path in (ROOT / folder).rglob("*.*")
        if path.suffix in kinds and "class" not in path.parts  # it hands on the data themselves
    ]
    words = set().union(*(re.findall(r"\w+", path.read_text(encoding="utf8")) for path in kept))
    assert len(kept) > 30 and not ids & words


def test_an_aspect_of_a_third_party_is_refused_wherever_ratings_are_used():
    added = DATA.ratings[DATA.ratings["aspect"] == "Empathy"].assign(aspect="Feeling")
    more = DATA._replace(ratings=pd.concat([DATA.ratings, added]))
    fewer = DATA._replace(ratings=DATA.ratings[DATA.ratings["aspect"] != "Surprise"])
    for use in (load.rating_array, raters.variances, raters.ceilings, raters.about_pairs):
        with pytest.raises(DataError, match="expected Relevance.*not among them: 'Feeling'; rate"):
            use(more)
        with pytest.raises(DataError, match="missing: 'Surprise'"):
            use(fewer)


PROMPTS = np.repeat(np.arange(60), 10)
OFFSETS = np.array([-1.0, 0.5, 1.5, -0.5, 0.0])


def simulate(seed, severe=1.0, quality=0.7, noise=0.8):
    """Return (arrays, who, true quality): five raters, three per story, of known severity."""
    rng = np.random.default_rng(seed)
    truth = 3 + rng.normal(0, quality, (6, len(PROMPTS)))
    often = [0.35, 0.3, 0.2, 0.1, 0.05]
    who = np.array([rng.choice(5, 3, replace=False, p=often) for _ in PROMPTS])
    x = truth[..., None] + severe * OFFSETS[who] + rng.normal(0, noise, (6, *who.shape))
    return x, np.char.add("r", who.astype(str)), truth


def as_ratings(x, who, writers="s"):
    """Return arrays (aspects x stories x 3) as `Ratings`."""
    rows = []
    for story, slot in np.ndindex(who.shape):
        rows.append([story, who[story, slot], slot + 1, 60.0 + 10 * slot, *x[:, story, slot]])
    names = ["item", "rater", "slot", "seconds", *load.ASPECTS]
    count = len(who)
    items = pd.DataFrame({"item": range(count), "group": PROMPTS[:count]})
    items["writer"] = np.resize(writers, len(PROMPTS))[:count]
    items["words"] = range(count)
    return load.to_ratings(items, pd.DataFrame(rows, columns=names))


def without_severity(x, who):
    """Return the arrays less each rater's severity."""
    return load.rating_array(remove_severity(as_ratings(x, who)))[0]


def test_the_ceiling_is_the_correlation_of_the_truth():
    kinds, wrong = ["as rated", "severity removed"], []
    for seed in range(4):
        x, who, truth = simulate(seed)
        truth += np.arange(6)[:, None] / 3
        x += np.arange(6)[:, None, None] / 3
        found = raters.ceilings(as_ratings(x, who))
        views = (x, without_severity(x, who))
        true = [np.corrcoef(truth.ravel(), view.mean(axis=2).ravel())[0, 1] for view in views]
        wrong.append(found.loc[kinds, "estimate"].to_numpy() - true)
        assert (found["low"] < found["estimate"]).all() and found["n"].tolist() == [60, 60]
        assert found["estimate"].iloc[0] < found["estimate"].iloc[1] - 0.015
    assert np.mean(wrong, axis=0) == pytest.approx([0, 0], abs=0.01)


PROMPT_OF = np.tile(np.arange(24), 5)
WRITERS = np.repeat(list("abcde"), 24)
FOLDED = pd.DataFrame({"item": range(120), "group": PROMPT_OF, "writer": WRITERS})
SPLITS = et.folds(FOLDED)


def world(seed=0, signal=1.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(120, 8))
    return x, np.stack([3 + signal * x[:, 0] + rng.normal(0, 0.5, 120) for _ in range(6)])


@pytest.mark.parametrize("new_writers, parts", [(False, 4), (True, 20)])
def test_folds_test_every_story_once_and_train_on_all_of_other_groups(new_writers, parts):
    splits = et.folds(FOLDED, new_writers, 4)
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(120))
    assert len(splits) == parts and len(SPLITS) == 8
    for train, test in splits:
        other = ~np.isin(PROMPT_OF, PROMPT_OF[test])
        if new_writers:
            other &= ~np.isin(WRITERS, WRITERS[test])
        assert train.tolist() == np.flatnonzero(other).tolist()


@pytest.mark.parametrize("signal", [0.05, 1])
def test_predictions_are_those_of_a_ridge_whose_penalty_other_prompts_chose(signal):
    assert et.PENALTIES.tolist() == [1, 10, 100, 1000, 10_000, 100_000]
    x, y = world(signal=signal)
    x[:, 1] = 50 * x[:, 1] + 7  # units do not matter
    predicted = et.predict(x, y.T, SPLITS, PROMPT_OF)
    train, test = SPLITS[3]
    mean, sd, errors = x[train].mean(axis=0), x[train].std(axis=0), []
    z = (x - mean) / sd
    for alpha in et.PENALTIES:
        error = 0
        for inner, out in GroupKFold(4).split(train, groups=PROMPT_OF[train]):
            model = Ridge(alpha).fit(z[train[inner]], y.T[train[inner]])
            error += ((model.predict(z[train[out]]) - y.T[train[out]]) ** 2).mean()
        errors.append(error)
    best = Ridge(et.PENALTIES[int(np.argmin(errors))]).fit(z[train], y.T[train])
    assert predicted[test] == pytest.approx(best.predict(z[test]))
    # what a fold is tested on never reaches its model
    x[test], y[:, test] = x[test] + 3, -9
    assert et.predict(x, y.T, SPLITS, PROMPT_OF)[test] == pytest.approx(
        best.predict(z[test] + 3 / sd)
    )


LEVEL = [3, 4, 2, 3, 5, 1]  # weighted by 5, 3, 1, 3, 1, 1: (15+12+2+9+5+1) / 14 = 44 / 14
OTHER = [2, 4, 2, 3, 5, 1]  # a point less on relevance: 39 / 14


def test_the_paper_s_reward_is_linear_in_points():
    (row,) = reward.reward([LEVEL], [OTHER], [1000]).to_dict("records")
    assert row["relative"] == pytest.approx(0.8 * 5 / 14)
    assert row["absolute"] == pytest.approx(0.1 * 44 / 14)
    assert row["length"] == pytest.approx(0.1)
    assert row["reward"] == pytest.approx(0.8 * 5 / 14 + 0.1 * 44 / 14 + 0.1)


def test_the_code_s_reward_pays_between_nothing_and_one():
    (row,) = reward.reward([LEVEL], [OTHER], [400], "code").to_dict("records")
    assert row["relative"] == pytest.approx(0.8 * (1 - np.exp(-5 / 14)))
    assert row["absolute"] == pytest.approx(0.1 * (44 / 14 - 1) / 4)
    assert row["length"] == pytest.approx(0.1 * 0.5)
    most = reward.reward([[5] * 6], [[1] * 6], [1000], "code")["reward"]
    assert most.item() == pytest.approx(0.8 * (1 - np.exp(-4)) + 0.1 + 0.1)


LONG = "word " * 40
STORIES = {name: LONG + name for name in "abcde"}


def judge(answer, stories=STORIES, partners=4, **options):
    """Return (requests, answers) of a simulated judge, answer(row, rng) -> text."""
    requests = beside.requests(stories, beside.word_criteria(["style"]), partners, RNG(0))
    options = judges.Options(simulators={"it": answer}, **options)
    return requests, judges.ask(requests, "simulated/it", beside.reader, options)


@pytest.mark.parametrize("count", (2, 5, 8))
def test_each_story_stands_beside_as_many_others_as_asked_for_and_no_pair_comes_twice(count):
    for partners in (1, 4, 9):
        drawn = [frozenset(pair) for pair in beside.draw_pairs(count, partners, RNG(1))]
        assert len(set(drawn)) == len(drawn) and {len(pair) for pair in drawn} == {2}
        times, near = Counter(i for pair in drawn for i in pair), min(partners, count - 1)
        assert sorted(times.values())[:-1] == [near] * (count - 1)
        assert max(times.values()) == near + (near * count) % 2


def test_a_judge_that_prefers_the_first_is_found_out_and_scores_all_alike():
    _, answers = judge(lambda row, rng: "[[A: 5, B: 3]]")
    order = beside.rate_order(answers)
    assert order["estimate"].tolist() == [1, 2] and order["n"].tolist() == [10, 10]
    stories = beside.rate_stories(beside.score(answers), list(STORIES))
    assert stories["estimate"].tolist() == [4] * 5 and stories["n"].tolist() == [4] * 5


def test_a_judge_that_reads_ranks_stories_whatever_the_order_and_ties_do_not_turn():
    worth = dict(zip("abcde", (1, 2, 2, 4, 5)))
    _, answers = judge(lambda row, rng: f"[[A: {worth[row.item]}, B: {worth[row.partner]}]]")
    assert beside.rate_order(answers)["estimate"].tolist() == [0, 0]
    stories = beside.rate_stories(beside.score(answers), ["a", "b", "e"])
    assert stories.index.tolist() == [("style", name) for name in "eba"]
    assert stories["estimate"].tolist() == [5, 2, 1] and not stories["SD over partners"].any()
    # beside a better story less: the mean over partners, their SD, the interval within the scale
    _, answers = judge(lambda row, rng: f"[[A: {1 + 2 * (row.partner > 'b')}, B: 1]]")
    one = beside.rate_stories(beside.score(answers), ["a"]).iloc[0]
    assert one[["estimate", "SD over partners", "low"]].tolist() == pytest.approx([1.75, 0.5, 1])


VOTES = ["writer_a,writer_b,group,rater,preferred"]
VOTES += ["new,old,p1,r1,a", "old,new,p1,r2,a", "new,old,p2,r1,tie", "old,new,p3,r1,b"]
VOTES += ["new,old,p4,r1,a", "new,old,p5,r1,a", "new,third,p6,r1,b"]


@pytest.fixture
def votes(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("\n".join(VOTES))
    return goodjudge.read_ratings(path)


def test_a_win_rate_counts_ties_half_and_averages_votes_within_a_prompt(votes):
    found = beside.win_rate(votes, "new", "old")
    assert found["estimate"] == pytest.approx((0.5 + 0.5 + 1 + 1 + 1) / 5) and found["n"] == 5
    turned = beside.win_rate(votes, "old", "new")
    assert turned["estimate"] == pytest.approx(1 - found["estimate"])
    assert found["high"] == 1 and turned["low"] == 0, "within 0 and 1"


RNG = np.random.default_rng
TRUTH = pd.Series([1.0, 2, 3, 4, 5, 2, 4, 3])
GROUPS = pd.Series([*"aabbccdd"])


def table(score):
    return pd.DataFrame({"score": score, "truth": TRUTH, "group": GROUPS})


@pytest.fixture(scope="module")
def hanna():
    return load.load()


def test_whoever_says_the_truth_has_the_best_of_each_measure():
    found = protocol.find_five(table(TRUTH))
    assert found.to_dict() == {"Pearson": 1, "Spearman": 1, "Kendall": 1, "MSE": 0, "F1": 1}
    turned = protocol.find_five(table(6 - TRUTH))
    assert turned[["Pearson", "Spearman", "Kendall"]].round(9).tolist() == [-1, -1, -1]


def test_a_constant_has_no_correlation_but_an_error_and_an_f1():
    found = protocol.find_five(table(4.0))
    assert found[["Pearson", "Spearman", "Kendall"]].isna().all()
    # errors 3, 2, 1, 0, 1, 2, 0, 1 of 4 points; three of eight are above 3
    assert found["MSE"] == pytest.approx(20 / 8 / 16)
    assert found["F1"] == pytest.approx(2 * 3 / (8 + 3))
    assert protocol.find_five(table(4.0), cut=1)["F1"] == pytest.approx(2 * 7 / (8 + 7))
    assert protocol.find_five(table(1.0))["F1"] == 0


def judge_by(hanna, answer, partners=4, stories=30):
    """Return (scores, requests) of a simulated judge, answer(row, rng) -> text."""
    names = hanna.items["item"].head(stories)
    texts = {name: f"the text of {name}" for name in names}
    wordings = beside.word_criteria(["Coherence", "Surprise"])
    requests = beside.requests(texts, wordings, partners, RNG(0))
    options = judges.Options(simulators={"it": answer})
    return beside.score(beside.ask(requests, "simulated/it", options)), requests


def test_a_story_has_2n_scores_and_fewer_partners_are_a_part_of_more(hanna):
    scores, requests = judge_by(hanna, lambda row, rng: "[[A: 3, B: 4]]")
    assert len(requests) == 30 * 4 / 2 * 2 * 2
    cases = scores.groupby(["item", "aspect"])
    assert set(cases.size()) == {8} and set(cases["partner"].nunique()) == {4}
    assert set(cases["shown"].value_counts()) == {4}
    for count in (1, 2, 3, 4):
        fewer = protocol.take_partners(scores, count)
        assert set(fewer.groupby(["item", "aspect"])["partner"].nunique()) == {count}
        assert set(fewer.groupby(["item", "aspect"]).size()) == {2 * count}


def test_one_list_of_a_noisy_judge_is_lower_than_its_averages_and_orders_show(hanna):
    means = hanna.ratings.groupby(["item", "aspect"])["score"].mean()

    def answer(row, rng):
        first = means[row["item"], row["aspect"]] + rng.normal(0, 1) + 1  # likes what comes first
        second = means[row["partner"], row["aspect"]] + rng.normal(0, 1)
        a, b = protocol.round_scores([first, second])
        return f"[[A: {a:.0f}, B: {b:.0f}]]"

    scores, _ = judge_by(hanna, answer, stories=120)
    one_list = protocol.hold_against(scores, hanna)
    averaged = protocol.hold_against(protocol.average_partners(scores), hanna)
    assert len(one_list) == 120 * 2 * 8 and len(averaged) == 120 * 2
    assert protocol.find_five(averaged)["Pearson"] > protocol.find_five(one_list)["Pearson"] + 0.1
    sizes = [len(rows) for rows in protocol.list_views(scores, hanna).values()]
    assert sizes == [120 * 2 * n for n in (8, 1, 2, 4, 8, 4, 4)]
    by_place = one_list.groupby("shown")["score"].mean()
    assert by_place["first"] - by_place["second"] > 0.5


def test_a_slice_has_all_stories_of_its_prompts_and_a_bad_count_is_an_error(open_data, hanna):
    kept, requests = protocol.request_slice(hanna, 2, 3, RNG(0))
    assert kept.items["group"].nunique() == 2 and len(kept.items) == 22
    assert set(requests["item"]) == set(requests["partner"]) == set(kept.items["item"])
    assert len(requests) == 22 * 3 / 2 * 2 * 6 and set(requests["aspect"]) == set(load.ASPECTS)
    assert requests["shared"].str.count("Written to this prompt: ").eq(2).all()
    more, _ = protocol.request_slice(hanna, 5, 3, RNG(0))
    assert set(kept.items["item"]) < set(more.items["item"])
    for count in (0, 97, 2.5):
        with pytest.raises(ValueError, match="expected a whole number from 1 to 96"):
            protocol.request_slice(hanna, count, 3, RNG(0))
