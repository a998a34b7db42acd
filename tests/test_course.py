"""The course room: what checks, predictions, quizzes and the environment say, and that what they store is the same everywhere."""
import contextlib
import importlib
import pathlib
import re
import subprocess
import sys
import tomllib
import unicodedata
from importlib import metadata
from itertools import pairwise

import pytest

from tokenlab import bpe, corpora, course, pretrained, views
from tokenlab.course import checks, lesson2, lessons, limit, needs, predictions, show, words
from tokenlab.course.lesson1 import FAMILY
from tokenlab.course.quizzes import Quiz
from tokenlab.widgets.explorer import WIDGET

EXERCISES = {id: exercise for number in lessons.numbers() for id, exercise in lessons.exercises(number).items()}
PREDICTIONS = [f"{number}.{key}" for number in lessons.numbers() for key in words.lesson(number).prediction]
FUNCTIONS = [id for id, exercise in EXERCISES.items() if isinstance(exercise, checks.Exercise)]
QUIZZES = [n for n in lessons.numbers() if words.lesson(n).quiz]
QUESTIONS = [(n, question) for n in QUIZZES for question in words.lesson(n).quiz]
DOUBLE = checks.Exercise("double", lambda items: items * 2, [([1, 2, 3],), ([],), ([1],), (list(range(10_000)),)],
                         {"same": lambda items: items, "crash": lambda items: items[0]})
TASK = words.Task("The general hint.", hints={"same": "The hint for the same.", "crash": "The hint for crashes."})


class Unshowable:
    def __repr__(self):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")


def task(id):
    number, key = id.split(".")
    return words.lesson(int(number)).exercise[key]


def double(answer):
    return DOUBLE.check("0.1", answer, TASK)


def text_of(html):
    return re.sub("<[^>]*>", "", html)


# ---- checks

def test_an_exercise_that_is_not_begun_is_neither_right_nor_wrong():
    for id in FUNCTIONS:
        stub = course.check(id, lambda *args: ...)
        assert (stub.passed, stub.started, stub.message) == (False, False, "Not started yet."), id
        assert repr(stub) == f"○ {id} Not started yet.\n    Replace the ... with your answer, run that cell, then run this one again."
    for id in EXERCISES:
        assert not course.check(id, ...).started


def changes_its_argument(ids, pair, new_id):
    ids.append(1)
    return ids[:-1]


@pytest.mark.parametrize("id, answer, said", [
    ("9.2", lambda v, d, tied: float(v * d), "Your function returned a float; it should return an int."),
    ("5.5", lambda history: 1, "Your function returned an int; it should return a bool."),
    ("2.2", lambda ids, pair, new_id: [float(i) for i in ids], "Your function returned a list with a float; it should return a list with an int."),
    ("1.1", lambda s: [1.0 for _ in s], "Your function returned a list with a float; it should return a list with an int."),
    ("2.2", changes_its_argument, "The result is right, but your function changed its argument. Build a new object instead."),
])
def test_a_mistake_is_known_by_its_types_and_its_arguments_too(id, answer, said):
    assert course.check(id, answer).hint == said


class Unreadable(str):
    def __repr__(self):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = str.__hash__


@pytest.mark.parametrize("id, value, said", [
    ("7.2", {Unreadable("x")}, "RuntimeError: no"), ("7.5", dict.fromkeys("abcdef", Unreadable("x")), "RuntimeError: no"),
    ("8.4", {"a b a b": 10 ** 400, "ab a b": 1 - 10 ** 400, "a b ab": 0, "ab ab": 0, "abab": 0}, "OverflowError"),
])
def test_a_value_that_cannot_be_looked_at_gets_an_answer(id, value, said):
    assert not course.check(id, value).passed and said in course.check(id, value).hint


def test_an_error_that_cannot_be_told_is_named():
    class Mute(Exception):
        def __str__(self):
            raise ValueError

    def answer(*args):
        raise Mute

    assert course.check("1.1", answer).got == "Mute: "


@pytest.mark.parametrize("id", FUNCTIONS)
def test_the_reference_passes_and_each_known_mistake_gets_its_own_hint(id):
    exercise = EXERCISES[id]
    right = course.check(id, exercise.reference)
    assert right.passed and right.hint == "" and repr(right) == f"✓ {id} Right. It passes all {len(exercise.cases)} cases, nasty ones included."
    assert task(id).hint and list(exercise.mistakes) == list(task(id).hints)
    for key in exercise.mistakes:
        for mistaken in exercise.mistaken(key):
            wrong = course.check(id, mistaken)
            assert not wrong.passed and wrong.hint == task(id).hints[key], key
            assert show.inline(wrong.hint) in wrong.html()


@pytest.mark.parametrize("id, answer, key", [
    ("2.4", 1113, "unmerged"), ("2.4", 1065, "one_each"), ("2.4", 400, "low"), ("2.4", 900, "high"), ("2.4", 611, "low"), ("2.4", 749, "high"),
    ("2.5", "abc", "length"), ("2.5", "", "length"), ("2.5", "abc abc", "letters"), ("2.5", "éabcbca", "letters"), ("2.5", "XYZYZXY", "letters"), ("2.5", "abcbcab", "seen"), ("2.5", "abcdefg", "once"),
    ("2.5", "zyxwvut", "once"), ("2.5", "aaaaaaa", "no_tie"), ("2.5", "zyxyxzy", "same_pair")])
