"""From ordinary text to ids: cut into chunks, join each chunk, remember what was seen before."""
from itertools import chain

from ..errors import short
from ..pretokenize import CUT, CUT_AT_BLANKS, split, split_stream
from .joins import join

BYTES = [bytes([byte]) for byte in range(256)]
REMEMBERED = 1_000_000          # characters of text whose ids are kept between calls, at most


class Encoder:
    """The part of a `Tokenizer` that turns ordinary text into ids. The arguments are the Tokenizer's. Lesson 4.

    >>> encoder = Encoder({b"a": 0, b"b": 1, b"ab": 2}, "whitespace", "characters", "", False)
    >>> encoder.encode("abba"), encoder.spell(b"ab")
    ([2, 1, 0], [b'a', b'b'])
    """

    def __init__(self, ids, pattern, alphabet, end_of_word, whole_chunk_first):
        self.ids, self.pattern, self.alphabet, self.end_of_word = ids, pattern, alphabet, end_of_word
        self.taken_whole = ids if whole_chunk_first else {}
        split("", pattern)                                      # a wrong pattern fails here, not at the first text
        self._forget()

    def encode(self, text):
        """Return the ids of `text`: a list of int; errors as in `Tokenizer.encode`."""
        if self.end_of_word and self.end_of_word in text:
            raise ValueError(f"the text holds {short(self.end_of_word)}, which marks the end of a word here: take it out, or "
                             f"train with another end_of_word")
        if self._room < 0:                                      # an error ended the call before this one
            self._forget()
        # The ids of a unit, the text between two cuts, do not depend on what stands around it. Only the last one can end in white
        # space, whose chunks depend on whether text follows: it is split by itself, and so is the first, which has no blank before it.
        first, *units = CUT.split(text) if self.pattern in CUT_AT_BLANKS else [text]
        last = split(" " + units.pop(), self.pattern) if units else []
        ids = [*chain.from_iterable(self._ids_of(split(first, self.pattern)))]
        of_first = len(ids)
        try:
            ids += chain.from_iterable(map(self._of_unit.__getitem__, units))
        except KeyError:
            self._learn([unit for unit in dict.fromkeys(units) if unit not in self._of_unit])
            ids[of_first:] = chain.from_iterable(map(self._of_unit.__getitem__, units))
        ids += chain.from_iterable(self._ids_of(last))
        if self._room < 0:
            self._forget()
        return ids

    def encode_stream(self, pieces):
        """Yield the ids of the text that `pieces` are cuts of; errors as in `Tokenizer.encode`."""
        if self.end_of_word:                                    # it may be cut anywhere, and must be found
            yield from self.encode("".join(pieces))
            return
        for chunk in split_stream(pieces, self.pattern):
            yield from self._of_chunk.get(chunk) or next(self._ids_of([chunk]))
            if self._room < 0:
                self._forget()

    def spell(self, token):
        """Return the symbols that `token`, bytes, was made from: a list of bytes; errors as in `Tokenizer.encode`."""
        if self.alphabet == "bytes":
            return list(map(BYTES.__getitem__, token))
        end = self.end_of_word.encode()
        ends = bool(end) and token.endswith(end)
        symbols = [character.encode() for character in token.removesuffix(end).decode()]
        unknown = next((symbol for symbol in symbols if symbol not in self.ids), None)
        if unknown is not None:
            raise ValueError(f"character {unknown.decode()!r} is not in the alphabet of this tokenizer: train it on a "
                             f"text that holds the character, or with alphabet='bytes'")
        return symbols + [end] * ends

    def _forget(self):
        self._of_chunk, self._of_unit, self._room = {}, {}, REMEMBERED

    def _ids_of(self, chunks):
        """Return the ids of each chunk: an iterator of tuples. What is new among `chunks`, a list of str, is kept."""
        known, number = self._of_chunk, self.ids.__getitem__
        new = [chunk for chunk in dict.fromkeys(chunks) if chunk not in known]
        self._room -= sum(map(len, new))
        tokens = [(chunk + self.end_of_word).encode() for chunk in new]
        for chunk, token, whole in zip(new, tokens, map(self.taken_whole.get, tokens)):
            known[chunk] = tuple(map(number, join(self.spell(token), self.ids))) if whole is None else (whole,)
        return map(known.__getitem__, chunks)

    def _learn(self, units):
        """Find the ids of `units`, texts without the blank before each, and keep them."""
        chunks = split(" " + " ".join(units), self.pattern)     # in one call, for each costs something
        rest, of_unit = zip(map(len, chunks), self._ids_of(chunks)), self._of_unit
        for unit in units:
            length, ids = next(rest)
            left = len(unit) + 1 - length                       # a unit is as long as its chunks, but for its blank
            while left:
                length, more = next(rest)
                ids, left = ids + more, left - length
            of_unit[unit] = ids
        self._room -= sum(map(len, units))
