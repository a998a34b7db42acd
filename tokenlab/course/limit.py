"""Ends a call that does not end by itself."""
import sys

STEPS = 1_000_000


class Endless(BaseException):
    """Raised inside a function that has run too many lines; no Exception, so that `except Exception` does not catch it."""


def limited(function, args, steps=STEPS):
    """Return function(*args), and end it with Endless after about `steps` executed lines.

    Lines are counted by Python's tracing, in this thread only and without a clock, so that the outcome is the same on
    every machine. Where no line ends, only the kernel's stop button helps: in a long call of a built-in function, and
    under Python 3.11 in `while True: pass` on one line. Where a debugger or a coverage tool traces already, it is left
    alone and nothing is limited.

    >>> limited(len, ["abc"])
    3
    """
    if sys.gettrace() is not None:
        return function(*args)
    left = steps

    def count(frame, event, arg):
        nonlocal left
        left -= 1
        if left < 0:
            raise Endless
        return count

    sys.settrace(count)
    try:
        return function(*args)
    finally:
        sys.settrace(None)
