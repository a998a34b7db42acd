"""WordPiece, the tokens of BERT: learned by a score, matched longest first. Beside byte-pair encoding, to compare."""
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from ..errors import short, whole
from ..pretokenize import NOT_COVERED, count_chunks, explain, split
from .base import Base
from .pairs import count_all, count_pairs, merge
from .tokenizer import id_table

CONTINUES, UNKNOWN = "##", "[UNK]"


class WordPieceMerge(NamedTuple):
    """One step of training."""
    number: int                             # from 1
    pair: tuple[str, str]                   # the pieces that were joined
    token: str                              # the new piece
    count: int                              # occurrences of the pair, overlapping ones too
    score: Fraction                         # count / (occurrences of the left piece * occurrences of the right one)
    tied: int                               # how many pairs had this score, this one among them


class WordPieceTrace(NamedTuple):
    """A whole training run. Lesson 4."""
    merges: tuple[WordPieceMerge, ...]
    alphabet: tuple[str, ...]               # the pieces before the first merge, in code-point order
    pattern: str

    def tokenizer(self, vocab_size=None):
        """Return the WordPiece of the first `vocab_size` pieces (default: all); `[UNK]` is apart from them, with id 0."""
        pieces = [*self.alphabet, *(step.token for step in self.merges)]
        size = len(pieces) if vocab_size is None else vocab_size
        whole(size, "vocab_size", len(self.alphabet), len(pieces), " (alphabet to all merges of this trace)")
        return WordPiece(dict.fromkeys([UNKNOWN, *pieces[:size]]).keys(), pattern=self.pattern)


def train_wordpiece(source, *, vocab_size=1000, pattern="words"):
    """Learn WordPiece merges from `source`, the highest score first, and return the run as a WordPieceTrace.

    The score of a pair is count(ab) / (count(a) * count(b)): a pair wins whose halves seldom stand elsewhere. A piece that
    continues a word begins with ##. Of equal scores (exact fractions) the pair goes first that is met first, reading the
    corpus as it stands. Every step counts everything anew: meant for toys. It stops early when no pair is left.

    source: a str, an iterable of str, or a mapping word -> count; what the pattern leaves out (white space) is dropped.
    vocab_size: alphabet and merges together, `[UNK]` apart.

    The trainer behind BERT was not published; the score is from the Hugging Face course, chapter 6. (Its example gives
    hu + ##g the score 1/15; 10 / (15 * 15) is 2/45, so hugs comes before hug.) The trainer of the library `tokenizers`
    does not use the score: it merges the most frequent pair, as BPE does, and numbers the pieces with ## in another order
    in each run, so only encoding can be compared with it.

    Raises ValueError for a vocab_size below the alphabet, TypeError for what is no text.
    Source: Schuster and Nakajima 2012 (pairs that help the likelihood most); Devlin et al. 2019 (##, [UNK]). Lesson 4.

    >>> trace = train_wordpiece({"hug": 10, "pug": 5, "pun": 12, "bun": 4, "hugs": 5}, vocab_size=11)
    >>> for step in trace.merges:
    ...     print(step.pair, step.token, step.count, step.score)
    ('##g', '##s') ##gs 5 1/20
    ('h', '##u') hu 15 1/36
    ('hu', '##gs') hugs 5 1/15
    ('hu', '##g') hug 10 1/15
    """
    counts, merges = count_chunks(source, pattern, gaps="drop"), []
    marked = next((word for word in counts if word.startswith(CONTINUES)), None)
    if marked:
        raise ValueError(f"{short(marked)} begins with {CONTINUES}, the mark of a piece that continues a word: leave it out")
    words = [[*word[:1], *(CONTINUES + character for character in word[1:])] for word in counts]
    alphabet = sorted(set().union(*words))
    whole(vocab_size, "vocab_size", len(alphabet), advice=f" (this text has {len(alphabet)} pieces before any merge)")
    while len(alphabet) + len(merges) < vocab_size and (pairs := count_all(count_pairs, words, counts.values())):
        alone = count_all(Counter, words, counts.values())
        scores = {(a, b): Fraction(count, alone[a] * alone[b]) for (a, b), count in pairs.items()}
        best = max(scores, key=scores.get)                      # of equals the first
        token = best[0] + best[1].removeprefix(CONTINUES)
        words = [merge(word, best, token) for word in words]
        tied = list(scores.values()).count(scores[best])
        merges.append(WordPieceMerge(len(merges) + 1, best, token, pairs[best], scores[best], tied))
    return WordPieceTrace(tuple(merges), tuple(alphabet), pattern)


