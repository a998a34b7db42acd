"""Time tokenlab beside the libraries that people would pick instead, and write benchmarks/RESULTS.md.

    python benchmarks/bench.py [--runs 5] [--only WORD] [--scale]

Each row is one task in a process of its own, done by both in turns so that both meet the same machine, and checked to
have the same result; its ratio is that of the medians. With --only, rows whose name holds WORD are measured and nothing
is written. --scale adds a gigabyte of text, counted in a stream: it takes minutes.
"""
import argparse
import importlib.metadata
import io
import json
import math
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from tokenlab import bpe, corpora, data, formats, pretokenize, pretrained, unigram
from tokenlab.bpe.joins import join

MERGES, PIECES, MEGABYTES = 2000, 8000, 12
OUT, NUMBERS = Path(__file__).with_name("RESULTS.md"), Path(__file__).parents[1] / "tokenlab" / "data" / "benchmarks.json"
CALLS = ("first call", "later calls")
LIBRARIES = ["tiktoken", "tokenizers", "rustbpe", "sentencepiece", "regex", "numpy"]


class Task(NamedTuple):
    name: str
    peer: str
    most: float                     # the ratio wanted,
    aim: float                      # and what to aim for
    prepare: Callable               # makes the Sides, in the process that measures them


class Sides(NamedTuple):
    ours: Callable
    theirs: Callable
    same: Callable = lambda a, b: a == b
    new: Callable = None            # makes what `ours` takes, a tokenizer that remembers nothing, outside the time


# ---- texts

@cache
def standard_library():
    """The first 12 MB of Python's own standard library, file by file."""
    parts, size = [], 0
    for path in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if "site-packages" not in path.parts and size < MEGABYTES * 10**6:
            parts.append(path.read_bytes().decode("utf-8", "ignore"))
            size += len(parts[-1].encode())
    return "".join(parts).encode()[:MEGABYTES * 10**6].decode("utf-8", "ignore")


def languages():
    return "\n".join(article for language in corpora.udhr() for article in language["articles"])


# ---- tasks, a function for each group

