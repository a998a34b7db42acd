"""The two trainers: equal to each other in every field, and right on everything that is known of small corpora."""
import copy
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlab import bpe, pretokenize

CASES = json.loads((Path(__file__).parent / "data" / "facts.json").read_text(encoding="utf-8"))["cases"]
SENNRICH = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
TAXI = {"taxi": 4, "tax": 3, "taxes": 2, "max": 2}
ONLY_BYTES, ONLY_CHARACTERS = ["gpt2-order"], ["greatest-strings", "sentencepiece"]
SETTINGS = [(tie, alphabet, end_of_word) for tie in bpe.TIE_RULES
            for alphabet, end_of_word in [("bytes", ""), ("characters", ""), ("characters", "</w>"), ("characters", "_")]
            if tie not in (ONLY_CHARACTERS if alphabet == "bytes" else ONLY_BYTES)]


def tokens(trace, size=None):
    return [merge.token.decode() for merge in trace.merges[:size]]


def base(source, alphabet="characters", end_of_word=""):
    """The size of the alphabet, by its definition."""
    return 256 if alphabet == "bytes" else len(set("".join(source))) + bool(end_of_word)


# ---- the fast trainer is the naive one

few = st.text("ab", max_size=40)                            # long runs: overlaps and ties everywhere
some = st.text("abc d", max_size=60)
odd = st.text("aé漢🙂 \n1'", max_size=40)
anything = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="_"), max_size=30)
texts = st.one_of(few, some, odd, anything)
sources = st.one_of(texts, st.lists(texts, max_size=4),
                    st.dictionaries(st.one_of(few, some, odd), st.integers(1, 4), max_size=8))


@pytest.mark.parametrize("tie, alphabet, end_of_word", SETTINGS)
@settings(max_examples=150, deadline=None)
@given(source=sources, pattern=st.sampled_from(["gpt2", "none", "whitespace"]), size=st.integers(0, 25),
       min_count=st.sampled_from([1, 1, 2, 3]))
def test_both_trainers_leave_the_same_trace(tie, alphabet, end_of_word, source, pattern, size, min_count):
    chunks = pretokenize.count_chunks(source, pattern)
    arguments = {"vocab_size": base(chunks, alphabet, end_of_word) + size, "pattern": pattern, "tie": tie,
                 "alphabet": alphabet, "end_of_word": end_of_word, "min_count": min_count}
    fast, naive = bpe.train(source, **arguments), bpe.train_naive(source, **arguments)
    for ours, theirs in zip(fast.merges, naive.merges):
        assert ours._asdict() == theirs._asdict()
    assert fast == naive
    assert len({*fast.alphabet, *(merge.token for merge in fast.merges)}) == len(fast.vocabulary)       # no token twice


@pytest.mark.parametrize("tie, alphabet, end_of_word", SETTINGS)
@settings(max_examples=40, deadline=None)
@given(source=st.dictionaries(st.one_of(few, some, odd), st.integers(1, 4), max_size=8))
def test_a_trace_replays_itself(tie, alphabet, end_of_word, source):
    """Each field of each merge, once more from the corpus as `at` and `ids_at` show it."""
    trace = bpe.train(source, tie=tie, alphabet=alphabet, end_of_word=end_of_word, pattern="none", vocab_size=2000)
    for k, merge in enumerate(trace.merges):
        now, ranked = trace.ids_at(k), trace.pair_counts(k)
        best, count = ranked[0]
        assert (merge.number, merge.rank, merge.pair, merge.id) == (k + 1, k, best, len(trace.alphabet) + k)
        assert (merge.count, merge.runner_up) == (count, ranked[1] if ranked[1:] else None)
        assert merge.tied == sum(other == count for _, other in ranked)
        assert merge.before == sum(len(ids) * times for ids, times in now) == trace.lengths[k]
        assert (merge.after, merge.replaced) == (trace.lengths[k + 1], merge.before - merge.after)
        assert merge.token == b"".join(trace.vocabulary[i] for i in best)
        merged = [(tuple(bpe.merge(ids, best, merge.id)), times) for ids, times in now]
        assert trace.ids_at(k + 1) == merged
    end = end_of_word.encode()
    assert [(b"".join(word), times) for word, times in trace.at(len(trace))] == \
        [(word.encode() + end, times) for word, times in source.items()]
    assert trace.stopped == "no pair left" and trace.pair_counts(len(trace)) == []


