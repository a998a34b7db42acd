"""Merge for merge what the real trainers learn, each under its own tie rule, on seeded random corpora full of ties."""
import io
import json
import random
from itertools import pairwise

import pytest
import rustbpe
import sentencepiece
import subword_nmt.learn_bpe
import tokenizers
from tiktoken import _educational
from tokenizers import models, pre_tokenizers, trainers

from tokenlab import bpe, corpora, pretokenize

CORPORA = 120
GPT2 = pretokenize.PATTERNS["gpt2"]
ALPHABETS = ["ab", "abc", "abcde", "aab'stve 1 ", "aé漢 🙂\n", "the cat, 12 hats; don't\n"]


def random_text(rng, alphabet, longest):
    words = ["".join(rng.choices(alphabet, k=rng.randint(1, longest))) for _ in range(rng.randint(1, 12))]
    return rng.choice([" ", "  ", " ", "\n"]).join(rng.choices(words, k=rng.randint(1, 30)))


def random_words(rng, alphabet, longest):
    """Distinct words with counts: few counts, so that many pairs are equally frequent."""
    words = ("".join(rng.choices(alphabet, k=rng.randint(1, longest))) for _ in range(rng.randint(1, 15)))
    return {word: rng.choice([1, 1, 2, 2, 3, 5]) for word in words}


