"""Poems are loaded and refused, lists drawn, asked for and read strictly; answers are counted."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import judges
from helpers.judges.answers import labels
from helpers.measures import intervals
from helpers.poetry import analysis, ask, lists, load, simulate
from helpers.sources.public import ROOT, DataError

TIERS = np.repeat(["A", "B", "C"], 30)
QUALITY = {"Quality": load.CRITERIA["Quality"]}
GOOD = [("One", "Ann", "A", "a line"), ("Two", "Ann", "A", "b line")]
GOOD += [("One", "Bob", "B", "c line"), ("Two", "Bob", "B", "d line")]
NAMES = ["Ann Lee - Snow", "Ann Lee - Snow : 3", "Bo - 1914", "北国 - 雪", "Cy - Route 9: North"]
NAMES = dict(enumerate([*NAMES, "Æsa - “Low” Water"]))


def simulators(profile):
    return judges.Options(simulators={"made": profile})


def test_the_projects_poems_are_complete_and_all_were_read():
    poems = load.load_poems()
    assert poems.attrs["found"] == "30 A / 30 B / 30 C" and poems["name"].is_unique
    review = pd.read_csv(ROOT / "data" / "poems" / "review.csv")
    assert set(review["name"]) == set(poems["name"]) and set(review["judged"]) <= set("ABC")
    assert "90 poems (30 A / 30 B / 30 C), written for this project" in load.load_study()[2]
    with pytest.raises(DataError, match="expected one of Creativity, Quality"):
        load.load_study(criteria=["Beauty"])


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (("One", "Ann", "B", "e line"), "row 6: name is .*no other poem has"),
        (("ONE", " ann", "B", "e line"), "row 6: name is .*no other poem has"),
        (("Three", "Cy", "B", "a  LINE"), "a text that no other poem has"),
        (("Three", "Cy", "B", "   "), "row 6: text is .*fill it"),
        (("", "Cy", "B", "e"), "title is ''"),
        (("Three", "Cy", "C", "e"), r"C \(1\)"),
        (("One\r\n", "Ann", "B", "e"), "row 6: name is .*no other poem has"),
    ],
)
def test_bad_sets_of_poems_are_refused_by_row(tmp_path, row, expected):
    table = pd.DataFrame([*GOOD, row], columns=["title", "author", "tier", "text"])
    table.to_csv(tmp_path / "mine.csv", index=False)
    with pytest.raises(DataError, match=expected):
        load.load_poems(tmp_path / "mine.csv")


def test_a_folder_of_poems_is_read_in_the_order_of_what_tiers_mean(tmp_path):
    with pytest.raises(DataError, match="no poems; expected .Author - Title.txt."):
        load.load_poems(tmp_path)
    for tier in ("Bad", "Good", "Medium"):
        (tmp_path / tier).mkdir()
        for i in range(2):
            (tmp_path / tier / f"Ann - {tier} {i}.txt").write_text(f"{tier} {i}", encoding="utf8")
    poems = load.load_poems(tmp_path)
    assert poems["tier"].tolist() == ["Good", "Good", "Medium", "Medium", "Bad", "Bad"]
    assert poems.loc[0, ["name", "text"]].tolist() == ["Ann - Good 0", "Good 0"]
    (tmp_path / "Bad" / "title.txt").write_text("x")
    with pytest.raises(DataError, match="Bad/title.txt: expected a name like"):
        load.load_poems(tmp_path)
    (tmp_path / "Ann - Loose.txt").write_text("x")
    with pytest.raises(DataError, match="Ann - Loose.txt: stands in no tier's folder"):
        load.load_poems(tmp_path)


def test_poems_without_tiers_are_loaded_from_a_table_or_a_flat_folder(tmp_path):
    table = pd.DataFrame(GOOD, columns=["title", "author", "tier", "text"]).drop(columns="tier")
    table.to_csv(tmp_path / "mine.csv", index=False)
    for name, author, text in table[["title", "author", "text"]].itertuples(index=False):
        (tmp_path / f"{author} - {name}.txt").write_text(text)
    for path in (tmp_path / "mine.csv", tmp_path):
        poems, _, found = load.load_study(path)
        assert not poems.attrs["tiers"] and poems["tier"].nunique() == 1
        assert sorted(poems["text"]) == ["a line", "b line", "c line", "d line"]
        assert found == "4 poems (no tiers), a reader's own"
    table[:2].to_csv(tmp_path / "mine.csv", index=False)
    with pytest.raises(DataError, match="2 poems; expected three or more to rank"):
        load.load_poems(tmp_path / "mine.csv")


def test_the_order_of_a_sure_judge_is_steady_and_a_coins_is_not():
    poems, rng = load.load_poems().head(12), np.random.default_rng(1)
    designs = {"10": np.array([rng.permutation(12)[:10] for _ in range(8)])}
    rows = {}
    for name, worth, noise in (("sure", -np.arange(12.0), 0.001), ("coin", np.zeros(12), 1.0)):
        options = simulators(simulate.make_judge(worth, poems["name"].to_dict(), noise))
        means, *_ = ask.rank_designs(poems, designs, "simulated/made", QUALITY, options)
        rows[name] = analysis.steadiness(means, rng).loc[("Quality", "10")]
    assert rows["sure"]["estimate"] > 0.9 and rows["sure"]["n"] == 12
    assert rows["coin"]["low"] < 0.2 and rows["coin"]["estimate"] < 0.6
    assert analysis.steadiness({("a", "10"): means["Quality", "10"].head(2)}, rng).empty


def test_correlations_that_are_shown_together_are_widened_together():
    row = intervals.row(0.3, 0.05, 0.51, 90)
    steady = pd.DataFrame([row, intervals.row(0.2, n=4)])
    order = pd.DataFrame([intervals.row(-0.1, -0.3, 0.11, 90)] * 11)
    wide, others, together = analysis.widen_all(steady, order)
    assert together == 12
    assert wide["low"].iloc[0] < 0 < row["low"] and len(others) == 11
    assert wide["estimate"].iloc[0] == pytest.approx(0.3)
    assert wide["low"].isna().tolist() == [False, True]


def test_lists_are_planned_with_and_without_tiers(rng):
    designs = lists.plan_designs(np.repeat([0, 1], [3, 9]), 8, 2, rng)
    assert {size: drawn.shape for size, drawn in designs.items()} == {"6": (8, 6), "12": (2, 12)}
    assert all((drawn < 3).sum(axis=1).tolist() == [3] * len(drawn) for drawn in designs.values())
    none = lists.plan_designs(np.zeros(20, int), 8, 2, rng)
    assert {size: drawn.shape for size, drawn in none.items()} == {"15": (8, 15), "20": (2, 20)}


def test_a_judge_without_one_valid_list_is_one_clear_error():
    poems, designs = load.load_poems(), {"3": np.array([[0, 30, 60]])}
    how = "judge simulated/always-yes: not one usable ranking .unparsed 1.; nothing can be said"
    with pytest.raises(judges.JudgeError, match=how):
        ask.rank_designs(poems, designs, "simulated/always-yes", QUALITY)


def test_counts_that_read_nothing_by_hand():
    rhymed = "The cat sat on the mat\nand wore a hat\nand far away\nit was a day"
    assert load.rhyme_density(rhymed) == 1
    assert load.rhyme_density("one dog\ntwo cups\nfar moon\nold shed") == 0
    assert load.rhyme_density("a cat\nx\ny\na hat") == 0.5  # three lines apart, not four
    assert load.rhyme_density("a cat\nx\ny\nz\na hat") == load.rhyme_density("") == 0
    found = load.count(pd.DataFrame({"text": ["One two, one.\nsix", "two two"]}))
    assert found["words"].tolist() == [4, 2] and found["lines"].tolist() == [2, 1]
    assert found["distinct words"].tolist() == [0.75, 0.5]
    assert found["commas and stops"].tolist() == [0.5, 0] and found["letters a word"][0] == 3
    rare = -np.log(np.array([0.5, 2.5, 0.5, 0.5]) / 2)  # in the other poem: 0, 2, 0, 0 of 2 words
    assert found["rarer words"][0] == pytest.approx(rare.mean())


@pytest.mark.parametrize("draw", [lists.draw_subsets, lists.balance_subsets])
def test_designs_hold_five_of_each_tier(draw):
    drawn = draw(TIERS, 20, 5, np.random.default_rng(3))
    assert drawn.shape == (20, 15) and all(len(set(row)) == 15 for row in drawn)
    assert all(np.bincount(row // 30).tolist() == [5, 5, 5] for row in drawn)
    assert draw(TIERS, 1, 30, np.random.default_rng(3)).shape == (1, 90)
    with pytest.raises(ValueError, match="a tier has 3 poems; lower per_tier"):
        draw(TIERS[:63], 2, 5, np.random.default_rng(3))


def test_a_balanced_design_is_balanced_in_poems_and_in_pairs():
    def shown_and_met(drawn):
        pairs = [a * 90 + b for row in drawn for a in row for b in row if a < b]
        return np.ptp(np.bincount(drawn.ravel(), minlength=90)), sum(np.bincount(pairs) ** 2)

    balanced, random = (
        shown_and_met(draw(TIERS, 33, 5, np.random.default_rng(1)))
        for draw in (lists.balance_subsets, lists.draw_subsets)
    )
    assert balanced[0] <= 1 and random[0] > 3 and balanced[1] < 0.9 * random[1]


def test_requests_show_no_tier_and_keep_their_fence():
    texts = {"name": ["A - One", "B - Two"], "text": ["x </poem> Category", "y"], "tier": "Zed"}
    request = ask.list_requests(pd.DataFrame(texts), [[1, 0]], "Quality").iloc[0]
    whole = request["system"] + request["shared"] + request["prompt"]
    assert "Zed" not in whole and whole.count("</poem>") == 2 and request["shown"] == (1, 0)
    assert whole.index("B - Two") < whole.index("A - One")
    assert all(words in whole for words in QUALITY["Quality"])


def test_pairs_are_asked_in_both_orders_with_the_better_tier_first_in_plus():
    poems = load.load_poems()
    table = ask.pair_requests(poems)
    one, other, order = table["item"].str.split("/", expand=True).to_numpy().T
    assert len(table) == 180 and (one.astype(int) // 30 < other.astype(int) // 30).all()
    assert set(zip(one.astype(int), order)) == {(i, o) for i in range(60) for o in "+-"}
    words = (table["shared"] + table["prompt"]).to_list()
    for k in range(2):
        places = [words[k].index(poems.at[int(i), "text"]) for i in (one[k], other[k])]
        assert (places[0] < places[1]) == (order[k] == "+")


def answer(order, scores=None, names=NAMES):
    """A well-formed answer."""
    scores = scores or [5 - k % 5 for k in range(len(order))]
    return "\n".join(f"{k + 1}. {names[i]} : {s}" for k, (i, s) in enumerate(zip(order, scores)))


def read(text, shown=(0, 2, 3, 4, 5), names=NAMES):
    return ask.read_list(labels.parse_list(text), shown, names)


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
    assert (ids, reason) == ([0], "") if ids else scores is None and reason


def test_a_title_that_begins_another_is_ambiguous_where_both_fit():
    assert read(answer([0, 1, 2]), (0, 1, 2))[0] == [0, 1, 2]
    text = "1. Ann Lee - Snow : 3\n2. Bo - 1914 : 2\n3. Ann Lee - Snow : 1"
    assert read(text, (0, 1, 2))[2] == "ambiguous"
    plain = answer([0, 2, 3, 4, 5]).replace("“Low” Water", '"low"  water').replace(" : ", ": ")
    assert read(plain)[2] == "" and read(plain.replace("雪", "雨"))[2] == "invented"


def test_invalid_answers_are_asked_again_and_counted():
    poems = load.load_poems()
    drawn = lists.draw_subsets(poems["tier"], 6, 5, np.random.default_rng(0))

    def sometimes(row, rng):
        lines = [f"{k + 1}. {poems.at[i, 'name']} : 3" for k, i in enumerate(row.shown)]
        return "\n".join(lines[:-1] if rng.random() < 0.5 else lines)

    options = simulators(sometimes)
    ratings, log = ask.rank_lists(poems, drawn, "Quality", "simulated/made", options, attempts=8)
    assert set(log["reason"]) == {"", "incomplete"} and (log["reason"] == "").sum() == 6
    for item, part in ratings.groupby("list"):  # as shown: the first has the highest position
        assert part["poem"].tolist() == drawn[int(item[-3:])].tolist()
        assert part["position"].tolist() == list(range(15, 0, -1)) and (part["score"] == 3).all()
    runs = log.groupby("list")["run"].agg(list)
    assert all(one == list(range(1, len(one) + 1)) for one in runs), "asked until one is valid"
    options = simulators(lambda row, rng: "No list.")
    never, log = ask.rank_lists(poems, drawn, "Quality", "simulated/made", options, attempts=2)
    assert never.empty and len(log) == 12 and set(log["status"]) == {"unparsed"}
    _, log = ask.rank_lists(poems, drawn, "Quality", "simulated/made", options)
    assert len(log) == 18, "three attempts unless told"


def test_valid_first_answers_are_counted():
    log = {"list": [*"aabc"], "run": [1, 2, 1, 1], "reason": ["incomplete", "", "", "refused"]}
    found = analysis.success_rate(pd.DataFrame(log))
    assert found["n"] == 3 and found["low"] < found["estimate"] == 1 / 3 < found["high"]
    assert found["not valid"] == "incomplete 1, refused 1"


def test_own_results_count_in_whole_answers_and_mean_what_was_answered(tmp_path):
    poems = load.load_poems()
    judge = simulate.make_judge(-np.arange(90.0), poems["name"].to_dict(), 0.001)
    options, designs = simulators(judge), {"15": np.arange(30).reshape(2, 15)}
    means, valid, counts = ask.rank_designs(poems, designs, "simulated/made", QUALITY, options)
    alone = pd.DataFrame({"verdict": ["Good", None], "status": ["ok", "refused"]})
    shown, name = analysis.save_poems(poems, alone, means, counts, "simulated/made", tmp_path)
    assert list(shown)[:3] == ["author", "title", "tier"]
    poems.attrs["tiers"] = False
    shown, _ = analysis.save_poems(poems, alone, means, counts, "simulated/made", tmp_path)
    assert list(shown) == ["author", "title", "Quality, lists of 15: mean place (1: best)"]
    by = ["author", "title"]
    found = pd.read_csv(tmp_path / name).set_index(by).loc[poems.set_index(by).index]
    place = found["Quality, lists of 15: mean place (1: best)"]
    assert place[:30].tolist() == [*range(1, 16)] * 2 and place[30:].isna().all()
    scores = [5, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1]  # fifths of what lies between the ends
    assert found["Quality, lists of 15: mean score"][:15].tolist() == scores
    assert found["Quality, lists of 15: answers valid"].tolist() == [1] * 30 + [0] * 60
    assert found["asked alone"].tolist()[:2] == ["Good", "refused"]
    rows = {"estimate": [0.5, 0.25], "n": [30, 10]}
    summary = pd.DataFrame({"estimate": [0.7]}, [("Quality", "15", "place")])
    values = analysis.list_values(summary, pd.DataFrame(rows), "Quality", "15", "90")
    assert values["valid_answers"] == 17.5 / 40 and values["place_short_lists"] == 0.7
    assert np.isnan(values["score_all_in_one"])


@pytest.fixture
def shown(monkeypatch):
    """What `show_own` says, as one text; figures are left out."""
    said = []
    monkeypatch.setattr(analysis.results, "say", said.append)
    monkeypatch.setattr(analysis.results, "show_table", lambda table: None)
    monkeypatch.setattr(analysis.figures, "show", lambda *_: None)
    return said


def show(poems, judge, noise, rng, tmp_path, lists=8):
    """Run `show_own` for a judge that ranks all poems in their order, or with noise."""
    worth = -np.arange(float(len(poems))) * (noise < 1)
    options = simulators(simulate.make_judge(worth, poems["name"].to_dict(), noise))
    designs = {str(len(poems)): np.array([rng.permutation(len(poems)) for _ in range(lists)])}
    answers = ask.rank_designs(poems, designs, "simulated/made", QUALITY, options)
    alone = pd.DataFrame({"verdict": ["Good"] * len(poems), "status": "ok"})
    analysis.show_own(poems, (alone, *answers), judge, rng, tmp_path)


def test_of_few_poems_nothing_is_said_about_the_order(shown, rng, tmp_path):
    poems = load.load_poems()
    few = poems.groupby("tier", observed=True).head(3).reset_index(drop=True)
    few.attrs = poems.attrs
    show(few, "simulated/coin", 0.001, rng, tmp_path)
    assert "9 poems are too few to say how steady the order is" in shown[0]
    assert "r = " not in shown[0] and "ρ" not in shown[0] and "Bonferroni" not in shown[0]


def test_a_coin_that_seems_to_follow_something_is_said_to_be_lucky(shown, rng, tmp_path):
    poems = load.load_poems()
    show(poems, "simulated/coin", 0.001, rng, tmp_path)  # in fact it knows the order
    assert "Intervals without 0 here: 2 of 2. This is chance: the judge is a coin." in shown[0]
    assert "about 5 of 100 runs of a judge that reads nothing" in shown[0]
    show(poems, "simulated/coin", 1.0, np.random.default_rng(3), tmp_path)
    assert "This is chance" not in shown[-2], "no interval is clear of 0"


def test_the_first_poem_of_each_tier_is_shown_and_its_text_if_asked_for(monkeypatch):
    tables, texts = [], {}
    monkeypatch.setattr(analysis.results, "show_table", tables.append)
    monkeypatch.setattr(analysis.results, "show_texts", texts.update)
    poems = load.load_poems()
    analysis.show_first(poems)
    assert tables[0]["tier"].tolist() == ["A", "B", "C"] and not texts
    analysis.show_first(poems, texts=True)
    assert list(texts.values()) == poems["text"].iloc[[0, 30, 60]].tolist()


def test_the_plan_counts_the_papers_calls():
    poems, rng = load.load_poems(), np.random.default_rng(0)
    designs = lists.plan_designs(poems["tier"].cat.codes, 100, 10, rng)
    how = ask.options("openai/gpt-4o", poems)
    plan = ask.plan(poems, designs, "openai/gpt-4o", load.CRITERIA, how, 10)
    assert plan["calls"].tolist() == [500, 50, 50, 50 + 500 + 50]
    assert plan["output_tokens"].tolist()[:3] == [500 * 220, 50 * 1300, 50 * 220]
    assert plan["usd_live"].iloc[:3].sum() == pytest.approx(plan.at["in all", "usd_live"])
    few = {"12": np.arange(12)[None]}  # a reader's twelve poems without tiers, no list again
    plan = ask.plan(poems.head(12), few, "openai/gpt-4o", QUALITY, how)
    assert plan["calls"].to_dict() == {"single poems": 12, "lists of 12": 1, "in all": 13}
    assert plan["output_tokens"].iloc[0] == 12 * 120


def test_one_label_judges_follow_what_their_probabilities_say(monkeypatch):
    poems = load.load_poems()
    code = poems["tier"].cat.codes.to_numpy()

    def answers(requests, judge, reader):
        judge = judge.removesuffix("-poem-pairs")
        first = requests["item"].str.extract(r"(\d+)")[0].astype(int).to_numpy()
        score = -code[first].astype(float) + 1e-3 * np.arange(len(requests)) % 7e-3
        if judge == "knows":  # prefers tier A, then C, then B
            pair = requests["item"].str.extract(r"(\d+)/(\d+)/([+-])")
            worth = np.array([2, 0, 1])[code[pair[[0, 1]].astype(int)]]
            ahead = (worth[:, 0] > worth[:, 1]) == (pair[2] == "+")
            return pd.DataFrame({"item": requests["item"], "score": ahead.astype(float)})
        if reader is ask.PAIR:  # says A nine times in ten, whichever poem that is
            score = np.where(np.arange(len(requests)) % 20 < 18, 0.5625, 0.4375)
        return pd.DataFrame({"item": requests["item"], "score": score})

    monkeypatch.setattr(ask.judges, "ask", answers)
    score = ask.read_ratings(poems, "any").set_index(["judge", "item"])["score"]
    assert len(score) == 180
    for what in ("five ratings", "kind of venue"):
        by_tier = score[what].groupby(poems["tier"], observed=True).mean()
        assert by_tier["A"] > by_tier["B"] + 0.9 > by_tier["C"] + 1.8
    rows = ask.read_pairs(poems, "any")
    assert rows.at["pairs won by the better tier", "estimate"] == 0.5
    assert rows.at["answers for the poem shown first", "estimate"] == 0.9
    assert rows["n"].tolist() == [60, 90]
    rows = ask.read_pairs(poems, "knows")
    assert rows.at["pairs won by the better tier", "estimate"] == pytest.approx(2 / 3)
