"""How long a card takes, and how much memory: `python benchmarks/goodjudge_speed.py`.

One simulated study of each size, a process each; seconds include the imports. Before the package
there was one (a notebook executed for each card, two cores): the demo took 28 to 60 s; of many
items by 200 raters 10,000 ratings took 131 s, 30,000 took 741 s, and 100,000 did not end.
"""

import resource
import subprocess
import sys
import time

SIZES = {  # name: (items, raters in all, raters of an item, aspects, judges, most seconds)
    "the demo's size: 60 texts, 4 raters, 2 judges": (60, 4, 4, 1, 2, 10),
    "240 texts, 4 raters, 3 aspects, 2 judges": (240, 4, 4, 3, 2, 15),
    "10,000 ratings by 200 raters, 1 judge": (3334, 200, 3, 1, 1, 30),
    "100,000 ratings by 200 raters, 1 judge": (33334, 200, 3, 1, 1, 60),
}


def simulate(items, raters, of_item, aspects, judges, seed=0):
    """Return (`Ratings`, scores) of a study: six items in a group, four writers."""
    import numpy as np
    import pandas as pd
    from goodjudge.data.ratings import Ratings

    rng = np.random.default_rng(seed)
    facts = pd.DataFrame({"item": [f"t{number}" for number in range(items)]})
    facts["group"] = np.arange(items) % max(items // 6, 1)
    facts["writer"] = np.array([*"ABCD"])[rng.integers(0, 4, items)]
    facts["words"] = rng.integers(80, 900, items)
    quality = 0.6 * rng.normal(size=(items, aspects)) + rng.normal(size=(items, 1))
    chosen = np.argsort(rng.random((items, raters)), axis=1, kind="stable")[:, :of_item]
    item = np.repeat(np.arange(items), of_item * aspects)
    rater = np.repeat(chosen.ravel(), aspects)
    aspect = np.tile(np.arange(aspects), items * of_item)
    severity = rng.normal(0, 0.4, raters)
    score = 4 + quality[item, aspect] + severity[rater] + rng.normal(size=len(item))
    table = pd.DataFrame({"item": facts["item"].to_numpy()[item]})
    table["rater"] = [f"R{number + 1}" for number in rater]
    table["aspect"] = [f"aspect {number}" for number in aspect]
    table["score"] = np.clip(np.round(score), 1, 7)
    said = []
    for number in range(judges):
        heard = quality + (0.8 + number) * rng.normal(size=quality.shape)
        own = pd.DataFrame({"item": np.repeat(facts["item"].to_numpy(), aspects)})
        own["judge"] = f"judge {number + 1}"
        own["aspect"] = [f"aspect {place}" for place in np.tile(np.arange(aspects), items)]
        said.append(own.assign(score=np.clip(np.round(4 + heard), 1, 7).ravel()))
    if aspects == 1:
        table = table.drop(columns="aspect")
        said = [own.drop(columns="aspect") for own in said]
    return Ratings(facts, table, "simulated"), pd.concat(said, ignore_index=True)


def run_one(name):
    """Make the card of one size, and print seconds, MB and what is said of a sample."""
    *size, most = SIZES[name]
    data, scores = simulate(*size)
    begun, worked = time.perf_counter(), time.process_time()
    import goodjudge as gj

    card = gj.make_card(data, scores)
    seconds = time.perf_counter() - begun
    worked = time.process_time() - worked
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sampled = next((one.what for one in card.cautions if "sample" in one.what), "")
    print(f"{name}: {seconds:.1f} s (at most {most}; {worked:.1f} s of work), {memory:.0f} MB")
    if sampled:
        print(sampled)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run_one(sys.argv[1])
    else:
        for size in SIZES:
            subprocess.run([sys.executable, __file__, size], check=True)
