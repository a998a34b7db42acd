"""How long the shipped tokenizers take to load and to encode all of Moby-Dick, side by side with tiktoken.

    python benchmarks/encoding.py [cl100k_base ...]

Each figure is the median of 5; ours and tiktoken's take turns, so that both meet the same machine.
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


if __name__ == "__main__":
    main(sys.argv[1:] or pretrained.names())
