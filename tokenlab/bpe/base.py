"""What the tokenizers of all families do alike: special tokens, ids to text, places, and the words for what is wrong."""
from bisect import bisect
from itertools import accumulate
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from ..errors import choose, short
from .special import sections
from .stream import need_ids

ERRORS = ("strict", "replace", "ignore")


class Span(NamedTuple):
    """Where a token comes from, as half-open ranges (start, end)."""
    bytes: tuple[int, int]      # in the UTF-8 bytes of the text
    chars: tuple[int, int]      # in the text: the whole characters that the token touches


def spans(s, ranges):
    """Return a Span for each of `ranges`, pairs (start, end) in the UTF-8 bytes of `s`: a list.

    >>> spans("aé", [(0, 1), (1, 2)])
    [Span(bytes=(0, 1), chars=(0, 1)), Span(bytes=(1, 2), chars=(1, 2))]
    """
    owner = [place for place, character in enumerate(s) for _ in character.encode()] + [len(s)]     # byte -> its character
    return [Span((start, end), (owner[start], owner[end - 1] + 1 if start < end else owner[start])) for start, end in ranges]


def is_text(token):
    """Whether `token`, bytes, is one or more whole characters."""
    try:
        return bool(token.decode())
    except UnicodeDecodeError:
        return False


class Base:
    """The base of `bpe.Tokenizer`, `bpe.WordPiece` and `sentencepiece.PieceTokenizer`.

    Each of these has name (a str), _special (name -> id), _tokens (id -> bytes, specials apart), _spelled (what each id adds
    to a text, specials too) and _encode (text without special tokens -> ids).
    """

    def encode(self, s, allowed_special=(), disallowed_special="raise"):
        """Return the ids of `s`: a list of int.

        allowed_special: the special tokens that `s` may hold as such: a collection of names, or "all".
        disallowed_special: what to do with the others: "raise", or take them as ordinary "text".

        Raises TypeError for bytes; ValueError for a lone surrogate, a special token that is not allowed, and in byte-pair
        encoding for text that the pattern leaves out, a character outside the alphabet, a text that holds end_of_word. Lesson 4.

        >>> from tokenlab import pretrained
        >>> tok = pretrained.load("gpt2")
        >>> tok.encode(" unbelievable"), tok.encode("unbelievable")
        ([24479], [403, 6667, 11203, 540])
        >>> tok.encode("a<|endoftext|>", allowed_special="all")
        [64, 50256]
        """
        ids = []
        for text, special in sections(s, self._special, allowed_special, disallowed_special):
            ids += self._encode(text) if special is None else [special]
        return ids

    def tokens(self, s, **how):
        """Return the tokens of `s`: a list of bytes. Keyword arguments as for `encode`. Lesson 4.

        >>> from tokenlab import pretrained
        >>> pretrained.load("o200k_base").tokens("🚕"), pretrained.load("t5").tokens("hedgehogs")
        ([b'\\xf0\\x9f\\x9a', b'\\x95'], [b' hedge', b'hog', b's'])
        """
        return [self._tokens.get(i) or self._spelled[i] for i in self.encode(s, **how)]

    def pieces(self, s, **how):
        """Return the tokens of `s` to look at: a list of str; what is not whole characters is written as \\xNN. Lesson 4.

        >>> from tokenlab import pretrained
        >>> pretrained.load("gpt2").pieces(" hedgehogs ↵")
        [' hedge', 'h', 'ogs', '\\\\x20\\\\xe2\\\\x86', '\\\\xb5']
        """
        return [token.decode() if is_text(token) else "".join(f"\\x{byte:02x}" for byte in token) for token in self.tokens(s, **how)]

    def decode(self, ids, errors="strict"):
        """Return the text of `ids`: a str. Special tokens give their names, but SentencePiece's control symbols nothing, and its <unk> " ⁇ ".

        ids: an iterable of int; errors: for ids that do not spell whole characters, as in `bytes.decode`: "strict",
        "replace" (with U+FFFD; SentencePiece writes one for each byte) or "ignore".

        Raises ValueError for an unknown id and, if strict, for part of a character; TypeError for other types. Lesson 4.

        >>> from tokenlab import pretrained
        >>> tok = pretrained.load("o200k_base")
        >>> tok.decode([112927, 243]), tok.decode([112927], errors="replace")
        ('🚕', '�')
        >>> pretrained.load("t5").decode([2])
        ' ⁇ '
        """
        choose(errors, ERRORS, "way to handle errors")
        ids = need_ids(ids)
        try:
            return self._text(b"".join(self._spell(ids)), errors)
        except UnicodeDecodeError as error:
            place = bisect(list(accumulate(map(len, self._spell(ids)))), error.start)
            raise ValueError(f"the ids do not spell whole characters: byte {error.start} (0x{error.object[error.start]:02x}, of id {ids[place]} "
                             f"at index {place}) is no text: {error.reason}. One token may hold part of a character: decode all ids of a "
                             f'text together, or ask for errors="replace"') from None

    @property
    def vocabulary(self):
        """The tokens, specials apart: a read-only dict of id -> bytes."""
        return MappingProxyType(self._tokens)

    @property
    def special_tokens(self):
        """The special tokens: a read-only dict of str -> id; of SentencePiece's those are <unk> and the control symbols."""
        return MappingProxyType(self._special)

    def __setattr__(self, name, value):
        if name in vars(self):                                  # one object may serve many: `pretrained.load` shares it
            raise AttributeError(f"the {name} of a {type(self).__name__} cannot be changed: make a new {type(self).__name__}, which is another one")
        super().__setattr__(name, value)

    def __len__(self):
        return len(self._spelled)

    def _shown_name(self):
        return f" {short(self.name)}" if self.name else ""

    def _spell(self, ids):
        try:
            return itemgetter(*ids)(self._spelled) if len(ids) > 1 else [self._spelled[i] for i in ids]
        except KeyError as error:
            raise ValueError(f"unknown id {short(error.args[0])}: this tokenizer has {self._range()}") from None

    def _text(self, data, errors):
        return data.decode("utf-8", errors)

    def _range(self):
        if not self._spelled:
            return "no ids"
        least, most = min(self._spelled), max(self._spelled)
        gaps = " (some in between are not used)" if most - least >= len(self) else ""
        return f"{len(self)} ids from {least} to {most}{gaps}"
