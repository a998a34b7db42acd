"""Train, use, look at and convert tokenizers from the command line: `python -m tokenlab --help` (lesson 10)."""
import argparse
import os
import signal
import sys
from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor
from pathlib import Path

from . import bpe, formats, pretokenize, pretrained, unigram
from .errors import short, whole
from .text import visible

TOKENIZER = "a shipped tokenizer (" + ", ".join(pretrained.names()) + ") or the path of one: name.json, name.tiktoken, name.model, a directory"
EXAMPLES = """examples:
  python -m tokenlab train book.txt --vocab-size 5000 --out book.json
  echo "white whale" | python -m tokenlab encode gpt2
  echo 11186 22206 198 | python -m tokenlab decode gpt2
  python -m tokenlab inspect book.json "the white whale"
  python -m tokenlab export t5 t5.json

Text is UTF-8, on pipes too, whatever the locale. Exit codes: 0, 1 (said why on stderr), 2 (the command is wrong), 130 (interrupted)."""


def main(arguments=None):
    """Run one command; returns the exit code. arguments: a list of str, those of the command line if None."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        sys.exit("tokenlab: stdin, stdout and stderr must be open: give /dev/null for one that you do not need")
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    given = parser().parse_args(arguments)
    try:
        return given.run(given) or 0
    except BrokenPipeError:                     # whoever read has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("tokenlab: interrupted", file=sys.stderr)
        return 130
    except (ValueError, TypeError, OSError, ImportError, BrokenProcessPool) as error:
        print(f"tokenlab: {error}", file=sys.stderr)
        return 1


def parser():
    """The command line, as an ArgumentParser."""
    top = argparse.ArgumentParser(prog="python -m tokenlab", description=__doc__.split(":")[0], epilog=EXAMPLES,
                                  formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def command(run, words):
        added = commands.add_parser(run.__name__, help=words, description=words)
        added.set_defaults(run=run)
        if run is not train:
            added.add_argument("tokenizer", help=TOKENIZER)
        return added

    new = command(train, "learn a tokenizer from text, and write it to a file")
    new.add_argument("files", nargs="*", default=["-"], help="UTF-8 files, each a document; none or -: stdin")
    new.add_argument("--out", required=True, help="where to: name.json, name.tiktoken, a directory (BPE); name.model, name.json (Unigram)")
    new.add_argument("--vocab-size", type=int, default=1000, help="tokens in all, special ones apart (default: %(default)s)")
    new.add_argument("--family", choices=["bpe", "unigram"], default="bpe", help="the algorithm (default: %(default)s)")
    new.add_argument("--pattern", default="gpt2", help="BPE: where merges must stop, a name or a regular expression (default: %(default)s)")
    new.add_argument("--tie", default="first-seen", help="BPE: which of equal pairs is merged: " + ", ".join(bpe.TIE_RULES))
    new.add_argument("--special", action="append", default=[], metavar="TOKEN", help="a special token, as '<|end|>'; may be repeated")
    new.add_argument("--processes", type=int, default=1, help="BPE: how many processes count the files (default: %(default)s)")
    to_ids, to_text = command(encode, "print the ids of a text, on one line"), command(decode, "print the text of ids")
    for use in to_ids, to_text:
        use.add_argument("file", nargs="?", default="-", help="a file; none or -: stdin")
    to_ids.add_argument("--special", choices=["raise", "text", "all"], default="raise",
                        help="a special token in the text is refused, is ordinary text, or is its id (default: %(default)s)")
    to_text.add_argument("--errors", choices=["strict", "replace"], default="strict", help="what to do with bytes that are no UTF-8")
    command(inspect, "say what a tokenizer is, and how it cuts a text").add_argument("text", nargs="?", help="a text to cut")
    command(export, "write a tokenizer in another format").add_argument("out", help="name.json, name.tiktoken, name.model, or a directory")
    return top


def train(given):
    """Learn a tokenizer from the files and write it; 130 if Ctrl-C ended it early, and then what was learned is written."""
    family = {"bpe": bpe, "unigram": unigram}[given.family]
    formats.save(family.train("a", vocab_size=256).tokenizer(), given.out, dry_run=True)      # a path that will not do is told before the work
    progress = Progress("merges" if family is bpe else "rounds")
    if family is unigram:
        trace = unigram.train(map(read, given.files), vocab_size=given.vocab_size, progress=progress)
    else:
        if not (chunks := count(given)):
            raise ValueError("the text is empty: there is nothing to learn from")
        trace = bpe.train(chunks, vocab_size=given.vocab_size, pattern=given.pattern, tie=given.tie, progress=progress)
    progress.end()
    tok = trace.tokenizer()
    tok = tok.with_special({token: i for i, token in enumerate(given.special, max(tok.vocabulary, default=-1) + 1)})
    print(*formats.save(tok, given.out), sep="\n")
    if progress.stopped:
        print(f"tokenlab: interrupted; what was learned until then is written: {tok!r}", file=sys.stderr)
        return 130
    if len(tok.vocabulary) < given.vocab_size:
        print(f"tokenlab: {len(tok.vocabulary)} tokens, not {given.vocab_size}: the text gives no more", file=sys.stderr)
    return 0


def count(given):
    """The chunks of the files, counted; stdin is one document."""
    if "-" in given.files:
        return pretokenize.count_chunks(map(read, given.files), given.pattern)
    workers = min(whole(given.processes, "--processes", 1), len(given.files))
    if workers == 1:
        return pretokenize.count_files(given.files, given.pattern)
    with ProcessPoolExecutor(workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_DFL)) as pool:    # Ctrl-C ends them in silence
        return pretokenize.count_files(given.files, given.pattern, pool.map)


def encode(given):
    """Print the ids of the text on one line, and on stderr what they do not give back."""
    tok, s = open_tokenizer(given.tokenizer), read(given.file)
    found = [(s.index(name), -len(name), name) for name in tok.special_tokens if name in s and given.special == "raise"]
    if found:
        at, _, name = min(found)
        raise ValueError(f"the text holds the special token {short(name)} at index {at:,}: --special text takes it as ordinary text, "
                         "--special all as its id")
    print(*tok.encode(s, allowed_special="all" if given.special == "all" else (), disallowed_special="text"))
    if lost := tok.lost(s):
        print(f"tokenlab: these ids do not give back {visible(lost[:40])}{'…' * (len(lost) > 40)}", file=sys.stderr)


def decode(given):
    """Write the text of the ids that are read, and nothing else, not even a line end."""
    tok, words = open_tokenizer(given.tokenizer), read(given.file).split()
    wrong = next((word for word in words if not word.isdecimal() or len(word) > 1000), None)
    if wrong is not None:
        raise ValueError(f"{visible(wrong)[:40]!r} is no id: decode reads whole numbers between blanks, as encode prints them")
    sys.stdout.write(tok.decode([int(word) for word in words], errors=given.errors))


def inspect(given):
    """Print what the tokenizer is, its special tokens and longest tokens, and the ids and pieces of a text if there is one."""
    tok = open_tokenizer(given.tokenizer)
    longest = sorted(tok.vocabulary.values(), key=len)[-5:]
    print(repr(tok)[1:-1])
    print("special tokens:", ", ".join(f"{visible(name)} {i}" for name, i in list(tok.special_tokens.items())[:10]) or "none")
    print("longest tokens:", *(visible(token.decode("utf-8", "replace")) for token in reversed(longest)))
    if given.text is not None:
        ids, pieces = tok.encode(given.text, disallowed_special="text"), tok.pieces(given.text, disallowed_special="text")
        print(f"{len(ids)} tokens")
        for i, piece in zip(ids, pieces, strict=True):
            print(f"{i:>8}  {visible(piece)}")


def export(given):
    """Write the tokenizer in the format of the path, and print the paths written."""
    print(*formats.save(open_tokenizer(given.tokenizer), given.out), sep="\n")


def open_tokenizer(name):
    """The tokenizer of a name or a path: a shipped name goes first, and what has no ending and is not there is a name too."""
    is_path = Path(name).suffix or Path(name).exists()
    return formats.load(name) if is_path and name not in pretrained.names() else pretrained.load(name)


def read(file):
    """The text of a file, or of stdin for "-"."""
    try:
        return (sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{'stdin' if file == '-' else short(file)} is not UTF-8: {error.reason} at byte {error.start:,}") from None


class Progress:
    """Shows on a terminal how far training is; from its first call on, Ctrl-C ends training instead of the program."""

    def __init__(self, unit):
        self.unit, self.stopped, self.shown = unit, False, None

    def __call__(self, done, total):
        if self.shown is None:
            signal.signal(signal.SIGINT, self.stop)
        before, self.shown = self.shown, 100 * done // max(total, 1)
        if self.shown != before and sys.stderr.isatty():
            print(f"\r{done:,} of {total:,} {self.unit}", end="", file=sys.stderr, flush=True)
        return not self.stopped

    def end(self):
        if self.shown is not None and sys.stderr.isatty():      # training may end early
            print(file=sys.stderr)

    def stop(self, *_):
        self.stopped = True
        signal.signal(signal.SIGINT, signal.default_int_handler)        # a second one ends the program


if __name__ == "__main__":
    sys.exit(main())