def test_a_wrong_value_gets_the_hint_for_it(id, answer, key):
    found = course.check(id, answer)
    pattern = re.sub(r"\\\{\w+\\\}", r"[\\w,]+", re.escape(task(id).hints[key]))
    assert not found.passed and re.fullmatch(pattern, found.hint), found
    assert found.expected == task(id).wanted


@pytest.mark.parametrize("id, answer", [("2.4", 612), ("2.4", 680), ("2.4", 748.0), ("2.5", "xyzyzxy"), ("2.5", "abababa")])
def test_a_right_value_passes_and_hears_the_truth(id, answer):
    found = course.check(id, answer)
    assert found.passed and found.message == {"2.4": "Right. The exact number is 680.", "2.5": "Right."}[id]


def test_the_numbers_that_the_exercise_values_rest_on():
    trace = bpe.train_naive(lesson2.passage(), vocab_size=306, pattern="none")
    assert (trace.lengths[0], trace.lengths[50]) == (1113, 680)


def test_the_smallest_failing_input_is_shown_with_what_was_expected_and_what_came():
    found = double(lambda items: items * 2 if len(items) < 2 else items)
    assert (found.case, found.expected, found.got) == ("double([1, 2, 3])", "[1, 2, 3, 1, 2, 3]", "[1, 2, 3]")
    assert found.hint == "The general hint." and found.message == "Not yet."
    assert repr(found).split("\n") == ["✗ 0.1 Not yet.", "    tried     double([1, 2, 3])", "    expected  [1, 2, 3, 1, 2, 3]",
                                       "    you gave  [1, 2, 3]", "    Hint: The general hint."]
    for piece in (found.case, found.expected, found.got, found.hint):
        assert piece in text_of(found.html())


def generator(items):
    yield from items * 2


def test_a_result_that_no_known_mistake_explains_in_full_gets_the_general_hint():
    assert double(lambda items: items if len(items) != 1 else [7]).hint == "The general hint."
    assert double(lambda items: items if len(items) > 1 else items * 2).hint == "The general hint.", "it differs where it is right, too"
    assert double(lambda items: [1 / 0] if not items else items[0]).hint == "The general hint.", "an error of another kind"


def test_hints_are_not_given_to_those_who_did_something_else():
    high, one = task("1.2").hints["high"], task("1.5").hints["one"]
    assert course.check("1.2", lambda data: len(data.decode("utf-8", "replace"))).hint == task("1.2").hints["replace"] != high
    assert course.check("1.5", lambda s: cp1252(s)).hint == task("1.5").hints["cp1252"] != one


def cp1252(s):
    try:
        return s.encode("cp1252").decode()
    except UnicodeError:
        return s


def test_what_must_be_refused_comes_last():
    def unmasked_and_never_refusing(cp):
        return bytes([cp]) if cp < 0x80 else bytes([0xC0 | cp >> 6, 0x80 | cp]) if cp < 0x800 else chr(cp).encode("utf-8", "surrogatepass")
    found = course.check("1.3", unmasked_and_never_refusing)
    assert found.case == "encode_utf8(0xe9)" and found.hint == task("1.3").hint

    def nothing_beyond(cp):
        return EXERCISES["1.3"].reference(cp if cp < 0x110000 else 0)
    found = course.check("1.3", nothing_beyond)
    assert (found.case, found.got, found.hint) == ("encode_utf8(0x110000)", r"b'\x00'", "This input must be refused: raise a ValueError.")


@pytest.mark.parametrize("answer, got, hint", [
    (lambda items: None, "None", "Your function returned `None`. Does every path through it end with `return`? Printing is not returning."),
    (lambda items: tuple(items * 2), "()", "Your function returned a tuple; it should return a list."),
    (lambda items: len(items), "0", "Your function returned an int; it should return a list."),
    (lambda items: [1 / 0], "ZeroDivisionError: division by zero", "The general hint."),
    (lambda items: items[0], "IndexError: list index out of range", "The hint for crashes."),
    (lambda items: iter(items), None, "Your function returned a list_iterator; it should return a list."),
    (generator, None, "Your function returned a generator; it should return a list."),
])
def test_wrong_kinds_of_results_get_clear_words(answer, got, hint):
    found = double(answer)
    assert found.hint == hint and (got is None or found.got == got)


@pytest.mark.parametrize("id, answer, expected, got", [
    ("1.3", lambda cp: bytearray(EXERCISES["1.3"].reference(cp)), "bytes", "a bytearray"),
    ("1.3", lambda cp: bytearray(chr(cp).encode("utf-8", "surrogatepass")), "bytes", "a bytearray"),
    ("1.4", lambda data, n: bytearray(data[:n]), "bytes", "a bytearray"),
    ("1.1", lambda s: [float(len(c.encode())) for c in s], "a list with an int", "a list with a float"),
    ("2.1", lambda ids: {pair: float(count) for pair, count in bpe.count_pairs(ids).items()}, "a dict with an int", "a dict with a float")])
