"""Time BPE training beside Hugging Face tokenizers: the same text, pattern and tie rule, and the same merges.

    python benchmarks/bpe_training.py [FILE] [--merges 2000] [--runs 5]

Each run trains both, one after the other, on one string; seconds are wall-clock and include cutting the text into
chunks. The last line holds the medians and their ratio. Merges are asserted to be equal; times are not.
Below it: our time with other tie rules, which tokenizers does not have.
"""
import argparse
import json
import statistics
import time
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from tokenlab import bpe, corpora


def ours(text, merges, tie="gpt2-order"):
    start = time.perf_counter()
    trace = bpe.train(text, vocab_size=256 + merges, pattern="gpt2", tie=tie)
    return time.perf_counter() - start, [merge.pair for merge in trace.merges]


def theirs(text, merges):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(vocab_size=256 + merges, min_frequency=0, show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    start = time.perf_counter()
    tokenizer.train_from_iterator([text], trainer)
    seconds = time.perf_counter() - start
    pairs = json.loads(tokenizer.to_str())["model"]["merges"]
    return seconds, [tuple(map(tokenizer.token_to_id, pair)) for pair in pairs]


def print_row(name, seconds, their_seconds):
    print(f"{name:>6}  {seconds:>10.2f}  {their_seconds:>12.2f}  {seconds / their_seconds:>5.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", nargs="?", type=Path, help="a UTF-8 file (default: the bundled Moby-Dick)")
    parser.add_argument("--merges", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    text = arguments.text.read_text(encoding="utf-8") if arguments.text else corpora.load("moby-dick")
    print(f"{arguments.merges} merges, {len(text.encode()):,} bytes as one string, GPT-2's pattern, tie='gpt2-order'\n")
    print(f"{'run':>6}  {'tokenlab s':>10}  {'tokenizers s':>12}  {'ratio':>5}")
    rows = []
    for run in range(1, arguments.runs + 1):
        seconds, pairs = ours(text, arguments.merges)
        their_seconds, their_pairs = theirs(text, arguments.merges)
        assert pairs == their_pairs, "the merges differ"
        rows.append((seconds, their_seconds))
        print_row(run, *rows[-1])
    print_row("median", *map(statistics.median, zip(*rows)))
    print(f"{len(pairs)} merges, identical in every run\n")
    for tie in ("first-seen", "lowest-ids", "greatest-bytes"):
        median = statistics.median(ours(text, arguments.merges, tie)[0] for _ in range(arguments.runs))
        print(f"tokenlab, tie={tie!r}: median {median:.2f} s")


if __name__ == "__main__":
    main()
