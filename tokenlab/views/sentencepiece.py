"""What SentencePiece does to a text, stage by stage, and random ways to cut a word beside their exact chances (lesson 8)."""
import math
from collections import Counter
from functools import cache
from itertools import pairwise

from .. import pretrained
from ..errors import need_text, whole
from ..sentencepiece import Normalizer, Piece
from ..sentencepiece.tokenizer import BYTE_NAMES
from ..unigram import Tokenizer
from .base import INK, bar, card, mono, shows, small, strip, table
from .writing import counted, first, label, notes, short

STAGED, ROWS, ENOUGH = 80, 7, 5         # characters of a text, rows of a table, draws expected from which an error is told


@cache
def with_settings(nfkc, collapse, prefix, fallback):
    """Botchan's Unigram model with other settings; as it is, all but `fallback` are on."""
    real = pretrained.load("botchan-unigram")
    normalizer = Normalizer(real.normalizer.charsmap if nfkc else b"", add_dummy_prefix=prefix, remove_extra_whitespaces=collapse)
    return Tokenizer([*real.model, *(Piece(name, 0.0, "byte") for name in BYTE_NAMES if fallback)], normalizer=normalizer)


def stages_state(text, nfkc=True, collapse=True, prefix=True, fallback=False):
    """A text after each stage of SentencePiece, its pieces in Botchan's model, and what comes back.

    nfkc: whether the model's character map is used; collapse: whether rows of blanks become one and those at the ends go;
    prefix: whether a blank is put first; fallback: whether the model has bytes for what no piece covers. Of a long text the
    first STAGED characters are taken.
    Returns dict: stages (as Normalizer.stages gives them), pieces, back (the decoded text), lost (as tok.lost), rest (a note).
    Raises TypeError or ValueError for what is not text.
    """
    shown, rest = first(need_text(text), STAGED, "characters")
    tok, ordinary = with_settings(nfkc, collapse, prefix, fallback), {"disallowed_special": "text"}
    return {"stages": tok.normalizer.stages(shown), "pieces": tok.pieces(shown, **ordinary), "rest": rest,
            "back": tok.decode(tok.encode(shown, **ordinary), "replace"), "lost": tok.lost(shown)}


@shows(stages_state, "stages")
def stages_card(state):
    """A text after each stage of SentencePiece, and what of it can be given back. For lesson 8.

    text: str, or what `stages_state` returns. settings: as for `stages_state`.

    >>> stages_card("two  blanks"), stages_card("two  blanks", collapse=False)
    (1 character is lost: ·, Nothing is lost: the text comes back)
    """
    texts, lost = [("", None), *state["stages"], ("given back", state["back"])], state["lost"]
    rows = [[small(stage, INK, wrap=False), small("as before") if now == before and stage != "given back" else mono(label(now) or "(nothing)", wrap=True)]
            for (_, before), (stage, now) in pairwise(texts)]
    rows.insert(-1, [small("pieces", INK), strip(state["pieces"])])
    title = "Nothing is lost: the text comes back"
    if lost:
        title = f"{counted(len(lost), 'character')} {'is' if len(lost) == 1 else 'are'} lost: {short(lost)}"
    return card(title, table(rows), notes("pieces of Botchan's Unigram model", state["rest"]))


def draws_state(ways, drawn):
    """Draws beside exact chances: a dict of draws (how many), seen and ways (how many different ones), and rows.

    ways: list of (pieces, chance), the likeliest first. drawn: list of pieces. rows: list of (pieces, or a text for all others
    together; chance; frequency; standard errors between the two, None where fewer than ENOUGH such draws or others are expected).
    Raises ValueError for no draws, and for a draw that is not among the ways.
    """
    found, n = Counter(drawn), whole(len(drawn), "the number of draws", 1)
    if strange := [*found.keys() - dict(ways).keys()]:
        raise ValueError(f"{strange[0]!r} was drawn, and has no chance: it is not among the {counted(len(ways), 'way')} given")
    rows = [(pieces, chance, found[pieces] / n) for pieces, chance in ways[:ROWS]]
    if ways[ROWS:]:
        rows.append((f"{counted(len(ways) - ROWS, 'other')}", *(max(0.0, 1 - sum(row[k] for row in rows)) for k in (1, 2))))
    errors = [(q - p) / math.sqrt(p * (1 - p) / n) if n * min(p, 1 - p) >= ENOUGH else None for _, p, q in rows]
    return {"draws": n, "seen": len(found), "ways": len(ways), "rows": [(*row, error) for row, error in zip(rows, errors)]}


@shows(draws_state, "draws")
def draws_card(state):
    """Random ways to cut a word beside their exact chances, with the distance in standard errors. For lesson 8.

    ways: what `draws_state` returns, or what it takes, with `drawn`.

    >>> draws_card([(("ab",), 0.75), (("a", "b"), 0.25)], [("ab",)] * 14 + [("a", "b")] * 6)
    20 draws, 2 of 2 segmentations seen; farthest from its chance: 0.5 standard errors
    """
    rows, top = [], max(max(p, q) for _, p, q, _ in state["rows"])
    for pieces, p, q, error in state["rows"]:
        shown = small(pieces, INK) if isinstance(pieces, str) else strip(pieces, hues=[0] * len(pieces)) or small("(nothing)")
        rows.append([shown, bar(70 * p / top, f"{p:.2%}"), bar(70 * q / top, f"{q:.2%}", mark=True), mono("" if error is None else f"{error:+.1f}", 12)])
    far = max((abs(error) for *_, error in state["rows"] if error is not None), default=None)
    said = "" if far is None else f"; farthest from its chance: {far:.1f} standard errors"
    return card(f"{counted(state['draws'], 'draw')}, {state['seen']} of {counted(state['ways'], 'segmentation')} seen{said}",
                table(rows, ["segmentation", "exact chance", "drawn", "errors apart"]),
                f"errors apart: (drawn − chance) / √(chance · (1 − chance) / draws), where at least {ENOUGH} such draws and {ENOUGH} others are expected")
