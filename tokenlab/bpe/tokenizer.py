"""Encode and decode with byte-pair tokens, whether we trained them or somebody else did."""
from bisect import bisect_left
from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate, groupby, pairwise
from operator import itemgetter

from ..errors import choose, need_text, short
from ..pretokenize import split
from .base import ERRORS, Base, is_text, spans
from .encoder import BYTES, Encoder
from .joins import recover_merges, steps_of
from .special import sections
from .stream import decode_tokens, each_id

ALPHABETS = ("bytes", "characters")


class Tokenizer(Base):
    """A byte-pair tokenizer: text to ids and back.

    Within a chunk it joins the two neighbours whose joined bytes have the lowest id, leftmost first, until no two
    neighbours spell a token. On a list that came from training this is the order in which the merges were learned.

    token_ids: a mapping of bytes -> int. The order of the ids is the order of the merges.
    pattern: a name from `pretokenize.PATTERNS`, or a regular expression.
    special_tokens: a mapping of str -> int, apart from the tokens; `encode` makes them only where it is allowed to.
    alphabet: "bytes" (all 256 single bytes are tokens) or "characters" (some single characters are).
    end_of_word: a symbol that ends each chunk (a token too); "" for none.
    whole_chunk_first: take a chunk that is itself a token at once. It gives the same ids, faster, if merging can make
        every token, which training guarantees and merge lists put together in other ways do not.

    Raises ValueError for missing symbols, ids used twice or negative, an unknown pattern; TypeError for other types.
    Source: Sennrich, Haddow, Birch 2016; for bytes and the lowest rank first: Radford et al. 2019. Lessons 2 and 4.

    >>> symbols = {bytes([byte]): byte for byte in range(256)}
    >>> tok = Tokenizer(symbols | {b"ab": 256, b"abc": 257}, pattern="none", name="toy")
    >>> tok
    <Tokenizer 'toy': 258 tokens, 0 special tokens, pattern 'none'>
    >>> tok.encode("abcab"), tok.decode([257, 256])
    ([257, 256], 'abcab')
    """

    def __init__(self, token_ids, *, pattern="gpt2", special_tokens=None, alphabet="bytes", end_of_word="", name="",
                 whole_chunk_first=False):
        self.pattern, self.name, self.whole_chunk_first = pattern, name, whole_chunk_first
        self.alphabet = choose(alphabet, ALPHABETS, "alphabet")
        self.end_of_word = need_text(end_of_word, "end_of_word")
        self._special = id_table(special_tokens or {}, str, "special_tokens")
        self._ids = id_table(token_ids, bytes, "token_ids")
        self._encoder = Encoder(self._ids, pattern, alphabet, end_of_word, whole_chunk_first)
        self._encode = self._encoder.encode
        self._check()

    # ---- text to ids

    def encode_stream(self, pieces, allowed_special=(), disallowed_special="raise"):
        """Return the ids of a text that comes in pieces, an iterator of int: those of `encode`, wherever the cuts are.

        pieces: an iterable of str, cuts of one text; the others as for `encode`. With the six patterns of language models
        and `whitespace`, no more text waits for what follows than a few chunks, the length of the longest special token and
        a piece; with any other pattern, and with end_of_word, all ids come at the end.

        Raises as `encode` does, when the iterator reaches what is wrong. Lesson 4.

        >>> from tokenlab import pretrained
        >>> list(pretrained.load("gpt2").encode_stream(["un", "believ", "able"]))
        [403, 6667, 11203, 540]
        """
        parts = sections(pieces, self._special, allowed_special, disallowed_special, in_cuts=True)
        for special, group in groupby(parts, itemgetter(1)):
            if special is None:
                yield from self._encoder.encode_stream(text for text, _ in group)
            else:
                yield from (special for _ in group)

    def offsets(self, s, **how):
        """Return where each token of `s` comes from: a list of Span. Keyword arguments as for `encode`. Lesson 4.

        >>> from tokenlab import pretrained
        >>> pretrained.load("o200k_base").offsets("a🚕")[1:]
        [Span(bytes=(1, 4), chars=(1, 2)), Span(bytes=(4, 5), chars=(1, 2))]
        """
        lengths = [len(self._spelled[i]) for i in self.encode(s, **how)]
        return spans(s, pairwise(accumulate(lengths, initial=0)))

    def steps(self, s, **how):
        """Return how `s` is joined together: a list of Step, over all chunks in order. Keyword arguments as for `encode`.

        All joins are told, also where `whole_chunk_first` saves them: what no join makes is not among them. The steps of a
        chunk of n symbols hold n tuples of up to n tokens: meant for words, not for books. Lesson 4.

        >>> from tokenlab import pretrained
        >>> for step in pretrained.load("gpt2").steps(" the"):
        ...     print(step.number, step.pair, step.tokens)
        1 (b' ', b't') (b' t', b'h', b'e')
        3 (b'h', b'e') (b' t', b'he')
        7 (b' t', b'he') (b' the',)
        """
        steps = []
        self.encode(s, **how)                                   # raises if anything is wrong
        for text, special_id in sections(s, self._special, **how):
            for chunk in split(text, self.pattern) if special_id is None else ():
                symbols = self._encoder.spell((chunk + self.end_of_word).encode())
                steps += steps_of(chunk, symbols, self._ids, lambda new: bisect_left(self._merged, new) + 1)
        return steps

    def lost(self, s):
        """Return what of `s` its ids cannot give back: always "", for this tokenizer refuses what it cannot keep. Lesson 8.

        >>> from tokenlab import pretrained
        >>> pretrained.load("gpt2").lost("two  blanks")
        ''
        """
        self.encode(s, disallowed_special="text")
        return ""

    # ---- ids to text

    def decode_stream(self, ids, errors="strict"):
        """Return the text of ids that come one by one, an iterator of str: whole characters only, the text of `decode`.

        ids, errors: as for `decode`. A character comes with the id that completes it. Raises as `decode` does, when the
        iterator reaches what is wrong; that the last id ends within a character shows at the end. Lesson 4.

        >>> from tokenlab import pretrained
        >>> list(pretrained.load("o200k_base").decode_stream([64, 112927, 243]))
        ['a', '🚕']
        """
        choose(errors, ERRORS, "way to handle errors")
        return decode_tokens(((i, *self._spell([i])) for i in each_id(ids)), errors)

    @cached_property
    def merges(self):
        """The pairs that were joined, in the order of learning: a tuple of (left, right), each bytes. Lesson 4.

        Nothing but the tokens and the order of their ids is needed to find them. It takes some seconds for 200,000.

        Raises ValueError for a token that merging cannot make.

        >>> from tokenlab import pretrained
        >>> pretrained.load("gpt2").merges[:3]
        ((b' ', b't'), (b' ', b'a'), (b'h', b'e'))
        """
        return tuple(recover_merges(self._encoder.spell(self._tokens[i]) for i in self._merged))

    def with_special(self, special_tokens):
        """Return a new tokenizer that has `special_tokens` (a mapping of str -> int) too. Lesson 4.

        Raises ValueError for an id that is taken, and for a name that already has another id.

        >>> from tokenlab import pretrained
        >>> tok = pretrained.load("gpt2").with_special({"<|user|>": 50257})
        >>> tok.encode("<|user|>Hi", allowed_special=["<|user|>"])
        [50257, 17250]
        """
        more = id_table(special_tokens, str, "special_tokens")
        for name in more.keys() & self._special.keys():
            if more[name] != self._special[name]:
                raise ValueError(f"special token {short(name)} has id {self._special[name]} already, not {short(more[name])}: "
                                 f"choose another name, or keep that id")
        return Tokenizer(self._ids, pattern=self.pattern, special_tokens=self._special | more,
                         alphabet=self.alphabet, end_of_word=self.end_of_word, name=self.name,
                         whole_chunk_first=self.whole_chunk_first)

    def __repr__(self):
        special = len(self._special)
        return (f"<Tokenizer{self._shown_name()}: {len(self._ids)} tokens, {special} special token{'s' * (special != 1)}, "
                f"pattern {short(self.pattern, 40)}>")

    # ---- inside

    @cached_property
    def _tokens(self):
        return {i: token for token, i in self._ids.items()}

    @cached_property
    def _spelled(self):
        """What each id adds to a text, in bytes."""
        end = self.end_of_word.encode()
        tokens = {i: token.removesuffix(end) for i, token in self._tokens.items()} if end else self._tokens
        return tokens | {i: name.encode() for name, i in self._special.items()}

    @cached_property
    def _merged(self):
        """The ids of the tokens that are no symbols of the alphabet, in the order of learning."""
        end = self.end_of_word.encode()
        return sorted(i for token, i in self._ids.items() if token != end and len(token if self.alphabet == "bytes" else token.decode()) > 1)

    def _check(self):
        """Raise unless tokens and special tokens fit together."""
        symbols = BYTES if self.alphabet == "bytes" else []
        missing = [symbol for symbol in (*symbols, self.end_of_word.encode()) if symbol and symbol not in self._ids]
        if missing:
            raise ValueError(f"token_ids lacks {len(missing)} of the symbols that texts are made of, first {short(missing[0])}: "
                             f"with alphabet={self.alphabet!r}, end_of_word={short(self.end_of_word)} each needs an id")
        if self.alphabet == "characters" and (broken := [token for token in self._ids if not is_text(token)]):
            raise ValueError(f"token {short(broken[0])} is not made of whole characters: use alphabet='bytes'")
        for name, i in self._special.items():
            need_text(name, "the name of a special token")
            if i in self._tokens:
                raise ValueError(f"special token {short(name)} has id {short(i)}, which is the id of token "
                                 f"{short(self._tokens[i])}: special tokens need ids of their own")


def id_table(table, kind, what):
    """Return `table` as a dict, checked: a mapping of strings (of type `kind`) to ids, none empty, each id its own."""
    if not isinstance(table, Mapping):
        raise TypeError(f"{what} must be a mapping of {kind.__name__} to int, not {type(table).__name__}")
    if set(map(type, table)) - {kind} or set(map(type, table.values())) - {int}:
        odd = next(item for item in table.items() if tuple(map(type, item)) != (kind, int))
        raise TypeError(f"{what} must map {kind.__name__} to int, unlike {short(odd)}")
    if kind() in table:
        raise ValueError(f"{what} holds the empty {kind()!r}, with id {short(table[kind()])}: leave it out")
    if len(set(table.values())) < len(table) or min(table.values(), default=0) < 0:
        raise ValueError(f"{what} must give each token an id of its own, from 0 up")
    return dict(table)
