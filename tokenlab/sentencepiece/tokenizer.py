"""What the two algorithms of SentencePiece share: normalization, <unk>, bytes as a way out, ids and back."""
import re
from array import array
from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate, chain, groupby, islice
from typing import NamedTuple

from ..bpe.base import Base, spans
from ..bpe.special import sections
from ..bpe.tokenizer import id_table
from ..errors import choose, need_text, short
from .normalizer import BLANK, Normalizer

KINDS = ("normal", "unknown", "control", "user-defined", "unused", "byte")      # a .model numbers them from 1
TEXTS = ("normal", "user-defined", "unused")              # the kinds whose text is found in texts
BYTE_NAMES = [f"<0x{byte:02X}>" for byte in range(256)]
GREATEST = 1e30                         # what a score, a float of 32 bits, stays below
REMEMBERED, LONGEST = 50_000, 50         # words whose ids are kept between calls, about, and what they are shorter than


class Piece(NamedTuple):
    """One entry of a model; its place in the list of all is its id."""
    text: str                   # with ▁ for a blank
    score: float = 0.0          # Unigram: log probability; BPE: the higher, the earlier it was learned
    kind: str = "normal"        # one of KINDS


class Remembered(dict):
    """The ids of words, about REMEMBERED: those that are missing are found, and kept if the word is short."""

    def __init__(self, find):
        self.find = find

    def __missing__(self, unit):
        if len(self) > REMEMBERED:
            self.clear()
        ids = self.find(unit)
        if len(unit) < LONGEST:
            self[unit] = ids
        return ids


META = (Piece("<unk>", 0.0, "unknown"), Piece("<s>", 0.0, "control"), Piece("</s>", 0.0, "control"))


