"""Find reference stories: the reader's own copies of the New Yorker texts, checked, and the stories written for this project."""


import pandas as pd
import yaml

from helpers.sources.public import ROOT
from helpers.sources.published import Printed

NEAR = 0.1  # a copy may differ from the printed word count by a tenth (front matter, another way of counting)


class StoryError(ValueError):
    """A story file cannot be used; the message names the file and what to do."""


def plain(title):
    """Return a title without case, spaces and punctuation ('Barbara,Detroit,1996' and 'barbara detroit 1996' are the same)."""
    return "".join(c for c in str(title).casefold() if c.isalnum())


def load_references(folder, titles, counts=None):
    """Return {group: text} from a folder with one .txt or .md file a story, named by its title.

    titles: {group: title}; counts: {title as printed: words}, refbased_v2's Table 3 unless given. Groups without a file
    are left out. Raises StoryError for a folder that does not exist or has no story, a name that is no title, two
    files for one title, an empty file and a text whose length is far from the printed one.
    """
    folder = ROOT / folder
    if not folder.is_dir():
        raise StoryError(f"references={str(folder)!r} is not a folder; give the folder that holds your copies of the stories")
    if counts is None:
        counts = Printed("refbased_v2").grid("Table 3")["New Yorker"].to_dict()
    groups, words = {plain(t): g for g, t in titles.items()}, {plain(t): n for t, n in counts.items()}
    found, names = {}, {}
    for path in sorted(p for p in folder.iterdir() if p.suffix in (".txt", ".md")):
        key = plain(path.stem)
        if key not in groups:
            raise StoryError(f"{path.name}: no story has this title; expected one of {'; '.join(titles.values())}")
        if groups[key] in found:
            raise StoryError(f"{path.name}: {names[key]} is the same story; keep one of the two files")
        text = path.read_text(encoding="utf8", errors="replace").strip()
        n, printed = len(text.split()), words.get(key)
        if not n:
            raise StoryError(f"{path.name}: the file is empty; paste the story's text into it")
        if printed and abs(n - printed) > NEAR * printed:
            raise StoryError(f"{path.name}: {n} words, but {printed:.0f} are printed for this story; check that the file holds "
                                 "the whole story and nothing else")
        found[groups[key]], names[key] = text, path.name
    if not found:
        raise StoryError(f"references={str(folder)!r} holds no .txt or .md file named by a story's title")
    return dict(sorted(found.items()))


def load_own_stories(folder=ROOT / "data" / "stories"):
    """Return the stories written for this project: group, writer, craft (3 careful to 0), text, words; checked.

    stories.yaml lists them; raises StoryError for a missing file, a group without its careful story, or a length that is
    not 250-400 words.
    """
    folder, rows = ROOT / folder, []
    entries = yaml.safe_load((folder / "stories.yaml").read_text(encoding="utf8"))
    for group in entries["groups"]:
        for craft in ("careful", "plain", "told", "broken"):
            path = folder / f"{group}-{craft}.txt"
            if not path.is_file():
                raise StoryError(f"{path.name} is missing from {folder.name}; stories.yaml lists group {group}")
            text = path.read_text(encoding="utf8").strip()
            rows.append((group, craft, {"careful": 3, "plain": 2, "told": 1, "broken": 0}[craft], text, len(text.split())))
    table = pd.DataFrame(rows, columns=["group", "writer", "craft", "text", "words"])
    odd = table[~table["words"].between(250, 400)]
    if len(odd):
        row = odd.iloc[0]
        raise StoryError(f"{row['group']}-{row['writer']}.txt: {row['words']} words; expected 250 to 400")
    return table
