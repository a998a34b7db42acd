"""Files that we write give the same ids in tiktoken, tokenizers and transformers; theirs give the same ids here, or are refused."""
import base64
import copy
import hashlib
import json
import os
import random
from functools import cache
from pathlib import Path

import pytest
import tiktoken
import tiktoken_ext.openai_public as official
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tiktoken.load import load_tiktoken_bpe
from tokenizers import pre_tokenizers

from tokenlab import bpe, corpora, data, formats, pretokenize, pretrained
from tokenlab.formats.shared import MOST_BYTES, MOST_IN_ALL, MOST_IN_TOKEN, MOST_VALUES, printable_bytes

os.environ["HF_HUB_OFFLINE"] = "1"                             # transformers reads both when it is imported
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
from transformers import AutoTokenizer, GPT2Tokenizer, PreTrainedTokenizerFast

SPECIALS = {"<|endoftext|>": 600, "<|user|>": 602, "<|user|><|end|>": 603}         # 601 is a gap
TRAINED = [("gpt2", "first-seen"), ("gpt2", "gpt2-order"), ("cl100k_base", "lowest-ids"), ("o200k_base", "greatest-bytes"),
           ("llama3", "first-seen"), ("qwen2", "lowest-ids"), ("tekken", "gpt2-order"), ("whitespace", "lowest-ids"),
           ("none", "first-seen"), (r" ?\p{L}++|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s", "lowest-ids")]
IN_JSON = [pytest.param(*how, id="-".join(how)[:30]) for how in TRAINED]
GPT2, WHOLE = TRAINED[:2], TRAINED[1]
NASTY = ["a", "B", "the", "The ", " ", "  ", "\t", "\n", "\r\n", "'", "'s", "'LL", "’", "'\u017f", "1", "12", "1234567", "½", "٣", ".", "...", "//", "_",
         "é", "e\u0301", "İ", "ſ", "ǅ", "中", "日本", "नमस्ते", "ไทย", "😉", "👨\u200d👩\u200d👧", "\u200d", "\ufeff", "\u0085", "\u00a0", "\u3000", "\x1c", "\x1f", "\0",
         "<|endoftext|>", "<|user|>", "<|end|>", "<|", "camelCase", "HTMLParser", "\n\n\n", "Ġ", "Ċ"]


@cache
def trained(pattern, tie):
    return bpe.train(corpora.load("botchan")[:30_000], vocab_size=600, pattern=pattern, tie=tie).tokenizer().with_special(SPECIALS)


@cache
def texts(everything=True):
    """All bundled texts, those of the languages and the emoji in one each; if not everything, without the long English ones."""
    return [*map(corpora.load, corpora.names() if everything else ["python", "numbers"]), "\n".join(row["text"] for row in corpora.udhr_article1()),
            " ".join(row["emoji"] for row in corpora.emoji()), "", "x", "<|user|><|end|> <|user|>a<|endoftext|>"]


@cache
def ids(pattern, tie):
    """Our ids of the texts, of everything for one tokenizer."""
    return [trained(pattern, tie).encode(s, allowed_special="all") for s in texts((pattern, tie) == WHOLE)]


def same(tok, other):
    return (tok.vocabulary, tok.special_tokens, tok.pattern, tok.merges) == (
        other.vocabulary, other.special_tokens, other.pattern, other.merges)


# ---- our files, in the other libraries

@pytest.mark.parametrize("pattern, tie", IN_JSON)
def test_tokenizer_json_gives_tokenizers_and_transformers_our_ids(pattern, tie, tmp_path):
    tok, path = trained(pattern, tie), tmp_path / "tokenizer.json"
    assert formats.save(tok, path) == [path]
    assert same(formats.load(path), tok)
    theirs = tokenizers.Tokenizer.from_file(str(path))
    assert [encoding.ids for encoding in theirs.encode_batch(texts((pattern, tie) == WHOLE))] == ids(pattern, tie)
    some = -9 if (pattern, tie) == WHOLE else -6
    if some == -9 or pattern not in pretokenize.PATTERNS:       # transformers stands on tokenizers: two of them will do
        for read in PreTrainedTokenizerFast(tokenizer_file=str(path)), AutoTokenizer.from_pretrained(tmp_path):
            assert [read.encode(s) for s in texts()[some:]] == ids(pattern, tie)[some:]
            assert read.decode(ids(pattern, tie)[-5]) == texts()[-5] == tok.decode(ids(pattern, tie)[-5])


@given(st.sampled_from(TRAINED), st.lists(st.sampled_from(NASTY), max_size=20).map("".join))
@settings(max_examples=300)
def test_any_text_has_the_same_ids_in_tokenizers(how, s):
    assert in_tokenizers(*how).encode(s).ids == trained(*how).encode(s, allowed_special="all")


@cache
def in_tokenizers(*how):
    (content,) = formats.tokenizer_json.write(trained(*how), Path("x.json")).values()
    return tokenizers.Tokenizer.from_str(content.decode())


@pytest.mark.parametrize("pattern, tie", IN_JSON)
def test_rank_files_give_tiktoken_our_ids(pattern, tie, tmp_path):
    tok, path = trained(pattern, tie), tmp_path / "toy.tiktoken"
    assert formats.save(tok, str(path)) == [path, tmp_path / "toy.tiktoken.json"]
    beside = json.loads((tmp_path / "toy.tiktoken.json").read_text(encoding="utf-8"))
    assert beside == {"pattern": pattern, "special_tokens": SPECIALS, "tokens": 600}
    expression = {"none": "(?s:.+)", "whitespace": r"[\s\x1c-\x1f]+|[^\s\x1c-\x1f]+"}.get(pattern) or pretokenize.PATTERNS.get(pattern, pattern)
    theirs = tiktoken.Encoding("toy", pat_str=expression, mergeable_ranks=load_tiktoken_bpe(str(path)), special_tokens=SPECIALS)
    assert [theirs.encode(s, allowed_special="all") for s in texts((pattern, tie) == WHOLE)] == ids(pattern, tie)
    for tok in formats.load(path), formats.load(path, pattern, SPECIALS):
        assert same(tok, trained(pattern, tie)) and tok.name == "toy"
        assert [tok.encode(s, allowed_special="all") for s in texts()[-6:]] == ids(pattern, tie)[-6:]


