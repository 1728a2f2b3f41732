"""Poems are loaded and refused, lists drawn, asked for and read strictly; answers are counted."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notebook_kit import define_functions

from helpers import judges
from helpers.poetry import analysis, ask, graded, lists, load, simulate
from helpers.poetry.ranked import parse_list
from helpers.sources.public import ROOT, DataError

TIERS = np.repeat(["A", "B", "C"], 30)
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


def simulators(profile):
    """Return options under which a profile answers as simulated/made."""
    return judges.Options(simulators={"made": profile})


def test_the_projects_poems_are_complete():
    poems = load.load_poems()
    assert poems.attrs["found"] == "30 A / 30 B / 30 C"
    assert poems["name"].is_unique
    assert "90 poems (30 A / 30 B / 30 C), written for this project" in load.load_study()[2]


def test_the_linked_poems_are_found_in_a_readers_folder(tmp_path):
    linked = load.load_linked()
    assert len(linked) == 30
    assert not linked.duplicated(["author", "title"]).any()
    assert not load.find_linked(load.load_poems())["here"].any()
    for tier, names in {
        "Good": ["Ocean Vuong - DetoNation", "RAE ARMANTROUT - Geography"],
        "Bad": ["Ann Other - One", "Ann Other - Two"],
    }.items():
        (tmp_path / tier).mkdir()
        for name in names:
            (tmp_path / tier / f"{name}.txt").write_text(f"a text of mine, {name}")
    found = load.find_linked(load.load_poems(tmp_path))
    assert found.loc[found["here"], "author"].tolist() == ["Ocean Vuong", "Rae Armantrout"]
    assert "2 of the 30 that the paper links are among them" in load.load_study(tmp_path)[2]


def test_a_review_has_read_each_of_the_projects_poems():
    poems = load.load_poems()
    review = pd.read_csv(ROOT / "data" / "poems" / "review.csv")
    assert set(review["name"]) == set(poems["name"])
    assert set(review["judged"]) <= set("ABC")


def test_a_criterion_that_is_not_known_is_refused():
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
    table = pd.DataFrame([*GOOD, row], columns=COLUMNS)
    table.to_csv(tmp_path / "mine.csv", index=False)
    with pytest.raises(DataError, match=expected):
        load.load_poems(tmp_path / "mine.csv")


@pytest.fixture
def folder(tmp_path):
    """Return a folder with two poems in each of the folders Bad, Good and Medium."""
    for tier in ("Bad", "Good", "Medium"):
        (tmp_path / tier).mkdir()
        for i in range(2):
            poem = tmp_path / tier / f"Ann - {tier} {i}.txt"
            poem.write_text(f"{tier} {i}", encoding="utf8")
    return tmp_path


def test_a_folder_of_poems_is_read_in_the_order_of_what_tiers_mean(folder):
    poems = load.load_poems(folder)
    assert poems["tier"].tolist() == ["Good", "Good", "Medium", "Medium", "Bad", "Bad"]
    assert poems.loc[0, ["name", "text"]].tolist() == ["Ann - Good 0", "Good 0"]


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(DataError, match="no poems; expected .Author - Title.txt."):
        load.load_poems(tmp_path)


def test_a_file_without_an_author_in_its_name_is_refused(folder):
    (folder / "Bad" / "title.txt").write_text("x")
    with pytest.raises(DataError, match="Bad/title.txt: expected a name like"):
        load.load_poems(folder)


def test_a_poem_beside_the_folders_of_tiers_is_refused(folder):
    (folder / "Ann - Loose.txt").write_text("x")
    with pytest.raises(DataError, match="Ann - Loose.txt: stands in no tier's folder"):
        load.load_poems(folder)


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


def test_two_poems_are_too_few_to_rank(tmp_path):
    table = pd.DataFrame(GOOD[:2], columns=COLUMNS).drop(columns="tier")
    table.to_csv(tmp_path / "mine.csv", index=False)
    with pytest.raises(DataError, match="2 poems; expected three or more to rank"):
        load.load_poems(tmp_path / "mine.csv")


def rank_twelve(worth, noise, rng):
    """Return the mean places of twelve poems in eight lists of ten, by a simulated judge."""
    poems = load.load_poems().head(12)
    designs = {"10": np.array([rng.permutation(12)[:10] for _ in range(8)])}
    options = simulators(simulate.make_judge(worth, poems["name"].to_dict(), noise))
    means, *_ = ask.rank_designs(poems, designs, "simulated/made", QUALITY, options)
    return means


def test_lists_are_planned_with_and_without_tiers(rng):
    designs = lists.plan_designs(np.repeat([0, 1], [3, 9]), 8, 2, rng)
    assert {size: drawn.shape for size, drawn in designs.items()} == {"6": (8, 6), "12": (2, 12)}
    for drawn in designs.values():
        poems_of_first_tier = (drawn < 3).sum(axis=1)
        assert (poems_of_first_tier == 3).all()
    none = lists.plan_designs(np.zeros(20, int), 8, 2, rng)
    assert {size: drawn.shape for size, drawn in none.items()} == {"15": (8, 15), "20": (2, 20)}


def test_a_size_in_between_shows_as_many_poems_as_the_lists_of_all(rng):
    tiers = np.repeat([0, 1, 2], 30)
    designs = lists.plan_designs(tiers, 100, 10, rng, [90, 30, 15])
    assert [drawn.shape for drawn in designs.values()] == [(100, 15), (30, 30), (10, 90)]
    assert list(designs) == ["15", "30", "90"]
    poems_by_tier = [np.bincount(tiers[ids]).tolist() for ids in designs["30"]]
    assert poems_by_tier == [[10, 10, 10]] * 30
    without = lists.plan_designs(tiers, 100, 10, np.random.default_rng(0))
    within = lists.plan_designs(tiers, 100, 10, np.random.default_rng(0), [15, 30])
    for size in ("15", "90"):
        assert np.array_equal(without[size], within[size]), "whatever other sizes are asked for"


def test_a_judge_without_one_valid_list_is_one_clear_error():
    poems, designs = load.load_poems(), {"3": np.array([[0, 30, 60]])}
    message = "judge simulated/always-yes: not one usable ranking .unparsed 1.; nothing can be said"
    with pytest.raises(judges.JudgeError, match=message):
        ask.rank_designs(poems, designs, "simulated/always-yes", QUALITY)


@pytest.mark.parametrize(
    ("text", "density"),
    [
        ("The cat sat on the mat\nand wore a hat\nand far away\nit was a day", 1),
        ("one dog\ntwo cups\nfar moon\nold shed", 0),
        ("a cat\nx\ny\na hat", 0.5),  # three lines apart, not four
        ("a cat\nx\ny\nz\na hat", 0),
        ("", 0),
    ],
)
def test_the_density_of_rhymes_by_hand(text, density):
    assert load.rhyme_density(text) == density


def test_counts_that_read_nothing_by_hand():
    counts = load.count(pd.DataFrame({"text": ["One two, one.\nsix", "two two"]}))
    assert counts["words"].tolist() == [4, 2]
    assert counts["lines"].tolist() == [2, 1]
    assert counts["distinct words"].tolist() == [0.75, 0.5]
    assert counts["commas and stops"].tolist() == [0.5, 0]
    assert counts["letters a word"][0] == 3


def test_rarer_words_by_hand():
    counts = load.count(pd.DataFrame({"text": ["One two, one.\nsix", "two two"]}))
    in_the_other_poem = np.array([0, 2, 0, 0])  # of its two words
    rare = -np.log((in_the_other_poem + 0.5) / 2)
    assert counts["rarer words"][0] == pytest.approx(rare.mean())


@pytest.mark.parametrize("draw", [lists.draw_subsets, lists.balance_subsets])
def test_designs_hold_five_of_each_tier(draw):
    drawn = draw(TIERS, 20, 5, np.random.default_rng(3))
    assert drawn.shape == (20, 15)
    for poems in drawn:
        assert len(set(poems)) == 15
        assert np.bincount(poems // 30).tolist() == [5, 5, 5]


@pytest.mark.parametrize("draw", [lists.draw_subsets, lists.balance_subsets])
def test_a_list_may_hold_whole_tiers_but_not_more(draw):
    assert draw(TIERS, 1, 30, np.random.default_rng(3)).shape == (1, 90)
    with pytest.raises(ValueError, match="a tier has 3 poems; lower per_tier"):
        draw(TIERS[:63], 2, 5, np.random.default_rng(3))


def uneven_poems(drawn):
    """Return by how much the poem shown most is shown more than the one shown least."""
    return np.ptp(np.bincount(drawn.ravel(), minlength=90))


def uneven_pairs(drawn):
    """Return the sum over pairs of poems of how often they meet, squared."""
    pairs = []
    for poems in drawn:
        pairs += [a * 90 + b for a, b in itertools.combinations(sorted(poems), 2)]
    return (np.bincount(pairs) ** 2).sum()


def test_a_balanced_design_is_balanced_in_poems_and_in_pairs():
    balanced = lists.balance_subsets(TIERS, 33, 5, np.random.default_rng(1))
    random = lists.draw_subsets(TIERS, 33, 5, np.random.default_rng(1))
    assert uneven_poems(balanced) <= 1
    assert uneven_poems(random) > 3
    assert uneven_pairs(balanced) < 0.9 * uneven_pairs(random)


def test_requests_show_no_tier_and_keep_their_fence():
    poems = pd.DataFrame(
        {"name": ["A - One", "B - Two"], "text": ["x </poem> Category", "y"], "tier": "Zed"}
    )
    request = ask.requests(poems, [[1, 0]], "Quality").iloc[0]
    whole = request["system"] + request["shared"] + request["prompt"]
    assert "Zed" not in whole
    assert whole.count("</poem>") == 2, "a poem's own mark ends no poem"
    assert request["shown"] == (1, 0)
    assert whole.index("B - Two") < whole.index("A - One")
    assert all(words in whole for words in QUALITY["Quality"])


def test_each_poem_is_paired_in_both_orders_with_one_of_a_lower_tier():
    table = graded.pair_requests(load.load_poems())
    better, worse = (table[column].str[5:].astype(int) for column in ("item", "partner"))
    assert len(table) == 180
    assert (better // 30 < worse // 30).all()
    assert set(zip(better, table["order"])) == {(i, order) for i in range(60) for order in "+-"}


@pytest.mark.parametrize("row", [0, 1])
def test_the_better_tier_stands_first_in_the_order_plus(row):
    poems = load.load_poems()
    request = graded.pair_requests(poems).iloc[row]
    better, worse, order = request[["item", "partner", "order"]]
    words = request["shared"] + request["prompt"]
    place_of_better = words.index(poems.at[int(better[5:]), "text"])
    place_of_worse = words.index(poems.at[int(worse[5:]), "text"])
    assert (place_of_better < place_of_worse) == (order == "+")


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


def test_a_title_that_begins_another_is_ambiguous_where_both_fit():
    assert read(answer([0, 1, 2]), (0, 1, 2))[0] == [0, 1, 2]
    text = "1. Ann Lee - Snow : 3\n2. Bo - 1914 : 2\n3. Ann Lee - Snow : 1"
    assert read(text, (0, 1, 2))[2] == "ambiguous"


def test_case_quotes_and_spaces_may_differ_but_no_letter():
    plain = answer([0, 2, 3, 4, 5]).replace("“Low” Water", '"low"  water').replace(" : ", ": ")
    assert read(plain)[2] == ""
    assert read(plain.replace("雪", "雨"))[2] == "invented"


@pytest.fixture
def six_lists():
    """Return the project's poems and six lists of fifteen."""
    poems = load.load_poems()
    return poems, lists.draw_subsets(poems["tier"], 6, 5, np.random.default_rng(0))


