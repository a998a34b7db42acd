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


def vocabulary(words, size):
    """Some `size` pieces with probabilities, all characters of the words among them."""
    start = dict.fromkeys(sorted(set("".join(words))), 1e-4) | unigram.train(words, vocab_size=size).history[-1].p
    return unigram.em(words, start, 3)[-1].p


def print_row(name, values):
    print(f"{name:>6}" + "".join(f"{value:>14.2f} s" for value in values))


def train_beside_others(text, size, runs):
    trainers = {"tokenlab": ours, "sentencepiece": sentence_piece, "tokenlab as HF": ours_as_hugging_face, "tokenizers": hugging_face}
    print(f"{'run':>6}" + "".join(f"{name:>16}" for name in trainers))
    rows = []
    for run in range(1, runs + 1):
        took, found = zip(*(seconds(train, text, size) for train in trainers.values()))
        rows.append(took)
        print_row(run, took)
    median = dict(zip(trainers, map(statistics.median, zip(*rows))))
    print_row("median", median.values())
    found = dict(zip(trainers, found))
    print()
    for name, other in (("tokenlab", "sentencepiece"), ("tokenlab as HF", "tokenizers"), ("tokenlab", "tokenizers")):
        print(f"{name} / {other}: {median[name] / median[other]:.2f} of the time, "
              f"{len(found[name] & found[other])} of {len(found[other])} pieces equal")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", nargs="?", type=Path, help="a UTF-8 file (default: the bundled Moby-Dick)")
    parser.add_argument("--pieces", type=int, default=8000)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    text = arguments.text.read_text(encoding="utf-8") if arguments.text else corpora.load("moby-dick")
    print(f"{arguments.pieces} pieces, {len(text.encode()):,} bytes")
    ours(text, arguments.pieces)                                # imports, too
    print(f"peak memory of tokenlab alone: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB\n")
    train_beside_others(text, arguments.pieces, arguments.runs)

    words = dict(Counter("▁" + word for word in text.split()).most_common(5000))
    p = vocabulary(words, 5000)
    none, ten = (statistics.median(seconds(unigram.em, words, p, rounds)[0] for _ in range(5)) for rounds in (0, 10))
    print(f"\nEM, {len(words)} words, {len(p)} pieces: {(ten - none) * 100:.1f} ms a round, {none * 1000:.0f} ms to set up")
    words = Counter("▁" + word for word in text[:20_000].split())
    p = vocabulary(words, 300)
    for loss in unigram.LOSSES:
        print(f"{loss} losses, {len(words)} words, {len(p)} pieces: {seconds(unigram.losses, words, p, loss)[0]:.2f} s")


if __name__ == "__main__":
    main()