@pytest.mark.parametrize("pattern, tie", GPT2)
def test_the_two_files_of_gpt2_give_tokenizers_and_transformers_our_ids(pattern, tie, tmp_path):
    tok, path = trained(pattern, tie), tmp_path / "toy"
    names = ["vocab.json", "merges.txt", "tokenizer_config.json", "tokenlab.json"]
    assert formats.save(tok, path) == [path / name for name in names] == formats.save(tok, path)
    assert same(formats.load(path), tok) and same(formats.load(path, "gpt2", SPECIALS), tok)
    theirs = tokenizers.ByteLevelBPETokenizer(str(path / "vocab.json"), str(path / "merges.txt"))
    assert [encoding.ids for encoding in theirs.encode_batch(texts((pattern, tie) == WHOLE)[:-1])] == ids(pattern, tie)[:-1]
    vocab = json.loads((path / "vocab.json").read_text(encoding="utf-8"))
    merges = [tuple(line.split(" ")) for line in (path / "merges.txt").read_text(encoding="utf-8").splitlines()[1:]]
    some = slice(-9 if (pattern, tie) == WHOLE else -6, -1)
    for read in GPT2Tokenizer(vocab=vocab, merges=merges), AutoTokenizer.from_pretrained(path):
        assert [read.encode(s) for s in texts()[some]] == ids(pattern, tie)[some]
    assert read.encode(texts()[-1]) == ids(pattern, tie)[-1], "its configuration names the special tokens"


def test_transformers_does_not_read_other_patterns_as_gpt2s(tmp_path):
    formats.save(trained(*GPT2[0]), tmp_path)
    formats.save(trained("llama3", "first-seen"), tmp_path)
    with pytest.raises(ValueError, match="instantiate"):
        AutoTokenizer.from_pretrained(tmp_path)
    formats.save(trained("llama3", "first-seen"), tmp_path / "tokenizer.json")
    assert AutoTokenizer.from_pretrained(tmp_path).encode("1234 x") == trained("llama3", "first-seen").encode("1234 x")


@pytest.mark.parametrize("name", ["gpt2", "o200k_base"])        # the patterns of the others are among those of TRAINED
def test_real_tokenizers_as_tokenizer_json(name, tmp_path):
    tok, path = pretrained.load(name), tmp_path / "tokenizer.json"
    formats.save(tok, path)
    theirs = tokenizers.Tokenizer.from_file(str(path))
    ours = [tok.encode(s, allowed_special="all") for s in texts(False)]
    assert [encoding.ids for encoding in theirs.encode_batch(texts(False))] == ours
    if name == "gpt2":                                                          # one of each is enough: it takes seconds
        assert same(formats.load(path), tok)
        assert [PreTrainedTokenizerFast(tokenizer_file=str(path)).encode(s) for s in texts(False)[-6:]] == ours[-6:]


# ---- real files

def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_rank_files_of_openai(name, tmp_path):
    path = tmp_path / "real.tiktoken"
    formats.save(pretrained.load(name), path)
    assert digest(path) == data.manifest()[f"tokenizers/{name}.tok"]["sha256_of_original"]
    assert digest(path) in Path(official.__file__).read_text(encoding="utf-8"), "the hash that tiktoken expects"
    (tmp_path / "real.tiktoken.json").unlink()
    tok = formats.load(path, pattern=name)
    assert tok.vocabulary == pretrained.load(name).vocabulary and not tok.special_tokens
    assert tok.encode(texts()[2]) == pretrained.load(name).encode(texts()[2])


def test_files_of_gpt2(tmp_path):
    tok = pretrained.load("gpt2")
    formats.save(tok, tmp_path)
    vocab = json.loads((tmp_path / "vocab.json").read_text(encoding="utf-8"))
    (tmp_path / "vocab.json").write_text(json.dumps(vocab), encoding="utf-8")    # as GPT-2's was written
    hashes = Path(official.__file__).read_text(encoding="utf-8")
    assert digest(tmp_path / "vocab.json") in hashes and digest(tmp_path / "merges.txt") in hashes
    (tmp_path / "tokenlab.json").unlink()
    with pytest.raises(ValueError, match="pass pattern= "):
        formats.load(tmp_path)
    with pytest.raises(ValueError, match=r"no merge makes 1 .* pass special_tokens=\{'<\|endoftext\|>': 50256\}"):
        formats.load(tmp_path, "gpt2")
    assert same(formats.load(tmp_path, "gpt2", {"<|endoftext|>": 50256}), tok), "50,000 merges recovered, and equal to the file's"


@pytest.mark.parametrize("specials", [[], ["<s>", "<|endoftext|>", "<ab>"]], ids=["plain", "specials"])
def test_files_that_tokenizers_trained(specials, tmp_path):
    theirs = tokenizers.ByteLevelBPETokenizer()
    theirs.train_from_iterator([texts()[1][:60_000]], vocab_size=900, special_tokens=specials, show_progress=False)
    theirs.save(str(tmp_path / "whole.json"))
    theirs.save_model(str(tmp_path))
    whole = formats.load(tmp_path / "whole.json")
    assert list(whole.special_tokens.items()) == [(name, i) for i, name in enumerate(specials)] and whole.pattern == "gpt2"
    assert min(whole.vocabulary) == len(specials) and len(whole) == 900
    two = formats.load(tmp_path, pattern="gpt2", special_tokens=dict(whole.special_tokens))
    assert same(whole, two)
    assert [encoding.ids for encoding in theirs.encode_batch(texts(False))] == [two.encode(s, allowed_special="all") for s in texts(False)]
    formats.save(whole, tmp_path / "again.json")
    assert tokenizers.Tokenizer.from_file(str(tmp_path / "again.json")).get_vocab() == theirs.get_vocab()


# ---- what tokenizer.json may ask for

BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
ADDED = {"id": 256, "content": "<end>", "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}


def toy_json(**changes):
    """A tokenizer.json of 256 bytes, three merges and one special token; changes: path of keys, joined by _ and _ -> value."""
    table = printable_bytes()
    vocab = {table[byte]: byte for byte in range(256)} | {"<end>": 256, "ab": 257, "cab": 258, "abcab": 259}
    content = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [dict(ADDED)], "normalizer": None,
               "pre_tokenizer": dict(BYTE_LEVEL), "post_processor": None, "decoder": dict(BYTE_LEVEL),
               "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None, "end_of_word_suffix": None,
                         "fuse_unk": False, "byte_fallback": False, "ignore_merges": False, "vocab": vocab,
                         "merges": [["a", "b"], ["c", "ab"], ["ab", "cab"]]}}
    for key, value in changes.items():
        part = content
        *way, last = key.split("__")
        for step in way:
            part = part[step]
        part[last] = value
    return content


def load_json(content, path):
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return formats.load(path)


def sequence(regex, **changes):
    split = {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False} | changes
    return {"type": "Sequence", "pretokenizers": [split, BYTE_LEVEL | {"use_regex": False}]}


PROBES = ["abcab cabab <end>ab", "ab1234 <end><end> can't  \n\n x", "aabbcc日本 😉", ""]
TOKENS = [{"pre_tokenizer": BYTE_LEVEL | {"use_regex": False}}, {"pre_tokenizer": {key: BYTE_LEVEL[key] for key in list(BYTE_LEVEL)[:3]}},
          {"pre_tokenizer": sequence(r"\p{N}{1,3}|[^\p{N}]+")}, {"pre_tokenizer": sequence(r"\p{N}{1,3}|[^\p{N}]+", behavior="Removed", invert=True)},
          {"pre_tokenizer": sequence(pretokenize.PATTERNS["gpt2"])}, {"pre_tokenizer": sequence(pretokenize.PATTERNS["llama3"])},
          {"model__merges": ["a b", "c ab", "ab cab"]}, {"model__ignore_merges": True}, {"model__continuing_subword_prefix": "", "model__end_of_word_suffix": ""},
          {"post_processor": BYTE_LEVEL}, {"decoder": None}, {"added_tokens": []}, {"model__dropout": 0.0},
          {"added_tokens": [ADDED | {"normalized": True}]}, {"model__fuse_unk": True},
          {"added_tokens": [ADDED, ADDED | {"content": "ab<", "id": 260}, ADDED | {"content": "xy", "id": 261}]}]


@pytest.mark.parametrize("changes", TOKENS, ids=lambda changes: str(changes)[:60])
def test_what_tokenizers_may_write_and_we_can_do(changes, tmp_path):
    content = toy_json(**changes)
    if not content["added_tokens"]:
        del content["model"]["vocab"]["<end>"]
    tok, theirs = load_json(content, tmp_path / "x.json"), tokenizers.Tokenizer.from_str(json.dumps(content))
    for s in PROBES:
        assert tok.encode(s, allowed_special="all") == theirs.encode(s).ids
    formats.save(tok, tmp_path / "y.json")
    assert same(formats.load(tmp_path / "y.json"), tok)


REFUSED = [
    ({"normalizer": {"type": "NFC"}}, "normalizer"), ({"truncation": {"max_length": 3}}, "truncation"), ({"padding": {"x": 1}}, "padding"),
    ({"pre_tokenizer": None}, "pre_tokenizer"), ({"pre_tokenizer": {"type": "Whitespace"}}, "Whitespace"),
    ({"pre_tokenizer": BYTE_LEVEL | {"add_prefix_space": True}}, "add_prefix_space"),
    ({"pre_tokenizer": sequence("ab", behavior="MergedWithNext")}, "MergedWithNext"), ({"pre_tokenizer": sequence("a", invert=True)}, "invert"),
    ({"pre_tokenizer": sequence("a", pattern={"String": "a"})}, "String"), ({"pre_tokenizer": sequence(pretokenize.PATTERNS["cl100k_base"])}, "Oniguruma"),
    ({"pre_tokenizer": sequence(r"\w+|\W+")}, "Oniguruma"), ({"pre_tokenizer": sequence("whitespace")}, "Oniguruma"), ({"pre_tokenizer": sequence("a*|b")}, "Oniguruma"),
    ({"post_processor": {"type": "TemplateProcessing"}}, "TemplateProcessing"), ({"decoder": {"type": "WordPiece"}}, "WordPiece"), ({"decoder": 3}, "part 3"),
    ({"model__type": "Unigram"}, "Unigram"), ({"model__dropout": 0.1}, "dropout"), ({"model__dropout": float("nan")}, "dropout"),
    ({"model__unk_token": "<unk>"}, "unk_token"), ({"model__continuing_subword_prefix": "##"}, "continuing_subword_prefix"),
    ({"model__end_of_word_suffix": "</w>"}, "end_of_word_suffix"), ({"model__byte_fallback": True}, "byte_fallback"),
    ({"added_tokens": [ADDED | {"special": False}]}, "special"), ({"added_tokens": [ADDED | {"lstrip": True}]}, "blanks"),
    ({"added_tokens": [ADDED | {"rstrip": True}]}, "blanks"), ({"added_tokens": [ADDED | {"single_word": True}]}, "added token"),
    ({"added_tokens": [ADDED | {"id": 300}]}, "id"), ({"added_tokens": [ADDED, ADDED]}, "added token"), ({"added_tokens": {}, "model__vocab__<end>": 256}, "no merge makes 1"),
    ({"added_tokens": [ADDED, ADDED | {"content": "xy", "id": 260, "normalized": True}]}, "normalized"), ({"added_tokens": [ADDED, ADDED | {"content": "xy", "id": 270}]}, "next"), ({"added_tokens": [ADDED, ADDED | {"content": "x", "id": 260}]}, "the id that the vocabulary gives it"),
    ({"added_tokens": [ADDED, ADDED | {"content": "ab", "id": 257}]}, "no merge makes the token b'cab'"), ({"added_tokens": "x"}, "added_tokens"), ({"added_tokens": [3]}, "added token 3"),
    ({"added_tokens": [ADDED | {"content": ""}]}, "added token|no merge"), ({"added_tokens": [ADDED, ADDED | {"content": "\ud800", "id": 260}]}, "surrogate"),
    ({"model__vocab__ab": 300}, "no merge makes the token b'cab'"), ({"model__vocab__ab": 258}, "id of its own"), ({"model__vocab__ab": "257"}, "unlike"),
    ({"model__vocab__ab": -1}, "from 0 up"), ({"model__vocab__ab": True}, "unlike"), ({"model__vocab__ab": 257.0}, "unlike"), ({"model__vocab__abcab": 10**12}, "ids above"),
    ({"model__vocab__": 300}, "empty"), ({"model__vocab__日": 300}, "stand-ins"), ({"model__vocab__bc": 300}, "no merge makes 1 .*'bc': 300"), ({"model__vocab": []}, "vocab"),
    ({"model__merges": [["a", "b"], ["c", "ab"]]}, "no merge makes 1"), ({"model__merges": [["c", "ab"], ["a", "b"], ["ab", "cab"]]}, "merge 1 .*in the order of the ids"),
    ({"model__merges": [["a", "b"], ["ca", "b"], ["ab", "cab"]]}, "merge 2"), ({"model__merges": [["a", "b"], ["c", "ab"], ["abc", "ab"]]}, "merge 3"),
    ({"model__merges": [["a", "b"], ["c", "ab"], ["ab", "cab"], ["abc", "ab"]]}, "merge 4 .*None"), ({"model__merges": [["a", "b"], ["c", "ab"], ["ab", "cab"], ["x", "y"]]}, "merge 4"),
    ({"model__merges": ["a b", "c ab", "ab cab x"]}, "not two tokens"), ({"model__merges": ["a b", "c ab", 3]}, "not two tokens"), ({"model__merges": [["a", "b"], ["c", 3]]}, "stand-ins"),
    ({"model__merges": {"a": "b"}}, "merges"), ({"model": None}, "model"), ({"model__vocab": {"a": 0}, "model__merges": [], "added_tokens": []}, "lacks 255 of the symbols"),
]


