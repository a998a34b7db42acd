"""Lesson 8: what its exercises try."""
import re
from fractions import Fraction
from math import isclose

from .. import bpe, data
from ..sentencepiece.tokenizer import BYTE_NAMES
from .checks import NASTY, Exercise, Value, short
from .limit import attempt


def escape(s):
    return s.replace("\\", "\\\\").replace("▁", "\\▁").replace(" ", "▁")


def unescape(s):
    return re.sub(r"\\(.)|▁", lambda found: found[1] or " ", s, flags=re.DOTALL)


def fallback(character, pieces, spelled=lambda character: [f"<0x{byte:02X}>" for byte in character.encode()]):
    """One character as pieces; what is passed besides makes the mistakes."""
    return [character] if character in pieces else spelled(character) if "<0x00>" in pieces else ["<unk>"]


def tempered(probabilities, alpha, power=pow, divided=True):
    """The probabilities to the power alpha, divided by their sum; what is passed besides makes the mistakes."""
    weights = [power(p, alpha) for p in probabilities]
    return [weight / (sum(weights) if divided else 1) for weight in weights]


_EXACT, _OTHER = ({" ".join(way): chance for way, chance in bpe.dropout_distribution("abab", [("a", "b"), ("ab", "ab")], Fraction(1, 2), rule)}
                  for rule in bpe.DROPOUT_RULES)


def judge_chances(chances):
    """The hint for the chances of the five ways to write abab, and the values in it."""
    if set(chances) != set(_EXACT):
        return "ways", {"ways": ", ".join(map(short, chances)) or "none"}
    total, error = attempt(lambda: float(sum(chances.values())))
    if error is not None or not isclose(total, 1, abs_tol=1e-6):
        return "sum", {"sum": "nothing, for not all are numbers" if error else f"{total:.4f}"}
    wrong, other = ([way for way in exact if not isclose(chances[way], exact[way], abs_tol=1e-6)] for exact in (_EXACT, _OTHER))
    return ("chance" if other else "sentencepiece") if wrong else "", {"way": wrong and wrong[0]}


def first_pieces(content, n, step=lambda piece: 2 + piece[1], text=bytes.decode):
    """The texts of the first pieces of a .model; what is passed besides makes the mistakes."""
    pieces, at = [], 0
    for _ in range(n):
        pieces.append(text(content[at + 4:at + 4 + content[at + 3]]))
        at += step(content[at:])
    return pieces


_PIECES = {*"aé▁ b안"}, {*map(chr, range(99, 399))}, {*"aé▁ b안", *BYTE_NAMES}
_FILES = [data.read(f"tokenizers/{name}.model")[:600] for name in ("botchan_en_unigram_1000", "botchan_en_bpe_1000", "t5_spiece")]

EXERCISES = {
    "8.1": Exercise("unescape", unescape, [(escape(s),) for s in (*NASTY, "▁", "a ▁b", "\\", "\\ ", "\\▁", " \\▁ ▁▁", "\\\\ ")], {
        "blanks": lambda s: s.replace("▁", " "),
        "chain": (lambda s: s.replace("\\▁", "▁").replace("▁", " "),
                  lambda s: s.replace("\\▁", "\0").replace("▁", " ").replace("\0", "▁").replace("\\\\", "\\"),
                  lambda s: s.replace("▁", " ").replace("\\ ", "▁").replace("\\\\", "\\"),
                  lambda s: re.sub(r"(?<!\\)▁", " ", s).replace("\\▁", "▁").replace("\\\\", "\\")),
        "kept": lambda s: re.sub(r"(?<!\\)▁", " ", s)}),
    "8.2": Exercise("fallback", fallback, [(s, pieces) for s in ("a", "é", "▁", "z", "ß", "\n", "안", "京", "🚕") for pieces in _PIECES], {
        "points": {"spelled": lambda s: [f"<0x{ord(s):02X}>"]},
        "written": ({"spelled": lambda s: [f"<0x{byte:02x}>" for byte in s.encode()]},
                    {"spelled": lambda s: [f"<0x{byte:X}>" for byte in s.encode()]}, {"spelled": lambda s: [f"<0x{s.encode().hex().upper()}>"]}),
        "always": lambda s, pieces: fallback(s, pieces - {s}),
        "never": (lambda s, pieces: fallback(s, pieces | {"<0x00>"}), lambda s, pieces: [s] if "<0x00>" not in pieces else fallback(s, pieces)),
        "unk": {"spelled": lambda s: ["<unk>"]}}, show=lambda value: short(value) if isinstance(value, str) else f"{len(value)} pieces"),
    "8.3": Exercise("tempered", tempered, [(p, alpha) for p in ([0.5, 0.25, 0.25], [0.2], [0.08, 0.01, 0.01], [1e-9, 1e-12]) for alpha in (1, 0, 0.5, 2)], {
        "divided": ({"divided": False}, lambda probabilities, alpha: [p ** alpha / sum(probabilities) for p in probabilities]),
        "times": ({"power": lambda p, a: p * a}, {"power": lambda p, a: p * a, "divided": False}),
        "before": lambda probabilities, alpha: [(p / sum(probabilities)) ** alpha for p in probabilities],
        "root": {"power": lambda p, a: p ** (1 / a)}}),
    "8.4": Value("chances", (dict, "a dict"), judge_chances, ("ways", "sum", "sentencepiece", "chance")),
    "8.5": Exercise("first_pieces", first_pieces, [(content, n) for content in _FILES for n in (3, 1, 8, 20, 0)], {
        "text": ({"text": lambda text: text}, {"text": lambda text: text.decode("latin-1")}),
        "skip": {"step": lambda piece: 4 + piece[3]}}),
}
