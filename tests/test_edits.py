"""LAMP and WQRM: what is loaded and what never is; the requests about edits, and a reader's own
edits in notebook 08."""

import pandas as pd
import pytest
from goodjudge.ask.prompts import defuse
from goodjudge.comparison import compare, controls
from goodjudge.data import ratings
from goodjudge.stats import metrics as statistics

from helpers.edits import ask, load, pairs
from helpers.sources import readers
from helpers.sources.public import ROOT, read_json


@pytest.fixture
def files(open_data):
    """The released files, parsed."""
    names = ["agreement_map", "WQRM_annotations", *(f"batch{n}" for n in range(1, 8))]
    return {f"lamp/{name}.json": read_json(f"lamp/{name}.json") for name in names}


def test_every_ranking_becomes_three_scores():
    lamp, wqrm = load.load("LAMP"), load.load("WQRM")
    for data, triples, rankings in ((lamp, 201, 603), (wqrm, 101, 280)):
        assert data.items["item"].is_unique and data.items["group"].nunique() == triples
        assert len(data.items) == 3 * triples and len(data.ratings) == 3 * rankings
        table = data.ratings.merge(data.items, on="item")
        assert (
            table.groupby(["group", "rater"])["score"].agg(sorted).map(tuple) == (1, 2, 3)
        ).all()
    # the first ranking of the file is 1, 2, 3: writer's edit, draft, machine's edit
    first = lamp.ratings[lamp.ratings["rater"] == "R1"].set_index("item")["score"]
    assert [first[f"1-00/{kind}"] for kind in load.KINDS["LAMP"]] == [3, 2, 1]


def test_the_entry_without_a_ranking_is_left_out_and_the_next_keep_theirs(files):
    batch = files["lamp/batch6.json"]
    same = [row for row, one in enumerate(batch) if one["preedit"] == one["AI-edited"]]
    assert same == [18] and len(batch) == 38
    texts = load.load_texts("LAMP").set_index("item")["text"]
    assert texts["6-17/draft"] == batch[17]["preedit"] != texts["6-18/draft"]
    assert texts["6-18/draft"] == batch[19]["preedit"]


def test_neither_names_nor_published_paragraphs_are_loaded(files):
    shown = "\n".join(load.load_texts(part).to_csv() for part in load.KINDS)
    requests = ask.lamp_requests(with_texts=True).drop(columns="shared")
    shown += load.load("LAMP").ratings.to_csv() + requests.to_csv()
    raters = {name for batch in files["lamp/agreement_map.json"].values() for name in batch}
    codes = set(load.load("LAMP").ratings["rater"])
    assert codes == {f"R{n + 1}" for n in range(len(raters))} and not codes & raters
    for number in range(1, 8):
        for one in files[f"lamp/batch{number}.json"]:
            assert one["Human-Written"] not in shown and one["id"] not in shown


def test_a_reward_models_scores_stand_beside_their_texts(files):
    scores, items = load.load_reward(), load.load("WQRM").items
    assert set(scores["item"]) == set(items["item"]) and set(scores["judge"]) == {load.REWARD}
    one = files[load.REWARDED][7]["best_cot"]
    assert scores.set_index("item")["score"]["w-007/chosen edit"] == one["wqrm_score"]
    texts = load.load_texts("WQRM").set_index("item")["text"]
    assert texts["w-007/chosen edit"] == one["candidate"]


def test_both_orders_of_every_pair_are_asked_triple_by_triple(open_data):
    requests = ask.lamp_requests(with_texts=True)
    texts = load.load_texts("LAMP").set_index("item")["text"]
    pairs = requests[["item", "partner"]]
    assert pairs.equals(ask.lamp_requests()[["item", "partner"]])
    assert len(requests) == 201 * 6 and not pairs.duplicated().any()
    groups = requests["group"].to_numpy().reshape(-1, 6)
    assert (groups.T == groups[:, 0]).all()
    row = requests.loc[100]
    text = row["shared"] + row["prompt"]
    a = defuse(texts[row["item"]])
    b = defuse(texts[f"{row['group']}/{row['partner']}"])
    assert text.index(a) < text.index(b) and "writer" not in text.replace(a, "").replace(b, "")
    again = ask.lamp_requests(seed=1)["item"]
    assert set(again) == set(requests["item"]) and list(again) != list(requests["item"])


