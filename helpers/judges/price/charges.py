"""What a reply cost, also when another model, tier or region answered than was asked for."""

from helpers.judges.price import prices

PRICED = ("input_tokens", "output_tokens", "cached_tokens", "written_tokens")
UNUSUAL = 2  # times its price, the most that a provider takes for another tier, region or speed


def usd_of(billed, call, known, most, size):
    """Return the USD of a Charge, or of True (`most`) or False (0).

    known: {model: price}; size: tokens that the request can have at most. A model that was not
    asked for is billed at the dearer of both prices, an unknown one at the dearest known and at
    `most` at least; so is a reply that names a tier, region or speed that nobody asked for.
    """
    if isinstance(billed, bool):
        return billed * most
    served, same = billed.served.rsplit("/", 1)[-1].lower(), same_model(call.model, billed.served)
    names = {served, prices.DATED.sub("", served), call.model} & set(known)
    strange = not same and names == {call.model}
    lines = [known[name] for name in (known if strange else names)]
    if billed.output_tokens is None:
        usd = max(prices.most(line, size, call.max_tokens) for line in lines)
    else:
        counts = [getattr(billed, name) for name in PRICED]
        usd = max(prices.cost(line, *counts, hour_tokens=billed.hour_tokens) for line in lines)
    if billed.unasked:
        usd *= UNUSUAL
    worst = strange or billed.unasked or billed.output_tokens is None
    return max(usd, most) if worst else usd


def same_model(asked, served):
    """Return whether the model asked for answered: by its name, or with a date."""
    names = [name.rsplit("/", 1)[-1].lower() for name in (asked, served)]
    bare = [prices.DATED.sub("", name) for name in names]
    dates = [name.removeprefix(stem)[2:] for name, stem in zip(names, bare)]
    dated = [any(c.isdigit() for c in date) for date in dates]
    return names[0] == names[1] or (bare[0] == bare[1] and not all(dated))


def find_known(provider, model):
    """Return ({name: price} of all models of a provider, the dearest of those that may answer for
    one: its dated names)."""
    asked = prices.find_price(provider, model)
    known = {model: asked}
    if provider != "local":
        known |= prices.read_prices(provider)
    found = [price for name, price in known.items() if name == model or same_model(model, name)]
    dear = {name: max(price[name] for price in found) for name in prices.NUMBERS}
    starts = [price["long_from"] for price in found if price["long_from"]]
    return known, asked | dear | {"long_from": min(starts, default=0)}
