r"""The named patterns, as published, part by part.

In the names of the parts "white space" is any character that \s matches, and "blank" is U+0020.
"""


# Letters without case and combining marks count as capitals and as small letters.
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"


def _llama3_family(numbers):
    """The parts of the patterns of llama3 and qwen2, the first cl100k_base pattern with `numbers` (name -> expression) in its place."""
    return {
        "contraction in any case": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)",
        "letters (one other sign may lead)": r"[^\r\n\p{L}\p{N}]?\p{L}+",
        **numbers,
        "other signs (a blank may lead, line ends may follow)": r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        "white space up to the last line end": r"\s*[\r\n]+",
        "white space, all but the last if text follows": r"\s+(?!\S)",
        "white space": r"\s+",
    }


def _o200k_family(contraction, numbers):
    """The parts of the o200k_base pattern; `contraction` (an expression) may end a word.

    Letters without case and combining marks are in UPPER and in LOWER, so the first part takes them. One sign that is no
    letter, number or line end may lead a word.
    """
    sign = r"[^\r\n\p{L}\p{N}]?"
    return {
        "word: capitals, then small letters": f"{sign}{UPPER}*{LOWER}+{contraction}",
        "word: capitals only": f"{sign}{UPPER}+{LOWER}*{contraction}",
        **numbers,
        "other signs (a blank may lead, line ends and / may follow)": r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        "white space up to the last line end": r"\s*[\r\n]+",
        "white space, all but the last if text follows": r"\s+(?!\S)",
        "white space": r"\s+",
    }


_THREE, _ONE = {"numbers, three at most": r"\p{N}{1,3}"}, {"one number": r"\p{N}"}

# For each named pattern its parts in order: what the part takes -> its expression.
PARTS = {
    "gpt2": {  # openai/gpt-2, src/encoder.py
        "contraction": r"'s|'t|'re|'ve|'m|'ll|'d",
        "letters (a blank may lead)": r" ?\p{L}+",
        "numbers (a blank may lead)": r" ?\p{N}+",
        "other signs (a blank may lead)": r" ?[^\s\p{L}\p{N}]+",
        "white space, all but the last if text follows": r"\s+(?!\S)",
        "white space": r"\s+",
    },
    "cl100k_base": {  # tiktoken 0.14; ++, ?+ and {1,3}+ never give back what they took
        "contraction in any case": r"'(?i:[sdmt]|ll|ve|re)",
        "letters (one other sign may lead)": r"[^\r\n\p{L}\p{N}]?+\p{L}++",
        "numbers, three at most": r"\p{N}{1,3}+",
        "other signs (a blank may lead, line ends may follow)": r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
        "white space at the end of the text": r"\s++$",
        "white space up to the last line end": r"\s*[\r\n]",
        "white space, all but the last if text follows": r"\s+(?!\S)",
        "one white space": r"\s",
    },
    "o200k_base": _o200k_family(r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?", _THREE),  # tiktoken 0.14
    "llama3": _llama3_family(_THREE),  # meta-llama/llama3, llama/tokenizer.py
    "qwen2": _llama3_family(_ONE),  # Qwen 1 to 3
    "tekken": _o200k_family("", _ONE),  # Mistral
    "whitespace": {"white space": r"\s+", "no white space": r"\S+"},
    "none": {"the whole text": r"(?s:.+)"},
    "words": {"word": r"\w+", "punctuation": r"[^\w\s]"},
}

# The named patterns as regular expressions for the package `regex`; None for `none`, which leaves the text whole.
# All but `words` are lossless: their pieces add up to the text.
PATTERNS = {name: "|".join(parts.values()) for name, parts in PARTS.items()} | {"none": None}
ON_RE = ("whitespace", "none", "words")  # these run on the standard `re`, where nothing else is installed
