"""Poems: loaded and refused, lists drawn, asked for and read strictly; answers counted, intervals
that cover, the paper's tables for any run; the study asked of a server."""

import json
import threading
from collections import Counter

import answering_server
import numpy as np
import pandas as pd
import pytest
from goodjudge.ask.store import Store
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from helpers import judges
from helpers.agreement import average_reliability, icc_table
from helpers.audit import checks
from helpers.papers.poetry import tables as of_print
from helpers.poetry import analysis, ask, lists, load, simulate, tables, titles, votes
from helpers.poetry.ranked import parse_list
from helpers.sources.public import DataError
from helpers.sources.published import agrees

QUALITY = {"Quality": load.CRITERIA["Quality"]}
COLUMNS = ["title", "author", "tier", "text"]
GOOD = [
    ("One", "Ann", "A", "a line"),
    ("Two", "Ann", "A", "b line"),
    ("One", "Bob", "B", "c line"),
    ("Two", "Bob", "B", "d line"),
]
NAMES = {  # by id; one begins another, some have digits and colons, one has other letters
    0: "Ann Lee - Snow",
    1: "Ann Lee - Snow : 3",
    2: "Bo - 1914",
    3: "北国 - 雪",
    4: "Cy - Route 9: North",
    5: "Æsa - “Low” Water",
}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("ONE", " ann", "B", "e line"), "row 6: name is .*no other poem has"),
        (("Three", "Cy", "B", "a  LINE"), "a text that no other poem has"),
        (("Three", "Cy", "B", "   "), "row 6: text is .*fill it"),
        (("Three", "Cy", "C", "e"), r"C \(1\)"),
    ],
)
def test_bad_sets_of_poems_are_refused_by_row(tmp_path, row, expected):
    table = pd.DataFrame([*GOOD, row], columns=COLUMNS)
    table.to_csv(tmp_path / "mine.csv", index=False)
    with pytest.raises(DataError, match=expected):
        load.load_poems(tmp_path / "mine.csv")


@pytest.mark.parametrize("kind", ["table", "flat folder"])
def test_poems_without_tiers_are_loaded_from_a_table_or_a_flat_folder(tmp_path, kind):
    path = tmp_path
    table = pd.DataFrame(GOOD, columns=COLUMNS).drop(columns="tier")
    if kind == "table":
        path = tmp_path / "mine.csv"
        table.to_csv(path, index=False)
    else:
        for row in table.itertuples():
            (tmp_path / f"{row.author} - {row.title}.txt").write_text(row.text)
    poems, _, sentence = load.load_study(path)
    assert not poems.attrs["tiers"]
    assert poems["tier"].nunique() == 1
    assert sorted(poems["text"]) == ["a line", "b line", "c line", "d line"]
    assert sentence == "4 poems (no tiers), a reader's own"


def answer(order, scores=None, names=NAMES):
    """Return a well-formed answer: the poems of these ids, best first, with scores."""
    if scores is None:
        scores = [5 - k % 5 for k in range(len(order))]
    lines = []
    for place, (i, score) in enumerate(zip(order, scores), start=1):
        lines.append(f"{place}. {names[i]} : {score}")
    return "\n".join(lines)


def read(text, shown=(0, 2, 3, 4, 5), names=NAMES):
    """Return (ids best first, scores, reason) of an answer about the poems shown."""
    return ask.read_list(parse_list(text), shown, names)


@given(st.permutations([0, 2, 3, 4, 5]), st.lists(st.integers(1, 5), min_size=5, max_size=5))
def test_a_written_list_is_read_back(order, scores):
    scores = sorted(scores, reverse=True)
    assert read(answer(order, scores)) == (list(order), scores, "")


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (lambda rows: rows[:-1], "incomplete"),
        (lambda rows: [*rows, rows[1].replace("2.", "6.", 1)], "duplicate"),
        (lambda rows: [*rows, "6. Nobody - Nothing : 2"], "invented"),
        (lambda rows: [rows[0][:-1] + "6", *rows[1:]], "off the scale"),
        (lambda rows: [*rows[:-1], rows[-1][:-1] + "0"], "off the scale"),
        (lambda rows: [rows[0].rpartition(" : ")[0], *rows[1:]], "no score"),
        (lambda rows: ["2" + rows[0][1:], *rows[1:]], "numbering"),
        (lambda rows: ["I cannot."], "no list"),
    ],
)
def test_any_one_fault_makes_a_list_invalid(fault, reason):
    rows = answer([2, 0, 3, 4, 5]).split("\n")
    assert read("\n".join(fault(rows))) in ((None, None, reason), (None, None, "no list"))