@pytest.mark.parametrize("changes, says", REFUSED, ids=lambda value: str(value)[:50])
def test_what_would_differ_is_refused_by_name(changes, says, tmp_path):
    with pytest.raises(ValueError, match=r"x\.json cannot be loaded: .*" + says.replace("(", r"\(")):
        load_json(toy_json(**changes), tmp_path / "x.json")


def test_a_tokenizer_json_takes_no_arguments(tmp_path):
    assert load_json(toy_json(), tmp_path / "x.json").tokens("abcab") == [b"abcab"]
    for arguments in {"pattern": "gpt2"}, {"special_tokens": {}}:
        with pytest.raises(ValueError, match="leave pattern and special_tokens out"):
            formats.load(tmp_path / "x.json", **arguments)


def test_expressions_that_both_engines_read_alike():
    """Random expressions of what a tokenizer.json may hold: regex and Oniguruma cut random texts in the same places."""
    draw = random.Random(0)
    parts = ["a", "b", "1", " ", "\n", "'", "-", "é", r"\s", r"\S", r"\p{L}", r"\p{N}", r"\P{L}", r"\p{Lu}", r"\p{M}", "[a-z]", r"[^\s\p{L}]", r"\.", ".", r"[\p{L}'-]", "ß", "#", r"\s+(?!\S)"]
    counts = ["", "", "", "?", "*", "+", "??", "*?", "+?", "?+", "*+", "++", "{2}", "{1,2}", "{2,}"]
    atoms = ["a", "b", "A", "1", " ", "\n", "'", "-", "é", "\x1c", "\x85", "e\u0301", "ß", "ss", "\r\n", ".", "#", "ab", "½", "😉", "$", "\u2028"]

    def expression(depth=0):
        pieces = []
        for _ in range(draw.randint(1, 3)):
            group = depth < 1 and draw.random() < 0.2
            pieces.append((draw.choice(["(?:", "(", "(?>"]) + expression(depth + 1) + ")" if group else draw.choice(parts)) + draw.choice(counts))
            pieces.append(draw.choice(["", "", "|"]))
        return "".join(pieces[:-1])

    compared = 0
    while compared < 60:
        try:
            pattern = formats.tokenizer_json._alike(expression())
            pretokenize.split("", pattern)
        except ValueError:
            continue
        theirs = pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated")
        s = "".join(draw.choices(atoms, k=12))
        pieces = pretokenize.split(s, pattern, gaps="keep")
        assert "".join(pieces) == s
        try:
            assert pretokenize.split(s, pattern) == [piece for piece, _ in theirs.pre_tokenize_str(s)], pattern
            compared += 1
        except ValueError:                                      # a text that the pattern leaves out has no ids here
            pass


# ---- what a format cannot hold

def test_a_pattern_that_oniguruma_may_read_otherwise_is_refused(tmp_path):
    for pattern in "words", r"\w+|\W+", r"(?i:a)|[^a]+", r"\d{1,3}+|\D", r"^.|(?s:.)", r"\s*|\S+", r"a(?=b)|(?s:.)", r"\p{Lu}{2}+|.", r"[a&&b]|.":
        tok = bpe.Tokenizer({bytes([byte]): byte for byte in range(256)}, pattern=pattern)
        with pytest.raises(ValueError, match="may cut otherwise in tokenizers.*tiktoken takes any pattern"):
            formats.save(tok, tmp_path / "x.json")
        formats.save(tok, tmp_path / "x.tiktoken")
        assert formats.load(tmp_path / "x.tiktoken").pattern == pattern
    assert sorted(os.listdir(tmp_path)) == ["x.tiktoken", "x.tiktoken.json"]


@pytest.mark.parametrize("tok", [
    bpe.train({"low": 2}, vocab_size=4, alphabet="characters").tokenizer(), bpe.WordPiece(["[UNK]"]), None, "gpt2"], ids=repr)
