"""Encode with a Unigram model: of all segmentations of a text, the most probable one."""
import math

from ..errors import short
from ..sentencepiece.tokenizer import PieceTokenizer
from . import words

LEAST = -700                    # of all scores: floats can still hold the probability
UNKNOWN_PENALTY = 10.0          # an unknown character costs this much more than the least probable piece


class Tokenizer(PieceTokenizer):
    """A tokenizer that takes, of all segmentations, the one whose pieces have the greatest product of probabilities.

    Of equal ones it takes the one with the longest last piece, and so on from the end; the sums of the logarithms are
    exact (32-bit scores, 64-bit sums), so that equal means equal. A character that no piece covers is a piece of its
    own, unknown, with the least score of all minus 10; bytes stand in for it afterwards. The arguments are those of
    `sentencepiece.PieceTokenizer`; scores are natural logarithms. Raises ValueError for scores above 0 or below -700, too.
    Source: Kudo 2018, Subword regularization; SentencePiece, unigram_model.cc. Lessons 5 and 8.

    >>> tok = Tokenizer({"▁": -2.0, "h": -3.0, "u": -3.0, "g": -3.0, "ug": -4.0, "▁hug": -7.0})
    >>> tok
    <unigram.Tokenizer: 9 pieces>
    >>> tok.pieces("hug ugh"), tok.encode("hug ugh")
    (['▁hug', '▁', 'ug', 'h'], [8, 3, 7, 4])
    """

    def nbest(self, s, n):
        """Return the `n` most probable segmentations of `s`, best first: a list of (tuple of str, log probability).

        Special tokens are taken as text, unknown characters stand alone. As `unigram.nbest`, of the normalized text. Lesson 8.

        >>> from tokenlab import pretrained
        >>> [" ".join(pieces) for pieces, _ in pretrained.load("t5").nbest("hedgehogs", 3)]
        ['▁hedge hog s', '▁hedge h o g s', '▁ h edge hog s']
        """
        return words.nbest(*self._word(s), n)

    def sample(self, s, alpha=1.0, n=1, random_seed=0):
        """Return `n` random segmentations of `s`, by probability to the power `alpha`: a list of tuples of str.

        As `unigram.sample`, of the normalized text: exact. Lesson 8.

        >>> from tokenlab import pretrained
        >>> [" ".join(pieces) for pieces in pretrained.load("t5").sample("hedgehogs", alpha=0.1, n=3)]
        ['▁ h edge h o g s', '▁ h edge hog s', '▁ h e d g e h o g s']
        """
        return words.sample(*self._word(s), alpha, n, random_seed)

    def _word(self, s):
        """Return the normalized text, and the probability of each piece in it and of its unknown characters: (str, dict)."""
        normal = self.normalizer(s)
        found = {normal[i:i + length] for length in self._lengths for i in range(len(normal) - length + 1)}
        return normal, {piece: math.exp(min(0.0, self._scores.get(piece, self._unknown_score)))
                        for piece in found if len(piece) == 1 or piece in self._scores}

    def _prepare(self):
        scores = {text: self.model[i].score for text, i in self._ids.items() if self.model[i].kind == "normal"}
        if wrong := next((piece for piece, score in scores.items() if not LEAST <= score <= 0), None):
            raise ValueError(f"piece {short(wrong)} has score {scores[wrong]}: the logarithm of a probability is at most 0, and here from {LEAST} up")
        self._unknown_score = min(scores.values(), default=0.0) - UNKNOWN_PENALTY
        # User-defined symbols are given a bonus, so that they are preferred to what else could stand there.
        self._scores = {text: scores.get(text, 0.1 * (len(text.encode()) - 1)) for text in self._ids}
        # The lengths of pieces, and what a string of that length scores that is none.
        self._lengths = dict.fromkeys(sorted({1, *map(len, self._scores)}), -math.inf) | {1: self._unknown_score}

    def _segment(self, unit):
        """Return the pieces of the best segmentation (Viterbi): for each end, the best score and where its last piece starts."""
        size, scores = len(unit), self._scores
        best, starts, lengths = [0.0] + [-math.inf] * size, [0] * (size + 1), self._lengths.items()
        for start, reached in enumerate(best):
            for length, other in lengths:
                end = start + length
                if end > size:
                    break
                score = reached + scores.get(unit[start:end], other)
                if score > best[end]:
                    best[end], starts[end] = score, start
        pieces = []
        while size:
            pieces.append(unit[starts[size]:size])
            size = starts[size]
        return pieces[::-1]
