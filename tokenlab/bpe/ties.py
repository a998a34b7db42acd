"""Which of two equally frequent pairs goes first: six published answers."""
TIE_RULES = {
    "first-seen": "the pair met first, reading the corpus as it stands now (minbpe, tiktoken's educational trainer)",
    "lowest-ids": "the pair with the lowest ids (rustbpe)",
    "gpt2-order": "the pair with the lowest ids, bytes numbered as in GPT-2, printable ones first (Hugging Face tokenizers)",
    "greatest-bytes": "the pair whose bytes are greatest, the first token before the second (Stanford's course CS336)",
    "greatest-strings": "the pair whose strings are greatest, the first token before the second (subword-nmt)",
    "sentencepiece": "the pair that makes the shortest string, then the smallest string (SentencePiece)",
}
# The alphabet without which a rule makes no sense, and the rule to take with the other alphabet.
NEEDS = {"gpt2-order": "bytes", "greatest-strings": "characters", "sentencepiece": "characters"}
INSTEAD = {"gpt2-order": "lowest-ids", "greatest-strings": "greatest-bytes", "sentencepiece": "greatest-bytes"}

# The order of the ids of single bytes in GPT-2's vocabulary: what Latin-1 prints comes first, then the other 68.
_PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
GPT2_BYTES = bytes(_PRINTABLE + [byte for byte in range(256) if byte not in _PRINTABLE])
_FLIPPED = bytes(range(255, -1, -1))


def tiebreak(tie, vocabulary):
    """Return a function of a pair: among pairs of the same count, the one with the smallest value goes first.

    tie: a name from `TIE_RULES`; vocabulary: symbol -> bytes, asked when a pair is (it may grow in between).
    The rule first-seen looks at places, not at the pair: its function is constant, for a sort that is stable. Lesson 2.

    >>> prefer = tiebreak("greatest-bytes", {0: b"a", 1: b"ab", 2: b"b"})
    >>> sorted([(0, 1), (1, 0), (2, 0), (0, 2)], key=prefer)
    [(2, 0), (1, 0), (0, 2), (0, 1)]
    """
    def greatest(pair):                     # UTF-8 keeps the order of strings, so this serves strings too
        return _descending(vocabulary[pair[0]]) + _descending(vocabulary[pair[1]])

    def shortest(pair):
        joined = vocabulary[pair[0]] + vocabulary[pair[1]]
        return len(joined.decode()), joined

    return {"first-seen": lambda pair: 0, "lowest-ids": lambda pair: pair, "gpt2-order": lambda pair: pair,
            "greatest-bytes": greatest, "greatest-strings": greatest, "sentencepiece": shortest}[tie]


def _descending(token):
    """Return a string that sorts the other way round: bytes subtracted from 255, and an end mark above them all."""
    return token.translate(_FLIPPED).decode("latin-1") + "\u0100"