@settings(max_examples=60, deadline=None)
@given(source=st.dictionaries(st.text("abé", min_size=1, max_size=9), st.integers(1, 4), min_size=1, max_size=8),
       setting=st.sampled_from(SETTINGS), data=st.data())
def test_its_tokenizer_cuts_the_training_text_as_training_did(source, setting, data):
    tie, alphabet, end_of_word = setting
    trace = bpe.train(source, tie=tie, alphabet=alphabet, end_of_word=end_of_word, pattern="none", vocab_size=2000)
    k = data.draw(st.integers(0, len(trace)))
    tok = trace.tokenizer(len(trace.alphabet) + k)
    assert [tuple(tok.encode(word)) for word in source] == [ids for ids, _ in trace.ids_at(k)]


def test_ids_beyond_the_surrogates_are_ids_like_all_others():
    characters = [*range(0x4E00, 0xA000), *range(0xAC00, 0xD7A4), *range(0x20000, 0x2A6D0)]
    words = {chr(a) + chr(b): 1 for a, b in zip(characters[::2], characters[1::2])} | {"abcabc": 2}
    trace = bpe.train(words, vocab_size=base(words) + 2, pattern="none", alphabet="characters")
    assert len(trace.alphabet) > 0xE000 and trace.merges[0].id == len(trace.alphabet) == trace.merges[1].pair[0]
    assert tokens(trace) == ["ab", "abc"] and trace.at(2)[-1] == ((b"abc", b"abc"), 2)


# ---- the two helpers

def test_count_pairs_counts_overlaps_in_order_of_first_occurrence():
    assert list(bpe.count_pairs(b"aaabdaaabac").items()) == [((97, 97), 4), ((97, 98), 2), ((98, 100), 1), ((100, 97), 1),
                                                             ((98, 97), 1), ((97, 99), 1)]
    assert bpe.count_pairs("aaaa") == {("a", "a"): 3} and bpe.count_pairs([]) == bpe.count_pairs([1]) == {}
    assert bpe.count_pairs(iter([1, 2, 1])) == {(1, 2): 1, (2, 1): 1}


@pytest.mark.parametrize("before, after", [("", ""), ("a", "a"), ("aa", "X"), ("aaa", "Xa"), ("aaaa", "XX"), ("aaaaa", "XXa"),
                                           ("baaab", "bXab")])
def test_merge_goes_from_left_to_right_without_overlap(before, after):
    assert bpe.merge(before, ("a", "a"), "X") == list(after)
    assert bpe.merge(list(before), ["a", "a"], "X") == list(after)


@given(text=st.text("ab", max_size=30))
def test_merge_is_what_replace_of_a_string_does(text):
    for pair in ("ab", "aa"):
        assert "".join(bpe.merge(text, pair, "X")) == text.replace(pair, "X")


# ---- corpora that tell the rules apart (ALGORITHMS: one row a corpus, one column a library's rule)

LOW = " ".join(["low"] * 5 + ["lower"] * 2 + ["widest"] * 3 + ["newest"] * 6)
TABLE = {
    ("mn ab yz mn ab yz", 3): ["mn _a _ab", "_a _y mn", "ab mn yz", "yz mn ab", "yz/ mn/ ab/", "ab mn yz"],
    (" ab ab", 2): ["_a _ab", "_a _ab", "ab _ab", "ab _ab", "ab/", "ab ▁ab"],
    ("cab cab xz xz", 4): ["ca cab _x _xz", "_x ab cab _xz", "ab cab xz _xz", "xz ca cab _xz", "xz/ ca cab/", "ab xz ▁c ▁xz"],
    ("aaa bc bc", 3): ["aa _b _bc", "_b aa _bc", "aa bc _bc", "bc aa _bc", "bc/", "aa bc ▁bc"],
    ("ab", 6): ["ab", "ab", "ab", "ab", "", "ab ▁ab"],
    ("aaabdaaabac", 5): ["aa aaa aaab aaabd aaabdaaab", "aa ab aaab ac daaab", "aa ab aaab ac daaab",
                         "aa aaa aaab daaab daaaba", "aa aaa aaab", "aa ab aaab ac aaabd"],
    (LOW, 6): ["es est lo low _low _n", "es est lo low _n _low", "es est lo low ew new", "st est ow low west ne",
               "st/ est/ lo west/ ne newest/", "es est lo low ▁low ew"],
}


