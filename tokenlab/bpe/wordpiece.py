"""WordPiece, the tokens of BERT: learned by a score, matched longest first. Beside byte-pair encoding, to compare."""
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from ..errors import need_text, short, whole
from ..pretokenize import NOT_COVERED, count_chunks, explain, split
from .naive import count_all_pairs
from .pairs import merge
from .special import sections

CONTINUES, UNKNOWN = "##", "[UNK]"


class WordPieceMerge(NamedTuple):
    """One step of training."""
    number: int                             # from 1
    pair: tuple[str, str]                   # the pieces that were joined
    token: str                              # the new piece
    count: int                              # occurrences of the pair, overlapping ones too
    score: Fraction                         # count / (occurrences of the left piece * occurrences of the right one)
    tied: int                               # how many pairs had this score, this one among them


@dataclass(frozen=True)
class WordPieceTrace:
    """A whole training run: what `train_wordpiece` returns. Lesson 4."""
    merges: tuple[WordPieceMerge, ...]
    alphabet: tuple[str, ...]               # the pieces before the first merge, in code-point order
    stopped: str                            # "vocab_size" | "no pair left"
    pattern: str

    def tokenizer(self, vocab_size=None):
        """Return the WordPiece of the first `vocab_size` pieces (default: all), `[UNK]` apart: it has the id 0."""
        pieces = list(dict.fromkeys([*self.alphabet, *(merge.token for merge in self.merges)]))
        size = len(pieces) if vocab_size is None else vocab_size
        size = whole(size, "vocab_size", len(self.alphabet), len(pieces), " (alphabet to all merges of this trace)")
        return WordPiece([UNKNOWN, *pieces[:size]], pattern=self.pattern)


def train_wordpiece(source, *, vocab_size=1000, pattern="words"):
    """Learn WordPiece merges from `source`, highest score first, and return the run as a WordPieceTrace.

    The score of a pair is count(ab) / (count(a) * count(b)), so a pair wins whose halves seldom stand elsewhere. A piece
    that continues a word begins with ##. Of equal scores, compared as exact fractions, the pair goes first that is met
    first in the corpus as it stands, as in the rule first-seen.

    source: a str, an iterable of str, or a mapping word -> count; what the pattern leaves out (white space) is dropped.
    vocab_size: alphabet and merges together, `[UNK]` apart. Everything is counted anew in each step: meant for toys.

    BERT's own trainer was never published; the score is how the Hugging Face course (chapter 6) tells it. The trainer of
    the library `tokenizers` does not use it: it merges the most frequent pair, as BPE does, over pieces with ##, and
    numbers these in another order in each run. So only encoding can be compared with it. Lesson 4.

    Raises ValueError for a vocab_size below the alphabet, TypeError for what is no text.
    Source: Schuster and Nakajima 2012 (the idea: pairs that help the likelihood most); Devlin et al. 2019 (##, [UNK]).

    >>> trace = train_wordpiece({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, vocab_size=11)
    >>> for step in trace.merges:
    ...     print(step.token, step.count, step.score)
    ##gs 5 1/20
    hu 15 1/36
    hugs 5 1/15
    hug 10 1/15
    """
    counts = count_chunks(source, pattern, gaps="drop")
    words = [[word[0], *(CONTINUES + character for character in word[1:])] for word in counts if word]
    weights = [count for word, count in counts.items() if word]
    alphabet = sorted(set().union(*words))
    vocabulary, merges, stopped = set(alphabet), [], "vocab_size"
    whole(vocab_size, "vocab_size", len(alphabet), advice=f" (the alphabet of this text has {len(alphabet)} pieces)")
    while len(vocabulary) < vocab_size:
        pairs, alone = count_all_pairs(words, weights), Counter()
        if not pairs:
            stopped = "no pair left"
            break
        for word, weight in zip(words, weights):
            for piece in word:
                alone[piece] += weight
        scores = {(a, b): Fraction(count, alone[a] * alone[b]) for (a, b), count in pairs.items()}
        best = max(scores, key=scores.get)                      # of equals the first
        token = best[0] + best[1].removeprefix(CONTINUES)
        words = [merge(word, best, token) for word in words]
        vocabulary.add(token)
        tied = list(scores.values()).count(scores[best])
        merges.append(WordPieceMerge(len(merges) + 1, best, token, pairs[best], scores[best], tied))
    return WordPieceTrace(tuple(merges), tuple(alphabet), stopped, pattern)


