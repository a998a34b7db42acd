"""The models of SentencePiece give the ids, the normalized texts and the decoded texts that the library itself gives."""
import json
import random
import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlab import corpora, data, pretrained
from tokenlab.sentencepiece import CharacterBPE, CharacterMap, Normalizer, Piece
from tokenlab.unigram.tokenizer import Tokenizer as Unigram

FILES = {"t5": "t5_spiece", "botchan-unigram": "botchan_en_unigram_1000", "botchan-bpe": "botchan_en_bpe_1000",
         "mistral_v1": "mistral_v1_tokenizer"}
NAMES = list(FILES)
FACTS = json.loads((Path(__file__).parent / "data" / "facts.json").read_text(encoding="utf-8"))["cases"]


@cache
def oracle(name):
    return sentencepiece.SentencePieceProcessor(model_proto=data.read(f"tokenizers/{FILES[name]}.model"))


def ids(name, s):
    return pretrained.load(name).encode(s, disallowed_special="text")


def assert_same_ids(name, s):
    """Ours are theirs, or ours are as probable: then the two were equal in exact arithmetic and theirs were rounded apart."""
    ours, theirs = ids(name, s), oracle(name).encode(s)
    if ours != theirs:
        tok = pretrained.load(name)
        assert type(tok) is Unigram, ascii(s)
        scores = [sum(tok.model[i].score for i in found) for found in (ours, theirs)]
        assert scores[0] == pytest.approx(scores[1], abs=1e-9), ascii(s)
        assert b"".join(tok.tokens(s, disallowed_special="text")) == b"".join(tok.vocabulary.get(i, " ⁇ ".encode()) for i in theirs)
        return 1
    return 0


# ---- the same ids

@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in FACTS
                                  if case["kind"] == "encode" and case["tokenizer"].replace("_", "-") in ("t5", "mistral-v1", "botchan-bpe", "botchan-unigram")])
def test_facts(case):
    tok = pretrained.load(case["tokenizer"].replace("botchan_", "botchan-"))
    assert tok.encode(case["input"]) == case["expected_ids"]
    assert tok.pieces(case["input"]) == case["expected_pieces"]
    assert tok.decode(case["expected_ids"]) == case["decoded"]


# Rows of dashes or dots, whose pieces may stand in any order.
TIES = {("t5", "botchan"): 1, ("t5", "python"): 1, ("botchan-unigram", "python"): 2}


@pytest.mark.parametrize("name", ["t5", "botchan-unigram"])
@pytest.mark.parametrize("corpus", ["botchan", "python", "sotu", "numbers"])
def test_corpora_line_by_line(name, corpus):
    lines = corpora.load(corpus).split("\n")
    assert sum(assert_same_ids(name, line) for line in lines) == TIES.get((name, corpus), 0)


@pytest.mark.parametrize("name", NAMES)
def test_corpora_as_one_text(name):
    differ = [corpus for corpus in corpora.names() if assert_same_ids(name, corpora.load(corpus))]
    assert differ == (["python"] if name == "botchan-unigram" else [])
    again = ids(name, corpora.load("botchan"))                  # from memory, and back
    assert again == oracle(name).encode(corpora.load("botchan"))
    assert pretrained.load(name).decode(again) == oracle(name).decode(again)


def test_where_sums_of_32_bits_are_too_coarse():
    """All languages as one text: SentencePiece's sums reach -100,000, where 32 bits tell 0.008 apart, and it chooses the less probable."""
    tok, s = pretrained.load("t5"), " ".join(row["text"] for row in corpora.udhr_article1())
    found, other = tok.encode(s), oracle("t5").encode(s)
    gain = sum(tok.model[i].score for i in found) - sum(tok.model[i].score for i in other)
    assert found != other and 0 < gain < 0.01


@pytest.mark.parametrize("name", NAMES)
def test_languages_and_emoji(name):
    texts = [row["text"] for row in corpora.udhr_article1()] + [row["emoji"] for row in corpora.emoji()]
    assert [s for s in texts if ids(name, s) != oracle(name).encode(s)] == []