@pytest.mark.parametrize("name", ["x.json", "x.tiktoken", "x"])
def test_what_is_no_byte_level_bpe_is_refused(tok, name, tmp_path):
    with pytest.raises(ValueError, match="byte-level BPE"):
        formats.save(tok, tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_tokens_that_no_merge_makes_fit_into_rank_files_only(tmp_path):
    ids = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256, b"xyz": 257}
    for whole_chunk_first in True, False:
        tok = bpe.Tokenizer(ids, pattern="gpt2", whole_chunk_first=whole_chunk_first)
        for name in ["x.json", "x", "x.tiktoken"][:2 + (not whole_chunk_first)]:        # tiktoken always looks for whole chunks
            with pytest.raises(ValueError, match="no merge makes the token b'xyz'"):
                formats.save(tok, tmp_path / name)
        assert os.listdir(tmp_path) == []
    tok = bpe.Tokenizer(ids, pattern="gpt2", whole_chunk_first=True)
    formats.save(tok, tmp_path / "x.tiktoken")
    theirs = tiktoken.Encoding("x", pat_str=pretokenize.PATTERNS["gpt2"], mergeable_ranks=ids, special_tokens={})
    assert formats.load(tmp_path / "x.tiktoken").encode("xyz xyz ab") == tok.encode("xyz xyz ab") == theirs.encode("xyz xyz ab")


def test_a_special_token_that_is_written_as_another_token_is_refused(tmp_path):
    tok = bpe.train("a the the", vocab_size=259).tokenizer()
    assert b" the" in tok.vocabulary.values()
    for special in "Ġthe", "Ā":
        for name in "x.json", "x":
            with pytest.raises(ValueError, match="in one way: use .tiktoken"):
                formats.save(tok.with_special({special: 300}), tmp_path / name)
        formats.save(tok.with_special({special: 300}), tmp_path / "x.tiktoken")
        assert formats.load(tmp_path / "x.tiktoken").encode(f"a{special} the", allowed_special="all") == [97, 300, 258]
    assert not (tmp_path / "x").exists()


# ---- paths, and what is not there

def test_paths_without_a_format_are_refused(tmp_path):
    tok = trained(*GPT2[0])
    for name in "x.txt", "x.model2", "my.tokens":
        for act in lambda path: formats.save(tok, path), formats.load:
            with pytest.raises(ValueError, match=r"no format has the ending .*name\.tiktoken, name\.json.*directory"):
                act(tmp_path / name)
    for act in lambda path: formats.save(tok, path), formats.load:
        with pytest.raises(ValueError, match="the path is empty"):
            act("")
    (tmp_path / "my.tokens").mkdir()
    formats.save(tok, tmp_path / "my.tokens")
    assert same(formats.load(tmp_path / "my.tokens"), tok)


@pytest.mark.parametrize("name", ["vocab.json", "merges.txt"])
def test_one_of_two_files_is_no_path(name, tmp_path):
    for act in lambda path: formats.save(trained(*GPT2[0]), path), formats.load:
        with pytest.raises(ValueError, match=rf"'{name}' is one of two files: vocab.json \+ merges.txt are .* by giving their directory, '.*{tmp_path.name}'"):
            act(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_dry_run_says_what_would_go_wrong_and_writes_nothing(tmp_path):
    for name in "x.json", "x.tiktoken", "x":
        assert formats.save(trained(*GPT2[0]), tmp_path / name, dry_run=True)
        with pytest.raises(FileNotFoundError, match="none[/'](?!.*tokenlab-)"):
            formats.save(trained(*GPT2[0]), tmp_path / "none" / name, dry_run=True)
    assert not list(tmp_path.iterdir())


def test_what_is_not_there_is_said_as_python_says_it(tmp_path):
    tok = trained(*GPT2[0])
    for name in "x.json", "x.tiktoken", "x":
        with pytest.raises(FileNotFoundError, match="x"):
            formats.load(tmp_path / name)
        with pytest.raises(FileNotFoundError):
            formats.save(tok, tmp_path / "none" / name)
    for missing in "vocab.json", "merges.txt":
        formats.save(tok, tmp_path / "two")
        (tmp_path / "two" / missing).unlink()
        with pytest.raises(FileNotFoundError, match=missing):
            formats.load(tmp_path / "two")
    (tmp_path / "two.json").write_text("x", encoding="utf-8")
    with pytest.raises(OSError):
        formats.save(tok, tmp_path / "two.json" / "x")
    with pytest.raises(TypeError):
        formats.load(None)


def test_a_save_that_fails_leaves_the_old_files_and_no_other(tmp_path):
    path = tmp_path / ("x" * 244 + ".tiktoken")                 # a file system takes this name, but not that of the second file
    old, new = (formats.tiktoken.write(trained(*how), path)[path] for how in GPT2)
    path.write_bytes(old)
    with pytest.raises(OSError):
        formats.save(trained(*GPT2[1]), path)
    assert path.read_bytes() == old != new
    assert os.listdir(tmp_path) == [path.name]


def test_a_save_over_a_directory_or_on_a_full_disk_changes_nothing(tmp_path):
    path = tmp_path / "x.tiktoken"
    formats.save(trained(*GPT2[0]), path)
    old = path.read_bytes()
    path.with_name("x.tiktoken.json").unlink()
    path.with_name("x.tiktoken.json").mkdir()
    with pytest.raises(IsADirectoryError, match="nothing was written"):
        formats.save(trained(*GPT2[1]), path)
    resource = pytest.importorskip("resource")                 # not on Windows
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(OSError):
            formats.save(trained(*GPT2[1]), tmp_path / "new")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_bytes() == old and sorted(os.listdir(tmp_path)) == ["x.tiktoken", "x.tiktoken.json"]


def test_a_link_is_written_through(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "x.json").symlink_to(tmp_path / "far" / "real.json")
    for _ in range(2):
        assert formats.save(trained(*GPT2[0]), tmp_path / "x.json") == [tmp_path / "x.json"]
        assert (tmp_path / "x.json").is_symlink() and os.listdir(tmp_path / "far") == ["real.json"]
    assert same(formats.load(tmp_path / "x.json"), trained(*GPT2[0]))


def test_other_files_of_a_directory_that_decide_the_ids_are_not_ignored(tmp_path):
    tok = trained(*GPT2[0])
    formats.save(tok, tmp_path / "x")
    (tmp_path / "x" / "added_tokens.json").write_text('{"<x>": 700}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"added_tokens.json holds more tokens: pass special_tokens=.*'<x>': 700"):
        formats.load(tmp_path / "x")
    assert formats.load(tmp_path / "x", special_tokens=SPECIALS | {"<x>": 700}).encode("<x>", allowed_special="all") == [700]
    (tmp_path / "x" / "tokenizer_config.json").write_text('{"add_prefix_space": true}', encoding="utf-8")
    with pytest.raises(ValueError, match="asks for add_prefix_space"):
        formats.load(tmp_path / "x")
    for name in "tokenizer.json", "added_tokens.json", "special_tokens_map.json":
        (tmp_path / name).write_text("{}", encoding="utf-8")
        with pytest.raises(ValueError, match=f"holds {name}, by which transformers"):
            formats.save(tok, tmp_path)
        (tmp_path / name).unlink()
    assert os.listdir(tmp_path) == ["x"]


def test_a_merge_that_tokenizers_would_skip_is_refused(tmp_path):
    tok = bpe.train({"#versionxy": 10}, vocab_size=276, pattern="whitespace").tokenizer()
    assert (b"#version", b"x") in tok.merges or any(left.startswith(b"#version") for left, _ in tok.merges)
    with pytest.raises(ValueError, match="a merge begins with #version.* tokenizers skips it"):
        formats.save(tok, tmp_path / "x")
    assert not os.listdir(tmp_path)
    formats.save(tok, tmp_path / "x.json")
    theirs = tokenizers.Tokenizer.from_file(str(tmp_path / "x.json"))
    assert theirs.encode("#versionxy").ids == tok.encode("#versionxy") == formats.load(tmp_path / "x.json").encode("#versionxy")
    with pytest.raises(ValueError, match="tokenizers skips it"):
        formats.gpt2_files.read_pairs("#version: 0.2\n#version x\n")


def test_a_cut_rank_file_is_refused(tmp_path):
    path = tmp_path / "x.tiktoken"
    formats.save(trained(*GPT2[0]), path)
    whole = path.read_bytes()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:-50]))
    for arguments in [], ["gpt2", SPECIALS]:
        with pytest.raises(ValueError, match=r"it holds 550 tokens, but 600 by x\.tiktoken\.json"):
            formats.load(path, *arguments)
    for cut in whole[:-1], whole[:-2], b"":
        path.write_bytes(cut)
        with pytest.raises(ValueError, match="the file is cut"):
            formats.load(path)