def test_scores_go_to_both_texts_of_a_pair():
    answers = {"item": ["1-00/draft", "1-00/writer's edit"], "partner": ["writer's edit", "draft"]}
    answers |= {"group": "1-00", "score": [0.7, 0.6], "status": "ok", "verdict": "A"}
    answers = pd.DataFrame(answers).assign(judge="a judge")
    scores = ask.score(answers).set_index(["item", "order"])["score"]
    assert scores["1-00/draft", "first"] == 0.7 and scores["1-00/draft", "second"] == 0.4
    assert scores.groupby("item").mean()["1-00/writer's edit"] == pytest.approx(0.45)


def test_raters_who_agree_and_raters_who_do_not():
    kinds = ("draft", "edit")
    texts = [f"{n}/{kind}" for n in "abcdef" for kind in kinds]
    items = pd.DataFrame({"item": texts, "group": [text[0] for text in texts]})
    items["kind"] = [text[2:] for text in texts]
    alike = [items.assign(rater=rater, score=[1, 2] * 6) for rater in ("R1", "R2")]
    against = [alike[0], alike[1].assign(score=[2, 1] * 6)]
    for raters, share, tau in ((alike, 1, 1), (against, 0, -1)):
        scores = pd.concat(raters)[["item", "rater", "score"]]
        wins = pairs.list_wins(items, scores, kinds)
        assert set(wins["pair"]) == {"edit over draft"}
        assert wins["won"].tolist().count(1) == 6 * (1 + share) and len(wins) == 12
        found = pairs.agree(wins)
        assert found["estimate"].tolist() == [share, tau]
        assert found["ranked above"].iloc[0] == (1 + share) / 2


def test_each_rater_counts_alike_in_the_lead_over_the_shorter():
    texts = [f"{n}/{kind}" for n in "abcdefgh" for kind in ("draft", "edit")]
    items = pd.DataFrame({"item": texts, "group": [text[0] for text in texts]})
    items["words"] = [9, 3] * 8  # the edit is the shorter
    alike = [items.assign(rater=rater, score=[2, 1] * 8) for rater in ("R1", "R2")]
    against = items[:4].assign(rater="R3", score=[1, 2] * 2)
    rows = pd.concat([*alike, against])[["item", "rater", "score"]]
    found = pairs.lead_by_rater(ratings.Ratings(items, rows, "own"))
    # R1 and R2 side with each other where the others do not tie, never with the shorter: a lead of
    # 1; R3 never sides with the others, nor does the shorter: no lead
    assert found["n"] == 3 and found["estimate"] == pytest.approx((1 + 1 + 0) / 3)


def test_the_longer_of_two_texts_is_counted_by_triple():
    items = pd.DataFrame({"item": ["a/x", "a/y", "b/x", "b/y"], "words": [3, 5, 9, 2]})
    rows = [("a", "a/x", "a/y", 0.2), ("a", "a/y", "a/x", 0.9), ("a", "a/y", "a/x", 0.4)]
    rows += [("b", "b/x", "b/y", 0.3), ("b", "b/y", "b/x", 0.7)]
    scores = pd.DataFrame(rows, columns=["group", "item", "partner", "score"])
    assert controls.count_longer(items, scores)["estimate"] == 0.5


def test_a_judge_that_goes_by_place_prefers_neither_the_longer_nor_the_shorter():
    items = pd.DataFrame({"item": ["a/x", "a/y", "b/x", "b/y"], "words": [3, 5, 9, 2]})
    rows = [("a", "a/y", "a/x", 1.0), ("a", "a/y", "a/x", 0.0)]
    rows += [("b", "b/x", "b/y", 1.0), ("b", "b/x", "b/y", 0.0)]
    scores = pd.DataFrame(rows, columns=["group", "item", "partner", "score"])
    assert controls.count_longer(items, scores)["estimate"] == 0.5


