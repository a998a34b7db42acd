"""numpy, imported when something of it is used for the first time: encoding, and one word at a time, do without it."""
from ..errors import package


def __getattr__(name):
    globals()[name] = found = getattr(package("numpy", "what Unigram computes over all words at once"), name)
    return found
