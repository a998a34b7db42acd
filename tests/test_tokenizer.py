"""The tokenizer: nothing is lost, the joins are the rule's, special tokens come only where they are allowed."""
import copy
import random
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlab import bpe, corpora, pretokenize
from tokenlab.bpe import Span, Step, Tokenizer, encoder
from tokenlab.bpe.joins import _join_with_heap, join, steps_of
from tokenlab.bpe.special import sections

BYTES = {bytes([byte]): byte for byte in range(256)}
NASTY = ["", " ", "  ", "\t", "\n", "\r\n", "é", "e\u0301", "안", "😉", "👨\u200d👩\u200d👧\u200d👦", "🇫🇷", "שלום", "مرحبا", "\0", "\ufeff",
         "\u200b", "\u0085", "a" * 10_000, "<script>alert(1)</script>", "<|endoftext|>", "</w>", "�", "\U0010ffff", "DON'T don’t",
         "x\n\t", " \n a\n\n\nb  \r\n", "\u3000a\u00a0b\u2028", "'\u017f", "1234567 ½² Ⅳ ٣"]
texts = st.one_of(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), st.text("ab é안😉\n\r\t'1.", max_size=60),
                  st.lists(st.sampled_from(NASTY[:12] + NASTY[20:]), max_size=8).map("".join))


NOVEL = corpora.load("botchan")[:30_000]


def trained(pattern, text=NOVEL, vocab_size=500, **arguments):
    return bpe.train(text, vocab_size=vocab_size, pattern=pattern, **arguments).tokenizer()


OWN = [trained("gpt2"), trained("o200k_base", corpora.udhr()[15]["articles"][0] * 3), trained("none", vocab_size=300),
       trained("whitespace", tie="greatest-bytes"), trained(r"(?s:.)[a-z]*"), Tokenizer(BYTES),
       trained("cl100k_base", tie="gpt2-order").with_special({"<|endoftext|>": 9000, "<s>": 9001})]


# ---- nothing is lost

@pytest.mark.parametrize("tok", OWN, ids=repr)
@pytest.mark.parametrize("s", NASTY, ids=lambda s: ascii(s[:20]))
def test_nasty_text_comes_back(tok, s):
    assert tok.decode(tok.encode(s, disallowed_special="text")) == s


@given(texts)
@settings(max_examples=150, deadline=None)
def test_any_text_comes_back(s):
    for tok in OWN:
        assert tok.decode(tok.encode(s, disallowed_special="text")) == s
        assert b"".join(tok.tokens(s, disallowed_special="text")) == s.encode()
        assert tok.lost(s) == ""


LETTERS = "abc dé안\n"
BY_CHARACTER = [trained(pattern, LETTERS * 3 + "abc abc dé dé 안안", 20, alphabet="characters", end_of_word=end)
                for pattern in ("whitespace", "gpt2", "none") for end in ("", "</w>", "_")]


@given(st.text(LETTERS, max_size=40))
@settings(max_examples=150, deadline=None)
def test_any_text_in_the_alphabet_comes_back(s):
    for tok in BY_CHARACTER:
        assert tok.decode(tok.encode(s)) == s
        assert tok.lost(s) == ""


def test_a_character_outside_the_alphabet_is_refused():
    for tok in BY_CHARACTER:
        with pytest.raises(ValueError, match="character 'x' is not in the alphabet"):
            tok.encode("abxc")
        with pytest.raises(ValueError, match="character 'x' is not in the alphabet"):
            tok.steps("abxc")


def test_a_text_that_holds_the_end_of_word_is_refused():
    tok = trained("whitespace", "ba</ <", 10, alphabet="characters", end_of_word="b<")
    assert tok.decode(tok.encode("ab/")) == "ab/"
    for call in (tok.encode, tok.tokens, tok.steps, tok.offsets, tok.lost):
        with pytest.raises(ValueError, match="holds 'b<', which marks the end of a word"):
            call("a ab</")


def test_end_of_word_is_written_in_tokens_and_left_out_of_text():
    tok = bpe.train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, vocab_size=21, pattern="whitespace",
                    alphabet="characters", end_of_word="</w>").tokenizer()
    assert tok.pieces("lowest") == ["low", "est</w>"]
    assert tok.tokens("lowest") == [b"low", b"est</w>"]
    assert tok.decode(tok.encode("lowest")) == "lowest"
    assert tok.offsets("lowest") == [Span((0, 3), (0, 3)), Span((3, 6), (3, 6))]
    assert tok.pieces("wo") == ["w", "o", "</w>"]
    assert tok.offsets("wo")[-1] == Span((2, 2), (2, 2))


# ---- refusals

@pytest.mark.parametrize("s", ["a\ud83d", "\udc00", "x\ud83d\ude00"], ids=ascii)
def test_a_lone_surrogate_is_refused(s):
    for tok in OWN:
        for call in (tok.encode, tok.tokens, tok.pieces, tok.offsets, tok.steps, tok.lost):
            with pytest.raises(ValueError, match="lone surrogate"):
                call(s)


@pytest.mark.parametrize("value", [b"a", None, 5, ["a"]], ids=repr)
def test_only_str_is_text(value):
    with pytest.raises(TypeError, match="must be str"):
        OWN[0].encode(value)


def test_text_that_the_pattern_leaves_out_is_refused():
    with pytest.raises(ValueError, match="uncovered"):
        Tokenizer(BYTES, pattern=r"\w+").encode("a b")


