"""Runs what a learner wrote: it always comes back, with a value or with an error."""
import sys

STEPS = 1_000_000


class Endless(BaseException):
    """Raised inside a function that has run too many lines; no Exception, so that `except Exception` does not catch it.

    swallowed: called when the exception is gone. That is too early where a bare `except:` has caught it.
    """

    def __init__(self, swallowed):
        self.swallowed = swallowed

    def __del__(self):
        self.swallowed()


def attempt(function, *args):
    """Return (value, None) or (None, error) of function(*args), whatever it raises; only the stop button goes through.

    >>> attempt(len, "abc"), attempt(int, "abc")
    ((3, None), (None, ValueError("invalid literal for int() with base 10: 'abc'")))
    """
    try:
        return limited(function, args), None
    except KeyboardInterrupt:
        raise
    except BaseException as error:      # noqa: BLE001 - SystemExit and Endless, too
        return None, error


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
            raise Endless(again)            # which also ends the tracing
        return count

    def again():
        frame = sys._getframe(2)
        if left is not None:
            sys.settrace(count)
            while frame and frame.f_code is not limited.__code__:
                frame.f_trace = count
                frame = frame.f_back

    sys.settrace(count)
    try:
        return function(*args)
    finally:
        left = None
        sys.settrace(None)
