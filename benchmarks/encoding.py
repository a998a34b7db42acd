"""How long the shipped byte-pair tokenizers take to encode all of Moby-Dick, side by side with tiktoken's encode_ordinary.

    python benchmarks/encoding.py [cl100k_base ...]

Each figure is the median of 5; ours and tiktoken's take turns, so that both meet the same machine. For a first call the
tokenizer is new and remembers nothing. Wanted with cl100k_base: first call at most 3 times tiktoken's, later ones 1.2.
Then chunks that are hard: 40,000 equal letters (wanted: less than a second) and a million blanks before an x.
"""
import statistics
import sys
import time

import tiktoken

from tokenlab import corpora, pretokenize, pretrained


def seconds(function, *arguments, **keywords):
    start = time.perf_counter()
    function(*arguments, **keywords)
    return time.perf_counter() - start


def main(names):
    text = corpora.load("moby-dick")
    for name in names:
        loading = seconds(pretrained.load, name)
        tok = pretrained.load(name)
        first_id = min(tok.vocabulary)
        ranks = {token: i - first_id for i, token in tok.vocabulary.items()}
        peer = tiktoken.Encoding(name, pat_str=pretokenize.PATTERNS[name], mergeable_ranks=ranks, special_tokens={})
        expected = [i + first_id for i in peer.encode_ordinary(text)]
        theirs, first, later = [], [], []
        for _ in range(5):
            fresh = tok.with_special({})                        # it remembers nothing yet
            theirs.append(seconds(peer.encode_ordinary, text))
            first.append(seconds(fresh.encode, text, disallowed_special="text"))
            later.append(seconds(fresh.encode, text, disallowed_special="text"))
        if fresh.encode(text, disallowed_special="text") != expected:
            raise SystemExit(f"{name}: the ids differ")
        t, f, n = (statistics.median(times) for times in (theirs, first, later))
        print(f"{name}: loaded in {loading:.2f} s; tiktoken {t:.3f} s, first call {f:.3f} s ({f / t:.1f} times), "
              f"later calls {n:.3f} s ({n / t:.1f} times)")
        hard = []
        for s in ("a" * 40_000, " " * 1_000_000 + "x"):
            fresh = tok.with_special({})
            hard.append(seconds(fresh.encode, s))
            if fresh.decode(fresh.encode(s)) != s:
                raise SystemExit(f"{name}: text is lost")
        print(f"{name}: 40,000 equal letters {hard[0]:.2f} s, a million blanks before an x {hard[1]:.2f} s")


if __name__ == "__main__":
    main(sys.argv[1:] or ["gpt2", "cl100k_base", "o200k_base", "tekken"])
