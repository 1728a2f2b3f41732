"""Names of texts, raters, criteria and columns: one spelling of each, and which are the same."""

import re
import unicodedata
from collections.abc import Iterable

INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
CJK = re.compile("[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
NO_BLANKS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")  # Thai, Lao, Burmese, Khmer
MOST_UNMATCHED = 0.2  # share of the texts that may lack a counterpart where names differ
LETTERS_OF_A_WORD = 5  # in scripts without blanks, on average
ENDING = re.compile(r"\.(txt|md|docx?|pdf|html?|json|csv)$")


def tidy_name(name: str) -> str:
    """Return a name in one spelling: single blanks, accents composed, no invisible characters.

    >>> tidy_name("  Ann   Lee ")
    'Ann Lee'
    """
    if name.isascii() and name.isalnum():
        return name
    return " ".join(unicodedata.normalize("NFC", name).translate(INVISIBLE).split())


def fold_digits(text: str) -> str:
    """Return a text with the digits of any script as 0 to 9.

    >>> fold_digits("٧٫٥")
    '7.5'
    """
    if text.isascii():
        return text
    folded = []
    for sign in text:
        digit = unicodedata.decimal(sign, None)
        folded.append(sign if digit is None else str(digit))
    return "".join(folded).replace("٫", ".").replace("．", ".").replace("，", ",").replace("−", "-")


def make_key(name: str) -> str:
    """Return what two spellings of one name share: capitals, digits of other scripts, leading zeros
    of a number and a spreadsheet's .0 do not count.

    >>> make_key("IRA") == make_key("ira"), make_key("007"), make_key("7.0")
    (True, '7', '7')
    """
    key = fold_digits(tidy_name(name)).casefold()
    if re.fullmatch(r"\d+(\.0+)?", key):
        key = key.partition(".")[0].lstrip("0") or "0"
    return key


def make_loose_key(name: str) -> str:
    """Return what two names share that differ in a file's ending, _ - or blanks, or zeros as well.

    >>> make_loose_key("Story_01.txt") == make_loose_key("story 1")
    True
    """
    key = re.sub(r"[\W_]+", " ", ENDING.sub("", make_key(name))).strip()
    key = re.sub(r"(?<=[^\W\d])(?=\d)", " ", key)
    return re.sub(r"(?<!\d)0+(?=\d)", "", key)


def match_names(names: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Return {name: the known name that it is}: spelt alike, else alike but for what `make_key` or
    `make_loose_key` leaves out, where only one name and only one known name can be meant.

    >>> match_names(["60", "t02.txt"], ["0060", "T02"])
    {'60': '0060', 't02.txt': 'T02'}
    """
    known = list(dict.fromkeys(known))
    there = set(known)
    found = {name: name for name in names if name in there}
    for key in (make_key, make_loose_key):
        of_key, free = {}, {}
        for name in known:
            of_key.setdefault(key(name), []).append(name)
        for name in dict.fromkeys(names):
            if name not in found:
                free.setdefault(key(name), []).append(name)
        for shared, spelt in free.items():
            meant = of_key.get(shared, [])
            if len(meant) == 1 and (len(spelt) == 1 or key is make_key):
                found |= dict.fromkeys(spelt, meant[0])
    return found


def simplify(name: str) -> str:
    """Return a column's name in small letters, with _ between its words.

    >>> simplify("WorkerId"), simplify("Your name:")
    ('worker_id', 'your_name')
    """
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return re.sub(r"[\W_]+", "_", name.casefold()).strip("_")


def count_words(text: str) -> int:
    """Return the number of words of a text.

    Each Chinese or Japanese character counts as one, and in Thai, Lao, Burmese and Khmer, which are
    written without blanks, every five letters.

    >>> count_words("A short tale.")
    3
    """
    letters = 0
    if not text.isascii():
        text = CJK.sub(r" \g<0> ", text)
        letters = sum(unicodedata.category(sign) == "Lo" for sign in NO_BLANKS.findall(text))
        text = NO_BLANKS.sub(" ", text) if letters else text
    return len(text.split()) + -(-letters // LETTERS_OF_A_WORD)


def list_some(names: Iterable, most: int = 6) -> str:
    """Return names in one line, of many the first and how many there are.

    >>> list_some("abcdefgh", 3)
    'a, b, c … (8 in all)'
    """
    names = [str(name) for name in names]
    more = f" … ({len(names):,} in all)" if len(names) > most else ""
    return ", ".join(f"{name:.60}" for name in names[:most]) + more


def list_rows(rows: Iterable[int], most: int = 8) -> str:
    """Return numbers of rows in words.

    >>> list_rows([3]), list_rows([3, 5, 9], 2)
    ('row 3', 'rows 3, 5 … (3 in all)')
    """
    rows = list(dict.fromkeys(rows))
    return f"row{'s' * (len(rows) != 1)} {list_some(rows, most)}"
