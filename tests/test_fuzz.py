"""A short run of tools/fuzz.py, and what it would find."""
import random

import pytest

from tokenlab import bpe

pytest.importorskip("resource", reason="the fuzzer bounds memory as Linux and macOS do")
from tools import fuzz

RUNS = {"roundtrip": 150, "stream": 200, "pattern": 100, "tiktoken": 300, "merges": 300, "tokenizer_json": 300, "model": 300, "tok_file": 500,
        "words_file": 300, "cli": 100, "widget": 40, "guess": 500}


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_a_short_run_finds_nothing(target, tmp_path):
    hunt = fuzz.at_random(target, RUNS[target], out=tmp_path)
    assert (hunt.done, hunt.found, list(tmp_path.iterdir())) == (RUNS[target], {}, [])


def careless(data):
    return {}[data]


def slow(data):
    while True:
        pass


def wordless(data):
    with fuzz.answered():
        data.decode()


@pytest.mark.parametrize("target, place", [(careless, "KeyError"), (slow, "TooSlow"), (wordless, "Unclear")])
def test_what_is_no_clear_answer_is_kept_once(target, place, tmp_path, monkeypatch):
    monkeypatch.setitem(fuzz.TARGETS, "planted", target)
    monkeypatch.setattr(fuzz, "SECONDS", 0.05)
    hunt = fuzz.Hunt("planted", tmp_path)
    for data in (b"\xff", b"\xfe"):
        hunt(data)
    hunt.report()
    (found, path), = hunt.found.items()
    assert found.endswith(place) and path.read_bytes() == b"\xff" and list(tmp_path.iterdir()) == [path]


def test_lost_text_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(bpe.Tokenizer, "decode", lambda tok, ids, errors="strict": "")
    assert fuzz.at_random("roundtrip", 5, out=tmp_path).found


def test_nasty_text_is_text_of_many_kinds():
    s = "".join(fuzz.Draw(fuzz.made("roundtrip", random.Random(n))).text() for n in range(300))
    assert len(set(s)) > 500 and set("a \0é中😉\u0301\u200d\u202e\u3000\ufeff\ue000") < set(s) and "<|endoftext|>" in s and s.encode()


def test_a_target_that_is_none_is_refused_with_those_there_are(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["fuzz.py", "nope"])
    with pytest.raises(SystemExit):
        fuzz.main()
    assert "unknown: nope; there are roundtrip, stream" in capsys.readouterr().err
