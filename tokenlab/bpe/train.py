"""Byte-pair encoding at speed: the same merges as `train_naive`, touching only the words that hold the pair.

A word is a str with one character for each token, chr(id). So str.split finds all places of a pair, from left to right
and without overlap, and str.join puts the new token there: the inner loops run in C. Ids end at 1,114,111 for that.
"""
from collections import Counter, defaultdict
from heapq import heappop, heappush, heapreplace
from itertools import pairwise

from .learn import learn
from .ties import tiebreak

UNKNOWN = -1                                    # bytes before a pair, not counted yet: less than any number of them


def train(source, *, vocab_size=1000, pattern="gpt2", tie="first-seen", alphabet="bytes", end_of_word="",
          min_count=1, progress=None):
    """Learn merges from `source` by byte-pair encoding, and return the whole run as a Trace.

    source: a str (one document), an iterable of str (documents), or a mapping pre-token -> count, taken as it stands.
    vocab_size: alphabet and merges together; fewer merges come out when no pair is left.
    pattern: a name from `pretokenize.PATTERNS` or a regular expression; merges never cross its pieces.
    tie: a name from `TIE_RULES`. With "gpt2-order" the bytes are numbered as in GPT-2, else byte b has the id b.
    alphabet: "bytes" (all 256) or "characters" (those present, in code-point order).
    end_of_word: with "characters", a symbol of its own at the end of every pre-token; its id follows the characters'.
    min_count: the smallest count at which a pair is still merged, from 1.
    progress: called after each merge with (merges done, merges wanted). If it returns False (or anything else that counts
        as false, other than None) training ends there.

    Raises ValueError for an unknown name (with the nearest), a tie rule that does not fit the alphabet, a vocab_size
    below the alphabet, an end_of_word that occurs in the text, a count below 1, a lone surrogate; TypeError for bytes.
    Source: Sennrich, Haddow, Birch 2016 (characters); Radford et al. 2019 (bytes). Lesson 2; why it is fast, lesson 3.

    >>> trace = train({"low": 5, "lower": 2, "newest": 6, "widest": 3}, vocab_size=99, alphabet="characters")
    >>> [(merge.token, merge.count) for merge in trace.merges[:4]]
    [(b'es', 9), (b'est', 9), (b'lo', 7), (b'low', 7)]
    >>> trace.stopped
    'no pair left'
    """
    return learn(Pairs, source, vocab_size, pattern, tie, alphabet, end_of_word, min_count, progress)


class Pairs:
    """The words as they stand, and all pairs in them, ranked.

    A pair is a str of two tokens. It gains occurrences only in the step that makes the newer of its tokens; from then
    on it can only lose some. So what the heap says of a pair may be out of date, but never too bad: an entry at the
    top that is still true is the best of all, and only entries that come to the top need correcting.
    """

    def __init__(self, words, weights, tie, vocabulary):
        self.words = words                      # each distinct word once
        self.weights = weights                  # how often it occurs
        self.vocabulary = vocabulary            # token -> bytes
        self.counts = {}                        # pair -> occurrences, words weighted
        self.where = {}                         # pair -> the words that hold it or held it, in ascending order
        self.tied = Counter()                   # count -> how many pairs have it
        self.heap = []                          # (-count, tie-break, pair): the smallest is the best
        self.offsets = {}                       # word -> bytes before each of its tokens, as far as asked for
        self.tiebreak = self.first_word if tie == "first-seen" else tiebreak(tie, vocabulary)
        found = defaultdict(list)
        for i, word in enumerate(words):
            for pair in map(str.__add__, word, word[1:]):
                found[pair].append(i)
        for pair, held in found.items():
            self.add(pair, held)

    def add(self, pair, held):
        """Enter a new pair, and return its count; `held` names the word of each of its occurrences, in ascending order."""
        self.counts[pair] = count = sum(map(self.weights.__getitem__, held))
        self.where[pair] = list(dict.fromkeys(held))
        self.tied[count] += 1
        heappush(self.heap, (-count, self.tiebreak(pair), pair))
        return count

    def lose(self, pair, count):
        """Take `count` occurrences from a pair; its heap entry is corrected when it comes to the top."""
        self.tied[self.counts[pair]] -= 1
        self.counts[pair] -= count
        self.tied[self.counts[pair]] += 1

    def best(self):
        """Return the best pairs, two at most, each with its count, and how many have the count of the first. The first leaves the heap."""
        first = self.top()
        if not first:
            return [], 0
        heappop(self.heap)
        return [(pair, self.counts[pair]) for pair in (first, self.top()) if pair], self.tied[self.counts[first]]

    def top(self):
        """Return the best pair of the heap, or "" if there is none."""
        heap, counts = self.heap, self.counts
        while heap:
            count, key, pair = heap[0]
            if counts[pair] != -count:          # it has lost some since
                entry = (-counts[pair], self.tiebreak(pair), pair)
                heapreplace(heap, entry) if counts[pair] else heappop(heap)
            elif key[1] == UNKNOWN:             # only with first-seen: of all other keys the second part is a str or bytes, never a number
                heapreplace(heap, (count, self.place(pair), pair))
            else:
                return pair
        return ""

    def first_word(self, pair):
        """Return a place that is not behind the true one: all that is needed of a pair that is not at the top."""
        return self.where[pair][0], UNKNOWN

    def place(self, pair):
        """Return where the pair stands first, as (word, bytes before it): while its count stays, merges leave it there."""
        i, at = next((i, self.words[i].find(pair)) for i in self.where[pair] if pair in self.words[i])
        offsets = self.offsets.setdefault(i, [0])
        for token in self.words[i][len(offsets) - 1:at]:
            offsets.append(offsets[-1] + len(self.vocabulary[token]))
        return i, offsets[at]

    def merge(self, pair, new):
        """Write `new` for `pair`, which has left the heap, in all words; return how many occurrences it replaced."""
        (first, second), words, weights = pair, self.words, self.weights
        self.offsets.clear()
        before, after = defaultdict(list), defaultdict(list)        # neighbour of the pair -> word of each occurrence
        between, replaced = [], 0                                   # words in which two of the pair are neighbours
        for i in self.where.pop(pair):
            parts = words[i].split(pair)
            if len(parts) == 1:                 # it was here, and another merge has taken it
                continue
            words[i] = new.join(parts)
            replaced += weights[i] * (len(parts) - 1)
            for left, right in pairwise(parts):
                if left:
                    before[left[-1]].append(i)
                if right:
                    after[right[0]].append(i)
            if len(parts) > 2:
                between += [i] * parts[1:-1].count("")
        for token, held in before.items():
            self.lose(token + first, self.add(token + new, held))   # what the new pair gains, the old one loses
        for token, held in after.items():
            self.lose(second + token, self.add(new + token, held))
        if between:
            self.lose(second + first, self.add(new + new, between))
        self.tied[self.counts.pop(pair)] -= 1
        return replaced