def drop_the_last(poems):
    """Return a judge that ranks poems as shown and every other time leaves the last one out."""

    def rank(row, rng):
        lines = [f"{k + 1}. {poems.at[i, 'name']} : 3" for k, i in enumerate(row.shown)]
        return "\n".join(lines[:-1] if rng.random() < 0.5 else lines)

    return rank


def test_invalid_answers_are_asked_again_until_one_is_valid(six_lists):
    poems, drawn = six_lists
    options = simulators(drop_the_last(poems))
    _, log = ask.rank_lists(poems, drawn, "Quality", "simulated/made", options, attempts=8)
    assert set(log["reason"]) == {"", "incomplete"}
    assert (log["reason"] == "").sum() == 6
    for runs in log.groupby("list")["run"].agg(list):
        assert runs == list(range(1, len(runs) + 1))


def test_the_first_of_a_valid_list_has_the_highest_position(six_lists):
    poems, drawn = six_lists
    options = simulators(drop_the_last(poems))
    ratings, _ = ask.rank_lists(poems, drawn, "Quality", "simulated/made", options, attempts=8)
    for number, ranked in ratings.groupby("list"):
        shown = drawn[number]
        assert ranked["poem"].tolist() == shown.tolist()
        assert ranked["position"].tolist() == list(range(15, 0, -1))
        assert (ranked["score"] == 3).all()


