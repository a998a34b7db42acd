"""The teachers' page says what the lessons say, and a handout is the course without its solutions."""
import importlib.util
import math
import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest

from tokenlab import bpe, pretokenize, pretrained, unigram

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "TEACHING.md").read_text(encoding="utf-8")
LESSONS = sorted((ROOT / "notebooks").glob("[01][0-9]_*.ipynb"))[1:]


def section(path):
    """The page's section on a lesson."""
    return re.search(rf"^### Lesson {int(path.name[:2])} — .*?(?=^### |\Z)", PAGE, re.MULTILINE | re.DOTALL)[0]


def board(lesson):
    """What the board of a lesson says, and the answers to its questions, computed."""
    hands = {"hand": 4, "and": 3, "sand": 2, "ant": 1}
    hand = bpe.train(hands, vocab_size=20, alphabet="characters")
    if lesson == 1:
        assert (0xDF, 0x20AC) == (ord("ß"), ord("€")) and f"{0xDF:011b}" == "00011" + "011111"
        return [f"`{0xDF:b}`", "`00011`", "`011111`", "ß".encode().hex(" ").upper(), "€".encode().hex(" ").upper()]
    if lesson == 2:
        pairs = Counter(pair for word, n in hands.items() for pair in pairwise(word) for _ in range(n))
        tokens = hand.tokenizer().vocabulary
        later = (" + ".join(tokens[id].decode() for id in merge.pair) + f" {merge.count}" for merge in hand.merges[1:])
        tied = ("·".join(token.decode() for token in bpe.train("abcbcab", vocab_size=257, tie=tie).tokenizer().tokens("abcbcab"))
                for tie in ("first-seen", "greatest-bytes"))
        return [", ".join(f"{a} + {b} {n}" for (a, b), n in pairs.most_common()), ", ".join(later), "hand·s", *tied]
    if lesson == 3:
        cats = {"cat,": 3, "cat;": 2, "cat:": 1}
        chunks = pretokenize.count_chunks([cat for cat, n in cats.items() for _ in range(n)])
        bare, fenced = (bpe.train(words, vocab_size=20, alphabet="characters", pattern=pattern)
                        for words, pattern in ((cats, "none"), (chunks, "gpt2")))
        return [f"{len(trace.merges)} merges, {trace.lengths[-1]} tokens" for trace in (bare, fenced)]
    if lesson == 4:
        merges = [(b"e", b"r"), (b"h", b"e"), (b"r", b"s"), (b"er", b"s")]
        left = bpe.leftmost_pair(b"hers", merges)
        longest = bpe.longest_match(b"hers", {a + b for a, b in merges})
        assert left == longest == [b"he", b"rs"]
        ruled = bpe.encode_chunk(b"hers", {pair: rank for rank, pair in enumerate(merges)})
        return ["·".join(token.decode() for token in tokens) for tokens in (ruled, left)]
    if lesson == 5:
        words = ["hug", "hugs", "pug", "pun", "bun"]
        pieces = ["h", "u", "g", "p", "b", "n", "s", "hu", "ug", "pu", "un", "bu", "hug", "hugs", "pug", "pun", "bun"]
        p = {piece: Fraction(sum(word.count(piece) for word in words), 32) for piece in pieces}
        ways, total = unigram.segmentations("pun", p), unigram.marginal("pun", p)
        return [*(str(chance) for _, chance in ways), str(total), ", ".join(f"{float(chance / total):.3f}" for _, chance in ways)]
    if lesson == 6:
        p = {"a": .2, "n": .2, "t": .2, "an": .4}
        ways = [way for word in ("an", "tan") for way in unigram.segmentations(word, p)]
        return [f"*{'·'.join(way)}* {chance:.3g}" for way, chance in ways] + [f"5 · ln 10 = {5 * math.log(10):.1f}"]
    if lesson == 7:
        assert b"".join(hand.tokenizer().vocabulary[id] for id in range(6)) == b"adhnst"
        return ["The ids {} and {}".format(*hand.tokenizer().encode("hands"))]
    if lesson == 8:
        t5, mistral = pretrained.load("t5"), pretrained.load("mistral_v1")
        assert [tok.decode(tok.encode("a  b")) for tok in (t5, mistral)] == ["a b", "a  b"]
        return ["".join(t5.pieces("so it is")), f"`a▁b`: it comes back as `{t5.decode(t5.encode('a▁b'))}`"]
    if lesson == 9:
        assert pretrained.load("t5").pieces("東京は日本の首都です。") == ["▁", "<unk>"]
        few, many = len(pretrained.load("gpt2").encode("It rains in May.")), len("It rains in May.")
        return [f"{few} tokens of GPT-2 or {many} characters", f"{12 * few} vectors or {12 * many}",
                f"{few * (few + 1) // 2} or {many * (many + 1) // 2}", f"1,000 rows of 64 numbers are {64_000:,}", f"untied, {128_000:,}"]
    first, second = (Counter(s.split()) for s in ("in in on", "on at"))
    begun = [bpe.train(both, vocab_size=257).merges[0].token.decode() for both in (first + second, second + first)]
    return [", ".join(f"*{word}* {n}" for word, n in (first + second).items()), "{} + {}, or {} + {}".format(*"".join(begun))]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_plan_adds_up(path):
    lesson = int(path.name[:2])
    row = re.search(rf"^\| {lesson} \| (.*) \|$", PAGE, re.MULTILINE)[1].split(" | ")
    *times, exercises, total, without = row
    in_class = re.findall(r"(\d+\.\d) \((\d+)\)", exercises)
    assert 3 + 5 + sum(map(int, times)) + sum(int(n) for _, n in in_class) == int(total)
    assert re.search(r"^(\d+) minutes\. It ends the belief", section(path), re.MULTILINE)[1] == total
    assert int(total) - sum(map(int, re.findall(r"\((\d+)\)", without))) == 45
    assert set(re.findall(r"(\d+\.\d) \((\d+)\)", without)) <= set(in_class)
    assert 2 <= len(re.findall(rf"^- {lesson}\.\d: ", section(path), re.MULTILINE)) <= 3


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_title_time_and_numbers_are_those_of_the_lesson(path):
    told = section(path)
    cells = nbformat.read(path, as_version=4).cells
    lesson = "\n".join(cell.source + "".join(str(output) for output in cell.get("outputs", [])) for cell in cells)
    heading, minutes = told.splitlines()[0], re.search(r"^(\d+) minutes\. It ends the belief", told, re.MULTILINE)[1]
    assert f"\n# {heading.removeprefix('### ')}\n" in f"\n{lesson}" and f"About {minutes} minutes" in lesson
    facts = board(int(path.name[:2]))
    assert not [fact for fact in facts if fact not in " ".join(told.split())]
    for number in re.findall(r"\d[\d.,]*\d", told):
        assert number in lesson + " ".join(facts), f"{number} stands on the teachers' page and not in {path.name}"
    assert told.count("**Ask.**") >= 2 and "**On the board.**" in told


def test_a_handout_has_everything_but_the_solutions(tmp_path):
    spec = importlib.util.spec_from_file_location("handout", ROOT / "tools" / "handout.py")
    handout = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(handout)
    handout.main(tmp_path / "class")
    for path in LESSONS:
        before, after = (nbformat.read(folder / path.name, as_version=4).cells for folder in (path.parent, tmp_path / "class"))
        assert 3 <= sum("<summary>Solution" in cell.source for cell in before) <= 5
        for old, new in zip(before, after, strict=True):
            assert "Solution" not in new.source
            kept = re.split(r"\n+<details><summary>Solution", old.source)[0]
            assert new.source == kept.split(" · [open in Binder]")[0] and "[open in" not in new.source     # there the solutions are
            assert new.get("outputs") == old.get("outputs")
            assert new.source.count("<details>") == new.source.count("</details>")
