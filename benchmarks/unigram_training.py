"""Time Unigram training beside SentencePiece and Hugging Face tokenizers, and count how many pieces are equal.

    python benchmarks/unigram_training.py [FILE] [--pieces 8000] [--runs 5]

Each run trains all three, one after the other; seconds are wall-clock, from the text to the pieces. SentencePiece has 2
threads, identity normalization and full coverage; pieces count as their vocab_size does, 3 special ones included.
Then: one round of EM on the 5,000 most frequent words, what "exact" losses of a small vocabulary cost, peak memory.
"""
import argparse
import io
import json
import resource
import statistics
import time
from collections import Counter
from pathlib import Path

import sentencepiece
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tokenlab import corpora, unigram


def ours(text, size):
    return set(unigram.train(text, vocab_size=size - 3).scores)


def ours_as_hugging_face(text, size):
    return set(unigram.train(text, vocab_size=size - 1, seeds="unique-words", loss="huggingface").scores)


def sentence_piece(text, size):
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text.split("\n")), model_writer=out, model_type="unigram", vocab_size=size, num_threads=2,
        normalization_rule_name="identity", character_coverage=1.0, hard_vocab_limit=False, minloglevel=2)
    processor = sentencepiece.SentencePieceProcessor(model_proto=out.getvalue())
    return {processor.id_to_piece(i) for i in range(3, len(processor))}


def hugging_face(text, size):
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    trainer = trainers.UnigramTrainer(vocab_size=size, show_progress=False, unk_token="<unk>", special_tokens=["<unk>"])
    tokenizer.train_from_iterator([" ".join(text.split())], trainer)
    return {piece for piece, _ in json.loads(tokenizer.to_str())["model"]["vocab"]} - {"<unk>"}


def seconds(function, *arguments):
    start = time.perf_counter()
    result = function(*arguments)
    return time.perf_counter() - start, result


def small(text):
    """A vocabulary of a lesson's size, and the words of the first 20,000 characters."""
    text = text[:20_000]
    trace = unigram.train(text, vocab_size=400)
    return Counter("▁" + word for word in text.split()), trace.history[-1].p


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", nargs="?", type=Path, help="a UTF-8 file (default: the bundled Moby-Dick)")
    parser.add_argument("--pieces", type=int, default=8000)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    text = arguments.text.read_text(encoding="utf-8") if arguments.text else corpora.load("moby-dick")
    print(f"{arguments.pieces} pieces, {len(text.encode()):,} bytes\n")
    trainers_ = {"tokenlab": ours, "sentencepiece": sentence_piece, "tokenlab as HF": ours_as_hugging_face, "tokenizers": hugging_face}
    print(f"{'run':>6}" + "".join(f"{name:>16}" for name in trainers_))
    ours(text[:1000], 200)                                      # imports
    times, found = {name: [] for name in trainers_}, {}
    for run in range(1, arguments.runs + 1):
        for name, train in trainers_.items():
            took, found[name] = seconds(train, text, arguments.pieces)
            times[name].append(took)
        print(f"{run:>6}" + "".join(f"{times[name][-1]:>14.2f} s" for name in trainers_))
    median = {name: statistics.median(values) for name, values in times.items()}
    print(f"{'median':>6}" + "".join(f"{median[name]:>14.2f} s" for name in trainers_))
    print(f"\ntokenlab / sentencepiece: {median['tokenlab'] / median['sentencepiece']:.2f} (median of ratios "
          f"{statistics.median(a / b for a, b in zip(times['tokenlab'], times['sentencepiece'])):.2f})")
    for name in ("tokenlab", "tokenlab as HF"):
        print(f"{name} / tokenizers: {median[name] / median['tokenizers']:.2f}")
    for name, other in (("tokenlab", "sentencepiece"), ("tokenlab as HF", "tokenizers")):
        print(f"{name}: {len(found[name] & found[other])} of {len(found[other])} pieces are those of {other}")

    words = dict(Counter("▁" + word for word in text.split()).most_common(5000))
    p = unigram.train(words, vocab_size=5000).history[-1].p
    one, many = (statistics.median(seconds(unigram.em, words, p, rounds)[0] for _ in range(5)) for rounds in (0, 10))
    print(f"\nEM, {len(words)} words, {len(p)} pieces: {(many - one) / 10 * 1000:.1f} ms a round, {one * 1000:.0f} ms to set up")
    words, p = small(text)
    for loss in unigram.LOSSES:
        print(f"losses {loss:>14}, {len(words)} words, {len(p)} pieces: {seconds(unigram.losses, words, p, loss)[0]:.2f} s")


def peak():
    """The most memory this process has used so far, in kB (on Linux)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
