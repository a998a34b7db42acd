"""The pieces and scores of sentencepiece 0.2.3 and tokenizers 0.23, learned again; lessons quote the fixture that this writes.

    python -m tests.test_unigram_training        # write tests/data/unigram_fixture.json anew
"""
import io
import json
import math
import pathlib
import random
from importlib.metadata import version
from itertools import pairwise

import pytest
import sentencepiece
import tokenizers
from tokenizers import models, pre_tokenizers, trainers

from tokenlab import corpora, unigram

FIXTURE = pathlib.Path(__file__).parent / "data" / "unigram_fixture.json"
LANGUAGES = ["fra", "rus", "ell_monotonic", "hin", "tha", "kat", "arb"]      # the Declaration of Human Rights
TIE = 1e-3                              # scores nearer than this to that of the last piece count as tied with it


def sentence_piece(text, size):
    """SentencePiece's pieces -> scores; `size` counts <unk>, <s>, </s> too."""
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text.split("\n")), model_writer=out, model_type="unigram", vocab_size=size, num_threads=1,
        normalization_rule_name="identity", character_coverage=1.0, hard_vocab_limit=False, minloglevel=2)
    processor = sentencepiece.SentencePieceProcessor(model_proto=out.getvalue())
    return {processor.id_to_piece(i): processor.get_score(i) for i in range(3, len(processor))}


def hugging_face(text, size):
    """tokenizers' pieces -> scores; `size` counts <unk> too."""
    tokenizer = tokenizers.Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    trainer = trainers.UnigramTrainer(vocab_size=size, show_progress=False, unk_token="<unk>", special_tokens=["<unk>"])
    tokenizer.train_from_iterator([" ".join(text.split())], trainer)
    return dict(json.loads(tokenizer.to_str())["model"]["vocab"][1:])


def compare(ours, theirs):
    both = ours.keys() & theirs.keys()
    return {"pieces": len(theirs), "ours": len(ours), "equal": len(both), "share": round(len(both) / len(theirs), 4),
            "only ours": sorted(ours.keys() - both), "only theirs": sorted(theirs.keys() - both),
            "largest score difference": round(max(abs(ours[piece] - theirs[piece]) for piece in both), 4)}


def tied(ours, theirs):
    """Whether each piece that one side alone has is as probable, within TIE, as the last that the other side kept."""
    last_ours, last_theirs = (min(score for piece, score in side.items() if len(piece) > 1) for side in (ours, theirs))
    return all(abs(ours[piece] - last_theirs) < TIE for piece in ours.keys() - theirs.keys()) and \
        all(abs(theirs[piece] - last_ours) < TIE for piece in theirs.keys() - ours.keys())


def declaration(code):
    return "\n".join(next(row for row in corpora.udhr() if row["code"] == code)["articles"])


def numbers(found):
    return {name: value for name, value in found.items() if not name.startswith("only")}


def with_sentence_piece(text, size, seeds="branching"):
    ours, theirs = unigram.train(text, vocab_size=size - 3, seeds=seeds).scores, sentence_piece(text, size)
    return compare(ours, theirs) | {"rest tied": tied(ours, theirs)}


def with_hugging_face(text, size):
    ours = unigram.train(text, vocab_size=size - 1, seeds="unique-words", loss="huggingface")
    return compare(ours.scores, hugging_face(text, size))


COMPARISONS = {
    "sentencepiece, botchan, 1000": lambda: with_sentence_piece(corpora.load("botchan"), 1000),
    "sentencepiece, moby-dick, 8000": lambda: with_sentence_piece(corpora.load("moby-dick"), 8000),
    "tokenizers, botchan, 1000": lambda: with_hugging_face(corpora.load("botchan"), 1000),
} | {f"sentencepiece, {code}, 400, {seeds}": lambda code=code, seeds=seeds: numbers(
        with_sentence_piece(declaration(code), 400, seeds))
     for code in LANGUAGES for seeds in ("branching", "branching-bytes")
} | {f"tokenizers, {code}, 700": lambda code=code: numbers(with_hugging_face(declaration(code), 700)) for code in LANGUAGES}


@pytest.fixture(scope="module")
def fixture():
    return json.loads(FIXTURE.read_text(encoding="utf-8"))


def test_the_fixture_is_of_the_versions_that_are_installed(fixture):
    assert fixture["versions"] == {name: version(name) for name in ("sentencepiece", "tokenizers")}
    assert fixture["comparisons"].keys() == COMPARISONS.keys()


