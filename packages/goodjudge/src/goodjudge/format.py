"""Numbers as text, and tables in one order on every machine."""


def format_interval(estimate, low=None, high=None, digits=2):
    """Return 'estimate [low, high]' as text, from three numbers or from a row with these names;
    'no limit' for what is infinite, 'not known' for nan, and an estimate alone where there is no
    interval."""
    if low is None:
        estimate, low, high = (estimate[name] for name in ("estimate", "low", "high"))
    if estimate != estimate:
        return "not known"
    if low != low or high != high:
        return f"{estimate:z.{digits}f} (no interval)"
    text = f"{estimate:z.{digits}f} [{low:z.{digits}f}, {high:z.{digits}f}]"
    return text.replace("inf", "no limit")


def format_range(values, digits=2):
    """Return the least and the largest of some numbers as text: '0.12 to 0.34'."""
    return f"{min(values):z.{digits}f} to {max(values):z.{digits}f}"


def rank(table, by, *ties, ascending=False):
    """Return `table` by column `by` (ten decimals), largest first, then `ties`, then as it was."""

    def even(column):
        return column.round(10) if column.dtype.kind == "f" else column

    return table.sort_values([by, *ties], ascending=[ascending] + [True] * len(ties), key=even)