@pytest.mark.parametrize("arguments, error, words", [
    ({"pattern": "gtp2"}, ValueError, "did you mean 'gpt2'"),
    ({"pattern": "(a"}, ValueError, "no regular expression"),
    ({"alphabet": "byte"}, ValueError, "did you mean 'bytes'"),
    ({"token_ids": {b"a": 0}}, ValueError, "lacks 255"),
    ({"token_ids": BYTES | {b"ab": 7}}, ValueError, "an id of its own"),
    ({"token_ids": BYTES | {b"ab": -1}}, ValueError, "from 0 up"),
    ({"token_ids": BYTES | {b"": 256}}, ValueError, "empty"),
    ({"token_ids": BYTES | {"ab": 256}}, TypeError, r"bytes to int, unlike \('ab', 256\)"),
    ({"token_ids": BYTES | {b"ab": "256"}}, TypeError, r"unlike \(b'ab', '256'\)"),
    ({"token_ids": BYTES | {b"ab": True}}, TypeError, r"unlike \(b'ab', True\)"),
    ({"token_ids": {i: b for b, i in BYTES.items()}}, TypeError, r"unlike \(0, b'\\x00'\)"),
    ({"token_ids": [b"a"]}, TypeError, "mapping of bytes to int, not list"),
    ({"token_ids": {b"\xff": 0}, "alphabet": "characters"}, ValueError, "whole characters"),
    ({"token_ids": {b"a": 0}, "alphabet": "characters", "end_of_word": "</w>"}, ValueError, "lacks 1 .* b'</w>'"),
    ({"end_of_word": b"</w>"}, TypeError, "end_of_word must be str"),
    ({"special_tokens": {"<s>": 65}}, ValueError, "'<s>' has id 65, which is the id of token b'A'"),
    ({"special_tokens": {"<s>": 300, "</s>": 300}}, ValueError, "an id of its own"),
    ({"special_tokens": {"": 300}}, ValueError, "empty ''"),
    ({"special_tokens": {b"<s>": 300}}, TypeError, "str to int"),
    ({"special_tokens": {"\ud800": 300}}, ValueError, "lone surrogate"),
    ({"special_tokens": ["<s>"]}, TypeError, "mapping of str to int"),
], ids=str)
def test_what_does_not_fit_together_is_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        Tokenizer(**{"token_ids": BYTES, **arguments})


# ---- the rule

def lowest_first(tokens, ids):
    """The rule word for word: look at all pairs again after each join."""
    tokens = list(tokens)
    while True:
        found = [(ids[a + b], i) for i, (a, b) in enumerate(pairwise(tokens)) if a + b in ids]
        if not found:
            return tokens
        i = min(found)[1]
        tokens[i:i + 2] = [tokens[i] + tokens[i + 1]]


def made_up(seed):
    """A list of tokens that no training would give, in any order: most cannot be made by joins."""
    draw = random.Random(seed)
    words = {bytes(draw.choices(b"abc", k=draw.randint(2, 5))) for _ in range(draw.randint(1, 30))}
    ids = list(range(256, 256 + len(words)))
    draw.shuffle(ids)
    return BYTES | dict(zip(sorted(words), ids))


@given(st.integers(0, 10**6), st.text("abc", max_size=150))
@settings(max_examples=300, deadline=None)
def test_joins_follow_the_rule_on_any_list_and_any_length(seed, s):
    ids = made_up(seed)
    symbols = [character.encode() for character in s]
    expected = lowest_first(symbols, ids)
    assert join(symbols.copy(), ids) == _join_with_heap(symbols.copy(), ids) == expected
    assert Tokenizer(ids, pattern="none").tokens(s) == expected
    steps = steps_of(s, symbols.copy(), ids, lambda new: new)
    assert {step.number for step in steps} <= set(ids.values())
    assert [*(steps[-1].tokens if steps else symbols)] == expected


def test_a_pair_that_was_overtaken_at_the_end_of_the_text():
    assert _join_with_heap([b"a", b"b", b"c"], {b"bc": 256, b"abc": 257, b"ab": 300}) == [b"abc"]


@given(texts)
@settings(max_examples=100, deadline=None)
def test_trained_tokenizers_follow_the_rule_and_make_the_training_corpus(s):
    for tok in OWN:
        ids = {token: i for i, token in tok.vocabulary.items()}
        expected = [token for chunk in pretokenize.split(s, tok.pattern) for token in
                    lowest_first([bytes([byte]) for byte in chunk.encode()], ids)]
        assert tok.tokens(s, disallowed_special="text") == expected