def test_arguments_go_before_the_companion_file(tmp_path):
    tok, path = trained(*GPT2[0]), tmp_path / "x.tiktoken"
    formats.save(tok, path)
    assert formats.load(path, pattern="llama3").pattern == "llama3"
    assert formats.load(path, pattern="llama3").special_tokens == SPECIALS
    assert formats.load(path, special_tokens={"<x>": 999}).special_tokens == {"<x>": 999}
    path.with_name("x.tiktoken.json").unlink()
    with pytest.raises(ValueError, match=r"x\.tiktoken\.json, where save puts them, is not there: pass pattern= \(such as 'gpt2'"):
        formats.load(path, special_tokens={})
    with pytest.raises(ValueError, match="did you mean 'llama3'"):
        formats.load(path, "lama3")
    with pytest.raises(ValueError, match="is the id of token"):
        formats.load(path, "gpt2", {"<x>": 3})


# ---- damaged files

BROKEN = {
    "deep": b"[" * 100_000, "deep object": b'{"a":' * 100_000, "a list": b"[]", "empty": b"", "nothing": b"{}", "no JSON": b"{'a': 1}", "cut": b'{"model": {"vocab',
    "a key twice": b'{"model": {"type": "BPE", "type": "BPE"}}', "huge int": b'{"model": {"vocab": {"a": ' + b"9" * 5000 + b"}}}", "UTF-16": '{"model": 1}'.encode("utf-16"),
    "Latin-1": '{"mod\xe9l": 1}'.encode("latin-1"), "byte order mark": '\ufeff{"model": 1}'.encode(), "NaN": b'{"model": NaN}', "Infinity": b'{"added_tokens": [Infinity], "model": {"vocab": {}, "merges": []}}',
    "null": b"null", "zeros": bytes(100)}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_broken_json_is_refused(content, tmp_path):
    formats.save(trained(*GPT2[0]), tmp_path / "x")
    formats.save(trained(*GPT2[0]), tmp_path / "x.tiktoken")
    for name in "x.json", "x.tiktoken.json", "x/vocab.json", "x/tokenlab.json":
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match="cannot be loaded") as error:
            formats.load(tmp_path / name.split("/")[0].removesuffix(".json") if name != "x.json" else tmp_path / name)
        assert len(str(error.value)) < 1000 + len(str(tmp_path))


RANKS = {"no rank": b"IQ==", "two blanks": b"IQ==  1", "a tab": b"IQ==\t1", "a word": b"IQ== one", "minus": b"IQ== -1", "plus": b"IQ== +1", "float": b"IQ== 1.0", "digits of others": "IQ== ٣".encode(),
         "no base64": b"I!== 1", "cut base64": b"IQ= 1", "three fields": b"IQ== 1 2", "the token twice": b"IQ== 0\nIQ== 900", "huge": b"IWFh " + b"9" * 5000, "the rank twice": b"IWFhYQ== 0",
         "empty token": b" 900", "above": b"IWFhYQ== 4294967296", "carriage": b"IWFh\r 900", "not ASCII": b"\xff\xfe 3"}


@pytest.mark.parametrize("line", RANKS.values(), ids=RANKS)
def test_broken_rank_files_are_refused(line, tmp_path):
    path = tmp_path / "x.tiktoken"
    formats.save(trained(*GPT2[0]), path)
    path.with_name("x.tiktoken.json").write_text('{"pattern": "gpt2", "special_tokens": {}}', encoding="utf-8")     # no count
    path.write_bytes(path.read_bytes() + line + b"\n")
    with pytest.raises(ValueError, match=r"x\.tiktoken cannot be loaded: (line \d+, |token_ids |it has ids above )"):
        formats.load(path)


def test_a_rank_file_without_all_bytes_is_refused(tmp_path):
    path = tmp_path / "x.tiktoken"
    formats.save(trained(*GPT2[0]), path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))
    path.with_name("x.tiktoken.json").unlink()
    with pytest.raises(ValueError, match=r"lacks 1 of the symbols that texts are made of, first b'\\x00'"):
        formats.load(path, "gpt2")