ATOMS = ["a", "B", "the", " ", "  ", "\t", "\n", "\r\n", "\r", "▁", "▁▁", " ▁", "é", "e\u0301", "\u0301", "\u0323", "ﬁ", "½", "①", "㍱", "ﷺ", "Ａ",
         "ｶﾞ", "\uac01", "\u1100\u1161\u11a8", "\u200b", "\ufeff", "\x01", "\0", "\u00ad", "\u00a8", "¯", "🚕", "👨\u200d👩\u200d👧", "日本", "नमस्ते", "\u0e33", "<unk>",
         "<s>", "<0x41>", " ⁇ ", "------", "......", "''", "000", "\u3000", "\u00a0", "\u2028", "\u0085", "\u0f77", "\U0001d15e", "\u2126"]
POOL = [chr(point) for point in range(0x110000) if unicodedata.category(chr(point)) != "Cs"]


@pytest.mark.parametrize("name", NAMES)
def test_random_nasty_text(name):
    draw, tok = random.Random(name), pretrained.load(name)
    for _ in range(400):
        s = "".join(draw.choice(ATOMS) if draw.random() < 0.8 else draw.choice(POOL) for _ in range(draw.randint(1, 14)))
        assert tok.normalizer(s) == oracle(name).normalize(s), ascii(s)
        assert_same_ids(name, s)
        some = oracle(name).encode(s) + [draw.randrange(len(tok)) for _ in range(3)] + [draw.randrange(300) for _ in range(3)]
        for found in (some, some[-6:]):
            assert tok.decode(found, errors="replace") == oracle(name).decode(found), found
        assert (tok.lost(s) == "") == (tok.decode(ids(name, s)) == s), ascii(s)


@pytest.mark.parametrize("name", NAMES)
def test_every_character_is_normalized_as_the_model_says(name):
    normalizer = pretrained.load(name).normalizer
    step = {"t5": 7, "mistral_v1": 101}.get(name, 23)           # one code point in so many
    for start in range(0, len(POOL), 1000 * step):
        s = "".join(f"a{character}b" for character in POOL[start:start + 1000 * step:step])
        assert normalizer(s) == oracle(name).normalize(s)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("s", ["日" * 10_000, "a" * 10_000, "\u0301" * 10_000, " " * 10_000 + "x", "🚕" * 2_000, "ab " * 5_000], ids=lambda s: ascii(s[:1]))
def test_long_words(name, s):
    assert_same_ids(name, s)
    assert len(pretrained.load(name).offsets(s)) == len(ids(name, s))


# ---- normalization, places, what is lost

def test_stages_of_a_text():
    stages = pretrained.load("t5").normalizer.stages(" ﬁne \t½  ")
    assert stages == [("text", " ﬁne \t½  "), ("character map", " fine  1⁄2  "), ("extra blanks", "fine 1⁄2"),
                      ("dummy prefix", " fine 1⁄2"), ("▁ for blank", "▁fine▁1⁄2")]
    assert pretrained.load("mistral_v1").normalizer.stages(" a  ▁")[-1] == ("▁ for blank", "▁▁a▁▁▁")
    assert Normalizer(escape_whitespaces=False, add_dummy_prefix=False)(" a  b ") == "a b"
    for name in NAMES:
        for empty in ("", " ", "   "):
            assert pretrained.load(name).normalizer(empty) == oracle(name).normalize(empty)


TEXTS = st.one_of(st.text(st.characters(exclude_categories=["Cs"]), max_size=40), st.lists(st.sampled_from(ATOMS), max_size=12).map("".join))


@given(TEXTS)
@settings(max_examples=100)
def test_places_of_characters_and_tokens(s):
    for name in NAMES:
        tok, encoded = pretrained.load(name), s.encode()
        aligned = tok.normalizer.align(s)
        assert "".join(character for character, _, _ in aligned) == tok.normalizer(s)
        assert all(0 <= start <= end <= len(encoded) for _, start, end in aligned)
        assert all(a[1] <= b[1] and a[2] <= b[2] for a, b in pairwise(aligned))
        spans = tok.offsets(s, disallowed_special="text")
        assert len(spans) == len(ids(name, s))
        for span in spans:
            assert encoded[slice(*span.bytes)] in s[slice(*span.chars)].encode()


