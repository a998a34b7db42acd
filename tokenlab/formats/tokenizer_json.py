"""`tokenizer.json` of Hugging Face's tokenizers, for byte-level BPE: tokens, merges, pattern and special tokens in one file."""
import json
import re

from ..errors import package, short
from ..pretokenize import PATTERNS, split
from . import unigram_json
from .shared import MOST_SIGNS, build, field, read_json, read_merges, special_entries, spell, vocabulary

# tokenizers splits with Oniguruma, which takes {1,3}+ for a repeat of a repeat, and four separators that are white space
# to Python's re for none. Of the patterns with a name only `words` cannot be told to it: its \w is another one.
_ONIGURUMA = {name: expression for name, expression in PATTERNS.items() if name not in ("none", "words")} | {
    "cl100k_base": PATTERNS["cl100k_base"].replace("{1,3}+", "{1,3}"), "whitespace": r"[\s\x1c-\x1f]+|[^\s\x1c-\x1f]+"}
_NAMES = {expression: name for name, expression in _ONIGURUMA.items()}

# What regex and Oniguruma read in one way: no anchors, no \w \d \b, no flags, no sets within sets, no counts like {2}+, of
# what looks ahead only \s+(?!\S); and nothing that matches the empty text, after which one of them moves on and one does not.
_ESCAPE = r"\\(?:[sSrnt]|[pP]\{(?:L[ultmo]?|M|N[dlo]?|P|S|Z)\}|[^\w\s])"
_SIGN = r"[^\\\[\]&^-]"                                         # in a class, where only two of these make a range
_CLASS = rf"\[\^?-?(?:{_ESCAPE}|{_SIGN}(?:-{_SIGN})?)+-?\]"
_ALIKE = re.compile(rf"""(?![\w-]+\Z)(?:                        # no name, but a row of
    (?:{_ESCAPE}|{_CLASS}|[^\\\[\](){{}}*+?^$|]|\))           # an escape, a class, a sign that stands for itself or the end of a group,
    (?:[*+?][+?]?|\{{\d+(?:,\d*)?\}}(?![*+?]))?               # each perhaps repeated,
    |   (?<=\\s\+)\(\?!\\S\)                                 # (?!\S) after \s+,
    |   \((?:\?[:>])?|\|                                     # the beginning of a group, or a bar
)+""", re.VERBOSE)


def write(tok, path):
    """Return the file of `tok`: a dict of path -> bytes. ValueError for a pattern that Oniguruma may read otherwise."""
    pre_tokenizer = byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": tok.pattern == "gpt2"}
    if tok.pattern not in ("gpt2", "none"):
        regex = _ONIGURUMA.get(tok.pattern) or _alike(PATTERNS.get(tok.pattern, tok.pattern))
        by_regex = {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}
        pre_tokenizer = {"type": "Sequence", "pretokenizers": [by_regex, byte_level]}
    model = {"type": "BPE", "vocab": vocabulary(tok), "merges": [[spell(left), spell(right)] for left, right in tok.merges]}
    content = {"version": "1.0", "added_tokens": special_entries(tok), "pre_tokenizer": pre_tokenizer, "decoder": byte_level, "model": model}
    return {path: json.dumps(content, ensure_ascii=False).encode()}


def read(path, pattern, special_tokens):
    """Return the Tokenizer in the file `path`, which holds all: the other two are None."""
    content = read_json(path)
    model = field(content, "model", dict)
    if model.get("type") == "Unigram":
        return unigram_json.parse(content)
    for key in "truncation", "padding", "normalizer", "dropout", "unk_token", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback":
        if value := content.get(key) or model.get(key):
            raise ValueError(f"it asks for {key} {short(value)}, which this package does not do")
    flags = [model.get(key) for key in ("fuse_unk", "byte_fallback", "ignore_merges")]
    if (kind := model.get("type", "BPE"), version := content.get("version", "1.0")) != ("BPE", "1.0") or not {*map(type, flags)} <= {bool, type(None)}:
        raise ValueError(f"it has {short([version, kind, *flags])}: this package can only do version '1.0' and BPE, with flags true or false")
    for part in content.get("post_processor"), content.get("decoder"):
        if part is not None and not _byte_level(part):
            raise ValueError(f"it has the part {short(part)} where this package can only do ByteLevel, with all its fields")
    vocab, merges = field(model, "vocab", dict), read_merges(field(model, "merges", list))
    return build(vocab, merges, _pattern(content.get("pre_tokenizer")), _special(content.get("added_tokens") or [], vocab))


def _byte_level(part):
    fields = {"use_regex": True} | (part if isinstance(part, dict) else {})
    return fields.get("type") == "ByteLevel" and all(type(fields.get(key)) is bool for key in ("add_prefix_space", "trim_offsets", "use_regex"))


def _pattern(pre_tokenizer):
    """Return the pattern (a name, or an expression) by which `pre_tokenizer` splits."""
    match pre_tokenizer:
        case {"add_prefix_space": False, **others} if _byte_level(pre_tokenizer):
            return "none" if others.get("use_regex") is False else "gpt2"
        case {"type": "Sequence", "pretokenizers": [
                {"type": "Split", "pattern": {"Regex": str(regex)}, "behavior": "Isolated" | "Removed" as way, "invert": bool(invert)},
                {"add_prefix_space": False, "use_regex": False} as last]} if invert == (way == "Removed") and _byte_level(last):
            return _NAMES.get(regex) or _alike(regex)
    raise ValueError(f"it has the pre_tokenizer {json.dumps(pre_tokenizer)[:300]}: this package can only do ByteLevel without prefix space, "
                     f"alone or after one Split by a Regex whose matches are the chunks")


def _special(added, vocab):
    """Return the special tokens, name -> id: that of the vocabulary or else the next, whatever tokenizers reads in the file."""
    special, ways, last = {}, set(), len(vocab) - 1
    for token in field({"added_tokens": added}, "added_tokens", list):
        match token:
            case {"content": str(name), "id": int(i), "special": True, "single_word": False, "lstrip": False, "rstrip": False,
                  "normalized": way} if i == vocab.get(name, last + 1) and name not in special:
                special[name], last = i, max(last, i)
                ways.add(way)
            case _:
                raise ValueError(f"added token {short(token, 300)} is one that this package cannot do: it must be special, take no "
                                 f"blanks along, and have the id that the vocabulary gives it, or else the next")
    if len(ways) > 1:
        raise ValueError("some added tokens are normalized and some not, and tokenizers looks for these first: this package cannot")
    return special


def _alike(pattern):
    regex = package("regex", "a tokenizer.json with a pattern of its own")
    if len(pattern) > MOST_SIGNS or not _ALIKE.fullmatch(pattern) or split("", pattern) or regex.match(pattern, ""):   # split: does it compile?
        raise ValueError(f"pattern {short(pattern)} may cut otherwise in tokenizers, which has Oniguruma: use a name (but words), or signs, classes, "
                         f"\\s \\S \\p{{L}} \\p{{N}}, groups, | * + ? {{n,m}}, \\s+(?!\\S), and never match nothing; .tiktoken takes any pattern")
    return pattern