def test_our_example_of_edits_is_one_that_a_reader_can_give():
    mine = readers.read_csv(ROOT / "data/examples/edits.csv", ("before", "after"))
    assert mine["before"].nunique() == 1, "two edits of one draft"
    assert mine["after"].nunique() == 2


def test_a_text_is_by_who_edited_it_last_and_both_edits_of_wqrm_are_by_one_machine():
    for part, editors in (
        ("LAMP", {"draft": "draft"} | {name: name for name in ("writer's edit", "machine's edit")}),
        (
            "WQRM",
            {"draft": "draft"} | dict.fromkeys(("chosen edit", "random edit"), "machine's edit"),
        ),
    ):
        items = load.credit_editors(load.load(part)).items
        assert dict(zip(items["kind"], items["writer"])) == editors


def test_authorship_of_edits_is_the_order_writer_machine_draft():
    """LAMP's writers put the writer's edit first and the draft last, so that the control learns
    this order."""
    data = load.credit_editors(load.load("LAMP"))
    place = {"writer's edit": 3, "machine's edit": 2, "draft": 1}
    by_hand = data.items[["item"]].assign(judge="by hand", score=data.items["kind"].map(place))
    rows = pairs.compare_kinds(data, load.KINDS["LAMP"], by_hand)
    assert rows.loc["authorship", "estimate"] == pytest.approx(rows.loc["by hand", "estimate"])
    assert rows.attrs["control"] == "authorship" and rows.attrs["stranger"] == controls.LENGTH


def test_the_claim_of_08_is_the_lead_of_a_person_over_length():
    data = load.load("LAMP")
    of_first_batch = ratings.keep(data, data.items["group"].str.startswith("1-"))
    table = pairs.vary_lead(of_first_batch)
    nobody = load.load_reward().head(0)
    comparison = compare.compare(
        of_first_batch, nobody, statistics.pairwise_accuracy, within=pairs.WITHIN, simulate=False
    )
    person = comparison.loc[compare.PERSON]
    assert table["estimate"].iloc[0] == person["over control"]
    assert table["n"].iloc[0] == of_first_batch.items["group"].nunique()
    assert table.index.is_unique and len(table) == 9


def answer_all(requests, prefer):
    """Return usable answers to requests about LAMP, A where `prefer` says so of a row."""
    chosen = requests.apply(prefer, axis=1)
    return requests.assign(
        judge="a judge",
        status="ok",
        verdict=chosen.map({True: "A", False: "B"}),
        score=chosen.map({True: 0.8, False: 0.1}),
    )


def test_a_judge_that_goes_by_place_turns_with_every_swap_and_sides_with_nobody():
    requests = ask.lamp_requests()[:120]
    always_first = pairs.judge_edits(answer_all(requests, lambda row: True), load.load("LAMP"))
    assert always_first.full == always_first.asked == 20
    assert always_first.habits.loc[pairs.TURNS, "estimate"] == 1
    assert always_first.away == 0
    assert always_first.sides.loc[pairs.ALL, "estimate"] == 0.5


def test_a_judge_that_likes_the_longer_is_told_as_the_rule_is():
    data = load.load("LAMP")
    words = data.items.set_index("item")["words"]
    requests = ask.lamp_requests()[:120]
    partner = requests["group"] + "/" + requests["partner"]
    apart = requests["item"].map(words) != partner.map(words)
    whole = requests[apart.groupby(requests["group"]).transform("all")]
    answers = answer_all(
        whole, lambda row: words[row["item"]] > words[f"{row['group']}/{row['partner']}"]
    )
    longer = pairs.judge_edits(answers, data)
    assert longer.habits.loc[pairs.TURNS, "estimate"] == 0
    assert longer.habits.loc[pairs.PREFERS_LONGER, "estimate"] == 1
    rule = longer.sides.loc[f"{pairs.ALL}, {pairs.LONGER}"]
    assert longer.sides.loc[pairs.ALL, "estimate"] == rule["estimate"] != 0.5