class WordPiece:
    """A WordPiece tokenizer: each word is cut from the left, always at the longest piece that the vocabulary has.

    A word that cannot be spelled so to its end becomes one `[UNK]` as a whole, and so does a word of more than
    `most_characters`. White space between words is not kept: `lost` says what of a text its ids do not hold.
    BERT itself also splits at each sign and, in the uncased models, lower-cases and strips accents before: do that first.

    vocabulary: the pieces in the order of their ids (as in BERT's vocab.txt), or a mapping of piece (str) -> id (int).
    pattern: what cuts a text into words, as for `bpe.train`; what it leaves out is dropped. unknown: a piece.

    Raises ValueError without the unknown piece, for an empty piece or one given twice; TypeError for other types.
    Source: Devlin et al. 2019; bert/tokenization.py (`WordpieceTokenizer`). Lesson 4.

    >>> tok = WordPiece(["[UNK]", "b", "p", "##u", "##s", "##gs", "##g", "hug"])
    >>> tok.pieces("hugs bugs mug"), tok.encode("hugs bugs mug")
    (['hug', '##s', 'b', '##u', '##gs', '[UNK]'], [7, 4, 1, 3, 5, 0])
    >>> tok.decode([7, 4, 1, 3, 5, 0])
    'hugs bugs [UNK]'
    """

    def __init__(self, vocabulary, *, pattern="words", unknown=UNKNOWN, most_characters=100, name=""):
        items = list(vocabulary.items()) if isinstance(vocabulary, Mapping) else [(p, i) for i, p in enumerate(vocabulary)]
        self._ids = {need_text(piece, "a piece"): whole(i, "an id", 0) for piece, i in items}
        self._pieces = {i: piece for piece, i in self._ids.items()}
        self.pattern, self.unknown, self.name = pattern, unknown, name
        self.most_characters = whole(most_characters, "most_characters", 1)
        split("", pattern)                                      # a wrong pattern fails here
        if "" in self._ids or len(self._pieces) < len(items):
            raise ValueError("vocabulary must give each piece an id of its own, and hold no empty piece")
        if unknown not in self._ids:
            raise ValueError(f"vocabulary lacks the unknown piece {short(unknown)}, which stands for words that it cannot "
                             f"spell: add it, or name another one with unknown=")

    def encode(self, s, allowed_special=(), disallowed_special="raise"):
        """Return the ids of `s`: a list of int. `[UNK]` in the text itself is a special token, as in `Tokenizer.encode`."""
        ids = []
        for text, special in sections(s, self.special_tokens, allowed_special, disallowed_special):
            if special is None:
                ids += [i for word in split(text, self.pattern, gaps="drop") for i in self._match(word)]
            else:
                ids.append(special)
        return ids

    def pieces(self, s, **special):
        """Return the pieces of `s` as the vocabulary writes them: a list of str. Keyword arguments as for `encode`."""
        return [self._pieces[i] for i in self.encode(s, **special)]

    def tokens(self, s, **special):
        """Return the pieces of `s` in UTF-8: a list of bytes, as every tokenizer here has it."""
        return [piece.encode() for piece in self.pieces(s, **special)]

    def decode(self, ids):
        """Return the text of `ids`: the pieces with a blank before each that does not begin with ##.

        Raises ValueError for an unknown id.
        """
        try:
            return " ".join([self._pieces[i] for i in ids]).replace(" " + CONTINUES, "")
        except KeyError as error:
            raise ValueError(f"unknown id {short(error.args[0])}: this tokenizer has {len(self)} pieces") from None

    def lost(self, s):
        """Return what of `s` its ids do not hold, in order: white space, and words that became `[UNK]`.

        >>> WordPiece(["[UNK]", "hug", "##s"]).lost("hugs mugs")
        ' mugs'
        """
        return "".join(piece for piece, part in explain(s, self.pattern)
                       if part == NOT_COVERED or self._match(piece) == [self._ids[self.unknown]])

    @property
    def vocabulary(self):
        """The pieces in UTF-8, `[UNK]` apart: a read-only dict of id -> bytes."""
        return MappingProxyType({i: piece.encode() for i, piece in self._pieces.items() if piece != self.unknown})

    @property
    def special_tokens(self):
        """The unknown piece: a read-only dict of str -> id."""
        return MappingProxyType({self.unknown: self._ids[self.unknown]})

    def __len__(self):
        return len(self._ids)

    def __repr__(self):
        return f"<WordPiece{' ' + short(self.name) if self.name else ''}: {len(self)} pieces, pattern {short(self.pattern, 40)}>"

    def _match(self, word):
        """The ids of one word: the longest piece that begins it, then the longest that goes on from there."""
        ids, start = [], 0
        while start < len(word) <= self.most_characters:
            mark = CONTINUES if start else ""
            end = next((end for end in range(len(word), start, -1) if mark + word[start:end] in self._ids), None)
            if end is None:
                break
            ids.append(self._ids[mark + word[start:end]])
            start = end
        return ids if start == len(word) else [self._ids[self.unknown]]
