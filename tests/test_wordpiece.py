"""WordPiece: training by its score on toys that can be checked by hand, encoding equal to the library tokenizers."""
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers

from tokenlab import bpe

HUG = {"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}
LOW = {"low": 5, "lower": 2, "newest": 6, "widest": 3}


def test_the_hug_corpus_by_hand():
    trace = bpe.train_wordpiece(HUG)
    assert trace.alphabet == ("##g", "##n", "##s", "##u", "b", "h", "p")
    assert [step.token for step in trace.merges[:4]] == ["##gs", "hu", "hugs", "hug"]
    first, second, third = trace.merges[:3]
    assert (first.count, first.score, first.tied) == (5, Fraction(5, 20 * 5), 1)
    # then every pair is one with ##u, 36 times there, and its other half stands nowhere else but for ##g: the first seen
    assert (second.pair, second.count, second.score) == (("h", "##u"), 15, Fraction(15, 15 * 36)) and second.tied == 6
    assert (third.pair, third.score) == (("hu", "##gs"), Fraction(5, 15 * 5)), "not hu + ##g, 10 / (15 * 15)"


def test_the_score_prefers_rare_halves_where_byte_pair_encoding_counts():
    trace = bpe.train_wordpiece(LOW, vocab_size=100)
    by_count = bpe.train(LOW, vocab_size=100, alphabet="characters").merges
    assert by_count[0].token == b"es" and by_count[0].count == 9
    assert trace.merges[0] == (1, ("w", "##i"), "wi", 3, Fraction(3, 3 * 3), 2), "tied with ##i + ##d, and seen before it"
    assert [step.token for step in trace.merges[1:5]] == ["wid", "lo", "##st", "low"]
    assert len(trace.merges) < 100 - len(trace.alphabet), "no pair is left: every word is one piece"
    assert trace.tokenizer().pieces("low lower newest widest") == ["low", "lower", "newest", "widest"]


def naive_scores(words):
    """The pairs of spelled words with their scores, straight from the formula."""
    singles, pairs = {}, {}
    for word, count in words:
        for piece in word:
            singles[piece] = singles.get(piece, 0) + count
        for pair in pairwise(word):
            pairs[pair] = pairs.get(pair, 0) + count
    return {(a, b): Fraction(count, singles[a] * singles[b]) for (a, b), count in pairs.items()}


@given(st.dictionaries(st.text("abc", min_size=1, max_size=6), st.integers(1, 9), max_size=6))
def test_each_merge_has_the_highest_score_and_is_the_first_of_its_equals(corpus):
    trace = bpe.train_wordpiece(corpus, vocab_size=30)
    words = [([word[0], *("##" + character for character in word[1:])], count) for word, count in corpus.items()]
    for number, step in enumerate(trace.merges, 1):
        scores = naive_scores(words)
        assert step.number == number and step.score == max(scores.values()) == scores[step.pair]
        assert step.pair == next(pair for pair, score in scores.items() if score == step.score)
        assert step.tied == list(scores.values()).count(step.score)
        assert step.token == step.pair[0] + step.pair[1][2:] and step.pair[1].startswith("##")
        for word, _ in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == step.pair:
                    word[i:i + 2] = [step.token]
                i += 1
    assert trace.tokenizer(len(trace.alphabet)).encode(" ".join(corpus)) == [
        i for word in corpus for i in trace.tokenizer(len(trace.alphabet)).encode(word)]
    assert bpe.train_wordpiece(corpus, vocab_size=30) == trace


def test_the_trainer_of_tokenizers_goes_by_count():
    """Its first merge is the most frequent pair, as in byte-pair encoding, where the score asks for another."""
    for corpus in {"abcd": 7, "abce": 4, "xbc": 2}, {"hat": 9, "cat": 4, "hats": 5, "hut": 3}, HUG:
        theirs = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
        theirs.train_from_iterator([" ".join([word] * count) for word, count in corpus.items()], trainers.WordPieceTrainer(
            vocab_size=100, special_tokens=["[UNK]"], show_progress=False))
        vocabulary = theirs.get_vocab()
        learned = min((piece for piece in vocabulary if len(piece.removeprefix("##")) > 1 and piece != "[UNK]"), key=vocabulary.get)
        words = [([word[0], *("##" + character for character in word[1:])], count) for word, count in corpus.items()]
        pairs = {}
        for word, count in words:
            for a, b in pairwise(word):
                pairs[a + b[2:]] = pairs.get(a + b[2:], 0) + count
        assert learned == max(pairs, key=pairs.get) != bpe.train_wordpiece(corpus).merges[0].token


def test_a_text_is_cut_into_words_and_blanks_are_dropped():
    trace = bpe.train_wordpiece(["low, lower", "lowest!"], vocab_size=12)
    assert trace.pattern == "words" and {",", "!"} <= set(trace.alphabet)
    assert bpe.train_wordpiece("") .merges == () and bpe.train_wordpiece("x").alphabet == ("x",)
    assert bpe.train_wordpiece({"": 3, "a": 1}).alphabet == ("a",)
    assert trace.tokenizer().pattern == "words" and len(trace.tokenizer(11)) == 12
    with pytest.raises(ValueError, match=r"vocab_size must be a whole number from 9 up \(this text has 9 pieces before any merge\), not 3"):
        bpe.train_wordpiece(["low, lower", "lowest!"], vocab_size=3)
    with pytest.raises(ValueError, match="from 9 to 12"):
        trace.tokenizer(13)
    with pytest.raises(TypeError, match="must be str"):
        bpe.train_wordpiece(b"low")


# ---- encoding is that of tokenizers

PIECES = st.lists(st.text("abc#é日", min_size=1, max_size=4).flatmap(lambda piece: st.sampled_from([piece, "##" + piece])), max_size=25, unique=True)


@given(PIECES, st.text("abc#é日 \n", max_size=40), st.integers(1, 12))
def test_encoding_is_that_of_tokenizers(pieces, s, most):
    vocabulary = ["[UNK]", *pieces]
    ours = bpe.WordPiece(vocabulary, pattern=r"\S+", most_characters=most)
    theirs = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(vocabulary)}, unk_token="[UNK]", max_input_chars_per_word=most))
    theirs.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    assert ours.encode(s) == theirs.encode(s).ids
    assert ours.pieces(s) == theirs.encode(s).tokens == [token.decode() for token in ours.tokens(s)]
    assert ours.decode(ours.encode(s)) == decoders.WordPiece(cleanup=False).decode(theirs.encode(s).tokens)


