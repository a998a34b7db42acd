"""`tokenizer.json` of Hugging Face's tokenizers, for Unigram: SentencePiece's stages as a sequence of normalizers."""
import json
from base64 import b64decode, b64encode

from ..errors import short
from ..sentencepiece import BLANK, Normalizer, Piece
from ..unigram.tokenizer import Tokenizer
from .shared import special_entries

# Their scores are written as 0, for tokenizers takes the least of all for that of unknown characters.
_SPECIAL = ("control", "unknown")


def write(tok, path):
    """Return the file of `tok`, a `unigram.Tokenizer`: a dict of path -> bytes.

    The ids are the same for all texts of this package. tokenizers applies a character map grapheme by grapheme, so rare
    sequences of marks come out otherwise there, and so does \\r\\n where rows of blanks stay; and it always takes the name of a special token for one.
    Raises ValueError for what the format has no place for.
    """
    return {path: json.dumps(_content(tok), ensure_ascii=False).encode()}


def parse(content):
    """Return the Tokenizer in a file as `write` makes it; ValueError for any other.

    content: what the JSON holds, a dict.
    """
    try:
        stages, model = content["normalizer"]["normalizers"], content["model"]
        charsmap = b64decode(stages[0].get("precompiled_charsmap", ""), validate=True)
        kinds = {token["id"]: "control" for token in content["added_tokens"]} | {model["unk_id"]: "unknown"}
        normalizer = Normalizer(charsmap, add_dummy_prefix=_PREFIX in stages, remove_extra_whitespaces=_FEWER in stages,
                                escape_whitespaces=_replace({"String": " "}, BLANK) in stages)
        tok = Tokenizer([Piece(text, score, kinds.get(i, "normal")) for i, (text, score) in enumerate(model["vocab"])], normalizer=normalizer)
        same = _content(tok) == content
    except (AttributeError, LookupError, TypeError, ValueError):
        same = False
    if not same:
        raise ValueError("it holds Unigram, but not as this package writes it: load the .model that it was made from")
    return tok


def _content(tok):
    other = next((piece for piece in tok.model if (piece.kind != "normal" or piece.text in tok.special_tokens) and piece.kind not in _SPECIAL), None)
    if not isinstance(tok, Tokenizer) or other:
        raise ValueError(f"tokenizer.json cannot hold {short(other or tok)}: of SentencePiece's tokenizers it takes Unigram without "
                         f"bytes, user-defined and unused pieces, and pieces with the name of a special token; .model takes all")
    blanks = [{"type": "Replace", "pattern": {"String": BLANK}, "content": " "}, {"type": "Fuse"}]
    if tok.normalizer.add_dummy_prefix:
        blanks.append({"type": "Strip", "content": " ", "start": 1, "stop": 0})
    vocab = [[text, 0.0 if kind in _SPECIAL else score] for text, score, kind in tok.model]
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": special_entries(tok),
            "normalizer": {"type": "Sequence", "normalizers": _stages(tok.normalizer)}, "pre_tokenizer": None, "post_processor": None,
            "decoder": {"type": "Sequence", "decoders": blanks},
            "model": {"type": "Unigram", "unk_id": tok.unknown_id, "vocab": vocab, "byte_fallback": False}}


def _stages(normalizer):
    """Return the stages of `normalizer` as tokenizers writes them; its Strip takes line breaks, too, so this does without."""
    fewer, blank = normalizer.remove_extra_whitespaces, normalizer.blank
    charsmap = {"type": "Precompiled", "precompiled_charsmap": b64encode(normalizer.charsmap).decode()}
    return [*[charsmap] * bool(normalizer.charsmap), *[_replace({"Regex": r"\A +| +\z"}, ""), _FEWER] * fewer,
            *[_PREFIX] * normalizer.add_dummy_prefix, _replace({"String": " "}, blank), *[_replace({"Regex": rf"{blank}+\z"}, "")] * fewer]


def _replace(pattern, new):
    return {"type": "Replace", "pattern": pattern, "content": new}


_PREFIX, _FEWER = {"type": "Prepend", "prepend": " "}, _replace({"Regex": " {2,}"}, " ")