def train_as_its_library_does(text, merges, tie):
    """Train on `text` with the words, the alphabet and the least count of the library that the rule comes from."""
    if tie in ("first-seen", "lowest-ids", "gpt2-order", "greatest-bytes"):
        return [token.replace(" ", "_") for token in tokens(bpe.train(text, vocab_size=256 + merges, tie=tie))]
    if tie == "sentencepiece":
        words = Counter("▁" + word for word in text.split())
        return tokens(bpe.train(words, vocab_size=base(words) + merges, tie=tie, alphabet="characters"))
    # subword-nmt glues </w> to the last letter: here that is a letter of its own, next to the letter in the order
    words = Counter("".join(chr(2 * ord(c)) for c in word[:-1]) + chr(2 * ord(word[-1]) + 1) for word in text.split())
    trace = bpe.train(words, vocab_size=base(words) + merges, tie=tie, alphabet="characters", min_count=2)
    return ["".join(chr(ord(c) // 2) + "/" * (ord(c) % 2) for c in token) for token in tokens(trace)]


@pytest.mark.parametrize("text, merges", TABLE)
@pytest.mark.parametrize("tie", bpe.TIE_RULES)
def test_each_rule_learns_what_its_library_learns(text, merges, tie):
    expected = TABLE[text, merges][list(bpe.TIE_RULES).index(tie)].split()
    assert train_as_its_library_does(text, merges, tie) == expected


def test_all_six_rules_differ_on_the_words_of_sennrich():
    assert len({tuple(train_as_its_library_does(LOW, 6, tie)) for tie in bpe.TIE_RULES}) == 6


def test_one_merge_by_two_rules_cuts_seven_letters_in_two_ways():
    assert bpe.train("abcbcab", vocab_size=257).at(1) == [((b"ab", b"c", b"b", b"c", b"ab"), 1)]
    assert bpe.train("abcbcab", vocab_size=257, tie="greatest-bytes").at(1) == [((b"a", b"bc", b"bc", b"a", b"b"), 1)]


# ---- known corpora

@pytest.mark.parametrize("case", [case for case in CASES if case["kind"] == "train_bpe"], ids=lambda case: case["id"])
@pytest.mark.parametrize("train", [bpe.train, bpe.train_naive])
def test_facts(case, train):
    end = case["end_of_word"] or ""
    size = base(case["corpus"], end_of_word=end) + len(case["expected_merges"])
    trace = train(case["corpus"], vocab_size=size, pattern="none", alphabet="characters", end_of_word=end)
    pairs = [[trace.vocabulary[i].decode() for i in merge.pair] for merge in trace.merges]
    assert pairs == case["expected_merges"]
    assert [merge.count for merge in trace.merges] == case.get("expected_counts", [11, 9, 4])
    if "vocabulary" in case:
        assert [token.decode() for token in trace.vocabulary.values()] == case["vocabulary"]
    tok, after_10 = trace.tokenizer(), trace.tokenizer(min(size, len(trace.alphabet) + 10))
    for word, expected in case.get("encode", {}).items():
        assert tok.tokens(word) == [token.encode() for token in expected]
    for word, expected in case.get("encode_ids", {}).items():
        assert tok.encode(word) == expected
    for word, expected in case.get("encode_after_10_merges", {}).items():
        assert after_10.tokens(word) == [token.encode() for token in expected]


def test_sennrich_gets_shorter_until_no_pair_is_left():
    trace = bpe.train(SENNRICH, vocab_size=1000, pattern="none", alphabet="characters", end_of_word="</w>")
    assert [trace.lengths[k] for k in (0, 3, 10, 15)] == [95, 68, 28, 16]
    assert (len(trace.alphabet), len(trace), trace.stopped) == (11, 15, "no pair left")
    first = trace.merges[0]
    assert (first.count, first.tied, first.before, first.after, first.replaced) == (9, 3, 95, 86, 9)
    assert tuple(trace.vocabulary[i] for i in first.runner_up[0]) == (b"s", b"t") and first.runner_up[1] == 9
    for k in range(5, 16):
        assert trace.tokenizer(11 + k).tokens("lowest") == [b"low", b"est</w>"]


def test_taxi_has_its_ids_and_counts():
    trace = bpe.train(TAXI, vocab_size=11, pattern="none", alphabet="characters")
    assert trace.pair_counts(0)[:2] == [((0, 6), 11), ((5, 0), 9)]          # a x, then t a
    assert trace.lengths[:4] == (41, 30, 21, 17)
    assert trace.merges[3].tied == 3 and trace.merges[3].count == 2
    assert trace.at(3) == [((b"taxi",), 4), ((b"tax",), 3), ((b"tax", b"e", b"s"), 2), ((b"m", b"ax"), 2)]


def test_overlaps_count_and_replace_differently():
    merge = bpe.train("aaa", vocab_size=257).merges[0]
    assert (merge.count, merge.replaced, merge.before, merge.after) == (2, 1, 3, 2)


def test_alphabets_number_their_symbols():
    assert bpe.train("", tie="first-seen").alphabet == tuple(bytes([b]) for b in range(256))
    permuted = bpe.train("hi", tie="gpt2-order", vocab_size=257)
    assert (permuted.alphabet[0], permuted.alphabet[220], permuted.alphabet[255]) == (b"!", b" ", b"\xad")     # as in GPT-2
    assert permuted.tokenizer().encode("hi !") == [256, 220, 0]
    assert bpe.train("zé🙂a", alphabet="characters", end_of_word="</w>").alphabet == tuple(
        symbol.encode() for symbol in ("a", "z", "é", "🙂", "</w>"))


def test_a_long_text_without_fences_is_one_word():
    trace = bpe.train("ab" * 40_000 + "c", vocab_size=300, pattern="none")
    assert trace.merges[0].count == 40_000 and trace.merges[1].count == 39_999 and trace.merges[1].replaced == 20_000
    assert trace.lengths[:3] == (80_001, 40_001, 20_001)


# ---- where training ends

@pytest.mark.parametrize("text, merged", [("", []), ("a", []), ("ab", [b"ab"]), ("é", [b"\xc3\xa9"]), (" ", [])])
@pytest.mark.parametrize("train", [bpe.train, bpe.train_naive])
def test_hardly_any_text_is_no_error(text, merged, train):
    trace = train(text)
    assert [merge.token for merge in trace.merges] == merged and trace.stopped == "no pair left"
    assert trace.tokenizer().decode(trace.tokenizer().encode("any text, é")) == "any text, é"


def test_hardly_any_characters_are_no_error():
    assert bpe.train("", alphabet="characters").alphabet == ()
    assert bpe.train("", alphabet="characters", end_of_word="</w>").alphabet == (b"</w>",)
    assert bpe.train([], alphabet="bytes").merges == bpe.train({}).merges == bpe.train({"": 3}).merges == ()
    trace = bpe.train("a", alphabet="characters", vocab_size=1)
    assert (trace.alphabet, trace.lengths, trace.stopped) == ((b"a",), (1,), "vocab_size")
    assert trace.tokenizer().encode("a") == [0]


@pytest.mark.parametrize("train", [bpe.train, bpe.train_naive])
def test_why_it_stopped(train):
    assert train("abab", vocab_size=256).stopped == "vocab_size" and len(train("abab", vocab_size=256)) == 0
    assert train("abab", vocab_size=257).stopped == "vocab_size"
    assert train("abab", vocab_size=259).stopped == "no pair left"
    trace = train("ababc", min_count=2)
    assert (trace.stopped, tokens(trace)) == ("min_count", ["ab"])


@pytest.mark.parametrize("train", [bpe.train, bpe.train_naive])
def test_progress_is_told_and_may_stop(train):
    calls = []
    whole = train("low lower newest widest", vocab_size=262, progress=lambda done, total: calls.append((done, total)))
    assert calls == [(k, 6) for k in range(1, 7)] and whole.stopped == "vocab_size"
    shorter = train("low lower newest widest", vocab_size=262, progress=lambda done, total: done < 3)
    assert shorter.merges == whole.merges[:3] and shorter.lengths == whole.lengths[:4] and shorter.stopped == "stopped"
    assert shorter.at(2) == whole.at(2) and len(shorter.tokenizer()) == 259


@pytest.mark.parametrize("train", [bpe.train, bpe.train_naive])
@pytest.mark.parametrize("answer, merges", [(None, 3), (True, 3), (np.True_, 3), (5, 3), (False, 1), (np.False_, 1), (0, 1), ("", 1)], ids=repr)
def test_progress_stops_at_what_counts_as_false_but_for_none(train, answer, merges):
    assert len(train("abcd", progress=lambda done, total: answer)) == merges


def test_what_a_trace_shows_cannot_be_changed():
    trace = bpe.train("the cat cat")
    with pytest.raises(TypeError, match="does not support item assignment"):
        trace.vocabulary[97] = b"b"
    with pytest.raises(TypeError, match="does not support item assignment"):
        trace.words["the"] = 5
    assert trace.vocabulary[97] == b"a" and trace.words == {"the": 1, " cat": 2}
    twin = copy.deepcopy(trace)
    assert twin == trace and twin.vocabulary == trace.vocabulary and twin.at(2) == trace.at(2)


def test_a_smaller_tokenizer_is_the_trace_replayed():
    trace = bpe.train("the cat and the hat", vocab_size=265)
    for size in range(256, 266):
        assert trace.tokenizer(size).vocabulary == bpe.train("the cat and the hat", vocab_size=size).tokenizer().vocabulary
    assert len(trace.tokenizer()) == 265 and trace.tokenizer().pattern == "gpt2"


def test_a_trace_shows_itself_in_one_line():
    trace = bpe.train(TAXI, vocab_size=10, alphabet="characters")
    assert repr(trace) == "Trace(3 merges, vocabulary of 10, 41 tokens -> 17, tie='first-seen', stopped='vocab_size')"
    assert repr(bpe.train("ab")) == "Trace(1 merge, vocabulary of 257, 2 tokens -> 1, tie='first-seen', stopped='no pair left')"


# ---- what it is fed

def test_sources_of_all_kinds():
    counted = bpe.train({"the": 1, " cat": 2})
    assert counted.merges == bpe.train(["the cat", " cat"]).merges == bpe.train(iter(["the cat", " cat"])).merges
    assert bpe.train("the cat cat").words == {"the": 1, " cat": 2}
    assert bpe.train({"no fence here": 1}, pattern="gpt2").words == {"no fence here": 1}     # taken as it stands
    assert bpe.train(["a b", "b"], pattern="none").words == {"a b": 1, "b": 1}
    given_words = {"ab": 2}
    trace = bpe.train(given_words)
    given_words["cd"] = 1
    assert trace.words == {"ab": 2}


BAD = [
    ({"source": "ab", "vocab_size": 255}, ValueError, "vocab_size=255 is smaller than the alphabet, 256 bytes"),
    ({"source": "abc", "vocab_size": 2, "alphabet": "characters"}, ValueError, "smaller than the alphabet, 3 characters"),
    ({"source": "ab", "vocab_size": 2, "alphabet": "characters", "end_of_word": "."}, ValueError, "smaller than the alphabet, 3"),
    ({"source": "ab", "vocab_size": -1}, ValueError, "vocab_size must be a whole number from 0 to 1114112 (ids end at 1114111), not -1"),
    ({"source": "ab", "vocab_size": 1_114_113}, ValueError, "from 0 to 1114112 (ids end at 1114111), not 1114113"),
    ({"source": "ab", "vocab_size": True}, TypeError, "vocab_size must be a whole number (int), not bool True"),
    ({"source": "ab", "vocab_size": 300.5}, TypeError, "vocab_size must be a whole number (int), not float 300.5"),
    ({"source": "ab", "vocab_size": "300"}, TypeError, "not str '300'"),
    ({"source": "ab", "min_count": 0}, ValueError, "min_count must be a whole number from 1 up, not 0"),
    ({"source": "ab", "tie": "first"}, ValueError, "unknown tie rule 'first': did you mean 'first-seen'?"),
    ({"source": "ab", "tie": "sentence-piece", "alphabet": "characters"}, ValueError, "did you mean 'sentencepiece'?"),
    ({"source": "ab", "tie": None}, TypeError, "tie rule must be a name"),
    ({"source": "ab", "alphabet": "chars"}, ValueError, "unknown alphabet 'chars': did you mean 'characters'?"),
    ({"source": "ab", "pattern": "gtp2"}, ValueError, "did you mean 'gpt2'?"),
    ({"source": {"ab": 1}, "pattern": "("}, ValueError, "pattern '(' is no regular expression"),
    ({"source": pd.DataFrame({"text": ["ab"]})}, TypeError, "choose one column, as in df['text']"),
    ({"source": {"ab": 1}, "pattern": "gtp2"}, ValueError, "did you mean 'gpt2'?"),
    ({"source": "ab", "tie": "greatest-strings"}, ValueError, "needs alphabet='characters', not 'bytes': use tie='greatest-bytes'"),
    ({"source": "ab", "tie": "sentencepiece"}, ValueError, "needs alphabet='characters'"),
    ({"source": "ab", "tie": "gpt2-order", "alphabet": "characters"}, ValueError, "needs alphabet='bytes'"),
    ({"source": "ab", "end_of_word": "</w>"}, ValueError, "end_of_word='</w>' needs alphabet='characters'"),
    ({"source": "a_b", "end_of_word": "_", "alphabet": "characters"}, ValueError, "end_of_word='_' occurs in the text, in "),
    ({"source": "ab", "end_of_word": None, "alphabet": "characters"}, TypeError, "end_of_word must be str"),
    ({"source": b"ab"}, TypeError, "decode it first"),
    ({"source": ["ab", b"ab"]}, TypeError, "decode it first"),
    ({"source": {b"ab": 1}}, TypeError, "decode it first"),
    ({"source": 5}, TypeError, "5"),
    ({"source": "a\ud83d"}, ValueError, "lone surrogate '\\ud83d' at index 1"),
    ({"source": {"a\ud83d": 1}}, ValueError, "lone surrogate"),
    ({"source": {"ab": 0}}, ValueError, "'ab'"),
    ({"source": {"ab": -2}}, ValueError, "-2"),
    ({"source": {"ab": 1.5}}, TypeError, "1.5"),
    ({"source": {"ab": "2"}}, TypeError, "'2'"),
    ({"source": {"ab": True}}, (TypeError, ValueError), "True"),
    ({"source": "a b", "pattern": r"\w+"}, ValueError, " "),
]


@pytest.mark.parametrize("arguments, kind, says", BAD, ids=[re.sub(r"\W+", "-", ascii(arguments)) for arguments, *_ in BAD])
@pytest.mark.parametrize("train", [bpe.train, bpe.train_naive])
def test_bad_arguments_are_named(arguments, kind, says, train):
    with pytest.raises(kind) as error:
        train(**arguments)
    assert says in str(error.value)


@pytest.mark.parametrize("size", [255, 258, -1])
def test_a_tokenizer_outside_the_trace_is_refused_with_the_range(size):
    with pytest.raises(ValueError, match=rf"vocab_size must be a whole number from 256 to 257 \(.*\), not {size}$"):
        bpe.train("ab", vocab_size=400).tokenizer(size)


@pytest.mark.parametrize("k", [-1, 2])
def test_a_step_outside_the_trace_is_refused_with_the_range(k):
    trace = bpe.train("ab", vocab_size=400)
    for look in (trace.at, trace.ids_at, trace.pair_counts):
        with pytest.raises(ValueError, match=rf"k must be a whole number from 0 to 1 \(merges of this trace\), not {k}$"):
            look(k)
    with pytest.raises(TypeError, match="k must be a whole number"):
        trace.at("1")
    with pytest.raises(TypeError, match="k must be a whole number .*, not bool True"):
        trace.at(True)


def test_every_rule_is_described():
    assert list(bpe.TIE_RULES) == ["first-seen", "lowest-ids", "gpt2-order", "greatest-bytes", "greatest-strings", "sentencepiece"]
    assert all(isinstance(line, str) and "\n" not in line for line in bpe.TIE_RULES.values())