def test_where_the_type_is_wrong_the_hint_says_so_whatever_the_value(id, answer, expected, got):
    assert course.check(id, answer).hint == f"Your function returned {got}; it should return {expected}."


def test_floats_are_compared_but_for_rounding_at_any_depth():
    nested = checks.Exercise("nested", lambda: {"x": [(.1 + .2, "a")], "y": 1e-30}, [()])
    assert nested.check("0.1", lambda: {"x": [(.3, "a")], "y": (1 + 1e-12) * 1e-30}, TASK).passed
    for wrong in ({"x": [(.3 + 1e-8, "a")], "y": 1e-30}, {"x": [(.3, "b")], "y": 1e-30}, {"x": [(.3, "a")], "y": 2e-30},
                  {"x": [(.3, "a")], "z": 1e-30}, {"x": [(.3, "a")] * 2, "y": 1e-30}):
        assert nested.check("0.1", lambda wrong=wrong: wrong, TASK).hint == "The general hint."


def test_types_are_compared_at_any_depth():
    nested = checks.Exercise("nested", lambda: [(1, [2])], [()])
    assert nested.check("0.1", lambda: [(True, [2])], TASK).passed              # a bool is an int
    for wrong in ([(1, [2.0])], [(7, [3.0])]):
        assert nested.check("0.1", lambda wrong=wrong: wrong, TASK).hint == (
            "Your function returned a list with a tuple with a list with a float; it should return a list with a tuple with a list with an int.")
    assert nested.check("0.1", lambda: [(1, [3])], TASK).hint == "The general hint."


def test_an_argument_that_was_changed_is_no_right_answer():
    def changing(items):
        items.extend(items)
        return items
    found = double(changing)
    assert found.case == "double([1])" and found.got == "[1, 1], and changed its argument to [1, 1]"
    assert found.hint == words.common().hints.changed


def test_lists_for_tuples_inside_are_named():
    pairs = checks.Exercise("pairs", lambda s: list(pairwise(s)), [("abc",)])
    found = pairs.check("0.1", lambda s: [[a, b] for a, b in pairwise(s)], TASK)
    assert found.hint == "Your function returned a list with a list; it should return a list with a tuple."
    assert pairs.check("0.1", lambda s: [(b, a) for a, b in pairwise(s)], TASK).hint == "The general hint."


def test_a_dict_may_be_any_kind_of_dict():
    assert course.check("2.1", bpe.count_pairs).passed                   # a Counter


def test_errors_that_are_wanted():
    positive = checks.Exercise("root", lambda n: n ** 0.5 if n >= 0 else bpe.train("", vocab_size=n), [(4,), (-1,)])
    assert positive.check("0.1", positive.reference, TASK).passed
    found = positive.check("0.1", lambda n: abs(n) ** 0.5, TASK)
    assert found.case == "root(-1)" and found.expected.startswith("ValueError: ") and found.got == "1.0" and found.hint == "This input must be refused: raise a ValueError."

    def wrong_kind(n):
        return n ** 0.5 if n >= 0 else {}[n]
    assert positive.check("0.1", wrong_kind, TASK).got == "KeyError: -1"


def test_a_loop_without_end_is_stopped():
    def endless(items):
        while True:
            pass
    found = double(endless)
    assert found.hint == words.common().hints.endless and "stopped" in found.got and found.case == "double([])"

    def stubborn(items):
        while True:
            with contextlib.suppress(Exception):        # must not hold the end up
                items.append(len(items))
    assert "stopped" in double(stubborn).got and sys.gettrace() is None
    assert double(lambda items: items * 2).passed


def test_a_recursion_without_end_is_an_error_like_others():
    def deeper(items):
        return deeper(items)
    assert double(deeper).got.startswith("RecursionError")


def test_a_slow_answer_is_right_and_a_far_slower_one_is_told_the_truth():
    def again_from_the_start(ids, pair, new_id):
        i = 0
        while i < len(ids) - 1:
            if (ids[i], ids[i + 1]) == pair:
                ids, i = [*ids[:i], new_id, *ids[i + 2:]], 0
            else:
                i += 1
        return ids

    def one_pair_at_a_time(ids):
        counts = {}
        for i in range(len(ids) - 1):
            counts[ids[i], ids[i + 1]] = 0
            for j in range(len(ids) - 1):
                if ids[j] == ids[i] and ids[j + 1] == ids[i + 1]:
                    counts[ids[i], ids[i + 1]] += 1
        return counts
    assert course.check("2.2", again_from_the_start).passed and course.check("2.1", one_pair_at_a_time).passed
    found = double(lambda items: [sum(n for n in range(k % 100)) for k in items for item in items] and items * 2)
    assert found.got == "no result: stopped after 1,000,000 lines: endless, or very slow" and found.case.startswith("double([0, 1, 2")


def test_printing_without_end_is_stopped():
    def growing(items):
        while True:
            items.append(0)
            print(items)

    before = sys.stdout
    assert double(growing).got == "no result: stopped after 10,000,000 printed characters: endless, or very slow"

    def printing(length):
        return double(lambda items: print("x" * length) or items * 2)
    assert printing(9_999_999).passed and "printed" in printing(10_000_001).got
    assert sys.stdout is before and sys.gettrace() is None