@pytest.fixture(params=range(CORPORA // 20), ids=lambda part: f"corpora-{part}")
def texts(request):
    rng = random.Random(request.param)
    return [random_text(rng, rng.choice(ALPHABETS), rng.choice([3, 6, 14])) for _ in range(20)]


@pytest.fixture(params=range(CORPORA // 20), ids=lambda part: f"corpora-{part}")
def word_lists(request):
    rng = random.Random(1000 + request.param)
    return [random_words(rng, rng.choice(["ab", "abc", "abcdef", "lowernestid"]), rng.choice([3, 6, 12])) for _ in range(20)]


def pairs_as_bytes(trace):
    return [tuple(trace.vocabulary[i] for i in merge.pair) for merge in trace.merges]


def characters_in(words):
    return len(set().union(*words))


def is_what_tokenizers_learns(text, vocab_size):
    """Compare merges and ids, as numbers: the rule gpt2-order numbers the bytes as ByteLevel's alphabet does."""
    theirs = tokenizers.Tokenizer(models.BPE())
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.train_from_iterator([text], trainers.BpeTrainer(
        vocab_size=vocab_size, min_frequency=0, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    merges = [tuple(map(theirs.token_to_id, pair)) for pair in json.loads(theirs.to_str())["model"]["merges"]]
    trace = bpe.train(text, vocab_size=vocab_size, tie="gpt2-order")
    assert [merge.pair for merge in trace.merges] == merges, repr(text[:200])
    assert trace.tokenizer().encode(text[:2000]) == theirs.encode(text[:2000]).ids, repr(text[:2000])
    return len(trace)


def is_what_rustbpe_learns(text, vocab_size):
    theirs = rustbpe.Tokenizer()
    theirs.train_from_iterator(iter([text]), vocab_size, pattern=GPT2)
    trace = bpe.train(text, vocab_size=vocab_size, tie="lowest-ids")
    assert sorted(theirs.get_mergeable_ranks(), key=lambda item: item[1]) == \
        [(token, i) for i, token in trace.vocabulary.items()], repr(text[:200])
    assert trace.tokenizer().encode(text[:2000]) == theirs.encode(text[:2000]), repr(text[:2000])
    return len(trace)


def test_gpt2_order_is_what_tokenizers_learns_ids_included(texts):
    for text in texts:
        is_what_tokenizers_learns(text, 300)


def test_lowest_ids_is_what_rustbpe_learns(texts):
    for text in texts:
        is_what_rustbpe_learns(text, 300)


@pytest.mark.parametrize("equal", [is_what_tokenizers_learns, is_what_rustbpe_learns])
@pytest.mark.parametrize("corpus, merges", [("moby-dick", 2000), ("python", 1000)])
def test_on_real_text_too(equal, corpus, merges):
    assert equal(corpora.load(corpus), 256 + merges) == merges


def test_first_seen_is_what_tiktoken_teaches(texts):
    for text in texts:
        trace = bpe.train(text, vocab_size=300)
        theirs = _educational.bpe_train(text, len(trace.vocabulary), GPT2, visualise=None)
        assert [(token, i) for i, token in trace.vocabulary.items()] == list(theirs.items()), repr(text)


def test_greatest_bytes_is_the_maximum_that_cs336_asks_for(texts):
    """The rule as the assignment states it: max over (count, pair of bytes), everything recounted."""
    for text in texts:
        words = [[bytes([byte]) for byte in chunk.encode()] for chunk in pretokenize.split(text)]
        learned = []
        for _ in range(44):
            counts = {}
            for word in words:
                for pair in pairwise(word):
                    counts[pair] = counts.get(pair, 0) + 1
            if not counts:
                break
            _, best = max((count, pair) for pair, count in counts.items())
            learned.append(best)
            for word in words:
                for i in range(len(word)):              # the word shrinks; beyond its end nothing equals the pair
                    if word[i:i + 2] == list(best):
                        word[i:i + 2] = [best[0] + best[1]]
        assert pairs_as_bytes(bpe.train(text, vocab_size=300, tie="greatest-bytes")) == learned, repr(text)


def test_greatest_strings_is_what_subword_nmt_learns(word_lists):
    """subword-nmt glues </w> to the last letter; every word here ends in a dot, so its `.</w>` is our end of word."""
    for words in word_lists:
        output = io.StringIO()
        lines = [f"{word}. {count}" for word, count in words.items()]
        subword_nmt.learn_bpe.learn_bpe(lines, output, 40, min_frequency=2, is_dict=True)
        merges = [tuple(token.encode() for token in line.split()) for line in output.getvalue().splitlines()[1:]]
        trace = bpe.train(words, vocab_size=characters_in(words) + 1 + 40, pattern="none", tie="greatest-strings",
                          alphabet="characters", end_of_word=".</w>", min_count=2)
        assert pairs_as_bytes(trace) == merges, words


def test_sentencepiece_is_what_sentencepiece_learns(word_lists):
    """Its pieces tell no pairs, so the tokens are compared; one script, no digits, no piece over 16 characters."""
    for words in word_lists:
        words = {"▁" + word: count for word, count in words.items()}
        trace = bpe.train(words, vocab_size=characters_in(words) + 40, pattern="none", tie="sentencepiece", alphabet="characters")
        pieces = sentencepiece_learns(words, len(trace.vocabulary))
        assert pieces[:len(trace)] == [merge.token.decode() for merge in trace.merges], words
        assert sorted(pieces[len(trace):]) == sorted(token.decode() for token in trace.alphabet), words


def sentencepiece_learns(words, size):
    """The pieces in the order of the model: merges, then characters."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=(word[1:] for word, count in words.items() for _ in range(count)), model_writer=model,
        model_type="bpe", vocab_size=3 + size, character_coverage=1.0, num_threads=1,
        normalization_rule_name="identity", minloglevel=2)
    theirs = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    return [theirs.id_to_piece(i) for i in range(3, theirs.get_piece_size())]           # after <unk>, <s>, </s>


def test_where_sentencepiece_goes_on_with_pairs_that_never_occur_training_stops():
    trace = bpe.train({"▁ab": 1}, vocab_size=100, pattern="none", tie="sentencepiece", alphabet="characters")
    assert [merge.token.decode() for merge in trace.merges] == ["ab", "▁ab"] and trace.stopped == "no pair left"
    assert sentencepiece_learns({"▁ab": 1}, 6) == ["ab", "▁ab", "▁a", "a", "b", "▁"]