@pytest.mark.parametrize("name", COMPARISONS)
def test_the_fixture_is_what_training_gives(fixture, name):
    # which character comes back with which of the lowest scores is chance in tokenizers: 0.0001 apart
    found, stored = COMPARISONS[name](), dict(fixture["comparisons"][name])
    assert found.pop("largest score difference") == pytest.approx(stored.pop("largest score difference"), abs=.005)
    assert found == stored


def test_at_least_99_percent_are_equal(fixture):
    for name, found in fixture["comparisons"].items():
        if not name.endswith("branching"):
            assert found["share"] >= .99, name
            assert found["ours"] == found["pieces"]
    for name in list(COMPARISONS)[:3]:
        found = fixture["comparisons"][name]
        assert found["largest score difference"] <= .01 and found.get("rest tied", True), name
    # What `branching-bytes` shows: outside English, SentencePiece 0.2.3 misses seeds whose followers begin with the same byte.
    russian = [fixture["comparisons"][f"sentencepiece, rus, 400, {seeds}"]["share"] for seeds in ("branching", "branching-bytes")]
    assert russian[0] < .9 and russian[1] > .99


def test_each_seed_is_kept_or_dropped_for_a_reason():
    trace = unigram.train(corpora.load("botchan")[:50_000], vocab_size=300)
    present = set(trace.history[0].pieces)
    for now, after in zip(trace.history, [*trace.history[1:], None]):
        assert set(now.pieces) == present and now.dropped.keys() <= present
        assert len(now.pieces) == len(now.probabilities) == len(now.expected)
        present -= now.dropped.keys()
        assert after is None or set(after.pieces) == present
    assert present <= trace.scores.keys() and {len(piece) for piece in trace.scores.keys() - present} <= {1}
    reasons = {why for state in trace.history for why in state.dropped.values()}
    assert reasons == {"expected count below 0.5", "smallest loss", "final cut"}
    assert all(a.number + 1 == b.number for a, b in pairwise(trace.history))


@pytest.mark.parametrize("seeds", unigram.SEEDS)
@pytest.mark.parametrize("loss", unigram.LOSSES)
def test_every_setting_gives_a_vocabulary_that_encodes_every_character(seeds, loss):
    text = corpora.load("botchan")[3_000:3_400] + declaration("rus")[:200]
    trace = unigram.train(text, vocab_size=80, seeds=seeds, loss=loss)
    assert len(trace.scores) == 80 and set(trace.scores) >= set(text.replace("\n", "▁").replace(" ", "▁"))
    assert list(trace.scores.values()) == sorted(trace.scores.values(), reverse=True) and max(trace.scores.values()) <= 0
    tok = trace.tokenizer()
    assert len(tok) == 83 and tok.lost(" ".join(text.split())) == ""
    assert 0 not in tok.encode("".join(random.Random(0).choices(text, k=2000)).replace("\n", " "))


def test_the_tokenizer_takes_the_likeliest_segmentation():
    trace = unigram.train(corpora.load("botchan")[:50_000], vocab_size=500)
    p = {piece: math.exp(score) for piece, score in trace.scores.items()}
    tok = trace.tokenizer()
    for word in ("Redshirt", "schoolmaster", "unbelievable", "a", "xylophone"):
        assert math.fsum(trace.scores[piece] for piece in tok.pieces(word)) == pytest.approx(unigram.viterbi("▁" + word, p)[1])


def test_sources():
    text = "to be or not\nto be  that"
    words = {"▁to": 2, "▁be": 2, "▁or": 1, "▁not": 1, "▁that": 1}
    for seeds in ("substrings", "unique-words"):
        assert unigram.train(text, vocab_size=12, seeds=seeds).scores == unigram.train(words, vocab_size=12, seeds=seeds).scores
    assert unigram.train([text, text], vocab_size=12).scores == unigram.train(text + "\n" + text, vocab_size=12).scores
    assert set(unigram.train({"a": 1}, vocab_size=1).scores) == {"a"} == set(unigram.train({"a": 1}, vocab_size=9).scores)


def test_coverage_leaves_out_the_rarest_characters():
    text = "abba " * 50 + "axb"
    assert "x" in unigram.train(text, vocab_size=9).scores
    trace = unigram.train(text, vocab_size=9, coverage=.99)
    assert not any("x" in piece or "▅" in piece for piece in trace.scores) and {"a", "b", "▁"} <= set(trace.scores)
    assert 0 in trace.tokenizer().encode("axb") and trace.tokenizer().lost("axb") == "x"


