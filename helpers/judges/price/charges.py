"""What a reply cost, also when another model, tier or region answered than was asked for."""

from helpers.judges.price import prices

COUNTS = ("input_tokens", "output_tokens", "cached_tokens", "written_tokens", "hour_tokens")
UNUSUAL = 2  # times its price, the most that a provider takes for another tier, region or speed


def usd_of(billed, call, known, most, size):
    """Return the USD of a Charge, or of True (`most`) or False (0).

    known: {model: price}; most: USD that the request can cost; size: tokens that it can have at
    most. A model that was not asked for is billed at the dearer of both prices, an unknown one at
    the dearest known and at `most` at least; so is a reply that names a tier, region or speed that
    nobody asked for.
    """
    if billed is True:
        return most
    if billed is False:
        return 0.0
    served = billed.served.rsplit("/", 1)[-1].lower()
    names = {served, prices.DATED.sub("", served), call.model} & set(known)
    unknown_model = names == {call.model} and not same_model(call.model, billed.served)
    lines = [known[name] for name in (known if unknown_model else names)]
    if billed.output_tokens is None:
        usd = max(prices.most(line, size, call.max_tokens) for line in lines)
    else:
        counts = {name: getattr(billed, name) for name in COUNTS}
        usd = max(prices.cost(line, **counts) for line in lines)
    if billed.unasked:
        usd *= UNUSUAL
    if unknown_model or billed.unasked or billed.output_tokens is None:
        return max(usd, most)
    return usd


def same_model(asked, served):
    """Return whether the model asked for answered: by its name, or with a date."""
    asked_name = asked.rsplit("/", 1)[-1].lower()
    served_name = served.rsplit("/", 1)[-1].lower()
    if asked_name == served_name:
        return True
    if prices.DATED.sub("", asked_name) != prices.DATED.sub("", served_name):
        return False
    return not (has_date(asked_name) and has_date(served_name))


def has_date(name):
    """Return whether a model's name ends with a date, such as -2024-08-06."""
    ending = name.removeprefix(prices.DATED.sub("", name))
    return any(character.isdigit() for character in ending[2:])


def find_known(provider, model):
    """Return ({name: price} of all models of a provider, the dearest of those that may answer for
    one: its dated names)."""
    asked = prices.find_price(provider, model)
    known = {model: asked}
    if provider != "local":
        known |= prices.read_prices(provider)
    possible = [price for name, price in known.items() if same_model(model, name)]
    dearest = {name: max(price[name] for price in possible) for name in prices.NUMBERS}
    starts = [price["long_from"] for price in possible if price["long_from"]]
    dearest["long_from"] = min(starts, default=0)
    return known, asked | dearest
