"""Pre-tokenization: the package `regex`, tiktoken's own pattern strings and the recorded cases are the oracles."""
import inspect
import itertools
import json
import pathlib
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pandas as pd
import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from tokenlab import corpora, pretokenize
from tokenlab.pretokenize import PARTS, PATTERNS, count_chunks, explain, split, split_stream

FACTS = json.loads(pathlib.Path(__file__).with_name("data").joinpath("facts.json").read_text(encoding="utf-8"))["cases"]
NAMES = ["gpt2", "cl100k_base", "o200k_base", "llama3", "qwen2", "tekken", "whitespace", "none", "words"]
ON_REGEX = NAMES[:6]
LOSSLESS = NAMES[:8]
# what the patterns tell apart, and what often goes wrong
ATOMS = [*" \t\n\r\v\f\x1c\x85\xa0\u2028\u3000\u200b\ufeff\x00'’\"-_./!—12½²٣ⅧaAzéÉßſİʰᾈ日नم안\u0301\u0941\u200d😉",
         "  ", "   ", "\r\n", " \n", "\n ", "'s", "'S", "'ll", "'LL", "'re", "'ſ", " 's", "Word", "WORD", "camelCase", "don't",
         " word", "1234", "👨\u200d👩\u200d👧", "e\u0301", "<|endoftext|>"]
SHORT = st.lists(st.sampled_from(ATOMS), max_size=25).map("".join)
ASCII_ATOMS = [atom for atom in ATOMS if atom.isascii()] + [" "] * 10
LONG_ASCII = st.builds(lambda atoms, n: "".join(atoms) * n, st.lists(st.sampled_from(ASCII_ATOMS), max_size=9), st.integers(1, 40))
MIXED = st.lists(st.one_of(SHORT, LONG_ASCII), max_size=4).map("".join)      # long stretches of ASCII, and others between
NASTY = ["", " ", "  ", "\t", "\n", "\r\n", "é", "e\u0301", "안", "😉", "👨\u200d👩\u200d👧\u200d👦", "🇨🇭", "שלום", "\x00",
         "\ufeff", "\u200b", "\x85", "a" * 10_000, " " * 10_000, "<script>alert(1)</script>", "<|endoftext|>", " " * 1000 + "x", "é" + "a" * 200]


def findall(s, name):
    """The pieces by the whole pattern at once: what `split` must equal."""
    if name == "none":
        return [s] if s else []
    return (re if name in ("whitespace", "words") else regex).findall(PATTERNS[name], s)

calm = settings(deadline=None)      # a busy machine is no failure


# --- the patterns ------------------------------------------------------------------------------------------------

def test_the_nine_names():
    assert list(PATTERNS) == list(PARTS) == NAMES
    assert PATTERNS["none"] is None
    assert PATTERNS["words"] == r"\w+|[^\w\s]"


def test_the_patterns_are_tiktokens_own():
    source = inspect.getsource(openai_public)
    assert f'"""{PATTERNS["cl100k_base"]}"""' in source
    o200k = inspect.getsource(openai_public.o200k_base)
    assert "|".join(re.findall(r'r"""(.*)""",', o200k)) == PATTERNS["o200k_base"]


