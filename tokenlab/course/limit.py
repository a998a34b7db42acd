"""Runs what a learner wrote: it always comes back, with a value or with an error."""
import contextlib
import io
import sys

STEPS, PRINTED = 1_000_000, 10_000_000          # lines and characters


class _Unlisted(type):
    """A kind of exception that `except BaseException` does not catch: what it looks for is not among its ancestors."""

    def mro(cls):
        return [ancestor for ancestor in super().mro() if ancestor is not BaseException]


class Endless(BaseException, metaclass=_Unlisted):
    """Raised inside a function that has run or printed too much; only a bare `except:` catches it, or its name.

    spent: what it was stopped after. swallowed: called when the exception is gone, too early where it was caught.
    """

    def __init__(self, swallowed, spent):
        self.swallowed, self.spent = swallowed, spent

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
    except (BaseException, Endless) as error:       # noqa: BLE001 - SystemExit, too
        return None, error


def limited(function, args, steps=STEPS):
    """Return function(*args), and end it with Endless after about `steps` executed lines or 10 MB of printing, which is not shown.

    Lines are counted by Python's tracing, in this thread only and without a clock, so that the outcome is the same on
    every machine. Where no line ends, only the kernel's stop button helps: in a long call of a built-in function, and
    under Python 3.11 in `while True: pass` on one line. Where a debugger or a coverage tool traces already, it is left
    alone and nothing is limited.

    >>> limited(len, ["abc"])
    3
    """
    if sys.gettrace() is not None:
        with contextlib.redirect_stdout(_Printed(lambda length: None)):
            return function(*args)
    left, room, spent = steps, PRINTED, f"{steps:,} lines"

    def count(frame, event, arg):
        nonlocal left
        left -= 1
        if left < 0:
            raise Endless(again, spent)     # which also ends the tracing
        return count

    def printed(length):
        nonlocal left, room, spent
        room -= length
        if room < 0 <= left:
            left, spent = 0, f"{PRINTED:,} printed characters"      # so that the next line is one too many

    def again():
        if left is None:                    # all is over, perhaps the interpreter, too
            return
        frame = sys._getframe(2)
        sys.settrace(count)
        while frame and frame.f_code is not limited.__code__:
            frame.f_trace = count
            frame = frame.f_back

    with contextlib.redirect_stdout(_Printed(printed)):
        sys.settrace(count)
        try:
            return function(*args)
        finally:                            # before the redirection ends, which must not be stopped
            left = None
            sys.settrace(None)


class _Printed(io.TextIOBase):
    """Takes what is printed and tells its length: dozens of cases would print far too much."""

    def __init__(self, tell):
        self.tell = tell

    def write(self, text):
        """Drop a text, as print writes it."""
        self.tell(len(text))
        return len(text)