def test_a_judge_that_never_ranks_is_asked_as_often_as_told(six_lists):
    poems, drawn = six_lists
    options = simulators(lambda row, rng: "No list.")
    ratings, log = ask.rank_lists(poems, drawn, "Quality", "simulated/made", options, attempts=2)
    assert ratings.empty
    assert len(log) == 12
    assert set(log["status"]) == {"unparsed"}
    _, log = ask.rank_lists(poems, drawn, "Quality", "simulated/made", options)
    assert len(log) == 18, "three attempts unless told"


def test_valid_first_answers_are_counted():
    log = {"list": [*"aabc"], "run": [1, 2, 1, 1], "reason": ["incomplete", "", "", "refused"]}
    share = analysis.success_rate(pd.DataFrame(log))
    assert share["n"] == 3
    assert share["low"] < share["estimate"] == 1 / 3 < share["high"]
    assert share["not valid"] == "incomplete 1, refused 1"
    assert (share["answers in all"], share["lists given up"]) == (4, 1)


def test_the_plan_counts_the_papers_calls():
    poems = load.load_poems()
    designs = lists.plan_designs(poems["tier"].cat.codes, 100, 10, np.random.default_rng(0))
    how = ask.options("openai/gpt-4o", poems)
    plan = ask.plan(poems, designs, "openai/gpt-4o", load.CRITERIA, how, 10)
    assert plan["calls"].tolist() == [90, 500, 50, 50, 90 + 500 + 50 + 50]
    assert plan["output_tokens"].tolist()[1:4] == [500 * 220, 50 * 1300, 50 * 220]
    assert plan["usd_live"].iloc[:4].sum() == pytest.approx(plan.at["in all", "usd_live"])