@settings(max_examples=100)
@given(st.lists(st.sampled_from(["1. ", "2) ", NAMES[0], " : 4", "\n", "**", "10.", ": :", "5"])))
def test_the_reader_never_fails_and_never_invents(parts):
    ids, scores, reason = read("".join(parts), (0,))
    if ids:
        assert (ids, reason) == ([0], "")
    else:
        assert scores is None
        assert reason


def test_the_plan_counts_the_papers_calls():
    poems = load.load_poems()
    designs = lists.plan_designs(poems["tier"].cat.codes, 100, 10, np.random.default_rng(0))
    how = ask.options("openai/gpt-4o", poems)
    plan = ask.plan(poems, designs, "openai/gpt-4o", load.CRITERIA, how, 10)
    assert plan["calls"].tolist() == [90, 500, 50, 50, 90 + 500 + 50 + 50]
    assert plan["output_tokens"].tolist()[1:4] == [500 * 220, 50 * 1300, 50 * 220]
    assert plan["usd_live"].iloc[:4].sum() == pytest.approx(plan.at["in all", "usd_live"])


OF_TIER = np.repeat([0, 1, 2], 30)


def test_correlation_is_the_papers(rng):
    means = rng.normal(size=90)
    in_order = OF_TIER[np.argsort(-means, kind="stable")]
    correlation = analysis.tier_correlation(means, OF_TIER)
    assert correlation == pytest.approx(spearmanr(in_order, OF_TIER)[0])


def test_ties_are_broken_at_random_or_stay_as_they_stand(rng):
    all_alike = np.zeros(90)
    at_random = analysis.tier_correlation(all_alike, OF_TIER, rng, 400)
    assert abs(at_random) < 0.03
    assert analysis.tier_correlation(all_alike, OF_TIER) == pytest.approx(1), "as they stand"


def test_intervals_over_poems_cover():
    statistic = analysis.tier_correlation
    rng = np.random.default_rng(5)
    many = np.repeat([0, 1, 2], 10000)
    truth = statistic(simulate.draw_worth(many, 0.6, rng), many)
    hits = 0
    for _ in range(40):
        worth = simulate.draw_worth(OF_TIER, 0.6, rng)
        row = analysis.over_poems(worth, OF_TIER, statistic, rng, 100)
        hits += row["low"] <= truth <= row["high"]
    assert 35 <= hits < 40


@pytest.fixture
def runs(rng):
    """Return ten noisy runs over 15 poems: poems x runs."""
    return rng.normal(size=(15, 1)) + 0.5 * rng.normal(size=(15, 10))


def test_the_icc_of_one_run_is_shrout_and_fleiss(runs):
    between = 10 * runs.mean(axis=1).var(ddof=1)
    within = runs.var(axis=1, ddof=1).mean()
    by_hand = (between - within) / (between + 9 * within)  # case 1
    table = icc_table(runs)
    assert table.at["ICC1", "ICC"] == pytest.approx(by_hand, abs=1e-4)
    assert simulate.icc1_of(runs) == pytest.approx(by_hand)
    assert analysis.single_icc(table.at["ICC1k", "F"]) == pytest.approx(by_hand, abs=1e-4)
    assert average_reliability(by_hand, 10) == pytest.approx(table.at["ICC1k", "ICC"], abs=1e-4)


@pytest.fixture(scope="module")
def paper():
    """Return the poetry paper's printed numbers."""
    return checks.Paper("poetry")