@pytest.mark.parametrize("seeds", unigram.SEEDS)
@pytest.mark.parametrize("text", ["a", "a a a a", "ab ab", "the the", "\0", "日本語" * 30, "e\u0301" * 20, "x" * 16 + " " + "x" * 17, "a" * 300])
def test_texts_of_one_word_give_a_vocabulary_that_encodes_them(text, seeds):
    trace = unigram.train(text, vocab_size=30, seeds=seeds)
    assert {"▁", *text.replace(" ", "")} <= set(trace.scores) and max(trace.scores.values()) <= 0
    assert trace.tokenizer().lost(text) == ""
    assert unigram.train(text, vocab_size=10**400, seeds=seeds).scores


def test_a_text_of_one_piece_gives_what_sentencepiece_gives_but_no_scores_above_0():
    for text in ("a a a a", "ab ab", "the the"):
        ours, theirs = unigram.train(text, vocab_size=30).scores, dict(sentence_piece(text, 33))
        assert ours.keys() == theirs.keys()
        assert all(score == pytest.approx(min(0, theirs[piece]), abs=1e-6) for piece, score in ours.items())


def test_progress_stops_and_leaves_a_usable_vocabulary():
    calls = []

    def progress(done, total):
        calls.append((done, total))
        return len(calls) < 2

    text = corpora.load("botchan")[:20_000]
    trace = unigram.train(text, vocab_size=200, progress=progress)
    assert [done for done, _ in calls] == [2, 4] and calls[0][1] == calls[1][1] > 4
    assert len(trace.scores) == 200 and trace.tokenizer().lost("a good boy") == ""
    assert unigram.train(text, vocab_size=200, progress=lambda done, total: None).scores == unigram.train(text, vocab_size=200).scores


def test_no_piece_mixes_scripts_or_holds_a_blank_inside():
    text = "абвabc абвgabc xабвabc7 7abc e\u0301e\u0301 e\u0301e\u0301x あ漢 あ漢す ーあ\n" * 3
    pieces = set(unigram.train(text, vocab_size=60).history[0].pieces)
    assert {"абв", "▁абв", "abc", "e\u0301e\u0301", "▁あ漢"} <= pieces
    assert not any("вa" in piece or "c7" in piece or "7a" in piece or "▁" in piece[1:] for piece in pieces)


@pytest.mark.parametrize(("call", "error", "message"), [
    (lambda: unigram.train(""), ValueError, r"the corpus is empty"),
    (lambda: unigram.train(" \n "), ValueError, r"the corpus is empty"),
    (lambda: unigram.train({}), ValueError, r"the corpus is empty"),
    (lambda: unigram.train({"": 3}), ValueError, r"the corpus is empty"),
    (lambda: unigram.train("to be or not", vocab_size=5), ValueError, r"from 7 up \(there are 7 characters, and each is a piece\), not 5"),
    (lambda: unigram.train("a", seeds="branch"), ValueError, r"unknown seeds 'branch': did you mean 'branching'"),
    (lambda: unigram.train("a", loss="vitebri"), ValueError, r"unknown loss 'vitebri': did you mean 'viterbi'"),
    (lambda: unigram.train("a", coverage=0), ValueError, r"coverage must be above 0 and at most 1"),
    (lambda: unigram.train("a", coverage="all"), ValueError, r"coverage must be above 0 and at most 1"),
    (lambda: unigram.train({"a": 10**400}), ValueError, r"from 1 to 9,007,199,254,740,992 words"),
    (lambda: unigram.train("a", coverage=math.nan), ValueError, r"coverage must be above 0 and at most 1"),
    (lambda: unigram.train("a", vocab_size=2.5), TypeError, r"vocab_size must be a whole number"),
    (lambda: unigram.train(b"a"), TypeError, r"source must be str, not bytes"),
    (lambda: unigram.train({"a": 0}), ValueError, r"the count of 'a' must be a whole number from 1"),
    (lambda: unigram.train("a\ud800"), ValueError, r"lone surrogate"),
])
def test_errors(call, error, message):
    with pytest.raises(error, match=message):
        call()


if __name__ == "__main__":
    found = {"versions": {name: version(name) for name in ("sentencepiece", "tokenizers")},
             "comparisons": {name: comparison() for name, comparison in COMPARISONS.items()}}
    FIXTURE.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