@given(st.text("abcde ,.!'\n", max_size=60))
def test_with_the_pattern_words_too(s):
    ours = bpe.train_wordpiece("a bad cab, dab! bead'ed", vocab_size=20).tokenizer()
    vocabulary = {token.decode(): i for i, token in ours.vocabulary.items()} | dict(ours.special_tokens)
    theirs = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    theirs.pre_tokenizer = pre_tokenizers.Split(Regex(r"\w+|[^\w\s]"), "removed", invert=True)
    assert ours.encode(s) == theirs.encode(s).ids


def test_bert_in_small():
    tok = bpe.WordPiece({"[UNK]": 100, "un": 4, "##aff": 7, "##able": 9, "runn": 2, "##ing": 3})
    assert tok.pieces("unaffable running runs") == ["un", "##aff", "##able", "runn", "##ing", "[UNK]"]
    assert tok.encode("unaffable") == [4, 7, 9] and tok.decode([4, 7, 9, 100]) == "unaffable [UNK]"
    assert tok.lost("unaffable\trunning  runs") == "\t  runs"
    assert tok.encode("") == [] and tok.decode([]) == "" and tok.lost("") == ""
    assert len(tok) == 6 and tok.vocabulary[9] == b"##able" and tok.special_tokens == {"[UNK]": 100} and 100 not in tok.vocabulary


def test_a_long_word_is_unknown():
    tok = bpe.WordPiece(["[UNK]", "a", "##a"])
    assert tok.encode("a" * 100) == [1] + [2] * 99 and tok.encode("a" * 101) == [0]
    assert tok.encode("a" * 1_000_000) == [0]


def test_the_unknown_piece_in_a_text_is_a_special_token():
    tok = bpe.WordPiece(["[UNK]", "[", "]", "UNK"])
    with pytest.raises(ValueError, match=r"special token '\[UNK\]'"):
        tok.encode("[UNK]")
    assert tok.encode("[UNK] [", allowed_special="all") == [0, 1]
    assert tok.encode("[UNK]", disallowed_special="text") == [1, 3, 2] and tok.lost("[UNK]") == ""


def test_a_name_is_shown_and_stays():
    tok = bpe.WordPiece(["[UNK]", "a"], name="mine")
    assert repr(tok) == "<WordPiece 'mine': 2 pieces, pattern 'words'>"
    assert repr(bpe.WordPiece(["[UNK]", "a"])) == "<WordPiece: 2 pieces, pattern 'words'>"
    with pytest.raises(AttributeError, match="the name of a WordPiece cannot be changed: make a new WordPiece"):
        tok.name = "yours"


def test_wrong_vocabularies_are_refused():
    for wrong in ["a"], {"a": 0}, ["[UNK]", "a", "a"]:
        with pytest.raises(ValueError, match=r"vocabulary must hold each piece once, and the piece '\[UNK\]'"):
            bpe.WordPiece(wrong)
    assert bpe.WordPiece(["<?>", "a"], unknown="<?>").encode("b") == [0]
    with pytest.raises(ValueError, match="holds the empty ''"):
        bpe.WordPiece(["[UNK]", ""])
    with pytest.raises(ValueError, match="id of its own"):
        bpe.WordPiece({"[UNK]": 0, "a": 0})
    with pytest.raises(TypeError, match="vocabulary must map str to int"):
        bpe.WordPiece(["[UNK]", b"a"])
    with pytest.raises(ValueError, match="did you mean 'words'"):
        bpe.WordPiece(["[UNK]"], pattern="word").encode("a")
    with pytest.raises(ValueError, match="unknown id 7: this tokenizer has 2 ids from 0 to 1"):
        bpe.WordPiece(["[UNK]", "a"]).decode([0, 7])
    with pytest.raises(TypeError):
        bpe.WordPiece(["[UNK]"]).encode(b"a")


def test_words_that_begin_with_the_mark_are_refused():
    with pytest.raises(ValueError, match="'##a' begins with ##"):
        bpe.train_wordpiece({"##a": 5, "ba": 9}, vocab_size=12, pattern=r"\S+")