def expand(table):
    """Return (verdicts, poems) that a 3 x 3 table counts, a poem each."""
    tier, given = np.indices((3, 3)).reshape(2, 9)
    of_poem = np.repeat(tier, table.ravel())
    poems = pd.DataFrame({"tier": pd.Categorical.from_codes(of_poem, list("ABC"), ordered=True)})
    return pd.Series(tables.VENUES).take(np.repeat(given, table.ravel())).reset_index(
        drop=True
    ), poems


@pytest.mark.parametrize("model", ["GPT-4o-2024-05-13", "Claude-3-Opus"])
def test_the_rows_of_table_2_come_out_of_their_confusion_tables(paper, rng, model):
    solved = of_print.solve_confusions(paper).drop_duplicates("model").set_index("model")
    confusion = solved.at[model, "table"]
    verdicts, poems = expand(confusion)
    assert (tables.cross_venues(verdicts, poems)[tables.VENUES].to_numpy() == confusion).all()
    row = tables.sort_row(verdicts, poems, rng)
    for venue in tables.VENUES:
        assert row[venue] == paper.number("Table 2", model, venue)
        assert row[f"{venue}, rightly"] == paper.number("Table 2", model, f"{venue} (correct)")
    assert 100 * row["accuracy"] == pytest.approx(
        paper.number("Table 2", model, "Accuracy"), abs=0.05
    )
    assert agrees(paper.text("Table 2", model, "SRC"), row["estimate"])
    assert agrees(paper.text("Table 2", model, "p-value"), row["p"])
    assert row["low"] < row["estimate"] < row["high"]
    assert row["n"] == 90


def test_the_rows_of_table_8_come_out_of_the_answers_of_table_7(paper):
    parts = {}
    for method, column in {of_print.RANKED: "position", of_print.SCORED: "score"}.items():
        runs = of_print.runs(paper, method).set_axis(range(10), axis=1)
        parts[column] = runs.rename_axis("poem").rename_axis(columns="run").stack()
    again = pd.DataFrame(parts).reset_index().assign(criterion="Quality")
    table = tables.relate_runs(again).droplevel("criterion")
    for rating, row in {"place": "QUALITY / GPT-4o 15n", "score": "QUALITY / GPT-4o"}.items():
        for kind in tables.ICCS:
            values = table.loc[(rating, kind)]
            for name, value in {"ICC": "estimate", "F": "F", "p-value": "p"}.items():
                assert agrees(paper.text("Table 8", row, f"{kind} / {name}"), values[value])
            assert values["low"] < values["estimate"] < values["high"]
            assert (values["runs"], values["n"]) == (10, 15)


JUDGE = f"local/{answering_server.GOOD}"
SIZES = [15, 30, 90]


class Forgetful:
    """A judge that ranks by chance and, of two lists in three, leaves out the last poem the first
    time that the list is shown."""

    def __init__(self):
        self.seen = Counter()
        self.lock = threading.Lock()

    def __call__(self, prompt):
        if "numbered list" not in prompt:
            return None  # asked about a single poem, it draws
        with self.lock:
            self.seen[prompt] += 1
            is_first = self.seen[prompt] == 1
        answer = answering_server.rank_by_chance(prompt)
        forgets = is_first and answering_server.draw(prompt, "001") == "0"
        return answer.rpartition("\n")[0] if forgets else answer


@pytest.fixture
def server(monkeypatch):
    """A server with a forgetful judge, which is named in the environment."""
    with answering_server.serving(Forgetful()) as running:
        monkeypatch.setenv("LOCAL_BASE_URL", running.url)
        yield running


@pytest.fixture
def study(tmp_path):
    """Return (poems, designs, how to ask) of a small study in the paper's three sizes."""
    poems = load.load_poems()
    tiers = poems["tier"].cat.codes.to_numpy()
    designs = lists.plan_designs(tiers, 12, 2, np.random.default_rng(0), SIZES)
    how = ask.options(JUDGE, poems, transcripts=tmp_path / "t.sqlite", progress=False)
    return poems, designs, how


