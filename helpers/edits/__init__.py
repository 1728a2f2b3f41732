"""A sixth data set: paragraphs by a model, and what editors made of them."""
