"""SentencePiece's `.model`, read and written by hand: its settings and its pieces, in the encoding of protocol buffers.

A message is a row of fields. Each begins with a number, 8 · field + wire type; the wire type says how the value is
written: 0 as a number of variable length (7 bits a byte, the lowest first), 2 as a length and so many bytes, 5 as four
bytes. Source: protobuf.dev, Encoding; google/sentencepiece, sentencepiece_model.proto. Lesson 8.
"""
import struct
from collections import Counter

from ..errors import short
from ..sentencepiece import KINDS, CharacterBPE, Normalizer, Piece
from ..unigram.tokenizer import Tokenizer as Unigram
from .shared import read_bytes

_ALGORITHMS = {1: Unigram, 2: CharacterBPE}
# The fields that are read, by number: name, wire type, and what reads the value, or the fields of the message in it. All others are skipped.
_PIECE = {1: ("text", 2, bytes.decode), 2: ("score", 5, lambda value: struct.unpack("<f", value)[0]), 3: ("kind", 0, int)}
_TRAINER = {3: ("model_type", 0, int), 24: ("treat_whitespace_as_suffix", 0, bool), 35: ("byte_fallback", 0, bool), 44: ("unk_surface", 2, bytes.decode)}
_NORMALIZER = {2: ("charsmap", 2, bytes), 3: ("add_dummy_prefix", 0, bool), 4: ("remove_extra_whitespaces", 0, bool), 5: ("escape_whitespaces", 0, bool)}
_MODEL = {1: ("pieces", 2, _PIECE), 2: ("trainer", 2, _TRAINER), 3: ("normalizer", 2, _NORMALIZER), 5: ("denormalizer", 2, _NORMALIZER)}
_MOST = 2_000_000               # fields of a file: the largest vocabularies have 260,000 pieces, of three fields each
_WIDTH = {1: 8, 5: 4}           # bytes, by wire type


def read(path, pattern=None, special_tokens=None):
    """Return the tokenizer in the file `path`, which holds all: the other two are None."""
    return parse(read_bytes(path), path.stem)


def write(tok, path):
    """Return the file of `tok`, a `unigram.Tokenizer` or `sentencepiece.CharacterBPE`: a dict of path -> bytes."""
    _checked(tok)
    pieces = [_field(1, text) + _field(2, float(score)) + _field(3, KINDS.index(kind) + 1) for text, score, kind in tok.model]
    trainer = [_field(3, 2 if isinstance(tok, CharacterBPE) else 1), _field(4, len(tok)),
               _field(35, any(kind == "byte" for _, _, kind in tok.model)), _field(44, tok.unk_surface)]
    normalizer = [_field(number, getattr(tok.normalizer, name)) for number, (name, *_) in _NORMALIZER.items()]
    return {path: b"".join([*(_field(1, piece) for piece in pieces), _field(2, b"".join(trainer)), _field(3, b"".join(normalizer))])}


def parse(content, name=""):
    """Return the tokenizer that a `.model` holds: a `unigram.Tokenizer` or a `sentencepiece.CharacterBPE`.

    content: the bytes of the file. Raises ValueError for a damaged file and for what this package cannot do.

    >>> parse(b"\\n\\x09\\n\\x05<unk>\\x18\\x02" + b"\\n\\x08\\n\\x01a\\x15\\x00\\x00\\x80\\xbf")
    <unigram.Tokenizer: 2 pieces>
    >>> parse(b"\\n\\x09\\n\\x05<un")
    Traceback (most recent call last):
    ValueError: this is not a .model file: the field at byte 0 ends at byte 11, but there are only 7
    """
    try:
        return _checked(_tokenizer(_message(content, _MODEL, iter(range(_MOST))), name))
    except UnicodeDecodeError as error:
        raise ValueError(f"this is not a .model file: {short(error.object)} is not UTF-8") from None


def _tokenizer(fields, name):
    pieces = [_piece(**dict(piece)) for part, piece in fields if part == "pieces"]
    trainer, settings, reverse = ({name: value for part, message in fields if part == wanted for name, value in message}
                                  for wanted in ("trainer", "normalizer", "denormalizer"))
    algorithm = _ALGORITHMS.get(trainer.get("model_type", 1))
    if not algorithm or trainer.get("treat_whitespace_as_suffix") or reverse.get("charsmap"):
        raise ValueError(f"this package can only do Unigram (1) and BPE (2), with blanks before words and no denormalizer, not {short(trainer)}")
    if trainer.get("byte_fallback", False) != any(piece.kind == "byte" for piece in pieces):
        raise ValueError("this .model says that it falls back to bytes and has no pieces for them, or the other way round")
    return algorithm(pieces, normalizer=Normalizer(**settings), name=name, unk_surface=trainer.get("unk_surface", " ⁇ "))


def _checked(tok):
    """Return `tok`; ValueError for pieces that SentencePiece does not read: with a NUL or, in BPE, with the name of a special token."""
    names = Counter(piece.text for piece in tok.model)
    if wrong := next((name for name in names if "\0" in name or names[name] > 1 and isinstance(tok, CharacterBPE)), None):
        raise ValueError(f"SentencePiece takes no piece {short(wrong)}: a NUL character is in it, or it is there twice, in two kinds")
    return tok


def _piece(text="", score=0.0, kind=1):
    if not 1 <= kind <= len(KINDS):
        raise ValueError(f"piece {short(text)} has type {kind}: types go from 1 to {len(KINDS)}")
    return Piece(text, score, KINDS[kind - 1])


def _message(data, schema, room):
    """Return the fields of a message that `schema` names: a list of (name, value). room: an iterator, one step for each field."""
    found, at = [], 0
    while at < len(data):
        start = at
        key, at = _number(data, at)
        name, wire, form = schema.get(key >> 3, ("", key & 7, None))
        if key & 7 not in (0, 1, 2, 5) or key & 7 != wire:
            raise ValueError(f"this is not a .model file: the field at byte {start} is written in the wrong way ({key & 7})")
        value, end = _number(data, at) if wire in (0, 2) else (_WIDTH[wire], at)
        if wire:
            at, end = end, end + value
            value = data[at:end]
        if end > len(data):
            raise ValueError(f"this is not a .model file: the field at byte {start} ends at byte {end}, but there are only {len(data)}")
        at = end
        if next(room, None) is None:
            raise ValueError(f"this is not a .model file: it has more than {_MOST} fields, more than any should have")
        if name:
            found.append((name, _message(value, form, room) if isinstance(form, dict) else form(value)))
    return found


def _number(data, at):
    """Return the number of variable length at index `at`, and the index after it."""
    value = 0
    for place, byte in enumerate(data[at:at + 10]):
        value |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return value, at + place + 1
    raise ValueError(f"this is not a .model file: the number at byte {at} has no end")


def _field(number, value):
    """Return one field, in bytes; the type of `value` says how it is written."""
    if isinstance(value, float):
        return _written(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return _written(number << 3) + _written(value)
    data = value.encode() if isinstance(value, str) else value
    return _written(number << 3 | 2) + _written(len(data)) + data


def _written(value):
    low, rest = value & 0x7F, value >> 7
    return bytes([low | 0x80]) + _written(rest) if rest else bytes([low])