def test_lists_that_come_incomplete_are_asked_for_again_in_every_size(server, study):
    poems, designs, how = study
    means, valid, _ = ask.rank_designs(poems, designs, JUDGE, QUALITY, how)
    assert list(designs) == ["15", "30", "90"]
    assert valid["n"].tolist() == [12, 6, 2]
    first_valid = valid["estimate"] * valid["n"]
    assert 0 < first_valid.sum() < 20
    assert valid["not valid"].str.startswith("incomplete").any()
    assert valid["lists given up"].eq(0).all()
    assert valid["answers in all"].tolist() == (2 * valid["n"] - first_valid).round().tolist()
    assert len(server.asked) == valid["answers in all"].sum()
    table = tables.compare_tiers(tables.gather_means(means), poems)
    assert table.index.get_level_values("poems in a list").unique().tolist() == ["15", "30", "90"]
    assert table["p Bonferroni"].min() > 0.001, "the orders are drawn"


def test_a_run_that_was_stopped_goes_on_and_asks_nothing_twice(server, study):
    poems, designs, how = study
    ask.rank_designs(poems, {"15": designs["15"]}, JUDGE, QUALITY, how)
    stopped = len(server.asked)
    means, valid, _ = ask.rank_designs(poems, designs, JUDGE, QUALITY, how)
    assert len(server.asked) == valid["answers in all"].sum() > stopped
    again, _, _ = ask.rank_designs(poems, designs, JUDGE, QUALITY, how)
    assert len(server.asked) == valid["answers in all"].sum()
    for design, table in means.items():
        assert table.equals(again[design])


def test_answers_are_drawn_at_the_papers_temperature(server, study):
    poems, designs, how = study
    again = ask.repeat_list(poems, designs["15"][0], QUALITY, JUDGE, how, runs=3)
    assert again.columns.tolist() == ["criterion", "run", "poem", "position", "score"]
    assert len(again) == 3 * 15
    with Store(how.transcripts) as store:
        params = [json.loads(text) for (text,) in store.rows("SELECT params FROM answers")]
    assert {given["temperature"] for given in params} == {1}


def test_a_judge_without_one_valid_list_is_one_clear_error():
    poems, designs = load.load_poems(), {"3": np.array([[0, 30, 60]])}
    message = "judge simulated/always-yes: not one usable ranking .unparsed 1.; nothing can be said"
    with pytest.raises(judges.JudgeError, match=message):
        ask.rank_designs(poems, designs, "simulated/always-yes", QUALITY)


def answer_votes(prefers_help):
    """Return simulated answers to all pairs in both orders; prefers_help: a chance."""
    table = votes.vote_requests()
    is_help = table["item"].str.endswith("with help")
    score = np.where(is_help, prefers_help, 1 - prefers_help)
    return table.assign(judge="simulated/j", score=score, verdict=None, status="ok")


def test_a_preference_counts_for_both_poems_in_both_orders():
    scores = votes.score(answer_votes(0.8))
    means = scores.groupby("item")["score"].mean()
    assert len(scores) == 4 * 51
    assert means[means.index.str.endswith("with help")].round(9).eq(0.8).all()
    assert means[means.index.str.endswith("alone")].round(9).eq(0.2).all()


def test_no_request_tells_the_judge_who_wrote_a_text(open_data):
    asked = pd.concat([titles.synopsis_requests(True), titles.title_requests(True)])
    read = asked["shared"] + asked["prompt"]
    assert not read.str.contains("GPT-4 in|the novelist").any()


def test_two_tiers_of_two_poems_are_enough_and_one_poem_is_not(tmp_path):
    rows = {
        "title": [*"abcd"],
        "author": "Ann",
        "text": [*"wxyz"],
        "tier": ["Good"] * 2 + ["Bad"] * 2,
    }
    pd.DataFrame(rows).to_csv(tmp_path / "two.csv", index=False)
    assert load.load_poems(tmp_path / "two.csv")["tier"].tolist() == rows["tier"]
    pd.DataFrame(rows).head(3).to_csv(tmp_path / "one.csv", index=False)
    with pytest.raises(DataError, match=r"tiers Good \(2\), Bad \(1\)"):
        load.load_poems(tmp_path / "one.csv")
