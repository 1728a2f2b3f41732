"""What a reply cost, also when another model, tier or region answered than was asked for.

A reply says itself what it cost: which model served it, how many tokens went in and out
(`replies.Charge`). It is never believed to our advantage, so that the budget holds:

| the reply names                               | it is booked at                            |
|-----------------------------------------------|--------------------------------------------|
| the model that was asked for, or one dated so | its price, the dearer of two               |
| another model with a known price              | the dearer of both prices                  |
| a model that nobody knows                     | the dearest known price; the worst or more |
| an impossible number of tokens                | the worst                                  |
| a tier, region or speed that nobody asked for | twice its price; the worst or more         |

*The worst* is the most that the request can cost, which was set aside before it was sent.
"""

from goodjudge.ask import prices

COUNTS = ("input_tokens", "output_tokens", "cached_tokens", "written_tokens", "hour_tokens")
UNUSUAL = 2  # times its price, the most that a provider takes for another tier, region or speed


def usd_of(billed, call, known, most, size):
    """Return the USD of one request.

    billed: what its reply says, a Charge; True if nobody can say what it cost (the worst), False if
    it was surely not billed. known: {model: price}. most: USD that the request can cost at the
    worst; size: tokens that it can have at most.
    """
    if billed is True:
        return most
    if billed is False:
        return 0.0
    usd = max(price_reply(billed, price, call, size) for price in list_prices(billed, call, known))
    if billed.unasked:
        usd *= UNUSUAL
    is_doubtful = (
        is_unknown(billed.served, call.model, known)
        or billed.output_tokens is None
        or billed.unasked
    )
    return max(usd, most) if is_doubtful else usd


def price_reply(billed, price, call, size):
    """Return the USD of a Charge at one price: of its tokens, or of all that there can be where
    their number is not known."""
    if billed.output_tokens is None:
        return prices.most(price, size, call.max_tokens)
    counts = {name: getattr(billed, name) for name in COUNTS}
    return prices.cost(price, **counts)


def list_prices(billed, call, known):
    """Return the prices that may be the one of a Charge: of the model asked for and of the one that
    served it, with its date and without; all of them if nobody knows that one."""
    if is_unknown(billed.served, call.model, known):
        return [*known.values()]
    served = bare_name(billed.served)
    names = {call.model, served, prices.undated(served)}
    return [price for name, price in known.items() if name in names]


def is_unknown(served, asked, known):
    """Return whether a model that served is neither the one asked for nor another with a price."""
    name = bare_name(served)
    others = known.keys() - {asked}
    is_other_known = name in others or prices.undated(name) in others
    return not is_other_known and not same_model(asked, served)


def same_model(asked, served):
    """Return whether the model asked for answered: by its name, or with a date. gpt-4o-2024-08-06
    answers for gpt-4o, but not for gpt-4o-2024-05-13, and gpt-4o-mini for neither."""
    asked_name = bare_name(asked)
    served_name = bare_name(served)
    if asked_name == served_name:
        return True
    if prices.undated(asked_name) != prices.undated(served_name):
        return False
    return not (has_date(asked_name) and has_date(served_name))


def bare_name(model):
    """Return a model's name in lower case, without what stands before a slash."""
    return model.rsplit("/", 1)[-1].lower()


def has_date(name):
    """Return whether a model's name ends with a date: -2024-08-06, not -latest or -0."""
    ending = name.removeprefix(prices.undated(name))
    return any(character.isdigit() for character in ending[2:])


def find_known(provider, model):
    """Return ({name: price} of all models of a provider, the worst price of those that may answer
    for one: its dated names)."""
    asked = prices.find_price(provider, model)
    known = {model: asked}
    if provider != "local":
        known |= prices.read_prices(provider)
    possible = [price for name, price in known.items() if same_model(model, name)]
    return known, asked | take_dearest(possible)


def take_dearest(possible):
    """Return the numbers of a price that no one of `possible` exceeds: the highest of each, and the
    earliest from which a request counts as long (0: none does)."""
    dearest = {name: max(price[name] for price in possible) for name in prices.NUMBERS}
    starts = [price["long_from"] for price in possible if price["long_from"]]
    dearest["long_from"] = min(starts, default=0)
    return dearest
