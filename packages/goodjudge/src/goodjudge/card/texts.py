"""Names and numbers as text, safe to show, whatever a file called them."""

import math
import unicodedata

LONGEST = 300  # letters of a name that a page shows
LETTERS = 40  # of a name in a picture or in a terminal
RUN = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # such cells are run
# letters that turn the direction of all that follows them
TURNS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F])


def clean(text, longest=LONGEST):
    """Return a text that any file and any page can hold: no control letters, no half of a pair of
    code units, nothing that turns the direction of reading, at most `longest` letters."""
    shown = []
    for letter in str(text).translate(TURNS):
        kind = unicodedata.category(letter)
        if kind == "Cs":
            letter = "\ufffd"
        elif kind == "Cc":
            letter = " "
        shown.append(letter)
        if len(shown) > longest:
            break
    return cut("".join(shown).strip(), longest)


def cut(text, longest=LETTERS):
    """Return a text of at most `longest` letters, with … for what is left out."""
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"


def disarm(value):
    """Return a cell for a CSV file: a text that a spreadsheet would run gets a ' before it.

    >>> disarm("=1+1"), disarm("ada"), disarm(-0.5)
    ("'=1+1", 'ada', -0.5)
    """
    if not isinstance(value, str):
        return value
    text = clean(value)
    return f"'{text}" if value.startswith(RUN) or text.startswith(RUN) else text


def is_known(number):
    """Return whether a number is there: not None, not nan."""
    return number is not None and number == number


def show_number(number, digits=2):
    """Return a number as text: whole ones as they are, others with two digits.

    >>> show_number(2560), show_number(0.7412), show_number(float("nan")), show_number(-0.001)
    ('2,560', '0.74', '', '0.00')
    """
    if not is_known(number):
        return ""
    number = float(number)
    if math.isinf(number):
        return "no limit"
    if number == int(number) and abs(number) >= 2:
        return f"{int(number):,}"
    return f"{number:z.{digits}f}"


def show_interval(estimate, low, high, digits=2):
    """Return "estimate [low, high]" as text.

    >>> show_interval(0.741, 0.69, 0.78), show_interval(0.5, float("nan"), float("nan"))
    ('0.74 [0.69, 0.78]', '0.50, no interval')
    """
    if not is_known(estimate):
        return "not known"
    if not (is_known(low) and is_known(high)):
        return f"{estimate:z.{digits}f}, no interval"
    ends = ["no limit" if math.isinf(end) else f"{end:z.{digits}f}" for end in (low, high)]
    return f"{estimate:z.{digits}f} [{ends[0]}, {ends[1]}]"