def test_the_plan_of_a_readers_twelve_poems_counts_no_list_again():
    poems = load.load_poems()
    how = ask.options("openai/gpt-4o", poems)
    one_list = {"12": np.arange(12)[None]}
    plan = ask.plan(poems.head(12), one_list, "openai/gpt-4o", QUALITY, how)
    assert plan["calls"].to_dict() == {"single poems": 12, "lists of 12": 1, "in all": 13}
    assert plan["output_tokens"].iloc[0] == 12 * 120


def answer_with(monkeypatch, score):
    """Let every judge answer with score(requests): an expected label per request."""

    def ask_judge(requests, judge, reader):
        return requests.assign(score=score(requests))

    monkeypatch.setattr(ask.judges, "ask", ask_judge)


@pytest.mark.parametrize("what", ["five ratings", "kind of venue"])
def test_ratings_of_poems_are_means_of_expected_labels(monkeypatch, what):
    poems = load.load_poems()
    tier = poems["tier"].cat.codes.to_numpy()

    def follow_tiers(requests):  # not quite the same for each request
        return -1.0 * tier[requests["poem"]] + 1e-3 * np.arange(len(requests)) % 7e-3

    answer_with(monkeypatch, follow_tiers)
    scores = graded.read_ratings(poems, "any").set_index(["judge", "item"])["score"]
    by_tier = scores[what].groupby(poems["tier"].to_numpy()).mean()
    assert len(scores[what]) == 90
    assert by_tier["A"] > by_tier["B"] + 0.9 > by_tier["C"] + 1.8


def read_pairs(poems, score):
    """Return what notebook S2 reads in answers with score(requests): a chance of A each."""
    requests = graded.pair_requests(poems)
    return define_functions("S2")["read_pairs"](requests.assign(score=score(requests)))


def test_a_judge_that_says_a_nine_times_in_ten_prefers_the_poem_shown_first():
    def prefer_the_first(requests):  # both orders of a pair stand together
        pair = np.arange(len(requests)) // 2
        return np.where(pair % 10 < 9, 0.5625, 0.4375)

    rows = read_pairs(load.load_poems(), prefer_the_first)
    assert rows.at["pairs won by the better tier", "estimate"] == 0.5
    assert rows.at["answers for the poem shown first", "estimate"] == 0.9
    assert rows["n"].tolist() == [60, 90]


def test_a_judge_that_puts_the_last_tier_second_wins_two_of_three_pairs():
    poems = load.load_poems()
    worth_by_tier = np.array([2, 0, 1])
    worth = worth_by_tier[poems["tier"].cat.codes]

    def prefer_by_worth(requests):
        by_name = dict(zip(load.name_poems(poems.index), worth))
        better = requests["item"].map(by_name)
        worse = requests["partner"].map(by_name)
        first_is_preferred = (better > worse) == (requests["order"] == "+")
        return first_is_preferred.astype(float)

    rows = read_pairs(poems, prefer_by_worth)
    assert rows.at["pairs won by the better tier", "estimate"] == pytest.approx(2 / 3)
