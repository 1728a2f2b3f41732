"""LAMP and WQRM: what is loaded and what never is; the requests about edits, and a reader's own
edits in notebook 08."""

import pandas as pd
import pytest
from goodjudge.ask.prompts import defuse

from helpers.edits import ask, load, pairs
from helpers.sources.public import read_json


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


def test_a_column_per_kind_becomes_a_row_per_text():
    wide = pd.DataFrame({"group": [*"21"], "writer": [*"wv"], "edit": [*"bd"], "draft": [*"ac"]})
    long = load.lengthen(wide, ["group", "writer"], "text")
    assert long["item"].tolist() == ["1/draft", "1/edit", "2/draft", "2/edit"]
    assert long["text"].tolist() == [*"cdab"]
