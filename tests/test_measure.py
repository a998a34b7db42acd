"""The measures: equal to what others computed, by hand where it can be done, and clear about what has no value."""
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlab import bpe, corpora, measure, pretrained
from tokenlab.bpe.tokenizer import Tokenizer

BYTES = {bytes([byte]): byte for byte in range(256)}
EACH_BYTE = Tokenizer(BYTES)


def declaration(name):
    return next("\n".join(row["articles"]) for row in corpora.udhr() if row["name"] == name)


# Computed with tiktoken 0.14.0 on the same texts, rounded to the digits given.
@pytest.mark.parametrize("name, text, expected", [
    ("o200k_base", "botchan", 4.08), ("o200k_base", "moby-dick", 4.29), ("o200k_base", "sotu", 5.13),
    ("o200k_base", "python", 4.11), ("cl100k_base", "python", 4.13), ("gpt2", "python", 2.26)])
def test_characters_per_token_of_real_texts(name, text, expected):
    assert round(measure.characters_per_token(pretrained.load(name), corpora.load(text)), 2) == expected


def test_english_declaration():
    assert measure.count_tokens(pretrained.load("o200k_base"), declaration("English")) == 1524
    assert round(measure.characters_per_token(pretrained.load("o200k_base"), declaration("English")), 2) == 5.43


@pytest.mark.parametrize("name, expected", [
    ("gpt2", {"Spanish": 1.99, "Hindi": 8.48, "Burmese": 21.75}),
    ("cl100k_base", {"Chinese, Mandarin (Simplified)": 1.68, "Burmese": 15.70}),
    ("o200k_base", {"Lao": 9.60, "Burmese": 4.21, "German, Standard (1996)": 1.30})])
def test_premiums_of_languages(name, expected):
    texts = {language: declaration(language) for language in ["English", *expected]}
    found = measure.premium(pretrained.load(name), texts, "English")
    assert list(found) == list(texts) and found["English"] == 1.0
    assert {language: round(found[language], 2) for language in expected} == expected


def test_measures_by_hand():
    tok = Tokenizer(BYTES | {b" ab": 256, b"ab": 257})
    s = "x ab é"
    assert tok.tokens(s) == [b"x", b" ab", b" ", b"\xc3", b"\xa9"]
    assert measure.count_tokens(tok, s) == 5
    assert measure.bytes_per_token(tok, s) == 7 / 5
    assert measure.characters_per_token(tok, s) == 6 / 5
    assert measure.fertility(tok, s) == 5 / 3
    assert measure.bytes_per_character(s) == 7 / 6
    assert measure.premium(tok, {"one": "x", "two": "é"}, "two") == {"one": 0.5, "two": 1.0}


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_one_token_a_byte_gives_the_bytes(s):
    assert measure.bytes_per_token(EACH_BYTE, s) == 1
    assert measure.characters_per_token(EACH_BYTE, s) == len(s) / len(s.encode())
    assert 1 <= measure.bytes_per_character(s) <= 4


def test_special_tokens_in_a_text_are_ordinary_text():
    tok = EACH_BYTE.with_special({"<s>": 300})
    assert measure.count_tokens(tok, "<s>") == 3 and measure.bytes_per_token(tok, "<s>") == 1


def test_empty_text_has_no_average():
    for call in (measure.bytes_per_character, lambda s: measure.bytes_per_token(EACH_BYTE, s),
                 lambda s: measure.characters_per_token(EACH_BYTE, s), lambda s: measure.fertility(EACH_BYTE, s)):
        with pytest.raises(ValueError, match="the text is empty"):
            call("")
        with pytest.raises(TypeError, match="the text must be str, not bytes"):
            call(b"a")
        with pytest.raises(ValueError, match="lone surrogate"):
            call("\ud800")
    assert measure.count_tokens(EACH_BYTE, "") == 0
    with pytest.raises(ValueError, match="only white space"):
        measure.fertility(EACH_BYTE, " \n")


def test_premium_says_what_is_wrong():
    with pytest.raises(ValueError, match="unknown reference 'english': did you mean 'English'"):
        measure.premium(EACH_BYTE, {"English": "cat", "Thai": "แมว"}, "english")
    with pytest.raises(ValueError, match="the text of 'Thai' is empty"):
        measure.premium(EACH_BYTE, {"English": "cat", "Thai": ""}, "English")
    with pytest.raises(TypeError, match=r"texts must be a mapping of name -> text, .*, not list \['a'\]"):
        measure.premium(EACH_BYTE, ["a"], "a")
    with pytest.raises(ValueError, match="unknown reference 'a': Allowed: 1"):
        measure.premium(EACH_BYTE, {1: "a"}, "a")


class EncodesOnly:
    def encode(self, s):
        return list(s)


@pytest.mark.parametrize("function", [measure.bytes_per_token, measure.characters_per_token, measure.fertility, measure.count_tokens,
                                      lambda tok, s: measure.premium(tok, {"x": s}, "x")])
def test_what_is_no_tokenizer_is_refused(function):
    for tok, says in [("gpt2", "str 'gpt2': write pretrained.load('gpt2')"), (None, "NoneType None: write pretrained.load('gpt2')"),
                      (5, "int 5: write"), (bpe.Tokenizer, "type <class 'tokenlab.bpe.tokenizer.Tokenizer'>: write"), (EncodesOnly(), "EncodesOnly <"), (EncodesOnly, "type <")]:
        with pytest.raises(TypeError) as error:
            function(tok, "a")
        assert f"tok must be a tokenizer of this package, not {says}" in str(error.value)


@given(st.integers(0, 30), st.integers(1, 9), st.integers(1, 9), st.integers(1, 4))
def test_cost_by_going_through_all_that_is_multiplied(n, vocabulary, width, layers):
    layer = sum(4 * width * width + 2 * width * 4 * width for _ in range(n))        # four square matrices, and two of 4 · width
    pairs = sum(2 * width for token in range(n) for _ in range(token + 1))
    expected = {"layers": layers * layer, "attention": layers * pairs, "output": sum(width for _ in range(n) for _ in range(vocabulary))}
    assert measure.cost(n, vocabulary, width, layers) == expected


def test_cost_and_parameters_say_what_is_wrong():
    for call, says in [(lambda: measure.cost(-1, 1, 1, 1), "tokens must be a whole number from 0 up, not -1"),
                       (lambda: measure.cost(1, 0, 1, 1), "vocabulary must be a whole number from 1 up"),
                       (lambda: measure.embedding_parameters(1, 0), "width must be a whole number from 1 up")]:
        with pytest.raises(ValueError, match=says):
            call()
    with pytest.raises(TypeError, match="layers must be a whole number"):
        measure.cost(1, 1, 1, 1.5)


@pytest.mark.parametrize("name, language, expected", [("t5", "Japanese", 1.0), ("t5", "English", 0.0), ("mistral_v1", "Japanese", 0.0), ("gpt2", "Burmese", 0.0)])
def test_lost_share_of_the_declaration(name, language, expected):
    tok, text = pretrained.load(name), declaration(language)
    assert round(measure.lost_share(tok, text), 1) == expected           # of English, T5 loses the new lines
    assert (tok.decode(tok.encode(text)) == text) == (measure.lost_share(tok, text) == 0)


def test_lost_share_needs_a_text():
    with pytest.raises(ValueError, match="the text is empty"):
        measure.lost_share(EACH_BYTE, "")
