"""Throw nasty text, damaged files and absurd values at all that reads what people bring; what is not answered clearly is kept in build/fuzz.

    python tools/fuzz.py [TARGET ...] [--runs N | --seconds N] [--seed N]       all targets if none is named
    python tools/fuzz.py TARGET --replay build/fuzz/FILE                        one input again, with its traceback

Every input is a row of bytes: a file's content, or choices that `Draw` makes of them. A finding is an error other than a ValueError, TypeError or
OSError with words in it, lost text, or more than SECONDS or MEMORY for one input. With atheris installed (pip install atheris) the inputs are
guided by which lines of tokenlab they reach, else random. A crash or a hang of the whole process leaves its input in build/fuzz/TARGET-running.
"""
import argparse
import contextlib
import copy
import hashlib
import io
import json
import os
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from unittest import mock

from traitlets import TraitError

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
try:
    import atheris
except ImportError:
    atheris = None
with atheris.instrument_imports(include=["tokenlab"]) if atheris and "--guided" in sys.argv else contextlib.nullcontext():
    from tokenlab import __main__ as command_line
    from tokenlab import bpe, formats, pretokenize, pretrained, sentencepiece, unigram, views
    from tokenlab.course import predictions, words
    from tokenlab.pretokenize import expressions
    from tokenlab.sentencepiece import Piece

OUT, SECONDS, MEMORY = ROOT / "build" / "fuzz", 10, 1 << 30
ATOMS = [*map(chr, range(128)), *"éßıſǅÅ½²Ⅳ٣’“–…€·¡¿ĠĊ▁中日안नไ😉ﬁ", " ", "  ", "   ", "\n\n", "\r\n", "\n ", " \n a", "'\u017f", " the",
         *"\x85\xa0\xad\u1680\u2003\u2028\u3000\u200b\u200c\u200d\u200e\u202e\u2066\u2069\ufeff\ufffd\ufffe\U0010ffff\ue000\U000f0000\u0301\ufe0f\u20e3\U000e0061\u0e33",
         "e\u0301", "\u0300\u0323", "\u1100\u1161\u11a8", "👨\u200d👩\u200d👧", "❤\ufe0f",
         *"'s 'LL ’s the The ab aab 1234567 का 🇫🇷 🇫 👍🏽 שלום مرحبا <|endoftext|> <| |> <|fim_ <s> </s> <unk> <0x41> [INST] <SPECIAL_20> </w> ## <script> &lt; $x^2$ %s {}".split()]          # noqa: SIM905