class WordPiece(Base):
    """A WordPiece tokenizer: each word is cut from the left, always at the longest piece that the vocabulary has.

    A word that cannot be spelled so to its end becomes one `[UNK]`, and so does a word of more than `most_characters`.
    White space between words is not kept: `lost` says what of a text its ids do not hold. Uncased BERT lower-cases and
    strips accents first, and every BERT makes each punctuation sign a word: do that before, or in the pattern.

    vocabulary: the pieces in the order of their ids (as in BERT's vocab.txt), or a mapping of piece (str) -> id (int).
    pattern: what cuts a text into words, as for `bpe.train`. unknown: a piece of the vocabulary.
    name: what `repr` shows.
    The special token is `unknown`; `vocabulary` has the pieces as they are written, in UTF-8.

    Raises ValueError without the unknown piece, for an empty piece or one given twice; TypeError for other types.
    Source: Devlin et al. 2019; bert/tokenization.py (`WordpieceTokenizer`). Lesson 4.

    >>> tok = WordPiece(["[UNK]", "b", "p", "##u", "##s", "##gs", "##g", "hug"])
    >>> tok.pieces("hugs bugs mug"), tok.encode("hugs bugs mug")
    (['hug', '##s', 'b', '##u', '##gs', '[UNK]'], [7, 4, 1, 3, 5, 0])
    >>> tok.decode([7, 4, 1, 3, 5, 0])
    'hugs bugs [UNK]'
    """

    def __init__(self, vocabulary, *, pattern="words", unknown=UNKNOWN, most_characters=100, name=""):
        table = vocabulary if isinstance(vocabulary, Mapping) else {piece: i for i, piece in enumerate(vocabulary)}
        self._ids, self.pattern, self.name = id_table(table, str, "vocabulary"), pattern, name
        if len(table) < len(vocabulary) or unknown not in table:
            raise ValueError(f"vocabulary must hold each piece once, and the piece {short(unknown)}, which stands for words "
                             f"that it cannot spell: add it, or name another one with unknown=")
        self.most_characters, self._special, self._unknown = most_characters, {unknown: table[unknown]}, [table[unknown]]
        self._spelled = {i: piece.encode() for piece, i in table.items()}
        self._tokens = {i: piece for i, piece in self._spelled.items() if i != table[unknown]}

    def __repr__(self):
        return f"<WordPiece{self._shown_name()}: {len(self)} pieces, pattern {short(self.pattern, 40)}>"

    def lost(self, s):
        """Return what of `s` its ids do not hold, in order: white space, and words that became `[UNK]`.

        >>> WordPiece(["[UNK]", "hug", "##s"]).lost("hugs mugs")
        ' mugs'
        """
        return "".join(word for word, part in explain(s, self.pattern) if part == NOT_COVERED or self._match(word) == self._unknown)

    def _encode(self, text):
        return [i for word in split(text, self.pattern, gaps="drop") for i in self._match(word)]

    def _text(self, data, errors):
        """The text of pieces with a blank before each: none is left at the beginning, and none before ##."""
        return data.decode("utf-8", errors)[1:].replace(" " + CONTINUES, "")

    def _spell(self, ids):
        return [b" " + piece for piece in super()._spell(ids)]

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
        return ids if start == len(word) else self._unknown
