"""Byte-pair encoding of characters, by the scores of a SentencePiece model."""
from itertools import chain

from ..bpe.joins import join, steps_of
from ..bpe.special import sections
from ..errors import short
from .tokenizer import META, Piece, PieceTokenizer


class CharacterBPE(PieceTokenizer):
    """A tokenizer that joins the two neighbours whose joined string has the highest score, the leftmost of equals.

    Any two neighbours that spell a piece are joined, whichever pair made the piece in training. User-defined symbols
    are cut out first. A piece that is marked as unused is joined, and taken apart in the end. The arguments are those
    of `PieceTokenizer`. Source: SentencePiece, bpe_model.cc. Lesson 8.

    >>> tok = CharacterBPE({"ab": -0.0, "▁": -1.0, "a": -2.0, "b": -3.0})
    >>> tok
    <sentencepiece.CharacterBPE: 7 pieces>
    >>> tok.pieces("aab c"), tok.encode("aab c")
    (['▁', 'a', 'ab', '▁', '<unk>'], [4, 5, 3, 4, 0])
    """
    def steps(self, s, **how):
        """Return how the pieces of `s` are joined: a list of `bpe.Step`, over all words in order, blanks as ▁.

        number: from 1 for the highest score; equal scores share one. Keyword arguments as for `encode`,
        without `unknown`. Lesson 8.

        >>> from tokenlab import pretrained
        >>> for step in pretrained.load("botchan-bpe").steps("the"):
        ...     print(step.number, b" ".join(step.tokens).decode())
        1 ▁t h e
        2 ▁t he
        7 ▁the
        """
        steps = []
        for text, special_id in sections(s, self._special, **how):
            units = self._units.findall(self.normalizer(text)) if special_id is None else ()
            # `kept` has a group, so of what `split` gives each second part is a user-defined symbol, which nothing joins.
            for chunk in chain.from_iterable(self.normalizer.kept.split(unit)[::2] for unit in units):
                steps += self._steps_of(chunk)
        return steps

    @classmethod
    def of(cls, tok, normalizer=None):
        """Return the CharacterBPE of `tok`, what `bpe.train` makes with alphabet="characters", pattern="none": the same ids.

        <unk>, <s> and </s> come after them. normalizer: as for `PieceTokenizer`; ▁ must stand for blanks in what `tok`
        was trained on. Raises ValueError for a tokenizer of another kind.

        >>> from tokenlab import bpe
        >>> trace = bpe.train({"▁low": 2, "▁lower": 1}, vocab_size=9, pattern="none", alphabet="characters")
        >>> CharacterBPE.of(trace.tokenizer()).pieces("lower low")
        ['▁low', 'e', 'r', '▁low']
        """
        order = sorted(tok.vocabulary)
        if (tok.alphabet, tok.end_of_word, tok.pattern, order, len(tok)) != ("characters", "", "none", [*range(len(tok))], len(order)):
            raise ValueError(f"{short(tok)} is no byte-pair tokenizer of characters without pattern and end of word: train with "
                             f"alphabet='characters', pattern='none', and words that begin with ▁")
        return cls([*(Piece(tok.vocabulary[i].decode(), -float(i)) for i in order), *META], normalizer=normalizer, name=tok.name)

    def _prepare(self):
        scores = {text: self.model[i].score for text, i in self._texts.items() if len(text) > 1}
        rank = {score: place for place, score in enumerate(sorted(set(scores.values()), reverse=True))}
        self._ranks = {text.encode(): rank[score] for text, score in scores.items()}

    def _steps_of(self, chunk):
        return steps_of(chunk, [character.encode() for character in chunk], self._ranks, lambda rank: rank + 1)

    def _segment(self, unit):
        pieces = []
        for number, part in enumerate(self.normalizer.kept.split(unit)):
            tokens = [part.encode()] if number % 2 else join([character.encode() for character in part], self._ranks)
            pieces += chain.from_iterable(self._used(token.decode()) for token in tokens)
        return pieces

    def _used(self, piece):
        """Return `piece`, or if it is unused what it was joined from: a list of pieces.

        All joins within a piece come as in the text that it was joined in, for none went over its borders.
        """
        if piece in self._ids or len(piece) == 1:
            return [piece]
        return [used for half in self._steps_of(piece)[-1].pair for used in self._used(half.decode())]