def test_the_interpreter_ends_in_silence_where_an_answer_was_stopped():
    code = """from tokenlab import course
def endless(s):
    while True:
        pass
course.check("1.1", endless)
kept = course.limit.attempt(endless, "")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_the_limit_leaves_a_tracer_alone_and_cleans_up():
    seen = []

    def tracer(frame, event, arg):
        seen.append(event)
    before = sys.gettrace()
    try:
        sys.settrace(tracer)
        assert limit.attempt(lambda: sum(range(10)), steps=1) == (45, None) and sys.gettrace() is tracer
        sys.settrace(None)
        _, error = limit.attempt(lambda: [n for n in range(10_000)], steps=100)
        assert isinstance(error, limit.Endless) and str(error) == "100 lines"
        assert sys.gettrace() is None and seen
    finally:
        sys.settrace(before)


def test_leaving_python_is_an_error_like_others():
    def leaving(items):
        sys.exit("bye")
    assert double(leaving).got == "SystemExit: bye"


def test_the_stop_button_goes_through():
    def stopped(items):
        raise KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        double(stopped)


def test_what_a_function_prints_does_not_flood_the_cell(capsys):
    def talking(items):
        print(items)
        return items * 2
    assert double(talking).passed and capsys.readouterr().out == ""


@pytest.mark.parametrize("answer, words_in", [
    (lambda: 1, "double(items)"), (lambda items, *, more: 1, "double(items)"), ([1, 1], "the function double itself"), (None, "the function double itself")])
def test_what_cannot_be_called_as_the_check_calls_it(answer, words_in):
    found = double(answer)
    assert found.started and not found.passed and words_in in found.expected and found.hint


def test_optional_arguments_and_built_in_functions_are_fine():
    assert double(lambda items, times=2: items * times).passed
    assert checks.Exercise("length", len, [("abc",)]).check("0.1", len, TASK).passed


@pytest.mark.parametrize("id, error, said", [
    ("2.11", ValueError, "did you mean '2.1'"), ("quiz", ValueError, "Allowed: 1.1, 1.2"), (2.1, TypeError, "float 2.1"), (None, TypeError, "NoneType")])
def test_unknown_ids(id, error, said):
    with pytest.raises(error, match=re.escape(said)):
        course.check(id, len)
    with pytest.raises(error):
        course.predict(id)


def test_a_number_of_numpy_is_a_number():
    numpy = pytest.importorskip("numpy")
    assert course.check("2.4", numpy.int64(680)).passed and course.check("2.4", numpy.float64(680)).passed
    assert course.check("2.4", numpy.int64(1113)).hint == task("2.4").hints["unmerged"]
    assert course.check("2.4", numpy.True_).hint.startswith("This is a numpy.bool")
    assert course.check("2.4", numpy.array([680])).hint == "This is a numpy.ndarray; it should be an int or a float."


def test_values_of_the_wrong_type_are_named():
    assert course.check("2.5", 7).hint == "This is an int; it should be a str."
    assert course.check("2.4", "680").hint == "This is a str; it should be an int or a float."
    assert not course.check("2.4", True).passed


# ---- hostile answers

def itself():
    items = []
    items.append(items)
    return items


def raising(error):
    def answer(items):
        raise error
    return answer


@pytest.mark.parametrize("answer, got", [
    (lambda items: "<script>alert(1)</script>", "'<script>alert(1)</script>'"),
    (lambda items: Unshowable(), "a Unshowable that cannot be shown (its repr raises RuntimeError)"),
    (lambda items: [Unshowable()], "a list that cannot be shown (its repr raises RuntimeError)"),
    (lambda items: itself(), "[[...]]"),
    (lambda items: [chr(0xD83D)] * 99, None),
    (raising(ValueError("half \ud83d <b>")), r"ValueError: half \ud83d <b>"),
    (lambda items: "\ud83d", r"'\ud83d'"),
    (lambda items: 10 ** 5000, "an int that cannot be shown (its repr raises ValueError)"),
])
def test_whatever_comes_back_is_shown_as_text(answer, got):
    found = double(answer)
    assert got is None or found.got == got
    assert views.escape(found.got) in found.html() and "<script" not in found.html() and "<b>" not in found.html()
    found.html().encode(), repr(found).encode()         # both can be sent to a page


@pytest.mark.parametrize("value", ["x" * 10 ** 6, b"\x00" * 10 ** 6, list(range(10 ** 6)), {n: n for n in range(10 ** 4)}, [["x" * 10 ** 6]]], ids=lambda v: type(v).__name__)
def test_long_values_are_cut_with_a_note(value):
    shown = checks.short(value)
    assert len(shown) < 250 and shown.endswith("shortened)") and " … (" in shown


def test_arrays_are_no_lists():
    numpy = pytest.importorskip("numpy")
    assert double(lambda items: numpy.array(items * 2)).hint == "Your function returned a numpy.ndarray; it should return a list."
    assert not double(lambda items: [numpy.array(items)]).passed


# ---- predictions

@pytest.mark.parametrize("id", PREDICTIONS)
def test_a_prediction_answers_every_kind_of_guess_in_full_words(id):
    prediction = course.predict(id)
    answer = prediction.words.answer
    guesses = prediction.words.choices or [answer, answer + 1, 0, answer * 10, *(float(said) for said in prediction.words.said if said not in ("low", "high"))]
    for guess in guesses:
        title, rest = predictions.reply(prediction.words, prediction.places, guess)
        assert not re.search(r"\{\w+\}", title + rest + prediction.question), "a place that nothing fills"
        shown = f"{guess:,}" if not isinstance(guess, str) else guess
        assert title.startswith("You said ") and shown in title and rest
    assert not isinstance(answer, str) or answer in prediction.words.choices
    assert len(set(prediction.words.choices)) == len(prediction.words.choices)
    for said in prediction.words.said:
        assert not prediction.words.choices or said in prediction.words.choices, "a remark on a choice that is not there"


def test_a_number_is_guessed_and_the_reveal_answers_it():
    prediction = course.predict("1.hook")
    prediction.button.click()
    assert "Type your guess first" in prediction.reveal.value and prediction.guess is None
    for bad in ("many", "<b>9</b>", "nan", "1e999", "12,5", "9" * 30, "7 people"):
        prediction.input.value = bad
        prediction.button.click()
        assert views.escape(f"{bad!r} is not a number that fits here") in prediction.reveal.value and not prediction.input.disabled
    prediction.input.value = " 7 "
    prediction.button.click()
    said = text_of(prediction.reveal.value)
    assert said.startswith("You said 7; it is 25.") and "Seven is the number of code points" in said and "four people" in said
    assert prediction.guess == 7 and prediction.input.disabled and prediction.button.disabled


def test_a_click_that_overtakes_the_value_still_gets_the_last_one():
    prediction = course.predict("1.hook")
    prediction.input.value = "2"                    # an unfinished guess alone reveals nothing
    assert prediction.reveal.value == "" and prediction.guess is None
    prediction.button.click()
    prediction.input.value = "25"
    assert prediction.guess == 25 and text_of(prediction.reveal.value).startswith("You said 25, and 25 it is.")
    choice = course.predict("2.hook")
    choice.input.value = "th"
    choice.button.click()
    choice.input.value = "·t"
    assert choice.guess == "·t"


def test_enter_commits():
    prediction = course.predict("1.hook")
    prediction.input._submission_callbacks(prediction.input)
    prediction.input.value = "16"
    assert prediction.guess == 16


@pytest.mark.parametrize("guess, title", [(25, "You said 25, and 25 it is."), (24, "You said 24; it is 25. Close."), (27.5, "You said 27.5; it is 25. Close."),
                                          (28, "You said 28; it is 25."), (-3, "You said -3; it is 25.")])
def test_near_and_far_guesses_get_different_words(guess, title):
    prediction = course.predict("1.hook")
    assert predictions.reply(prediction.words, prediction.places, guess)[0] == title


def test_low_and_high_guesses_can_get_words_of_their_own():
    guess = words.Guess("?", "B.", 100, said={"low": "Low {guess}.", "high": "High {guess}.", "7": "Seven."})
    assert [predictions.reply(guess, {"answer": 100}, n)[1] for n in (1, 7, 95, 100, 1000)] == ["Low 1. B.", "Seven. B.", "B.", "B.", "High 1,000. B."]


def test_a_choice_is_guessed():
    prediction = course.predict("2.hook")
    assert prediction.input.index is None and "Tab to a choice, Space to choose it" in prediction.box.children[0].value
    prediction.button.click()
    assert "Choose one of the answers first." in prediction.reveal.value and not prediction.button.disabled
    prediction.input.value = "·the"
    prediction.button.click()
    assert text_of(prediction.reveal.value).startswith("You said ·the; it is ·t.One merge joins two tokens, and ·the takes more than one: it is merge 7.")


def test_the_facts_that_the_remarks_of_the_predictions_state():
    assert course.predict("1.hook").places == {"answer": 25, "points": 7}
    assert [len(c.encode()) for c in FAMILY] == [4, 3, 4, 3, 4, 3, 4] and FAMILY.count("\u200d") == 3
    assert course.predict("1.never").places["answer"] == 13
    assert course.predict("2.hook").places == {"answer": "·t", "second": "·a", "third": "he", "the": 7, "blank_t": 32722, "th": 29476}
    start = dict(bpe.train(corpora.load("moby-dick"), vocab_size=256).pair_counts(0))
    assert (start[tuple(b" t")], start[tuple(b"th")]) == (32722, 29476)
    gpt2 = pretrained.load("gpt2").vocabulary
    assert [gpt2[256 + n] for n in range(4)] == [b" t", b" a", b"he", b"in"]
    assert course.predict("2.twice").places == {"answer": 88669, "bytes": 254781, "half": 103191, "saved": 14522, "first": 151590}


# ---- quizzes

@pytest.mark.parametrize("number", QUIZZES)
def test_every_choice_of_every_question_gets_its_feedback(number):
    quiz = course.quiz(number)
    assert 4 <= len(quiz.questions) <= 6
    assert all(control.index is None for control in quiz.controls) and not any(feedback.value for feedback in quiz.feedback)
    assert text_of(quiz.score.value).startswith(f"0 of {len(quiz.questions)} right, {len(quiz.questions)} to go")
    for n, question in enumerate(quiz.questions):
        for said in ("text", "feedback"):
            assert len({getattr(choice, said) for choice in question.choices}) == len(question.choices) >= 3
        for k, choice in enumerate(question.choices):
            quiz.controls[n].index = k
            assert quiz.controls[n].options[k][0] == show.plain(choice.text)
            assert show.inline(choice.feedback) in quiz.feedback[n].value
            assert ("✓" if choice.right else "✗") in quiz.feedback[n].value
        quiz.controls[n].index = next(k for k, choice in enumerate(question.choices) if choice.right)
    assert text_of(quiz.score.value).startswith(f"{len(quiz.questions)} of {len(quiz.questions)} right") and "to go" not in quiz.score.value
    quiz.controls[0].index = None
    assert quiz.feedback[0].value == "" and "1 to go" in quiz.score.value


@pytest.mark.parametrize("number, question", QUESTIONS, ids=lambda value: getattr(value, "id", value))
def test_what_a_question_states_is_true(number, question):
    rooms = ("bpe", "corpora", "formats", "measure", "pretokenize", "pretrained", "text", "unigram")
    names = {room: importlib.import_module(f"tokenlab.{room}") for room in rooms}
    assert question.proof, "state in TOML what proves the numbers and facts of this question"
    for expression in question.proof:
        assert eval(expression, {**names, "unicodedata": unicodedata, "FAMILY": FAMILY}) is True, expression


def test_the_right_choice_is_not_always_in_the_same_place():
    places = [[choice.right for choice in question.choices].index(True) for _, question in QUESTIONS]
    assert len(set(places)) >= 3


def test_a_lesson_without_a_quiz():
    for number in (12, 0, -1, "1", None, [1]):
        with pytest.raises((ValueError, TypeError), match="the number of the lesson must be a whole number"):
            course.quiz(number)
    assert course.quiz(pytest.importorskip("numpy").int64(2)).title == course.quiz(2).title


# ---- the words

GOOD = """
[[quiz]]
id = "a"
question = "Q?"
[[quiz.choices]]
text = "yes"
feedback = "Right."
right = true
[[quiz.choices]]
text = "no"
feedback = "Wrong."
"""


def test_good_words_are_read():
    question, = words.parse(GOOD.encode(), "x.toml").quiz
    assert question.id == "a" and [choice.right for choice in question.choices] == [True, False] and question.proof == ()


@pytest.mark.parametrize("change, said", [
    (("right = true", ""), "x.toml, quiz question 'a': 0 choices have right = true, but exactly one must"),
    (('"Wrong."', '"Wrong."\nright = true'), "x.toml, quiz question 'a': 2 choices have right = true, but exactly one must"),
    (('feedback = "Wrong."', ""), "x.toml, quiz 1, choices 2: 'feedback' is missing"),
    (('"Wrong."', '" "'), "x.toml, quiz 1, choices 2, feedback must be a text, not empty, and is ' '"),
    (('feedback = "Wrong."', 'fedback = "Wrong."'), "unknown key in x.toml, quiz 1, choices 2: 'fedback': did you mean 'feedback'? Allowed: text, feedback, right"),
    (('id = "a"', ""), "x.toml, quiz 1: 'id' is missing"),
    (("right = true", 'right = "true"'), "x.toml, quiz 1, choices 1, right must be true or false, and is 'true'"),
    (('id = "a"', 'id = "a'), "x.toml is no valid TOML in UTF-8: "),
    (("[[quiz]]", "[[quizz]]"), "unknown key in x.toml: 'quizz': did you mean 'quiz'?"),
    (('question = "Q?"', 'question = "Q?"\nproof = "1 == 1"'), "x.toml, quiz 1, proof must be a list, and is '1 == 1'"),
    (('question = "Q?"', 'question = "Q?"\nproof = ["1 == 1", 2]'), "x.toml, quiz 1, proof 2 must be a text, not empty, and is 2"),
    ((GOOD, "[exercise]\n1 = 'x'"), "x.toml, exercise.1 must be a table, and is 'x'"),
    ((GOOD, "[exercise.1]\nhint = 'x'\n[exercise.1.hints]\nwrong = 3"), "x.toml, exercise.1, hints.wrong must be a text, not empty, and is 3"),
    ((GOOD, "[prediction.hook]\nquestion = 'x'"), "x.toml, prediction.hook: 'because' is missing"),
    ((GOOD, "[prediction.hook]\nquestion = 'x'\nbecause = 'y'\nanswer = 1\nchoices = [1, 2]"), "x.toml, prediction.hook, choices 1 must be a text, not empty, and is 1"),
    ((GOOD, "[prediction.hook]\nquestion = 'x'\nbecause = 'y'\nanswer = 1\nsaid = {a = 1}"), "x.toml, prediction.hook, said.a must be a text, not empty, and is 1"),
    ((GOOD, "[prediction.hook]\nquestion = 'x'\nbecause = 'y'\nanswer = [1]"), "x.toml, prediction.hook, answer must be a number or a text, and is [1]"),
])
def test_broken_words_are_refused_with_their_place(change, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        words.parse(GOOD.replace(*change).encode(), "x.toml")


@pytest.mark.parametrize("answer", ["'abc'", "''", "true", "nan", "10e400"])
def test_the_answer_of_a_prediction_is_a_number(answer):
    with pytest.raises(ValueError, match=r"x.toml, prediction.hook: answer must be a number, and is"):
        words.parse(f"[prediction.hook]\nquestion = 'x'\nbecause = 'y'\nanswer = {answer}".encode(), "x.toml")


def test_the_answer_of_a_prediction_is_one_of_its_choices():
    with pytest.raises(ValueError, match=r"x.toml, prediction.hook: answer must be one of the choices, and is 'c'"):
        words.parse(b"[prediction.hook]\nquestion = 'x'\nbecause = 'y'\nanswer = 'c'\nchoices = ['a', 'b']", "x.toml")


def test_what_is_wrong_in_one_lesson_stops_no_other(monkeypatch):
    broken = words.lesson(9)._replace(exercise={})
    monkeypatch.setattr(lessons, "words_of", lambda number: lessons.compare(broken, 9, "lesson09.toml") if number == 9 else words.lesson(number))
    assert course.check("1.1", EXERCISES["1.1"].reference).passed and course.predict("1.hook").words.answer == 25
    with pytest.raises(ValueError, match=r"lesson09.toml, exercise: '1' is missing"):
        course.check("9.1", len)


@pytest.mark.parametrize("number, change, said", [
    (1, ("\nones = ", "\n# "), "x.toml, exercise.1.hints: 'ones' is missing"),
    (1, ("\nones = ", "\nonse = "), "unknown key in x.toml, exercise.1.hints: 'onse': did you mean 'ones'? Allowed: ones, total, values, utf16"),
    (1, ("[exercise.1]\n", "[exercise.9]\n"), "unknown key in x.toml, exercise: '9'"),
    (1, ("[exercise.1]\nhint", "[exercise.1]\n# "), "x.toml, exercise.1: 'hint' is missing"),
    (2, ("\nunmerged = ", "\n# "), "x.toml, exercise.4.hints: 'unmerged' is missing"),
    (2, ("\nseen = ", "\nsen = "), "unknown key in x.toml, exercise.5.hints: 'sen': did you mean 'seen'?"),
    (2, ("\nwanted = ", "\n# "), "x.toml, exercise.4: 'wanted' is missing"),
])
def test_words_that_do_not_fit_their_lesson_are_refused_at_once(number, change, said):
    own = words.read(f"lesson{number:02}.toml").decode()
    lessons.compare(words.parse(own.encode(), "x.toml"), number, "x.toml")
    assert change[0] in own
    with pytest.raises(ValueError, match=re.escape(said)):
        lessons.compare(words.parse(own.replace(*change).encode(), "x.toml"), number, "x.toml")


def test_a_lesson_without_a_table_of_exercises_says_which_is_missing():
    with pytest.raises(ValueError, match=re.escape("x.toml, exercise: '1' is missing")):
        lessons.compare(words.parse(b"", "x.toml"), 1, "x.toml")


@pytest.mark.parametrize("change, said", [
    (("\ncall = ", "\n# "), "x.toml, hints: 'call' is missing"),
    (("\nbegin = ", "\nbegin = 3 # "), "x.toml, check, begin must be a text, not empty, and is 3"),
    (("[check]\n", "[checks]\n"), "unknown key in x.toml: 'checks': did you mean 'check'?"),
    (("\nwrong = ", "\nwrnog = "), "unknown key in x.toml, prediction: 'wrnog': did you mean 'wrong'?"),
    (("[check]\nbegin", "check = 3 #"), "x.toml, check must be a table, and is 3"),
])
def test_broken_common_words_are_refused_at_once(change, said):
    own = words.read("common.toml").decode()
    assert words.made(words.Common, own.encode(), "x.toml") == words.common() and change[0] in own
    with pytest.raises(ValueError, match=re.escape(said)):
        words.made(words.Common, own.replace(*change).encode(), "x.toml")


def test_files_of_any_editor_are_read_or_refused_with_what_to_do():
    assert words.parse(GOOD.replace("\n", "\r\n").encode("utf-8-sig"), "x.toml") == words.parse(GOOD.encode(), "x.toml")
    for encoding in ("cp1252", "utf-16"):
        with pytest.raises(ValueError, match=r"^x\.toml is no valid TOML in UTF-8: "):
            words.parse("a = 'é'".encode(encoding), "x.toml")
    with pytest.raises(ValueError, match=r"^x\.toml is no valid TOML in UTF-8: "):
        words.parse(b"a = " + b"[" * 5_000, "x.toml")           # found by tools/fuzz.py, as the next
    with pytest.raises(ValueError, match=r"hint must be a text, not empty, and is <int without a repr>|9{20}") as error:
        words.parse(b"[exercise.1]\nhint = " + b"9" * 4_000, "x.toml")
    assert len(str(error.value)) < 200
    with pytest.raises(ValueError, match="^x.toml, exercise.9{60} must be a table, and is 3$"):
        words.parse(b"[exercise]\n" + b"9" * 4_000 + b" = 3", "x.toml")


def test_every_exercise_and_prediction_has_words_and_every_word_has_its_place():
    for number in lessons.numbers():
        lesson = words.lesson(number)
        assert [f"{number}.{key}" for key in lesson.exercise] == [id for id in EXERCISES if id.startswith(f"{number}.")]
        assert f"{number}.hook" in PREDICTIONS


def test_words_become_html_only_escaped():
    quiz = Quiz((words.Question("x", "<b>?", (words.Choice("<i>`<u>`", "<s>", True), words.Choice("b", "c"))),), "<h1>")
    quiz.controls[0].index = 0
    for html in (str(quiz.html()), quiz.feedback[0].value, *(child.value for child in quiz.box.children if hasattr(child, "value") and isinstance(child.value, str))):
        assert not re.search(r"<(?:i|u|s|h1)>|<b>\?", html)


# ---- what is stored

def shown(thing):
    data, _ = thing._repr_mimebundle_()
    return data


@pytest.mark.parametrize("make", [course.environment, *[lambda id=id: course.predict(id) for id in PREDICTIONS], *[lambda n=n: course.quiz(n) for n in QUIZZES]])
def test_the_stored_twin_is_the_same_at_every_run(make):
    first, second = shown(make()), shown(make())
    assert {"text/plain", "text/html", WIDGET} == set(first)
    assert first["text/html"] == second["text/html"] and first["text/plain"] == second["text/plain"]
    assert first[WIDGET]["model_id"] != second[WIDGET]["model_id"]
    assert first[WIDGET]["model_id"] not in first["text/html"] and "object at 0x" not in first["text/plain"]


def test_answers_are_folded_and_not_in_the_text():
    for thing, answer in ((course.predict("1.hook"), "25"), (course.quiz(1), "continuation byte without a leading byte")):
        data = shown(thing)
        before, folded = data["text/html"].split("<details>", 1)
        assert answer in folded and answer not in before.replace("rgb", "") and answer not in data["text/plain"]
        assert data["text/html"].count("<details><summary") == data["text/html"].count("</details>")


def test_a_result_is_stored_as_it_is():
    assert set(shown(course.check("2.1", ...))) == {"text/plain", "text/html"}


# ---- environment

NEEDS = course.environment().packages
FINE = {"python": "3.12.1", "ipywidgets": "8.1.8", "jupyterlab": "4.6.6", "matplotlib": "3.10.1", "numpy": "2.4.6", "packaging": "25.0",
        "pandas": "2.3.0", "regex": "2025.1.1", "sentencepiece": "0.2.2", "tiktoken": "0.12.0", "tokenizers": "0.22.1"}


@pytest.mark.parametrize("change", [{}, {"jupyterlab": None}, {"tiktoken": None, "sentencepiece": None, "tokenizers": None}, {"ipywidgets": "7.7.1"}, {"python": "3.15.0rc1"}, {"numpy": "1.26"}, {"jupyterlab": "4.2.0"}])
def test_where_all_is_well_every_machine_stores_the_same(change):
    here, other = needs.Environment(NEEDS, FINE), needs.Environment(NEEDS, FINE | change)
    assert not other.problems
    assert here.html() == other.html() and repr(here) == repr(other)
    assert other.box.value == str(other.here) and "Everything is here" in other.box.value
    for name, version in other.found.items():
        assert name in other.box.value and (version or "not found") in other.box.value


@pytest.mark.parametrize("change, advice", [
    ({"numpy": None}, 'numpy>=1.26"`, then restart'), ({"numpy": "1.9.3"}, 'numpy>=1.26"`'), ({"ipywidgets": "8.1.9"}, "8.1.9 shows nothing in VS Code"),
    ({"ipywidgets": "9.0.0"}, 'ipywidgets>=7.7.1,<9,!=8.1.9"`'), ({"ipywidgets": "7.7"}, "ipywidgets"), ({"python": "3.9.2"}, "Install Python >=3.11"),
    ({"jupyterlab": "3.6.8"}, 'jupyterlab>=4.2,<5"`')])
def test_what_is_wrong_shows_without_widgets_and_says_what_to_do(change, advice):
    found = needs.Environment(NEEDS, FINE | change)
    problem, = found.problems.values()
    assert advice in problem and found.box is None
    assert "1 thing to do" in found.html() and show.plain(problem) in repr(found)
    for version in filter(None, change.values()):
        assert version in found.html()


def test_this_environment_is_fine_and_names_no_version_of_it():
    here = course.environment()
    stored = text_of(str(here.html())) + repr(here)
    assert not here.problems and metadata.version("matplotlib") not in stored and metadata.version("matplotlib") in here.box.value


def test_what_is_asked_for_is_what_the_project_asks_for():
    project = tomllib.loads((pathlib.Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [f"python{project['requires-python']}", *project["dependencies"], *project["optional-dependencies"]["lab"], *project["optional-dependencies"]["compare"]]
    assert sorted(f"{need.name}{need.wanted}" for need in NEEDS) == sorted(asked)
    assert [need.name for need in NEEDS if need.optional] == ["jupyterlab", "sentencepiece", "tiktoken", "tokenizers"]