@pytest.mark.parametrize("name", ["x.tiktoken", "x.json", "two/merges.txt", "two/vocab.json", "two/tokenlab.json"])
def test_files_that_are_too_large_are_not_read(name, tmp_path):
    formats.save(trained(*GPT2[0]), tmp_path / "two")
    with open(tmp_path / name, "wb") as file:
        file.truncate(20 * MOST_BYTES)                          # takes no place on the disk, and one gigabyte if it were read
    with pytest.raises(ValueError, match=rf"has more than {MOST_BYTES} bytes"):
        formats.load(tmp_path / name.split("/")[0])


def test_a_token_that_is_too_long_is_refused(tmp_path):
    content, half = toy_json(), "a"
    while len(half) <= MOST_IN_TOKEN:
        content["model"]["merges"].append([half, half])
        half += half
        content["model"]["vocab"][half] = 1000 + len(half)
    with pytest.raises(ValueError, match=f"a token has more than {MOST_IN_TOKEN} bytes"):
        load_json(content, tmp_path / "x.json")
    content["model"]["merges"].pop()
    del content["model"]["vocab"][half]
    assert load_json(content, tmp_path / "x.json").tokens("a" * 700)[0] == b"a" * 512


def test_tokens_that_are_too_long_together_are_refused_at_once_and_not_written(tmp_path):
    content, long = toy_json(), ["a" * 990 + "b" * (i % 4) for i in range(5200)]
    content["model"]["vocab"] |= {token + str(i): 1000 + i for i, token in enumerate(long)}
    content["model"]["merges"] += [[token, str(i)] for i, token in enumerate(long)]
    with pytest.raises(ValueError, match=f"all together more than {MOST_IN_ALL}"):
        load_json(content, tmp_path / "x.json")
    ids = {bytes([byte]): byte for byte in range(256)} | {b"a" * 2**i: 256 + i for i in range(1, 11)}
    for name in "y.json", "y":
        with pytest.raises(ValueError, match=f"a token has more than {MOST_IN_TOKEN} bytes"):
            formats.save(bpe.Tokenizer(ids), tmp_path / name)
    assert os.listdir(tmp_path) == ["x.json"]


@pytest.mark.parametrize("names, count", [(["x" * 1001], 1), ([f"<{i}>" for i in range(100_001)], 2)], ids=["long", "many"])
def test_special_tokens_without_measure_are_refused(names, count, tmp_path):
    path = tmp_path / "x.tiktoken"
    formats.save(trained(*GPT2[0]), path)
    with pytest.raises(ValueError, match="more than 100000 special tokens, or one of more than 1000 characters"):
        formats.load(path, special_tokens={name: 1000 + i for i, name in enumerate(names)})


def test_the_grammar_is_checked_before_the_pattern_is_compiled(tmp_path):
    for regex in "(?:" * 3000 + "a" + ")" * 3000, "[(" * 50, r"(?i:\w", "a" * 5001:
        with pytest.raises(ValueError, match="Oniguruma"):
            load_json(toy_json(pre_tokenizer=sequence(regex)), tmp_path / "x.json")


def test_classes_that_oniguruma_refuses_are_refused():
    for regex in r"[\s-a]", r"[a-\s]", r"[\p{L}-z]|.":
        with pytest.raises(ValueError, match="Oniguruma"):
            formats.tokenizer_json._alike(regex)
        with pytest.raises(Exception, match="Oniguruma"):
            tokenizers.Regex(regex)
    for regex in r"[\s-]", r"[-\s]", r"[a-c\s]", r"[a-c-]", r"[^-a]", r"[^\r\n\p{L}']":
        tokenizers.Regex(formats.tokenizer_json._alike(regex))


MISTYPED = [{"version": 1}, {"version": "2.0"}, {"version": None}, {"model__fuse_unk": 0}, {"model__byte_fallback": ""}, {"model__ignore_merges": 1},
            {"decoder": {}}, {"decoder": {"type": "ByteLevel"}}, {"decoder": BYTE_LEVEL | {"use_regex": None}}, {"post_processor": {"type": "ByteLevel"}},
            {"post_processor": BYTE_LEVEL | {"trim_offsets": 1}}, {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False}},
            {"pre_tokenizer": BYTE_LEVEL | {"trim_offsets": "x"}}, {"pre_tokenizer": BYTE_LEVEL | {"use_regex": 0}}]


@pytest.mark.parametrize("changes", MISTYPED, ids=str)
def test_wrong_types_are_refused_here_as_in_tokenizers(changes, tmp_path):
    with pytest.raises(Exception, match="invalid type|version|did not match|missing field"):
        tokenizers.Tokenizer.from_str(json.dumps(toy_json(**changes)))
    with pytest.raises(ValueError, match="this package can only do"):
        load_json(toy_json(**changes), tmp_path / "x.json")


def mutated(content, draw):
    """`content` (bytes) with one to three accidents."""
    content = bytearray(content)
    for _ in range(draw.randint(1, 3)):
        i = draw.randrange(len(content) + 1)
        j = min(len(content), i + draw.choice([1, 1, 2, 10, 100]))
        kind = draw.randrange(5)
        if kind == 0:
            del content[i:j]
        elif kind == 1:
            content[i:i] = content[i:j]
        elif kind == 2:
            content[i:i] = draw.choice([b"0", b'"', b" ", b"\n", b",", b"}", b"[", b"a", b"-", b"\xff", b"null", b"1e3", "Ġ".encode()])
        elif kind == 3:
            del content[i:i + draw.choice([1, 10**6])]
        else:
            content[i:j] = content[i:j][::-1]
    return bytes(content)


def tiny():
    return bpe.train("abcab cabab ababc bcab", vocab_size=262, pattern="gpt2").tokenizer().with_special({"<end>": 262})