@given(st.text(st.sampled_from("ab é日.T "), max_size=30))
@settings(max_examples=100)
def test_places_of_tokens_are_those_of_sentencepiece(s):
    """Where nothing is changed but blanks. A blank that stands for several is one place here, theirs has them all."""
    for name in NAMES:
        tok = pretrained.load(name)
        theirs = oracle(name).encode(s, return_type="offset_mapping", return_bytes=True)
        if "byte" not in {tok.model[i].kind for i in theirs["ids"]} and theirs["ids"] == ids(name, s):
            for span, (start, end) in zip(tok.offsets(s), theirs["offsets"], strict=True):
                assert span.bytes[0] == start
                assert s.encode()[span.bytes[1]:end].strip(b" ") == b""


@given(TEXTS)
@settings(max_examples=100)
def test_mistral_loses_nothing_but_a_literal_blank_sign(s):
    tok = pretrained.load("mistral_v1")
    assert tok.decode(tok.encode(s, disallowed_special="text")) == s.replace("▁", " ")
    assert tok.lost(s) == "▁" * s.count("▁")
    assert b"".join(s.encode()[slice(*span.bytes)] for span in tok.offsets(s, disallowed_special="text")) == s.encode()


@pytest.mark.parametrize("name, s, lost", [
    ("t5", "two  taxis", " "), ("t5", " two", " "), ("t5", "a\tb", "\t"), ("t5", "ﬁne", "ﬁ"), ("t5", "½", "½"), ("t5", "🚕!", "🚕"), ("t5", "a▁b", "▁"),
    ("t5", "e\u0301", "e\u0301"), ("t5", "é", ""), ("t5", "Привет", "П"), ("t5", "", ""), ("t5", "  ", "  "), ("t5", "</s>", "<"), ("botchan-unigram", "ç", "ç"),
    ("botchan-bpe", "a\tb", "\t"), ("mistral_v1", "a\t b  🚕\0", "")])
def test_what_is_lost(name, s, lost):
    assert pretrained.load(name).lost(s) == lost


def test_a_tab_is_unknown_to_one_botchan_and_a_blank_to_the_other():
    assert pretrained.load("botchan-unigram").pieces("a\tb") == ["▁a", "<unk>", "b"]
    assert pretrained.load("botchan-bpe").pieces("a\tb") == ["▁a", "▁b"]


def test_pieces_tokens_offsets_of_one_text():
    tok = pretrained.load("mistral_v1")
    assert tok.pieces("é 🚕") == ["▁é", "▁", "<0xF0>", "<0x9F>", "<0x9A>", "<0x95>"]
    assert tok.tokens("é 🚕") == [" é".encode(), b" ", b"\xf0", b"\x9f", b"\x9a", b"\x95"]
    assert [span.bytes for span in tok.offsets("é 🚕")] == [(0, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7)]
    assert [span.chars for span in tok.offsets("é 🚕")] == [(0, 1), (1, 2), *[(2, 3)] * 4]
    assert [span.bytes for span in pretrained.load("t5").offsets("ﬁ½")] == [(0, 3), (3, 5), (3, 5), (3, 5)]


# ---- special tokens, unknown characters, errors

