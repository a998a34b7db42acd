"""What both trainers do: read the corpus, merge the best pair again and again, and record every step."""
import sys

from ..errors import choose, need_text, short, whole
from ..pretokenize import count_chunks
from .ties import GPT2_BYTES, INSTEAD, NEEDS, TIE_RULES
from .tokenizer import ALPHABETS
from .trace import Merge, Trace

MOST_IDS = sys.maxunicode + 1       # an id is written as chr(id)


def learn(pairs_class, source, vocab_size, pattern, tie, alphabet, end_of_word, min_count, progress):
    """Return the Trace of a training run: `train` says what the other arguments mean, and what is raised.

    pairs_class: the class that knows which pair is the best: Pairs in train.py or NaivePairs in naive.py. A word is a str
    with one character for each token, chr(id); a pair is two of these characters. The first pair that `best()` returns
    is merged next, before anything else is asked: with Pairs it has left the heap.
    """
    words, symbols, spelled = read_corpus(source, vocab_size, pattern, tie, alphabet, end_of_word, min_count)
    vocabulary = {chr(i): symbol for i, symbol in enumerate(symbols)}
    weights = list(words.values())
    pairs = pairs_class(spelled, weights, tie, vocabulary)
    merges, lengths, stopped = [], [sum(len(word) * weight for word, weight in zip(spelled, weights))], "vocab_size"
    while len(vocabulary) < vocab_size:
        best, tied = pairs.best()
        if not best or best[0][1] < min_count:
            stopped = "min_count" if best else "no pair left"
            break
        (pair, count), *others = best
        new, before = len(vocabulary), lengths[-1]
        vocabulary[chr(new)] = token = vocabulary[pair[0]] + vocabulary[pair[1]]
        replaced = pairs.merge(pair, chr(new))
        lengths.append(before - replaced)
        runner_up = next(((ids(other), times) for other, times in others), None)
        merges.append(Merge(number=len(merges) + 1, rank=len(merges), pair=ids(pair), id=new, token=token, count=count, replaced=replaced,
                            runner_up=runner_up, tied=tied, before=before, after=lengths[-1]))
        if not goes_on(progress, len(merges), vocab_size - len(symbols)):
            stopped = "stopped"
            break
    return Trace(merges=tuple(merges), lengths=tuple(lengths), stopped=stopped, alphabet=symbols, _words=words, tie=tie, pattern=pattern,
                 end_of_word=end_of_word, symbols=alphabet, segmented=tuple(pairs.words))


def goes_on(progress, done, wanted):
    """Tell `progress` (None for nobody) how far training is, and return whether it goes on: what counts as false ends it, but for None.

    >>> goes_on(lambda done, wanted: done < 3, 3, 10), goes_on(print, 3, 10)
    3 10
    (False, True)
    """
    return not progress or (answer := progress(done, wanted)) is None or bool(answer)


def ids(word):
    """Return the ids of a word (or a pair) that is written with one character a token.

    >>> ids("\\x07\\u0100")
    (7, 256)
    """
    return tuple(map(ord, word))


def read_corpus(source, vocab_size, pattern, tie, alphabet, end_of_word, min_count):
    """Return `source` counted and spelled, with all arguments checked: `train` says what they mean and what it raises.

    Three things: the distinct chunks, a dict of str -> count, in order of first occurrence; the alphabet, for each id its bytes;
    the chunks with chr(id) for every symbol, a list of str.

    >>> words, symbols, spelled = read_corpus({"tax": 3, "max": 2}, 100, "none", "first-seen", "characters", "</w>", 1)
    >>> symbols
    (b'a', b'm', b't', b'x', b'</w>')
    >>> [ids(word) for word in spelled]
    [(2, 0, 3, 4), (1, 0, 3, 4)]
    """
    choose(alphabet, ALPHABETS, "alphabet")
    if NEEDS.get(choose(tie, TIE_RULES, "tie rule"), alphabet) != alphabet:
        raise ValueError(f"tie rule {tie!r} needs alphabet={NEEDS[tie]!r}, not {alphabet!r}: use tie={INSTEAD[tie]!r}, or that alphabet")
    need_text(end_of_word, "end_of_word")
    whole(vocab_size, "vocab_size", 0, MOST_IDS, f" (ids end at {MOST_IDS - 1})")
    whole(min_count, "min_count", 1)
    if end_of_word and alphabet != "characters":
        raise ValueError(f"end_of_word={short(end_of_word)} needs alphabet='characters': "
                         f"the ids of the 256 bytes leave no place for it; use that alphabet, or end_of_word=''")
    words = dict(count_chunks(source, pattern))
    clash = next((word for word in words if end_of_word and end_of_word in word), None)
    if clash is not None:
        raise ValueError(f"end_of_word={short(end_of_word)} occurs in the text, in {short(clash)}: "
                         f"it would mean two things; choose a string that does not occur")
    if alphabet == "bytes":                                     # as characters, one for each byte
        texts, coding = [word.encode().decode("latin-1") for word in words], "latin-1"
        characters = (GPT2_BYTES if tie == "gpt2-order" else bytes(range(256))).decode("latin-1")
    else:
        texts, coding, characters = words, "utf-8", sorted(set().union(*words))
    number = {ord(character): chr(i) for i, character in enumerate(characters)}
    spelled = [text.translate(number) + chr(len(number)) * bool(end_of_word) for text in texts]
    symbols = tuple(symbol.encode(coding) for symbol in [*characters, *[end_of_word] * bool(end_of_word)])
    if vocab_size < len(symbols):
        raise ValueError(f"vocab_size={vocab_size} is smaller than the alphabet, {len(symbols)} {alphabet}: "
                         f"it counts alphabet and merges, so ask for {len(symbols)} or more")
    return words, symbols, spelled
