"""Where Unigram begins: the words of a text, and the many pieces of which training keeps the best."""
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate

from ..errors import package, short
from ..pretokenize import count_chunks
from . import np
from .lattice import Lattices

SEEDS = {
    "substrings": "every substring of a word",
    "branching": "substrings of one script that two different characters follow somewhere (what SentencePiece means)",
    "branching-bytes": "those that two different first bytes follow, which misses many outside English (SentencePiece 0.2.3)",
    "unique-words": "substrings that two different characters follow, each distinct word counted once; scripts may mix (Hugging Face tokenizers)",
}
LONGEST = 16            # characters of a piece, as in both libraries
MOST_WORDS = 2**53      # in a corpus: floats count no further


def read_chunks(source, seeds="branching"):
    """Return the words of `source`, longest first, each with what follows it: a dict of str -> count.

    source: a str or an iterable of str, whose lines are cut at blanks and ▁ set before each word; or a mapping
    word -> count, taken as it stands. What follows is ▁, or NUL at the end of a line; the seeds of SentencePiece tell the two apart.

    >>> read_chunks("to be\\nor to be")
    {'▁to▁': 2, '▁be\\x00': 2, '▁or▁': 1}
    """
    if isinstance(source, Mapping):
        chunks = Counter({word + "\0": count for word, count in count_chunks(source).items() if word})
    else:
        chunks, blank = Counter(), "▁" if seeds.startswith("branching") else "\0"
        for document, times in count_chunks(source, "none").items():
            for word, end in re.findall("([^▁ \n]+)[▁ ]*(\n?)", document + "\n"):
                chunks["▁" + word + ("\0" if end else blank)] += times
    if not 0 < chunks.total() <= MOST_WORDS:
        raise ValueError(f"the corpus must have from 1 to {MOST_WORDS:,} words, counts and all: it has {short(chunks.total())}" if chunks else
                         "the corpus is empty: there is no word to learn from")
    return dict(sorted(chunks.items(), key=lambda item: -len(item[0])))


def read_words(source):
    """Return the words of `source`, as `read_chunks` has them, without what follows: a dict of word -> count."""
    return {chunk[:-1]: count for chunk, count in read_chunks(source, "substrings").items()}


def cover(chunks, coverage):
    """Return the characters, most frequent first, until they make up `coverage` of the text, as a list of str."""
    counts = Counter()
    for chunk, times in chunks.items():
        for character in chunk[:-1]:
            counts[character] += times
    ranked = sorted(counts, key=lambda character: (-counts[character], character))
    before = accumulate(map(counts.get, ranked), initial=0)
    return [character for character, share in zip(ranked, before) if share < coverage * counts.total()]


def find_seeds(chunks, seeds, required):
    """Return the seed pieces, their scores (frequency × length), and where they stand: (list, array, Lattices).

    Substrings of one length are numbered in one go, by the number of the one that is shorter by a character, and the
    character. What occurs once has but one character after it, and so has all that begins with it: it is left out.
    "branching" too compares the bytes of what is no letter: so it gives SentencePiece's seeds for English with its dashes.
    """
    counts, sizes, text = np.array([*chunks.values()], float), np.array([*map(len, chunks)]), "".join(chunks)
    # known: the distinct characters, in code-point order; code: of each place in the text, which of them stands there
    known, code = np.unique(np.frombuffer(text.encode("utf-32-le"), np.uint32), return_inverse=True)
    characters = [chr(number) for number in known.tolist()]
    ends = sizes.cumsum() - 1
    # chunk: of each place, the number of its chunk; begin: of each chunk, the place of its first character
    chunk, begin = np.repeat(np.arange(len(sizes)), sizes), ends - sizes + 1
    other = np.array([character not in required for character in characters])[code]
    # fence: of each place, whether no piece goes on over it from the place before
    fence = np.isin(np.arange(len(code)), ends)
    fence[1:] |= other[1:] | other[:-1]
    if seeds.startswith("branching"):
        scripts, script = np.unique([*map(_script, characters)], return_inverse=True)
        mark = scripts[script[code]] == "Inherited"                     # has the script of what it stands on
        script = script[code[np.maximum.accumulate(np.where(mark, 0, np.arange(len(code))))]]
        fence[1:] |= (script[1:] != script[:-1]) & (known[code[:-1]] != ord("▁"))
    follower = np.array([ord(c) if seeds == "unique-words" or seeds == "branching" and _script(c) != "Common" else c.encode()[0] for c in characters])
    weight = np.ones(len(counts)) if seeds == "unique-words" else counts
    pieces, scores, arcs = [], [], []
    at = np.delete(np.arange(len(code)), ends)          # the places where a substring of the length in hand starts
    name = code[at]                                     # the number of the substring that starts there: equal ones have the same
    for length in range(1, LONGEST + 1):
        longer, longer_name = np.unique(name * len(known) + code[at + length], return_inverse=True)
        shorter, last = np.divmod(longer, len(known))
        different = (np.diff(shorter, prepend=-1) != 0) | (np.diff(follower[last], prepend=-1) != 0)
        times = np.bincount(name, (counts if length == 1 else weight)[chunk[at]])
        several = np.bincount(shorter[different], minlength=len(times)) > 1
        good = np.flatnonzero(times if length == 1 or seeds == "substrings" else several)
        number, place = np.full(len(times), -1), np.zeros(len(times), int)
        number[good], place[name] = np.arange(len(good)) + len(pieces), at
        pieces += [text[i:i + length] for i in place[good].tolist()]
        scores.append(times[good] * length)
        here = number[name] >= 0
        start = at[here] - begin[chunk[at[here]]]
        arcs.append((chunk[at[here]], start, start + length, number[name[here]]))
        go = ~fence[at + length]
        if seeds != "substrings":
            go &= np.bincount(longer_name)[longer_name] > 1
        at, name = at[go], longer_name[go]
    return pieces, np.concatenate(scores), Lattices.of(counts, sizes - 1, *map(np.concatenate, zip(*arcs)))


def _script(character):
    """The script of a character, Chinese and Japanese as one: as named by Unicode, or by the first word of its letters' names.

    >>> [_script(character) for character in "aжあ漢7"]
    ['LATIN', 'CYRILLIC', 'CJK', 'CJK', 'Common']
    """
    regex = package("regex", "telling scripts")
    shared = regex.match(r"(\p{Script=Common})|\p{Script=Inherited}", character)
    if shared and character != "ー":
        return "Common" if shared[1] else "Inherited"
    name = unicodedata.name(character, "").split(" ")[0].split("-")[0]
    return "CJK" if name in ("HIRAGANA", "KATAKANA") else name