def test_special_tokens():
    tok = pretrained.load("t5")
    assert tok.special_tokens == {"<pad>": 0, "</s>": 1, "<unk>": 2}
    assert tok.encode("a</s>  b", allowed_special="all") == [*tok.encode("a"), 1, *tok.encode("b")]
    assert [span.chars for span in tok.offsets("a</s>  b", allowed_special="all")] == [(0, 0), (0, 1), (1, 5), (7, 7), (7, 8)]
    assert tok.encode("a</s>b", disallowed_special="text") == oracle("t5").encode("a</s>b")
    with pytest.raises(ValueError, match="special token '</s>'"):
        tok.encode("a</s>")
    more = tok.with_special({"<y>": 32001, "<x>": 32000})
    assert more.encode("<x><y>", allowed_special=["<x>", "<y>"]) == [32000, 32001] and len(more) == 32002 and len(tok) == 32000
    assert more.decode([32000, 37, 32001]) == "The" and more.encode("The taxi 🚕") == tok.encode("The taxi 🚕")
    for wrong in ({"<x>": 5}, {"<x>": 32001}):
        with pytest.raises(ValueError, match="must go on from 32000"):
            tok.with_special(wrong)
    with pytest.raises(ValueError, match="an id of its own"):
        tok.with_special({"<x>": 32000, "<y>": 32000})
    with pytest.raises(TypeError, match="must be a mapping of str to int, not list"):
        tok.with_special(["<x>"])
    with pytest.raises(ValueError, match="there twice"):
        tok.with_special({"</s>": 32000})


def test_unknown_characters_can_be_refused():
    tok = pretrained.load("t5")
    with pytest.raises(ValueError, match="no piece covers '日本', so <unk> would swallow it"):
        tok.encode("in 日本", unknown="raise")
    assert tok.encode("in Rome", unknown="raise") == tok.encode("in Rome")
    assert tok.encode("<unk>", allowed_special="all", unknown="raise") == [2]
    assert pretrained.load("mistral_v1").encode("日本🚕", unknown="raise") == oracle("mistral_v1").encode("日本🚕")
    with pytest.raises(ValueError, match="did you mean 'raise'"):
        tok.encode("a", unknown="rais")


@pytest.mark.parametrize("name", NAMES)
def test_errors(name):
    tok = pretrained.load(name)
    for use in (tok.encode, tok.tokens, tok.pieces, tok.offsets, tok.lost, tok.normalizer, tok.normalizer.align):
        with pytest.raises(ValueError, match="lone surrogate"):
            use("a\ud83d")
        with pytest.raises(TypeError, match="must be str"):
            use(b"a")
    for wrong in (-1, len(tok), 10**30):
        with pytest.raises(ValueError, match="unknown id"):
            tok.decode([wrong])
    with pytest.raises(TypeError, match="iterable of whole numbers"):
        tok.decode("12")
    assert tok.decode([]) == "" and tok.encode("") == [] and tok.offsets("") == []


def test_broken_bytes():
    tok = pretrained.load("mistral_v1")
    broken = tok.encode("🚕")[1:4]
    assert tok.decode(broken, errors="replace") == oracle("mistral_v1").decode(broken) == "\ufffd" * 3
    assert tok.decode(broken, errors="ignore") == ""
    with pytest.raises(ValueError, match="do not spell whole characters"):
        tok.decode(broken)


# ---- models of our own

def test_vocabulary_is_what_pieces_add():
    tok = pretrained.load("mistral_v1")
    assert (len(tok.vocabulary), tok.vocabulary[415], tok.vocabulary[243]) == (31997, b" The", b"\xf0")
    assert not set(tok.vocabulary) & set(tok.special_tokens.values())


@pytest.mark.parametrize("pieces, says", [
    ([Piece("a", -1.0)], "one unknown piece"), ([Piece("<unk>", 0.0, "unknown"), Piece("?", 0.0, "unknown")], "one unknown piece"), ([], "one unknown piece"),
    ({"a": -1.0, "": -2.0}, "piece 4, '', is empty"), ({"a": float("nan")}, "score nan"), ({"a": float("-inf")}, "score -inf"),
    ([Piece("<unk>", 0.0, "unknown"), Piece("a"), Piece("a", 0.0, "user-defined")], "there twice"), ([Piece("a", 0.0, "normale")], "did you mean 'normal'"),
    ([Piece("<unk>", 0.0, "unknown"), Piece("<0x00>", 0.0, "byte")], "no byte or all 256"), ({"\ud83d": -1.0}, "lone surrogate")])