def test_mutations_of_tokenizer_json(tmp_path):
    """Each is a clear error, or a tokenizer with the ids that tokenizers gives: whatever that reads, and we do too."""
    formats.save(tiny(), tmp_path / "x.json")
    content, draw, loaded = (tmp_path / "x.json").read_bytes(), random.Random(1), 0
    middle = content.index(b'"vocab"') + 10, content.index(b'"merges"')
    for number in range(600):
        start, end = (0, middle[0]) if number % 3 == 0 else (middle[1], len(content)) if number % 3 == 1 else (0, len(content))
        (tmp_path / "y.json").write_bytes(changed := content[:start] + mutated(content[start:end], draw) + content[end:])
        try:
            tok = formats.load(tmp_path / "y.json")
        except ValueError as error:
            assert "cannot be loaded: " in str(error) and len(str(error)) < 1500
            continue
        loaded += 1
        try:
            theirs = tokenizers.Tokenizer.from_str(changed.decode())
        except Exception:                                       # noqa: BLE001, S112 - we may read more than they do
            continue
        for s in PROBES[:3]:
            assert theirs.encode(s).ids == tok.encode(s, allowed_special="all")
    assert 10 < loaded < 300


def test_changed_values_of_tokenizer_json(tmp_path):
    """The same, with other values in any place of the tree."""
    formats.save(tiny(), tmp_path / "x.json")
    content, draw, loaded = json.loads((tmp_path / "x.json").read_text(encoding="utf-8")), random.Random(2), 0
    for _ in range(600):
        changed = copy.deepcopy(content)
        part = changed
        while True:
            key = draw.choice(list(part) if isinstance(part, dict) else range(len(part)))
            if not isinstance(part[key], (dict, list)) or not part[key] or draw.random() < 0.15:
                break
            part = part[key]
        if draw.random() < 0.2:
            del part[key]
        else:
            part[key] = draw.choice([None, True, False, 0, 1, 262, -1, 10**30, 0.5, "", "a", "ab", "ByteLevel", [], {}, ["a", "b"], {"type": "ByteLevel"}])
        try:
            tok = load_json(changed, tmp_path / "y.json")
        except ValueError as error:
            assert "cannot be loaded: " in str(error) and len(str(error)) < 1500
            continue
        loaded += 1
        try:
            theirs = tokenizers.Tokenizer.from_str(json.dumps(changed))
        except Exception:                                       # noqa: BLE001, S112 - we may read more than they do
            continue
        for s in PROBES[:3]:
            assert theirs.encode(s).ids == tok.encode(s, allowed_special="all"), changed
    assert 10 < loaded < 400


def test_mutations_of_rank_files(tmp_path):
    path, draw, loaded = tmp_path / "x.tiktoken", random.Random(3), 0
    formats.save(tiny(), path)
    content = path.read_bytes()
    for _ in range(600):
        path.write_bytes(changed := mutated(content, draw))
        try:
            tok = formats.load(path)
        except ValueError as error:
            assert "cannot be loaded: " in str(error) and len(str(error)) < 1000
            continue
        loaded += 1
        ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, filter(None, changed.splitlines()))}
        theirs = tiktoken.Encoding("x", pat_str=pretokenize.PATTERNS["gpt2"], mergeable_ranks=ranks, special_tokens={"<end>": 262})
        assert [tok.encode(s, allowed_special="all") for s in PROBES] == [theirs.encode(s, allowed_special="all") for s in PROBES]
    assert 10 < loaded < 300


def test_mutations_of_the_two_files(tmp_path):
    formats.save(tiny(), tmp_path / "good")
    formats.save(tiny(), tmp_path / "bad")
    names, draw, loaded = ["vocab.json", "merges.txt", "tokenlab.json"], random.Random(4), 0
    for number in range(600):
        name = names[number % 3]
        (tmp_path / "bad" / name).write_bytes(mutated((tmp_path / "good" / name).read_bytes(), draw))
        try:
            tok = formats.load(tmp_path / "bad")
            loaded += 1
            if name != "tokenlab.json":
                theirs = tokenizers.ByteLevelBPETokenizer(str(tmp_path / "bad" / "vocab.json"), str(tmp_path / "bad" / "merges.txt"))
                ours = [tok.encode(s, disallowed_special="text") for s in PROBES]
                assert ours == [encoding.ids for encoding in theirs.encode_batch(PROBES)]
        except ValueError as error:
            assert "cannot be loaded: " in str(error) and len(str(error)) < 1000
        (tmp_path / "bad" / name).write_bytes((tmp_path / "good" / name).read_bytes())
    assert 10 < loaded < 300


def test_a_pattern_that_no_file_can_hold_is_refused_when_it_is_read(tmp_path):
    """Found by tools/fuzz.py: it was read, and could not be written again."""
    for name, companion in ("x.tiktoken", "x.tiktoken.json"), ("x", "x/tokenlab.json"):
        formats.save(tiny(), tmp_path / name)
        (tmp_path / companion).write_text('{"pattern": "\\ud800", "special_tokens": {"<end>": 262}}', encoding="utf-8")
        with pytest.raises(ValueError, match="cannot be loaded: pattern holds a lone surrogate"):
            formats.load(tmp_path / name)


@pytest.mark.parametrize("special", [[], 0, [("<end>", 262)], ["<end>"], "<end>", 262, {"<end>": "262"}, {262: "<end>"}, {"": 262}], ids=str)
@pytest.mark.parametrize("name", ["x.tiktoken", "x"])
def test_special_tokens_that_are_no_mapping_are_refused_in_words(name, special, tmp_path):
    formats.save(tiny(), tmp_path / name)
    with pytest.raises(ValueError, match="cannot be loaded: special_tokens (must|holds)"):
        formats.load(tmp_path / name, "gpt2", special)


@pytest.mark.parametrize("name, start, each", [("x.json", b'{"model":[', b"[],"), ("x.json", b'{"model":', b"["), ("x.tiktoken", b"", b"\n"), ("x.tiktoken.json", b'{"a":[', b"{},"), ("x/merges.txt", b"", b"a b\n")])
def test_small_files_of_too_many_values_are_refused_before_they_fill_the_memory(name, start, each, tmp_path):
    formats.save(tiny(), tmp_path / "x.tiktoken")
    formats.save(tiny(), tmp_path / "x")
    (tmp_path / name).write_bytes(start + each * (MOST_VALUES + 1))
    with pytest.raises(ValueError, match=rf"has more than {MOST_BYTES} bytes, or {MOST_VALUES} lines and values"):
        formats.load(tmp_path / {"x.tiktoken.json": "x.tiktoken", "x/merges.txt": "x"}.get(name, name))
