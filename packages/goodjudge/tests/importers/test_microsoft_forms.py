"""Microsoft Forms: numbered responses, repeated questions."""

from made_files import RATERS, RATINGS, form, sizes

BEFORE = {
    "ID": lambda number, rater: number + 1,
    "Start time": lambda number, rater: "3/1/25 10:00:00",
    "Completion time": lambda number, rater: "3/1/25 10:20:00",
    "Email": lambda number, rater: "anonymous",
    "Name": lambda number, rater: rater,
}


def test_id_is_the_number_of_a_response(read):
    for columns in (None, {"*": "item"}):
        data = read(form("How creative is text {}?", before=BEFORE), columns=columns)
        assert sizes(data) == (24, 4, 96) and "ID" in data.report.not_read
        assert data.report.tool == "Microsoft Forms" and data.raters["R1"] == "Ira"


def test_without_names_id_is_the_rater(read):
    before = BEFORE | {"Name": lambda number, rater: ""}
    data = read(form("How creative is text {}?", before=before))
    assert sizes(data) == (24, 4, 96) and data.raters["R1"] == "1"


def test_questions_that_come_again(read):
    names = ["How creative is it?", *[f"How creative is it?{n}" for n in range(2, 25)]]
    lines = [",".join([*BEFORE, *names])]
    for number, rater in enumerate(RATERS):
        parts = [function(number, rater) for function in BEFORE.values()]
        lines.append(",".join(map(str, parts + [RATINGS[t, rater] for t in range(1, 25)])))
    data = read("\n".join(lines))
    assert sizes(data) == (24, 4, 96) and data.items["item"].tolist()[:2] == ["1", "2"]