class Draw:
    """Choices made of bytes; where these have ended it is always the first."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def below(self, n):
        size = 1 if n <= 256 else 4
        taken, self.at = self.data[self.at:self.at + size], self.at + size
        return int.from_bytes(taken, "little") % n

    def choice(self, options):
        return options[self.below(len(options))]

    def text(self, most=40):
        return "".join(self.choice(ATOMS) if self.below(5) else self.character() for _ in range(self.below(most + 1)))

    def character(self):
        code = self.below(0x110000 - 0x800)
        return chr(code + 0x800 * (code >= 0xD800))              # no lone surrogates

    def cuts(self, s):
        places = sorted(self.below(len(s) + 1) for _ in range(self.below(6)))
        return [s[i:j] for i, j in zip([0, *places], [*places, len(s)])]


# ---- text

@cache
def shipped(name):
    return pretrained.load(name)


def roundtrip(data):
    """Every shipped tokenizer gives every text back, or says what it lost."""
    s = Draw(data).text()
    for tok in map(shipped, pretrained.names()):
        ids = tok.encode(s, disallowed_special="text")
        back = tok.decode(ids)
        if isinstance(tok, bpe.Tokenizer):
            assert back == s, f"{tok!r} lost text: {s!r} -> {back!r}"
        else:
            lost, normal = tok.lost(s), tok.normalizer(s)
            assert back == s or lost, f"{tok!r} lost text in silence: {s!r} -> {back!r}"
            kept = normal.replace("▁", " ")
            kept = kept.lstrip(" ") if tok.normalizer.remove_extra_whitespaces else kept.removeprefix(" ") if tok.normalizer.add_dummy_prefix else kept
            assert tok.unknown_id in ids or back == kept, f"{tok!r} lost normalized text: {s!r} -> {back!r}"
        if len(data) % 8 == 0:
            spans = tok.offsets(s, disallowed_special="text")
            assert len(spans) == len(ids) and all(0 <= i <= j <= len(s) for _, (i, j) in spans), f"{tok!r} has odd offsets of {s!r}"


def stream(data):
    """A text in any cuts has the ids of the whole, its ids one by one the text, special tokens too."""
    draw = Draw(data)
    way = draw.choice([{"disallowed_special": "text"}, {"allowed_special": "all"}])
    s = draw.text()
    for tok in map(shipped, ("gpt2", "cl100k_base", "o200k_base", "tekken")):
        ids = tok.encode(s, **way)
        assert list(tok.encode_stream(cuts := draw.cuts(s), **way)) == ids, f"{tok!r} depends on the cuts {cuts!r}"
        assert "".join(tok.decode_stream(ids)) == s == tok.decode(ids), f"{tok!r} loses {s!r} in a stream"
        some = [draw.choice(ids) for _ in ids]
        assert "".join(tok.decode_stream(some, "replace")) == tok.decode(some, "replace"), f"{tok!r} decodes {some!r} otherwise in a stream"


SIGNS = [*r"ab1 .|()[]{}*+?^$\-'|||é😉", "\n", "\0", *r"""(?: (?i) (?i: (?> (?= (?! (?<= (?<! (?R) (?1) (?P<n> (?P=n) (?&n) (?(1) (?# (?r) (?s:.) (?V1) [^ [a-z] [[a-z]--[b]] [[:alpha:]]
         \p{L} \p{N}+ \P{M} \p{Lu \p{Script=Han} \s+(?!\S) \X \b \B \G \K \m \M \R \1 \g<1> \L<n> \N{BULLET} \x4 \u0041 \U00110000 {2} {1,3} {,9} {999} {99999} {e<=1} {s<2,i<2}
         *+ ++ ?+ *? (a|aa)+$ (a*)*b (?:.*){9}x gpt2 none""".split()]    # noqa: SIM905


def pattern(data):
    """A pattern of anybody's cuts any text without loss, or is refused, within its time."""
    draw = Draw(data)
    regex = "".join(draw.choice(SIGNS) for _ in range(draw.below(12)))
    regex += ")" * (regex.count("(") - regex.count(")"))
    s = draw.text() + draw.choice(["", "a" * 60, "ab " * 30, "\u0301" * 50])
    with answered():
        assert "".join(pretokenize.split(s, regex, gaps="keep")) == s, f"{regex!r} loses text of {s!r}"
    with answered():
        assert "".join(piece for piece, _ in pretokenize.explain(s, regex, 0.1)) == s, f"explain loses text of {s!r} by {regex!r}"
    with answered():
        assert sum(map(len, pretokenize.split(s, regex))) == len(s), f"{regex!r} leaves out text of {s!r} in silence"
        tok = bpe.Tokenizer({bytes([byte]): byte for byte in range(256)} | {b"ab": 256}, pattern=regex)
        assert tok.decode(tok.encode(s)) == s == "".join(tok.decode_stream(tok.encode_stream(draw.cuts(s)))), f"a tokenizer by {regex!r} loses {s!r}"


# ---- files

PROBES = ["abcab cabab <end>ab", "ab1234  can't\n\n x", "é中😉 \t▁", ""]


class Unclear(AssertionError):
    """An error whose words do not help."""


@contextlib.contextmanager
def answered(says="", most=1500):
    """What may be raised inside: an error of the house, not too long."""
    try:
        yield
    except (ValueError, TypeError, OSError) as error:
        if isinstance(error, UnicodeError) or says not in str(error) or not 15 < len(str(error)) < most or "\ufffe" in str(error):
            raise Unclear(f"{type(error).__name__} in unclear words: {error}") from error


room = tempfile.TemporaryDirectory(prefix="fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None)
folder = Path(room.name)                                        # removed with `room`


@cache
def seed_files():
    """Small real files by format, each a dict of name -> content."""
    tok = bpe.train("abcab cabab ababc bcab", vocab_size=262, pattern="gpt2").tokenizer().with_special({"<end>": 262})
    own = bpe.Tokenizer({token: i for i, token in tok.vocabulary.items()}, pattern=r"\p{N}{1,3}|[^\p{N}]+")
    units = [0] * 256                                           # a character map: A becomes xé
    units[0], units[193], units[200] = 0x80 << 10, 0x41 | 0x100 | (193 ^ 200) << 10, 0x80000000
    charsmap = struct.pack("<I256I", 1024, *units) + "xé\0".encode()
    scores = {"▁": -1.5, "a": -2.0, "b": -3.0, "ab": -2.5, "▁ab": -2.25, "c": -4.0}
    mapped = sentencepiece.Normalizer(charsmap, add_dummy_prefix=False)
    every_kind = [*sentencepiece.tokenizer.META, *(Piece(text, score) for text, score in scores.items()), Piece("<end>", 0.0, "user-defined"),
                  Piece("cab", -9.0, "unused"), *(Piece(f"<0x{byte:02X}>", 0.0, "byte") for byte in range(256))]
    models = [unigram.Tokenizer(scores), unigram.Tokenizer(scores, normalizer=mapped), sentencepiece.CharacterBPE(scores), sentencepiece.CharacterBPE(every_kind)]
    made = {"tiktoken": ("x.tiktoken", [tok]), "merges": ("x", [tok]), "tokenizer_json": ("x.json", [tok, own, *models[:2]]), "model": ("x.model", models)}
    with tempfile.TemporaryDirectory() as there:
        return {kind: [{path.relative_to(there).as_posix(): path.read_bytes() for path in formats.save(each, Path(there, name))} for each in toks]
                for kind, (name, toks) in made.items()}


def written(good):
    """Write files, a dict of name -> content, and return the path that `formats.load` takes."""
    (folder / "x").mkdir(exist_ok=True)
    for name, content in good.items():
        (folder / name).write_bytes(content)
    return folder / next(iter(good)).split("/")[0]


def removed():
    for path in folder.rglob("*"):
        if path.is_file():
            path.unlink()


def reader(kind, data):
    """A damaged file of this format is refused in words, or gives a tokenizer that works. The first byte says which seed, the second which of its files."""
    draw = Draw(data[:2])
    good = draw.choice(seed_files()[kind])
    path = written(good | {draw.choice(list(good)): data[2:]})
    try:
        with answered(f"{path} cannot be loaded: "):
            tok = formats.load(path)
            usable(tok, path)
            if len(data) % 8 == 0:
                again = formats.save(tok, path)[0]
                assert formats.load(again if kind != "merges" else path).vocabulary == tok.vocabulary, "what is saved is not what was loaded"
    finally:
        removed()


def usable(tok, path):
    """What was loaded encodes or refuses any text, and loses nothing in silence."""
    repr(tok), tok.vocabulary, tok.special_tokens
    for s in PROBES:
        try:
            ids = tok.encode(s, disallowed_special="text")
        except ValueError as error:
            if "leaves" in str(error) or "damaged" in str(error):       # text that a pattern does not cover, a character map that leads in circles
                continue
            raise
        back = tok.decode(ids, "strict" if isinstance(tok, bpe.Tokenizer) else "replace")
        assert back == s or tok.lost(s), f"{path.name} gives a tokenizer that loses {s!r} -> {back!r} in silence"
        if len(ids) < 1000:
            tok.offsets(s, disallowed_special="text"), tok.pieces(s, disallowed_special="text")


def tok_file(data):
    """A damaged .tok file is refused."""
    with answered("this is not a .tok file"):
        assert sum(map(len, pretrained.read_tok(data))) < len(data)


def words_file(data):
    """Words of a lesson that a teacher broke are refused with their place."""
    with answered("x.toml"):
        words.parse(data, "x.toml")


# ---- how files are damaged

ABSURD = [None, True, False, 0, 1, -1, 262, 2**31, 2**64, 10**30, 0.5, -1e308, float("nan"), float("inf"), "", "a", "ab", " ", "\0", "\ud800", "é" * 2000, "BPE", "Unigram", "ByteLevel", [], {}, [[]], {"": {}},
          ["a", "b"], [["a", "b"]], {"type": "ByteLevel"}, {"Regex": "(a|aa)+$"}, "(?R)", "[" * 3000, "x{9999}{9999}"]
PARTS = [b"0", b'"', b" ", b"\n", b"\r\n", b",", b"}", b"[", b"a", b"-", b"\xff", b"\0", b"null", b"1e999", b"9" * 5000, b"[" * 5000, b"IQ== 3\n", b"\xef\xbb\xbf", "Ġ ".encode(), b"\\ud800", b"\n\x00", b"\x0a\xff\xff\xff\xff\x0f",
         b"\xff" * 11, b"\x15\x00\x00\xc0\x7f", b"\x15\x00\x00\x80\x7f", b"\x18\x06", b"\x12\x02\x18\x02", b"\x12\x03\x98\x02\x01", b"\x1a\x02\x18\x00", b"[[quiz]]\n", b"'''"]


def damaged(content, draw):
    """`content` with one to four accidents."""
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        i = draw.randrange(len(content) + 1)
        j = min(len(content), i + draw.choice([1, 1, 2, 4, 10, 100, 1000]))
        kind = draw.randrange(8)
        if kind == 0:                                           # lost
            content = content[:i] + content[j:]
        elif kind == 1:                                         # twice, or many times
            content = content[:j] + content[i:j] * draw.choice([1, 1, 3, 50]) + content[j:]
        elif kind == 2:                                         # another in it
            content = content[:i] + draw.choice(PARTS) + content[i:]
        elif kind == 3:                                         # cut
            content = content[:i]
        elif kind == 4:                                         # noise
            content = content[:i] + draw.randbytes(j - i) + content[j:]
        elif kind == 5:                                         # one bit
            content = content[:i] + bytes(byte ^ 1 << draw.randrange(8) for byte in content[i:i + 1]) + content[i + 1:]
        elif kind == 6:                                         # lines in another order
            lines = content.splitlines(keepends=True)
            draw.shuffle(lines)
            content = b"".join(lines)
        else:
            content = mistyped(content, draw) if content[:1] == b"{" else content[:i] + content[i:j][::-1] + content[j:]
    return content


def mistyped(content, draw):
    """A JSON file with another value in one place of its tree, or with one that is moved."""
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        return content
    part, seen = tree, []
    while isinstance(part, (dict, list)) and part:
        key = draw.choice(list(part) if isinstance(part, dict) else range(len(part)))
        seen.append((part, key))
        part = part[key]
        if draw.random() < 0.15:
            break
    if seen:
        part, key = draw.choice(seen[-2:])
        kind = draw.randrange(4)
        if kind == 0:
            del part[key]
        elif kind == 1 and isinstance(part, list):
            part.insert(draw.randrange(len(part) + 1), copy.deepcopy(part[key]))
        elif kind == 2 and isinstance(part, dict):
            part[draw.choice(["", "a", "ab", "\ud800", "x" * 2000, "type", "Ġ", key + key])] = copy.deepcopy(part[key])
        else:
            part[key] = draw.choice(ABSURD)
    return json.dumps(tree).encode()


# ---- the command line and the widgets

def cli(data):
    """A command with any file, text and argument ends with 0, 1 or 2, and words."""
    draw, rest, text = Draw(data[:100]), data[100:], folder / "text"
    rest = draw.choice([rest, Draw(rest).text().encode(), b" ".join(b"%d" % (byte * draw.choice([1, 1, 1, 300])) for byte in rest)])
    own = str(written(draw.choice(seed_files()[draw.choice(list(seed_files()))])))
    text.write_bytes(rest)
    out = str(folder / draw.choice(["out.json", "out.tiktoken", "out.model", "out", "out.txt", "no/out.json"]))
    tokenizer = draw.choice([own, own, own, "gpt2", "botchan-bpe", str(text), "", draw.text(5)])
    file = draw.choice(["-", str(text), str(folder), "nowhere"])
    number = draw.choice(["0", "-1", "255", "256", "300", "1" * 30, "x", "1e3", "٣٠٠"])
    arguments = draw.choice([
        ["encode", tokenizer, file, "--special", draw.choice(["raise", "text", "all", "x"])], ["decode", tokenizer, file, "--errors", draw.choice(["strict", "replace"])],
        ["inspect", tokenizer, draw.text()], ["export", tokenizer, out], [draw.text(3)], ["inspect"],
        ["train", file, "--out", out, "--vocab-size", number, "--family", draw.choice(["bpe", "bpe", "unigram"]), "--special", draw.text(3),
         "--tie", draw.choice(["first-seen", "lowest-ids", "x"]), "--pattern", draw.choice(["gpt2", "none", draw.text(5), "(a|aa)+$", "("])]])
    arguments = [word.replace("\0", "") for word in arguments]                  # the system lets none through
    before, said = (sys.stdin, sys.stdout, sys.stderr), io.BytesIO()
    sys.stdin, sys.stdout, sys.stderr = (io.TextIOWrapper(stream, "utf-8") for stream in (io.BytesIO(rest), io.BytesIO(), said))
    try:
        code = command_line.main(arguments)
    except SystemExit as left:
        code = left.code
    finally:
        sys.stdout.flush(), sys.stderr.flush()
        says = said.getvalue().decode()
        sys.stdin, sys.stdout, sys.stderr = before
        removed()
    assert code in (0, 1, 2), f"{arguments} ended with {code!r}"
    assert code == 0 or "tokenlab" in says and "Traceback" not in says and len(says) < 5000, f"{arguments} ended with {code} and says {says!r}"


@cache
def explorers():
    """Every explorer of the course: name -> a function without arguments; found by looking at what tokenlab.widgets offers."""
    import inspect

    from tokenlab import corpora, widgets
    words = Counter("▁" + word for word in corpora.load("botchan")[:8_000].split())
    first = dict.fromkeys("".join(words), 1e-6) | unigram.train(words, vocab_size=150).history[1].p
    seeds = first | {word[:n]: 1e-4 for word in words for n in range(2, 9)}
    toy = {"hug": 3, "pug": 2, "bun": 1}
    history = unigram.em(toy, dict.fromkeys(["h", "u", "g", "p", "b", "n", "ug", "hug", "un"], 0.1), 5)
    cost = {piece: -float(n) for n, piece in enumerate([piece for piece in first if len(piece) > 1][:60])}
    taxi = bpe.train({"taxi": 4, "tax": 3}, vocab_size=7, pattern="none", alphabet="characters")
    needed = {"merge_curve": [{"taxi": taxi, "text": bpe.train("low lower lowest", vocab_size=262)}], "em_scrubber": [toy, history], "prune_rounds": [words, seeds],
              "prune_scatter": [words, first, {"exact": cost, "viterbi": cost}], "price_of_language": [{"cl100k_base": dict.fromkeys(["eng", "hin", "deu_1996"], 1.5)}],
              "budget": [{300: 1.5, 1000: 2.5, 32000: 4.0}], "race": [{"one": lambda: None}]}
    return {name: partial(make, *needed.get(name, [])) for name, make in inspect.getmembers(widgets, inspect.isfunction)}


NUMBERS = [0, 1, -1, 2, 10, 255, 256, 257, 300, 1000, 10**6, 2**31, -2**63, 10**30, 0.1, -0.5, 1e-9, 1e308, float("nan"), float("inf"), True, None, "", "7", [], {}]
LONG = ["", " ", "a" * 10_000, "😉" * 3_000, "\u0301" * 500, "\n" * 300, "a\ud83d", "\udc80", "1" * 5_000, "1,000", "-5", "٣", "²", "b+c a+b", "a+a aa+aa", "low 5 lower 2",
        "ab 0", "ab " + "9" * 400, "(a|aa)+$", "(", "\\", "all", "eng xx"]


@cache
def explorer(name):
    """One of them, and what its controls hold at first."""
    made = explorers()[name]()
    return made, {name: value for name, value in made.state.items() if not isinstance(value, (dict, tuple))}


def absurd(draw, control):
    """A value that the control should not have, but perhaps takes."""
    kind = type(control).__name__
    if kind in ("Text", "Textarea"):
        return draw.choice(LONG) if draw.below(3) == 0 else draw.text()
    if kind in ("Dropdown", "SelectionSlider"):
        return draw.choice([*control._options_values, "no such", None])
    if kind == "FileUpload":
        content = draw.choice([b"", b"\xff\xfe", b"ab" * 50, draw.text().encode(), bytes(99)])
        return draw.choice([({"name": draw.text(3), "content": memoryview(content), "size": len(content), "type": "", "last_modified": datetime.now(UTC)},), ()])
    if hasattr(control, "max") and draw.below(2):
        return draw.choice([control.min, control.max, (control.min + control.max) / 2, (control.min + control.max) // 2])
    return draw.choice(NUMBERS)


def widget(data):
    """No value of any control raises: the view shows it, or says in words of the house what is wrong."""
    from tokenlab.widgets import explorer as module
    name = (draw := Draw(data)).choice(sorted(explorers()))
    (shown, first), errors, done = explorer(name), [], []
    with mock.patch.object(module, "problem", lambda error: errors.append(error) or views.problem(error)):
        for _ in range(draw.below(6) + 1):
            buttons = [each for row in shown.box.children for each in getattr(row, "children", ()) if hasattr(each, "click")]
            if buttons and draw.below(6) == 0:
                before = set(threading.enumerate())
                draw.choice(buttons).click()
                for thread in set(threading.enumerate()) - before:  # training is one
                    thread.join(SECONDS)
            control = draw.choice(sorted(shown.controls))
            done.append((control, absurd(draw, shown.controls[control])))
            try:
                shown.controls[control].value = done[-1][1]
            except (TraitError, TypeError, ValueError, OverflowError) as error:
                if any("tokenlab" in frame.filename for frame in traceback.extract_tb(error.__traceback__)):      # else ipywidgets did not take it
                    raise AssertionError(f"{name} {done!r}: {type(error).__name__}: {error}") from error
            for error in errors:
                with answered(most=3000):
                    raise error
            html = shown.view.value
            assert "<script>" not in html and len(html) < 2_000_000, f"{name} {done!r}: {len(html)} characters of HTML, or a script"
            repr(shown), html.encode()                              # a lone surrogate would not reach the page
    shown.set(**first)


def guess(data):
    """Any guess of a prediction is answered."""
    draw = Draw(data)
    for s in [draw.choice(LONG), draw.text(), *map(str, [draw.choice(NUMBERS)])]:
        with answered(most=300):
            predictions.read_guess(s)


# ---- running

READERS = ["tiktoken", "merges", "tokenizer_json", "model"]
TARGETS = {"roundtrip": roundtrip, "stream": stream, "pattern": pattern, **{kind: partial(reader, kind) for kind in READERS}, "tok_file": tok_file,
           "words_file": words_file, "cli": cli, "widget": widget, "guess": guess}


@cache
def seeds(target):
    """Inputs to begin with."""
    if target in READERS:
        return [bytes([n, m]) + content for n, good in enumerate(seed_files()[target]) for m, content in enumerate(good.values())]
    if target == "tok_file":
        return [b"\x03\0\0\0\x01\x02\x01abcd"]
    if target == "words_file":
        return [words.read(f"lesson{n:02}.toml")[:3000] for n in range(1, 10)] + [b"[exercise.1]\nhint = 'Count all.'\n"]
    return [bytes(range(0, 256, 4))]


def made(target, draw):
    """One random input."""
    if target in READERS:
        seed = draw.choice(seeds(target))
        return seed[:2] + damaged(seed[2:], draw)
    if target in ("tok_file", "words_file"):
        return damaged(draw.choice(seeds(target)), draw)
    return draw.randbytes(draw.choice([8, 40, 120, 200]))


class TooSlow(BaseException):
    """Raised by the alarm, through everything."""


def limited():
    """Let this process take MEMORY more than it has now."""
    most = int(re.search(r"VmSize:\s+(\d+)", Path("/proc/self/status").read_text(encoding="utf-8"))[1]) * 1024 + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


class Hunt:
    """Runs one target on inputs, and keeps one input for each place where something went wrong."""

    def __init__(self, target, out=OUT):
        self.target, self.run, self.out, self.done, self.found, self.slowest = target, TARGETS[target], out, 0, {}, 0.0
        out.mkdir(parents=True, exist_ok=True)
        self.running = (out / f"{target}-running").open("wb", buffering=0)
        self.before = signal.signal(signal.SIGALRM, self.alarm)

    def alarm(self, *_):
        raise TooSlow(f"not done after {SECONDS} s")

    def __call__(self, data):
        self.running.seek(0)
        self.running.truncate()
        self.running.write(data)
        self.done, began = self.done + 1, time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            with mock.patch.object(expressions, "OWN_PATTERN_SECONDS", 0.1):
                self.run(data)
        except KeyboardInterrupt:
            raise
        except BaseException as error:      # noqa: BLE001 - whatever it is, it is a finding
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.keep(data, error)
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.slowest = max(self.slowest, time.monotonic() - began)

    def keep(self, data, error):
        frames = traceback.extract_tb((error.__cause__ or error).__traceback__)
        last = [frame for frame in frames if "fuzz.py" not in frame.filename] or frames
        place = f"{Path(last[-1].filename).name}:{last[-1].lineno} {type(error).__name__}"
        if place not in self.found:
            path = self.out / f"{self.target}-{hashlib.sha256(data).hexdigest()[:12]}"
            path.write_bytes(data)
            self.found[place] = path
            print(f"  {self.target}: {place}: {str(error)[:500]!r}\n    python tools/fuzz.py {self.target} --replay {path}", flush=True)

    def report(self):
        signal.signal(signal.SIGALRM, self.before)
        self.running.close()
        Path(self.running.name).unlink(missing_ok=True)
        print(f"{self.target}: {self.done:,} inputs, {len(self.found)} findings, the slowest took {self.slowest:.2f} s", flush=True)


def at_random(target, runs=None, seconds=None, seed=0, out=OUT):
    """Run a target on random inputs, so many or so long; returns its Hunt."""
    hunt, draw, end = Hunt(target, out), random.Random(f"{target} {seed}"), time.monotonic() + (seconds or float("inf"))
    while hunt.done < (runs or float("inf")) and time.monotonic() < end:
        hunt(made(target, draw))
    hunt.report()
    return hunt


def guided(target, runs, seconds, seed):
    """The same by atheris, which never returns."""
    hunt, corpus = Hunt(target), tempfile.mkdtemp(prefix=f"corpus-{target}-")
    for n, data in enumerate(seeds(target)):
        Path(corpus, f"seed{n}").write_bytes(data)

    def mutate(data, most, number):
        is_file = target in READERS or target.endswith("_file")
        return damaged(data, random.Random(number))[:most] if is_file and number % 2 else atheris.Mutate(data, most)

    def one(data):
        hunt(data)
        if hunt.done == runs or time.monotonic() > end:
            hunt.report()
            os._exit(bool(hunt.found))

    end = time.monotonic() + (seconds or float("inf"))
    atheris.Setup([sys.argv[0], "-max_len=20000", f"-seed={seed + 1}", "-rss_limit_mb=0", "-verbosity=0", corpus], one, custom_mutator=mutate)
    atheris.Fuzz()


def main():
    ask = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    ask.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    ask.add_argument("--runs", type=int)
    ask.add_argument("--seconds", type=int)
    ask.add_argument("--seed", type=int, default=0)
    ask.add_argument("--random", action="store_true", help="not guided, even if atheris is there")
    ask.add_argument("--guided", action="store_true", help=argparse.SUPPRESS)
    ask.add_argument("--replay", type=Path)
    given = ask.parse_args()
    targets = given.targets or list(TARGETS)
    if unknown := set(targets) - set(TARGETS):
        ask.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    if given.replay:
        return TARGETS[targets[0]](given.replay.read_bytes())
    if not given.runs and not given.seconds:
        given.seconds = 60
    if len(targets) == 1 and (given.guided or given.random or not atheris):
        for data in seeds(targets[0]):
            Hunt(targets[0])(data)                              # loads all there is to load
        limited()
        hunt = (guided if given.guided else at_random)(targets[0], given.runs, given.seconds, given.seed)
        return bool(hunt.found)
    limits = [f"--{name}={value}" for name, value in vars(given).items() if name in ("runs", "seconds", "seed") and value is not None]
    how = "--random" if given.random or not atheris else "--guided"
    print(f"{'random' if how == '--random' else 'guided by atheris'}, seed {given.seed}", flush=True)
    return max(subprocess.run([sys.executable, __file__, target, how, *limits], check=False).returncode for target in targets)


if __name__ == "__main__":
    sys.exit(main())
