"""Nobody gets in: a packed file cannot fill the memory, and no text makes a special token. tests/browser/test_hostile.py has the page."""
import hashlib
import lzma
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlab import bpe, data, formats, pretrained, unigram

NAMES = {"<|end|>": 900, "<|end|><|end|>": 901, "lower and": 902, "안": 903}


@pytest.fixture(scope="module")
def tokenizers(tmp_path_factory):
    """Every kind: shipped, trained here, and read from each format that holds special tokens."""
    made = {name: pretrained.load(name) for name in pretrained.names()}
    own = bpe.train("low lower lowest", vocab_size=262).tokenizer().with_special(NAMES)
    made |= {"trained": own, "WordPiece": bpe.train_wordpiece("low lower lowest", vocab_size=12).tokenizer(),
             "unigram": unigram.train("low lower lowest", vocab_size=16).tokenizer()}
    folder = tmp_path_factory.mktemp("formats")
    for name, file in (("trained", "own.json"), ("unigram", "own.model"), ("unigram", "u.json")):
        formats.save(made[name], folder / file)
        made[file] = formats.load(folder / file)
    return made


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_no_text_makes_a_special_token(tokenizers, data):
    """<unk> may come, but for what a model cannot spell, not for its name."""
    for name, tok in tokenizers.items():
        special = tok.special_tokens
        words = st.sampled_from([*list(special)[:5], "low", " ", "<", "</s>", "<unk>", "e\u0301", "안"])
        s = data.draw(st.lists(words | st.text(max_size=3), max_size=6).map("".join))
        found = set(tok.encode(s, disallowed_special="text"))
        assert not found & {i for each, i in special.items() if each not in ("<unk>", "[UNK]")}, name
        if any(each in s for each in special):
            with pytest.raises(ValueError, match="special token"):
                tok.encode(s)


def test_a_packed_file_cannot_fill_the_memory(tmp_path, monkeypatch):
    content = b"low lower lowest"
    entry = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    monkeypatch.setattr(data, "manifest", lambda: dict.fromkeys(("good", "bomb", "cut"), entry))
    monkeypatch.setattr(data, "_HERE", tmp_path)
    packed = lzma.compress(content)
    for name, written in (("good", packed), ("bomb", lzma.compress(bytes(30_000_000), preset=1)), ("cut", packed[:40])):
        (tmp_path / f"{name}.xz").write_bytes(written)
    assert data.read("good") == content
    tracemalloc.start()
    for name in ("bomb", "cut"):
        with pytest.raises(ValueError, match="damaged"):
            data.read(name)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000                     # xz's own window is 8 MB