def test_pieces_that_make_no_model(pieces, says):
    for kind in (Unigram, CharacterBPE):
        with pytest.raises(ValueError) as error:
            kind(pieces)
        assert says in str(error.value)


def test_a_probability_above_one_is_refused():
    with pytest.raises(ValueError, match="piece 'b' has score 0.5: the logarithm of a probability is at most 0"):
        Unigram({"a": -1.0, "b": 0.5})
    assert CharacterBPE({"ab": 2.0, "abc": 1.0}).pieces("abc") == ["<unk>", "abc"], "of a score only the order counts"


def test_of_equal_segmentations_the_longest_last_piece():
    assert Unigram({"▁": -1.0, "0": -1.0, "00": -1.5}).pieces("000") == ["▁", "0", "00"]


@pytest.mark.parametrize("s", ["hedgehogs", "two  words", "unbelievable!", "a", "x日y"])
@pytest.mark.parametrize("name", ["t5", "botchan-unigram"])
def test_nbest(name, s):
    tok = pretrained.load(name)
    found = tok.nbest(s, 20)
    assert [list(pieces) for pieces, _ in found] == oracle(name).nbest_encode(s, nbest_size=20, return_type=str)
    scores = {piece.text: piece.score for piece in tok.model}
    for pieces, log in found:
        if "日" not in s:
            assert log == pytest.approx(sum(map(scores.get, pieces)), abs=1e-9)
    assert tok.sample(s, alpha=1000, n=2) == [found[0][0]] * 2
    assert set(tok.sample(s, alpha=0.5, n=50)) <= {pieces for pieces, _ in tok.nbest(s, 10**6)}


def test_a_character_map_that_lies_is_refused():
    good = pretrained.load("t5").normalizer.charsmap
    assert CharacterMap(good).longest("①".encode()) == (b"1", 3)
    size = int.from_bytes(good[:4], "little")
    wrong = [good[:3], good[:-1], b"\xff\xff\xff\xff" + good[4:], (size + 4).to_bytes(4, "little") + good[4:], good[:4 + size], good[4:],
             good[:4 + size] + b"ab\0", good[:4 + size] + b"\xff" + good[5 + size:], good[:4] + b"\xff\xff\xff\x7f" * (size // 4) + good[4 + size:], b"\0" * 9]
    for content in wrong:
        with pytest.raises(ValueError):
            CharacterMap(content)
    draw = random.Random(0)
    for _ in range(60):
        noise = bytearray(good)
        for _ in range(20):
            noise[draw.randrange(len(noise))] = draw.randrange(256)
        try:
            table = CharacterMap(bytes(noise))
        except ValueError:
            continue
        for character in draw.sample(POOL, 500):                # damaged, but it leads nowhere outside
            new = b"".join(new for new, _ in table.apply(f"a{character}b".encode()))
            assert isinstance(new, bytes)


@pytest.mark.parametrize("name", ["botchan-bpe", "mistral_v1"])
@pytest.mark.parametrize("word", ["hedgehogs", "unbelievable", "aaaaaaa", "a", "日本🚕"])
def test_steps_join_the_highest_score_first(name, word):
    tok = pretrained.load(name)
    scores = {piece.text.encode(): piece.score for piece in tok.model if piece.kind == "normal" and len(piece.text) > 1}
    tokens = tuple(character.encode() for character in "▁" + word)
    for step in tok.steps(word):
        best = {i: scores[a + b] for i, (a, b) in enumerate(pairwise(tokens)) if a + b in scores}
        i = max(best, key=lambda place: (best[place], -place))
        assert (step.position, step.pair) == (i, tokens[i:i + 2])
        tokens = step.tokens
    assert not any(a + b in scores for a, b in pairwise(tokens))
    if name == "mistral_v1" and word.isascii():
        assert [token.decode() for token in tokens] == tok.pieces(word)


def test_steps_of_several_words():
    assert [step.chunk for step in pretrained.load("botchan-bpe").steps("the  of")] == ["▁the"] * 3 + ["▁of"] * 2
    assert pretrained.load("botchan-bpe").steps("") == []
