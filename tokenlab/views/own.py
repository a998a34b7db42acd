"""A tokenizer of your own beside real ones, and its files to take away (lesson 10)."""
from base64 import b64encode
from pathlib import Path
from tempfile import TemporaryDirectory

from .. import formats, measure, pretrained
from .base import INK, card, escape, mono, small, table
from .tokens import LEGEND, compare, token_strip
from .writing import counted, notes

PATHS = {"tiktoken": "mine.tiktoken", "tokenizers, transformers": "tokenizer.json", "GPT-2's files, a directory": "mine", "sentencepiece": "mine.model"}
LINK = "color:#0072b2;text-decoration:underline"
BESIDE = "gpt2", "o200k_base"
SAMPLE = 90                     # characters of the text that are drawn


def own_state(trace, held, wanted):
    """A trained tokenizer and real ones on a text: dict rows (name -> (ids, tokens)), size (bytes), sample, rest, why, tok.

    trace: a bpe.Trace; held: the text to judge by, not empty; wanted: the vocabulary size that was asked for.
    why: what is to be said where the trace is shorter than wanted. For lesson 10.
    """
    toks = {"yours": trace.tokenizer(), **{name: pretrained.load(name) for name in BESIDE}}
    sample = compare(toks, held, limit=SAMPLE)
    size, why = len(trace.vocabulary), ""
    if size < wanted:
        reason = "no pair was left to merge" if trace.stopped == "no pair left" else "you stopped it"
        why = f"{reason} after {len(trace.merges):,} of {wanted - 256:,} merges; a vocabulary of {size:,} is complete in itself"
    return {"rows": {name: (len(tok), measure.count_tokens(tok, held)) for name, tok in toks.items()}, "size": len(held.encode()),
            "sample": sample["rows"], "rest": sample["rest"], "why": why, "tok": toks["yours"]}


def own_card(state):
    """What `own_state` gives, as a card. For lesson 10.

    >>> from tokenlab import bpe
    >>> own_card(own_state(bpe.train("low lower lowest", vocab_size=260), " lower lowest", 260))
    13 bytes that it has not seen: 5 tokens in yours, 2 in gpt2, 2 in o200k_base
    """
    rows = state["rows"]
    (first, (_, n)), *others = rows.items()
    body = table([[small(name, INK), mono(f"{ids:,}"), mono(f"{tokens:,}"), mono(f"{state['size'] / tokens:.2f}")]
                  for name, (ids, tokens) in rows.items()], ["", "ids", "tokens", "bytes per token"])
    for row in state["sample"]:
        drawn, _ = token_strip(row["tokens"], row["ids"])
        body += f'<div style="margin:6px 0 2px">{small(row["name"], INK)}</div>{drawn}'
    said = ", ".join([f"{counted(n, 'token')} in {first}", *(f"{m:,} in {name}" for name, (_, m) in others)])
    return card(f"{counted(state['size'], 'byte')} that it has not seen: {said}", body, notes(state["why"], LEGEND, state["rest"]))


def files(tok):
    """The files of a tokenizer in each format: a dict of path -> dict of file name -> bytes, empty where the format cannot hold it.

    >>> from tokenlab import bpe
    >>> found = files(bpe.train("low lower", vocab_size=258).tokenizer())
    >>> list(found["mine"]), found["mine.model"]
    (['vocab.json', 'merges.txt', 'tokenizer_config.json', 'tokenlab.json'], {})
    """
    found = {}
    with TemporaryDirectory() as folder:
        for path in PATHS.values():
            try:
                found[path] = {written.name: written.read_bytes() for written in formats.save(tok, Path(folder, path))}
            except ValueError:
                found[path] = {}
    return found


def downloads(tok):
    """Links to the files of a tokenizer, which hold all of their content, so that nothing is left on the server. For lesson 10."""
    rows, total = [], 0
    for (reader, path), content in zip(PATHS.items(), files(tok).values(), strict=True):
        links = [f'<a style="{LINK}" download="{escape(name)}" href="data:application/octet-stream;base64,{b64encode(data).decode()}">{escape(name)}</a> '
                 + small(counted(len(data), "byte"), wrap=False) for name, data in content.items()]
        rows.append([small(reader, INK), "<br>".join(links) or small(f"{path} cannot hold byte-level BPE, only Unigram and character BPE")])
        total += bool(links)
    return card(f"Take it with you: {total} formats", table(rows, ["read by", "files"]), "those of one format belong together: keep them in one folder")
