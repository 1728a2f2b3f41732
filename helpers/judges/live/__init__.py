"""A judge that answers now: one run of many calls, providers, addresses, a local server."""