@pytest.mark.parametrize("name, published", [
    ("gpt2", r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"),
    ("llama3", (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
               r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")),
    ("qwen2", (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
              r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")),
    ("tekken", (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
               r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
               r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")),
])
def test_the_other_patterns_are_the_published_ones(name, published):
    assert PATTERNS[name] == published


@calm
@given(SHORT)
def test_gpt2_equals_tiktokens_faster_form(s):
    assert split(s, "gpt2") == regex.findall(openai_public.r50k_pat_str, s)


@pytest.mark.parametrize("case", [case for case in FACTS if case["kind"] == "pretokenize"], ids=lambda case: case["id"])
def test_recorded_cases(case):
    name = {"qwen": "qwen2"}.get(case["tokenizer"], case["tokenizer"])
    assert split(case["input"], name) == case["expected_chunks"]
    assert [piece for piece, _ in explain(case["input"], name)] == case["expected_chunks"]


def test_the_recorded_cases_are_all_there():
    assert sum(case["kind"] == "pretokenize" for case in FACTS) == 62


@pytest.mark.parametrize("name, s, pieces", [
    ("gpt2", "DON'T", ["DON", "'", "T"]), ("cl100k_base", "DON'T", ["DON", "'T"]), ("o200k_base", "DON'T", ["DON'T"]),
    ("gpt2", "end  ", ["end", "  "]), ("gpt2", "  hi", [" ", " hi"]), ("gpt2", "\t\tx", ["\t", "\t", "x"]),
    ("o200k_base", "日A camelCase HTMLParser", ["日", "A", " camel", "Case", " HTMLParser"]),
    ("cl100k_base", "x!\n\n y", ["x", "!\n\n", " y"]), ("cl100k_base", "x\n\t", ["x", "\n\t"]), ("llama3", "x\n\t", ["x", "\n", "\t"]),
    ("qwen2", "1234", ["1", "2", "3", "4"]), ("tekken", "I'll 12", ["I", "'ll", " ", "1", "2"]),
    ("whitespace", "two  words\n", ["two", "  ", "words", "\n"]), ("none", "a b\nc", ["a b\nc"]), ("gpt2", "don’t", ["don", "’", "t"]),
])
def test_pieces_known_by_hand(name, s, pieces):
    assert split(s, name) == pieces


# --- nothing is lost, and the quick way is the plain way ---------------------------------------------------------

@settings(deadline=None, max_examples=300)
@given(st.one_of(SHORT, MIXED, st.text(st.characters(codec="utf-8"))))
def test_split_loses_nothing_and_equals_the_whole_pattern(s):
    for name in LOSSLESS:
        assert "".join(split(s, name)) == s, name
        assert split(s, name) == findall(s, name), name


@pytest.mark.parametrize("name", LOSSLESS)
@pytest.mark.parametrize("s", NASTY, ids=ascii)
def test_nasty_strings(name, s):
    assert "".join(split(s, name)) == s
    assert split(s, name) == findall(s, name)
    assert "".join(piece for piece, _ in explain(s[:1500], name)) == s[:1500]
    assert count_chunks(s, name) == Counter(split(s, name))


@pytest.mark.parametrize("name", ON_REGEX)
def test_on_ascii_the_twin_equals_the_pattern(name):
    assert r"\p" not in pretokenize.named._ascii_twin(name).pattern
    for size in range(4):
        for s in map("".join, itertools.product(" \n\r\x1c'slA1!", repeat=size)):
            assert split(s, name) == regex.findall(PATTERNS[name], s), s
    every = "".join(map(chr, range(128)))
    for s in (every, every[::-1], " ".join(every), "a".join(every), "A".join(every), "'".join(every)):
        assert split(s, name) == regex.findall(PATTERNS[name], s)


@pytest.mark.parametrize("name", ON_REGEX)
def test_a_chunk_ends_before_a_blank_that_follows_a_non_blank(name):
    pieces = regex.compile(PATTERNS[name]).findall
    before = ["".join(t) + end for n in range(3) for t in itertools.product(" \n'A!é", repeat=n) for end in "'sLA1!/é😉\u0301"]
    after = [" " + "".join(t) for n in range(3) for t in itertools.product(" \n'A1é", repeat=n)]
    split_after = {b: pieces(b) for b in after}
    for a in before:
        split_a = pieces(a)
        for b in after:
            assert pieces(a + b) == split_a + split_after[b], (a, b)


def test_what_re_calls_white_space_holds_all_that_regex_does():
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    assert set(regex.findall(r"\s", everything)) < set(re.findall(r"\s", everything))      # so a cut of re's is a cut for both


# --- text that comes in pieces -----------------------------------------------------------------------------------

RIVALS = st.lists(st.sampled_from([*"'slLrRe日Aaéǅʰſ\u0301 \n1!/", "'l", "日A", "  "]), max_size=30).map("".join)    # where a cut matters


def cut(s, places):
    return [s[a:b] for a, b in itertools.pairwise([0, *sorted(place % (len(s) + 1) for place in places), len(s)])]


@settings(deadline=None, max_examples=500)
@given(st.one_of(SHORT, RIVALS, MIXED), st.one_of(st.none(), st.lists(st.integers(0, 10**4), max_size=8)))
def test_pieces_give_the_chunks_of_the_whole_wherever_the_cuts_are(s, places):
    pieces = list(s) if places is None else cut(s, places)
    for name in LOSSLESS:
        assert list(split_stream(pieces, name)) == split(s, name), name
    assert list(split_stream(iter(pieces), r"(?s:\w+|.)")) == split(s, r"(?s:\w+|.)")


@pytest.mark.parametrize("name", [*ON_REGEX, "whitespace"])
def test_what_is_let_go_is_the_same_whatever_follows(name):
    undecided, let_go = pretokenize.stream._undecided(name), {}
    for s in ("".join(t) for n in range(6) for t in itertools.product("'lA日 \n", repeat=n)):
        pieces = split(s, name)
        ends = itertools.accumulate(map(len, pieces))
        let_go[s] = [piece for piece, end in zip(pieces, ends) if end < undecided(s).start()]
        for beginning in (s[:i] for i in range(len(s))):
            assert pieces[:len(let_go[beginning])] == let_go[beginning], (beginning, s)


@pytest.mark.parametrize("name", [*ON_REGEX, "whitespace"])
@pytest.mark.parametrize("s", ["0123456789" * 3000, "camelCase" * 3000, "中文" * 9000, "नमस्ते" * 3000, "ab\n" * 9000, "\n" * 9000, "x  \n\t" * 5000,
                               "it's'll" * 4000, "word " * 5000, "日本ABCdef" * 3000, "!?/\n" * 5000, " " * 9000 + "x", "ABC" * 5000],
                         ids=lambda s: ascii(s[:9]))
def test_no_more_waits_than_the_longest_chunk_asks_for(name, s, monkeypatch):
    seen, plain_split = [], pretokenize.split
    monkeypatch.setattr(pretokenize.stream, "split", lambda text, pattern: seen.append(len(text)) or plain_split(text, pattern))
    pieces = [s[i:i + 7] for i in range(0, len(s), 7)]
    assert list(split_stream(pieces, name)) == plain_split(s, name)
    longest = max(map(len, plain_split(s, name)))
    assert max(seen) <= 4 * longest + 2 * 7 + 4         # two chunks and a piece, twice that while a long chunk grows
    assert sum(seen) <= 40 * len(s)                     # and it is not split again with each piece


def test_chunks_come_as_soon_as_they_are_certain():
    came = []
    chunks = split_stream(came.append(piece) or piece for piece in ["It", " is", " late", ", is", "n't", " it?"])
    assert [(next(chunks), len(came)) for _ in range(3)] == [("It", 2), (" is", 3), (" late", 5)]
    assert list(split_stream([])) == list(split_stream(["", ""])) == []


def test_pieces_that_are_wrong_are_refused():
    with pytest.raises(ValueError, match="lone surrogate"):
        list(split_stream(["ab ", "\ud83d", "\ude00"]))
    with pytest.raises(ValueError, match="uncovered"):
        list(split_stream(["ab", " c"], r"\w+"))
    with pytest.raises(ValueError, match="did you mean 'gpt2'"):
        list(split_stream(["ab"], "gtp2"))


# --- counting ----------------------------------------------------------------------------------------------------

@calm
@given(st.lists(st.one_of(SHORT, MIXED), max_size=3))
@example(["a b a  a", "b a", ""])
def test_counts_equal_those_of_the_pieces_in_order(texts):
    for name in LOSSLESS:
        expected = Counter()
        for s in texts:
            expected.update(findall(s, name))
        assert list(count_chunks(iter(texts), name).items()) == list(expected.items()), name
        if len(texts) == 1:
            assert list(count_chunks(texts[0], name).items()) == list(expected.items()), name


@pytest.mark.parametrize("name", LOSSLESS)
@pytest.mark.parametrize("corpus", ["moby-dick", "botchan", "python"])
def test_counts_of_whole_books(name, corpus):
    s = corpora.load(corpus)
    assert list(count_chunks(s, name).items()) == list(Counter(findall(s, name)).items())


def test_moby_dick_has_20151_distinct_gpt2_chunks():
    assert len(count_chunks(corpora.load("moby-dick"), "gpt2")) == 20_151


@pytest.mark.parametrize("name", ON_REGEX)
def test_counts_over_many_languages(name):
    s = "\n\n".join("\n".join(language["articles"]) for language in corpora.udhr())
    assert list(count_chunks(s, name).items()) == list(Counter(findall(s, name)).items())


def test_a_mapping_is_taken_as_it_stands():
    counts = count_chunks({"not a chunk": 2, "a": 1})
    assert type(counts) is Counter and list(counts.items()) == [("not a chunk", 2), ("a", 1)]
    assert count_chunks({}) == count_chunks([]) == count_chunks("") == Counter()


def test_counts_of_a_lossy_pattern():
    with pytest.raises(ValueError, match="pattern 'words' leaves ' ' at index 3 uncovered"):
        count_chunks("the cat", "words")
    assert count_chunks("the cat, the", "words", gaps="drop") == {"the": 2, "cat": 1, ",": 1}
    assert count_chunks("the cat", "words", gaps="keep") == {"the": 1, " ": 1, "cat": 1}


# --- gaps, and patterns of your own ------------------------------------------------------------------------------

@pytest.mark.parametrize("pattern", ["words", r"\w+", r"a*", r"a*|b", r"|a", r"", r"(a)|(b(c)?)", r"(?r)[ab]+", r"\b", r"(?<=a)b"])
@settings(deadline=None, max_examples=50)
@given(s=st.text("abc \nx'1", max_size=12))
def test_keep_loses_nothing_and_drop_only_the_gaps(pattern, s):
    kept, dropped, explained = split(s, pattern, "keep"), split(s, pattern, "drop"), explain(s, pattern)
    assert "".join(kept) == s
    assert [piece for piece, _ in explained] == kept
    assert [piece for piece, part in explained if part != pretokenize.NOT_COVERED] == dropped
    assert all(kept)
    if kept == dropped:
        assert split(s, pattern) == kept
    else:
        with pytest.raises(ValueError, match="uncovered"):
            split(s, pattern)


def test_the_error_shows_the_first_gap_and_what_to_do():
    with pytest.raises(ValueError) as error:
        split("one, two", r"\w+")
    assert str(error.value).startswith(r"pattern '\\w+' leaves ', ' at index 3 uncovered: add a part that takes it")
    assert 'gaps="keep"' in str(error.value) and '"drop"' in str(error.value)
    with pytest.raises(ValueError, match="leaves 'a{20}…' at index 2 uncovered"):
        split("1 " + "a" * 1000, r"\d|\s")


def test_groups_and_empty_matches_play_no_role():
    assert split("aab aab", r"(a)(a)?|(?P<rest>b| )") == ["aa", "b", " ", "aa", "b"]
    assert split("baac", r"a*|b|c") == ["b", "aa", "c"]
    assert split("bbab", r"a*", "keep") == ["bb", "a", "b"]
    assert split("", r"a*") == split("", r"\w+") == []
    assert split("It's 9", r"(?i)it|'S|\s|\d") == ["It", "'s", " ", "9"]


def test_a_pattern_without_end_is_given_up(monkeypatch):
    monkeypatch.setattr(pretokenize.expressions, "OWN_PATTERN_SECONDS", 0.2)
    monkeypatch.setattr(pretokenize.expressions, "OWN_PATTERN_SPEED", 610)          # 61 characters: 0.1 s more
    for function in (split, explain, count_chunks):
        with pytest.raises(ValueError, match=r"pattern '\(\?:a\|aa\)\+\$' did not come to an end within 0.3 s"):
            function("a" * 60 + "b", "(?:a|aa)+$")


def test_a_long_text_has_more_time(monkeypatch):
    monkeypatch.setattr(pretokenize.expressions, "OWN_PATTERN_SECONDS", 0.001)      # too little by itself
    monkeypatch.setattr(pretokenize.expressions, "OWN_PATTERN_SPEED", 1000)         # but the text brings 500 s
    assert split("word " * 100_000, r"\w+|\s") == ["word", " "] * 100_000


def test_the_time_for_a_text():
    with pretokenize.expressions.in_time(r"\w+", "word " * 1_000_000) as limit:
        assert limit == {"timeout": 105.0}
    with pretokenize.expressions.in_time("words", "word " * 1_000_000) as limit:
        assert limit == {}


def test_a_pattern_that_calls_itself_is_given_up(monkeypatch):
    monkeypatch.setattr(pretokenize.expressions, "OWN_PATTERN_SECONDS", 600)        # so that the memory ends first
    with pytest.raises(ValueError, match="did not come to an end before the memory did.*calls itself"):
        split("a((b))", "(?R)")


@pytest.mark.parametrize("pattern, signs", [
    ("a", 1), ("a{3}", 4), ("(a{2}b){3}", 13), ("((a{100}){100}){100}", 1010101), ("(ab|cd){1000}", 5001), (r"\(a{2}\){3}", 8), (r"a\{3}", 4),
    ("[(a{9}]{2}", 3), ("", 0),
])
def test_signs_when_repeats_are_written_out(pattern, signs):
    assert pretokenize.expressions._signs(pattern) == signs


@pytest.mark.parametrize("pattern", ["((((a{100}){100}){100}){100})", "a{1000001}", "(a{1000}){1001}", "a{" + "9" * 5000 + "}", "[" * 100_000,
                                     "(?:ab|cd){200000}|.", "(?:(?:ab|cd){1000}){900}|.", "(?:" * 60_000 + "a" + ")" * 60_000, "|".join("abc" * 900)])
def test_expressions_that_would_overflow_regex_are_refused(pattern):
    for function in (split, explain, count_chunks):
        with pytest.raises(ValueError, match="too long: it may have 2,000 characters, and 20,000 signs"):
            function("aaa", pattern)


def test_the_largest_expressions_do_no_harm():
    assert split("ab" * 2000 + "x", "(?:ab|cd){2000}|.") == ["ab" * 2000, "x"]
    with pytest.raises(ValueError, match="no regular expression"):
        split("a", "[" * 2000)


def test_a_match_that_ends_before_it_begins_is_refused():
    for pattern in (r"(?=ab\Kc)|.", r"a\Kb|."):
        with pytest.raises(ValueError, match=r"holds \\K"):
            split("abc", pattern)


def test_errors_show_no_more_than_the_ends_of_a_long_pattern():
    for pattern in ("(" * 10**5, "b" * 10**5 + ".", "gpt" * 10**5, "a{9}" * 10**4 + "("):
        with pytest.raises(ValueError) as error:
            split("a", pattern)
        assert len(str(error.value)) < 500
    with pytest.raises(ValueError) as error:
        count_chunks({"a" * 10**6: 0})
    assert len(str(error.value)) < 200


# --- explain -----------------------------------------------------------------------------------------------------

@calm
@given(st.one_of(SHORT, st.text(st.characters(codec="utf-8"), max_size=20)))
def test_explain_names_a_part_that_takes_the_piece(s):
    for name in NAMES:
        explained = explain(s, name)
        assert [piece for piece, _ in explained] == split(s, name, "keep")
        for piece, part in explained:
            if part == pretokenize.NOT_COVERED:
                assert name == "words" and piece.isspace()
            else:
                expression = PARTS[name][part].removesuffix(r"(?!\S)")      # by itself the piece has nothing after it
                assert (re if name in ("whitespace", "none", "words") else regex).fullmatch(expression, piece)


def test_explain_tells_the_parts_of_gpt2():
    assert explain(" I'll pay  $9\n", "gpt2") == [
        (" I", "letters (a blank may lead)"), ("'ll", "contraction"), (" pay", "letters (a blank may lead)"),
        (" ", "white space, all but the last if text follows"), (" $", "other signs (a blank may lead)"),
        ("9", "numbers (a blank may lead)"), ("\n", "white space, all but the last if text follows"),
    ]
    assert explain("a\tb", "gpt2")[1] == ("\t", "white space")


def test_every_part_of_a_named_pattern_takes_something():
    text = "it's DON'T Café HTMLParser 12345 «!?»\n\nx \n  y\tz\t\t9\n ab/\n \n"
    for name in NAMES:
        assert {part for s in (text, text + "\nend\tx") for _, part in explain(s, name)} - {pretokenize.NOT_COVERED} == set(PARTS[name])


@pytest.mark.parametrize("pattern, s, explained", [
    (r"[a|b]+|\||(?:c|d)+|\s", "ab|cd ", [("ab|", "[a|b]+"), ("cd", "(?:c|d)+"), (" ", r"\s")]),
    (r"\||[^|]", "|a", [("|", r"\|"), ("a", "[^|]")]),
    (r"[]|]|[[:alpha:]|]x|.", "]ax|x?", [("]", "[]|]"), ("ax", "[[:alpha:]|]x"), ("|", "[]|]"), ("x", "."), ("?", ".")]),
    (r"(?i)ab|c", "ABC", [("AB", "(?i)ab"), ("C", "c")]),
    (r"(a)\1|(b)\2|.", "aabbc", [(piece, r"(a)\1|(b)\2|.") for piece in ("aa", "bb", "c")]),      # parts lean on each other
    (r"gpt2|words|\s", "gpt2 words", [("gpt2", "gpt2"), (" ", r"\s"), ("words", "words")]),         # not the named ones
    (r"(?<=a)b|a|b", "abb", [("a", "a"), ("b", "(?<=a)b"), ("b", "b")]),
    (r"a|ab|b", "ab", [("a", "a"), ("b", "b")]),
])
def test_explain_names_the_alternatives_of_your_own(pattern, s, explained):
    assert explain(s, pattern) == explained


# --- bad input, and where there is no `regex` --------------------------------------------------------------------

def test_half_a_character_in_a_pattern_is_refused():
    for pattern in ("\ud800", "a|\udc00.", "[\ud83d]"):                             # no text holds it, no file can; found by tools/fuzz.py
        with pytest.raises(ValueError, match="pattern holds a lone surrogate"):
            split("a", pattern)


@pytest.mark.parametrize("function", [split, explain, count_chunks])
def test_bad_input_says_what_is_allowed(function):
    with pytest.raises(TypeError, match="must be str, not bytes: decode it first"):
        function(b"abc")
    with pytest.raises(ValueError, match=r"lone surrogate '\\ud83d' at index 1"):
        function("a\ud83d")
    for typo in ("gtp2", "GPT-2", "gpt_2"):
        with pytest.raises(ValueError, match=rf"unknown pattern '{typo}': did you mean 'gpt2\W.*tekken.* or a regular expression"):
            function("abc", typo)
    for bad in ("(", "*a", "[z-a]", "\\", "(" * 1999):
        with pytest.raises(ValueError, match="is no regular expression: "):
            function("abc", bad)
    for bad in (None, 5, re.compile("a")):
        with pytest.raises(TypeError, match="pattern must be a name, not .*, or a regular expression"):
            function("abc", bad)


@pytest.mark.parametrize("function", [split, count_chunks])
def test_unknown_ways_with_gaps(function):
    with pytest.raises(ValueError, match="unknown gaps 'kep': did you mean 'keep'"):
        function("abc", "gpt2", "kep")


@pytest.mark.parametrize("source, error, message", [
    (5, TypeError, "source must be str, an iterable of str, or a mapping of chunk to count, not 5"),
    (["a", b"b"], TypeError, "document 2 of source must be str, not bytes"),
    (["a", None], TypeError, "document 2 of source must be str, not NoneType"),
    ({"a": 0}, ValueError, "the count of 'a' must be a whole number from 1 up (leave the chunk out instead), not 0"),
    ({"a": -2}, ValueError, "the count of 'a' must be a whole number from 1 up (leave the chunk out instead), not -2"),
    ({"a": True}, TypeError, "the count of 'a' must be a whole number (int), not bool True"),
    ({"a": 1.0}, TypeError, "the count of 'a' must be a whole number (int), not float 1.0"),
    ({"a": "3"}, TypeError, "the count of 'a' must be a whole number (int), not str '3'"),
    (pd.DataFrame({"text": ["low lower"], "id": [1]}), TypeError, "source must be text, not DataFrame: choose one column, as in df['text']"),
    ({b"a": 1}, TypeError, "chunk must be str, not bytes"),
])
def test_sources_that_cannot_be_counted(source, error, message):
    with pytest.raises(error, match=re.escape(message)):
        count_chunks(source)


def test_a_column_of_a_table_is_a_source():
    table = pd.DataFrame({"text": ["low lower", "low"]})
    assert count_chunks(table["text"]) == {"low": 2, " lower": 1}


def test_counts_of_other_integer_types_become_int():
    counts = count_chunks({"a": np.int64(2)})
    assert counts == {"a": 2} and type(counts["a"]) is int


@pytest.mark.parametrize("source", [{"a": 1}, [], ""], ids=repr)
def test_a_wrong_pattern_is_refused_even_if_nothing_is_split(source):
    with pytest.raises(ValueError, match="unknown pattern 'gtp2'"):
        count_chunks(source, "gtp2")
    with pytest.raises(ValueError, match=r"pattern '\(' is no regular expression: missing \)"):
        count_chunks(source, "(")
    with pytest.raises(ValueError, match="unknown gaps 'kep'"):
        count_chunks(source, gaps="kep")


def test_without_the_package_regex_the_rest_works():
    code = """
import sys
sys.modules["regex"] = None
from tokenlab.pretokenize import count_chunks, explain, split
s = "é, two  words\\n"
assert "".join(split(s, "whitespace")) == "".join(split(s, "none")) == s
assert [piece for piece, _ in explain(s, "whitespace")] == split(s, "whitespace")
assert count_chunks({"hug": 10}) == {"hug": 10}
assert count_chunks(s, "none") == {s: 1}
assert split("It's plain ASCII", "gpt2") == ["It", "'s", " plain", " ASCII"]
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=pathlib.Path(__file__).resolve().parents[1])
