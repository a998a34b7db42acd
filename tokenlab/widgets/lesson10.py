"""Explorers of lesson 10: a tokenizer from your own text, and a race."""
import asyncio
import statistics
import time
import timeit
from collections import Counter
from threading import Thread

import ipywidgets

from .. import bpe, corpora
from ..errors import need_text, short, whole
from ..pretokenize import split_stream
from ..views import card, downloads, mono, own_card, own_state, problem, small, table
from ..views.writing import counted
from .explorer import INITIAL, Explorer, button, text_box

MOST_BYTES, MOST_IDS, BLOCK = 20_000_000, 100_000, 100_000
FIRST_SLICE, EVERY = 64, 0.1    # merges; seconds between two signs of progress


def uploaded(value):
    """What a FileUpload holds, in ipywidgets 7 a dict and from 8 on a tuple: (name, bytes), or None where it is empty.

    >>> uploaded({"a.txt": {"metadata": {"name": "a.txt"}, "content": b"hi"}}), uploaded(({"name": "a.txt", "content": memoryview(b"hi")},))
    (('a.txt', b'hi'), ('a.txt', b'hi'))
    """
    file = next(iter(value.values() if isinstance(value, dict) else value), None)
    return file and (short(file.get("metadata", file)["name"])[1:-1], bytes(file["content"]))


def readable(content, size):
    """Return the text to train on; ValueError for what is no text, empty or too large, and for a size that makes no sense.

    content: str as pasted, or the bytes of a file. size: ids of the vocabulary.
    """
    if len(content) > MOST_BYTES:
        raise ValueError(f"{len(content) / 1e6:,.1f} MB are too much for this page, which takes {MOST_BYTES // 10**6}: take a part of it, or train from the "
                         f"command line, python -m tokenlab train FILE")
    if isinstance(content, bytes):
        try:
            content = content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"the file is not UTF-8: byte {error.start:,} is {content[error.start]:02X} (hexadecimal): {error.reason}. Open it in an "
                             f"editor and save it as UTF-8, or choose another file") from None
    if not need_text(content, "the text"):
        raise ValueError("there is no text to learn from: paste some, or upload a file")
    whole(size, "the vocabulary size", 256, MOST_IDS, " (the 256 bytes come first)")
    return content


def parts(text):
    """The first nine tenths of a text, to learn from, and the rest, to judge by."""
    cut = len(text) * 9 // 10
    return text[:cut], text[cut:]


