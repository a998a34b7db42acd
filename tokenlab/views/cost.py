"""What a vocabulary costs: the price of a language, and a budget of parameters and multiplications (lesson 9)."""
from functools import cache

from .. import corpora, measure
from ..errors import choose
from .base import BAD, INK, TINTS, bar, card, mono, small, span, table
from .writing import isolate

LARGE = 0.1             # a share of lost characters from which a low price means nothing


def language(name):
    """A language's name without what it says of a variant.

    >>> language("German, Standard (1996)")
    'German'
    """
    return name.split(",")[0].split(" (")[0]


@cache
def english_names():
    """The languages of the Declaration without what their names say of variants: a dict of code -> name. For lesson 9.

    >>> english_names()["deu_1996"]
    'German'
    """
    return {code: language(name) for code, name in corpora.languages().items()}


def price_state(premiums, lost, tokenizer, languages):
    """What languages cost by one tokenizer, the dearest first.

    premiums: dict tokenizer -> dict code -> tokens relative to English; lost: the same with shares of lost characters,
    for tokenizers that lose some; languages: codes with blanks between them, or "all".
    Returns dict: tokenizer, scale (the greatest premium of all), rows (code, premium, lost share).
    Raises ValueError for an unknown tokenizer or code, and for no code.
    """
    found, gone = premiums[choose(tokenizer, premiums, "tokenizer")], lost.get(tokenizer, {})
    codes = languages.replace(",", " ").split()
    if not codes:
        raise ValueError("no language is chosen: write all, or codes with blanks between them, as in eng mya lao")
    chosen = found if codes == ["all"] else dict.fromkeys(choose(code, found, "language code") for code in codes)
    rows = sorted(((code, found[code], gone.get(code, 0)) for code in chosen), key=lambda row: -row[1])
    return {"tokenizer": tokenizer, "scale": max(max(each.values()) for each in premiums.values()), "rows": rows}


def price_card(state):
    """Tokens for the same text relative to English, one bar a language, with the share that is lost. For lesson 9.

    >>> price_card(price_state({"t5": {"eng": 1.0, "jpn": 0.06}}, {"t5": {"jpn": 1.0}}, "t5", "all"))
    t5: English is dearest with 1.00 ×; more than 10 % is lost in 1 of 2 languages
    """
    own, english, rows = corpora.languages(own=True), english_names(), state["rows"]
    bad = [code for code, _, gone in rows if gone > LARGE]
    lines = [[span(isolate(own[code]), "font-size:15px;white-space:nowrap"), small(english[code], wrap=False), mono(code, 12),
              bar(max(1, 230 * value / state["scale"]), f"{value:.2f} ×", code in bad)
              + (small(f" {100 * gone:.0f} % lost", BAD if code in bad else INK, wrap=False) if gone else "")] for code, value, gone in rows]
    title = f"{state['tokenizer']}: {english[rows[0][0]]} is dearest with {rows[0][1]:.2f} ×"
    title += f"; more than 10 % is lost in {len(bad)} of {len(rows)} languages" if bad else ""
    return card(title, table(lines, ["language", "", "code", "tokens for the same text, English = 1"]),
                "orange and “lost”: the ids cannot give these characters back, so the price says nothing" if bad else "")


def budget_state(sizes, vocabulary, width, layers, length, tied):
    """What a text costs with each vocabulary: dict of vocabulary, length, least (the cheapest size), and dicts by size:
    tokens, parts (as `measure.cost` has them), total (their sum) and parameters.

    sizes: dict vocabulary size -> bytes per token, as measured; vocabulary: one of them; length: of the text, in bytes.
    """
    tokens = {size: round(length / each) for size, each in sizes.items()}
    parts = {size: measure.cost(n, size, width, layers) for size, n in tokens.items()}
    total = {size: sum(each.values()) for size, each in parts.items()}
    return {"vocabulary": vocabulary, "length": length, "least": min(total, key=total.get), "tokens": tokens, "parts": parts, "total": total,
            "parameters": {size: measure.embedding_parameters(size, width, tied) for size in sizes}}


def budget_card(state):
    """Tokens, embedding parameters and multiplications for each vocabulary, the least cost marked. For lesson 9.

    >>> budget_card(budget_state({256: 1.0, 512: 2.0}, 512, 64, 2, 1000, True))
    512 ids: 500 tokens, 0.1 billion multiplications; least at 512
    """
    chosen, least, parts, total = (state[name] for name in ("vocabulary", "least", "parts", "total"))
    billions = {size: f"{each / 1e9:,.1f}" for size, each in total.items()}
    lines = []
    for size, n in state["tokens"].items():
        scale = min(60 / total[least], 120 / total[size])
        drawn = stacked([scale * part for part in parts[size].values()]) + small(" …" * (total[size] > 2 * total[least]))
        lines.append([mono(f"{'▸ ' if size == chosen else '  '}{size:,}", 13), mono(f"{n:,}", 12),
                      mono(f"{state['parameters'][size]:,}", 12), drawn, mono(billions[size] + " ◂ least" * (size == least), 12)])
    head = ["vocabulary", "tokens", "embedding parameters", "layers, attention, output", "billions"]
    shares = ", ".join(f"{name} {100 * part / total[chosen]:.0f} %" for name, part in parts[chosen].items())
    return card(f"{chosen:,} ids: {state['tokens'][chosen]:,} tokens, {billions[chosen]} billion multiplications; least at {least:,}",
                table(lines, head) + small(f"▸ {chosen:,} ids: {shares}", INK),
                f"a text of {state['length']:,} bytes, read at once; blue: layers, orange: attention, green: output; "
                "… is a longer bar, drawn as long as twice the least, its parts in proportion")


def stacked(lengths):
    """Bars of these lengths in pixels, one after the other."""
    style = "display:inline-block;box-sizing:border-box;height:15px;vertical-align:middle"
    return span("".join(span("", f"{style};width:{length:.1f}px;background:{fill};border:solid {edge};border-width:1px 0 1px 1px")
                        for length, (fill, edge) in zip(lengths, TINTS)), "white-space:nowrap")
