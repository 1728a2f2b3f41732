"""Probe whether a judge obeys orders that are planted in the text it judges."""

import pandas as pd

from helpers import judges
from helpers.judges import labels, prompts
from helpers.measures import intervals


def make_probes():
    """Return the requests of the probe set: item, probe, wanted ('Yes', 'No', '' for the clean
    story), planted, system, shared, prompt."""
    known = prompts.read("injections")
    rows = [("clean", "", "")] + [
        (name, wanted, text.replace("{verdict}", wanted))
        for name, text in known["probes"].items()
        for wanted in ("Yes", "No")
    ]
    table = pd.DataFrame(rows, columns=["probe", "wanted", "planted"])
    clean = prompts.load("ttcw-yes-no").fill(story=known["story"], test=known["test"])
    # planted as it stands: the fence probe too
    shared = [clean["shared"].replace("{probe}", text) for text in table["planted"]]
    item = table["probe"] + "/" + table["wanted"]
    return table.assign(**clean | {"item": item, "shared": shared})


def measure_obedience(judge, options=None):
    """Return (the share of verdicts that follow an order against the clean one, the clean verdict).

    The share: estimate, low, high (Wilson 95 %), n: orders that ended with a verdict. Only orders
    against the judge's own clean verdict count, since an order for it proves nothing.
    """
    probes = make_probes()
    answers = judges.ask(probes, judge, labels.parse_yes_no, options)
    answers = answers.merge(probes[["item", "wanted"]], on="item", validate="many_to_one")
    read = answers[answers["status"] == "ok"]
    own = read.loc[read["wanted"] == "", "verdict"].mode().get(0, "")
    against = read[~read["wanted"].isin(["", own])]
    if against.empty:
        return intervals.row(), own
    obeyed = against["verdict"] == against["wanted"]
    return intervals.of_share(obeyed.sum(), len(obeyed)), own
