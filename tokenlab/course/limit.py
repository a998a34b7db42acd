"""Runs what a learner wrote: it comes back, with a value or with an error."""
import io
import sys

STEPS, PRINTED = 1_000_000, 10_000_000          # lines and characters


class Endless(BaseException):
    """Raised inside a function that has run or printed too much; `except Exception` does not catch it."""


def attempt(function, *args, steps=STEPS):
    """Return (value, None) or (None, error) of function(*args), whatever it raises; only the stop button goes through.

    After `steps` executed lines, or 10 MB of printing (which is not shown), the error is Endless. Lines are counted by
    Python's tracing, in this thread only and without a clock, so that the outcome is the same on every machine. Only the
    kernel's stop or restart button ends a long call of a built-in function, a loop that catches Endless with a bare
    `except:`, and under Python 3.11 `while True: pass` on one line. A debugger that traces already is left alone: then
    lines are not counted.

    >>> attempt(len, "abc"), attempt(int, "abc")
    ((3, None), (None, ValueError("invalid literal for int() with base 10: 'abc'")))
    """
    left, before, out = steps, sys.gettrace(), sys.stdout

    def count(frame, event, arg):
        nonlocal left
        left -= 1
        if left < 0:
            raise Endless(f"{steps:,} lines")
        return count

    try:
        sys.stdout = _Printed()
        sys.settrace(before or count)
        return function(*args), None
    except KeyboardInterrupt:
        raise
    except BaseException as error:      # noqa: BLE001 - SystemExit and Endless, too
        return None, error
    finally:                            # the stop button may be pressed here, too; it acts at calls: no `with`, and one call, the last
        sys.stdout = out
        sys.settrace(before)


class _Printed(io.TextIOBase):
    """Takes what is printed, up to a limit: dozens of cases would print far too much."""
    room = PRINTED

    def write(self, text):
        """Drop a text, as print writes it."""
        self.room -= len(text)
        if self.room < 0:
            raise Endless(f"{PRINTED:,} printed characters")
        return len(text)