class OwnText:
    """The controls of `your_own_text`, and the training behind them."""

    def __init__(self, text, vocab_size):
        self.text, self.upload = text_box("text", text, lines=6), ipywidgets.FileUpload(multiple=False, description="upload a file")
        self.size = ipywidgets.IntText(value=vocab_size, description="vocabulary size", style=INITIAL, layout=ipywidgets.Layout(width="220px"))
        self.train, self.stop = button("train", self.start), button("stop", self.halt)
        self.bar, self.said, self.links = ipywidgets.FloatProgress(max=1.0), ipywidgets.Label(), ipywidgets.HTML()
        self.bar.layout.width, self.links.layout.width = "180px", "100%"
        self.from_file, self.stopping, self.shown, self.result = False, False, 0.0, (None, None)
        self.inputs = {"text": self.text, "upload": self.upload, "size": self.size}
        text = readable(text, vocab_size)
        self.keep(text, vocab_size, bpe.train(self.count(text), vocab_size=vocab_size))
        self.busy(False)
        rows = [[self.text], [self.upload, self.size], [self.train, self.stop, self.bar, self.said]]
        self.explorer = Explorer(self.data, own_card_or_plan, self.inputs, rows, self.adjust)
        self.explorer.box.children += (ipywidgets.HBox([self.links]),)

    def content(self):
        """Where the text is from, and the text or the bytes: the file or the box, whichever changed last."""
        return (uploaded(self.upload.value) if self.from_file else None) or ("the text box", self.text.value)

    def adjust(self, name):
        if name in ("text", "upload"):
            self.from_file = name == "upload"
        self.links.value = ""           # of what stands there now; `data` brings them back

    def data(self, text, upload, size):
        """The result for what is in the controls, or what there would be to train on."""
        name, content = self.content()
        text, (key, state) = readable(content, size), self.result
        if key != (text, size):
            return {"name": name, "size": len(text.encode()), "ids": size}
        self.links.value = state["links"]
        return state

    def start(self):
        if self.train.disabled:         # the second half of a double click
            return
        size, self.stopping = self.size.value, False
        try:
            text = readable(self.content()[1], size)
        except ValueError as error:
            return self.explorer.fill(problem(error))
        self.busy(True)
        try:
            Thread(target=list, args=(self.slices(text, size, size),), daemon=True).start()
        except RuntimeError:            # no threads, as in a browser's own Python
            self.task = asyncio.ensure_future(with_pauses(self.slices(text, size, FIRST_SLICE)))

    def halt(self):
        self.stopping, self.said.value = True, "stopping; what was learned is compared"

    def slices(self, text, size, merges):
        """Train from the start, each time twice as far, and yield after each; then show the result, or what went wrong, and free the controls."""
        try:
            counts, said = self.count(text), self.progress("merge")
            while True:
                trace = bpe.train(counts, vocab_size=min(256 + merges, size), progress=lambda done, _: said(done, size - 256))
                yield
                if self.stopping or trace.stopped != "vocab_size" or 256 + merges >= size:
                    break
                merges *= 2
            self.keep(text, size, trace)
            self.explorer.redraw()
        except Exception as error:      # noqa: BLE001 - whatever it is
            self.explorer.fill(problem(error))
        finally:
            self.busy(False)

    def count(self, text):
        """Count the chunks of the part to learn from, as far as it comes before a stop."""
        part, said = parts(text)[0], self.progress("character")

        def blocks():
            for start in range(0, len(part), BLOCK):
                yield part[start:start + BLOCK]
                if not said(min(start + BLOCK, len(part)), len(part)):
                    return
        return Counter(split_stream(blocks()))

    def progress(self, what):
        """A function of (done, total) that moves the bar, not too often, and says whether to go on."""
        def move(done, total):
            if (now := time.monotonic()) - self.shown > EVERY:
                self.shown, self.bar.value, self.said.value = now, done / (total or 1), f"{what} {done:,} of {total:,}"
            return not self.stopping
        return move

    def keep(self, text, size, trace):
        state = own_state(trace, parts(text)[1], size)
        self.result = (text, size), state | {"links": downloads(state["tok"])}

    def busy(self, now):
        for control in (*self.inputs.values(), self.train):
            control.disabled = now
        self.stop.disabled, self.bar.value, self.said.value = not now, 0.0, ""


async def with_pauses(slices):
    """Go through slices of work; between two of them the page can send its stop."""
    for _ in slices:
        await asyncio.sleep(0.02)


def own_card_or_plan(state):
    if "tok" in state:
        return own_card(state)
    return card(f"{counted(state['size'], 'byte')} from {state['name']}, {state['ids']:,} ids: press train",
                small("Nine tenths are learned from, the last tenth is what the tokenizers are judged by."))


def your_own_text(text=None, vocab_size=1000):
    """Train byte-level BPE on a text of your own, compare it with real tokenizers, and take its files. For lesson 10, widget 23.

    text: str that the box holds at first (None: the beginning of a novel); vocab_size: ids. The last tenth of a text is not learned from: the
    tokenizers are judged by it. Returns an Explorer with the controls text, upload and size. Training happens in the background, and a
    stopped one leaves what it had learned. Raises TypeError or ValueError for a text or a size that cannot be trained on.
    """
    return OwnText(corpora.load("botchan")[:20_000] if text is None else need_text(text), vocab_size).explorer


def race(tasks, runs=3):
    """Time functions in turns when a button is pressed. For lesson 10.

    tasks: dict name -> function without arguments, at least one. Returns an Explorer with the control rounds: how often the button was pressed.
    """
    rounds = ipywidgets.IntText(value=0)

    def data(rounds):
        times = {name: [] for name in tasks}
        for name, task in [*tasks.items()] * (runs if rounds else 0):
            times[name].append(1000 * timeit.timeit(task, number=1))
        return {name: statistics.median(took) for name, took in times.items() if took}

    def show(times):
        if not times:
            return card(f"{' against '.join(tasks)}: press the button", small("Seconds are not stored: they are those of your machine, now."))
        best = min(times, key=times.get)
        return card(f"{best} was fastest, with {times[best]:,.1f} ms (median of {runs})",
                    table([[small(name), mono(f"{took:,.1f} ms"), mono(f"{took / times[best]:.2f} ×")] for name, took in times.items()]))

    def again():
        rounds.value += 1

    return Explorer(data, show, {"rounds": rounds}, [[button("race", again)]])
