"""Encode with a Unigram model: of all segmentations of a text, the most probable one."""
from array import array

from ..errors import short
from ..sentencepiece.tokenizer import PieceTokenizer

UNKNOWN_PENALTY = 10.0          # an unknown character costs this much more than the least probable piece


class Tokenizer(PieceTokenizer):
    """A tokenizer that takes, of all segmentations, the one whose pieces have the greatest product of probabilities.

    Of equal ones it takes the one with the longest last piece, and so on from the end; the sums of the logarithms are
    exact (32-bit scores, 64-bit sums), so that equal means equal. A character that no piece covers is a piece of its
    own, unknown, with the least score of all minus 10; bytes stand in for it afterwards. The arguments are those of
    `sentencepiece.PieceTokenizer`; scores are natural logarithms. Raises ValueError for scores above 0, too.
    Source: Kudo 2018, Subword regularization; SentencePiece, unigram_model.cc. Lessons 5 and 8.

    >>> tok = Tokenizer({"▁": -2.0, "h": -3.0, "u": -3.0, "g": -3.0, "ug": -4.0, "▁hug": -7.0})
    >>> tok
    <unigram.Tokenizer: 9 pieces>
    >>> tok.pieces("hug ugh"), tok.encode("hug ugh")
    (['▁hug', '▁', 'ug', 'h'], [8, 3, 7, 4])
    """

    def _prepare(self):
        scores = {text: self.model[i].score for text, i in self._ids.items() if self.model[i].kind == "normal"}
        if max(scores.values(), default=0) > 0:
            piece = max(scores, key=scores.get)
            raise ValueError(f"piece {short(piece)} has score {scores[piece]}: the logarithm of a probability is at most 0")
        scores = dict(zip(scores, array("f", scores.values())))             # rounded as in a .model
        self._unknown_score = min(scores.values(), default=0.0) - UNKNOWN_PENALTY
        # User-defined symbols are given a bonus, so that they are preferred to what else could stand there.
        self._scores = {text: scores.get(text, 0.1 * (len(text) - 1)) for text in self._ids}
        self._lengths = sorted({1, *map(len, self._scores)})

    def _segment(self, unit):
        """Return the pieces of the best segmentation (Viterbi): for each end, the best score and where its last piece starts."""
        size, scores = len(unit), self._scores
        best, starts = [0.0] + [float("-inf")] * size, [0] * (size + 1)
        for start in range(size):
            for length in self._lengths:
                end = start + length
                if end > size:
                    break
                score = scores.get(unit[start:end])
                if score is None and length == 1:
                    score = self._unknown_score
                if score is not None and best[start] + score > best[end]:
                    best[end], starts[end] = best[start] + score, start
        pieces = []
        while size:
            pieces.append(unit[starts[size]:size])
            size = starts[size]
        return pieces[::-1]