def test_encoding_the_training_text_gives_the_trace_its_last_row():
    for source, arguments in [(NOVEL, {}), ({"taxi": 4, "tax": 3, "taxes": 2, "max": 2}, {}),
                              ({"low": 5, "lower": 2, "newest": 6, "widest": 3}, {"alphabet": "characters", "end_of_word": "</w>"})]:
        trace = bpe.train(source, vocab_size=400, **arguments)
        for k in (0, 1, len(trace) // 2, len(trace)):
            tok = trace.tokenizer(len(trace.alphabet) + k)
            assert [tuple(tok.tokens(word)) for word in trace.words] == [tokens for tokens, _ in trace.at(k)]


def test_a_whole_chunk_is_taken_at_once_only_if_asked():
    unreachable = BYTES | {b"abc": 256}
    assert Tokenizer(unreachable, pattern="none").tokens("abc") == [b"a", b"b", b"c"]
    assert Tokenizer(unreachable, pattern="none", whole_chunk_first=True).tokens("abc") == [b"abc"]


@given(texts)
@settings(max_examples=60, deadline=None)
def test_whole_chunks_first_changes_nothing_on_a_trained_list(s):
    for tok in OWN:
        quick = Tokenizer({token: i for i, token in tok.vocabulary.items()}, pattern=tok.pattern, whole_chunk_first=True)
        assert quick.encode(s) == tok.encode(s, disallowed_special="text")


BLANKS = BYTES | {b" a": 300, b"\n\n": 301, b"  ": 302, b"a\n": 303, b". ": 304}      # every border in the wrong place shows
CHUNK_BY_CHUNK, *WITH_BLANKS = (Tokenizer(BLANKS, pattern=pattern) for pattern in ["none", *sorted(encoder.CUT_AT_BLANKS)])


@given(st.lists(st.one_of(texts, st.sampled_from([" ", "  ", "\n", " \n ", "\t", "\x1c", "\u3000", "a b", " c"])), max_size=12).map("".join))
@settings(max_examples=300, deadline=None)
def test_remembered_units_give_the_ids_of_the_chunks(s):
    for tok in WITH_BLANKS:
        expected = [i for chunk in pretokenize.split(s, tok.pattern) for i in CHUNK_BY_CHUNK.encode(chunk)]
        assert tok.encode(s) == expected
        assert tok.encode(s) == expected, "the second time, from memory"


def test_memory_is_bounded_and_forgetting_changes_no_id(monkeypatch):
    s = NOVEL
    expected = OWN[0].encode(s)
    monkeypatch.setattr(encoder, "REMEMBERED", 300)
    for pattern in ("gpt2", "none", r"(?s: ?\w+|.)"):
        tok = Tokenizer({token: i for i, token in OWN[0].vocabulary.items()}, pattern=pattern)
        for start in range(0, len(s), 97):
            tok.encode(s[start:start + 97])
            assert sum(map(len, tok._encoder._of_chunk)) + sum(map(len, tok._encoder._of_unit)) <= 300
        if pattern == "gpt2":
            assert tok.encode(s) == expected


def test_long_chunks_take_no_quadratic_time():
    tok = Tokenizer(BYTES | {b"a" * 2**k: 255 + k for k in range(1, 8)}, pattern="none")
    assert tok.tokens("a" * 100_000) == [b"a" * 128] * 781 + [b"a" * 32]     # 100,000 squared would not end
    assert tok.decode(tok.encode("a" * 100_000)) == "a" * 100_000


# ---- steps

@given(texts)
@settings(max_examples=100, deadline=None)
def test_steps_lead_from_bytes_to_tokens(s):
    for tok in OWN[:5]:
        ids = {token: i for i, token in tok.vocabulary.items()}
        merged = [token for token in ids if len(token) > 1]                     # in the order of their ids
        expected = []
        for chunk in pretokenize.split(s, tok.pattern):
            tokens = tuple(bytes([byte]) for byte in chunk.encode())
            while found := [(ids[a + b], i) for i, (a, b) in enumerate(pairwise(tokens)) if a + b in ids]:
                i = min(found)[1]
                pair = tokens[i:i + 2]
                tokens = (*tokens[:i], b"".join(pair), *tokens[i + 2:])
                expected.append(Step(chunk, i, pair, merged.index(b"".join(pair)) + 1, tokens))
        assert tok.steps(s) == expected


def test_steps_of_the_taxi_corpus_by_hand():
    tok = bpe.train({"taxi": 4, "tax": 3, "taxes": 2, "max": 2}, vocab_size=10, alphabet="characters").tokenizer()
    assert tok.encode("taxis") == [9, 4]
    assert tok.steps("taxis") == [
        Step("taxis", 1, (b"a", b"x"), 1, (b"t", b"ax", b"i", b"s")),
        Step("taxis", 0, (b"t", b"ax"), 2, (b"tax", b"i", b"s")),
        Step("taxis", 0, (b"tax", b"i"), 3, (b"taxi", b"s")),
    ]
    assert tok.steps("") == [] == tok.steps("s")


# ---- special tokens

SPECIAL = OWN[0].with_special({"<|a|>": 900, "<|a|><|a|>": 901, "<|b|>": 902})


def test_a_special_token_in_the_text_is_refused_and_the_error_says_which_and_how():
    with pytest.raises(ValueError, match=r"'<\|b\|>' at index 3.*allowed_special=\['<\|b\|>'\].*disallowed_special=\"text\""):
        SPECIAL.encode("see<|b|>")
    for call in (SPECIAL.tokens, SPECIAL.pieces, SPECIAL.offsets, SPECIAL.steps):
        with pytest.raises(ValueError, match="special token"):
            call("see<|b|>")


def test_special_tokens_are_made_where_they_are_allowed():
    assert SPECIAL.encode("<|b|>", allowed_special="all") == [902]
    assert SPECIAL.encode("<|b|>", allowed_special={"<|b|>"}) == [902]
    assert SPECIAL.encode("<|a|><|b|>", allowed_special=["<|b|>"], disallowed_special="text")[-1] == 902
    with pytest.raises(ValueError, match=r"'<\|a\|>' at index 5"):
        SPECIAL.encode("<|b|><|a|>", allowed_special=["<|b|>"])
    assert SPECIAL.tokens("é<|b|>!", allowed_special="all")[-2:] == [b"<|b|>", b"!"]
    assert SPECIAL.offsets("é<|b|>!", allowed_special="all")[-2:] == [Span((2, 7), (1, 6)), Span((7, 8), (6, 7))]
    assert SPECIAL.decode([902, 65, 900]) == "<|b|>A<|a|>"


def test_the_longest_special_token_is_found_first():
    assert SPECIAL.encode("<|a|><|a|><|a|>", allowed_special="all") == [901, 900]
    assert SPECIAL.encode("<|a|><|a|>", allowed_special=["<|a|><|a|>"]) == [901]
    assert SPECIAL.encode("<|a|><|a|>", allowed_special=["<|a|>"], disallowed_special="text") == [900, 900]
    with pytest.raises(ValueError, match=r"'<\|a\|><\|a\|>' at index 0"):
        SPECIAL.encode("<|a|><|a|>", allowed_special=["<|a|>"])


@given(st.lists(st.sampled_from(["<|a|>", "<|b|>", "<|", "a|>", "<", "|", ">", "<|a", " ", "x", "\u200b"]), max_size=12).map("".join))
@settings(max_examples=300, deadline=None)
def test_user_text_never_becomes_a_control_token(s):
    ordinary = SPECIAL.encode(s, disallowed_special="text")
    assert not set(ordinary) & {900, 901, 902}
    assert SPECIAL.decode(ordinary) == s
    assert ordinary == OWN[0].encode(s), "the same ids as without any special token"
    if any(name in s for name in SPECIAL.special_tokens):
        with pytest.raises(ValueError, match="special token"):
            SPECIAL.encode(s)
    else:
        assert SPECIAL.encode(s) == ordinary
    some = SPECIAL.encode(s, allowed_special=["<|b|>"], disallowed_special="text")
    assert some.count(902) == s.count("<|b|>") and not set(some) & {900, 901}
    assert SPECIAL.decode(some) == s


def test_wrong_ways_to_allow_are_refused():
    with pytest.raises(TypeError, match="collection of names"):
        SPECIAL.encode("x", allowed_special="<|b|>")
    with pytest.raises(TypeError, match="collection of names"):
        SPECIAL.encode("x", allowed_special=None)
    with pytest.raises(ValueError, match=r"did you mean '<\|b\|>'"):
        SPECIAL.encode("x", allowed_special=["<|b>"])
    with pytest.raises(ValueError, match="did you mean 'raise'"):
        SPECIAL.encode("x", disallowed_special="rase")
    with pytest.raises(ValueError, match="Allowed: raise, text"):
        list(sections("x", {}, disallowed_special="all"))


def test_with_special_adds_and_leaves_the_first_tokenizer_as_it_was():
    more = SPECIAL.with_special({"<|c|>": 903, "<|b|>": 902})
    assert more.special_tokens == {"<|a|>": 900, "<|a|><|a|>": 901, "<|b|>": 902, "<|c|>": 903}
    assert len(more) == len(SPECIAL) + 1 and "<|c|>" not in SPECIAL.special_tokens
    assert (more.pattern, more.name, more.alphabet) == (SPECIAL.pattern, SPECIAL.name, SPECIAL.alphabet)
    with pytest.raises(ValueError, match="has id 902 already, not 904"):
        SPECIAL.with_special({"<|b|>": 904})
    with pytest.raises(ValueError, match="which is the id of token"):
        SPECIAL.with_special({"<|d|>": 65})
    with pytest.raises(TypeError, match="mapping of str to int"):
        SPECIAL.with_special(["<|d|>"])
    with pytest.raises(TypeError):
        SPECIAL.special_tokens["<|d|>"] = 903


def test_a_special_token_may_spell_what_is_a_token_too():
    tok = Tokenizer(BYTES | {b"ab": 256}, pattern="none", special_tokens={"ab": 257})
    assert tok.encode("ab", disallowed_special="text") == [256]
    assert tok.encode("ab", allowed_special="all") == [257]


# ---- decode

def test_unknown_ids_are_named_with_the_range():
    with pytest.raises(ValueError, match=r"unknown id 500: this tokenizer has 500 ids from 0 to 499$"):
        OWN[0].decode([65, 500])
    with pytest.raises(ValueError, match=r"unknown id -1"):
        OWN[0].decode([-1])
    with pytest.raises(ValueError, match=r"503 ids from 0 to 902 \(some in between are not used\)"):
        SPECIAL.decode([899])
    with pytest.raises(ValueError, match=r"257 ids from 0 to 257 \(some in between are not used\)"):
        Tokenizer(BYTES | {b"ab": 257}).decode([256])
    with pytest.raises(ValueError, match="unknown id 0: this tokenizer has no ids"):
        Tokenizer({}, alphabet="characters").decode([0])


@pytest.mark.parametrize("ids", ["abc", b"abc", [1.0], ["a"], 5, None, [None], [True], [65, False], iter([65, True])], ids=lambda ids: type(ids).__name__ + ascii(ids)[:9])
def test_ids_are_whole_numbers(ids):
    with pytest.raises(TypeError, match="whole numbers"):
        OWN[0].decode(ids)


def test_half_a_character_is_refused_and_the_error_says_where():
    tok = Tokenizer(BYTES | {b"\xf0\x9f": 300}, pattern="none")
    with pytest.raises(ValueError, match=r'byte 1 \(0xf0, of id 300 at index 1\).*errors="replace"'):
        tok.decode([65, 300])
    with pytest.raises(ValueError, match=r"byte 2 \(0x80, of id 128 at index 2\)"):
        tok.decode([65, 66, 128, 67])
    assert tok.decode([65, 300], errors="replace") == "A�"
    assert tok.decode([65, 300], errors="ignore") == "A"
    with pytest.raises(ValueError, match="did you mean 'replace'"):
        tok.decode([65], errors="replaced")


@given(st.lists(st.integers(0, 499), max_size=30), st.sampled_from(["replace", "ignore"]))
def test_decode_is_the_bytes_of_the_tokens(ids, errors):
    expected = b"".join(OWN[0].vocabulary[i] for i in ids).decode("utf-8", errors)
    assert OWN[0].decode(ids, errors) == expected
    assert OWN[0].decode(iter(ids), errors) == expected


def test_ids_of_other_integer_types_decode():
    numpy = pytest.importorskip("numpy")
    assert OWN[0].decode(numpy.array([72, 105])) == "Hi"


# ---- offsets, sizes, names

@given(texts)
@settings(max_examples=100, deadline=None)
def test_offsets_say_which_bytes_and_characters_a_token_holds(s):
    starts = [len(s[:i].encode()) for i in range(len(s) + 1)]
    for tok in OWN:
        spans = tok.offsets(s, disallowed_special="text")
        tokens = tok.tokens(s, disallowed_special="text")
        assert [s.encode()[slice(*span.bytes)] for span in spans] == tokens
        assert [span.bytes[0] for span in spans] == [0, *(span.bytes[1] for span in spans)][:-1]
        for span in spans:
            touched = [i for i in range(len(s)) if starts[i] < span.bytes[1] and starts[i + 1] > span.bytes[0]]
            assert span.chars == (touched[0], touched[-1] + 1)


@given(st.lists(st.sampled_from(["<|a|>", "<|é|>", "é", "안", "😉", "a", " ", "<", "e\u0301"]), max_size=12).map("".join), st.booleans())
def test_offsets_are_contiguous_with_special_tokens_and_ends_of_words(s, byte_by_byte):
    specials = SPECIAL.with_special({"<|é|>": 910}) if byte_by_byte else BROKEN.with_special({"<|a|>": 900})
    by_word = trained("whitespace", "<|aé>안😉e\u0301 a안", 20, alphabet="characters", end_of_word="$")
    starts = [len(s[:i].encode()) for i in range(len(s) + 1)]
    for tok, way in ((specials, {"allowed_special": "all"}), (by_word, {})):
        spans = tok.offsets(s, **way)
        assert len(spans) == len(tok.encode(s, **way))
        assert [span.bytes[0] for span in spans] == [0, *(span.bytes[1] for span in spans)][:len(spans)]
        assert not spans or spans[-1].bytes[1] == len(s.encode())
        for (start, end), chars in spans:
            touched = [i for i in range(len(s)) if starts[i] < end and starts[i + 1] > start]
            assert chars == ((touched[0], touched[-1] + 1) if touched else (starts.index(start),) * 2)


def test_offsets_of_a_character_cut_in_three():
    assert Tokenizer(BYTES | {b"a\xec": 300}, pattern="none").offsets("xa안") == [
        Span((0, 1), (0, 1)), Span((1, 3), (1, 3)), Span((3, 4), (2, 3)), Span((4, 5), (2, 3))]


def test_pieces_are_text_or_escaped_bytes():
    assert Tokenizer(BYTES, pattern="none").pieces("aé ") == ["a", "\\xc3", "\\xa9", " "]


def test_vocabulary_is_read_only_and_apart_from_specials():
    assert SPECIAL.vocabulary[65] == b"A" and len(SPECIAL.vocabulary) == 500 and len(SPECIAL) == 503
    assert dict(SPECIAL.vocabulary) == {**SPECIAL.vocabulary}
    with pytest.raises(TypeError):
        SPECIAL.vocabulary[65] = b"B"


@pytest.mark.parametrize("name", ["pattern", "name", "alphabet", "end_of_word"])
def test_a_tokenizer_keeps_what_it_was_made_with(name):
    before = getattr(SPECIAL, name)
    with pytest.raises(AttributeError, match=f"the {name} of a Tokenizer cannot be changed: make a new Tokenizer"):
        setattr(SPECIAL, name, "whitespace")
    assert getattr(SPECIAL, name) == before


@pytest.mark.parametrize("call", [
    lambda tok: tok.encode(list(range(200_000))), lambda tok: tok.encode("a", allowed_special=["x" * 10**6]),
    lambda tok: tok.encode("a", allowed_special=5 * 10**5000), lambda tok: tok.decode([10**5000]), lambda tok: tok.decode("a" * 10**6),
    lambda tok: tok.with_special({"x" * 10**6: 0}), lambda tok: tok.with_special({"x": "a" * 10**6}), lambda tok: tok.with_special({"": 10**5000}),
    lambda tok: tok.with_special({"<|b|>": 10**5000}), lambda tok: tok.decode([65], errors="a" * 10**6),
    lambda tok: Tokenizer({}, end_of_word="a" * 10**6, alphabet="characters"), lambda tok: Tokenizer({b"\xff" * 10**6: 0}, alphabet="characters")])
def test_errors_about_long_values_are_short(call):
    with pytest.raises((TypeError, ValueError)) as error:
        call(SPECIAL)
    assert len(str(error.value)) < 300 and "digits" not in str(error.value)


def test_bytes_in_another_order_have_other_ids():
    order = bytes(range(255, -1, -1))
    tok = Tokenizer({bytes([byte]): i for i, byte in enumerate(order)} | {b"ab": 256}, pattern="none")
    assert tok.encode("abé") == [256, 255 - 0xC3, 255 - 0xA9]
    assert tok.steps("ab")[0].number == 1


@pytest.mark.parametrize("tok", [Tokenizer({}, alphabet="characters"), bpe.train("", vocab_size=300).tokenizer(),
                                 bpe.train("a", vocab_size=300).tokenizer()], ids=repr)
def test_a_tokenizer_of_nothing_works(tok):
    assert tok.encode("") == [] and tok.decode([]) == "" and tok.tokens("") == [] == tok.offsets("") == tok.steps("")


def test_repr_is_one_line_and_copies_work():
    long = Tokenizer(BYTES, pattern="(?s:.)" + "|\n" * 50, name="my\nown")
    assert "\n" not in repr(long) and len(repr(long)) < 140
    assert copy.deepcopy(SPECIAL).encode("<|b|> hello", allowed_special="all") == SPECIAL.encode("<|b|> hello", allowed_special="all")


# ---- streams

def cut(s, places):
    return [s[a:b] for a, b in pairwise([0, *sorted(place % (len(s) + 1) for place in places), len(s)])]


cuts = st.lists(st.integers(0, 10**4), max_size=8)


@given(texts, cuts)
@settings(max_examples=200)
def test_a_stream_has_the_ids_of_the_whole_wherever_the_cuts_are(s, places):
    for tok in OWN:
        expected = tok.encode(s, disallowed_special="text")
        for pieces in (cut(s, places), list(s[:200]) + [s[200:]]):
            assert list(tok.encode_stream(iter(pieces), disallowed_special="text")) == expected


@given(st.text("abc dé\n", max_size=40), cuts)
def test_a_stream_of_characters_too(s, places):
    for tok in BY_CHARACTER:
        assert list(tok.encode_stream(cut(s, places))) == tok.encode(s)


WAYS = [{"allowed_special": "all"}, {"disallowed_special": "text"}, {"allowed_special": ["<|b|>"]}, {},
        {"allowed_special": ["<|a|><|a|>"], "disallowed_special": "text"}]
SPECIAL_PARTS = ["<|a|>", "<|b|>", "<|a|><|a|>", "<|", "a|>", "<", "|", ">", "<|a", " ", "x", "\u200b"]


@given(st.lists(st.sampled_from(SPECIAL_PARTS), max_size=12).map("".join), cuts, st.sampled_from(WAYS))
@settings(max_examples=400)
def test_special_tokens_are_found_across_cuts(s, places, way):
    rivals = SPECIAL.with_special({"|a|>": 903, "<|": 904, "><": 905, "a|><|b|>": 906}) if "allowed_special" in way else SPECIAL
    for pieces in (cut(s, places), list(s)):
        for tok in (SPECIAL, rivals):
            try:
                expected = tok.encode(s, **way)
            except ValueError as error:
                with pytest.raises(ValueError, match="^" + re.escape(str(error)) + "$"):
                    list(tok.encode_stream(pieces, **way))
            else:
                assert list(tok.encode_stream(pieces, **way)) == expected


def test_a_special_token_ends_the_text_before_it_and_comes_at_once():
    tok = trained("gpt2").with_special({"<|b|>": 902})
    came = []
    ids = tok.encode_stream((came.append(piece) or piece for piece in ["a  ", "<|", "b|>", "  c", "  d"]), allowed_special="all")
    expected = tok.encode("a  <|b|>  c  d", allowed_special="all")
    assert [next(ids) for _ in range(expected.index(902) + 1)] == expected[:expected.index(902) + 1] and len(came) == 3
    assert list(ids) == expected[expected.index(902) + 1:]


@pytest.mark.parametrize("pieces, error, words", [
    (["ab ", "\ud83d", "\ude00"], ValueError, "lone surrogate"), (["a", b"b"], TypeError, "must be str, not bytes"), (["a", None], TypeError, "not NoneType"),
    (["x", "<|", "b|>"], ValueError, r"special token '<\|b\|>' at index 1: .*allowed_special"), ([], None, ""), (["", ""], None, ""), ("ab", None, "")])
def test_what_encode_refuses_a_stream_refuses_too(pieces, error, words):
    if error:
        with pytest.raises(error, match=words):
            list(SPECIAL.encode_stream(pieces))
    else:
        assert list(SPECIAL.encode_stream(pieces)) == SPECIAL.encode("".join(pieces))
    with pytest.raises(ValueError, match="holds 'b<', which marks the end of a word"):
        list(trained("whitespace", "ba</ <", 10, alphabet="characters", end_of_word="b<").encode_stream(["ab", "</"]))


def test_a_stream_remembers_no_more_than_a_text(monkeypatch):
    monkeypatch.setattr(encoder, "REMEMBERED", 300)
    tok = Tokenizer({token: i for i, token in OWN[0].vocabulary.items()})
    for i, found in enumerate(tok.encode_stream(NOVEL[start:start + 97] for start in range(0, 9000, 97))):
        assert sum(map(len, tok._encoder._of_chunk)) <= 300 + 20, (i, found)


PARTS_OF_CHARACTERS = BYTES | {b"\xf0\x9f": 300, b"\x98\x89a": 301, b"a\xc3": 302, b"\xed\xa0": 303, "안".encode(): 304}
BROKEN = Tokenizer(PARTS_OF_CHARACTERS, pattern="none", special_tokens={"<|é|>": 400})


@given(st.lists(st.one_of(st.sampled_from([*range(300, 305), 400, 0x61, 0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x89, 0xED, 0x80, 0xFF]), st.integers(0, 255)), max_size=30),
       st.sampled_from(["strict", "replace", "ignore"]))
@settings(max_examples=500)
def test_a_stream_of_ids_gives_the_text_of_the_whole(ids, errors):
    try:
        expected = BROKEN.decode(ids, errors)
    except ValueError:
        with pytest.raises(ValueError, match="do not spell whole characters: with id"):
            list(BROKEN.decode_stream(ids, errors))
    else:
        parts = list(BROKEN.decode_stream(iter(ids), errors))
        assert "".join(parts) == expected and all(parts)


@given(texts)
def test_a_character_comes_with_the_id_that_completes_it(s):
    for tok in (*OWN, BROKEN):
        ids, came = tok.encode(s, disallowed_special="text"), []
        shown = ""
        for part in tok.decode_stream(came.append(i) or i for i in ids):
            shown += part
            assert shown == b"".join(tok.vocabulary[i] for i in came).decode("utf-8", "ignore") and "\ufffd" not in part.replace("\ufffd", "", s.count("\ufffd"))
        assert shown == s


def test_the_end_of_a_stream_of_ids_is_not_lost():
    assert list(BROKEN.decode_stream([65, 0xF0, 0x9F], "replace")) == ["A", "�"]
    assert list(BROKEN.decode_stream([65, 0xF0, 0x9F], "ignore")) == ["A"]
    ids = BROKEN.decode_stream([65, 0xF0, 0x9F])
    assert next(ids) == "A"
    with pytest.raises(ValueError, match=r'with id 159 at index 2, byte 0xf0 is no text: unexpected end of data.*errors="replace"'):
        next(ids)
    assert list(BROKEN.decode_stream([])) == []


def test_ids_in_a_stream_are_checked_as_they_come():
    for ids in ("abc", b"abc", [1.0], 5, None, [True]):
        with pytest.raises(TypeError, match="whole numbers"):
            list(SPECIAL.decode_stream(ids))
    with pytest.raises(ValueError, match="did you mean 'replace'"):
        SPECIAL.decode_stream([65], "replaced")
    ids = SPECIAL.decode_stream([65, 899])
    assert next(ids) == "A"
    with pytest.raises(ValueError, match="unknown id 899: this tokenizer has 503 ids"):
        next(ids)


# ---- five rules, and two wrong ones

def pairs_of(trace):
    return [tuple(trace.vocabulary[i] for i in merge.pair) for merge in trace.merges]


@given(st.sampled_from(sorted(bpe.TIE_RULES)), st.text("abé ", max_size=60), st.integers(0, 12), st.sampled_from(["", "</w>"]))
@settings(max_examples=200)
def test_the_merges_are_found_again_from_the_tokens(tie, corpus, merges, end):
    alphabet = "characters" if end or tie in ("greatest-strings", "sentencepiece") else "bytes"
    if (alphabet, tie) != ("characters", "gpt2-order"):
        trace = bpe.train(corpus, vocab_size=256 + merges, pattern="whitespace", tie=tie, alphabet=alphabet, end_of_word=end)
        assert trace.tokenizer().merges == tuple(pairs_of(trace))


@pytest.mark.parametrize("arguments, words", [
    ({"token_ids": BYTES | {b"ab": 256, b"abcd": 257}}, r"no merge makes the token b'abcd': .* leave 3 parts, \(b'ab', b'c', b'd'\)"),
    ({"token_ids": {b"a": 0, b"ab": 1}, "alphabet": "characters"}, "character 'b' is not in the alphabet"),
    ({"token_ids": {b"a": 0, b"</w>": 1, b"a</w>a": 2}, "alphabet": "characters", "end_of_word": "</w>"}, "character '<' is not"),
])
def test_a_token_that_merging_cannot_make_is_named(arguments, words):
    with pytest.raises(ValueError, match=words):
        _ = Tokenizer(**arguments).merges


@given(st.sampled_from(sorted(bpe.TIE_RULES)), st.text("ab ", max_size=60), st.integers(0, 12), st.lists(st.text("abc ", max_size=40), max_size=4))
@settings(max_examples=300)
def test_all_rules_agree_on_merges_that_came_from_training(tie, corpus, merges, texts):
    alphabet = "characters" if tie in ("greatest-strings", "sentencepiece") else "bytes"
    trace = bpe.train(corpus, vocab_size=256 + merges, pattern="none", tie=tie, alphabet=alphabet)
    learned, tok = pairs_of(trace), trace.tokenizer()
    for s in [*texts, corpus]:
        tokens = {rule: bpe.encode_chunk(s.encode(), learned, rule) for rule in bpe.ENCODING_RULES}
        assert len(set(map(tuple, tokens.values()))) == 1, tokens
        if alphabet == "bytes" or set(s) <= set(corpus):
            assert tokens["lowest-rank"] == tok.tokens(s)


GALLERY = [         # merges that no training gives
    ([(b"a", b"b"), (b"abc", b"d"), (b"ab", b"c")], b"abcd", {"creation-order": [b"abc", b"d"]}, [b"abcd"]),
    ([(b"aa", b"a"), (b"a", b"a")], b"aaaa", {"merge-all": [b"aa", b"aa"], "creation-order": [b"aa", b"aa"]}, [b"aaa", b"a"]),
    ([(b"b", b"c"), (b"a", b"b"), (b"ab", b"c")], b"abc", {"lowest-bytes": [b"abc"], "whole-chunk-first": [b"abc"]}, [b"a", b"bc"]),
    ([(b"b", b"c"), (b"a", b"b"), (b"ab", b"c"), (b"abc", b"d")], b"abcde", {"lowest-bytes": [b"abcd", b"e"]}, [b"a", b"bc", b"d", b"e"]),
    ([(b"b", b"c"), (b"a", b"b"), (b"c", b"d"), (b"ab", b"cd")], b"abcd", {"whole-chunk-first": [b"abcd"]}, [b"a", b"bc", b"d"]),
]


@pytest.mark.parametrize("merges, data, others, expected", GALLERY)
def test_the_rules_differ_on_lists_that_no_training_gives(merges, data, others, expected):
    assert {rule: bpe.encode_chunk(data, merges, rule) for rule in bpe.ENCODING_RULES} == dict.fromkeys(bpe.ENCODING_RULES, expected) | others


@pytest.mark.parametrize("rule", bpe.ENCODING_RULES)
def test_every_rule_takes_small_chunks_and_ranks(rule):
    for data in (b"", b"a", b"\xff"):
        assert bpe.encode_chunk(data, [(b"b", b"c")], rule) == [bytes([byte]) for byte in data] == bpe.encode_chunk(data, [], rule)
    for merges, data, others, expected in GALLERY:
        ranks = {pair: rank for rank, pair in enumerate(merges)}
        assert bpe.encode_chunk(data, dict(reversed(ranks.items())), rule) == others.get(rule, expected)
        assert bpe.encode_chunk(data, [*merges, *merges[::-1]], rule) == others.get(rule, expected), "the first of two places counts"


def test_the_two_wrong_ways_are_wrong_as_one_expects():
    learned = pairs_of(bpe.train("bc bc bc bc ab ab ab", vocab_size=258, pattern="whitespace"))
    assert bpe.encode_chunk(b"xabc", learned) == [b"x", b"a", b"bc"]
    assert bpe.leftmost_pair(b"xabc", set(learned)) == [b"x", b"ab", b"c"] == bpe.longest_match(b"xabc", {a + b for a, b in learned})
    assert bpe.leftmost_pair(b"abab", [(b"a", b"b"), (b"ab", b"ab")]) == [b"abab"]
    assert bpe.leftmost_pair(b"cab", [(b"a", b"b"), (b"c", b"ab")]) == [b"cab"], "a join makes a new pair on its left"
    assert bpe.longest_match(b"abcab", [b"ab", b"abc"]) == [b"abc", b"ab"]
    for data in (b"", b"a"):
        assert bpe.leftmost_pair(data, learned) == bpe.longest_match(data, set()) == [data] * len(data)


def test_what_is_no_chunk_no_merge_or_no_rule_is_refused():
    with pytest.raises(ValueError, match="unknown encoding rule 'lowest': did you mean 'lowest-"):
        bpe.encode_chunk(b"a", [], "lowest")
    for call in (lambda s: bpe.encode_chunk(s, []), lambda s: bpe.leftmost_pair(s, []), lambda s: bpe.longest_match(s, [])):
        with pytest.raises(TypeError, match="data must be the bytes of a chunk, not str 'a': write text.encode"):
            call("a")
    for merges in ([b"ab"], [("a", "b")], [(b"a",)], [(b"a", b"b", b"c")], [(97, 98)]):
        with pytest.raises(TypeError, match=r"each merge must be a tuple of two bytes, as in \(b'a', b'b'\), not"):
            bpe.encode_chunk(b"ab", merges)


def test_what_is_remembered_is_bounded_when_calls_fail(monkeypatch):
    monkeypatch.setattr(encoder, "REMEMBERED", 1000)
    tok = bpe.train("abcdefghij ", vocab_size=11, pattern="whitespace", alphabet="characters").tokenizer()
    letters = random.Random(1)
    for _ in range(5):
        with pytest.raises(ValueError, match="'Z' is not in the alphabet"):
            tok.encode(" ".join("".join(letters.choices("abcdefghij", k=9)) for _ in range(300)) + " Z")
        assert len(tok._encoder._of_chunk) <= 302


def test_long_names_and_many_names_of_special_tokens_cost_little():
    many = {f"<{n}>": 1000 + n for n in range(3000)} | {"<" * 20_000: 300}
    tok = Tokenizer(BYTES, special_tokens=many)
    assert tok.encode("<7>hi", allowed_special=list(many))[0] == 1007
    assert list(tok.encode_stream(["<", "7>h", "i<2999", ">"], allowed_special="all"))[0::3] == [1007, 3999]