class PieceTokenizer(Base):
    """A tokenizer that seeks pieces in the normalized text: the base of `CharacterBPE` and of `unigram.Tokenizer`.

    pieces: the model's list of Piece, in the order of their ids; or a mapping of str -> score, and <unk>, <s> and </s>
    are put before it; scores are rounded to 32 bits, as in a .model. normalizer: a `Normalizer` (default: a blank put
    first, no extra blanks, ▁, no character map). unk_surface: what `decode` writes for <unk>.

    Raises ValueError for an empty piece, one that is there twice, a score that is no finite number, no <unk> or two of
    them, some bytes but not all 256.
    Source: Kudo and Richardson 2018; the library SentencePiece 0.2.3, whose ids it gives. Lesson 8.
    """

    def __init__(self, pieces, *, normalizer=None, unk_surface=" ⁇ ", name=""):
        if isinstance(pieces, Mapping):
            pieces = [*META, *(Piece(text, score) for text, score in pieces.items())]
        of_kind, self.unk_surface, self.name = _by_kind(pieces := tuple(pieces)), unk_surface, name
        scores = array("f", [score for _, score, _ in pieces])          # rounded as in a .model
        self.model = tuple(Piece(text, score, kind) for (text, _, kind), score in zip(pieces, scores))
        self._special = of_kind["control"] | of_kind["unknown"]
        self._ids = of_kind["normal"] | of_kind["user-defined"]
        self._texts = self._ids | of_kind["unused"]
        (self.unknown_id,) = of_kind["unknown"].values()
        self._bytes = [of_kind["byte"][name] for name in BYTE_NAMES] if of_kind["byte"] else None
        self.normalizer = (normalizer or Normalizer()).keeping(of_kind["user-defined"])
        # If no piece goes on with a blank after something else, then each word is encoded the same wherever it stands.
        by_word = BLANK in self._ids and not any(BLANK in text.lstrip(BLANK) for text in self._texts)
        self._units = re.compile(f"{BLANK}*[^{BLANK}]+|{BLANK}+" if by_word else r"[\s\S]+")
        self._known = Remembered(self._find)
        self._prepare()

    # ---- text to ids

    def encode(self, s, allowed_special=(), disallowed_special="raise", unknown="keep"):
        """Return the ids of `s`: a list of int.

        allowed_special, disallowed_special: as in `bpe.Tokenizer.encode`; what stands between special tokens is
        normalized on its own. unknown: "keep" (<unk> for what no piece covers) or "raise".

        Raises ValueError for a lone surrogate, a special token that is not allowed and, if asked to, for what <unk> would
        swallow; TypeError for bytes. Lesson 8.

        >>> from tokenlab import pretrained
        >>> pretrained.load("t5").encode("two  taxis 🚕"), pretrained.load("mistral_v1").encode("🚕")
        ([192, 9256, 7, 3, 2], [28705, 243, 162, 157, 152])
        """
        if choose(unknown, ("keep", "raise"), "treatment of unknown characters") == "raise":
            for text, special in sections(s, self._special, allowed_special, disallowed_special):
                for part, found in self._parts(self.normalizer(text)) if special is None else ():
                    if found == (self.unknown_id,):
                        raise ValueError(f"no piece covers {short(part)}, so <unk> would swallow it: take it out, or encode with "
                                         f'unknown="keep" and ask `lost` what cannot be given back')
        return super().encode(s, allowed_special, disallowed_special)

    def pieces(self, s, **how):
        """Return the pieces of `s` as the model writes them, with ▁, <unk> and <0xNN>: a list of str. Lesson 8.

        >>> from tokenlab import pretrained
        >>> pretrained.load("t5").pieces("🚕"), pretrained.load("mistral_v1").pieces("🚕")
        (['▁', '<unk>'], ['▁', '<0xF0>', '<0x9F>', '<0x9A>', '<0x95>'])
        """
        return [self.model[i].text for i in self.encode(s, **how)]

    def offsets(self, s, **how):
        """Return where each token of `s` comes from: a list of Span; the blank put before a text is from nowhere. Lesson 8.

        Keyword arguments as for `encode`, without `unknown`.

        >>> from tokenlab import pretrained
        >>> tok = pretrained.load("t5")
        >>> [(piece, span.chars) for piece, span in zip(tok.pieces(" ﬁne  day"), tok.offsets(" ﬁne  day"))]
        [('▁fine', (1, 4)), ('▁day', (4, 9))]
        """
        ranges, before = [], 0
        for text, special_id in sections(s, self._special, **how):
            size = len(text.encode())
            for ids, characters in self._sources(text) if special_id is None else [((special_id,), [(text, 0, size)])]:
                start, end = before + characters[0][1], before + characters[-1][2]
                whole = len(ids) != end - start                 # else bytes, as they stand in the text
                ranges += [(start, end) if whole else (byte, byte + 1) for byte in range(start, start + len(ids))]
            before += size
        return spans(s, ranges)

    def lost(self, s):
        """Return what of `s` its ids cannot give back: the characters that normalization changed or <unk> swallowed; else "".

        >>> from tokenlab import pretrained
        >>> pretrained.load("t5").lost("two  taxis 🚕"), pretrained.load("mistral_v1").lost("two  taxis 🚕")
        (' 🚕', '')
        """
        if self.decode(self.encode(s, disallowed_special="text"), errors="replace") == s:
            return ""
        data = s.encode()
        kept = {start for ids, characters in self._sources(s) if ids != (self.unknown_id,) for character, start, end in characters
                if data[start:end] == character.replace(BLANK, " ").encode()}
        starts = accumulate((len(character.encode()) for character in s), initial=0)
        return "".join(character for character, start in zip(s, starts) if start not in kept) or s

    def with_special(self, special_tokens):
        """Return a new tokenizer with more control symbols. Lesson 8.

        special_tokens: a mapping of str -> id; the ids go on where the model ends. Raises ValueError for other ids.

        >>> from tokenlab import pretrained
        >>> tok = pretrained.load("t5").with_special({"<extra_id_0>": 32000})
        >>> tok.pieces("Thank <extra_id_0>!", allowed_special="all")
        ['▁Thank', '<extra_id_0>', '▁', '!']
        """
        names = sorted(id_table(special_tokens, str, "special_tokens"), key=special_tokens.get)
        if [special_tokens[name] for name in names] != list(range(len(self), len(self) + len(names))):
            raise ValueError(f"special_tokens has the ids {short(list(special_tokens.values()))}: they must go on from {len(self)}, without gaps")
        return type(self)([*self.model, *(Piece(name, 0.0, "control") for name in names)],
                          normalizer=self.normalizer, unk_surface=self.unk_surface, name=self.name)

    def __repr__(self):
        return f"<{type(self).__module__.split('.')[1]}.{type(self).__name__}{self._shown_name()}: {len(self)} pieces>"

    # ---- inside

    def _encode(self, text):
        return [*chain.from_iterable(map(self._known.__getitem__, self._units.findall(self.normalizer(text))))]

    def _find(self, unit):
        ids = tuple(map(self._ids.get, self._segment(unit)))
        return ids if None not in ids else tuple(chain.from_iterable(ids for _, ids in self._parts(unit)))

    def _parts(self, normal):
        """Return (part, ids) for each part of a normalized text: a piece, a row of unknown characters, or one in bytes."""
        parts = []
        for unit in self._units.findall(normal):
            for i, run in groupby(self._segment(unit), self._ids.get):
                if i is not None:
                    parts += [(piece, (i,)) for piece in run]
                elif self._bytes:
                    parts += [(piece, tuple(map(self._bytes.__getitem__, piece.encode()))) for piece in run]
                else:
                    parts.append(("".join(run), (self.unknown_id,)))
        return parts

    def _sources(self, s):
        """Yield (ids, characters) for each part of the ordinary text `s`, the characters as `Normalizer.align` has them."""
        aligned = iter(self.normalizer.align(s))
        for part, ids in self._parts(self.normalizer(s)):
            yield ids, list(islice(aligned, len(part)))

    def _spell(self, ids):
        """What `ids` add to a text, in bytes: a list, without the blank that normalization has put before the text."""
        spelled = list(super()._spell(ids))
        every = self.normalizer.remove_extra_whitespaces        # then those of all pieces up to the first that shows
        if every or self.normalizer.add_dummy_prefix:
            for place, i in enumerate(ids):
                is_blank = self.model[i].kind in TEXTS and self.model[i].text.startswith(BLANK)
                spelled[place] = spelled[place][is_blank:]
                if spelled[place] or is_blank and not every:
                    break
        return spelled

    def _text(self, data, errors):
        text = data.decode("utf-8", "surrogateescape" if errors == "replace" else errors)
        return re.sub("[\udc80-\udcff]", "\ufffd", text)

    @cached_property
    def _spelled(self):
        spelled = {i: text.replace(BLANK, " ").encode() if kind in TEXTS else b"" for i, (text, _, kind) in enumerate(self.model)}
        return spelled | {i: bytes([byte]) for byte, i in enumerate(self._bytes or [])} | {self.unknown_id: self.unk_surface.encode()}

    @cached_property
    def _tokens(self):
        return {i: token for i, token in self._spelled.items() if self.model[i].kind not in ("control", "unknown")}


def _by_kind(pieces):
    """Return the pieces as dicts of text -> id, one for each kind; raises ValueError for a list that makes no model."""
    of_kind, seen = {kind: {} for kind in KINDS}, set()
    for i, (text, score, kind) in enumerate(pieces):
        entry = need_text(text, "a piece"), choose(kind, KINDS, "kind of piece") in TEXTS
        if not text or entry in seen:
            raise ValueError(f"piece {i}, {short(text)}, is empty or is there twice: each needs a text of its own")
        if not abs(score) < GREATEST:
            raise ValueError(f"piece {i}, {short(text)}, has score {short(score)}: it must be a finite number, of 32 bits")
        seen.add(entry)
        of_kind[kind][text] = i
    if len(of_kind["unknown"]) != 1 or of_kind["byte"] and set(of_kind["byte"]) != set(BYTE_NAMES):
        raise ValueError(f"a model needs one unknown piece and no byte or all 256, <0x00> to <0xFF>, "
                         f"not {len(of_kind['unknown'])} and {len(of_kind['byte'])}")
    return of_kind
