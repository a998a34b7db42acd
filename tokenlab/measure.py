"""How many tokens a text costs, in units that can be compared.

`bytes_per_token` compares tokenizers on one text; `characters_per_token` describes English. Every function takes the
text as it is: strings that spell a special token count as ordinary text.
"""
from collections.abc import Mapping

from .errors import choose, need_text, need_tokenizer, short, whole


def bytes_per_character(s):
    """Return how many UTF-8 bytes a character (code point) of `s` takes on average: from 1.0 to 4.0.

    s: a str. Raises ValueError for an empty text, which has no average, TypeError for anything but str. Lesson 1.

    >>> bytes_per_character("abcd"), bytes_per_character("안녕"), bytes_per_character("😉")
    (1.0, 3.0, 4.0)
    """
    return len(_not_empty(s).encode()) / len(s)


def bytes_per_token(tok, s):
    """Return how many UTF-8 bytes of `s` a token of `tok` covers on average: more is a shorter sequence.

    tok: a tokenizer of this package. s: a str. Raises ValueError for an empty text, TypeError for other types. Lesson 2.

    >>> from tokenlab import pretrained
    >>> bytes_per_token(pretrained.load("gpt2"), " unbelievable")
    13.0
    """
    return len(_not_empty(s).encode()) / count_tokens(tok, s)


def characters_per_token(tok, s):
    """Return how many characters (code points) of `s` a token of `tok` covers on average: about 4 in English prose.

    It says nothing across scripts: there the characters differ. tok, s: as for `bytes_per_token`.
    Raises ValueError for an empty text, TypeError for other types. Lesson 9.

    >>> from tokenlab import pretrained
    >>> characters_per_token(pretrained.load("o200k_base"), "The ride of 2.5 km cost 8 dollars.")   # 34 in 13
    2.6153846153846154
    """
    return len(_not_empty(s)) / count_tokens(tok, s)


def fertility(tok, s):
    """Return how many tokens of `tok` a word of `s` takes on average; words are what white space separates.

    tok, s: as for `bytes_per_token`.
    Raises ValueError for a text without a word, TypeError for other types. Source: Ács 2019, Exploring BERT's vocabulary; Rust et al. 2021,
    How good is your tokenizer?.

    >>> from tokenlab import pretrained
    >>> fertility(pretrained.load("gpt2"), "two hedgehogs")             # two, ␣hedge·h·ogs
    2.0
    """
    words = len(_not_empty(s).split())
    if not words:
        raise ValueError(f"the text {s[:40]!r} holds only white space, so there is no word to count tokens for")
    return count_tokens(tok, s) / words


def premium(tok, texts, reference):
    """Return how many times as many tokens each text takes as the reference does: a dict of name -> ratio.

    texts: a mapping of name -> str, all with the same content (the articles of `corpora.udhr` in several languages);
    reference: one of its names. tok: as for `bytes_per_token`.
    Raises ValueError for an unknown reference and for an empty text, TypeError for other types.
    Source: Petrov et al. 2023, Language model tokenizers introduce unfairness between languages. Lesson 9.

    >>> from tokenlab import pretrained
    >>> premium(pretrained.load("gpt2"), {"English": "cat", "Thai": "แมว"}, "English")
    {'English': 1.0, 'Thai': 6.0}
    """
    if not isinstance(texts, Mapping):
        raise TypeError(f"texts must be a mapping of name -> text, as in {{'English': 'cat', 'Thai': 'แมว'}}, "
                        f"not {type(texts).__name__} {short(texts)}")
    choose(reference, texts, "reference")
    tokens = {name: count_tokens(tok, _not_empty(text, f"the text of {short(name)}")) for name, text in texts.items()}
    return {name: n / tokens[reference] for name, n in tokens.items()}


def count_tokens(tok, s):
    """Return how many tokens `tok` makes of `s`, special tokens in it taken as ordinary text.

    tok: a tokenizer of this package. s: a str. Raises TypeError for other types. Lesson 2.

    >>> from tokenlab import pretrained
    >>> count_tokens(pretrained.load("gpt2"), "<|endoftext|>"), count_tokens(pretrained.load("gpt2"), "")
    (7, 0)
    """
    return len(need_tokenizer(tok).encode(need_text(s), disallowed_special="text"))


def lost_share(tok, s):
    """Return which share of the characters (code points) of `s` its ids cannot give back, from 0.0 to 1.0.

    A tokenizer that loses much can seem cheap. tok, s: as for `bytes_per_token`.
    Raises ValueError for an empty text, TypeError for other types. Lesson 9.

    >>> from tokenlab import pretrained
    >>> lost_share(pretrained.load("t5"), "東京 Tokyo"), lost_share(pretrained.load("gpt2"), "東京 Tokyo")
    (0.25, 0.0)
    """
    return len(need_tokenizer(tok).lost(_not_empty(s))) / len(s)


def embedding_parameters(vocabulary, width, tied=True):
    """Return how many parameters the tables of a vocabulary have: one row of `width` numbers for each id.

    vocabulary: ids. tied: whether the output layer shares the table of the input, or has one of its own.
    Raises TypeError or ValueError for what is no whole number from 1. Lesson 9.

    >>> embedding_parameters(128_256, 4_096), embedding_parameters(128_256, 4_096, tied=False)
    (525336576, 1050673152)
    """
    return whole(vocabulary, "vocabulary", 1) * whole(width, "width", 1) * (1 if tied else 2)


def cost(tokens, vocabulary, width, layers):
    """Return about how many multiplications a Transformer takes to read `tokens` tokens at once: a dict of its parts.

    layers: 12 · width² weights in each layer, once for each token. attention: each token looks at itself and at all
    before it, 2 · width for each such pair in each layer. output: a score for each id of the vocabulary, after each token.
    Norms, biases and the look-up in the input table are left out.

    Raises TypeError or ValueError for what is no whole number (tokens from 0, the others from 1).
    Source: Kaplan et al. 2020, Scaling Laws for Neural Language Models, section 2.1. Lesson 9.

    >>> cost(2, vocabulary=10, width=3, layers=1)
    {'layers': 216, 'attention': 18, 'output': 60}
    """
    n = whole(tokens, "tokens", 0)
    width, layers = whole(width, "width", 1), whole(layers, "layers", 1)
    return {"layers": 12 * width ** 2 * layers * n, "attention": layers * width * n * (n + 1),
            "output": whole(vocabulary, "vocabulary", 1) * width * n}


def _not_empty(s, what="the text"):
    if not need_text(s, what):
        raise ValueError(f"{what} is empty, so there is no average: give at least one character")
    return s