def bpe_training():
    import rustbpe
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    def ours(text, tie):
        trace = bpe.train(text, vocab_size=256 + MERGES, tie=tie)
        return [trace.vocabulary[i] for i in range(256, len(trace.vocabulary))]

    def sides(text, tie, theirs, *same):
        return Sides(partial(ours, text, tie), partial(theirs, text), *same)

    def hugging_face(text):
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.train_from_iterator([text], trainers.BpeTrainer(
            vocab_size=256 + MERGES, min_frequency=0, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
        return tokenizer

    def as_theirs(tokens, tokenizer):
        signs = pretrained.printable_bytes()
        return ["".join(map(signs.__getitem__, token)) for token in tokens] == [tokenizer.id_to_token(256 + i) for i in range(MERGES)]

    def rust(text):
        tokenizer = rustbpe.Tokenizer()
        tokenizer.train_from_iterator(iter([text]), 256 + MERGES, pattern=pretokenize.PATTERNS["gpt2"])
        return [bytes(token) for token, _ in sorted(tokenizer.get_mergeable_ranks(), key=lambda item: item[1])[256:]]

    for name, read in (("Moby-Dick", partial(corpora.load, "moby-dick")), (f"{MEGABYTES} MB of Python", standard_library), ("46 languages", languages)):
        wanted = (1.0, 0.7) if name.endswith("Python") else (1.5, 1.0)
        yield Task(f"train BPE, {name}", "tokenizers", *wanted, lambda read=read: sides(read(), "gpt2-order", hugging_face, as_theirs))
        yield Task(f"train BPE, {name}", "rustbpe", 5, 2.5, lambda read=read: sides(read(), "lowest-ids", rust))


def bpe_encoding():
    import tiktoken
    from tokenizers import Tokenizer

    text = corpora.load("moby-dick")

    def peer(tok):
        """tiktoken's tokenizer, and by how much our ids are higher than its."""
        first = min(tok.vocabulary)
        return first, tiktoken.Encoding(tok.name, pat_str=pretokenize.PATTERNS[tok.pattern], special_tokens={},
                                        mergeable_ranks={token: i - first for i, token in tok.vocabulary.items()})

    def encode_beside_tiktoken(name, call):
        tok = pretrained.load(name)
        first, theirs = peer(tok)
        return encoding(tok, call, lambda: theirs.encode_ordinary(text), lambda mine, other: mine == [i + first for i in other])

    def decode_beside_tiktoken(name):
        tok = pretrained.load(name)
        (first, theirs), ids = peer(tok), tok.encode(text)
        low = [i - first for i in ids]
        return Sides(lambda: tok.decode(ids), lambda: theirs.decode(low))

    def hugging_face(tok):
        with tempfile.TemporaryDirectory() as folder:
            (path,) = formats.save(tok, f"{folder}/tokenizer.json")
            return Tokenizer.from_file(str(path))

    def encode_beside_tokenizers(name, call):
        tok = pretrained.load(name)
        theirs = hugging_face(tok)
        return encoding(tok, call, lambda: theirs.encode(text), lambda mine, other: mine == other.ids)

    def decode_beside_tokenizers(name):
        tok = pretrained.load(name)
        theirs, ids = hugging_face(tok), tok.encode(text)
        return Sides(lambda: tok.decode(ids), lambda: theirs.decode(ids))

    for name in ("gpt2", "cl100k_base", "o200k_base", "tekken"):
        for call, wanted in zip(CALLS, ((3, 2), (1, 0.5))):
            yield Task(f"encode Moby-Dick, {name}, {call}", "tiktoken", *wanted, partial(encode_beside_tiktoken, name, call))
        yield Task(f"decode Moby-Dick, {name}", "tiktoken", 2, 1, partial(decode_beside_tiktoken, name))
    for name in ("gpt2", "o200k_base"):
        for call in CALLS:
            yield Task(f"encode Moby-Dick, {name}, {call}", "tokenizers", 0.5, 0.5, partial(encode_beside_tokenizers, name, call))
        yield Task(f"decode Moby-Dick, {name}", "tokenizers", 2, 1, partial(decode_beside_tokenizers, name))


def encoding(tok, call, theirs, *same):
    """The Sides of encoding Moby-Dick: in a first call by a tokenizer that has seen nothing, in later calls by one that has seen it."""
    text = corpora.load("moby-dick")
    if call == "later calls":
        return Sides(lambda: tok.encode(text), theirs, *same)
    return Sides(lambda new: new.encode(text), theirs, *same, new=lambda: tok.with_special({}))


def unigrams():
    import sentencepiece
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    text = corpora.load("moby-dick")

    def sentence_piece():
        out = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(text.split("\n")), model_writer=out, model_type="unigram", vocab_size=PIECES, num_threads=2,
            normalization_rule_name="identity", character_coverage=1.0, hard_vocab_limit=False, minloglevel=2)
        processor = sentencepiece.SentencePieceProcessor(model_proto=out.getvalue())
        return {processor.id_to_piece(i) for i in range(3, len(processor))}

    def hugging_face():
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
        tokenizer.train_from_iterator([" ".join(text.split())], trainers.UnigramTrainer(
            vocab_size=PIECES, show_progress=False, unk_token="<unk>", special_tokens=["<unk>"]))
        return {piece for piece, _ in json.loads(tokenizer.to_str())["model"]["vocab"]} - {"<unk>"}

    def nearly(mine, other):
        return len(mine & other) >= 0.99 * len(other)

    def ours(size, **how):
        return set(unigram.train(text, vocab_size=size, **how).scores)

    def encode_beside_sentencepiece(name, file, call):
        theirs = sentencepiece.SentencePieceProcessor(model_proto=data.read(f"tokenizers/{file}.model"))
        return encoding(pretrained.load(name), call, lambda: theirs.encode(text))

    yield Task("train Unigram, Moby-Dick", "sentencepiece", 2.5, 1.0, lambda: Sides(partial(ours, PIECES - 3), sentence_piece, nearly))
    yield Task("train Unigram, Moby-Dick, as tokenizers does", "tokenizers", 1.0, 0.5,
               lambda: Sides(partial(ours, PIECES - 1, seeds="unique-words", loss="huggingface"), hugging_face, nearly))
    for name, file in (("t5", "t5_spiece"), ("mistral_v1", "mistral_v1_tokenizer")):
        for call in CALLS:
            yield Task(f"encode Moby-Dick, {name}, {call}", "sentencepiece", 2, 1, partial(encode_beside_sentencepiece, name, file, call))


GROUPS = [bpe_training, bpe_encoding, unigrams]


# ---- measuring

def seconds(function):
    start = time.perf_counter()
    result = function()
    return time.perf_counter() - start, result


def paired(task, runs):
    """Medians of both sides in seconds, in turns, the results compared."""
    sides, ours, theirs = task.prepare(), [], []
    for _ in range(runs):
        mine, result = seconds(partial(sides.ours, sides.new()) if sides.new else sides.ours)
        other, expected = seconds(sides.theirs)
        assert sides.same(result, expected), f"{task.name}: the results differ from those of {task.peer}"
        ours.append(mine)
        theirs.append(other)
    return statistics.median(ours), statistics.median(theirs)


def peak(task, side):
    """MiB that one side of a task takes at its peak on top of what its process begins with, done once."""
    sides = task.prepare()
    new = [sides.new()] if sides.new and side == "ours" else []
    before = memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")        # the peak begins anew (Linux)
    getattr(sides, side)(*new)
    return memory("VmHWM") - before


def alone(which):
    """Measure one task and print what it gives as JSON: which is a group, a task, its peer, and "paired" with the runs or a side."""
    group, name, peer, what, runs = which
    task = next(task for task in globals()[group]() if (task.name, task.peer) == (name, peer))
    print(json.dumps(paired(task, int(runs)) if what == "paired" else peak(task, what)))


def in_its_own_process(group, task, what, runs=1):
    """What `alone` prints: a process that holds nothing else, for Python's garbage collector takes longer the more there is."""
    done = subprocess.run([sys.executable, __file__, "--alone", group.__name__, task.name, task.peer, what, str(runs)],
                          stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def memory(what):
    """MiB that this process has ("VmRSS") or had at most ("VmHWM")."""
    return int(re.search(rf"{what}:\s+(\d+)", Path("/proc/self/status").read_text(encoding="utf-8"))[1]) / 1024


def plain(runs, merges=20):
    """How many times faster `bpe.train` is than counting all pairs of all chunks anew for every merge.

    The plain trainer does some merges; the rest is extrapolated by the tokens that it would go through.
    """
    text = corpora.load("moby-dick")
    took, trace = zip(*(seconds(lambda: bpe.train(text, vocab_size=256 + MERGES)) for _ in range(runs)))
    chunks = [list(chunk.encode()) for chunk in pretokenize.split(text)]
    start = time.perf_counter()
    for merge in trace[0].merges[:merges]:
        counts = {}
        for ids in chunks:
            for pair in pairwise(ids):
                counts[pair] = counts.get(pair, 0) + 1
        pair = max(counts, key=counts.get)
        assert pair == merge.pair
        for n, ids in enumerate(chunks):
            if pair[0] in ids:
                chunks[n] = bpe.merge(ids, pair, merge.id)
    spent = time.perf_counter() - start
    return spent * sum(trace[0].lengths[:MERGES]) / sum(trace[0].lengths[:merges]), statistics.median(took)


def limits(runs):
    """What takes the time where a limit is missed, and what would move it: sentences."""
    def spent(function):
        return 1000 * statistics.median(seconds(function)[0] for _ in range(runs))

    text, tok, t5 = corpora.load("moby-dick"), pretrained.load("o200k_base"), pretrained.load("t5")
    new = [chunk for chunk in map(str.encode, dict.fromkeys(pretokenize.split(text, tok.pattern))) if chunk not in tok._ids]
    words, ids = [*dict.fromkeys(t5._units.findall(t5.normalizer(text)))], tok.encode(text)
    joined = spent(lambda: [join(tok._encoder.spell(chunk), tok._ids) for chunk in new])
    segmented = spent(lambda: [*map(t5._segment, words)])
    table = [tok._spelled.get(i) for i in range(max(ids) + 1)]
    checked, found, listed = (spent(function) for function in (
        lambda: set(map(type, ids)), lambda: itemgetter(*ids)(tok._spelled), lambda: itemgetter(*ids)(table)))
    spelled = tok._spell(ids)
    return [
        (f"- What a first call is made of: with o200k_base {joined:.0f} ms of joining the {len(new):,} different chunks that are no token; with t5 "
         f"{segmented:.0f} ms of seeking the best segmentation of {len(words):,} different words. Both are loops of Python over each place in each chunk; "
         "to move them, the loop itself would have to go, into arrays over all new chunks or into C. Chunks seen before are spared it."),
        (f"- What decoding with o200k_base is made of: {checked:.0f} ms to see that {len(ids):,} ids are whole numbers, {found:.0f} ms to find their bytes in "
         f"a dict (a list of all would take {listed:.0f} ms), {spent(lambda: b''.join(spelled)):.0f} ms to put them together."),
    ]


def growth(function, text, runs):
    """How the time of a task grows with the text: (seconds for 1/8, 1/4, 1/2 and all of it, the exponent)."""
    sizes = [len(text) // 8 * times for times in (1, 2, 4, 8)]
    took = [statistics.median(seconds(lambda size=size: function(text[:size]))[0] for _ in range(runs)) for size in sizes]
    return took, statistics.linear_regression(list(map(math.log, sizes)), list(map(math.log, took))).slope


def redraw(runs=30):
    """Milliseconds from a slider's new value to the new view, in the kernel, for each explorer with a slider: name -> (median, p95)."""
    import inspect

    from tokenlab import widgets

    times = {}
    for name in dir(widgets):
        make = getattr(widgets, name)
        if not inspect.isfunction(make) or any(p.default is p.empty for p in inspect.signature(make).parameters.values()):
            continue
        slider = next((control for control in make().controls.values() if hasattr(control, "max")), None)
        if slider is None:
            continue
        values = [slider.min + (slider.max - slider.min) * n // runs for n in range(runs)]
        took = sorted(1000 * seconds(lambda value=value, slider=slider: setattr(slider, "value", value))[0] for value in values)
        times[name] = statistics.median(took), took[round(0.95 * (runs - 1))]
    return times


def importing(module, runs):
    """Milliseconds that an import takes in a new process, Python's own start taken off."""
    def start(code):
        return statistics.median(seconds(lambda: subprocess.run([sys.executable, "-c", code], check=True))[0] for _ in range(runs))
    return 1000 * (start(f"import {module}") - start("pass"))


def gigabyte():
    """Megabytes a second and peak MiB for counting a gigabyte of repeated text with variations, streamed, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path, rng, words = Path(folder) / "gigabyte.txt", random.Random(0), corpora.load("moby-dick").split(" ")
        with path.open("w", encoding="utf-8", newline="") as file:
            while file.tell() < 10**9:
                start = rng.randrange(len(words) - 20_000)
                file.write(" ".join(words[start:start + 20_000]) + f" {rng.randrange(10**6)} ")
        code = ("import re, sys, time\nfrom pathlib import Path\nfrom tokenlab import bpe, pretokenize\n"
                "Path('/proc/self/clear_refs').write_text('5', encoding='utf-8')\nstart = time.perf_counter()\n"         # not the peak of what started it
                "counts = pretokenize.count_files(sys.argv[1:])\nspent = time.perf_counter() - start\nbpe.train(counts, vocab_size=1000)\n"
                "print(spent, int(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text(encoding='utf-8'))[1]) / 1024)")
        spent, most = map(float, subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True).stdout.split())
        return path.stat().st_size / 1e6 / spent, most


# ---- reporting

def report(rows, extra):
    """RESULTS.md, as text."""
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES)
    lines = ["# Speed beside other libraries", "",
             ("Written by `make bench`. Both sides of a row did the same task in turns, in a process of their own, in one run on one machine, and their results were compared. "
             "Seconds are medians; the ratio is ours to theirs: below 1 tokenlab is faster. MiB: what the task took at its peak on top of what its process began with."), "",
             f"Machine: {os.cpu_count()} cores, {platform.system()} {platform.machine()}. Python {platform.python_version()}, {versions}.", "",
             "| task | beside | tokenlab s | its s | ratio | wanted | aim | MiB | its MiB |", "|---|---|--:|--:|--:|--:|--:|--:|--:|"]
    for row in rows:
        met = "" if row["ratio"] <= row["most"] else " **missed**"
        lines.append(f"| {row['task']} | {row['peer']} | {row['ours']:.3f} | {row['theirs']:.3f} | {row['ratio']:.2f}{met} | {row['most']} | {row['aim']} "
                     f"| {row['ours_mib']:.0f} | {row['theirs_mib']:.0f} |")
    return "\n".join([*lines, "", *extra, ""])


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--only", default="", metavar="WORD")
    options.add_argument("--scale", action="store_true")
    options.add_argument("--alone", nargs=5, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.alone:
        return alone(given.alone)
    rows = []
    for group, task in ((each, task) for each in GROUPS for task in each()):
        if given.only not in f"{task.name} {task.peer}":
            continue
        ours, theirs = in_its_own_process(group, task, "paired", given.runs)
        rows.append({"task": task.name, "peer": task.peer, "ours": round(ours, 4), "theirs": round(theirs, 4), "ratio": round(ours / theirs, 3),
                     "most": task.most, "aim": task.aim} | ({} if given.only else {f"{side}_mib": in_its_own_process(group, task, side) for side in ("ours", "theirs")}))
        print(f"{task.name:48} {task.peer:14} {ours:8.3f} s {theirs:8.3f} s  ratio {ours / theirs:5.2f}  wanted {task.most}, aim {task.aim}", flush=True)
    if given.only:
        return None
    slow, fast = plain(given.runs)
    extra = [(f"- A trainer that counts all pairs anew for each merge would take {slow:,.0f} s for the {MERGES:,} merges of Moby-Dick, "
             f"{slow / fast:,.0f} times as long as tokenlab (wanted: 200). It did 20 merges; the rest is extrapolated by the tokens it would go through.")]
    code = standard_library()
    fresh = pretrained.load("gpt2").with_special
    for name, function in (("Training BPE", lambda text: bpe.train(text, vocab_size=256 + MERGES)), ("Encoding with GPT-2, first call,", lambda text: fresh({}).encode(
            text, disallowed_special="text"))):
        took, exponent = growth(function, code, min(3, given.runs))
        extra.append(f"- {name} of 1/8, 1/4, 1/2 and all of {MEGABYTES} MB of Python takes {', '.join(f'{each:.2f}' for each in took)} s: "
                     f"it grows as the text to the power of {exponent:.2f} (wanted: 1.05).")
    extra += limits(given.runs)
    extra.append("- Milliseconds from a slider's move to the new view, in the kernel, median and p95: " + ", ".join(
        f"`{name}` {median:.1f} and {late:.1f}" for name, (median, late) in redraw().items()) + ". With the browser: the last lines of `make test`.")
    extra.append("- Import, in milliseconds: " + ", ".join(f"{name} {importing(name, given.runs):.0f}" for name in ("tokenlab", "tiktoken", "tokenizers", "sentencepiece")) + ".")
    if given.scale:
        rate, most = gigabyte()
        extra.append(f"- A gigabyte of text in one file is counted at {rate:.1f} MB a second, and trained on, with a peak of {most:,.0f} MiB (wanted: 1,500).")
    OUT.write_text(report(rows, extra), encoding="utf-8")
    NUMBERS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    print(*extra, f"written: {OUT.name}, {NUMBERS.name}", sep="\n")
    return None


if __name__ == "__main__":
    main()
